"""Banks of time in running matches: what moves, take-backs, absences, outages and the end of the time make of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.matches.model.pace import Pace
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.typed import DAY, HOUR, MINUTE
from bot.matches.service_context import PlayLimits
from bot.matches.services.eligibility import Terms
from bot.storage.records import First, Match, MatchState, Person
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.matches.test_downtime import Machine
from tests.matches.test_pace import Sandglass
from tests.support.without_grace import without_grace  # noqa: F401

LIVE, DAYS = Pace(10 * MINUTE, 30), Pace(5 * DAY, DAY)
BEAT = timedelta(days=100)
"""So long a time between two heartbeats that waiting is no downtime."""
MOVES = ("c3", "e5", "a1", "e1")


async def begun(crowd: Crowd, pace: Pace = LIVE) -> int:
    return await crowd.begin(terms=YONMOQUE.at(pace))


async def left(crowd: Crowd, match_id: int, away_until: datetime | None = None) -> list[float]:
    """Return the seconds on the clock of each seat."""
    match = await crowd.match(match_id)
    clocks = [seat.bank if seat.bank is not None else float(match.pace or 0) for seat in match.seats]
    assert match.deadline_at is not None
    clocks[match.mover.seat] = (match.deadline_at - max(crowd.now, away_until or crowd.now)).total_seconds()
    return clocks


async def any_move(crowd: Crowd, match: Match) -> str:
    position = (await crowd.services.game_states.of(match)).position
    return str(next(move for move in position.legal_moves() if position.play(move).result is None))


async def play(crowd: Crowd, match_id: int) -> None:
    match = await crowd.match(match_id)
    await crowd.play(match_id, await any_move(crowd, match), players=(match.mover.person,))


async def take_back(crowd: Crowd, match_id: int) -> None:
    match = await crowd.match(match_id)
    await crowd.take_back(match_id, match.seats[1 - match.mover.seat].person, match.mover.person)


async def test_a_move_during_an_absence_does_not_fill_the_bank(crowd: Crowd) -> None:
    match_id = await begun(crowd, DAYS)
    crowd.later(days=3)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=10))
    crowd.later(days=1)
    await play(crowd, match_id)
    assert await left(crowd, match_id) == [3 * DAY, 5 * DAY]


async def test_no_absence_stops_the_clock_of_a_live_match(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await crowd.services.absences.leave_until(BOB.id, crowd.now + timedelta(days=3))
    await play(crowd, match_id)
    assert await left(crowd, match_id) == [600, 600]
    crowd.later(minutes=4)
    assert await left(crowd, match_id) == [600, 360]
    beside = await crowd.services.queries.beside(GUILD, match_id, ALICE.id)
    assert beside.away_until is None
    await crowd.services.absences.come_back(BOB.id)
    assert await left(crowd, match_id) == [600, 360]
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=3))
    await play(crowd, match_id)
    assert await left(crowd, match_id) == [600, 390]


async def test_no_absence_begins_while_its_person_is_to_move_in_a_live_match(crowd: Crowd) -> None:
    live, slow = await begun(crowd), await begun(crowd, DAYS)
    with pytest.raises(Refusal, match=f"match {live}, which is live"):
        await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
    assert await left(crowd, slow) == [5 * DAY, 5 * DAY]
    assert await crowd.services.absences.absence(ALICE.id) is None
    await play(crowd, live)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
    assert (await crowd.match(slow)).deadline_at == crowd.now + timedelta(days=6)


async def test_the_reminder_comes_when_a_quarter_of_what_is_left_is_left(crowd: Crowd) -> None:
    match_id = await begun(crowd, DAYS)
    crowd.later(days=4)
    await play(crowd, match_id)
    await play(crowd, match_id)
    match = await crowd.match(match_id)
    assert match.deadline_at == crowd.now + timedelta(days=2)
    assert match.remind_at == crowd.now + timedelta(days=1.5)


async def test_nobody_is_reminded_in_the_last_minute(crowd: Crowd) -> None:
    match_id = await begun(crowd, Pace(3 * MINUTE, 0))
    assert (await crowd.match(match_id)).remind_at is None


async def test_a_late_move_where_the_claim_is_awaited_begins_again_from_the_increment(crowd: Crowd) -> None:
    match_id = await begun(crowd, DAYS)
    crowd.later(days=6)
    await play(crowd, match_id)
    assert await left(crowd, match_id) == [DAY, 5 * DAY]


@pytest.mark.parametrize("late", [False, True])
async def test_a_live_move_counts_by_when_it_was_received(crowd: Crowd, late: bool) -> None:
    match_id = await begun(crowd)
    crowd.later(seconds=600 if late else 599.9)
    received = crowd.request(match_id, ALICE)
    crowd.later(seconds=5)
    if late:
        with pytest.raises(Stale, match="ran out"):
            await crowd.services.turns.play(*received, MOVES[0])
        assert (await crowd.match(match_id)).state is MatchState.OVER
    else:
        await crowd.services.turns.play(*received, MOVES[0])
        assert await left(crowd, match_id) == [pytest.approx(30.1), 595]


async def test_the_end_of_the_time_waits_for_a_move_that_was_received_before(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(seconds=599)
    received = crowd.request(match_id, ALICE)

    async def play_what_was_received() -> None:
        await crowd.services.turns.play(*received, MOVES[0])

    crowd.open(requests_done=play_what_was_received)
    crowd.later(seconds=2)
    await crowd.services.forfeits.notice_late()
    match = await crowd.match(match_id)
    assert (match.state, match.ply) == (MatchState.RUNNING, 1)


@pytest.mark.parametrize("lost", [3.0, 7.0, 86_400.0])
async def test_a_restart_in_a_live_match_gives_back_what_was_lost_to_a_second(crowd: Crowd, lost: float) -> None:
    machine, match_id = Machine(crowd, timedelta(seconds=5)), await begun(crowd)
    await machine.downtime.credit_downtime()
    await machine.downtime.beat()
    for _ in range(20):
        machine.run_on(machine.downtime.until_next_beat())
        await machine.downtime.beat()
    assert machine.seconds == pytest.approx(20)
    machine.run_on(timedelta(seconds=0.7))
    before = await left(crowd, match_id)
    machine.run_on(timedelta(seconds=lost))
    await Machine(crowd).downtime.credit_downtime()
    after = await left(crowd, match_id)
    assert after[1] == before[1] == 600
    assert 0 <= after[0] - before[0] <= 1


async def test_without_live_matches_heartbeats_are_as_rare_as_ever(crowd: Crowd) -> None:
    machine = Machine(crowd, timedelta(seconds=5))
    await begun(crowd, DAYS)
    await machine.downtime.credit_downtime()
    await machine.downtime.beat()
    assert machine.downtime.until_next_beat() == timedelta(seconds=5)


async def test_a_rematch_has_the_same_pace_and_full_banks(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(minutes=5)
    await crowd.resign(match_id, ALICE)
    await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
    started = await crowd.services.rematches.ask(crowd.actor(BOB), match_id)
    assert started is not None
    again = await crowd.match(started)
    assert Pace.of(again.pace, again.increment) == LIVE
    crowd.later(minutes=1)
    assert await left(crowd, started) == [600, 600]


async def test_a_match_against_the_bot_has_a_bank_for_the_person(crowd: Crowd) -> None:
    terms = YONMOQUE.at(LIVE)
    match_id = await crowd.services.computer_opponents.play(crowd.actor(ALICE), 1, terms)
    crowd.later(minutes=3)
    await play(crowd, match_id)
    match = await crowd.match(match_id)
    assert (match.deadline_at, match.seats[0].bank) == (None, 450)


async def random_walk(crowd: Crowd, random: Random) -> None:
    """Take random steps in a match on the real services, and compare both clocks with the model after each."""
    pace = random.choice((LIVE, DAYS, Pace(6 * HOUR, HOUR), Pace(2 * DAY)))
    crowd.now = datetime(2026, 3, 29, 1, tzinfo=UTC) - timedelta(seconds=random.randrange(pace.seconds))
    machine = Machine(crowd, BEAT)
    await machine.downtime.credit_downtime()
    # New people each time: those of an earlier walk may be away.
    one, other = (Person(random.randrange(100, 10**9), name) for name in "AB")
    offered_at = crowd.now
    match_id = await crowd.begin(by=one, to=other, terms=YONMOQUE.at(pace))
    machine.seconds += (crowd.now - offered_at).total_seconds()
    model, back_at, moved = Sandglass(pace), crowd.now, False
    left_at: dict[int, list[datetime]] = {one.id: [], other.id: []}
    for _ in range(12):
        match = await crowd.match(match_id)
        mover, some = match.mover.person, timedelta(seconds=random.randrange(60, pace.seconds // 5))
        event = random.choice(("wait", "outage", "leave", "back", "move", "move", "takeback"))
        if event == "wait" and model.sand[model.up] > some.total_seconds():
            machine.run_on(some)
            model.wait(int(some.total_seconds()))
        elif event == "outage":
            await machine.downtime.beat()
            machine.run_on(some)
            machine = Machine(crowd, BEAT)
            await machine.downtime.credit_downtime()
            model.outage(int(some.total_seconds()))
        elif (
            event == "leave"
            and not pace.live
            and some < timedelta(days=1)
            and match.deadline_at
            and crowd.now < match.deadline_at
            and len([at for at in left_at[mover.id] if crowd.now - at <= timedelta(hours=1)])
            < PlayLimits().absences_per_hour
        ):
            left_at[mover.id].append(crowd.now)
            back_at = crowd.now + some
            await crowd.services.absences.leave_until(mover.id, back_at)
            model.away = int(some.total_seconds())
        elif event == "back" and back_at > crowd.now:
            await crowd.services.absences.come_back(mover.id)
            back_at, model.away = crowd.now, 0
        elif event == "move" or (event == "takeback" and moved):
            if back_at > crowd.now:
                await crowd.services.absences.come_back(mover.id)
                back_at, model.away = crowd.now, 0
            await (play if event == "move" else take_back)(crowd, match_id)
            moved = event == "move"
            model.turn(moved=moved)
        assert await left(crowd, match_id, back_at) == model.sand


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_the_services_agree_with_the_model(crowd: Crowd, seed: int) -> None:
    await random_walk(crowd, Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
async def test_the_services_agree_with_the_model_in_long_runs(crowd: Crowd, seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        await random_walk(crowd, random)


async def test_a_challenge_to_a_live_match_is_open_for_ten_minutes(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(terms=YONMOQUE.at(LIVE))
    crowd.later(minutes=10)
    with pytest.raises(Refusal):
        await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)


async def test_set_ups_that_are_ready_made_are_no_first_moves_of_a_live_match(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("gyges", "classic", 2, First.CHALLENGER).at(LIVE))
    match = await crowd.match(match_id)
    assert match.ply == 2
    assert match.deadline_at == crowd.now + timedelta(seconds=600)
