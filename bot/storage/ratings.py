"""Ratings and their changes. The game ``OVERALL`` stands for all games of a server together.

When a match is voided, the bot rates the later results of its server again, part by part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Row,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchState, MoveKind, Rating, RatingChange
from bot.storage.tables import matches, moves, rating_changes, ratings, seats
from bot.storage.tables.columns import record

OVERALL = ""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The result of a rated match, seat by seat. ``dropped`` are the seats that left it, in that order."""

    match_id: int
    finish: int
    game: str
    people: tuple[int, ...]
    winners: frozenset[int]
    dropped: tuple[int, ...]


async def of(tx: AsyncConnection, guild_id: int, game: str, user_ids: Collection[int]) -> dict[int, Rating]:
    """Return the ratings of those of some people who have one in a game."""
    query = select(ratings).where(
        ratings.c.guild_id == guild_id, ratings.c.game == game, ratings.c.user_id.in_(user_ids)
    )
    return {row.user_id: record(Rating, row) for row in await tx.execute(query)}


async def everywhere(tx: AsyncConnection, guild_id: int, user_id: int) -> dict[str, Rating]:
    """Return a person's ratings in a server by game, the overall one included."""
    query = select(ratings).where(ratings.c.guild_id == guild_id, ratings.c.user_id == user_id)
    return {row.game: record(Rating, row) for row in await tx.execute(query)}


async def all_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's ratings in every server, as rows."""
    return [dict(row._mapping) for row in await tx.execute(select(ratings).where(ratings.c.user_id == user_id))]


async def board(tx: AsyncConnection, guild_id: int, game: str, since: datetime) -> list[Rating]:
    """Return the ratings of a game in a server that changed since a time; their order has no meaning."""
    query = select(ratings).where(
        ratings.c.guild_id == guild_id,
        ratings.c.game == game,
        ratings.c.updated_at >= since,
        ratings.c.user_id > 0,  # erased people have a negative number
    )
    return [record(Rating, row) for row in await tx.execute(query)]


async def everything(tx: AsyncConnection) -> dict[tuple[int, str, int], Rating]:
    """Return every rating by server, game and person."""
    return {(row.guild_id, row.game, row.user_id): record(Rating, row) for row in await tx.execute(select(ratings))}


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
            }
            for change in changes
        ],
    )


async def changes_of_match(tx: AsyncConnection, match_id: int, game: str) -> dict[int, RatingChange]:
    """Return the rating changes of a match in a game, by person."""
    query = select(rating_changes).where(rating_changes.c.match_id == match_id, rating_changes.c.game == game)
    return {row.user_id: record(RatingChange, row) for row in await tx.execute(query)}


async def has_changed(tx: AsyncConnection, match_id: int) -> bool:
    """Return whether the result of a match counts in ratings."""
    query = select(rating_changes.c.match_id).where(rating_changes.c.match_id == match_id)
    return (await tx.execute(query.limit(1))).first() is not None


async def history(tx: AsyncConnection, guild_id: int, game: str, user_id: int) -> list[RatingChange]:
    """Return a person's rating changes in a server and game, oldest first."""
    query = (
        select(rating_changes)
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .where(matches.c.guild_id == guild_id, rating_changes.c.game == game, rating_changes.c.user_id == user_id)
        .order_by(rating_changes.c.at, rating_changes.c.match_id)
    )
    return [record(RatingChange, row) for row in await tx.execute(query)]


async def erased(tx: AsyncConnection, guild_id: int) -> int:
    """Return the number of ratings of erased people in a server."""
    query = select(func.count()).where(ratings.c.guild_id == guild_id, ratings.c.user_id < 0)
    return int((await tx.execute(query)).scalar_one())


async def result_of(tx: AsyncConnection, match_id: int) -> StoredResult | None:
    """Return the result of a match that counts in ratings; None for any other match."""
    counted = (*_COUNTED, matches.c.id == match_id)
    return next(iter(await _results(tx, select(matches.c.id).where(*counted))), None)


async def results_after(tx: AsyncConnection, guild_id: int, finish: int, limit: int) -> list[StoredResult]:
    """Return the first rated results of a server after a finish number, in the order in which they were rated."""
    later = (*_COUNTED, matches.c.guild_id == guild_id, matches.c.finish > finish)
    return await _results(tx, select(matches.c.id).where(*later).order_by(matches.c.finish).limit(limit))


async def changes_of(tx: AsyncConnection, match_ids: Collection[int]) -> dict[tuple[int, str, int], RatingChange]:
    """Return the rating changes of some matches, by match, game and person."""
    query = select(rating_changes).where(rating_changes.c.match_id.in_(match_ids))
    return {(row.match_id, row.game, row.user_id): record(RatingChange, row) for row in await tx.execute(query)}


async def put_changes(tx: AsyncConnection, game: str, changes: Sequence[RatingChange]) -> None:
    """Store the changes that matches made in a game in place of the stored ones."""
    if not changes:
        return
    same = rating_changes.c.match_id == bindparam("of"), rating_changes.c.user_id == bindparam("whose")
    columns = ("mu_before", "sigma_before", "mu_after", "sigma_after")
    query = update(rating_changes).where(*same, rating_changes.c.game == bindparam("in_game"))
    values = [
        {"of": change.match_id, "whose": change.user_id, "in_game": game}
        | {f"new_{column}": getattr(change, column) for column in columns}
        for change in changes
    ]
    await tx.execute(query.values({column: bindparam(f"new_{column}") for column in columns}), values)


async def put_standing(tx: AsyncConnection, guild_id: int, game: str, standing: Mapping[int, Rating]) -> None:
    """Store people's ratings in a game of a server; their records stay as they are."""
    if standing:
        same = ratings.c.guild_id == guild_id, ratings.c.game == game, ratings.c.user_id == bindparam("whose")
        query = update(ratings).where(*same).values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"))
        values = [{"whose": user, "new_mu": one.mu, "new_sigma": one.sigma} for user, one in standing.items()]
        await tx.execute(query, values)


async def remove_changes(tx: AsyncConnection, match_id: int) -> None:
    """Delete the rating changes of a match."""
    await tx.execute(delete(rating_changes).where(rating_changes.c.match_id == match_id))


async def put_record(tx: AsyncConnection, guild_id: int, game: str, rating: Rating) -> None:
    """Store the record of a person's rating, and when they were rated last; delete a rating without a game."""
    mine = ratings.c.guild_id == guild_id, ratings.c.game == game, ratings.c.user_id == rating.user_id
    if not rating.games:
        await tx.execute(delete(ratings).where(*mine))
        return
    last = (
        select(func.max(rating_changes.c.at))
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .where(rating_changes.c.user_id == rating.user_id, rating_changes.c.game == game)
        .where(matches.c.guild_id == guild_id)
        .scalar_subquery()
    )
    record = {"wins": rating.wins, "draws": rating.draws, "losses": rating.losses}
    await tx.execute(update(ratings).where(*mine).values(**record, updated_at=last))


_COUNTED = matches.c.rated.is_(True), matches.c.state == MatchState.OVER, matches.c.voided_by.is_(None)


async def _results(tx: AsyncConnection, ids: Select[Any]) -> list[StoredResult]:
    """Return the results of the selected matches, in the order in which they were rated."""
    chosen = ids.subquery()
    query = (
        select(
            matches.c.id, matches.c.finish, matches.c.game, seats.c.user_id, seats.c.won, seats.c.seat, seats.c.dropped
        )
        .join(chosen, chosen.c.id == matches.c.id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(matches.c.finish.is_not(None))
        .order_by(matches.c.finish, seats.c.seat)
    )
    found: list[Row[Any]] = list(await tx.execute(query))
    taken = [list(rows) for _, rows in groupby(found, key=attrgetter("id"))]
    order = await _drops(tx, [rows[0].id for rows in taken if len(rows) > 2])
    return [_result(rows, order.get(rows[0].id)) for rows in taken]


async def _drops(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, list[int]]:
    """Return the seats that left some matches, in that order, by match."""
    found: dict[int, list[int]] = {}
    if match_ids:
        query = select(moves.c.match_id, moves.c.seat).where(
            moves.c.kind == MoveKind.DROP, moves.c.match_id.in_(match_ids)
        )
        for row in await tx.execute(query.order_by(moves.c.match_id, moves.c.ply)):
            found.setdefault(row.match_id, []).append(row.seat)
    return found


def _result(rows: Sequence[Row[Any]], order: list[int] | None) -> StoredResult:
    winners = frozenset(row.seat for row in rows if row.won is not False)
    dropped = order if order is not None else [row.seat for row in rows if row.dropped]
    first = rows[0]
    return StoredResult(first.id, first.finish, first.game, tuple(row.user_id for row in rows), winners, tuple(dropped))
