"""The outbox: messages to post in Discord."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    null,
    or_,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningInsert

from bot.storage.records import OutboxState, Rules
from bot.storage.signals import Signal, note
from bot.storage.tables import challenges, cups, matches, outbox
from bot.storage.tables import generation as generations
from bot.storage.tables.columns import Id, to_dataclass
from bot.storage.transactions import inserting

_UNSENT = outbox.c.done_at.is_(None)
"""The condition for unsent messages, worded as in the index by time."""
_UNSENT_STATES: BindParameter[list[str]] = bindparam(
    "unsent", [OutboxState.PENDING.value, OutboxState.SENDING.value], expanding=True, literal_execute=True
)
"""Literals in the statement: only then does a database see that an index of these states has all rows."""
_EARLIER = outbox.alias("earlier")
"""Kept as a constant, because every turn uses it and making an alias copies all columns."""
_MATCH = outbox.c.payload["match"].as_integer()
_CHALLENGE = outbox.c.payload["challenge"].as_integer()
_CUP = outbox.c.payload["cup"].as_integer()
_GAME = outbox.c.payload["game"].as_string()
_ABOUT = {"match": matches, "challenge": challenges, "cup": cups}
"""The tables that have the server of what a payload names."""
EDITS_AFTER = timedelta(minutes=2)
"""What is posted anew within so long after a change of posted messages was stored comes before it."""
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)
_OF_ANY_GAME = ("voided", "cup")
"""The kinds of messages that any process can send, also without the game they are about."""


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message to post or change in Discord. Messages of one topic are sent one after the other."""

    id: int
    key: str
    topic: str
    kind: str
    payload: dict[str, Any]
    state: OutboxState
    attempts: int
    due_at: datetime
    created_at: datetime
    begun_at: datetime | None = None
    """When it was first begun; None before that, and for messages that may be sent twice."""
    generation: int = 0
    """The generation of the database, which copies of it do not share."""
    guild_id: int = 0
    """The server it is about, 0 for none."""


async def add(
    tx: AsyncConnection,
    *,
    key: str,
    topic: str,
    kind: str,
    at: datetime,
    payload: dict[str, Any] | None = None,
    waits: bool = False,
) -> None:
    """Store a message to be sent; one that ``waits`` comes after others, as changes of posted messages do.

    Raises ``IntegrityError`` when ``key`` was stored before.
    """
    payload = payload or {}
    values = _new(key, topic, kind, at, payload) | ({"due_at": at + EDITS_AFTER} if waits else {})
    await tx.execute(insert(outbox).values(guild_id=_guild_of(payload)), values)
    note(tx, Signal.OUTBOX)


async def add_once(
    tx: AsyncConnection, *, key: str, topic: str, kind: str, at: datetime, payload: dict[str, Any]
) -> None:
    """Store a message to be sent, unless ``key`` was stored before."""
    new = inserting(tx, outbox).values(guild_id=_guild_of(payload)).on_conflict_do_nothing()
    await tx.execute(new, _new(key, topic, kind, at, payload))
    note(tx, Signal.OUTBOX)


async def put_edits(
    tx: AsyncConnection, new: Sequence[tuple[str, str, dict[str, Any]]], *, kind: str, keys: str, at: datetime
) -> None:
    """Store changes of posted messages by key, topic and payload, in place of those that their topics wait for.

    Those have keys like ``keys`` (SQL). What is posted anew comes before a change, also if it is stored later.
    """
    if new:
        await drop_edits(tx, [topic for _, topic, _ in new], kind=kind, keys=keys)
        stored = inserting(tx, outbox).values(guild_id=_guild_of(new[0][2])).on_conflict_do_nothing()
        values = [_new(key, topic, kind, at, payload) | {"due_at": at + EDITS_AFTER} for key, topic, payload in new]
        await tx.execute(stored, values)
        note(tx, Signal.OUTBOX)


async def drop_edits(tx: AsyncConnection, topics: Collection[str], *, kind: str, keys: str) -> None:
    """Delete changes of posted messages that were never begun. One that is being sent goes on, and is not stored."""
    waiting = outbox.c.topic.in_(topics), outbox.c.state.in_(_UNSENT_STATES), outbox.c.attempts == 0
    await tx.execute(delete(outbox).where(*waiting, outbox.c.kind == kind, outbox.c.key.like(keys)))


async def add_begun(
    tx: AsyncConnection,
    *,
    key: str,
    topic: str,
    kind: str,
    at: datetime,
    payload: dict[str, Any],
    alone: bool = False,
) -> OutboxMessage | None:
    """Store a message that this process begins as soon as it is stored; return it, or None if another one comes first.

    A message that is ``alone`` is the only one of its topic and may be sent twice: it is not marked as begun. Raises
    ``IntegrityError`` when ``key`` was stored before.
    """
    stored = _inserting_begun(frozenset(_ABOUT.keys() & payload), alone)
    values = _new(key, topic, kind, at, payload) | {"of_topic": topic, "at": at}
    message_id, state, guild_id, number = (await tx.execute(stored, values)).one()
    if state == OutboxState.PENDING and not alone:
        note(tx, Signal.OUTBOX)
        return None
    return OutboxMessage(
        message_id, key, topic, kind, payload, OutboxState.PENDING, 0, at, at, generation=number, guild_id=guild_id
    )


async def is_stored(tx: AsyncConnection, key: str) -> bool:
    """Return whether a message with a key was stored before."""
    return (await tx.execute(select(outbox.c.id).where(outbox.c.key == key))).first() is not None


async def busy(tx: AsyncConnection, topic: str, kind: str) -> bool:
    """Return whether a topic has an unsent message of a kind."""
    still = *_unsent_of(topic), outbox.c.kind == kind
    query = select(outbox.c.id).where(*still).limit(1)
    return (await tx.execute(query)).first() is not None


async def first_of_each_topic(
    tx: AsyncConnection,
    *,
    busy: Collection[str],
    limit: int,
    waiting: Collection[int] = (),
    only_due: Collection[int] = (),
    now: datetime = _FOR_EVER,
    rules: Rules | None = None,
) -> list[OutboxMessage]:
    """Return the first pending message of each topic that is not busy, due or not, soonest due first.

    The messages about servers that are ``waiting`` are left out, and about those of ``only_due`` the messages that are
    not due ``now``. Messages about a game wait where it is not among ``rules``; None stands for every game.
    """
    values = {"busy": list(busy), "waiting": list(waiting), "only_due": list(only_due), "now": now, "limit": limit}
    return [to_dataclass(OutboxMessage, row) for row in await tx.execute(_first_of_each_topic(rules), values)]


_MARK = update(outbox).where(outbox.c.id == bindparam("of_message", type_=Id), _UNSENT)


async def mark(tx: AsyncConnection, message_id: int, state: OutboxState, **values: Any) -> None:
    """Set the state of a message, unless that is final already: an earlier commit may have succeeded unconfirmed."""
    await tx.execute(_MARK, {"of_message": message_id, "state": state, **values})


async def skip_overtaken(tx: AsyncConnection, topic: str, kind: str, ply: int, at: datetime) -> None:
    """Mark the messages of a topic and kind about plies before ``ply`` that were never begun as skipped."""
    overtaken = outbox.c.kind == kind, outbox.c.attempts == 0, outbox.c.payload["ply"].as_integer() < ply
    await tx.execute(update(outbox).where(*_unsent_of(topic), *overtaken).values(state=OutboxState.SKIPPED, done_at=at))


class Waiting(NamedTuple):
    """The unsent messages to some servers: how many there are, and how many of them wait for a game.

    Of the others, the times at which the first was due and the oldest was stored.
    """

    total: int
    without_game: int
    due_since: datetime | None
    stored_since: datetime | None


async def waiting(tx: AsyncConnection, rules: Rules | None = None) -> Waiting:
    """Count the unsent messages; ``rules`` are those of the games there are."""
    playable = _about_known(rules)
    firsts = (func.min(time).filter(playable) for time in (outbox.c.due_at, outbox.c.created_at))
    query = select(func.count(), func.count().filter(~playable), *firsts)
    return Waiting(*(await tx.execute(query.where(_UNSENT))).one())


async def dropped_of_server(tx: AsyncConnection, guild_id: int) -> dict[int, list[int]]:
    """Return the dropped messages about a server's matches, challenges and cups, each with the places it may go to."""
    is_dropped = outbox.c.state == literal_column(f"'{OutboxState.DROPPED}'")
    of_match = select(outbox.c.id, matches.c.thread_id, matches.c.channel_id).join(outbox, matches.c.id == _MATCH)
    of_challenge = select(outbox.c.id, null(), challenges.c.channel_id).join(outbox, challenges.c.id == _CHALLENGE)
    of_cup = select(outbox.c.id, null(), cups.c.channel_id).join(outbox, cups.c.id == _CUP)
    query = union_all(
        of_match.where(is_dropped, matches.c.guild_id == guild_id),
        of_challenge.where(is_dropped, challenges.c.guild_id == guild_id),
        of_cup.where(is_dropped, cups.c.guild_id == guild_id),
    )
    rows = (await tx.execute(query)).all()
    return {message_id: [place for place in places if place is not None] for message_id, *places in rows}


async def revive(tx: AsyncConnection, message_ids: Collection[int], now: datetime) -> None:
    """Retry dropped messages that are still dropped. An earlier attempt may have posted them all the same."""
    values = {"state": OutboxState.SENDING, "due_at": now, "done_at": None}
    dropped = outbox.c.id.in_(message_ids), outbox.c.state == OutboxState.DROPPED
    await tx.execute(update(outbox).where(*dropped).values(**values))
    note(tx, Signal.OUTBOX)


async def count_stalled(tx: AsyncConnection, since: datetime, rules: Rules | None = None) -> int:
    """Count the messages due before ``since`` that are unsent, if none at all was sent from then on.

    A message behind another one of its topic that Discord has put off does not count, nor one about a
    game that is not among ``rules``.
    """
    sent = select(outbox.c.id).where(outbox.c.done_at >= since).order_by(outbox.c.done_at.desc()).limit(1)
    if (await tx.execute(sent)).first() is not None:
        return 0
    late = _UNSENT, outbox.c.due_at < since, _first_of_its_topic(), _about_known(rules)
    return int((await tx.execute(select(func.count()).select_from(outbox).where(*late))).scalar_one())


async def delete_old(tx: AsyncConnection, before: datetime, refused_before: datetime) -> None:
    """Delete old finished rows: sent messages, and dropped ones."""
    refused = outbox.c.state == OutboxState.DROPPED
    await tx.execute(delete(outbox).where(~_UNSENT, ~refused, outbox.c.done_at < before))
    await tx.execute(delete(outbox).where(refused, outbox.c.done_at < refused_before))


def _new(key: str, topic: str, kind: str, at: datetime, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a new message, with those that ``_guild_of`` needs."""
    return {
        **{f"of_{name}": payload.get(name) for name in (*_ABOUT, "guild")},
        "key": key,
        "topic": topic,
        "kind": kind,
        "payload": payload,
        "state": OutboxState.PENDING,
        "attempts": 0,
        "due_at": at,
        "created_at": at,
    }


def _guild_of(names: Collection[str]) -> ColumnElement[int]:
    """Return the server of a new message whose payload has these names."""
    guild_ids = [
        select(table.c.guild_id).where(table.c.id == bindparam(f"of_{name}", type_=Id)).scalar_subquery()
        for name, table in _ABOUT.items()
        if name in names
    ]
    return func.coalesce(*guild_ids, bindparam("of_guild", type_=Id), 0)


@cache
def _inserting_begun(names: frozenset[str], alone: bool) -> ReturningInsert[Any]:
    """Return the statement of ``add_begun`` for a payload with these names, built once: a turn uses it twice."""
    begun: dict[str, ColumnElement[Any]] = {}
    if not alone:
        free = ~select(_EARLIER.c.id).where(*_unsent_of(bindparam("of_topic", type_=Text), _EARLIER)).exists()
        sending, pending = (literal(state, outbox.c.state.type) for state in (OutboxState.SENDING, OutboxState.PENDING))
        begun = {
            "state": case((free, sending), else_=pending),
            "attempts": case((free, 1), else_=0),
            "begun_at": case((free, bindparam("at", type_=outbox.c.begun_at.type))),
        }
    generation = select(generations.c.value).scalar_subquery()
    stored = insert(outbox).values(guild_id=_guild_of(names), **begun)
    return stored.returning(outbox.c.id, outbox.c.state, outbox.c.guild_id, generation)


def _unsent_of(topic: str | ColumnElement[str], messages: FromClause = outbox) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for unsent messages of a topic, worded as in the index by topic."""
    return messages.c.topic == topic, messages.c.state.in_(_UNSENT_STATES)


def _first_of_its_topic() -> ColumnElement[bool]:
    """Return whether no other unsent message of the same topic comes before one.

    A subquery for each message: a database that expects few messages might compare all of them with each other.
    """
    other = outbox.alias()
    of_topic = select(other.c.id).where(*_unsent_of(outbox.c.topic, other))
    return outbox.c.id == of_topic.order_by(other.c.id).limit(1).scalar_subquery()


def _about_known(rules: Rules | None) -> ColumnElement[bool]:
    """Return whether a message is about a game among ``rules``, or needs no game."""
    if rules is None:
        return true()
    keys = sorted({game for game, _ in rules})
    # A subquery for each message: see ``_first_of_its_topic``.
    about = [
        select(table.c.game.in_(keys)).where(table.c.id == number).scalar_subquery()
        for table, number in ((matches, _MATCH), (challenges, _CHALLENGE), (cups, _CUP))
    ]
    conditions = [func.coalesce(condition, true()) for condition in (*about, _GAME.in_(keys))]
    return or_(outbox.c.kind.in_(_OF_ANY_GAME), and_(*conditions))


@cache
def _first_of_each_topic(rules: Rules | None) -> Select[Any]:
    """Return the query for ``first_of_each_topic``, built once, because a turn uses it several times."""
    generation = select(generations.c.value).scalar_subquery().label("generation")
    pending = select(outbox, generation).where(
        _UNSENT,
        outbox.c.topic.not_in(bindparam("busy", expanding=True)),
        outbox.c.guild_id.not_in(bindparam("waiting", expanding=True)),
        or_(outbox.c.due_at <= bindparam("now"), outbox.c.guild_id.not_in(bindparam("only_due", expanding=True))),
        _about_known(rules),
        _first_of_its_topic(),
    )
    # In the order of an index: after an outage thousands may be pending, and the limit stops the scan early.
    return pending.order_by(outbox.c.due_at, outbox.c.id).limit(bindparam("limit", type_=Integer))
