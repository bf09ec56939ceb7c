"""Weekly rest in running matches: what moves, absences, outages and changes of the rest make of the clocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import delete

from bot.languages.speaking import language
from bot.matches.model.pace import Pace
from bot.matches.model.policies.clocks import FIRST_MINUTE
from bot.matches.model.refusals import Refusal
from bot.matches.model.rest import Rest, parsed_rest, rest_of
from bot.matches.model.typed import DAY, HOUR, MINUTE
from bot.matches.services.preferences import with_rest
from bot.matches.writing import clocks
from bot.storage import running_clocks, tables
from bot.storage.guilds import GuildSettings
from bot.storage.people import Preferences
from bot.storage.records import Match, Person
from renderers.i18n import speaking
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.matches.test_banks import any_move
from tests.matches.test_rest import CHANGES, ROME, WEEKEND, any_rest

PACES = (Pace(DAY), Pace(3 * DAY), Pace(6 * HOUR, HOUR), Pace(5 * DAY, DAY))
TUESDAYS = Rest(UTC, days=frozenset({1}))
MINUTES = timedelta(minutes=1)
FRIDAY = datetime(2026, 1, 2, 11, tzinfo=UTC)
MONDAY = FRIDAY + timedelta(days=3)


async def rests(crowd: Crowd, person: Person, rest: Rest | None) -> None:
    """Have a person's weekly rest in force since yesterday."""
    key, since = None if rest is None else rest.key, crowd.now - timedelta(days=1)
    settings = crowd.services.personal_settings
    await settings.prefer(person.id, lambda before: replace(before, rest=key, rest_from=since))


async def moves(crowd: Crowd, match_id: int) -> Match:
    match = await crowd.match(match_id)
    await crowd.play(match_id, await any_move(crowd, match), players=(match.mover.person,))
    return await crowd.match(match_id)


class Hourglass:
    """The clocks of two people, minute by minute: that of the one to move runs, but not in rest or away."""

    def __init__(self, pace: Pace, rests: list[Rest | None]) -> None:
        self.pace, self.rests = pace, rests
        self.left = [pace.seconds // MINUTE] * 2
        self.up = 0
        self.away_until: list[datetime | None] = [None, None]

    def pass_minute(self, now: datetime) -> None:
        rest, away_until = self.rests[self.up], self.away_until[self.up]
        if not ((away_until is not None and now < away_until) or (rest is not None and rest.covers(now))):
            self.left[self.up] -= 1

    def move(self) -> None:
        whole = self.pace.seconds // MINUTE
        gained = whole if self.pace.increment is None else self.left[self.up] + self.pace.increment // MINUTE
        self.left[self.up] = min(whole, gained)
        self.up = 1 - self.up

    def deadline(self, now: datetime) -> datetime:
        """Return when the clock of the one to move shows nothing, if nothing else happens."""
        left, rest, away_until = self.left[self.up], self.rests[self.up], self.away_until[self.up]
        now = now if away_until is None else max(now, away_until)
        while left:
            left -= rest is None or not rest.covers(now)
            now += MINUTES
        return now


@pytest.mark.parametrize("cases", [3, pytest.param(40, marks=pytest.mark.slow)])
async def test_clocks_are_those_of_a_model_that_looks_at_every_minute(crowd: Crowd, cases: int) -> None:
    random = Random(cases)
    for case in range(cases):
        zone, day = CHANGES[case % len(CHANGES)]
        pace, resting = PACES[case % len(PACES)], [any_rest(random, ZoneInfo(zone)), None]
        crowd.now = day - timedelta(days=1)
        async with crowd.database.write() as tx:
            await tx.execute(delete(tables.absences))  # those of another case may lie ahead of this one
            await tx.execute(delete(tables.brakes))
        for person, rest in zip((ALICE, BOB), resting, strict=True):
            await rests(crowd, person, rest)
        match_id = await crowd.begin(terms=YONMOQUE.at(pace))
        model = Hourglass(pace, resting)
        for _ in range(6):
            up = (ALICE, BOB)[model.up]
            if random.random() < 0.3 and model.away_until[model.up] is None:
                until = crowd.now + random.randrange(1, 60) * 12 * MINUTES
                await crowd.services.absences.leave_until(up.id, until)
                model.away_until[model.up] = until
            for _minute in range(min(random.randrange(1, 1000), model.left[model.up] - 1)):
                model.pass_minute(crowd.now)
                crowd.now += MINUTES
            if (until_ := model.away_until[model.up]) is not None and until_ > crowd.now:
                await crowd.services.absences.come_back(up.id)
                model.away_until[model.up] = None
            match = await crowd.match(match_id)
            assert match.deadline_at == model.deadline(crowd.now), (zone, pace, resting)
            await moves(crowd, match_id)
            model.move()
            match = await crowd.match(match_id)
            assert match.deadline_at == model.deadline(crowd.now), (zone, pace, resting)
        await crowd.resign(match_id, ALICE)
        assert (await crowd.match(match_id)).rest is None, "the rest of a person is kept no longer than their turn"


async def test_an_outage_gives_back_what_the_clock_lost_and_nothing_for_the_rest(crowd: Crowd) -> None:
    crowd.now = FRIDAY
    await rests(crowd, ALICE, WEEKEND)
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    assert (await crowd.match(match_id)).deadline_at == MONDAY
    async with crowd.database.write() as tx:
        # Five hours on Friday evening, two of which are Saturday in Rome.
        down = FRIDAY + timedelta(hours=9), FRIDAY + timedelta(hours=14)
        await clocks.shift(tx, running_clocks.of_server(GUILD), *down, down[1])
    match = await crowd.match(match_id)
    assert match.deadline_at == MONDAY + timedelta(hours=3)
    assert match.remind_at == MONDAY - timedelta(hours=3)


async def test_a_change_of_rest_is_for_the_turns_after_it(crowd: Crowd) -> None:
    crowd.now = FRIDAY
    await rests(crowd, ALICE, WEEKEND)
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    tuesdays = replace(TUESDAYS, zone=ROME)
    settings = crowd.services.personal_settings
    await settings.prefer(ALICE.id, lambda before: with_rest(before, tuesdays, crowd.now))
    assert (await crowd.match(match_id)).deadline_at == MONDAY, "her clock goes on as it was when her turn began"
    await moves(crowd, match_id)
    match = await moves(crowd, match_id)
    assert (match.deadline_at, match.rest) == (FRIDAY + timedelta(days=1), None), "a week without any rest"
    crowd.later(days=6)
    await moves(crowd, match_id)
    assert (await moves(crowd, match_id)).deadline_at == crowd.now + timedelta(days=1)
    crowd.now = FRIDAY + timedelta(days=10)
    await moves(crowd, match_id)
    assert (await moves(crowd, match_id)).deadline_at == crowd.now + timedelta(days=2), "from Monday over Tuesday"


async def test_live_matches_never_rest_nor_do_those_of_servers_that_count_none(crowd: Crowd) -> None:
    crowd.now = FRIDAY
    await rests(crowd, ALICE, Rest(UTC, hours=(10, 20)))
    live = await crowd.begin(terms=YONMOQUE.at(Pace(10 * MINUTE, 30)))
    assert (await crowd.match(live)).deadline_at == FRIDAY + FIRST_MINUTE + timedelta(minutes=10)
    counted = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    without = GuildSettings(rest_counts=False)
    await crowd.services.server_settings.change(GUILD, lambda _before: without)
    free = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    for _ in range(2):
        assert (await crowd.match(free)).rest is None
        await moves(crowd, free)
        await moves(crowd, counted)
        await moves(crowd, free)
        assert (await moves(crowd, counted)).rest == "10-20@UTC", "it began under other terms"


async def test_a_pace_that_both_agree_on_rests_too_unless_it_is_live(crowd: Crowd) -> None:
    crowd.now = FRIDAY
    await rests(crowd, ALICE, WEEKEND)
    for pace, ends_at in ((Pace(2 * DAY), MONDAY + timedelta(days=1)), (Pace(30 * MINUTE, 60), None)):
        match_id = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
        for person in (ALICE, BOB):
            await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), pace)
        assert (await crowd.match(match_id)).deadline_at == (ends_at or FRIDAY + FIRST_MINUTE + timedelta(minutes=30))


@pytest.mark.parametrize(
    ("before", "since", "wanted", "in_force"),
    [
        # The first is in force from the next day in its zone.
        (None, None, WEEKEND, datetime(2026, 1, 2, 23, tzinfo=UTC)),
        # Another choice on the same day costs nothing.
        (
            TUESDAYS,
            datetime(2026, 1, 3, tzinfo=UTC),
            WEEKEND,
            datetime(2026, 1, 3, 23, tzinfo=UTC),
        ),
        # One that was in force is followed by a week without, to the next day.
        (
            TUESDAYS,
            datetime(2025, 1, 3, tzinfo=UTC),
            WEEKEND,
            datetime(2026, 1, 9, 23, tzinfo=UTC),
        ),
        (WEEKEND, datetime(2025, 1, 3, tzinfo=UTC), None, datetime(2026, 1, 9, 11, tzinfo=UTC)),
        # Without a rest for some days the rest of the week is waited for, and not longer.
        (None, datetime(2026, 1, 6, tzinfo=UTC), WEEKEND, datetime(2026, 1, 6, 23, tzinfo=UTC)),
        (None, datetime(2025, 1, 6, tzinfo=UTC), WEEKEND, datetime(2026, 1, 2, 23, tzinfo=UTC)),
    ],
)
def test_a_rest_cannot_be_moved_from_day_to_day(
    before: Rest | None, since: datetime | None, wanted: Rest | None, in_force: datetime
) -> None:
    stored = Preferences(rest=None if before is None else before.key, rest_from=since)
    changed = with_rest(stored, wanted, FRIDAY)
    assert (rest_of(changed.rest), changed.rest_from) == (wanted, in_force)
    assert with_rest(changed, wanted, FRIDAY) == changed


@pytest.mark.parametrize(
    ("code", "text", "times"),
    [
        ("en", "Saturday, Sunday", "67"),
        ("en", "fri", "5"),
        ("en", "22-7", "22-7"),
        ("en", "22:00–7:00", "22-7"),
        ("de", "samstag und so", None),
        ("de", "Samstag sonn", "67"),
        ("de", "sat sun", "67"),
        ("it", "lunedì", "1"),
        ("ja", "土曜日・日曜日", "67"),
        ("fr", "15", "15"),
        ("en", "t", None),
        ("en", "mon tue wed", None),
        ("en", "22-9", None),
        ("en", "7-7", None),
        ("en", "", None),
        ("en", "99-1", None),
    ],
)
def test_a_rest_is_understood_as_it_is_typed(code: str, text: str, times: str | None) -> None:
    with speaking(language(code)):
        if times is None:
            with pytest.raises(Refusal, match="22-7"):
                parsed_rest(text, ROME)
        else:
            rest = parsed_rest(text, ROME)
            assert rest is not None
            assert (rest.times, rest_of(rest.key)) == (times, rest)


def test_no_rest_is_typed_as_a_zero() -> None:
    assert parsed_rest(" 0 ", ROME) is None


def test_a_rest_in_a_zone_that_is_known_no_more_is_one_in_utc() -> None:
    assert rest_of("67@Nowhere/Known") == Rest(UTC, days=frozenset({5, 6}))


async def test_a_day_away_that_is_spent_stands_in_the_rest(crowd: Crowd) -> None:
    crowd.now = FRIDAY
    await rests(crowd, ALICE, WEEKEND)
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    crowd.now = FRIDAY + timedelta(days=7)
    await crowd.services.forfeits.notice_late()
    match = await crowd.match(match_id)
    assert (match.graces, match.deadline_at) == (1, crowd.now + timedelta(days=3))
