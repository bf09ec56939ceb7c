"""Lists of matches: of a person, a server or a place, and the ways in which finished ones ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    func,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guilds import being_deleted
from bot.storage.matches import match_of, seat_of
from bot.storage.records import Match, MatchState, Person, Rules, Seat
from bot.storage.slots import Partition, of_partition
from bot.storage.tables import matches, seats
from bot.storage.work_queue import by_rules

_RUNNING = matches.c.state == MatchState.RUNNING
_OWN = seats.alias("own")
"""Built once: every turn uses it, and an alias copies all columns."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished match ended for one of its seats; ``shared`` when the viewer had a seat, too."""

    game: str
    won: bool | None
    shared: bool


async def running_of(tx: AsyncConnection, guild_id: int, user_id: int) -> list[Match]:
    """Return a person's running matches in a server: those in which they are to move first, longest wait first."""
    query = (
        select(matches, seats)
        .join(_OWN, _OWN.c.match_id == matches.c.id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(matches.c.guild_id == guild_id, _RUNNING, *_undecided(user_id, _OWN), _OWN.c.dropped.is_(False))
        .order_by(_OWN.c.to_move.desc(), matches.c.turn_at, matches.c.id, seats.c.seat)
    )
    return _grouped(await tx.execute(query))


async def running_count(tx: AsyncConnection, guild_id: int, user_id: int) -> int:
    """Count the running matches in a server that a person has not dropped out of."""
    query = (
        select(func.count())
        .select_from(matches.join(seats, seats.c.match_id == matches.c.id))
        .where(
            matches.c.guild_id == guild_id,
            _RUNNING,
            *_undecided(user_id),
            seats.c.dropped.is_(False),
        )
    )
    return int((await tx.execute(query)).scalar_one())


async def next_for(tx: AsyncConnection, guild_id: int, user_id: int, other_than: int) -> Match | None:
    """Return the match with the least time for a person to move in, apart from one; None if none waits for them.

    Matches with a stopped clock do not wait.
    """
    nearest = (
        select(matches.c.id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(
            matches.c.guild_id == guild_id,
            matches.c.id != other_than,
            matches.c.board_message_id.is_not(None),
            matches.c.stopped_at.is_(None),
            _RUNNING,
            *_undecided(user_id),
            seats.c.to_move.is_(True),
        )
        .order_by(matches.c.deadline_at.is_(None), matches.c.deadline_at, matches.c.turn_at, matches.c.id)
        .limit(1)
        .scalar_subquery()
    )
    query = select(matches, seats).join(seats, seats.c.match_id == matches.c.id).where(matches.c.id == nearest)
    return next(iter(_grouped(await tx.execute(query.order_by(seats.c.seat)))), None)


async def finished_of(
    tx: AsyncConnection,
    guild_id: int,
    user_id: int,
    *,
    opponent_id: int | None = None,
    game: str | None = None,
    offset: int = 0,
    limit: int,
) -> list[Match]:
    """Return a part of a person's finished matches in a server, newest first: all, against one person, of a game."""
    # The sum keeps databases from scanning all matches of the server, of which a person's are few.
    here = matches.c.guild_id + 0 == guild_id
    query = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, here, matches.c.ended_at.is_not(None))
    )
    if opponent_id is not None:
        other = seats.alias()
        against = select(other.c.seat).where(other.c.match_id == matches.c.id, other.c.user_id == opponent_id)
        query = query.where(against.exists())
    if game is not None:
        query = query.where(matches.c.game == game)
    newest_first = query.order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    return await _with_seats(tx, await tx.execute(newest_first.offset(offset).limit(limit)))


async def waiting_for(tx: AsyncConnection, user_id: int, now: datetime) -> list[Match]:
    """Lock the running matches of all servers in which a person is to move and has time left."""
    query = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(
            _RUNNING,
            matches.c.deadline_at.is_not(None),
            *_undecided(user_id),
            seats.c.to_move.is_(True),
        )
        .order_by(matches.c.id)
        .with_for_update(of=matches)
    )
    found = await _with_seats(tx, await tx.execute(query))
    # Compared here: the database would scan all running clocks.
    return [match for match in found if match.deadline_at is not None and match.deadline_at > now]


async def of_person(
    tx: AsyncConnection, user_id: int, state: MatchState | None = None, *, lock: bool = False
) -> list[Match]:
    """Return a person's matches in every server, oldest first; ``lock`` keeps others from changing them."""
    query = select(matches).join(seats, seats.c.match_id == matches.c.id).where(seats.c.user_id == user_id)
    if state is not None:
        query = query.where(matches.c.state == state)
    if lock:
        query = query.with_for_update(of=matches)
    return await _with_seats(tx, await tx.execute(query.order_by(matches.c.id)))


async def in_place(tx: AsyncConnection, guild_id: int, place_id: int, *, limit: int = 25) -> list[Match]:
    """Return the newest matches played in a thread or channel, running ones first."""
    newest = matches.c.state.desc(), matches.c.id.desc()
    # Each query has its own index in this order: a channel may have thousands of matches.
    in_thread, in_channel = (
        select(matches.c.id).where(place == place_id).order_by(*newest).limit(limit).subquery()
        for place in (matches.c.thread_id, matches.c.channel_id)
    )
    ids = union_all(select(in_thread.c.id), select(in_channel.c.id))
    rows = await tx.execute(select(matches).where(matches.c.id.in_(ids)).order_by(*newest).limit(limit))
    return await _with_seats(tx, (row for row in rows if row.guild_id == guild_id))


async def same_as(
    tx: AsyncConnection, guild_id: int, game: str, created_at: datetime, people: Sequence[Person]
) -> bool:
    """Return whether a match of the same server, game, beginning and people is stored."""
    query = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == people[0].id, seats.c.seat == 0)
        .where(matches.c.guild_id == guild_id, matches.c.game == game, matches.c.created_at == created_at)
    )
    found = await _with_seats(tx, await tx.execute(query))
    return [person.id for person in people] in [[seat.person.id for seat in match.seats] for match in found]


async def names(tx: AsyncConnection, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
    """Return some people's names in their newest match in a server."""
    newest = (
        select(func.max(seats.c.match_id))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id.in_(user_ids), matches.c.guild_id == guild_id)
        .group_by(seats.c.user_id)
    )
    query = select(seats.c.user_id, seats.c.name).where(seats.c.match_id.in_(newest), seats.c.user_id.in_(user_ids))
    return {row.user_id: row.name for row in await tx.execute(query.order_by(seats.c.match_id))}


async def running_everywhere(tx: AsyncConnection) -> int:
    """Count the running matches of all servers."""
    query = select(func.count()).select_from(matches).where(_RUNNING)
    return int((await tx.execute(query)).scalar_one())


async def running_without(tx: AsyncConnection, partition: Partition, rules: Rules | None) -> dict[str, int]:
    """Count the running matches in the servers of a partition whose rules are not among ``rules``, by game."""
    if rules is None:
        return {}
    where = _RUNNING, ~by_rules(rules), of_partition(matches.c.guild_id, partition)
    query = (
        select(matches.c.game, func.count().label("running"))
        .where(*where)
        .group_by(matches.c.game)
        .order_by(matches.c.game)
    )
    return {row.game: row.running for row in await tx.execute(query)}


async def running_ids(tx: AsyncConnection) -> list[int]:
    """Return the number of every running match."""
    return list((await tx.execute(select(matches.c.id).where(_RUNNING).order_by(matches.c.id))).scalars())


async def every_id(tx: AsyncConnection) -> list[int]:
    """Return the number of every match, finished ones first, in the order in which they ended.

    Matches that are being deleted are left out, because they do not count.
    """
    kept = select(matches.c.id).where(~being_deleted(matches.c.id, matches.c.guild_id))
    query = kept.order_by(matches.c.finish.is_(None), matches.c.finish, matches.c.id)
    return list((await tx.execute(query)).scalars())


async def voided_by(tx: AsyncConnection, user_id: int) -> list[int]:
    """Return the numbers of the matches a person has voided."""
    return list((await tx.execute(select(matches.c.id).where(matches.c.voided_by == user_id))).scalars())


async def wins_since(tx: AsyncConnection, guild_id: int, game: str | None, since: datetime) -> list[tuple[int, int]]:
    """Return who has won how many matches between people in a server since a time, most wins first."""
    wins = func.count().label("wins")
    computer = seats.alias()
    against_computer = select(computer.c.seat).where(computer.c.match_id == matches.c.id, computer.c.level.is_not(None))
    query = (
        select(seats.c.user_id, wins)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(matches.c.guild_id == guild_id, matches.c.ended_at >= since, seats.c.won.is_(True), seats.c.user_id > 0)
        .where(matches.c.voided_by.is_(None), ~against_computer.exists())
        .group_by(seats.c.user_id)
        .order_by(wins.desc(), seats.c.user_id)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    return [(row.user_id, row.wins) for row in await tx.execute(query)]


async def outcomes_of(
    tx: AsyncConnection, guild_id: int, user_id: int, viewer_id: int, *, uncounted: str
) -> list[Outcome]:
    """Return how a person's finished matches in a server ended, newest first, and which were played with a viewer.

    Those that ended for the reason ``uncounted`` are left out.
    """
    viewer = seats.alias()
    shared = select(viewer.c.seat).where(viewer.c.match_id == seats.c.match_id, viewer.c.user_id == viewer_id)
    query = (
        select(matches.c.game, seats.c.won, matches.c.ended_at, matches.c.id, shared.exists().label("shared"))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, matches.c.guild_id == guild_id)
        .where(matches.c.voided_by.is_(None), matches.c.reason != uncounted)
    )
    finished = (row for row in await tx.execute(query) if row.ended_at is not None)
    rows = sorted(finished, key=lambda row: (row.ended_at, row.id), reverse=True)
    return [Outcome(row.game, row.won, row.shared) for row in rows]


def _undecided(user_id: int, taken: FromClause = seats) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions for the seats of a person that have neither won nor lost, an index of its own: few of all they had."""
    return taken.c.user_id == user_id, taken.c.won.is_(None)


def _grouped(rows: Iterable[Row[Any]]) -> list[Match]:
    """Return the matches of rows that each hold a match and one of its seats, those of a match one after the other."""
    together = (list(group) for _, group in groupby(rows, key=attrgetter("id")))
    return [match_of(group[0], tuple(map(seat_of, group))) for group in together]


async def _with_seats(tx: AsyncConnection, rows: Iterable[Row[Any]]) -> list[Match]:
    found = list(rows)
    taken: dict[int, list[Seat]] = {row.id: [] for row in found}
    if found:
        query = select(seats).where(seats.c.match_id.in_(taken)).order_by(seats.c.match_id, seats.c.seat)
        for row in await tx.execute(query):
            taken[row.match_id].append(seat_of(row))
    return [match_of(row, tuple(taken[row.id])) for row in found]
