"""Cups: their terms, their players, and their pairings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import abuse_counters
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.contest_states import CupStart, CupState, PairingState, Withdrawal
from bot.storage.guilds import attended
from bot.storage.records import EVERYWHERE, Person
from bot.storage.tables import cup_pairings, cup_players, cups, matches
from bot.storage.tables.columns import to_dataclass
from renderers.i18n import LazyText

UNENDED = (CupState.OPEN, CupState.RUNNING)
FORFEITED = (PairingState.FIRST_BY_FORFEIT, PairingState.SECOND_BY_FORFEIT)


@dataclass(frozen=True, slots=True)
class CupPlayer:
    """A person in a cup. Their ``number`` is drawn when the cup begins; their ``place`` is stored when it is over."""

    person: Person
    joined_at: datetime
    number: int | None = None
    withdrawal: Withdrawal | None = None
    annulled: bool = False
    """Whether their results do not count, because they withdrew early."""
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a cup who meet, by their numbers; ``first`` has seat 1. Rounds count from 1, pairings from 0."""

    number: int
    round: int
    first: int
    second: int
    state: PairingState = PairingState.PLANNED
    late: bool = False
    """Whether the match was lost on time."""
    match_id: int | None = None


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup. ``players`` are in the order in which they joined, or in that of their numbers once it has begun."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    game: str
    variant: str
    places: int
    """How many may join."""
    rated: bool
    pace: int
    """Seconds in a bank of time."""
    start: CupStart
    starts_at: datetime
    """When it begins at the latest, or closes if too few have joined."""
    state: CupState
    starter_id: int
    language: str
    """The tag of the language of all that is posted about the cup and its matches."""
    again_of: int | None
    waiting: bool
    """Whether matches could begin, but the bot lacks the game."""
    created_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    players: tuple[CupPlayer, ...] = ()
    increment: int | None = None
    """Seconds that a move adds to the bank; None if every move has a whole one."""
    grace: bool = False
    """Whether a day away is spent by itself before a match is lost on time."""
    rest_counts: bool = True
    """Whether the weekly rest of players stops their clocks."""

    def player_of(self, user_id: int) -> CupPlayer | None:
        return next((player for player in self.players if player.person.id == user_id), None)


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place in a cup that is over."""

    cup_id: int
    game: str
    place: int


async def add(tx: AsyncConnection, **values: Any) -> int:
    """Store an open cup, by the names of its columns, and return its id."""
    query = insert(cups).returning(cups.c.id).values(state=CupState.OPEN, **values)
    return int((await tx.execute(query)).scalar_one())


async def change(tx: AsyncConnection, cup_id: int, **values: Any) -> None:
    """Set columns of a cup."""
    await tx.execute(update(cups).where(cups.c.id == cup_id).values(**values))


async def set_message(tx: AsyncConnection, cup_id: int, channel_id: int, message_id: int) -> None:
    """Note where the message of a cup stands, unless the cup has moved to another channel meanwhile."""
    here = cups.c.id == cup_id, cups.c.channel_id == channel_id
    await tx.execute(update(cups).where(*here).values(message_id=message_id))


async def get(tx: AsyncConnection, cup_id: int, *, lock: bool = False) -> Cup | None:
    """Return a cup; ``lock`` keeps others from changing it until the transaction ends."""
    query = select(cups).where(cups.c.id == cup_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    if row is None:
        return None
    return to_dataclass(Cup, row, players=(await _players(tx, [cup_id])).get(cup_id, ()))


async def pairings_of(tx: AsyncConnection, cup_id: int) -> tuple[Pairing, ...]:
    """Return the pairings of a cup in the order of their numbers; none before it has begun."""
    query = select(cup_pairings).where(cup_pairings.c.cup_id == cup_id).order_by(cup_pairings.c.number)
    return tuple(to_dataclass(Pairing, row) for row in await tx.execute(query))


async def latest_results(tx: AsyncConnection, cup_id: int, most: int) -> tuple[Pairing, ...]:
    """Return the pairings of a cup that were decided last and count, the last first."""
    played = cup_pairings.c.state.not_in((PairingState.PLANNED, PairingState.RUNNING, PairingState.VOIDED))
    query = select(cup_pairings).join(matches, matches.c.id == cup_pairings.c.match_id)
    query = query.where(cup_pairings.c.cup_id == cup_id, matches.c.ended_at.is_not(None), played, ~_annulled().exists())
    latest = query.order_by(matches.c.ended_at.desc(), matches.c.id.desc()).limit(most)
    return tuple(to_dataclass(Pairing, row) for row in await tx.execute(latest))


async def boards_of(tx: AsyncConnection, cup_id: int) -> dict[int, tuple[int, int]]:
    """Return where the boards of a cup's matches stand: a channel or thread and a message, by match."""
    query = (
        select(matches.c.id, matches.c.board_channel_id, matches.c.board_message_id)
        .join(cup_pairings, cup_pairings.c.match_id == matches.c.id)
        .where(cup_pairings.c.cup_id == cup_id, matches.c.board_message_id.is_not(None))
    )
    return {row.id: (row.board_channel_id, row.board_message_id) for row in await tx.execute(query)}


async def is_uncounted(tx: AsyncConnection, match_id: int) -> bool:
    """Return whether a match of a cup does not count for it: a player has withdrawn, or the cup has no results."""
    without = cups.c.state.in_((CupState.CLOSED, CupState.DESERTED)), cup_pairings.c.state.in_(FORFEITED)
    query = select(or_(*without, _annulled().exists())).select_from(cup_pairings.join(cups))
    return bool((await tx.execute(query.where(cup_pairings.c.match_id == match_id))).scalar_one_or_none())


def _annulled() -> Select[int]:
    """Select those players of a pairing whose results are annulled."""
    players = cup_players.c.number.in_([cup_pairings.c.first, cup_pairings.c.second])
    same = cup_players.c.cup_id == cup_pairings.c.cup_id, players
    return select(cup_players.c.user_id).where(*same, cup_players.c.annulled.is_(True))


async def add_pairings(tx: AsyncConnection, cup_id: int, pairings: Sequence[Pairing]) -> None:
    """Store all pairings of a cup that begins."""
    await tx.execute(insert(cup_pairings), [{"cup_id": cup_id, **asdict(pairing)} for pairing in pairings])


async def change_pairing(tx: AsyncConnection, cup_id: int, pairing: Pairing) -> None:
    """Store what became of a pairing."""
    same = cup_pairings.c.cup_id == cup_id, cup_pairings.c.number == pairing.number
    values = {"state": pairing.state, "late": pairing.late, "match_id": pairing.match_id}
    await tx.execute(update(cup_pairings).where(*same).values(**values))


async def join(tx: AsyncConnection, cup_id: int, person: Person, at: datetime) -> None:
    values = {"cup_id": cup_id, "user_id": person.id, "name": person.name, "joined_at": at}
    await tx.execute(insert(cup_players).values(**values))


async def leave(tx: AsyncConnection, cup_id: int, user_id: int) -> None:
    """Remove a person from a cup that has not begun."""
    await tx.execute(delete(cup_players).where(cup_players.c.cup_id == cup_id, cup_players.c.user_id == user_id))


async def change_player(tx: AsyncConnection, cup_id: int, user_id: int, **values: Any) -> None:
    """Set columns of a person's part in a cup."""
    same = cup_players.c.cup_id == cup_id, cup_players.c.user_id == user_id
    await tx.execute(update(cup_players).where(*same).values(**values))


async def language(tx: AsyncConnection, cup_id: int) -> str:
    """Return the tag of a cup's language, or that of English if the cup is unknown."""
    return (await tx.execute(select(cups.c.language).where(cups.c.id == cup_id))).scalar_one_or_none() or "en"


async def count_unended(tx: AsyncConnection, guild_id: int) -> int:
    """Count the cups of a server that are open or running."""
    query = select(func.count()).where(cups.c.guild_id == guild_id, cups.c.state.in_(UNENDED))
    return int((await tx.execute(query)).scalar_one())


async def again(tx: AsyncConnection, cup_id: int) -> Cup | None:
    """Return the follow-up of a cup."""
    follow_up_id = (await tx.execute(select(cups.c.id).where(cups.c.again_of == cup_id))).scalar_one_or_none()
    return None if follow_up_id is None else await get(tx, follow_up_id)


async def places(tx: AsyncConnection, guild_id: int) -> list[int]:
    """Return the channels and threads of a server in which the messages of cups stand."""
    return list((await tx.execute(select(cups.c.channel_id).where(cups.c.guild_id == guild_id).distinct())).scalars())


async def page_of_server(
    tx: AsyncConnection,
    guild_id: int,
    *,
    ended: bool,
    hidden: Collection[int] = (),
    viewer_id: int = 0,
    offset: int = 0,
    limit: int,
) -> list[Cup]:
    """Return a part of a server's cups, the newest first: those that go on, or those that have ended.

    Of those in ``hidden`` channels only the ones that the viewer plays in.
    """
    going_on = cups.c.state.in_(UNENDED)
    query = select(cups).where(cups.c.guild_id == guild_id, ~going_on if ended else going_on)
    if hidden:
        own = select(cup_players.c.cup_id).where(cup_players.c.user_id == viewer_id)
        query = query.where(or_(cups.c.channel_id.not_in(hidden), cups.c.id.in_(own)))
    rows = (await tx.execute(query.order_by(cups.c.id.desc()).offset(offset).limit(limit))).all()
    players = await _players(tx, [row.id for row in rows])
    return [to_dataclass(Cup, row, players=players.get(row.id, ())) for row in rows]


async def running_ids(tx: AsyncConnection) -> list[int]:
    query = select(cups.c.id).where(cups.c.state == CupState.RUNNING)
    return list((await tx.execute(query.order_by(cups.c.id))).scalars())


async def due(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the open cups whose time has come, in servers that the bot is in."""
    query = select(cups.c.id).where(cups.c.state == CupState.OPEN, cups.c.starts_at <= now, attended(cups))
    return list((await tx.execute(query.order_by(cups.c.id))).scalars())


async def waiting_for(tx: AsyncConnection, games: Sequence[str]) -> list[int]:
    waits = cups.c.state == CupState.RUNNING, cups.c.waiting.is_(True), cups.c.game.in_(games)
    query = select(cups.c.id).where(*waits)
    return list((await tx.execute(query.order_by(cups.c.id))).scalars())


async def unended_of(tx: AsyncConnection, user_id: int, guild_id: int = EVERYWHERE) -> list[int]:
    """Return the cups of a server, or of all, that a person plays in or has started and that go on.

    Left out are those that they have withdrawn from, and those of others that they have not joined.
    """
    joined = select(cup_players.c.cup_id).where(cup_players.c.user_id == user_id, cup_players.c.withdrawal.is_(None))
    open_ones = (cups.c.starter_id == user_id) & (cups.c.state == CupState.OPEN)
    query = select(cups.c.id).where((cups.c.id.in_(joined) & cups.c.state.in_(UNENDED)) | open_ones)
    if guild_id != EVERYWHERE:
        query = query.where(cups.c.guild_id == guild_id)
    return list((await tx.execute(query.order_by(cups.c.id))).scalars())


async def started_by(tx: AsyncConnection, user_id: int, guild_id: int) -> int:
    """Count the cups of a server that a person has started and that go on."""
    query = select(func.count()).where(
        cups.c.starter_id == user_id, cups.c.guild_id == guild_id, cups.c.state.in_(UNENDED)
    )
    return int((await tx.execute(query.select_from(cups))).scalar_one())


async def called_off(
    tx: AsyncConnection, guild_id: int, user_id: int, since: datetime, now: datetime
) -> list[datetime]:
    """Return the times of a person's cups that were cancelled since, oldest first; a deletion does not change it."""
    made = select(cups.c.created_at).where(
        cups.c.guild_id == guild_id,
        cups.c.starter_id == user_id,
        cups.c.state == CupState.CANCELLED,
        cups.c.created_at > since,
        cups.c.created_at <= now,
    )
    kept = await abuse_counters.times(tx, user_id, AbuseCounter.CUP, str(guild_id), now, since)
    return sorted([*(await tx.execute(made)).scalars(), *kept])


async def trophies(tx: AsyncConnection, guild_id: int, user_id: int, *, last_place: int) -> list[Trophy]:
    """Return a person's places in a server's cups down to a place, the best first and then the newest."""
    over = cups.c.guild_id == guild_id, cups.c.state == CupState.OVER
    query = (
        select(cups.c.id.label("cup_id"), cups.c.game, cup_players.c.place)
        .join(cup_players, cup_players.c.cup_id == cups.c.id)
        .where(cup_players.c.user_id == user_id, cup_players.c.place <= last_place, *over)
        .where(cup_players.c.withdrawal.is_(None))
        .order_by(cup_players.c.place, cups.c.id.desc())
    )
    return [Trophy(row.cup_id, row.game, row.place) for row in await tx.execute(query)]


async def all_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return the cups that a person has started or joined, as rows, with their own part in each."""
    own = and_(cup_players.c.cup_id == cups.c.id, cup_players.c.user_id == user_id)
    mine = [cup_players.c[name] for name in ("name", "joined_at", "number", "withdrawal", "annulled", "place")]
    # Each of the two has its own index; one query for both would look through all cups.
    started = select(cups.c.id).where(cups.c.starter_id == user_id)
    joined = select(cup_players.c.cup_id).where(cup_players.c.user_id == user_id)
    query = (
        select(cups, *mine).select_from(cups.outerjoin(cup_players, own)).where(cups.c.id.in_(started.union(joined)))
    )
    rows = [dict(row._mapping) for row in await tx.execute(query.order_by(cups.c.id))]
    return [row | {"starter_id": row["starter_id"] if row["starter_id"] == user_id else None} for row in rows]


async def anonymise(tx: AsyncConnection, user_id: int, nobody_id: int, name: str) -> list[int]:
    """Put ``nobody_id`` and ``name`` in a person's place in all cups; return those whose message names them."""
    theirs = cup_players.c.user_id == user_id
    in_them = cups.c.id.in_(select(cup_players.c.cup_id).where(theirs)) & cups.c.state.in_(UNENDED)
    started = (cups.c.starter_id == user_id) & cups.c.message_id.is_not(None) & (cups.c.state != CupState.OVER)
    naming = select(cups.c.id).where(in_them | started).order_by(cups.c.id)
    cup_ids = list((await tx.execute(naming)).scalars())
    await tx.execute(update(cup_players).where(theirs).values(user_id=nobody_id, name=name))
    await tx.execute(update(cups).where(cups.c.starter_id == user_id).values(starter_id=nobody_id))
    return cup_ids


async def _players(tx: AsyncConnection, cup_ids: Sequence[int]) -> dict[int, tuple[CupPlayer, ...]]:
    """Return the players of some cups, by the number drawn for them or else by when they joined."""
    players = select(cup_players).where(cup_players.c.cup_id.in_(cup_ids))
    order = cup_players.c.number, cup_players.c.joined_at, cup_players.c.user_id
    players_by_cup: dict[int, tuple[CupPlayer, ...]] = {}
    for row in await tx.execute(players.order_by(*order)):
        name = LazyText(row.name) if row.user_id < 0 else row.name
        player = to_dataclass(CupPlayer, row, person=Person(row.user_id, name))
        players_by_cup[row.cup_id] = (*players_by_cup.get(row.cup_id, ()), player)
    return players_by_cup
