"""Two days of a server; ``python -m tests.figures fortnight`` lives two weeks of it."""

from __future__ import annotations

from bot.settings import Settings
from tests.discord_flow.conftest import failures
from tests.fortnight.life import Course, Life, lived
from tests.fortnight.verdict import Verdict, check_faultless, verdict

TWO_DAYS = Course(seed=7, days=2, outage_on=1, most=2, cup=3)


async def lived_verdict(settings: Settings, course: Course) -> tuple[Life, Verdict]:
    before = failures()
    async with lived(settings, course) as life:
        found = await verdict(life)
    assert failures() == before
    return life, found


async def test_two_days_of_a_server_are_told_truly_and_nothing_is_lost_or_doubled(settings: Settings) -> None:
    life, found = await lived_verdict(settings, TWO_DAYS)
    check_faultless(found)
    assert found.over, "some match has ended"
    assert life.truth.compared > 300
