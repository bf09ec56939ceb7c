"""What limits need to know, also of people whose data was deleted: who did what when, for two days at most.

A person is a number that only this database can compute from their id, so nobody reads here who it was.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b

from sqlalchemy import BigInteger, Text, and_, delete, insert, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.contest_states import CupState
from bot.storage.exclusive_use import own_generation
from bot.storage.records import ChallengeState
from bot.storage.tables import brakes, challenges, cups, puzzle_attempts, shares


class AbuseCounter(StrEnum):
    """What is limited.

    The subject is a server for a challenge, a cup, a bar and a match against the computer, a puzzle's key for a puzzle,
    the number of the other person for an invitation, a block and a mention, and empty for a share and an absence.
    """

    ABSENCE = "absence"

    BLOCK = "block"
    """The person was signed out of the board page because another one has blocked them."""
    CHALLENGED = "challenged"
    """The person was mentioned by a challenge."""
    BAR = "bar"
    """The person was told that they are barred."""
    CHALLENGE = "challenge"
    COMPUTER = "computer"
    """The person began a match against computer players alone."""
    CUP = "cup"
    INVITATION = "invitation"
    """The person was mentioned as one invited to a cup."""
    SHARE = "share"
    PUZZLE = "puzzle"


KEPT = {
    AbuseCounter.ABSENCE: timedelta(hours=1),
    AbuseCounter.BLOCK: timedelta(days=1),
    AbuseCounter.CHALLENGED: timedelta(days=1),
    AbuseCounter.BAR: timedelta(days=1),
    AbuseCounter.CHALLENGE: timedelta(hours=1),
    AbuseCounter.COMPUTER: timedelta(hours=1),
    AbuseCounter.CUP: timedelta(days=1),
    AbuseCounter.INVITATION: timedelta(days=1),
    AbuseCounter.SHARE: timedelta(days=1),
    AbuseCounter.PUZZLE: timedelta(days=2),
}


async def keep(tx: AsyncConnection, user_id: int, now: datetime) -> None:
    """Keep what is about to be deleted: challenges and cups cancelled or still open, shares, daily puzzles begun."""
    ended = challenges.c.state.in_((ChallengeState.CANCELLED, ChallengeState.OPEN))
    queries = {
        AbuseCounter.CHALLENGE: select(challenges.c.guild_id.cast(Text), challenges.c.created_at.label("at")).where(
            challenges.c.challenger_id == user_id, ended
        ),
        AbuseCounter.CUP: select(cups.c.guild_id.cast(Text), cups.c.created_at.label("at")).where(
            cups.c.starter_id == user_id, cups.c.state.in_((CupState.CANCELLED, CupState.OPEN))
        ),
        AbuseCounter.SHARE: select(literal("", Text), shares.c.at.label("at")).where(shares.c.user_id == user_id),
        AbuseCounter.PUZZLE: select(puzzle_attempts.c.puzzle, puzzle_attempts.c.begun_at.label("at")).where(
            puzzle_attempts.c.user_id == user_id, puzzle_attempts.c.day.is_not(None)
        ),
    }
    person = await number(tx, user_id)
    for counter, query in queries.items():
        subject, at = query.subquery().c
        recent = select(literal(person, BigInteger), literal(counter.value, Text), subject, at)
        recent = recent.where(at > now - KEPT[counter])
        await tx.execute(insert(brakes).from_select(["person", "kind", "subject", "at"], recent))


async def note(tx: AsyncConnection, user_id: int, counter: AbuseCounter, subject: str, at: datetime) -> None:
    """Keep that a person did something, or that it was done to them."""
    person = await number(tx, user_id)
    await tx.execute(insert(brakes).values(person=person, kind=counter.value, subject=subject, at=at))


async def times(
    tx: AsyncConnection, user_id: int, counter: AbuseCounter, subject: str, now: datetime, since: datetime | None = None
) -> list[datetime]:
    """Return when a person did something, ``since`` a time or as far back as it counts.

    Times later than now are left out: a clock was set back.
    """
    since = now - KEPT[counter] if since is None else since
    this = brakes.c.kind == counter.value, brakes.c.subject == subject, brakes.c.at > since, brakes.c.at <= now
    query = select(brakes.c.at).where(brakes.c.person == await number(tx, user_id), *this)
    return list((await tx.execute(query)).scalars())


async def forget(tx: AsyncConnection, now: datetime) -> None:
    """Delete what no limit needs any more."""
    past = (and_(brakes.c.kind == counter.value, brakes.c.at < now - kept) for counter, kept in KEPT.items())
    await tx.execute(delete(brakes).where(or_(*past)))


async def number(tx: AsyncConnection, user_id: int) -> int:
    """Return the number that stands for a person in this database: a keyed hash of their id."""
    key = (await own_generation(tx)).to_bytes(8)
    return int.from_bytes(blake2b(user_id.to_bytes(8, signed=True), digest_size=8, key=key).digest(), signed=True)
