"""Challenges and who has joined them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import abuse_counters
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.guilds import attended
from bot.storage.moments import Later, Microseconds, microseconds, moment
from bot.storage.records import EVERYWHERE, ChallengeState, First, Person, computer_player
from bot.storage.tables import blocks, challenge_players, challenges, mentions
from bot.storage.tables.columns import Id, Instant, counted_with, to_dataclass


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to a game, and the people who have joined so far (the challenger is always among them)."""

    id: int
    guild_id: int
    channel_id: int
    game: str
    variant: str
    players: int
    challenger_id: int
    opponent_id: int | None
    first: First
    rated: bool
    pace: int | None
    state: ChallengeState
    rematch_of: int | None
    match_id: int | None
    message_id: int | None
    created_at: datetime
    expires_at: datetime
    levels: tuple[int, ...] = ()
    """The levels of the computer players the challenger has seated."""
    joined: tuple[Person, ...] = ()
    language: str = "en"
    """The tag of the language of the card and of the match."""
    increment: int | None = None
    """The seconds that a move adds to the bank of ``pace``; None if every move has a whole one."""
    code: str | None = None
    """A random text in its link, for people without an account; None where it has no link."""

    @property
    def seated(self) -> tuple[Person, ...]:
        """All who have a seat so far: people in the order in which they joined, then computer players."""
        return (*self.joined, *map(computer_player, self.levels))


@dataclass(frozen=True, slots=True)
class Invitation:
    """An open challenge that a person may accept, and where its card stands; ``challenger`` is a name."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int
    game: str
    challenger_id: int
    challenger: str


async def add(
    tx: AsyncConnection,
    *,
    guild_id: int,
    channel_id: int,
    game: str,
    variant: str,
    players: int,
    challenger_id: int,
    opponent_id: int | None,
    first: First,
    rated: bool,
    pace: int | None,
    increment: int | None = None,
    rematch_of: int | None,
    created_at: datetime,
    expires_at: datetime,
    levels: Sequence[int] = (),
    language: str = "en",
    code: str | None = None,
) -> int:
    """Store an open challenge, with the ``code`` of its link if it has one, and return its id."""
    result = await tx.execute(
        insert(challenges)
        .returning(challenges.c.id)
        .values(
            guild_id=guild_id,
            channel_id=channel_id,
            game=game,
            variant=variant,
            players=players,
            challenger_id=challenger_id,
            opponent_id=opponent_id,
            first=first,
            rated=rated,
            pace=pace,
            increment=increment,
            state=ChallengeState.OPEN,
            rematch_of=rematch_of,
            created_at=created_at,
            expires_at=expires_at,
            levels=tuple(levels),
            language=language,
            code=code,
        )
    )
    return int(result.scalar_one())


async def join(tx: AsyncConnection, challenge_id: int, person: Person, at: datetime) -> None:
    await tx.execute(
        insert(challenge_players).values(challenge_id=challenge_id, user_id=person.id, name=person.name, joined_at=at)
    )


async def leave(tx: AsyncConnection, challenge_id: int, user_id: int) -> None:
    await tx.execute(
        challenge_players.delete().where(
            challenge_players.c.challenge_id == challenge_id, challenge_players.c.user_id == user_id
        )
    )


async def change(tx: AsyncConnection, challenge_id: int, **values: Any) -> None:
    """Set columns of a challenge."""
    await tx.execute(update(challenges).where(challenges.c.id == challenge_id).values(**values))


async def language(tx: AsyncConnection, challenge_id: int) -> str:
    """Return the tag of a challenge's language, or that of English if the challenge is unknown."""
    query = select(challenges.c.language).where(challenges.c.id == challenge_id)
    return (await tx.execute(query)).scalar_one_or_none() or "en"


async def get(tx: AsyncConnection, challenge_id: int, *, lock: bool = False) -> Challenge | None:
    """Return a challenge; ``lock`` keeps others from changing it until the transaction ends."""
    query = select(challenges).where(challenges.c.id == challenge_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else (await _with_players(tx, [row]))[0]


async def of_code(tx: AsyncConnection, code: str) -> Challenge | None:
    """Return the challenge of a code; None where there is none, or in a server that has removed the bot."""
    row = (await tx.execute(select(challenges).where(challenges.c.code == code, attended(challenges)))).one_or_none()
    return None if row is None else (await _with_players(tx, [row]))[0]


async def rematch_of(tx: AsyncConnection, match_id: int, *, lock: bool = False) -> Challenge | None:
    """Return the challenge to a rematch of a match, if there is one; ``lock`` as for ``get``."""
    query = select(challenges).where(challenges.c.rematch_of == match_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else (await _with_players(tx, [row]))[0]


async def of_match(tx: AsyncConnection, match_id: int) -> Challenge | None:
    row = (await tx.execute(select(challenges).where(challenges.c.match_id == match_id))).one_or_none()
    return None if row is None else (await _with_players(tx, [row]))[0]


async def open_of(tx: AsyncConnection, guild_id: int, user_id: int) -> int:
    """Count a person's own open challenges in a server, or in all private homes."""
    query = select(func.count()).where(
        counted_with(challenges.c.guild_id, guild_id),
        challenges.c.challenger_id == user_id,
        challenges.c.state == ChallengeState.OPEN,
    )
    return int((await tx.execute(query)).scalar_one())


async def waits_for(tx: AsyncConnection, challenge_id: int, user_id: int) -> bool:
    """Return whether an earlier challenge to a person waits in the server of one, and they have not moved since."""
    this = select(challenges.c.guild_id).where(challenges.c.id == challenge_id).scalar_subquery()
    acted = select(mentions.c.acted_at).where(mentions.c.guild_id == this, mentions.c.user_id == user_id)
    acted_at = acted.scalar_subquery()
    earlier = challenges.c.opponent_id == user_id, challenges.c.guild_id == this, challenges.c.id < challenge_id
    waits = challenges.c.state == ChallengeState.OPEN, or_(acted_at.is_(None), challenges.c.created_at > acted_at)
    return (await tx.execute(select(challenges.c.id).where(*earlier, *waits).limit(1))).first() is not None


async def called_off(
    tx: AsyncConnection, guild_id: int, user_id: int, since: datetime, now: datetime
) -> list[datetime]:
    """Return the times of a person's challenges that they cancelled since, oldest first.

    Times later than now are left out: the clock was set back since. A deletion of their data does not change it.
    """
    made = select(challenges.c.created_at).where(
        counted_with(challenges.c.guild_id, guild_id),
        challenges.c.challenger_id == user_id,
        challenges.c.state == ChallengeState.CANCELLED,
        challenges.c.created_at > since,
        challenges.c.created_at <= now,
    )
    kept = await abuse_counters.times(tx, user_id, AbuseCounter.CHALLENGE, str(guild_id), now, since)
    return sorted([*(await tx.execute(made)).scalars(), *kept])


async def all_open_of(tx: AsyncConnection, guild_id: int, user_id: int) -> list[Challenge]:
    """Return a person's own open challenges in a server, oldest first."""
    query = (
        select(challenges)
        .where(
            challenges.c.guild_id == guild_id,
            challenges.c.challenger_id == user_id,
            challenges.c.state == ChallengeState.OPEN,
        )
        .order_by(challenges.c.id)
    )
    return await _with_players(tx, await tx.execute(query))


_CHALLENGER, _JOINED = challenge_players.alias("challenger"), challenge_players.alias("joined")
_GUILD, _USER = bindparam("guild", type_=Id), bindparam("user", type_=Id)
_ACCEPTABLE = (
    select(
        *(challenges.c[name] for name in ("id", "guild_id", "channel_id", "message_id", "game", "challenger_id")),
        _CHALLENGER.c.name.label("challenger"),
    )
    .join(
        _CHALLENGER,
        (_CHALLENGER.c.challenge_id == challenges.c.id) & (_CHALLENGER.c.user_id == challenges.c.challenger_id),
    )
    .where(
        challenges.c.message_id.is_not(None),
        challenges.c.expires_at > bindparam("now", type_=Instant),
        challenges.c.challenger_id != _USER,
        ~select(_JOINED.c.user_id)
        .where(_JOINED.c.challenge_id == challenges.c.id, _JOINED.c.user_id == _USER)
        .exists(),
        ~select(blocks.c.user_id)
        .where(
            or_(
                (blocks.c.user_id == _USER) & (blocks.c.blocked_id == challenges.c.challenger_id),
                (blocks.c.blocked_id == _USER) & (blocks.c.user_id == challenges.c.challenger_id),
            )
        )
        .exists(),
    )
    .limit(bindparam("most", type_=Integer))
)
_INVITATIONS = _ACCEPTABLE.where(
    challenges.c.guild_id == _GUILD,
    challenges.c.state == ChallengeState.OPEN,
    challenges.c.channel_id.in_(bindparam("places", type_=Id, expanding=True)),
    challenges.c.rematch_of.is_(None),
    or_(challenges.c.opponent_id.is_(None), challenges.c.opponent_id == _USER),
).order_by((challenges.c.opponent_id == _USER).desc(), challenges.c.id)
# Not "is open": SQLite would go through the open challenges of everyone.
_SENT_TO = _ACCEPTABLE.where(
    challenges.c.opponent_id == _USER,
    challenges.c.state.not_in([state for state in ChallengeState if state is not ChallengeState.OPEN]),
    attended(challenges),
).order_by(challenges.c.id)


async def open_before(
    tx: AsyncConnection, at: datetime, after: tuple[datetime, int], *, most: int
) -> list[tuple[datetime, int]]:
    """Return when open challenges that were made before a time expire, and their ids, in that order.

    They begin behind ``after``, one of these pairs.
    """
    place = challenges.c.expires_at, challenges.c.id
    query = select(*place).where(challenges.c.state == ChallengeState.OPEN, challenges.c.created_at < at)
    query = query.where(place[0] >= after[0], or_(place[0] > after[0], place[1] > after[1]))
    query = query.order_by(*place).limit(most)
    return [(row.expires_at, row.id) for row in await tx.execute(query)]


async def open_places(tx: AsyncConnection, guild_id: int) -> list[int]:
    """Return the channels in which challenges of a server are open."""
    here = challenges.c.guild_id == guild_id, challenges.c.state == ChallengeState.OPEN
    return list((await tx.execute(select(challenges.c.channel_id).where(*here).distinct())).scalars())


async def invitations(
    tx: AsyncConnection, guild_id: int, places: Collection[int], user_id: int, now: datetime, most: int
) -> list[Invitation]:
    """Return the oldest open challenges in some channels that a person may accept, those to them alone first.

    Challenges between people of whom one has blocked the other are left out.
    """
    values = {"guild": guild_id, "places": list(places), "user": user_id, "now": now, "most": most}
    rows: Iterable[Row[Any]] = await tx.execute(_INVITATIONS, values)
    return [to_dataclass(Invitation, row) for row in rows]


async def sent_to(tx: AsyncConnection, user_id: int, now: datetime, most: int) -> list[Invitation]:
    """Return the oldest open challenges of all servers with the bot to a person alone that they may accept."""
    rows: Iterable[Row[Any]] = await tx.execute(_SENT_TO, {"user": user_id, "now": now, "most": most})
    return [to_dataclass(Invitation, row) for row in rows]


async def open_about(tx: AsyncConnection, user_id: int, guild_id: int = EVERYWHERE, *, lock: bool = False) -> list[int]:
    """Return the open challenges of a server, or of all, that a person has made, joined or been sent; ``lock`` as for
    ``get``.
    """
    joined = select(challenge_players.c.challenge_id).where(challenge_players.c.user_id == user_id)
    theirs = or_(made_or_sent(user_id), challenges.c.id.in_(joined))
    query = select(challenges.c.id).where(theirs, challenges.c.state == ChallengeState.OPEN).order_by(challenges.c.id)
    if guild_id != EVERYWHERE:
        query = query.where(challenges.c.guild_id == guild_id)
    return list((await tx.execute(query.with_for_update() if lock else query)).scalars())


async def part_of_person(tx: AsyncConnection, user_id: int, after: int, limit: int) -> list[dict[str, Any]]:
    """Return a person's first challenges, made or received, whose number is higher than ``after``, as rows."""
    query = select(challenges).where(made_or_sent(user_id), challenges.c.id > after).order_by(challenges.c.id)
    return [dict(row._mapping) for row in await tx.execute(query.limit(limit))]


def made_or_sent(user_id: int) -> ColumnElement[bool]:
    """Return whether a person has made or received a challenge."""
    return or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)


async def expired_ids(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the ids of open challenges whose time is up."""
    query = select(challenges.c.id).where(challenges.c.state == ChallengeState.OPEN, challenges.c.expires_at <= now)
    query = query.order_by(challenges.c.id)
    return list((await tx.execute(query)).scalars())


async def shift_open(tx: AsyncConnection, by: timedelta, now: datetime, share: float, most: int) -> list[int]:
    """Move the time at which each open challenge expires.

    Return those that expire first, at most so many, for which that is more than a share of the time they had left.
    """
    still_open = challenges.c.state == ChallengeState.OPEN
    locked = select(challenges.c.id).where(still_open).order_by(challenges.c.id).with_for_update()
    # Said of these, too, so that a database has an index for them.
    moved = update(challenges).where(still_open, challenges.c.id.in_(locked))
    await tx.execute(moved.values(expires_at=Later(challenges.c.expires_at, microseconds(by))))
    had_left = Microseconds(challenges.c.expires_at) - moment(now) - microseconds(by)
    query = select(challenges.c.id).where(still_open, had_left * share < microseconds(abs(by)))
    return list((await tx.execute(query.order_by(challenges.c.expires_at).limit(most))).scalars())


async def _with_players(tx: AsyncConnection, rows: Iterable[Row[Any]]) -> list[Challenge]:
    challenge_rows = list(rows)
    query = (
        select(challenge_players)
        .where(challenge_players.c.challenge_id.in_([row.id for row in challenge_rows]))
        .order_by(challenge_players.c.joined_at, challenge_players.c.user_id)
    )
    joined: dict[int, list[Person]] = {row.id: [] for row in challenge_rows}
    for player in await tx.execute(query):
        joined[player.challenge_id].append(Person(player.user_id, player.name))
    return [
        to_dataclass(
            Challenge, row, joined=tuple(sorted(joined[row.id], key=lambda person: person.id != row.challenger_id))
        )
        for row in challenge_rows
    ]
