"""Events while a computer player searches, and unusual positions on its boards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.contract import golden
from bot.games import GAMES
from bot.games.game import Position
from bot.matches.services import computer_players
from bot.matches.services.eligibility import Terms
from bot.matches.writing.clocks import CLOSED_AFTER
from bot.messages import wording
from bot.opponents import LEVELS, Choice, choose
from bot.storage.computer_turns import ComputerTurn
from bot.storage.records import EntryKind, First, MatchState
from tests.matches.against_computer import (
    COMPUTER_BEGINS,
    against,
    boards_wanted,
    due,
    imported,
    replied,
    running,
)
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd


def moves_of(key: str, name: str) -> list[str]:
    """Return the moves of a golden game."""
    return golden.game_in((golden.folder(GAMES[key]) / f"{name}.txt").read_text(encoding="utf-8"))[2]


async def offer_draw(crowd: Crowd, match_id: int) -> None:
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))


# While it thinks


MEANWHILE: dict[str, tuple[Callable[[Crowd, int], Awaitable[object]], float, str | None]] = {
    "a draw is declined": (offer_draw, 0.0, None),
    "a draw is agreed": (offer_draw, 1.1, "agreement"),
    "the person resigns": (lambda crowd, match_id: crowd.resign(match_id, ALICE), 0.0, "resignation"),
    "everything of the person is deleted": (
        lambda crowd, _match_id: crowd.services.privacy.erase(ALICE, crowd.interaction()),
        0.0,
        "resignation",
    ),
}
"""What happens, below which chance to win the bot agrees to a draw, and why the match is over then, if it is."""


@pytest.mark.parametrize("what", MEANWHILE)
async def test_its_reply_is_played_or_dropped_after_what_happens_while_it_thinks(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    happens, draws_below, reason = MEANWHILE[what]
    monkeypatch.setattr(computer_players, "DRAWS_BELOW", draws_below)
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    turn = await due(crowd)
    await happens(crowd, match_id)
    await crowd.services.computer_players.play(turn)
    match = await crowd.match(match_id)
    assert (match.ply, match.reason, match.state is MatchState.OVER) == (2, reason, reason is not None)
    assert await crowd.services.computer_players.take(1) == []


async def test_a_bot_removed_from_the_server_while_it_thinks_moves_and_waits_from_its_return(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    await crowd.services.departures.bot_left(GUILD)
    await replied(crowd)
    assert (await crowd.match(match_id)).ply == 2
    crowd.later(days=40)
    await crowd.services.forfeits.notice_late()
    await crowd.services.departures.bot_returned(GUILD)
    match = await crowd.match(match_id)
    assert (match.state, match.deadline_at) == (MatchState.RUNNING, crowd.now + CLOSED_AFTER)


async def test_a_bot_that_stops_waits_until_cancelled_work_has_ended(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stored_slowly(_due: ComputerTurn) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)  # as a transaction takes to be undone
            ended.set()

    monkeypatch.setattr(crowd.services.computer_players, "play", stored_slowly)
    await against(crowd, COMPUTER_BEGINS)
    async with asyncio.timeout(30), running(crowd):
        await begun.wait()
    assert ended.is_set()


async def test_at_the_highest_level_it_makes_the_same_move_after_a_restart(crowd: Crowd) -> None:
    small = Terms("rectangles", "4x4", 2, First.OPPONENT)
    match_id = await against(crowd, small, level=LEVELS[-1])
    thought = choose(
        (await crowd.services.queries.match_view(GUILD, match_id)).game_state.position, LEVELS[-1], match_id * 10**6
    )
    crowd.open()
    await replied(crowd)
    assert [move.text for move in await crowd.moves(match_id)] == [str(thought)]


# Unusual positions


async def test_after_a_forced_pass_of_the_person_it_moves_once_more(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = moves_of("redtangle", "a-pass")
    before = moves.index("pass") - 1

    def as_recorded(position: Position, _level: int, _seed: int) -> Choice:
        return Choice(position.parse(moves[before]))

    match_id = await imported(crowd, ("1, Alice", "level 1, Tavoliere"), *moves[:before], game="redtangle")
    with monkeypatch.context() as patch:
        patch.setattr(computer_players, "consider", as_recorded)
        await replied(crowd)
    assert [(move.seat, move.kind) for move in (await crowd.moves(match_id))[-2:]] == [
        (1, EntryKind.MOVE),
        (0, EntryKind.FORCED),
    ]
    assert (await due(crowd)).ply == before + 2
    assert await boards_wanted(crowd) == []
    await replied(crowd)
    match = await crowd.match(match_id)
    assert match.ply == before + 3
    assert await boards_wanted(crowd) == [match.ply]
    told = wording.last_move(await crowd.services.queries.match_view(GUILD, match_id)).splitlines()
    assert [line.split(" ", 2)[:2] for line in told] == [
        ["Last", "move:"],
        ["Reply:", "Tavoliere"],
        ["Alice", "has"],
        ["Reply:", "Tavoliere"],
    ]


async def test_a_forced_pass_is_told_to_the_person_who_moves_again(crowd: Crowd) -> None:
    moves = moves_of("redtangle", "a-pass")
    passes = moves.index("pass")
    mover, other = (ALICE, BOB) if passes % 2 else (BOB, ALICE)
    match_id = await imported(crowd, ("1, Alice", "2, Bob"), *moves[: passes - 1], game="redtangle")

    async def told() -> list[str]:
        return wording.last_move(await crowd.services.queries.match_view(GUILD, match_id)).splitlines()

    assert len(await told()) == 1
    await crowd.play(match_id, moves[passes - 1], players=(mover,))
    assert (await told())[1:] == [f"{other.name} has to pass."]
    await crowd.play(match_id, moves[passes + 1], players=(mover,))
    assert len(await told()) == 1


async def test_a_computer_player_that_is_left_without_a_move_has_no_turn(crowd: Crowd) -> None:
    *moves, last = moves_of("yonmoque", "no-move-left")
    seats = ("1, Alice", "level 5, Tavoliere") if len(moves) % 2 == 0 else ("level 5, Tavoliere", "1, Alice")
    match_id = await imported(crowd, seats, *moves)
    await crowd.play(match_id, last)
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "no move left")
    assert await crowd.services.computer_players.take(1) == []
