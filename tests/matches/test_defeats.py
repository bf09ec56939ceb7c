"""The result of a match says why it was lost: the threat, where it came from, and what would have stopped it."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from bot.games import GAMES
from bot.matches.model.defeat import Defeat, defeat
from bot.messages.board import text
from bot.storage.records import MoveKind, PlayedMove
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd

FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")


def played(*moves: str) -> list[PlayedMove]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [PlayedMove(ply, (ply - 1) % 2, MoveKind.MOVE, move, at) for ply, move in enumerate(moves, start=1)]


def of_yonmoque(*moves: str) -> Defeat | None:
    return defeat(GAMES["yonmoque"], "standard", 2, played(*moves))


def test_a_threat_is_named_with_the_move_it_came_from_and_what_would_have_stopped_it() -> None:
    found = of_yonmoque(*FINISHED)
    assert found is not None
    assert (found.loser, found.won_by, found.mistake) == (1, "e2-d1", "d4")
    assert (found.threat, found.number) == ("e2", 7)
    assert found.saved is not None
    saved = GAMES["yonmoque"].start(players=2)
    for move in (*FINISHED[:7], found.saved):
        saved = saved.play(saved.parse(move))
    results = [saved.play(move).result for move in saved.legal_moves()]
    assert not any(result is not None and result.winners == {0} for result in results)


@pytest.mark.parametrize("moves", [(), FINISHED[:8]])
def test_a_match_that_did_not_end_on_the_board_has_no_reason(moves: tuple[str, ...]) -> None:
    assert of_yonmoque(*moves) is None


@pytest.mark.parametrize("key", sorted(set(GAMES) & {"gyges", "redo", "redtangle", "rectangles", "yonmoque"}))
def test_what_is_said_to_have_saved_would_not_have_lost_at_once(key: str) -> None:
    """For a game of random moves: the rules agree with the search."""
    game = GAMES[key]
    variant = game.variants[0]
    position = game.start(players=2, **variant.options)
    entries: list[PlayedMove] = []
    random = Random(7)
    while position.result is None and len(entries) < 400:
        seat = min(position.to_move)
        move = position.ready_made() or random.choice(list(position.legal_moves())[:50])
        kind = MoveKind.MOVE if position.forced_move() is None else MoveKind.FORCED
        entries.append(PlayedMove(len(entries) + 1, seat, kind, str(move), datetime(2026, 1, 1, tzinfo=UTC)))
        position = position.play(move)
    found = defeat(game, variant.key, 2, entries)
    if found is None or found.saved is None:
        return
    before = game.start(players=2, **variant.options)
    for entry in entries[:-2]:
        before = before.play(before.parse(entry.text))
    after = before.play(before.parse(found.saved))
    assert after.result is None or after.result.winners != {1 - found.loser}
    assert not any(
        after.play(move).result is not None and after.play(move).result.winners == {1 - found.loser}  # type: ignore[union-attr]
        for move in after.legal_moves()
    )


async def test_the_first_sentence_of_a_result_says_it(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE)
    await crowd.play(match_id, *FINISHED, players=(ALICE, BOB))
    said = text(await crowd.services.queries.match_view(GUILD, match_id))
    assert said.startswith("Blue threatened to win from move 7 on, **e2**; **")
    assert said.splitlines()[0].endswith("** would have stopped it.")
    resigned = await crowd.begin(terms=YONMOQUE)
    await crowd.resign(resigned, ALICE)
    assert "threatened" not in text(await crowd.services.queries.match_view(GUILD, resigned))
