"""People: their preferences and rests, blocks and bars, the levels they have beaten, and their erasure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import reratings
from bot.storage.challenges import made_or_sent, open_about
from bot.storage.records import EVERYWHERE, ChallengeState, News
from bot.storage.tables import (
    absences,
    bars,
    blocks,
    challenge_players,
    challenges,
    digests,
    ladder_players,
    levels_beaten,
    matches,
    mentions,
    moves,
    people,
    quiet_turns,
    rating_changes,
    ratings,
    seats,
    visits,
)
from bot.storage.tables.columns import record
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class Preferences:
    """How the bot shows things to a person, in every server."""

    theme: str = "dark"
    coordinates: bool = True
    confirm: bool = False
    """Whether every move built with Play is confirmed, or only one that loses, draws, or was not shown before."""
    text_boards: bool = False
    reminders: bool = True
    aims: bool = True
    """Whether they are shown how a game is won when they first play it."""
    news: News = News.CHANNEL
    """Where they are told that it is their turn."""
    usual_hours: bool = True
    """Whether turns make a sound only in hours of the day in which they move now and then."""
    quiet_from: int | None = None
    """The hour of the day in ``zone`` from which they are not told of their turns; None without quiet hours."""
    quiet_until: int | None = None
    zone: str | None = None
    """The IANA name of their time zone; None for UTC."""
    digest_hour: int | None = None
    """The hour of the day in ``zone`` at which they get a digest; None without one."""
    rest: str | None = None
    """Their weekly rest by its key (``bot.matches.model.rest``); None without any."""
    rest_from: datetime | None = None
    """When it is in force. Without a rest: when the next one may be."""
    language: str | None = None
    """The tag of the language they chose; None for that of their Discord client."""
    locale: str | None = None
    """The tag of the language of their Discord client, as last seen; None before they first use the bot."""

    @property
    def spoken(self) -> str | None:
        """The tag of the language the bot speaks with them; None if it knows neither."""
        return self.language or self.locale


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: the person may not play in the server, or ``EVERYWHERE``."""

    id: int
    guild_id: int
    user_id: int
    at: datetime


async def preferences(tx: AsyncConnection, user_id: int) -> Preferences:
    """Return a person's preferences, the defaults if they have chosen none."""
    row = (await tx.execute(select(people).where(people.c.user_id == user_id))).one_or_none()
    return Preferences() if row is None else record(Preferences, row)


async def put_preferences(tx: AsyncConnection, user_id: int, wanted: Preferences) -> None:
    """Store a person's preferences in place of the earlier ones."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(insert(people).values(user_id=user_id, **asdict(wanted)))


async def refuse_direct_news(tx: AsyncConnection, user_id: int) -> None:
    """Have a person told of their turns in channels, because they take no direct messages; also in single matches."""
    directly = (News.DIRECT, News.BOTH)
    theirs = people.c.user_id == user_id, people.c.news.in_(directly)
    await tx.execute(update(people).where(*theirs).values(news=News.CHANNEL))
    # With ``won``, an index of its own: few of all seats they had.
    running = seats.c.user_id == user_id, seats.c.won.is_(None), seats.c.news.in_(directly)
    await tx.execute(update(seats).where(*running).values(news=None))


@dataclass(frozen=True, slots=True)
class QuietTurns:
    """Turns of a person that began in their quiet hours, from ``since`` on; they are told of them at ``due_at``."""

    id: int
    user_id: int
    since: datetime
    due_at: datetime


async def note_quiet_turn(tx: AsyncConnection, user_id: int, guild_id: int, since: datetime, due_at: datetime) -> None:
    """Note that a turn of a person has begun in their quiet hours, unless one is noted already."""
    new = inserting(tx, quiet_turns).values(user_id=user_id, guild_id=guild_id, since=since, due_at=due_at)
    await tx.execute(new.on_conflict_do_nothing())


async def quiet_hours_over(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the rows of people whose quiet hours are over."""
    over = select(quiet_turns.c.id).where(quiet_turns.c.due_at <= now).order_by(quiet_turns.c.id)
    return list((await tx.execute(over)).scalars())


async def take_quiet_turns(tx: AsyncConnection, row_id: int) -> QuietTurns | None:
    """Delete the row of a person whose quiet hours are over, and return it; None if another process has done so."""
    taken = delete(quiet_turns).where(quiet_turns.c.id == row_id).returning(quiet_turns)
    row = (await tx.execute(taken)).one_or_none()
    return None if row is None else record(QuietTurns, row)


async def quiet_turns_of(tx: AsyncConnection, user_id: int) -> list[QuietTurns]:
    """Return what is noted of a person's turns in their quiet hours."""
    return [
        record(QuietTurns, row) for row in await tx.execute(select(quiet_turns).where(quiet_turns.c.user_id == user_id))
    ]


@dataclass(frozen=True, slots=True)
class Stops:
    """What stops a person's clocks: an absence until ``away_until``, and the key of their weekly rest."""

    away_until: datetime | None
    rest: str | None


_USER = bindparam("of_user", type_=BigInteger)
_STOPS = select(
    select(func.max(absences.c.ends_at))
    .where(
        absences.c.user_id == _USER,
        absences.c.begins_at <= bindparam("now"),
        absences.c.ends_at > bindparam("now"),
        absences.c.grace.is_(False),
    )
    .scalar_subquery(),
    select(people.c.rest).where(people.c.user_id == _USER, people.c.rest_from <= bindparam("now")).scalar_subquery(),
)


async def stops(tx: AsyncConnection, user_id: int, now: datetime) -> Stops:
    """Return what stops a person's clocks now."""
    away_until, rest = (await tx.execute(_STOPS, {"of_user": user_id, "now": now})).one()
    return Stops(away_until, rest)


async def rests(tx: AsyncConnection, user_ids: Collection[int]) -> dict[int, tuple[str, datetime]]:
    """Return the weekly rests of people, by their keys, and when they are in force; people without one are left out."""
    some = people.c.user_id.in_(user_ids), people.c.rest.is_not(None)
    query = select(people.c.user_id, people.c.rest, people.c.rest_from).where(*some)
    return {row.user_id: (row.rest, row.rest_from) for row in await tx.execute(query)}


async def blocked_by(tx: AsyncConnection, user_id: int) -> list[int]:
    return list((await tx.execute(select(blocks.c.blocked_id).where(blocks.c.user_id == user_id))).scalars())


async def who_blocked(tx: AsyncConnection, blocked_id: int, user_ids: Collection[int]) -> list[int]:
    """Return those of some people who have blocked a person."""
    query = select(blocks.c.user_id).where(blocks.c.user_id.in_(user_ids), blocks.c.blocked_id == blocked_id)
    return list((await tx.execute(query)).scalars())


async def blocks_among(tx: AsyncConnection, user_ids: Collection[int]) -> list[tuple[int, int]]:
    """Return which of some people have blocked which others of them."""
    query = select(blocks.c.user_id, blocks.c.blocked_id)
    found = await tx.execute(query.where(blocks.c.user_id.in_(user_ids), blocks.c.blocked_id.in_(user_ids)))
    return [(one, other) for one, other in found]


async def blocks_between(tx: AsyncConnection, one: int, other: int) -> bool:
    """Return whether either of two people has blocked the other."""
    return other in await blocked_by(tx, one) or one in await blocked_by(tx, other)


async def set_block(tx: AsyncConnection, user_id: int, blocked_id: int, *, blocked: bool) -> None:
    """Block a person, or lift the block."""
    await tx.execute(delete(blocks).where(blocks.c.user_id == user_id, blocks.c.blocked_id == blocked_id))
    if blocked:
        await tx.execute(insert(blocks).values(user_id=user_id, blocked_id=blocked_id))


async def add_bar(tx: AsyncConnection, guild_id: int, user_id: int, at: datetime) -> int:
    """Store a bar and return its id. Raises ``IntegrityError`` for a second one of the same person and server."""
    query = insert(bars).returning(bars.c.id).values(guild_id=guild_id, user_id=user_id, at=at)
    return int((await tx.execute(query)).scalar_one())


async def remove_bar(tx: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Lift a bar; return whether there was one."""
    query = delete(bars).where(bars.c.guild_id == guild_id, bars.c.user_id == user_id)
    return (await tx.execute(query)).rowcount > 0


async def bar(tx: AsyncConnection, bar_id: int) -> Bar | None:
    """Return a bar that has not been lifted."""
    row = (await tx.execute(select(bars).where(bars.c.id == bar_id))).one_or_none()
    return None if row is None else record(Bar, row)


async def bar_holding(tx: AsyncConnection, guild_id: int, user_id: int) -> Bar | None:
    """Return the bar that keeps a person from playing in a server; one for ``EVERYWHERE`` goes first."""
    here = bars.c.user_id == user_id, bars.c.guild_id.in_((EVERYWHERE, guild_id))
    row = (await tx.execute(select(bars).where(*here).order_by(bars.c.guild_id))).first()
    return None if row is None else record(Bar, row)


async def bars_of(tx: AsyncConnection, user_id: int) -> list[Bar]:
    """Return a person's bars, oldest first."""
    query = select(bars).where(bars.c.user_id == user_id).order_by(bars.c.id)
    return [record(Bar, row) for row in await tx.execute(query)]


async def bars_in(tx: AsyncConnection, guild_id: int) -> list[Bar]:
    """Return the bars of a server, or those that hold ``EVERYWHERE``, newest first."""
    query = select(bars).where(bars.c.guild_id == guild_id).order_by(bars.c.id.desc())
    return [record(Bar, row) for row in await tx.execute(query)]


async def every_bar(tx: AsyncConnection) -> list[Bar]:
    """Return every bar, by server and then the newest first."""
    return [record(Bar, row) for row in await tx.execute(select(bars).order_by(bars.c.guild_id, bars.c.id.desc()))]


async def note_level_beaten(tx: AsyncConnection, user_id: int, game: str, level: int, match_id: int) -> None:
    """Store that a person has beaten a level in a match, unless they had before."""
    values = {"user_id": user_id, "game": game, "level": level, "match_id": match_id}
    await tx.execute(inserting(tx, levels_beaten).values(values).on_conflict_do_nothing())


async def level_first_beaten_with(tx: AsyncConnection, match_id: int) -> int | None:
    """Return the level that a person beat for the first time with a match, or None."""
    query = select(levels_beaten.c.level).where(levels_beaten.c.match_id == match_id)
    return (await tx.execute(query)).scalar_one_or_none()


async def highest_levels_beaten(tx: AsyncConnection, user_id: int) -> dict[str, int]:
    """Return the highest level a person has beaten, by game."""
    query = (
        select(levels_beaten.c.game, func.max(levels_beaten.c.level).label("level"))
        .where(levels_beaten.c.user_id == user_id)
        .group_by(levels_beaten.c.game)
        .order_by(levels_beaten.c.game)
    )
    return {row.game: row.level for row in await tx.execute(query)}


async def results_against_computers(tx: AsyncConnection, user_id: int, game: str) -> list[tuple[int, bool | None]]:
    """Return the lowest level and whether the person won, None for a draw, of each match that counts, newest first.

    These are the finished matches of one person against computer players alone, in any server. Left out are wins that
    repeat, move for move, an earlier one against the same level.
    """
    against = _against_computers(user_id, game).add_columns(matches.c.variant, matches.c.ply).cte("against")
    found, earlier, then, now = against.alias(), against.alias(), moves.alias(), moves.alias()
    other = select(then).join(now, now.c.ply == then.c.ply)
    other = other.where(then.c.match_id == earlier.c.id, now.c.match_id == found.c.id, then.c.text != now.c.text)
    same = [earlier.c[column] == found.c[column] for column in ("level", "won", "variant", "ply")]
    repeats = select(earlier).where(earlier.c.finish < found.c.finish, found.c.won, *same, ~other.exists()).exists()
    query = select(found.c.level, found.c.won).where(~repeats).order_by(found.c.finish.desc())
    return [(row.level, row.won) for row in await tx.execute(query)]


async def levels_beaten_by(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    query = (
        select(levels_beaten)
        .where(levels_beaten.c.user_id == user_id)
        .order_by(levels_beaten.c.game, levels_beaten.c.level)
    )
    return [dict(row._mapping) for row in await tx.execute(query)]


async def remove_levels_beaten(tx: AsyncConnection, match_id: int) -> None:
    """Forget that a voided match has beaten a level, unless its winner has beaten the level in another one, too."""
    voided = delete(levels_beaten).where(levels_beaten.c.match_id == match_id).returning(levels_beaten)
    for row in (await tx.execute(voided)).all():
        found = _against_computers(row.user_id, row.game).subquery()
        wins = select(found.c.id).where(found.c.level == row.level, found.c.won.is_(True)).order_by(found.c.finish)
        other = (await tx.execute(wins.limit(1))).scalar_one_or_none()
        if other is not None:
            await note_level_beaten(tx, row.user_id, row.game, row.level, other)


async def delete_settings(tx: AsyncConnection, user_id: int) -> None:
    """Delete the rows of a person, except in matches and ratings; blocks by others stay, as bars do."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(delete(absences).where(absences.c.user_id == user_id))
    await tx.execute(delete(levels_beaten).where(levels_beaten.c.user_id == user_id))
    await tx.execute(delete(blocks).where(blocks.c.user_id == user_id))
    for table in (quiet_turns, digests, mentions, ladder_players, visits):
        await tx.execute(delete(table).where(table.c.user_id == user_id))


async def anonymise(tx: AsyncConnection, user_id: int, nobody_id: int, name: str) -> list[int]:
    """Put ``nobody_id`` and ``name`` in a person's place everywhere.

    Cancel their open challenges, and remove them from those of others. Return the numbers of these challenges.
    """
    touched = await open_about(tx, user_id, lock=True)
    still_open = challenges.c.state == ChallengeState.OPEN
    others = select(challenges.c.id).where(still_open, challenges.c.challenger_id != user_id)
    await tx.execute(
        delete(challenge_players).where(
            challenge_players.c.user_id == user_id, challenge_players.c.challenge_id.in_(others)
        )
    )
    await tx.execute(update(challenges).where(made_or_sent(user_id), still_open).values(state=ChallengeState.CANCELLED))
    for column in (challenges.c.challenger_id, challenges.c.opponent_id):
        await tx.execute(update(challenges).where(column == user_id).values({column.name: nobody_id}))
    theirs = {"user_id": nobody_id, "name": name}
    await tx.execute(update(challenge_players).where(challenge_players.c.user_id == user_id).values(theirs))
    await tx.execute(update(seats).where(seats.c.user_id == user_id).values(news=None, **theirs))
    await tx.execute(
        update(matches).where(matches.c.voided_by == user_id).values(voided_by=nobody_id, voided_name=None)
    )
    await reratings.begin_anew(tx, user_id)
    for table in (ratings, rating_changes):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id))
    return touched


def _against_computers(user_id: int, game: str) -> Select[tuple[int, int, bool | None, int]]:
    """Return the query for a person's matches that count against computer players alone, with their lowest level."""
    mine, others = seats.alias(), seats.alias()
    opponents = select(others).where(others.c.match_id == matches.c.id, others.c.seat != mine.c.seat)
    lowest = select(func.min(others.c.level)).where(others.c.match_id == matches.c.id).scalar_subquery()
    return (
        select(matches.c.id, lowest.label("level"), mine.c.won, matches.c.finish)
        .join(mine, mine.c.match_id == matches.c.id)
        .where(mine.c.user_id == user_id, matches.c.game == game, matches.c.voided_by.is_(None))
        # An imported match does not count, and has no place in the order in which matches ended.
        .where(~opponents.where(others.c.level.is_(None)).exists(), matches.c.finish.is_not(None))
    )
