"""Lists of matches: of a person, a server or a place, and the ways in which finished ones ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Row, and_, bindparam, func, select, tuple_, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guilds import being_deleted
from bot.storage.matches import match_of, seat_of
from bot.storage.records import EntryKind, Match, MatchState, Person, Rules, Seat
from bot.storage.running_clocks import ATTENDED
from bot.storage.tables import blocks, matches, moves, seats
from bot.storage.tables.columns import Id, counted_with
from bot.storage.work_queue import by_rules

_RUNNING = matches.c.state == MatchState.RUNNING
_TO_MOVE = seats.c.seat + 0 == matches.c.to_move
"""Whether a seat is to move. The sum keeps SQLite from going through all matches of a server for those of a person."""
_LEAST_TIME = (
    matches.c.pace.is_(None),
    matches.c.deadline_at.is_(None),
    *(matches.c[name] for name in ("deadline_at", "turn_at", "id")),
)
"""The order of the time left for a move; matches without a pace come last, those with the longest wait first."""
_OWN = seats.alias("own")
"""Kept as a constant, because every turn uses it and making an alias copies all columns."""


def _undecided(
    user_id: int | ColumnElement[int], taken: FromClause = seats
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions for the seats of a person that have neither won nor lost, an index of its own: few of all they had."""
    return taken.c.user_id == user_id, taken.c.won.is_(None)


_GUILD, _USER = bindparam("guild", type_=Id), bindparam("user", type_=Id)
_RUNNING_OF = (
    select(matches, seats)
    .join(_OWN, _OWN.c.match_id == matches.c.id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.guild_id == _GUILD, _RUNNING, *_undecided(_USER, _OWN), _OWN.c.dropped.is_(False))
    .order_by((matches.c.to_move == _OWN.c.seat).desc(), *_LEAST_TIME, seats.c.seat)
)


async def running_of(tx: AsyncConnection, guild_id: int, user_id: int) -> list[Match]:
    """Return a person's running matches in a server: their turn first, then the least time left, the longest wait."""
    return grouped(await tx.execute(_RUNNING_OF, {"guild": guild_id, "user": user_id}))


async def running_count(tx: AsyncConnection, guild_id: int, user_id: int) -> int:
    """Count the running matches in a server, or in all private homes, that a person has not dropped out of."""
    query = (
        select(func.count())
        .select_from(matches.join(seats, seats.c.match_id == matches.c.id))
        .where(counted_with(matches.c.guild_id, guild_id), _RUNNING, *_undecided(user_id), seats.c.dropped.is_(False))
    )
    return int((await tx.execute(query)).scalar_one())


_NEAREST = (
    select(matches.c.id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        matches.c.guild_id == _GUILD,
        matches.c.id != bindparam("other_than"),
        matches.c.board_message_id.is_not(None),
        matches.c.stopped_at.is_(None),
        matches.c.paused_until.is_(None),
        _RUNNING,
        *_undecided(_USER),
        _TO_MOVE,
    )
    .order_by(*_LEAST_TIME)
    .limit(1)
    .scalar_subquery()
)
_NEXT_FOR = (
    select(matches, seats)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == _NEAREST)
    .order_by(seats.c.seat)
)


def _not_blocked(user_id: int) -> ColumnElement[bool]:
    """Return whether a match has no player whom a person has blocked, or who has blocked them."""
    blocked = (blocks.c.user_id == user_id) & (blocks.c.blocked_id == seats.c.user_id)
    of_person = blocked | ((blocks.c.blocked_id == user_id) & (blocks.c.user_id == seats.c.user_id))
    return ~select(seats.c.seat).join(blocks, of_person).where(seats.c.match_id == matches.c.id).exists()


def _seated(user_id: int) -> ColumnElement[bool]:
    return select(seats.c.seat).where(seats.c.match_id == matches.c.id, seats.c.user_id == user_id).exists()


async def running_places(tx: AsyncConnection, guild_id: int) -> list[int]:
    """Return the channels in which matches of a server are running."""
    query = select(matches.c.channel_id).where(matches.c.guild_id == guild_id, _RUNNING).distinct()
    return list((await tx.execute(query)).scalars())


async def running_in(
    tx: AsyncConnection,
    guild_id: int,
    channel_ids: Collection[int],
    viewer_id: int,
    *,
    place_id: int,
    opponent_id: int | None = None,
    game: str | None = None,
    offset: int = 0,
    limit: int,
) -> list[Match]:
    """Return a part of the running matches of a server, the latest turn first: a person's own, and others' in channels.

    Those of people between whom and the viewer there is a block are left out, and those of others in private threads
    other than ``place_id``.
    """
    seen = matches.c.channel_id.in_(channel_ids) & (matches.c.private.is_(False) | (matches.c.thread_id == place_id))
    listed = _seated(viewer_id) | (seen & _not_blocked(viewer_id))
    query = select(matches).where(matches.c.guild_id == guild_id, _RUNNING, listed)
    if opponent_id is not None:
        query = query.where(_seated(opponent_id))
    if game is not None:
        query = query.where(matches.c.game == game)
    newest = query.order_by(matches.c.turn_at.desc(), matches.c.id.desc())
    return await _with_seats(tx, await tx.execute(newest.offset(offset).limit(limit)))


async def next_for(tx: AsyncConnection, guild_id: int, user_id: int, other_than: int) -> Match | None:
    """Return the match with the least time for a person to move in, apart from one; None if none waits for them.

    Matches with a stopped clock do not wait, nor do those that are paused.
    """
    rows = await tx.execute(_NEXT_FOR, {"guild": guild_id, "user": user_id, "other_than": other_than})
    return next(iter(grouped(rows)), None)


async def waiting_since(tx: AsyncConnection, user_id: int, since: datetime | None) -> list[Match]:
    """Return where a turn of a person began since then, with a board, or for None any turn; least time left first.

    Matches with a stopped clock do not wait for them, nor do those that are paused, or of a server without the bot.
    """
    query = select(matches).join(seats, seats.c.match_id == matches.c.id)
    stand = matches.c.stopped_at.is_not(None) | matches.c.paused_until.is_not(None)
    query = query.where(_RUNNING, *_undecided(user_id), _TO_MOVE, ~stand, ATTENDED)
    if since is not None:
        query = query.where(matches.c.turn_at >= since, matches.c.board_message_id.is_not(None))
    return await _with_seats(tx, await tx.execute(query.order_by(*_LEAST_TIME)))


async def ended_since(tx: AsyncConnection, user_id: int, since: datetime) -> list[Match]:
    """Return a person's matches of all servers that have ended since then and count, the first to end first."""
    query = select(matches).join(seats, seats.c.match_id == matches.c.id)
    query = query.where(seats.c.user_id == user_id, matches.c.ended_at > since, matches.c.voided_by.is_(None))
    return await _with_seats(tx, await tx.execute(query.order_by(matches.c.ended_at, matches.c.id)))


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


async def ended_between(
    tx: AsyncConnection, guild_id: int, since: datetime, until: datetime, *, uncounted: str, limit: int
) -> list[Match]:
    """Return the matches of a server that ended in a time, newest first.

    Those that are voided or ended for the reason ``uncounted`` are left out.
    """
    in_time = matches.c.ended_at >= since, matches.c.ended_at < until
    counted = matches.c.voided_by.is_(None), matches.c.reason != uncounted
    query = select(matches).where(matches.c.guild_id == guild_id, *in_time, *counted)
    newest = query.order_by(matches.c.ended_at.desc(), matches.c.id.desc()).limit(limit)
    return await _with_seats(tx, await tx.execute(newest))


async def waiting_for(tx: AsyncConnection, user_id: int, now: datetime) -> list[Match]:
    """Lock the running matches of all servers in which a person is to move and has time left."""
    query = select(matches).join(seats, seats.c.match_id == matches.c.id)
    query = query.where(_RUNNING, matches.c.deadline_at.is_not(None), *_undecided(user_id), _TO_MOVE)
    query = query.order_by(matches.c.id).with_for_update(of=matches)
    waiting = await _with_seats(tx, await tx.execute(query))
    # Compared here: the database would scan all running clocks.
    return [match for match in waiting if match.deadline_at is not None and match.deadline_at > now]


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


async def in_place(tx: AsyncConnection, guild_id: int, place_id: int, viewer_id: int) -> list[Match]:
    """Return the 25 newest matches played in a thread or channel, running ones first.

    Those of others in private threads are left out of their channel.
    """
    newest, most = (matches.c.state.desc(), matches.c.id.desc()), 25
    # Each query has its own index in this order: a channel may have thousands of matches.
    open_to_viewer = matches.c.private.is_(False) | matches.c.thread_id.is_(None) | _seated(viewer_id)
    in_thread, in_channel = (
        select(matches.c.id).where(*where).order_by(*newest).limit(most).subquery()
        for where in ([matches.c.thread_id == place_id], [matches.c.channel_id == place_id, open_to_viewer])
    )
    ids = union_all(select(in_thread.c.id), select(in_channel.c.id))
    rows = await tx.execute(select(matches).where(matches.c.id.in_(ids)).order_by(*newest).limit(most))
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
    candidates = await _with_seats(tx, await tx.execute(query))
    return [person.id for person in people] in [[seat.person.id for seat in match.seats] for match in candidates]


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


async def running_without(tx: AsyncConnection, rules: Rules | None) -> dict[str, int]:
    """Count the running matches whose rules are not among ``rules``, by game."""
    if rules is None:
        return {}
    where = _RUNNING, ~by_rules(rules)
    query = (
        select(matches.c.game, func.count().label("running"))
        .where(*where)
        .group_by(matches.c.game)
        .order_by(matches.c.game)
    )
    return {row.game: row.running for row in await tx.execute(query)}


async def running_ids(tx: AsyncConnection) -> list[int]:
    return list((await tx.execute(select(matches.c.id).where(_RUNNING).order_by(matches.c.id))).scalars())


async def every_id(tx: AsyncConnection) -> list[int]:
    """Return the number of every match, finished ones first, in the order in which they ended.

    Matches that are being deleted are left out, because they do not count.
    """
    kept = select(matches.c.id).where(~being_deleted(matches.c.id, matches.c.guild_id))
    query = kept.order_by(matches.c.finish.is_(None), matches.c.finish, matches.c.id)
    return list((await tx.execute(query)).scalars())


async def voided_by(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return the numbers of the matches that a person has voided, each with the name that they had then."""
    query = select(matches.c.id.label("match"), matches.c.voided_name.label("name"))
    return [dict(row._mapping) for row in await tx.execute(query.where(matches.c.voided_by == user_id))]


async def results_of(
    tx: AsyncConnection, guild_id: int, user_id: int, *, uncounted: str, against: int | None = None
) -> dict[tuple[str, bool | None], int]:
    """Count a person's finished matches in a server, by game and by whether they won; None stands for a draw.

    Those that ended for the reason ``uncounted`` are left out; with ``against``, also those without that person.
    """
    query = select(matches.c.game, seats.c.won, func.count().label("number")).join(
        seats, seats.c.match_id == matches.c.id
    )
    query = query.where(*_finished(guild_id, user_id, uncounted)).group_by(matches.c.game, seats.c.won)
    if against is not None:
        other = seats.alias()
        met = select(other.c.seat).where(other.c.match_id == seats.c.match_id, other.c.user_id == against)
        query = query.where(met.exists())
    return {(row.game, row.won): row.number for row in await tx.execute(query)}


async def latest_results(
    tx: AsyncConnection, guild_id: int, user_id: int, *, uncounted: str, most: int
) -> list[tuple[str, bool | None]]:
    """Return the games and ends of a person's last matches in a server, the oldest first: at most so many of each game.

    True stands for a win, None for a draw.
    """
    newest_first = matches.c.ended_at.desc(), matches.c.id.desc()
    number = func.row_number().over(partition_by=matches.c.game, order_by=newest_first).label("number")
    every = select(matches.c.game, seats.c.won, matches.c.ended_at, matches.c.id, number)
    every = every.join(seats, seats.c.match_id == matches.c.id).where(*_finished(guild_id, user_id, uncounted))
    last = every.subquery()
    query = select(last.c.game, last.c.won).where(last.c.number <= most).order_by(last.c.ended_at, last.c.id)
    return [(row.game, row.won) for row in await tx.execute(query)]


async def streak_of(tx: AsyncConnection, guild_id: int, user_id: int, *, uncounted: str) -> int:
    """Return a person's present run of wins (positive) or losses (negative) in a server."""
    own = select(matches.c.ended_at, matches.c.id, seats.c.won).join(seats, seats.c.match_id == matches.c.id)
    own = own.where(*_finished(guild_id, user_id, uncounted))
    newest_first = own.order_by(matches.c.ended_at.desc(), matches.c.id.desc()).limit(1)
    last = (await tx.execute(newest_first)).first()
    if last is None or last.won is None:
        return 0
    other = (await tx.execute(newest_first.where(seats.c.won.is_distinct_from(last.won)))).first()
    run = own if other is None else own.where(tuple_(matches.c.ended_at, matches.c.id) > (other.ended_at, other.id))
    length = (await tx.execute(select(func.count()).select_from(run.subquery()))).scalar_one()
    return int(length) if last.won else -int(length)


async def part_of_person(tx: AsyncConnection, user_id: int, after: int, limit: int) -> list[Match]:
    """Return a person's first matches in every server whose number is higher than ``after``, oldest first."""
    query = select(matches).join(seats, seats.c.match_id == matches.c.id).where(seats.c.user_id == user_id)
    return await _with_seats(
        tx, await tx.execute(query.where(matches.c.id > after).order_by(matches.c.id).limit(limit))
    )


def _finished(guild_id: int, user_id: int, uncounted: str) -> tuple[ColumnElement[bool], ...]:
    own = seats.c.user_id == user_id, matches.c.guild_id + 0 == guild_id
    return *own, matches.c.ended_at.is_not(None), matches.c.voided_by.is_(None), matches.c.reason != uncounted


def grouped(rows: Iterable[Row[Any]]) -> list[Match]:
    """Return the matches of rows that each hold a match and one of its seats, those of a match one after the other."""
    together = (list(group) for _, group in groupby(rows, key=attrgetter("id")))
    return [match_of(group[0], tuple(map(seat_of, group))) for group in together]


async def _with_seats(tx: AsyncConnection, rows: Iterable[Row[Any]]) -> list[Match]:
    match_rows = list(rows)
    taken: dict[int, list[Seat]] = {row.id: [] for row in match_rows}
    if match_rows:
        query = select(seats).where(seats.c.match_id.in_(taken)).order_by(seats.c.match_id, seats.c.seat)
        for row in await tx.execute(query):
            taken[row.match_id].append(seat_of(row))
    return [match_of(row, tuple(taken[row.id])) for row in match_rows]


async def moves_of_person(tx: AsyncConnection, user_id: int, since: datetime, *, limit: int) -> list[datetime]:
    """Return when a person made their own moves in their newest matches, since a time."""
    mine = seats.c.match_id == moves.c.match_id, seats.c.seat == moves.c.seat
    query = select(moves.c.at).join(seats, and_(*mine))
    query = query.where(seats.c.user_id == user_id, moves.c.kind == EntryKind.MOVE, moves.c.at > since)
    return list((await tx.execute(query.order_by(moves.c.match_id.desc(), moves.c.ply.desc()).limit(limit))).scalars())
