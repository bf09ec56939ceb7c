"""The messages to post about a match, as rows of the outbox, in the transaction that causes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import matches, outbox
from bot.storage.people import Bar
from bot.storage.records import Match, RequestId

_DAY = timedelta(days=1)


class Kind(StrEnum):
    """The kinds of messages in the outbox. Their values are stored, so they never change."""

    CARD = "card"
    """Post the card of a challenge, or bring the one posted up to date."""
    THREAD = "thread"
    """Open the thread of a match on its card."""
    BOARD = "board"
    """Post the board of a match as it stands at a ply."""
    RETIRE_BOARD = "past_board"
    """Take the controls off a board that is no longer the newest."""
    RETIRE_NOTICE = "past_notice"
    """Take the button off a reminder or late notice of an earlier turn."""
    OFFER = "offer"
    """Post an offer, or bring the one posted up to date."""
    REMINDER = "reminder"
    """Remind the person to move that time is running out."""
    LATE = "late"
    """Tell the others that the time is up and the win may be claimed."""
    VOIDED = "voided"
    """Tell the people of a match that it was voided, in place of its board."""
    BARRED = "barred"
    """Tell a person directly that they may no longer play in a server, or in any."""
    DAILY_PUZZLE = "daily_puzzle"
    """Post a server's puzzle of the day."""
    DAILY_COUNT = "daily_count"
    """Update the solver count on a puzzle of the day."""
    SHARE = "share"
    """Post what a person shares, or take their name off what was posted."""
    CUP = "cup"
    """Post the message of a cup, or bring the one posted up to date."""
    CUP_RESULT = "cup_result"
    """Post the final table of a cup."""
    CUP_MEMBER = "cup_member"
    """Ask Discord whether a player of a cup is still in the server."""
    CUP_OUT = "cup_out"
    """Tell a player directly that they are out of a cup."""
    UNCOUNTED = "uncounted"
    """Say on the board of a running match that it no longer counts for its cup."""


async def card(tx: AsyncConnection, challenge_id: int, occasion: str, at: datetime) -> None:
    """Have the card of a challenge posted or brought up to date, once for each ``occasion``."""
    await outbox.add(
        tx,
        key=f"card:{challenge_id}:{occasion}",
        topic=f"challenge:{challenge_id}",
        kind=Kind.CARD,
        payload={"challenge": challenge_id},
        at=at,
    )


async def cup(tx: AsyncConnection, cup_id: int, occasion: str, at: datetime) -> None:
    """Have the message of a cup posted or brought up to date, once for each ``occasion``."""
    key, topic = f"cup:{cup_id}:{occasion}", _cup_topic(cup_id)
    await outbox.add(tx, key=key, topic=topic, kind=Kind.CUP, payload={"cup": cup_id}, at=at)


async def cup_result(tx: AsyncConnection, cup_id: int, at: datetime) -> None:
    """Have the final table of a cup posted."""
    key, topic = f"cup_result:{cup_id}", _cup_topic(cup_id)
    await outbox.add(tx, key=key, topic=topic, kind=Kind.CUP_RESULT, payload={"cup": cup_id}, at=at)


async def cup_members(tx: AsyncConnection, cup_id: int, players: Iterable[int], at: datetime) -> None:
    """Have Discord asked whether players of a cup, by their numbers, are in the server: once a day (UTC) for each."""
    topic, day = f"cup_members:{cup_id}", at.astimezone(UTC).date().isoformat()
    for player in players:
        key, payload = f"cup_member:{cup_id}:{player}:{day}", {"cup": cup_id, "player": player}
        await outbox.add_once(tx, key=key, topic=topic, kind=Kind.CUP_MEMBER, payload=payload, at=at)


async def cup_out(tx: AsyncConnection, cup_id: int, player: int, at: datetime) -> None:
    """Tell a player of a cup, by their number, directly that they are out of it."""
    key, payload = f"cup_out:{cup_id}:{player}", {"cup": cup_id, "player": player}
    await outbox.add(tx, key=key, topic=key, kind=Kind.CUP_OUT, payload=payload, at=at)


async def uncounted(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Have the board of a running match say that it no longer counts for its cup."""
    key, payload = f"uncounted:{match_id}", {"match": match_id}
    await outbox.add_once(tx, key=key, topic=_topic(match_id), kind=Kind.UNCOUNTED, payload=payload, at=at)


async def thread(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Have a thread opened for a new match."""
    await outbox.add(
        tx,
        key=f"thread:{match_id}",
        topic=_topic(match_id),
        kind=Kind.THREAD,
        payload={"match": match_id},
        at=at,
    )


async def board(
    tx: AsyncConnection,
    match_id: int,
    ply: int,
    at: datetime,
    *,
    notified: Sequence[int] = (),
    begin: outbox.Begin | None = None,
) -> outbox.OutboxMessage | None:
    """Have the board of a match posted as it stands at ``ply``, without mentioning the seats ``notified`` before.

    Return the message if this process is to ``begin`` it and may.
    """
    key, topic = _board_key(match_id, ply), _topic(match_id)
    payload = {"match": match_id, "ply": ply, "notified": list(notified)}
    if begin is not None:
        return await outbox.add_begun(tx, begin, key=key, topic=topic, kind=Kind.BOARD, payload=payload, at=at)
    await outbox.add(tx, key=key, topic=topic, kind=Kind.BOARD, payload=payload, at=at)
    return None


async def board_once(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Have the board of a match posted as it stands at ``ply``, unless it has a message already."""
    if not await outbox.known(tx, _board_key(match_id, ply)):
        await board(tx, match_id, ply, at)


async def board_again(
    tx: AsyncConnection, match: Match, occasion: RequestId, at: datetime, *, notified: Sequence[int] = ()
) -> None:
    """Have the board of a match posted once more, in place of one that is gone or never came."""
    await outbox.add(
        tx,
        key=f"board:{match.id}:{match.ply}:{occasion}",
        topic=_topic(match.id),
        kind=_kind_of_board(match),
        payload={"match": match.id, "ply": match.ply, "notified": list(notified), "instead_of": match.board_message_id},
        at=at,
    )


async def voided(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Have the people of a match told that it was voided."""
    payload = {"match": match_id}
    await outbox.add(tx, key=f"voided:{match_id}", topic=_topic(match_id), kind=Kind.VOIDED, payload=payload, at=at)


async def barred(tx: AsyncConnection, bar: Bar) -> None:
    """Have a person told directly of a new bar, unless they were told of one from the same server within a day."""
    today, yesterday = (f"barred:{bar.guild_id}:{bar.user_id}:{at.date()}" for at in (bar.at, bar.at - _DAY))
    if not await outbox.known(tx, today, yesterday, since=bar.at - _DAY):
        payload = {"bar": bar.id, "guild": bar.guild_id}
        await outbox.add(tx, key=today, topic=f"bar:{bar.id}", kind=Kind.BARRED, payload=payload, at=bar.at)


async def retire_board(
    tx: AsyncConnection, match: Match, at: datetime, begin: outbox.Begin
) -> outbox.OutboxMessage | None:
    """Have this process retire the board that was the newest of ``match`` so far; return None if it has none."""
    if match.board_message_id is None:
        return None
    shown = {"channel": match.board_channel_id, "message": match.board_message_id, "ply": match.board_ply}
    key = f"past:{match.board_message_id}"
    payload = {"match": match.id, **shown}
    return await outbox.add_begun(tx, begin, key=key, topic=key, kind=Kind.RETIRE_BOARD, payload=payload, at=at)


async def retire_notices(tx: AsyncConnection, match_id: int, before: int, at: datetime) -> None:
    """Have the buttons taken off the reminders and late notices from before a ply."""
    for notice in await matches.take_notices(tx, match_id, before):
        shown = {"channel": notice.channel_id, "message": notice.message_id, "ply": notice.ply, "notice": notice.kind}
        key = f"past:{notice.message_id}"
        await outbox.add(tx, key=key, topic=key, kind=Kind.RETIRE_NOTICE, payload={"match": match_id, **shown}, at=at)


async def board_on_its_way(tx: AsyncConnection, match: Match) -> bool:
    """Return whether a board of a match still has to be posted, also by the reply of a computer player."""
    replies = match.board_ply != match.ply and any(seat.person.computer for seat in match.movers)
    return replies or await outbox.busy(tx, _topic(match.id), _kind_of_board(match))


async def offer(
    tx: AsyncConnection, match_id: int, offer_id: int, state: str, at: datetime, *, notified: Sequence[int] = ()
) -> None:
    """Have an offer posted, without mentioning the seats ``notified``, or brought up to date in its new state."""
    await outbox.add(
        tx,
        key=f"offer:{offer_id}:{state}",
        topic=_topic(match_id),
        kind=Kind.OFFER,
        payload={"match": match_id, "offer": offer_id, "notified": list(notified)},
        at=at,
    )


async def reminder(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Have the person to move at ``ply`` reminded, once."""
    await _once(tx, Kind.REMINDER, match_id, ply, at)


async def late(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Tell the others once that the time at ``ply`` is up."""
    await _once(tx, Kind.LATE, match_id, ply, at)


async def daily_puzzle(tx: AsyncConnection, guild_id: int, day: date, game: str, at: datetime) -> None:
    """Have a server's puzzle of a day posted."""
    topic = _daily_topic(guild_id, day)
    payload = {"guild": guild_id, "day": day.isoformat(), "game": game}
    await outbox.add(tx, key=topic, topic=topic, kind=Kind.DAILY_PUZZLE, payload=payload, at=at)


async def daily_count(tx: AsyncConnection, guild_id: int, day: date, game: str, at: datetime) -> None:
    """Have the solver count on a puzzle of the day updated."""
    topic = _daily_topic(guild_id, day)
    payload = {"guild": guild_id, "day": day.isoformat(), "game": game}
    await outbox.add(tx, key=f"{topic}:{at.timestamp()}", topic=topic, kind=Kind.DAILY_COUNT, payload=payload, at=at)


async def share(tx: AsyncConnection, share_id: int, guild_id: int, game: str, occasion: str, at: datetime) -> None:
    """Have what a person shares posted or brought up to date, once for each ``occasion``."""
    topic = f"share:{share_id}"
    payload = {"share": share_id, "guild": guild_id, "game": game}
    await outbox.add(tx, key=f"{topic}:{occasion}", topic=topic, kind=Kind.SHARE, payload=payload, at=at)


async def _once(tx: AsyncConnection, kind: Kind, match_id: int, ply: int, at: datetime) -> None:
    payload = {"match": match_id, "ply": ply}
    key = f"{kind}:{match_id}:{ply}"
    if not await outbox.known(tx, key):
        await outbox.add(tx, key=key, topic=_topic(match_id), kind=kind, payload=payload, at=at)


def _board_key(match_id: int, ply: int) -> str:
    return f"board:{match_id}:{ply}"


def _kind_of_board(match: Match) -> Kind:
    """Return the kind of message that shows a match in Discord: its board, or that it was voided."""
    return Kind.VOIDED if match.voided else Kind.BOARD


def _daily_topic(guild_id: int, day: date) -> str:
    return f"daily:{guild_id}:{day.isoformat()}"


def _cup_topic(cup_id: int) -> str:
    return f"cup:{cup_id}"


def _topic(match_id: int) -> str:
    return f"match:{match_id}"
