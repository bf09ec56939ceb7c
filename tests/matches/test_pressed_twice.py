"""A person who presses twice, or asks again because an answer was lost, gets the same answer, and it is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.matches.services import Services
from bot.storage.records import EntryKind, OfferState, Person
from tests.matches.against_computer import against, replied
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd

AT_ONCE = 4


@dataclass(frozen=True)
class Press:
    """Something that a person presses at a ply of a match, what it answers, and the entry that it leaves."""

    act: Callable[[Services], Callable[..., Awaitable[object]]]
    kind: EntryKind
    answer: object = None
    by: Person = ALICE
    moves: tuple[str, ...] = ("c3", "a1")
    days: int = 0


PRESSES = {
    "a resignation": Press(lambda services: services.forfeits.resign, EntryKind.DROP),
    "a claim": Press(lambda services: services.forfeits.claim_win, EntryKind.DROP, True, BOB, days=9),
    "a draw that the opponent has offered": Press(
        lambda services: services.agreements.offer_draw, EntryKind.DRAW, OfferState.ACCEPTED
    ),
}


async def several(press: Callable[[], Awaitable[object]], at_once: bool) -> list[object]:
    """Press several times, and return the answers."""
    if at_once:
        return await asyncio.gather(*(press() for _ in range(AT_ONCE)))
    return [await press() for _ in range(AT_ONCE)]


@pytest.mark.parametrize("at_once", [True, False], ids=("at once", "one after the other"))
@pytest.mark.parametrize("name", PRESSES)
async def test_what_is_pressed_several_times_is_done_once_and_confirmed_each_time(
    crowd: Crowd, name: str, at_once: bool
) -> None:
    press = PRESSES[name]
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=43200))
    await crowd.play(match_id, *press.moves)
    if press.kind is EntryKind.DRAW:
        await crowd.services.agreements.offer_draw(*crowd.request(match_id, BOB))
    crowd.now += timedelta(days=press.days)
    act = press.act(crowd.services)
    assert await several(lambda: act(*crowd.request(match_id, press.by, 2)), at_once) == [press.answer] * AT_ONCE
    assert [entry.kind for entry in (await crowd.moves(match_id))[2:]] == [press.kind]


@pytest.mark.parametrize("at_once", [True, False], ids=("at once", "one after the other"))
async def test_a_move_is_taken_back_from_the_bot_once_however_often_that_is_pressed(
    crowd: Crowd, at_once: bool
) -> None:
    match_id = await against(crowd)
    for _ in range(2):
        position = (await crowd.services.game_states.of(await crowd.match(match_id))).position
        await crowd.play(match_id, str(next(iter(position.legal_moves()))))
        await replied(crowd)
    ask = crowd.services.agreements.ask_takeback
    assert await several(lambda: ask(*crowd.request(match_id, ALICE, 4)), at_once) == [None] * AT_ONCE
    assert [entry.kind for entry in (await crowd.moves(match_id))[4:]] == [EntryKind.TAKEBACK]


async def test_a_match_that_was_read_before_it_moved_on_is_read_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    read = await crowd.match(match_id)
    await crowd.play(match_id, "c3", "a1")
    await crowd.services.turns.play(crowd.actor(ALICE), read, None, "d4")
    assert [entry.text for entry in await crowd.moves(match_id)] == ["c3", "a1", "d4"]


async def test_a_draw_offered_in_the_instant_of_the_opponents_move_is_offered_at_the_next_ply(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    read = await crowd.match(match_id)
    await crowd.play(match_id, "c3")
    assert await crowd.services.agreements.offer_draw(crowd.actor(BOB), read, None) is OfferState.OPEN
    (offer,) = await crowd.open_offers(match_id)
    assert (offer.ply, offer.seat) == (1, 1)
