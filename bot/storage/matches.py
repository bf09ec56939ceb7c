"""One match: its row, its seats, its list of moves, and the offers and notices in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import (
    Match,
    MatchState,
    OfferKind,
    OfferState,
    Person,
    PlayedMove,
    Seat,
    computer_player,
)
from bot.storage.tables import finish_numbers, matches, moves, notices, offers, seats
from bot.storage.tables.columns import record
from renderers.i18n import LazyText


@dataclass(frozen=True, slots=True)
class Offer:
    """A request of one seat to the other at a ply of a match."""

    id: int
    match_id: int
    kind: OfferKind
    seat: int
    ply: int
    state: OfferState
    channel_id: int | None
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Notice:
    """A reminder or late notice of a ply, and the message that shows it."""

    ply: int
    kind: str
    channel_id: int
    message_id: int


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
    ready_made: frozenset[int] = frozenset(),
    at: datetime,
    deadline_at: datetime | None = None,
    remind_at: datetime | None = None,
    language: str = "en",
    rules: int = 1,
    cup: tuple[int, int] | None = None,
) -> int:
    """Store a new match with its seats in turn order and return its id; ``cup`` is its cup, and its round there."""
    cup_id, cup_round = cup or (None, None)
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
            rules=rules,
            cup_id=cup_id,
            cup_round=cup_round,
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
                "ready_made": seat in ready_made,
            }
            for seat, person in enumerate(people)
        ],
    )
    return match_id


async def who_have_played(tx: AsyncConnection, game: str, user_ids: Sequence[int]) -> frozenset[int]:
    """Return those of some people who have begun a match of a game, in any server."""
    here = select(seats.c.user_id).distinct().join(matches, matches.c.id == seats.c.match_id)
    return frozenset((await tx.execute(here.where(seats.c.user_id.in_(user_ids), matches.c.game == game))).scalars())


async def is_first(tx: AsyncConnection, user_id: int, game: str, match_id: int) -> bool:
    """Return whether a match is the only one of its game that a person has begun, in any server."""
    other = seats.c.user_id == user_id, matches.c.game == game, matches.c.id != match_id
    found = select(literal(1)).select_from(seats).join(matches, matches.c.id == seats.c.match_id).where(*other).limit(1)
    return (await tx.execute(found)).first() is None


async def change(tx: AsyncConnection, match_id: int, **values: Any) -> None:
    """Set columns of a match."""
    await tx.execute(update(matches).where(matches.c.id == match_id).values(**values))


async def advance(tx: AsyncConnection, match_id: int, **values: Any) -> bool:
    """Set columns of a match that moves on; return whether it has open offers."""
    changed = update(matches).where(matches.c.id == match_id).values(**values).returning(_offered(match_id))
    return bool((await tx.execute(changed)).scalar_one())


async def advance_from(
    tx: AsyncConnection, match_id: int, found_ply: int, found_deadline: datetime | None, **values: Any
) -> bool | None:
    """Do as ``advance`` for a running match that has this ply and this deadline; return None for any other."""
    deadline = literal(found_deadline, matches.c.deadline_at.type)
    as_found = matches.c.ply == found_ply, matches.c.deadline_at.is_not_distinct_from(deadline)
    running = matches.c.id == match_id, matches.c.state == MatchState.RUNNING, matches.c.voided_by.is_(None)
    changed = update(matches).where(*running, *as_found).values(**values).returning(_offered(match_id))
    row = (await tx.execute(changed)).one_or_none()
    return None if row is None else bool(row[0])


@dataclass(frozen=True, slots=True)
class BoardNoted:
    """A match when its board was noted: whether it was voided, and whether notices of it stand in Discord.

    ``entry`` is the requested entry of its list of moves, if there is one.
    """

    voided: bool
    has_notices: bool
    entry: PlayedMove | None


async def put_board(
    tx: AsyncConnection, match_id: int, place_id: int, message_id: int, ply: int, *, entry: int = 0
) -> BoardNoted | None:
    """Note where the newest board of a match stands, and its ply; return None if there is no such match.

    ``entry`` is the ply of an entry to return.
    """
    noted = select(notices.c.ply).where(notices.c.match_id == match_id).exists()
    made = [
        select(column).where(moves.c.match_id == match_id, moves.c.ply == entry).scalar_subquery()
        for column in (moves.c.seat, moves.c.kind, moves.c.text, moves.c.at)
    ]
    # Compared here: SQLite 3.40 gets ``IS NOT NULL`` wrong in ``RETURNING``.
    changed = update(matches).where(matches.c.id == match_id).returning(matches.c.voided_by, noted, *made)
    values = {"board_channel_id": place_id, "board_message_id": message_id, "board_ply": ply}
    row = (await tx.execute(changed.values(**values))).one_or_none()
    if row is None:
        return None
    voided_by, has_notices, seat, kind, text, at = row
    found = None if seat is None else PlayedMove(entry, seat, kind, text, at)
    return BoardNoted(voided_by is not None, bool(has_notices), found)


async def change_each(tx: AsyncConnection, values: Sequence[dict[str, Any]]) -> None:
    """Set columns of many matches at once. Each of ``values`` names the same columns, and its match by ``id``."""
    if values:
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in values[0] if name != "id"}
        query = update(matches).where(matches.c.id == bindparam("new_id")).values(columns)
        await tx.execute(query, [{f"new_{name}": value for name, value in each.items()} for each in values])


async def change_seat(tx: AsyncConnection, match_id: int, seat: int, **values: Any) -> None:
    """Set columns of one seat."""
    await tx.execute(update(seats).where(seats.c.match_id == match_id, seats.c.seat == seat).values(**values))


async def set_movers(tx: AsyncConnection, match_id: int, to_move: frozenset[int]) -> None:
    """Store which seats may act."""
    await tx.execute(
        update(seats).where(seats.c.match_id == match_id).values(to_move=seats.c.seat.in_(sorted(to_move)))
    )


async def add_moves(tx: AsyncConnection, match_id: int, played: Iterable[PlayedMove]) -> None:
    """Append entries to the list of moves. Raises ``IntegrityError`` when a ply is already there."""
    await tx.execute(insert(moves), [{"match_id": match_id, **asdict(move)} for move in played])


async def moves_of(tx: AsyncConnection, match_id: int) -> list[PlayedMove]:
    """Return the whole list of moves of a match, first ply first."""
    rows = await tx.execute(select(moves).where(moves.c.match_id == match_id).order_by(moves.c.ply))
    return [record(PlayedMove, row) for row in rows]


async def entry(tx: AsyncConnection, match_id: int, ply: int) -> PlayedMove | None:
    """Return the entry of the list of moves that made a ply."""
    row = (await tx.execute(select(moves).where(moves.c.match_id == match_id, moves.c.ply == ply))).one_or_none()
    return None if row is None else record(PlayedMove, row)


async def get(tx: AsyncConnection, match_id: int, *, lock: bool = False) -> Match | None:
    """Return a match; ``lock`` keeps others from changing it until the transaction ends."""
    joined = select(matches, seats).join(seats, seats.c.match_id == matches.c.id).where(matches.c.id == match_id)
    if lock:
        # The seats, too: unlocked rows may be read as they were before the wait for the lock.
        joined = joined.with_for_update()
    rows = (await tx.execute(joined.order_by(seats.c.seat))).all()
    return match_of(rows[0], tuple(map(seat_of, rows))) if rows else None


async def lock(tx: AsyncConnection, match_id: int) -> None:
    """Lock a match until the transaction ends; SQLite needs no lock, because it has one writer."""
    if tx.dialect.name == "postgresql":
        await tx.execute(select(matches.c.id).where(matches.c.id == match_id).with_for_update())


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
    return match, PlayedMove(row.made_ply, row.made_seat, row.made_kind, row.made_text, row.made_at)


async def language(tx: AsyncConnection, match_id: int) -> str:
    """Return the tag of a match's language, or that of English if the match is unknown."""
    query = select(matches.c.language).where(matches.c.id == match_id)
    return (await tx.execute(query)).scalar_one_or_none() or "en"


async def next_finish(tx: AsyncConnection) -> int:
    """Return the number of the next match to end: matches are rated in the order of these numbers."""
    if tx.dialect.supports_sequences:
        # Drawn while all people of the match are locked, so matches of the same people end in the order of the numbers.
        return int((await tx.execute(select(finish_numbers.next_value()))).scalar_one())
    return int((await tx.execute(select(func.coalesce(func.max(matches.c.finish), 0) + 1))).scalar_one())


async def add_offer(tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int, ply: int, at: datetime) -> int:
    """Store an open offer and return its id."""
    values = {"match_id": match_id, "kind": kind, "seat": seat, "ply": ply, "state": OfferState.OPEN, "created_at": at}
    return int((await tx.execute(insert(offers).returning(offers.c.id).values(**values))).scalar_one())


async def offer(tx: AsyncConnection, offer_id: int, *, lock: bool = False) -> Offer | None:
    """Return an offer."""
    query = select(offers).where(offers.c.id == offer_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else record(Offer, row)


async def open_offers(tx: AsyncConnection, match_id: int) -> list[Offer]:
    """Return the open offers of a match, oldest first."""
    query = select(offers).where(offers.c.match_id == match_id, offers.c.state == OfferState.OPEN).order_by(offers.c.id)
    return [record(Offer, row) for row in await tx.execute(query)]


async def versions(tx: AsyncConnection, match_ids: Sequence[int]) -> dict[int, str]:
    """Return for each of some matches a text that changes with the match and its open offers."""
    columns = (
        matches.c.id,
        matches.c.ply,
        matches.c.state,
        matches.c.flagged,
        matches.c.voided_by,
        matches.c.deadline_at,
    )
    found = {
        row.id: f"{row.ply} {row.state} {row.flagged} {row.voided_by} {row.deadline_at}"
        for row in await tx.execute(select(*columns).where(matches.c.id.in_(match_ids)))
    }
    made = offers.c.match_id.in_(match_ids), offers.c.state == OfferState.OPEN
    for row in await tx.execute(select(offers.c.match_id, offers.c.id).where(*made).order_by(offers.c.id)):
        found[row.match_id] += f" {row.id}"
    return found


async def offers_of_seat(tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int) -> list[Offer]:
    """Return all offers of a kind that a seat has made in a match, in any state."""
    made = offers.c.match_id == match_id, offers.c.kind == kind, offers.c.seat == seat
    return [record(Offer, row) for row in await tx.execute(select(offers).where(*made).order_by(offers.c.id))]


async def change_offer(tx: AsyncConnection, offer_id: int, **values: Any) -> None:
    """Set columns of an offer."""
    await tx.execute(update(offers).where(offers.c.id == offer_id).values(**values))


async def put_notice(tx: AsyncConnection, match_id: int, notice: Notice) -> None:
    """Store where a notice stands, in place of one of the same kind and ply."""
    same = notices.c.match_id == match_id, notices.c.ply == notice.ply, notices.c.kind == notice.kind
    await tx.execute(delete(notices).where(*same))
    await tx.execute(insert(notices).values(match_id=match_id, **asdict(notice)))


async def take_notices(tx: AsyncConnection, match_id: int, before: int) -> list[Notice]:
    """Delete the notices of a match from before a ply; return them, oldest first."""
    old = notices.c.match_id == match_id, notices.c.ply < before
    rows = (await tx.execute(select(notices).where(*old).order_by(notices.c.message_id))).all()
    if rows:
        await tx.execute(delete(notices).where(*old))
    return [record(Notice, row) for row in rows]


def _offered(match_id: int) -> ColumnElement[bool]:
    """Return whether a match has an open offer."""
    return select(offers.c.id).where(offers.c.match_id == match_id, offers.c.state == OfferState.OPEN).exists()


def match_of(row: Row[Any], taken: tuple[Seat, ...]) -> Match:
    """Return a row of the matches, with its seats."""
    return record(Match, row, reason=_reason(row), seats=taken)


def seat_of(row: Row[Any]) -> Seat:
    """Return a row of the seats."""
    return record(Seat, row, person=_person(row))


def reason_columns(reason: str) -> dict[str, Any]:
    """Return the columns of a match with the reason why it ended: in English, and as a message."""
    return {"reason": str(reason), "reason_message": reason.as_data() if isinstance(reason, LazyText) else None}


def _reason(row: Row[Any]) -> str | None:
    """Return the reason why a match ended, as a message that can be translated; older rows have plain English."""
    return row.reason if row.reason_message is None else LazyText.from_data(row.reason_message)


def _person(row: Row[Any]) -> Person:
    """Return the person in a seat. Names of computer players and of erased people are translated."""
    if row.level is not None:
        return computer_player(row.level)
    return Person(row.user_id, LazyText(row.name) if row.user_id < 0 else row.name)
