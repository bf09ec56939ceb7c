"""Ratings and their changes. The game ``OVERALL`` stands for all games of a server together.

When a match is voided, the bot rates all results of its server again, part by part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guilds import being_deleted
from bot.storage.rating_records import RatedResult, Rating, RatingChange
from bot.storage.records import EntryKind
from bot.storage.tables import matches, moves, rating_changes, ratings, seats
from bot.storage.tables.columns import to_dataclass

OVERALL = ""


async def of(tx: AsyncConnection, guild_id: int, game: str, user_ids: Collection[int]) -> dict[int, Rating]:
    query = select(ratings).where(
        ratings.c.guild_id == guild_id, ratings.c.game == game, ratings.c.user_id.in_(user_ids)
    )
    return {row.user_id: to_dataclass(Rating, row) for row in await tx.execute(query)}


async def everywhere(tx: AsyncConnection, guild_id: int, user_id: int) -> dict[str, Rating]:
    """Return a person's ratings in a server by game, the overall one included."""
    query = select(ratings).where(ratings.c.guild_id == guild_id, ratings.c.user_id == user_id)
    return {row.game: to_dataclass(Rating, row) for row in await tx.execute(query)}


async def all_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's ratings in every server, as rows."""
    return [dict(row._mapping) for row in await tx.execute(select(ratings).where(ratings.c.user_id == user_id))]


async def everything(tx: AsyncConnection) -> dict[tuple[int, str, int], Rating]:
    """Return every rating by server, game and person."""
    rows = await tx.execute(select(ratings))
    return {(row.guild_id, row.game, row.user_id): to_dataclass(Rating, row) for row in rows}


async def put(tx: AsyncConnection, guild_id: int, game: str, new: Iterable[Rating], at: datetime) -> None:
    """Store the ratings of some people in one game in place of earlier ones."""
    values = [
        {
            "guild_id": guild_id,
            "game": game,
            "user_id": rating.user_id,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "wins": rating.wins,
            "draws": rating.draws,
            "losses": rating.losses,
            "updated_at": at,
        }
        for rating in new
    ]
    await tx.execute(
        delete(ratings).where(
            ratings.c.guild_id == guild_id,
            ratings.c.game == game,
            ratings.c.user_id.in_([value["user_id"] for value in values]),
        )
    )
    await tx.execute(insert(ratings), values)


async def add_changes(tx: AsyncConnection, game: str, changes: Iterable[RatingChange]) -> None:
    """Store the rating changes of a match."""
    await tx.execute(
        insert(rating_changes),
        [
            {
                "match_id": change.match_id,
                "game": game,
                "user_id": change.user_id,
                "mu_before": change.mu_before,
                "sigma_before": change.sigma_before,
                "mu_after": change.mu_after,
                "sigma_after": change.sigma_after,
                "at": change.at,
                "weight": change.weight,
            }
            for change in changes
        ],
    )


async def met_since(
    tx: AsyncConnection, guild_id: int, user_ids: Collection[int], since: datetime
) -> list[tuple[int, int, datetime]]:
    """Return which people have met whom in rated matches of a server since a time, and when."""
    query = (
        select(rating_changes.c.user_id, seats.c.user_id.label("other"), rating_changes.c.at)
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .join(seats, and_(seats.c.match_id == matches.c.id, seats.c.user_id != rating_changes.c.user_id))
        .where(rating_changes.c.user_id.in_(user_ids), rating_changes.c.game == OVERALL, rating_changes.c.at > since)
        .where(matches.c.guild_id == guild_id)
    )
    return [(row.user_id, row.other, row.at) for row in await tx.execute(query)]


async def changes_of_match(tx: AsyncConnection, match_id: int, game: str) -> dict[int, RatingChange]:
    """Return the rating changes of a match in a game, by person."""
    query = select(rating_changes).where(rating_changes.c.match_id == match_id, rating_changes.c.game == game)
    return {row.user_id: to_dataclass(RatingChange, row) for row in await tx.execute(query)}


async def has_changed(tx: AsyncConnection, match_id: int) -> bool:
    """Return whether the result of a match counts in ratings."""
    query = select(rating_changes.c.match_id).where(rating_changes.c.match_id == match_id)
    return (await tx.execute(query.limit(1))).first() is not None


async def history(tx: AsyncConnection, guild_id: int, game: str, user_id: int, most: int) -> list[RatingChange]:
    """Return a person's rating changes in a server and game, oldest first: at most so many, evenly spread."""
    order = rating_changes.c.at, rating_changes.c.match_id
    every = (
        select(
            rating_changes,
            func.row_number().over(order_by=[column.desc() for column in order]).label("number"),
            func.count().over().label("total"),
        )
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .where(matches.c.guild_id == guild_id, rating_changes.c.game == game, rating_changes.c.user_id == user_id)
        .subquery()
    )
    # From the last one back.
    query = select(every).where((every.c.number - 1) % ((every.c.total + most - 1) // most) == 0)
    return [to_dataclass(RatingChange, row) for row in await tx.execute(query.order_by(every.c.number.desc()))]


async def finishes_after(tx: AsyncConnection, guild_id: int, finish: int, limit: int) -> list[int]:
    """Return the finish numbers of the first results of a server that count after one of them."""
    query = select(matches.c.finish).where(*_counted_after(guild_id, finish))
    return list((await tx.execute(query.order_by(matches.c.finish).limit(limit))).scalars())


async def results_between(tx: AsyncConnection, guild_id: int, finish: int, last: int) -> list[RatedResult]:
    """Return the results of a server that count after one finish number up to another, in the order they were rated."""
    of_match = matches.c.id, matches.c.finish, matches.c.game
    of_seat = seats.c.user_id, seats.c.won, seats.c.seat, seats.c.dropped
    query = (
        select(*of_match, *of_seat)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(*_counted_after(guild_id, finish), matches.c.finish <= last)
        .order_by(matches.c.finish, seats.c.seat)
    )
    rows: list[Row[Any]] = list(await tx.execute(query))
    taken = [list(same) for _, same in groupby(rows, key=attrgetter("id"))]
    order = await _drops(tx, [match[0].id for match in taken if len(match) > 2])
    results = []
    for match in taken:
        first, people = match[0], tuple(seat.user_id for seat in match)
        winners = frozenset(seat.seat for seat in match if seat.won is not False)
        dropped = order.get(first.id, [seat.seat for seat in match if seat.dropped])
        results.append(RatedResult(first.id, first.finish, (first.game, OVERALL), people, winners, tuple(dropped)))
    return results


async def changes_of(tx: AsyncConnection, match_ids: Collection[int]) -> dict[tuple[int, str, int], RatingChange]:
    """Return the rating changes of some matches, by match, game and person."""
    query = select(rating_changes).where(rating_changes.c.match_id.in_(match_ids))
    return {(row.match_id, row.game, row.user_id): to_dataclass(RatingChange, row) for row in await tx.execute(query)}


async def put_changes(tx: AsyncConnection, changes: Iterable[tuple[str, RatingChange]]) -> None:
    """Store changes of ratings, each with its game, in place of the stored ones."""
    same = rating_changes.c.match_id == bindparam("of"), rating_changes.c.user_id == bindparam("whose")
    columns = ("mu_before", "sigma_before", "mu_after", "sigma_after")
    query = update(rating_changes).where(*same, rating_changes.c.game == bindparam("in_game"))
    values = [
        {"of": change.match_id, "whose": change.user_id, "in_game": game}
        | {f"new_{column}": getattr(change, column) for column in columns}
        for game, change in changes
    ]
    if values:
        await tx.execute(query.values({column: bindparam(f"new_{column}") for column in columns}), values)


async def remove_changes(tx: AsyncConnection, match_id: int) -> None:
    """Delete the rating changes of a match: it counts no more."""
    await tx.execute(delete(rating_changes).where(rating_changes.c.match_id == match_id))


async def part_after(
    tx: AsyncConnection, guild_id: int, last: tuple[str, int] | None, limit: int
) -> dict[tuple[str, int], tuple[Rating, datetime]]:
    """Return ratings of a server after a game and person, by game and person, each with the time of its last change."""
    query = select(ratings).where(ratings.c.guild_id == guild_id).order_by(ratings.c.game, ratings.c.user_id)
    if last is not None:
        query = query.where(tuple_(ratings.c.game, ratings.c.user_id) > last)
    rows = await tx.execute(query.limit(limit))
    return {(row.game, row.user_id): (to_dataclass(Rating, row), row.updated_at) for row in rows}


async def correct(
    tx: AsyncConnection, guild_id: int, corrections: Mapping[tuple[str, int], tuple[Rating, datetime] | None]
) -> None:
    """Put ratings in place of those stored for a game and person; delete those of which there is None."""
    same = (
        ratings.c.guild_id == guild_id,
        ratings.c.game == bindparam("in_game"),
        ratings.c.user_id == bindparam("whose"),
    )
    columns = ("mu", "sigma", "wins", "draws", "losses")
    new = [
        {"in_game": game, "whose": user_id, "new_updated_at": rated[1]}
        | {f"new_{column}": getattr(rated[0], column) for column in columns}
        for (game, user_id), rated in corrections.items()
        if rated is not None
    ]
    if new:
        query = update(ratings).where(*same)
        await tx.execute(query.values({each: bindparam(f"new_{each}") for each in (*columns, "updated_at")}), new)
    gone = [{"in_game": game, "whose": user_id} for (game, user_id), rated in corrections.items() if rated is None]
    if gone:
        await tx.execute(delete(ratings).where(*same), gone)


def _counted_after(guild_id: int, finish: int) -> tuple[ColumnElement[bool], ...]:
    counted = select(rating_changes.c.match_id).where(rating_changes.c.match_id == matches.c.id).exists()
    not_deleted = ~being_deleted(matches.c.id, matches.c.guild_id)
    return matches.c.guild_id == guild_id, matches.c.finish > finish, counted, not_deleted


async def _drops(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, list[int]]:
    """Return the seats that left some matches, in that order, by match."""
    dropped: dict[int, list[int]] = {}
    if match_ids:
        query = select(moves.c.match_id, moves.c.seat).where(
            moves.c.kind == EntryKind.DROP, moves.c.match_id.in_(match_ids)
        )
        for row in await tx.execute(query.order_by(moves.c.match_id, moves.c.ply)):
            dropped.setdefault(row.match_id, []).append(row.seat)
    return dropped
