"""Ladders: their next week, the people in them, and the matches of past weeks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.guilds import attended
from bot.storage.matches import match_of, seat_of
from bot.storage.records import Match, MatchState, Person, Seat
from bot.storage.tables import ladder_matches, ladder_players, ladders, matches, seats
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a server: where it is posted, its next moment, and the moment of its last pairing."""

    guild_id: int
    channel_id: int
    due_at: datetime
    week: datetime | None = None


@dataclass(frozen=True, slots=True)
class LadderPlayer:
    """A person in a ladder. No ``games`` means all; ``pace`` is the least time for a move, in seconds."""

    person: Person
    games: tuple[str, ...]
    pace: int
    joined_at: datetime
    left_out_at: datetime | None = None
    """The last week in which they had no match."""
    left_out_why: NoMatch | None = None
    out_at: datetime | None = None
    """When they were taken out, None for who is in it, and for what, in which match."""
    out_why: OutOfLadder | None = None
    out_match_id: int | None = None


async def get(tx: AsyncConnection, guild_id: int) -> Ladder | None:
    row = (await tx.execute(select(ladders).where(ladders.c.guild_id == guild_id))).one_or_none()
    return None if row is None else to_dataclass(Ladder, row)


async def put(tx: AsyncConnection, ladder: Ladder) -> None:
    """Store a ladder in place of the earlier one."""
    values = asdict(ladder)
    new = inserting(tx, ladders).values(**values)
    await tx.execute(new.on_conflict_do_update(index_elements=["guild_id"], set_=values))


async def due(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the servers with the bot whose ladder is due."""
    query = select(ladders.c.guild_id).where(ladders.c.due_at <= now, attended(ladders))
    return list((await tx.execute(query)).scalars())


async def players(tx: AsyncConnection, guild_id: int) -> list[LadderPlayer]:
    """Return the people in a ladder, in the order in which they joined."""
    return [player for player in await everybody(tx, guild_id) if player.out_at is None]


async def everybody(tx: AsyncConnection, guild_id: int) -> list[LadderPlayer]:
    """Return the people in a ladder and those taken out last, in the order in which they joined."""
    query = select(ladder_players).where(ladder_players.c.guild_id == guild_id)
    rows = await tx.execute(query.order_by(ladder_players.c.joined_at, ladder_players.c.user_id))
    return [
        to_dataclass(LadderPlayer, row, person=Person(row.user_id, row.name), games=tuple(row.games)) for row in rows
    ]


async def join(tx: AsyncConnection, guild_id: int, player: LadderPlayer) -> None:
    """Store a person in a ladder, in place of what they chose before; who was taken out is in it again."""
    chosen = {"name": player.person.name, "games": player.games, "pace": player.pace, "joined_at": player.joined_at}
    values = chosen | {"out_at": player.out_at, "out_why": player.out_why, "out_match_id": player.out_match_id}
    new = inserting(tx, ladder_players).values(
        guild_id=guild_id,
        user_id=player.person.id,
        left_out_at=player.left_out_at,
        **values,
    )
    await tx.execute(new.on_conflict_do_update(index_elements=["guild_id", "user_id"], set_=values))


async def leave(tx: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Take a person out of a ladder; return whether they were in it."""
    theirs = (
        ladder_players.c.guild_id == guild_id,
        ladder_players.c.user_id == user_id,
        ladder_players.c.out_at.is_(None),
    )
    return bool((await tx.execute(delete(ladder_players).where(*theirs))).rowcount)


async def leave_out(tx: AsyncConnection, guild_id: int, user_id: int, week: datetime, why: NoMatch) -> None:
    """Note that a person has no match in a week."""
    theirs = ladder_players.c.guild_id == guild_id, ladder_players.c.user_id == user_id
    await tx.execute(update(ladder_players).where(*theirs).values(left_out_at=week, left_out_why=why))


async def take_out(
    tx: AsyncConnection, guild_id: int, user_id: int, at: datetime, why: OutOfLadder, match_id: int
) -> None:
    """Note that a person is out of a ladder, by what they did in a match."""
    theirs = ladder_players.c.guild_id == guild_id, ladder_players.c.user_id == user_id
    values = {"out_at": at, "out_why": why, "out_match_id": match_id}
    await tx.execute(update(ladder_players).where(*theirs).values(values))


async def forget_out(tx: AsyncConnection, guild_id: int) -> None:
    """Forget who was taken out of a ladder."""
    gone = ladder_players.c.guild_id == guild_id, ladder_players.c.out_at.is_not(None)
    await tx.execute(delete(ladder_players).where(*gone))


async def add_match(tx: AsyncConnection, guild_id: int, match_id: int, week: datetime) -> None:
    await tx.execute(ladder_matches.insert().values(match_id=match_id, guild_id=guild_id, week=week))


async def matches_of(tx: AsyncConnection, guild_id: int, week: datetime) -> list[Match]:
    """Return the matches of a week, in the order in which they began."""
    of_week = ladder_matches.c.guild_id == guild_id, ladder_matches.c.week == week
    return await _with_seats(tx, matches.c.id.in_(select(ladder_matches.c.match_id).where(*of_week)))


async def unfinished(tx: AsyncConnection, guild_id: int) -> list[Match]:
    """Return the running matches of a ladder, oldest first."""
    # As in the index of these.
    running = matches.c.state == literal_column(f"'{MatchState.RUNNING}'"), matches.c.ladder.is_(True)
    return await _with_seats(tx, matches.c.guild_id == guild_id, *running)


async def ended_since(tx: AsyncConnection, guild_id: int, since: datetime) -> list[Match]:
    """Return the matches of a ladder that ended after a time, oldest first."""
    return await _with_seats(tx, matches.c.guild_id == guild_id, matches.c.ladder.is_(True), matches.c.ended_at > since)


async def _with_seats(tx: AsyncConnection, *where: ColumnElement[bool]) -> list[Match]:
    """Return the matches that meet conditions, with their seats, in the order in which they began."""
    rows = (await tx.execute(select(matches).where(*where).order_by(matches.c.id))).all()
    taken = defaultdict[int, list[Seat]](list)
    seated = select(seats).where(seats.c.match_id.in_([row.id for row in rows]))
    for row in await tx.execute(seated.order_by(seats.c.match_id, seats.c.seat)):
        taken[row.match_id].append(seat_of(row))
    return [match_of(row, tuple(taken[row.id])) for row in rows]


async def met_since(tx: AsyncConnection, guild_id: int, since: datetime) -> list[tuple[int, int]]:
    """Return who was paired with whom since a week, as the ids of both, the lower one first."""
    seat, other_seat = seats.alias(), seats.alias()
    query = (
        select(seat.c.user_id, other_seat.c.user_id)
        .select_from(ladder_matches)
        .join(seat, seat.c.match_id == ladder_matches.c.match_id)
        .join(other_seat, and_(other_seat.c.match_id == seat.c.match_id, other_seat.c.user_id > seat.c.user_id))
        .where(ladder_matches.c.guild_id == guild_id, ladder_matches.c.week >= since)
    )
    return [(first, second) for first, second in await tx.execute(query)]


async def of_person(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's places in ladders, as rows."""
    query = select(ladder_players).where(ladder_players.c.user_id == user_id).order_by(ladder_players.c.guild_id)
    return [dict(row._mapping) for row in await tx.execute(query)]
