"""Matches, their seats and their list of moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, bindparam, func, insert, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.match_rows import match_of, seat_of
from bot.storage.process_records import EVERYTHING, Share
from bot.storage.queries.departed import being_deleted
from bot.storage.queries.shares import of_share
from bot.storage.records import Match, MatchState, MoveKind, OfferState, Person, PlayedMove, Seat
from bot.storage.tables import departures, finish_numbers, matches, moves, notices, offers, seats

_RUNNING = matches.c.state == MatchState.RUNNING
_ATTENDED = matches.c.guild_id.not_in(select(departures.c.guild_id))
"""In the servers the bot was sent away from nothing falls due."""


async def add(
    tx: AsyncConnection,
    *,
    guild_id: int,
    channel_id: int,
    game: str,
    variant: str,
    rated: bool,
    pace: int | None = None,
    people: Sequence[Person],
    to_move: frozenset[int],
    at: datetime,
    deadline_at: datetime | None = None,
    remind_at: datetime | None = None,
    language: str = "en",
) -> int:
    """Store a new match with its seats in turn order and return its id."""
    result = await tx.execute(
        insert(matches)
        .returning(matches.c.id)
        .values(
            guild_id=guild_id,
            channel_id=channel_id,
            game=game,
            variant=variant,
            rated=rated,
            pace=pace,
            state=MatchState.RUNNING,
            ply=0,
            created_at=at,
            turn_at=at,
            deadline_at=deadline_at,
            remind_at=remind_at,
            language=language,
        )
    )
    match_id = int(result.scalar_one())
    await tx.execute(
        insert(seats),
        [
            {
                "match_id": match_id,
                "seat": seat,
                "user_id": person.id,
                "name": person.name,
                "to_move": seat in to_move,
                "dropped": False,
                "level": person.level,
            }
            for seat, person in enumerate(people)
        ],
    )
    return match_id


async def change(tx: AsyncConnection, match_id: int, **values: Any) -> None:
    """Set columns of a match."""
    await tx.execute(update(matches).where(matches.c.id == match_id).values(**values))


async def advance(tx: AsyncConnection, match_id: int, **values: Any) -> bool:
    """Set columns of a match that moves on; return whether anything is offered in it."""
    offered = select(offers.c.id).where(offers.c.match_id == match_id, offers.c.state == OfferState.OPEN).exists()
    changed = update(matches).where(matches.c.id == match_id).values(**values).returning(offered)
    return bool((await tx.execute(changed)).scalar_one())


async def put_board(
    tx: AsyncConnection, match_id: int, place_id: int, message_id: int, ply: int
) -> tuple[bool, bool] | None:
    """Note where the newest board of a match stands, and what ply it shows.

    Return whether the match was voided, and whether notices of it stand anywhere; None where there is none.
    """
    noted = select(notices.c.ply).where(notices.c.match_id == match_id).exists()
    # Compared here: SQLite 3.40 gets ``IS NOT NULL`` wrong in what an update returns.
    changed = update(matches).where(matches.c.id == match_id).returning(matches.c.voided_by, noted)
    values = {"board_channel_id": place_id, "board_message_id": message_id, "board_ply": ply}
    row = (await tx.execute(changed.values(**values))).one_or_none()
    return None if row is None else (row[0] is not None, bool(row[1]))


async def change_each(tx: AsyncConnection, values: Sequence[dict[str, Any]]) -> None:
    """Set columns of many matches at once; ``id`` in each of ``values``, which name the same columns, says of which."""
    if values:
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in values[0] if name != "id"}
        query = update(matches).where(matches.c.id == bindparam("new_id")).values(columns)
        await tx.execute(query, [{f"new_{name}": value for name, value in each.items()} for each in values])


async def change_seat(tx: AsyncConnection, match_id: int, seat: int, **values: Any) -> None:
    """Set columns of one seat."""
    await tx.execute(update(seats).where(seats.c.match_id == match_id, seats.c.seat == seat).values(**values))


async def set_movers(tx: AsyncConnection, match_id: int, to_move: frozenset[int]) -> None:
    """Say which seats may act."""
    await tx.execute(
        update(seats).where(seats.c.match_id == match_id).values(to_move=seats.c.seat.in_(sorted(to_move)))
    )


async def add_moves(tx: AsyncConnection, match_id: int, played: Iterable[PlayedMove]) -> None:
    """Append entries to the list of moves. Raises ``IntegrityError`` when a ply is already there."""
    await tx.execute(
        insert(moves),
        [
            {
                "match_id": match_id,
                "ply": move.ply,
                "seat": move.seat,
                "kind": move.kind,
                "text": move.text,
                "at": move.at,
            }
            for move in played
        ],
    )


async def moves_of(tx: AsyncConnection, match_id: int) -> list[PlayedMove]:
    """Return the whole list of moves of a match, first ply first."""
    rows = await tx.execute(select(moves).where(moves.c.match_id == match_id).order_by(moves.c.ply))
    return [PlayedMove(row.ply, row.seat, MoveKind(row.kind), row.text, row.at) for row in rows]


async def entry(tx: AsyncConnection, match_id: int, ply: int) -> PlayedMove | None:
    """Return the entry of the list of moves that made a ply."""
    row = (await tx.execute(select(moves).where(moves.c.match_id == match_id, moves.c.ply == ply))).one_or_none()
    return None if row is None else PlayedMove(row.ply, row.seat, MoveKind(row.kind), row.text, row.at)


async def get(tx: AsyncConnection, match_id: int, *, lock: bool = False) -> Match | None:
    """Return a match; ``lock`` keeps others from changing it until the transaction ends."""
    joined = select(matches, seats).join(seats, seats.c.match_id == matches.c.id).where(matches.c.id == match_id)
    if lock:
        # The seats as well: what is only read of them may be older than the lock that was waited for.
        joined = joined.with_for_update()
    rows = (await tx.execute(joined.order_by(seats.c.seat))).all()
    return match_of(rows[0], tuple(map(seat_of, rows))) if rows else None


async def with_entry(tx: AsyncConnection, match_id: int, ply: int) -> tuple[Match | None, PlayedMove | None]:
    """Return a match, and the entry of its list of moves that made a ply, if there is one."""
    made = [moves.c[name].label(f"made_{name}") for name in ("ply", "seat", "kind", "text", "at")]
    joined = matches.join(seats, seats.c.match_id == matches.c.id)
    joined = joined.outerjoin(moves, and_(moves.c.match_id == matches.c.id, moves.c.ply == ply))
    query = select(matches, seats, *made).select_from(joined).where(matches.c.id == match_id).order_by(seats.c.seat)
    rows = (await tx.execute(query)).all()
    if not rows:
        return None, None
    row = rows[0]
    match = match_of(row, tuple(map(seat_of, rows)))
    if row.made_ply is None:
        return match, None
    return match, PlayedMove(row.made_ply, row.made_seat, MoveKind(row.made_kind), row.made_text, row.made_at)


async def language(tx: AsyncConnection, match_id: int) -> str:
    """Return the tag of a match's language, that of English for one there is not."""
    query = select(matches.c.language).where(matches.c.id == match_id)
    return (await tx.execute(query)).scalar_one_or_none() or "en"


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


async def running_of(tx: AsyncConnection, guild_id: int, user_id: int) -> list[Match]:
    """Return a person's running matches in a server: those waiting for them first, longest wait first."""
    query = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(
            matches.c.guild_id == guild_id,
            _RUNNING,
            *_undecided(user_id),
            seats.c.dropped.is_(False),
        )
        .order_by(seats.c.to_move.desc(), matches.c.turn_at, matches.c.id)
    )
    return await _with_seats(tx, await tx.execute(query))


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
    # The sum keeps databases from going through all matches of the server, of which a person's are few.
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


async def next_for(tx: AsyncConnection, guild_id: int, user_id: int, other_than: int) -> Match | None:
    """Return the match in which a person has least time for a move, apart from one; None where none waits for them."""
    query = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(
            matches.c.guild_id == guild_id,
            matches.c.id != other_than,
            matches.c.board_message_id.is_not(None),
            _RUNNING,
            *_undecided(user_id),
            seats.c.to_move.is_(True),
        )
        .order_by(matches.c.deadline_at.is_(None), matches.c.deadline_at, matches.c.turn_at, matches.c.id)
        .limit(1)
    )
    return next(iter(await _with_seats(tx, await tx.execute(query))), None)


async def in_place(tx: AsyncConnection, guild_id: int, place_id: int, *, limit: int = 25) -> list[Match]:
    """Return the newest matches played in a thread or channel, running ones first."""
    newest = matches.c.state.desc(), matches.c.id.desc()
    # Each by its own index, which is in this order: a channel may have seen thousands of matches.
    in_thread, in_channel = (
        select(matches.c.id).where(place == place_id).order_by(*newest).limit(limit).subquery()
        for place in (matches.c.thread_id, matches.c.channel_id)
    )
    ids = union_all(select(in_thread.c.id), select(in_channel.c.id))
    rows = await tx.execute(select(matches).where(matches.c.id.in_(ids)).order_by(*newest).limit(limit))
    return await _with_seats(tx, (row for row in rows if row.guild_id == guild_id))


async def running_everywhere(tx: AsyncConnection) -> int:
    """Count the running matches of all servers."""
    query = select(func.count()).select_from(matches).where(_RUNNING)
    return int((await tx.execute(query)).scalar_one())


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


async def with_clock(tx: AsyncConnection, servers: int | Share = EVERYTHING) -> list[Match]:
    """Lock the running matches whose time was not up already: a server's, or those of a share the bot is in.

    They come without their seats.
    """
    if isinstance(servers, Share):
        where = and_(_ATTENDED, of_share(matches.c.guild_id, servers))
    else:
        where = matches.c.guild_id == servers
    query = select(matches).where(_RUNNING, matches.c.deadline_at.is_not(None), matches.c.flagged.is_(False), where)
    return [match_of(row, ()) for row in await tx.execute(query.order_by(matches.c.id).with_for_update())]


async def waiting_for(tx: AsyncConnection, user_id: int, now: datetime) -> list[Match]:
    """Lock the running matches in which a person is to move and has time left, in every server."""
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
    # Asked here, because asked of the database it would look at everybody whose time runs.
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


async def names(tx: AsyncConnection, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
    """Return what some people were called in their newest match in a server."""
    newest = (
        select(func.max(seats.c.match_id))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id.in_(user_ids), matches.c.guild_id == guild_id)
        .group_by(seats.c.user_id)
    )
    query = select(seats.c.user_id, seats.c.name).where(seats.c.match_id.in_(newest), seats.c.user_id.in_(user_ids))
    return {row.user_id: row.name for row in await tx.execute(query.order_by(seats.c.match_id))}


async def next_finish(tx: AsyncConnection) -> int:
    """Return the number of the next match to end: matches are rated in the order of these numbers."""
    if tx.dialect.supports_sequences:
        # Given out while everybody in the match is locked: matches of the same people end in the order of the numbers.
        return int((await tx.execute(select(finish_numbers.next_value()))).scalar_one())
    return int((await tx.execute(select(func.coalesce(func.max(matches.c.finish), 0) + 1))).scalar_one())


async def running_ids(tx: AsyncConnection) -> list[int]:
    """Return the number of every running match."""
    return list((await tx.execute(select(matches.c.id).where(_RUNNING).order_by(matches.c.id))).scalars())


async def every_id(tx: AsyncConnection) -> list[int]:
    """Return the number of every match, those that are over first, in the order in which they ended.

    Those that are being deleted are left out: they count for nothing any more.
    """
    kept = select(matches.c.id).where(~being_deleted(matches.c.id, matches.c.guild_id))
    query = kept.order_by(matches.c.finish.is_(None), matches.c.finish, matches.c.id)
    return list((await tx.execute(query)).scalars())


def _undecided(user_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions for the seats of a person that have neither won nor lost, an index of its own: few of all they had."""
    return seats.c.user_id == user_id, seats.c.won.is_(None)


async def _with_seats(tx: AsyncConnection, rows: Iterable[Row[Any]]) -> list[Match]:
    found = list(rows)
    taken: dict[int, list[Seat]] = {row.id: [] for row in found}
    if found:
        query = select(seats).where(seats.c.match_id.in_(taken)).order_by(seats.c.match_id, seats.c.seat)
        for row in await tx.execute(query):
            taken[row.match_id].append(seat_of(row))
    return [match_of(row, tuple(taken[row.id])) for row in found]
