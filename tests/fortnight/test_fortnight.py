"""Two days of a server in the quick run, and the whole fortnight in the slow one, on both databases."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from tests.discord_flow.conftest import failures
from tests.fortnight.life import Course, Life, lived
from tests.fortnight.verdict import Verdict, verdict
from tests.support.postgresql import needs_postgresql

TWO_DAYS = Course(seed=7, days=2, outage_on=1, most=2, cup=3)
FORTNIGHT = Course(seed=7, days=14, outage_on=5)
MOST_MENTIONS = 320
"""The most mentions with sound in a fortnight of eight people."""


def held(found: Verdict) -> None:
    """Hold a life to what is promised at every time of it."""
    assert found.untrue == []
    assert found.unnoticed == []
    assert found.doubled == []
    assert found.late == []
    assert max(found.taps) <= 2


async def lived_verdict(settings: Settings, course: Course) -> tuple[Life, Verdict]:
    before = failures()
    async with lived(settings, course) as life:
        found = await verdict(life)
    assert failures() == before
    return life, found


async def test_two_days_of_a_server_are_told_truly_and_nothing_is_lost_or_doubled(settings: Settings) -> None:
    life, found = await lived_verdict(settings, TWO_DAYS)
    held(found)
    assert found.over, "some match has ended"
    assert life.truth.compared > 300


@pytest.mark.slow
async def test_a_fortnight_takes_few_mentions(settings: Settings) -> None:
    _, found = await lived_verdict(settings, FORTNIGHT)
    held(found)
    assert found.loud <= MOST_MENTIONS


@pytest.mark.slow
@needs_postgresql
async def test_two_days_on_postgresql(usual_settings: Settings, server: str) -> None:
    _, found = await lived_verdict(usual_settings.model_copy(update={"database_url": server}), TWO_DAYS)
    held(found)
