"""The stored form of enums and tuples; a row with an unknown word is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text, update

from bot.storage import challenges, tables
from bot.storage.database import Database
from bot.storage.moments import Later, Microseconds, microseconds
from bot.storage.records import ChallengeState, First

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def test_enums_and_tuples_are_stored_as_plain_values(database: Database) -> None:
    await _add_challenge(database)
    async with database.read() as tx:
        stored = (await tx.execute(text("SELECT first, state, levels FROM challenges"))).one()
        found = await challenges.get(tx, 1)
    assert tuple(stored) == ("challenger", "open", "[2, 5]")
    assert found is not None
    assert (found.first, found.state, found.levels) == (First.CHALLENGER, ChallengeState.OPEN, (2, 5))


async def test_an_unknown_word_is_an_error_and_not_a_guess(database: Database) -> None:
    await _add_challenge(database)
    async with database.write() as tx:
        await tx.execute(text("UPDATE challenges SET state = 'strange'"))
    async with database.read() as tx:
        with pytest.raises(ValueError, match="'strange' is not a valid ChallengeState"):
            await challenges.get(tx, 1)


@pytest.mark.parametrize("at", [NOW, NOW.replace(microsecond=999_600), NOW.replace(second=59, microsecond=999_999)])
async def test_a_database_reckons_with_moments_to_the_microsecond(database: Database, at: datetime) -> None:
    await _add_challenge(database)
    by = timedelta(days=1, microseconds=1)
    async with database.write() as tx:
        await tx.execute(update(tables.challenges).values(created_at=at))
        later = Later(tables.challenges.c.created_at, microseconds(by))
        await tx.execute(update(tables.challenges).values(expires_at=later))
        columns = tables.challenges.c.expires_at, Microseconds(tables.challenges.c.created_at)
        moved, since_1970 = (await tx.execute(select(*columns))).one()
    assert (moved, since_1970) == (at + by, (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))


async def _add_challenge(database: Database) -> None:
    async with database.write() as tx:
        await challenges.add(
            tx,
            guild_id=1,
            channel_id=2,
            game="redo",
            variant="standard",
            players=3,
            challenger_id=4,
            opponent_id=None,
            first=First.CHALLENGER,
            rated=False,
            pace=None,
            rematch_of=None,
            created_at=NOW,
            expires_at=NOW,
            levels=(2, 5),
        )
