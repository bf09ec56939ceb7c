"""Two days of a server; ``python -m tests.figures fortnight`` lives two weeks of it."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from tests.discord_flow.conftest import failures
from tests.fortnight.life import Course, lived
from tests.fortnight.verdict import check_faultless, verdict
from tests.support.postgresql import needs_postgresql

TWO_DAYS = Course(seed=7, days=2, outage_on=1, most=2, cup=3)


async def check_lived(settings: Settings) -> None:
    before = failures()
    async with lived(settings, TWO_DAYS) as life:
        found = await verdict(life)
    assert failures() == before
    check_faultless(found)
    assert found.over, "some match has ended"
    assert life.truth.compared > 300


async def test_two_days_of_a_server_are_told_truly_and_nothing_is_lost_or_doubled(settings: Settings) -> None:
    await check_lived(settings)


@needs_postgresql
@pytest.mark.slow
async def test_two_days_on_postgresql_are_told_truly_too(settings: Settings, server: str) -> None:
    await check_lived(settings.model_copy(update={"database_url": server}))
