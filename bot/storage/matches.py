"""One match: its row, its seats, its list of moves, and the offers in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Row,
    and_,
    bindparam,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import (
    Entry,
    Match,
    MatchState,
    NewMatch,
    OfferKind,
    OfferState,
    Person,
    Seat,
    computer_player,
)
from bot.storage.tables import absences, challenges, finish_numbers, matches, moves, notices, offers, seats
from bot.storage.tables.columns import Id, to_dataclass
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
    created_at: datetime
    pace: int | None = None
    increment: int | None = None
    """The pace that is offered (``bot.matches.model.pace``), if the offer is about that.

    Of a pause, ``pace`` is its length in seconds."""


async def add(
    tx: AsyncConnection,
    new: NewMatch,
    people: Sequence[Person],
    *,
    to_move: int | None,
    at: datetime,
    ready_made: Collection[int] = (),
    **clock: Any,
) -> int:
    """Store a new match with its seats in turn order and return its id; ``clock`` are the columns of its clock."""
    begun = {"state": MatchState.RUNNING, "ply": 0, "to_move": to_move, "created_at": at, "turn_at": at}
    result = await tx.execute(insert(matches).returning(matches.c.id).values(**asdict(new), **begun, **clock))
    match_id = int(result.scalar_one())
    await tx.execute(
        insert(seats),
        [
            {
                "match_id": match_id,
                "seat": seat,
                "user_id": person.id,
                "name": person.name,
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
    query = select(literal(1)).select_from(seats).join(matches, matches.c.id == seats.c.match_id).where(*other).limit(1)
    return (await tx.execute(query)).first() is None


async def change(tx: AsyncConnection, match_id: int, **values: Any) -> None:
    await tx.execute(update(matches).where(matches.c.id == match_id).values(**values))


_MATCH_ID = bindparam("of_match", type_=Id)
_OFFERED = select(offers.c.id).where(offers.c.match_id == _MATCH_ID, offers.c.state == OfferState.OPEN).exists()
_ADVANCE = update(matches).where(matches.c.id == _MATCH_ID).returning(_OFFERED)


async def advance(tx: AsyncConnection, match_id: int, **values: Any) -> bool:
    """Set columns of a match that moves on; return whether it has open offers."""
    return bool((await tx.execute(_ADVANCE, {"of_match": match_id, **values})).scalar_one())


_ADVANCE_FROM = _ADVANCE.where(
    matches.c.state == MatchState.RUNNING,
    matches.c.voided_by.is_(None),
    matches.c.ply == bindparam("seen_ply"),
    matches.c.deadline_at.is_not_distinct_from(bindparam("seen_deadline", type_=matches.c.deadline_at.type)),
    matches.c.plans_version == bindparam("seen_plans"),
)


async def advance_from(tx: AsyncConnection, match: Match, **values: Any) -> bool | None:
    """Do as ``advance`` if a match still runs with the ply, deadline and plans of ``match``; else return None."""
    as_seen = {"seen_ply": match.ply, "seen_deadline": match.deadline_at, "seen_plans": match.plans_version}
    row = (await tx.execute(_ADVANCE_FROM, {"of_match": match.id, **as_seen, **values})).one_or_none()
    return None if row is None else bool(row[0])


@dataclass(frozen=True, slots=True)
class BoardNoted:
    """A match when its board was noted: whether it was voided, and whether notices of it stand in Discord.

    ``entry`` is the requested entry of its list of moves, if there is one.
    """

    voided: bool
    has_notices: bool
    entry: Entry | None


_PUT_BOARD = (
    update(matches)
    .where(matches.c.id == _MATCH_ID)
    .returning(
        # Compared in Python: SQLite 3.40 gets ``IS NOT NULL`` wrong in ``RETURNING``.
        matches.c.voided_by,
        select(notices.c.ply).where(notices.c.match_id == _MATCH_ID).exists(),
        *(
            select(column).where(moves.c.match_id == _MATCH_ID, moves.c.ply == bindparam("entry")).scalar_subquery()
            for column in (moves.c.seat, moves.c.kind, moves.c.text, moves.c.at)
        ),
    )
)


async def put_board(
    tx: AsyncConnection, match_id: int, place_id: int, message_id: int, ply: int, *, entry: int = 0
) -> BoardNoted | None:
    """Note where the newest board of a match stands, and its ply; return None if there is no such match.

    ``entry`` is the ply of an entry to return.
    """
    values = {"board_channel_id": place_id, "board_message_id": message_id, "board_ply": ply}
    row = (await tx.execute(_PUT_BOARD, {"of_match": match_id, "entry": entry, **values})).one_or_none()
    if row is None:
        return None
    voided_by, has_notices, seat, kind, text, at = row
    noted_entry = None if seat is None else Entry(entry, seat, kind, text, at)
    return BoardNoted(voided_by is not None, bool(has_notices), noted_entry)


async def change_each(tx: AsyncConnection, values: Sequence[dict[str, Any]]) -> None:
    """Set columns of many matches at once. Each of ``values`` names the same columns, and its match by ``id``."""
    if values:
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in values[0] if name != "id"}
        query = update(matches).where(matches.c.id == bindparam("new_id")).values(columns)
        await tx.execute(query, [{f"new_{name}": value for name, value in each.items()} for each in values])


async def change_seat(tx: AsyncConnection, match_id: int, seat: int, **values: Any) -> None:
    await tx.execute(update(seats).where(seats.c.match_id == match_id, seats.c.seat == seat).values(**values))


async def fill_banks(tx: AsyncConnection, match_id: int) -> None:
    """Give every seat of a match a whole bank of time."""
    await tx.execute(update(seats).where(seats.c.match_id == match_id).values(bank=None))


_ADD_MOVES = insert(moves)


async def add_moves(tx: AsyncConnection, match_id: int, played: Iterable[Entry]) -> None:
    """Append entries to the list of moves. Raises ``IntegrityError`` when a ply is already there."""
    await tx.execute(_ADD_MOVES, [{"match_id": match_id, **asdict(move)} for move in played])


async def moves_of(tx: AsyncConnection, match_id: int) -> list[Entry]:
    """Return the whole list of moves of a match, first ply first."""
    rows = await tx.execute(select(moves).where(moves.c.match_id == match_id).order_by(moves.c.ply))
    return [to_dataclass(Entry, row) for row in rows]


async def moves_of_each(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, list[Entry]]:
    """Return the lists of moves of some matches that have any, first ply first."""
    query = select(moves).where(moves.c.match_id.in_(match_ids)).order_by(moves.c.match_id, moves.c.ply)
    entries: dict[int, list[Entry]] = {}
    for row in await tx.execute(query):
        entries.setdefault(row.match_id, []).append(to_dataclass(Entry, row))
    return entries


async def entry(tx: AsyncConnection, match_id: int, ply: int) -> Entry | None:
    """Return the entry of the list of moves that made a ply."""
    row = (await tx.execute(select(moves).where(moves.c.match_id == match_id, moves.c.ply == ply))).one_or_none()
    return None if row is None else to_dataclass(Entry, row)


_GET = (
    select(matches, seats)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == _MATCH_ID)
    .order_by(seats.c.seat)
)
_GET_LOCKED = _GET.with_for_update()
"""The seats, too: unlocked rows may be read as they were before the wait for the lock."""


async def get(tx: AsyncConnection, match_id: int, *, lock: bool = False) -> Match | None:
    """Return a match; ``lock`` keeps others from changing it until the transaction ends."""
    rows = (await tx.execute(_GET_LOCKED if lock else _GET, {"of_match": match_id})).all()
    return match_of(rows[0], tuple(map(seat_of, rows))) if rows else None


_LOCK = select(matches.c.id).where(matches.c.id == _MATCH_ID).with_for_update()


async def lock(tx: AsyncConnection, match_id: int) -> None:
    """Lock a match until the transaction ends; SQLite needs no lock, because it has one writer."""
    if tx.dialect.name == "postgresql":
        await tx.execute(_LOCK, {"of_match": match_id})


async def with_entry(tx: AsyncConnection, match_id: int, ply: int) -> tuple[Match | None, Entry | None]:
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
    return match, Entry(row.made_ply, row.made_seat, row.made_kind, row.made_text, row.made_at)


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


async def add_offer(
    tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int, ply: int, at: datetime, **pace: int | None
) -> int:
    """Store an open offer and return its id; ``pace`` are the columns of the pace that it is about."""
    values = {"match_id": match_id, "kind": kind, "seat": seat, "ply": ply, "state": OfferState.OPEN, "created_at": at}
    values |= pace
    return int((await tx.execute(insert(offers).returning(offers.c.id).values(**values))).scalar_one())


async def offer(tx: AsyncConnection, offer_id: int, *, lock: bool = False) -> Offer | None:
    query = select(offers).where(offers.c.id == offer_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else to_dataclass(Offer, row)


async def open_offers(tx: AsyncConnection, match_id: int) -> list[Offer]:
    """Return the open offers of a match, oldest first."""
    query = select(offers).where(offers.c.match_id == match_id, offers.c.state == OfferState.OPEN).order_by(offers.c.id)
    return [to_dataclass(Offer, row) for row in await tx.execute(query)]


_ABSENCES = (
    select(func.sum(absences.c.id))
    .join(seats, seats.c.user_id == absences.c.user_id)
    .where(seats.c.match_id == matches.c.id, absences.c.due_at.is_not(None))
    .scalar_subquery()
)

_REMATCH = select(challenges.c.match_id).where(challenges.c.rematch_of == matches.c.id).scalar_subquery()


async def versions(tx: AsyncConnection, match_ids: Sequence[int]) -> dict[int, str]:
    """Return for each of some matches a text that changes with a match, its open offers, rematch and who is away."""
    columns = (
        matches.c.id,
        matches.c.ply,
        matches.c.state,
        matches.c.flagged,
        matches.c.voided_by,
        matches.c.deadline_at,
        _ABSENCES.label("absences"),
        _REMATCH.label("rematch"),
    )
    texts = {
        row.id: f"{row.ply} {row.state} {row.flagged} {row.voided_by} {row.deadline_at} {row.absences} {row.rematch}"
        for row in await tx.execute(select(*columns).where(matches.c.id.in_(match_ids)))
    }
    made = offers.c.match_id.in_(match_ids), offers.c.state == OfferState.OPEN
    for row in await tx.execute(select(offers.c.match_id, offers.c.id).where(*made).order_by(offers.c.id)):
        texts[row.match_id] += f" {row.id}"
    return texts


async def offers_of_seat(tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int) -> list[Offer]:
    made = offers.c.match_id == match_id, offers.c.kind == kind, offers.c.seat == seat
    return [to_dataclass(Offer, row) for row in await tx.execute(select(offers).where(*made).order_by(offers.c.id))]


async def change_offer(tx: AsyncConnection, offer_id: int, **values: Any) -> None:
    await tx.execute(update(offers).where(offers.c.id == offer_id).values(**values))


def match_of(row: Row[Any], taken: tuple[Seat, ...]) -> Match:
    # Older rows have their reason in plain English.
    reason = row.reason if row.reason_message is None else LazyText.from_data(row.reason_message)
    return to_dataclass(Match, row, reason=reason, seats=taken)


def seat_of(row: Row[Any]) -> Seat:
    if row.level is not None:
        person = computer_player(row.level)
    else:  # The names of erased people are translated.
        person = Person(row.user_id, LazyText(row.name) if row.user_id < 0 else row.name)
    return to_dataclass(Seat, row, person=person)


def reason_columns(reason: str) -> dict[str, Any]:
    """Return the columns of a match with the reason why it ended: in English, and as a message."""
    return {"reason": str(reason), "reason_message": reason.as_data() if isinstance(reason, LazyText) else None}
