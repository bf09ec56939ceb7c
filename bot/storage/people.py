"""People: how the bot shows things to them, where it tells them of their turns, and what stops their clocks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import BigInteger, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import News
from bot.storage.tables import absences, people, seats
from bot.storage.tables.columns import to_dataclass


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
    graces: bool = True
    """Whether days away are spent by themselves before they lose a match on time."""
    shows_name: bool = False
    """Whether people who watch a match of theirs by a link see their name."""
    language: str | None = None
    """The tag of the language they chose; None for that of their Discord client."""
    locale: str | None = None
    """The tag of the language of their Discord client, as last seen; None before they first use the bot."""

    @property
    def spoken(self) -> str | None:
        """The tag of the language the bot speaks with them; None if it knows neither."""
        return self.language or self.locale


async def preferences(tx: AsyncConnection, user_id: int) -> Preferences:
    """Return a person's preferences, the defaults if they have chosen none."""
    row = (await tx.execute(select(people).where(people.c.user_id == user_id))).one_or_none()
    return Preferences() if row is None else to_dataclass(Preferences, row)


async def put_preferences(tx: AsyncConnection, user_id: int, new_preferences: Preferences) -> None:
    """Store a person's preferences in place of the earlier ones."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(insert(people).values(user_id=user_id, **asdict(new_preferences)))


async def refuse_direct_news(tx: AsyncConnection, user_id: int) -> None:
    """Have a person told of their turns in channels, because they take no direct messages; also in single matches."""
    directly = (News.DIRECT, News.BOTH)
    theirs = people.c.user_id == user_id, people.c.news.in_(directly)
    await tx.execute(update(people).where(*theirs).values(news=News.CHANNEL))
    # With ``won``, an index of its own: few of all seats they had.
    running = seats.c.user_id == user_id, seats.c.won.is_(None), seats.c.news.in_(directly)
    await tx.execute(update(seats).where(*running).values(news=None))


@dataclass(frozen=True, slots=True)
class Stops:
    """What stops a person's clocks: an absence until ``away_until``, and the key of their weekly rest.

    Their quiet hours stop none, but reminders keep to them.
    """

    away_until: datetime | None
    rest: str | None
    quiet_from: int | None
    quiet_until: int | None
    zone: str | None


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
    *(
        select(column).where(people.c.user_id == _USER).scalar_subquery()
        for column in (people.c.quiet_from, people.c.quiet_until, people.c.zone)
    ),
)


async def stops(tx: AsyncConnection, user_id: int, now: datetime) -> Stops:
    """Return what stops a person's clocks now."""
    return Stops(*(await tx.execute(_STOPS, {"of_user": user_id, "now": now})).one())


async def rests(tx: AsyncConnection, user_ids: Collection[int]) -> dict[int, tuple[str, datetime]]:
    """Return the weekly rests of people, by their keys, and when they are in force; people without one are left out."""
    some = people.c.user_id.in_(user_ids), people.c.rest.is_not(None)
    query = select(people.c.user_id, people.c.rest, people.c.rest_from).where(*some)
    return {row.user_id: (row.rest, row.rest_from) for row in await tx.execute(query)}
