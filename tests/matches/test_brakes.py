"""No limit begins anew because a person deletes their data, and what is kept for that names nobody."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.service_context import PlayLimits
from bot.storage import abuse_counters, tables
from bot.storage.records import ShareKind
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.matches.test_daily_puzzles import CHANNEL, ONE, at, solve
from tests.matches.test_shares import finished, sharing


async def erase(crowd: Crowd) -> None:
    await crowd.services.privacy.erase(ALICE, crowd.interaction())


@pytest.mark.slow
async def test_ten_shares_a_day_stay_ten_however_often_data_is_deleted(crowd: Crowd) -> None:
    for number in range(PlayLimits().shares):
        match_id = await finished(crowd)
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
        if number % 3 == 0:
            await erase(crowd)
    match_id = await finished(crowd)
    with pytest.raises(LimitReached, match="You've shared 10 things today"):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, BOB), match_id)
    crowd.later(days=1, seconds=1)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), await finished(crowd))


async def test_a_puzzle_of_the_day_is_not_begun_anew_after_a_deletion(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    day = datetime(2026, 1, 1, tzinfo=UTC).date()
    await solve(crowd, ALICE.id, ONE, day)
    for _ in range(2):
        await erase(crowd)
        with pytest.raises(Refusal, match="before you deleted your data"):
            await crowd.services.puzzles.begin_daily(ALICE.id, ONE, day)
    await solve(crowd, BOB.id, ONE, day)
    await at(crowd, 2026, 1, 2, 9, 0)
    await solve(crowd, ALICE.id, ONE, datetime(2026, 1, 2, tzinfo=UTC).date())


async def test_what_is_kept_has_no_id_and_is_gone_after_two_days(crowd: Crowd) -> None:
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), await finished(crowd))
    await erase(crowd)

    async def kept() -> list[int]:
        async with crowd.database.write() as tx:
            await abuse_counters.forget(tx, crowd.now)
            return list((await tx.execute(select(tables.brakes.c.person))).scalars())

    (person,) = await kept()
    assert abs(person) > 2**32
    crowd.later(days=2, seconds=1)
    assert await kept() == []
