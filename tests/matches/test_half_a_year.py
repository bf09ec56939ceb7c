"""Half a year of a ladder of twelve people with habits: who meets whom, who has how much to play, who is out and why.

What the ladder says is compared with what a simulation of their clocks knows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from bot.matches.model.rest import Rest
from bot.matches.model.typed import DAY, HOUR
from bot.storage import absences, ladders
from bot.storage.ladders import LadderPlayer
from bot.storage.records import EntryKind, Match, MatchState, NoMatch, OutOfLadder, Person
from tests.matches.conftest import GUILD, Crowd
from tests.matches.test_banks import any_move
from tests.matches.test_ladders import nobody
from tests.matches.test_resting import rests

STEP = timedelta(hours=6)
WEEKS = 26
LONG_ENOUGH = 12
"""The ply at which the person to move has seen enough of a match, and resigns."""


@dataclass(frozen=True)
class Habit:
    """How a person plays: the games and pace they choose, and after how much of their time they move.

    ``moves`` are the weekdays on which they look in. ``resigns`` says that they do so after their first move, ``gone``
    from which week on they do not move, ``away`` in which weeks they leave on Wednesday for five days.
    """

    games: tuple[str, ...] = ("yonmoque", "redo")
    pace: int = 2 * DAY
    after: float = 0.0
    moves: frozenset[int] = frozenset(range(7))
    resigns: bool = False
    gone: int = WEEKS
    away: tuple[int, ...] = ()


HABITS = {
    "Anna": Habit(),
    "Ben": Habit(after=0.4),
    "Cora": Habit(pace=7 * DAY, moves=frozenset({5, 6})),
    "Dan": Habit(away=(3, 8, 13, 18)),
    "Eva": Habit(moves=frozenset({1, 2, 3, 4})),
    "Finn": Habit(gone=0),
    "Gus": Habit(resigns=True),
    "Hana": Habit(games=("gyges",), pace=3 * DAY),
    "Ivo": Habit(games=("redo",), after=0.7),
    "Jon": Habit(games=("yonmoque", "gyges"), gone=15),
    "Kim": Habit(pace=DAY, after=0.8),
    "Lea": Habit(games=("yonmoque",), after=0.2),
}
PEOPLE = {name: Person(number, name) for number, name in enumerate(HABITS, start=1)}
WEEKEND = Rest(UTC, days=frozenset({5, 6}))


@dataclass
class HalfYear:
    """The simulation: whose clock has run for how long in which turn, and an account of what the ladder did."""

    crowd: Crowd
    ran: dict[tuple[int, int], timedelta] = field(default_factory=lambda: defaultdict(timedelta))
    """How long the clock of a turn has run, by match and ply."""
    pairings: Counter[tuple[str, str]] = field(default_factory=Counter)
    unfinished: Counter[int] = field(default_factory=Counter)
    """How often a person had so many matches after a pairing."""
    without: Counter[NoMatch] = field(default_factory=Counter)
    out: Counter[tuple[str, OutOfLadder]] = field(default_factory=Counter)

    @property
    def week(self) -> int:
        return (self.crowd.now - datetime(2026, 1, 5, 9, tzinfo=UTC)) // timedelta(weeks=1)

    async def running(self) -> list[Match]:
        async with self.crowd.database.read() as tx:
            return await ladders.unfinished(tx, GUILD)

    async def players(self) -> list[LadderPlayer]:
        async with self.crowd.database.read() as tx:
            return await ladders.everybody(tx, GUILD)

    async def join(self, name: str) -> None:
        for game in HABITS[name].games:
            await self.crowd.services.ladders.join(self.crowd.actor(PEOPLE[name]), game, HABITS[name].pace)

    async def away(self) -> set[int]:
        async with self.crowd.database.read() as tx:
            return await absences.away(tx, [one.id for one in PEOPLE.values()], self.crowd.now)

    async def pass_time(self) -> None:
        """Let clocks run for a step, those of whom nothing stops them."""
        away = await self.away()
        for match in await self.running():
            mover = match.mover.person
            if mover.id not in away and not (mover.name == "Eva" and WEEKEND.covers(self.crowd.now)):
                self.ran[match.id, match.ply] += STEP
        self.crowd.now += STEP
        await self.crowd.services.forfeits.notice_late()

    async def play(self) -> None:
        """Have those move, resign, leave and come back whose habit it is now."""
        now, week = self.crowd.now, self.week
        for name, habit in HABITS.items():
            if week in habit.away and now.weekday() == 2 and now.hour < STEP / timedelta(hours=1):
                await self.crowd.services.absences.leave_until(PEOPLE[name].id, now + timedelta(days=5))
        away = await self.away()
        for match in await self.running():
            person, habit = match.mover.person, HABITS[match.mover.person.name]
            spent = self.ran[match.id, match.ply] / timedelta(seconds=match.pace or HOUR)
            if person.id in away or week >= habit.gone or now.weekday() not in habit.moves or spent < habit.after:
                continue
            if match.ply >= LONG_ENOUGH or (habit.resigns and match.ply >= 2):
                await self.crowd.resign(match.id, person)
            else:
                await self.crowd.play(match.id, await any_move(self.crowd, match), players=(person,))

    async def pair(self) -> None:
        """Have a week paired, and compare what the ladder says with what is so."""
        before, now = await self.running(), self.crowd.now
        inside = {one.person.id for one in await self.players() if one.out_at is None}
        await self.crowd.services.ladders.queue_due()
        await self.crowd.services.ladders.pair(GUILD, now, nobody)
        view = await self.crowd.services.ladders.view(GUILD, now)
        assert view is not None
        playing = [names(match) for match in before]
        for match in view.matches:
            assert names(match) not in playing, "two who are playing are paired again"
            assert names(match) != ("Jon", "Kim"), "one has blocked the other"
            self.pairings[names(match)] += 1
        each = Counter(name for match in await self.running() for name in names(match))
        assert max(each.values(), default=0) <= 2
        self.unfinished.update(each.values())
        for one in view.out:
            assert one.person.id in inside
            await self.check_out(one)
        await self.check_left_out(view.players, before, {name for match in view.matches for name in names(match)})

    async def check_out(self, player: LadderPlayer) -> None:
        """Check that a person is out who has let their time run out, or has resigned before they had moved twice."""
        assert player.out_why is not None
        assert player.out_match_id is not None
        match, entries = await self.crowd.match(player.out_match_id), await self.crowd.moves(player.out_match_id)
        assert match.state is MatchState.OVER
        last, seat = entries[-1], match.seat_of(player.person.id)
        assert seat is not None
        assert (last.kind, last.seat) == (EntryKind.DROP, seat.seat)
        if player.out_why is OutOfLadder.TIME:
            assert self.ran[match.id, last.ply - 1] >= timedelta(seconds=match.pace or 0), f"{player.person} had time"
        else:
            assert sum(entry.seat == seat.seat and entry.kind is EntryKind.MOVE for entry in entries) < 2
        self.out[player.person.name, player.out_why] += 1

    async def check_left_out(self, players: tuple[LadderPlayer, ...], before: list[Match], paired: set[str]) -> None:
        """Check that the reason is so why a person has no match."""
        now, away = self.crowd.now, await self.away()
        full = {name for name, number in Counter(one for match in before for one in names(match)).items() if number > 1}
        here = [one for one in players if one.person.id not in away and one.person.name not in full]
        apart = {names(match) for match in before} | {("Jon", "Kim")}
        for one in players:
            if one.person.name in paired:
                assert one.left_out_at != now
                continue
            assert one.left_out_at == now, f"{one.person} has no match, and nothing says why"
            others = [other for other in here if other != one and pair(one, other) not in apart]
            if one.person.id in away:
                so = NoMatch.AWAY
            elif one.person.name in full:
                so = NoMatch.UNFINISHED
            elif any(set(one.games) & set(other.games) for other in others):
                so = NoMatch.TURN
            else:
                so = NoMatch.GAME if others else NoMatch.NOBODY
            assert one.left_out_why is so, f"{one.person}: {one.left_out_why}, and it is {so}"
            self.without[so] += 1


def names(match: Match) -> tuple[str, str]:
    one, other = sorted(seat.person.name for seat in match.seats)
    return one, other


def pair(one: LadderPlayer, other: LadderPlayer) -> tuple[str, str]:
    first, second = sorted((one.person.name, other.person.name))
    return first, second


@pytest.mark.slow
async def test_half_a_year_of_a_ladder(crowd: Crowd) -> None:
    crowd.now = datetime(2026, 1, 2, 9, tzinfo=UTC)
    half = HalfYear(crowd)
    await rests(crowd, PEOPLE["Eva"], WEEKEND)
    await crowd.services.personal_settings.block(PEOPLE["Jon"].id, PEOPLE["Kim"].id, blocked=True)
    for name in HABITS:
        await half.join(name)
    while half.week < WEEKS:
        if crowd.now.weekday() == 0 and crowd.now.hour == 9:
            await half.pair()
            for one in await half.players():
                if one.out_at is not None and one.person.name in ("Finn", "Gus") and half.week < 20:
                    await half.join(one.person.name)
            if half.week == 8:
                await crowd.services.ladders.leave(crowd.actor(PEOPLE["Lea"]))
            if half.week == 16:
                await half.join("Lea")
        await half.play()
        await half.pass_time()
    print(
        f"pairings: {half.pairings.total()}, of {len(half.pairings)} pairs; most of one: {max(half.pairings.values())}"
    )
    print(f"matches of a person at once: {dict(half.unfinished)}")
    print(f"without a match: {dict(half.without)}\nout: {dict(half.out)}")
    assert {name for name, _ in half.out} == {"Finn", "Gus", "Jon"}, "nobody is out while they have time"
    assert half.out["Gus", OutOfLadder.RESIGNED] > 0
    assert half.out["Gus", OutOfLadder.RESIGNED] == half.out.total() - sum(
        number for (_, why), number in half.out.items() if why is OutOfLadder.TIME
    )
    possible = sum(bool(set(HABITS[one].games) & set(HABITS[other].games)) for one, other in combinations(HABITS, 2))
    assert len(half.pairings) > possible / 2, "people meet many others"
