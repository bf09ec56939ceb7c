"""Turns of computer players and reviews: of several processes one does each, and people take turns."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from bot.games import GAMES
from bot.matches.background_work import PATIENCE, ComputerTurnRunner
from bot.matches.service_context import plain_idle
from bot.matches.services.computer_players import ComputerPlayers
from bot.storage import computer_turns, processes, tables, work_queue
from bot.storage.computer_turns import ComputerTurn
from bot.storage.processes import THINKER
from bot.storage.records import Person, Rules
from tests.matches.against_computer import COMPUTER_BEGINS
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.at_work import at_work
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


async def test_a_computer_players_turn_is_played_by_one_process(crowds: tuple[Crowd, Crowd]) -> None:
    wanted = [await _awaiting(crowds[0], person) for person in (ALICE, BOB, CAROL)]
    players = [crowd.services.computer_players for crowd in crowds]
    taken = await asyncio.gather(*(player.take(2) for player in players))
    taken += [await player.take(2, begun=turns) for player, turns in zip(players, taken, strict=True)]
    assert sorted(turn.match_id for turns in taken for turn in turns) == wanted


@pytest.mark.slow
async def test_however_many_turns_somebody_waits_for_one_of_each_other_person_comes_before_their_second(
    crowds: tuple[Crowd, Crowd],
) -> None:
    crowd = crowds[0]
    of_alice = [await _awaiting(crowd, ALICE) for _ in range(6)]
    here, there = [each.services.computer_players for each in crowds]
    begun: dict[ComputerPlayers, list[ComputerTurn]] = {here: [], there: []}

    async def taken(players: ComputerPlayers, room: int) -> list[int]:
        turns = await players.take(room, begun=begun[players])
        begun[players] += turns
        return [turn.match_id for turn in turns]

    assert await taken(here, 3) == of_alice[:2]
    assert await taken(here, 1) == []
    of_bob = [await _awaiting(crowd, BOB) for _ in range(2)]
    of_carol = await _awaiting(crowd, CAROL)
    assert await taken(here, 1) == of_bob[:1]
    assert await taken(there, 4) == [of_carol, of_bob[1], of_alice[2]]


@pytest.mark.slow
async def test_the_board_of_a_turn_that_no_process_has_room_for_is_shown_meanwhile(
    crowds: tuple[Crowd, Crowd],
) -> None:
    crowd, other = crowds
    waiting = [await _awaiting(crowd, person) for person in (ALICE, BOB)]
    (begun,) = await other.services.computer_players.take(1)
    crowd.later(seconds=PATIENCE)
    await _awaiting(crowd, CAROL)
    runner = ComputerTurnRunner(crowd.services, lambda: plain_idle, at_once=0)
    async with at_work(runner), asyncio.timeout(60):
        while not await _shown(crowd):
            runner.wake()
            await asyncio.sleep(0.01)
    assert await _shown(crowd) == set(waiting) - {begun.match_id}


@pytest.mark.slow
async def test_turns_of_matches_that_cannot_be_replayed_keep_no_others_waiting(crowds: tuple[Crowd, Crowd]) -> None:
    crowd = crowds[0]
    broken = [await _awaiting(crowd, person) for person in (ALICE, BOB)]
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.matches).where(tables.matches.c.id.in_(broken)).values(variant="unknown"))
    crowd.services.game_states.forget()
    runner = ComputerTurnRunner(crowd.services, lambda: plain_idle, at_once=2)
    match_id = await _awaiting(crowd, CAROL)
    async with at_work(runner), asyncio.timeout(60):
        while (await crowd.match(match_id)).ply == 0:
            runner.wake()
            await asyncio.sleep(0.01)
    assert crowd.services.quarantined == set(broken)


async def test_a_turn_that_a_living_process_has_claimed_for_long_is_free_for_others(
    crowds: tuple[Crowd, Crowd], monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, other = (crowd.services.computer_players for crowd in crowds)
    await _awaiting(crowds[0], ALICE)
    claimed = await stuck.take(1)
    assert await other.take(1) == []
    monkeypatch.setattr(computer_turns, "CLAIMED_FOR", timedelta(0))
    assert await other.take(1) == claimed != []


async def test_a_turn_is_left_to_thinkers_but_for_a_game_that_all_of_them_lack(crowds: tuple[Crowd, Crowd]) -> None:
    database, players = crowds[0].database, crowds[0].services.computer_players
    match_id = await _awaiting(crowds[0], ALICE)
    others = GAMES.rules - {("yonmoque", GAMES["yonmoque"].rules_major)}

    async def joined(rules: Rules) -> None:
        async with database.write() as tx:
            await processes.add(tx, "a thinker", THINKER, timedelta(hours=1), rules)

    await joined(others)
    assert await work_queue.take(crowds[1].database, computer_turns, 1, (), None, others) == []
    (turn,) = await players.take(1, leave_to=THINKER)
    assert turn.match_id == match_id
    await players.give_back(turn)
    await joined(GAMES.rules)
    assert await players.take(1, leave_to=THINKER) == []


async def test_a_review_is_made_by_one_process(crowds: tuple[Crowd, Crowd]) -> None:
    crowd = crowds[0]
    wanted = [await crowd.begin() for _ in range(3)]
    for match_id in wanted:
        await crowd.resign(match_id, ALICE)
        await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    members = [each.services.reviews for each in crowds]
    taken = await asyncio.gather(*(reviews.take(2) for reviews in members))
    taken += [await reviews.take(2, begun=begun) for reviews, begun in zip(members, taken, strict=True)]
    assert sorted(match_id for some in taken for match_id in some) == wanted


async def _shown(crowd: Crowd) -> set[int]:
    """Return the matches whose boards are to be posted."""
    query = select(tables.outbox.c.payload).where(tables.outbox.c.kind == "board")
    async with crowd.database.read() as tx:
        return {payload["match"] for payload in (await tx.execute(query)).scalars()}


async def _awaiting(crowd: Crowd, person: Person) -> int:
    """Begin a match in which a computer player is to move, and return its id."""
    opponents = crowd.services.computer_opponents
    return await opponents.play(crowd.actor(person), 1, COMPUTER_BEGINS)
