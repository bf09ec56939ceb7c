"""Mentions that wait for an answer: the last one with sound of each person in each server, and when they last moved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Select, bindparam, delete, literal_column, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import EntryKind, Match, MatchState
from bot.storage.tables import challenge_players, challenges, held_turns, matches, mentions, moves, seats
from bot.storage.tables.columns import Id, to_dataclass
from bot.storage.transactions import INSERTS, Inserts

_MATCH, _USER = bindparam("of_match", type_=Id), bindparam("of_user", type_=Id)
NEWEST = 20
"""A person's recent moves are looked for in so many matches each that they won, lost, and neither won nor lost."""
_OF_PERSON = mentions.c.guild_id == bindparam("of_guild", type_=Id), mentions.c.user_id == _USER


@dataclass(frozen=True, slots=True)
class Mention:
    """The last mention of a person with sound in a server: of which match and ply, and when; and their last move."""

    guild_id: int
    match_id: int | None
    ply: int | None
    at: datetime | None
    acted_at: datetime | None


@dataclass(frozen=True, slots=True)
class Attention:
    """When a person last moved in a match, or joined it, and whether another mention waits for their answer.

    ``waits_until`` is the deadline of that one, and ``here_at`` when they last moved in any match of its server.
    """

    acted_at: datetime | None
    mentioned: bool
    waits_until: datetime | None
    here_at: datetime | None


def _attention() -> Select[Any]:
    """Return the query of ``attention``, built once, because it is put for every board."""
    played = seats.c.match_id == moves.c.match_id, seats.c.seat == moves.c.seat
    own = moves.c.match_id == _MATCH, seats.c.user_id == _USER, moves.c.planned.is_(False)
    chosen = or_(moves.c.kind == EntryKind.MOVE, bindparam("alone", type_=Boolean))
    moved = select(moves.c.at).join(seats, played[0] & played[1]).where(*own, chosen)
    joined = select(challenge_players.c.joined_at).join(challenges, challenges.c.id == challenge_players.c.challenge_id)
    joined = joined.where(challenges.c.match_id == _MATCH, challenge_players.c.user_id == _USER)
    others = joined.where(challenges.c.challenger_id != _USER)
    another = or_(mentions.c.match_id != _MATCH, mentions.c.ply != bindparam("of_ply"))
    here = select(mentions.c.acted_at).where(*_OF_PERSON)
    return select(
        moved.order_by(moves.c.ply.desc()).limit(1).scalar_subquery(),
        others.limit(1).scalar_subquery(),
        _unanswered().where(another).exists(),
        _unanswered(matches.c.deadline_at).where(another).scalar_subquery(),
        here.scalar_subquery(),
    )


def _unanswered(column: ColumnElement[Any] = mentions.c.at) -> Select[Any]:
    """Return the query for a column of a mention that waits for an answer, or of its match.

    A match that is paused, or whose clock is stopped, asks for none.
    """
    unanswered = or_(mentions.c.acted_at.is_(None), mentions.c.acted_at < mentions.c.at)
    goes_on = matches.c.paused_until.is_(None), matches.c.stopped_at.is_(None)
    # The match is still at that ply, so it is the person's turn there.
    waits = matches.c.id == mentions.c.match_id, matches.c.ply == mentions.c.ply
    running = matches.c.state == literal_column(f"'{MatchState.RUNNING}'")
    waiting = select(column).select_from(mentions).join(matches, waits[0] & waits[1])
    return waiting.where(*_OF_PERSON, unanswered, running, *goes_on)


_ATTENTION = _attention()


async def attention(tx: AsyncConnection, match: Match, user_id: int) -> Attention:
    """Return what a person has done in a match lately, and whether they owe an answer to another mention.

    A challenger has not acted when another person accepts. A person alone among computer players has begun the match,
    and all that happens on their side is their doing.
    """
    values = {"of_guild": match.guild_id, "of_match": match.id, "of_ply": match.ply, "of_user": user_id}
    moved_at, joined_at, waits, waits_until, here_at = (
        await tx.execute(_ATTENTION, values | {"alone": match.alone})
    ).one()
    acted_at = [at for at in (moved_at, joined_at, match.created_at if match.alone else None) if at is not None]
    return Attention(max(acted_at, default=None), bool(waits), waits_until, here_at)


async def unanswered(tx: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Return whether a person owes an answer to a mention in a server."""
    return (await tx.execute(_unanswered(), {"of_guild": guild_id, "of_user": user_id})).first() is not None


def _putting(new: Inserts, *columns: str) -> Inserts:
    """Return inserts, by dialect, that set some columns of a row that is there already."""
    return {
        name: statement.on_conflict_do_update(
            index_elements=list(statement.table.primary_key),
            set_={column: statement.excluded[column] for column in columns},
        )
        for name, statement in new.items()
    }


_NEW = {name: insert(mentions) for name, insert in INSERTS.items()}
_NOTE_ACT, _NOTE = _putting(_NEW, "acted_at"), _putting(_NEW, "match_id", "ply", "at")
_HELD = select(
    matches.c.id,
    matches.c.guild_id,
    bindparam("of_ply", type_=held_turns.c.ply.type),
    bindparam("until", type_=held_turns.c.due_at.type),
    bindparam("silently", type_=Boolean),
).where(matches.c.id == _MATCH)
_HOLD = _putting(
    {name: insert(held_turns).from_select(list(held_turns.c), _HELD) for name, insert in INSERTS.items()},
    "ply",
    "due_at",
    "mentioned",
)
_MENTIONED = (
    select(matches.c.guild_id, seats.c.user_id)
    .join(seats, (seats.c.match_id == matches.c.id) & (seats.c.seat == matches.c.to_move))
    .where(matches.c.id == _MATCH, matches.c.ply == bindparam("of_ply"), matches.c.state == MatchState.RUNNING)
)


def _recent_moves() -> Select[Any]:
    """Return the query of ``recent_moves``. It reads few matches of the many a person may have played."""
    newest = [
        select(seats.c.match_id, seats.c.seat)
        .where(seats.c.user_id == _USER, seats.c.won.is_(won))
        .order_by(seats.c.match_id.desc())
        .limit(NEWEST)
        .subquery()
        for won in (None, True, False)
    ]
    played = union_all(*map(select, newest)).subquery()
    own = played.c.match_id == moves.c.match_id, played.c.seat == moves.c.seat
    chosen = moves.c.kind == EntryKind.MOVE, moves.c.planned.is_(False)
    return select(moves.c.at).join(played, own[0] & own[1]).where(*chosen, moves.c.at > bindparam("since"))


_RECENT_MOVES = _recent_moves()


async def recent_moves(tx: AsyncConnection, user_id: int, since: datetime) -> list[datetime]:
    """Return when a person has chosen moves since a time, in the newest of their matches in all servers."""
    return list((await tx.execute(_RECENT_MOVES, {"of_user": user_id, "since": since})).scalars())


async def note_act(tx: AsyncConnection, guild_id: int, user_id: int, at: datetime) -> None:
    """Note that a person has moved in a server, by which they have answered all mentions there."""
    await tx.execute(_NOTE_ACT[tx.dialect.name], {"guild_id": guild_id, "user_id": user_id, "acted_at": at})


async def last_act(tx: AsyncConnection, guild_id: int, user_id: int) -> datetime | None:
    """Return when a person last moved in a server; None if that is not known."""
    query = select(mentions.c.acted_at).where(mentions.c.guild_id == guild_id, mentions.c.user_id == user_id)
    return (await tx.execute(query)).scalar_one_or_none()


async def note(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Note that the person to move in a match was mentioned with sound ``at`` that time, unless it has gone on."""
    row = (await tx.execute(_MENTIONED, {"of_match": match_id, "of_ply": ply})).one_or_none()
    if row is not None:
        values = {"match_id": match_id, "ply": ply, "at": at}
        await tx.execute(_NOTE[tx.dialect.name], {"guild_id": row.guild_id, "user_id": row.user_id, **values})


async def hold(tx: AsyncConnection, match: Match, ply: int, due_at: datetime, *, mentioned: bool) -> None:
    """Note when the person to move at a ply is told of their turn; an earlier turn of the match needs it no more.

    ``mentioned`` says that they were mentioned without a sound.
    """
    values = {"of_match": match.id, "of_ply": ply, "until": due_at, "silently": mentioned}
    await tx.execute(_HOLD[tx.dialect.name], values)


async def take_held(tx: AsyncConnection, match_id: int) -> tuple[int, bool] | None:
    """Delete what is noted of a turn to tell of; return its ply, and whether its board mentions the person to move.

    None if another process has done so.
    """
    taken = delete(held_turns).where(held_turns.c.match_id == match_id)
    row = (await tx.execute(taken.returning(held_turns.c.ply, held_turns.c.mentioned))).one_or_none()
    return None if row is None else (row.ply, row.mentioned)


async def of_person(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return what is noted of a person, by server."""
    query = select(mentions).where(mentions.c.user_id == user_id).order_by(mentions.c.guild_id)
    return [asdict(to_dataclass(Mention, row)) for row in await tx.execute(query)]
