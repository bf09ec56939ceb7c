"""The result of a match says why it was lost: the threat, where it came from, and what would have stopped it."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from statistics import mean

import pytest

from bot.games import GAMES
from bot.games.game import Position
from bot.matches.model.defeat import Defeat, defeat
from bot.messages.board import text
from bot.opponents.analysis import analyse
from bot.storage.records import Entry, EntryKind
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.support.acting import FINISHED

TWO_THREATS = ("b2", "a1", "d4", "a1-a2", "c1", "d2", "a5", "b1", "c2", "d2-e3", "a4", "e3-d2")
"""White threatens with b1, and again with d2-e3."""
BEYOND_SAVING = ("b2", "c5", "b5", "e4", "b4", "a3", "e5", "e1", "d4", "c5-c4", "b4-c3")
"""After d4 White loses whatever they play."""


def played(*moves: str) -> list[Entry]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Entry(ply, (ply - 1) % 2, EntryKind.MOVE, move, at) for ply, move in enumerate(moves, start=1)]


def of_yonmoque(*moves: str) -> Defeat | None:
    return defeat(GAMES["yonmoque"], "standard", 2, played(*moves))


def after(*moves: str) -> Position:
    position = GAMES["yonmoque"].start(players=2)
    for move in moves:
        position = position.play(position.parse(move))
    return position


def has_lost(position: Position, winner: int) -> bool:
    """Tell by the rules alone whether ``winner`` has won, or wins with the next move."""
    if position.result is not None:
        return position.result.winners == {winner}
    results = [position.play(move).result for move in position.legal_moves()]
    return any(result is not None and result.winners == {winner} for result in results)


def lost_replies(position: Position, winner: int) -> list[bool]:
    return [has_lost(position.play(move), winner) for move in position.legal_moves()]


def test_a_threat_is_named_with_the_move_it_came_from_and_what_would_have_stopped_it() -> None:
    found = of_yonmoque(*FINISHED)
    assert found is not None
    assert (found.loser, found.won_by, found.mistake) == (1, "e2-d1", "d4")
    assert (found.threat, found.number) == ("e2", 7)
    assert found.saved is not None
    assert not has_lost(after(*FINISHED[:7], found.saved), winner=0)


def test_of_several_threats_the_earliest_is_named_with_a_legal_reply_to_it_that_stops_it() -> None:
    shares = {number: mean(lost_replies(after(*TWO_THREATS[:number]), winner=1)) for number in (6, 8, 10)}
    assert shares[6] < 0.5 <= min(shares[8], shares[10])
    found = of_yonmoque(*TWO_THREATS)
    assert found is not None
    assert (found.loser, found.threat, found.number) == (0, "b1", 8)
    assert (found.won_by, found.mistake) == ("e3-d2", "a4")
    assert found.saved is not None
    assert not has_lost(after(*TWO_THREATS[:8], found.saved), winner=1)


@pytest.mark.parametrize("moves", [FINISHED, TWO_THREATS])
def test_what_is_said_to_have_stopped_it_is_the_best_reply_to_the_threat_that_is_named(moves: tuple[str, ...]) -> None:
    found = of_yonmoque(*moves)
    assert found is not None
    assert found.number is not None
    position = after(*moves[: found.number])
    assert found.saved in [str(move) for move in position.legal_moves()]
    best = analyse(position, nodes=4_000).lines[0]
    assert str(best.move) == found.saved
    assert best.winning > 0.1


def test_where_every_reply_loses_nothing_is_said_to_have_saved() -> None:
    assert all(lost_replies(after(*BEYOND_SAVING[:9]), winner=0))
    assert of_yonmoque(*BEYOND_SAVING) == Defeat(1, "b4-c3", "c5-c4", threat="d4", number=9, saved=None)


@pytest.mark.parametrize("moves", [(), FINISHED[:8]])
def test_a_match_that_did_not_end_on_the_board_has_no_reason(moves: tuple[str, ...]) -> None:
    assert of_yonmoque(*moves) is None


@pytest.mark.parametrize("key", sorted(set(GAMES) & {"gyges", "redo", "redtangle", "rectangles", "yonmoque"}))
def test_what_is_said_to_have_saved_would_not_have_lost_at_once(key: str) -> None:
    """For a game of random moves: the rules agree with the search."""
    game = GAMES[key]
    variant = game.variants[0]
    position = game.start(players=2, **variant.options)
    entries: list[Entry] = []
    random = Random(7)
    while position.result is None and len(entries) < 400:
        seat = position.to_move
        assert seat is not None
        move = position.ready_made() or random.choice(list(position.legal_moves())[:50])
        kind = EntryKind.MOVE if position.forced_move() is None else EntryKind.FORCED
        entries.append(Entry(len(entries) + 1, seat, kind, str(move), datetime(2026, 1, 1, tzinfo=UTC)))
        position = position.play(move)
    found = defeat(game, variant.key, 2, entries)
    if found is None or found.saved is None:
        return
    before = game.start(players=2, **variant.options)
    for entry in entries[: found.number or -2]:
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
    assert said.startswith("From move 7, **e2**, Blue threatened to win; **")
    assert said.splitlines()[0].endswith("** would have stopped it.")
    beyond = await crowd.begin(terms=YONMOQUE)
    await crowd.play(beyond, *BEYOND_SAVING, players=(ALICE, BOB))
    assert text(await crowd.services.queries.match_view(GUILD, beyond)).startswith(
        "From move 9, **d4**, Blue threatened to win, and in the end no move could stop it."
    )
    resigned = await crowd.begin(terms=YONMOQUE)
    await crowd.resign(resigned, ALICE)
    assert "threatened" not in text(await crowd.services.queries.match_view(GUILD, resigned))
