"""Queues the messages to post, as rows of the outbox, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.ladders import Out
from bot.storage import notices, outbox
from bot.storage.bars import Bar
from bot.storage.records import Match, RequestId


class MessageKind(StrEnum):
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
    TURN = "turn"
    """Tell a person directly that it is their turn."""
    DIRECT_TURN = "direct_turn"
    """A direct message about one turn, as a stored notice: it is queued as ``TURN``."""
    TURNS = "turns"
    """Tell a person, in one message, of all turns that began in their quiet hours."""
    TURN_LATER = "turn_later"
    """Tell a person of a turn that began while they were there, if it still waits for them."""
    DIGEST = "digest"
    """Send a person their daily digest."""
    OFFER = "offer"
    """Post an offer, or bring the one posted up to date."""
    REMINDER = "reminder"
    """Remind the person to move that time is running out."""
    REMINDERS = "reminders"
    """Remind a person, in one message, that time is running out in several matches."""
    NEWS_DIRECTLY = "news_directly"
    """Tell a person directly what they do not want to hear in the channel: a reminder, a win to claim, an end."""
    LATE = "late"
    """Tell the others that the time is up and the win may be claimed."""
    VOIDED = "voided"
    """Tell the people of a match that it was voided, in place of its board."""
    BARRED = "barred"
    """Tell a person directly that they may no longer play in a server, or in any."""
    DAILY_PUZZLE = "daily_puzzle"
    """Post a server's puzzle of the day."""
    DAILY_COUNT = "daily_count"
    """Update the solver count on a puzzle of the day, or say that it no longer counts."""
    WEEKLY = "weekly"
    """Post what was played in a server in a week."""
    SHARE = "share"
    """Post what a person shares, or take their name off what was posted."""
    CUP = "cup"
    """Post the message of a cup, or bring the one posted up to date."""
    CUP_RESULT = "cup_result"
    """Post the final table of a cup."""
    CUP_MEMBER = "cup_member"
    """Ask Discord whether a player of a cup is still in the server."""
    CHALLENGE_MEMBERS = "challenge_members"
    """Ask Discord whether the people in an open challenge are still in the server."""
    CUP_OUT = "cup_out"
    """Tell a player directly that they are out of a cup."""
    LADDER = "ladder"
    """Pair the people in a server's ladder for a week, and post who plays whom where no weekly post shows it."""
    LADDER_OUT = "ladder_out"
    """Tell a person directly that they are out of a ladder, and why."""
    GRACE = "grace"
    """Tell a person directly that a day away was spent, so that they did not lose on time."""
    GRACE_BOARD = "grace_board"
    """Say so on the board, too."""
    UNCOUNTED = "uncounted"
    """Say on the board of a running match that it no longer counts for its cup."""
    DEADLINE = "deadline"
    """Put right until when there is time, on the board of a running match and the notices of its turn."""


_DEADLINES = f"{MessageKind.DEADLINE}:"
"""How the keys of changed deadlines begin."""
OFFERED = "offer"
"""The occasion on which a card is posted."""
REMINDED_EACH = 3
"""For how many matches at once a person gets a reminder of its own."""


async def card(tx: AsyncConnection, challenge_id: int, occasion: str, at: datetime) -> None:
    """Queue the card of a challenge, new on the occasion ``OFFERED`` or else updated, once per ``occasion``."""
    key, topic = f"card:{challenge_id}:{occasion}", topic_of_challenge(challenge_id)
    payload, waits = {"challenge": challenge_id}, occasion != OFFERED
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.CARD, payload=payload, at=at, waits=waits)


async def card_changes(tx: AsyncConnection, challenge_ids: Iterable[int], at: datetime) -> None:
    """Queue the change of the cards of challenges, which tell what a person has changed, once for each that waits."""
    changed = f"changed:{at.timestamp()}"
    new = [(f"card:{number}:{changed}", topic_of_challenge(number), {"challenge": number}) for number in challenge_ids]
    await outbox.put_edits(tx, new, kind=MessageKind.CARD, keys="card:%:changed:%", at=at)


async def challenge_members(tx: AsyncConnection, challenge_id: int, at: datetime) -> None:
    """Queue, once a day, the question whether the people in a challenge are still in the server."""
    key, topic = f"members:{challenge_id}:{at.date().isoformat()}", topic_of_challenge(challenge_id)
    payload = {"challenge": challenge_id}
    await outbox.add_once(tx, key=key, topic=topic, kind=MessageKind.CHALLENGE_MEMBERS, payload=payload, at=at)


async def cup(tx: AsyncConnection, cup_id: int, occasion: str, at: datetime) -> None:
    """Queue the message of a cup, new or updated, once per ``occasion``."""
    key, topic = f"cup:{cup_id}:{occasion}", f"cup:{cup_id}"
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.CUP, payload={"cup": cup_id}, at=at)


async def cup_result(tx: AsyncConnection, cup_id: int, at: datetime) -> None:
    """Queue the final table of a cup."""
    key, topic = f"cup_result:{cup_id}", f"cup:{cup_id}"
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.CUP_RESULT, payload={"cup": cup_id}, at=at)


async def cup_members(tx: AsyncConnection, cup_id: int, players: Iterable[int], at: datetime) -> None:
    """Queue a check whether players of a cup are still in the server, by number, once per player and day (UTC)."""
    topic, day = f"cup_members:{cup_id}", at.astimezone(UTC).date().isoformat()
    for player in players:
        key, payload = f"cup_member:{cup_id}:{player}:{day}", {"cup": cup_id, "player": player}
        await outbox.add_once(tx, key=key, topic=topic, kind=MessageKind.CUP_MEMBER, payload=payload, at=at)


async def cup_out(tx: AsyncConnection, cup_id: int, player: int, at: datetime) -> None:
    """Tell a player of a cup, by their number, directly that they are out of it."""
    key, payload = f"cup_out:{cup_id}:{player}", {"cup": cup_id, "player": player}
    await outbox.add(tx, key=key, topic=key, kind=MessageKind.CUP_OUT, payload=payload, at=at)


async def out_of_ladder(tx: AsyncConnection, out: Out, at: datetime) -> None:
    """Tell a person directly that they are out of a ladder, by what they did in a match of it."""
    key, payload = f"{MessageKind.LADDER_OUT}:{out.match_id}", {"match": out.match_id}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.LADDER_OUT, payload=payload, at=at)


async def board_uncounted(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Queue the change that tells on a running match's board that it no longer counts for its cup."""
    key, topic, payload = f"uncounted:{match_id}", topic_of_match(match_id), {"match": match_id}
    await outbox.add_once(tx, key=key, topic=topic, kind=MessageKind.UNCOUNTED, payload=payload, at=at)


async def deadline_changes(tx: AsyncConnection, match_ids: Iterable[int], at: datetime) -> None:
    """Queue the change of messages that name the deadlines of matches, once for each match that waits for it."""
    new = [
        (f"{_DEADLINES}{number}:{at.timestamp()}", topic_of_match(number), {"match": number}) for number in match_ids
    ]
    await outbox.put_edits(tx, new, kind=MessageKind.DEADLINE, keys=f"{_DEADLINES}%", at=at)


async def thread(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Queue the message that opens a match's thread."""
    key, topic, payload = f"thread:{match_id}", topic_of_match(match_id), {"match": match_id}
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.THREAD, payload=payload, at=at)


async def board(
    tx: AsyncConnection,
    match_id: int,
    ply: int,
    at: datetime,
    *,
    notified: Sequence[int] = (),
    begin: bool = False,
    last: bool = False,
) -> outbox.OutboxMessage | None:
    """Queue the board of a match at ``ply``, without mentioning the seats ``notified`` before.

    The ``last`` board asks for no move, and comes after boards that do. Return the message if this process is to
    ``begin`` it and may.
    """
    key, topic = _board_key(match_id, ply), topic_of_match(match_id)
    payload = {"match": match_id, "ply": ply, "notified": list(notified)}
    kind, message = MessageKind.BOARD, None
    if begin:
        message = await outbox.add_begun(tx, key=key, topic=topic, kind=kind, payload=payload, at=at)
    else:
        await outbox.add(tx, key=key, topic=topic, kind=kind, payload=payload, at=at, waits=last)
    if message is None:
        # It tells what a change of the earlier board that waits would, and need not wait for that.
        await outbox.drop_edits(tx, [topic], kind=MessageKind.DEADLINE, keys=f"{_DEADLINES}%")
    return message


async def board_once(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Queue the board of a match at ``ply``, unless it is queued already."""
    if not await outbox.is_stored(tx, _board_key(match_id, ply)):
        await board(tx, match_id, ply, at)


async def board_again(
    tx: AsyncConnection, match: Match, occasion: RequestId, at: datetime, *, notified: Sequence[int] = ()
) -> None:
    """Queue the board of a match again, in place of one that is gone or never came."""
    key, topic = f"board:{match.id}:{match.ply}:{occasion}", topic_of_match(match.id)
    payload = {"match": match.id, "ply": match.ply, "notified": list(notified), "instead_of": match.board_message_id}
    await outbox.add(tx, key=key, topic=topic, kind=_kind_of_board(match), payload=payload, at=at)


async def turn_directly(tx: AsyncConnection, match_id: int, ply: int, at: datetime, occasion: str = "") -> None:
    """Queue the direct message to the person who is to move at ``ply``, once per ``occasion``."""
    key, payload = f"turn:{match_id}:{ply}{occasion}", {"match": match_id, "ply": ply}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.TURN, payload=payload, at=at)


async def turn_later(tx: AsyncConnection, match_id: int, ply: int, at: datetime, *, mentioned: bool) -> None:
    """Queue the message to the person who is to move at ``ply`` and was held back, once for a time.

    Each pause holds a turn back again. ``mentioned`` says that the board mentions them without a sound.
    """
    key = f"{MessageKind.TURN_LATER}:{match_id}:{ply}:{at.timestamp()}"
    payload = {"match": match_id, "ply": ply, "mentioned": mentioned}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.TURN_LATER, payload=payload, at=at)


async def turns_after_quiet_hours(
    tx: AsyncConnection, occasion: int | str, waiting: Sequence[Match], at: datetime
) -> None:
    """Queue the message about all turns of a person that began in their quiet hours, once per ``occasion``."""
    key, turns = f"turns:{occasion}", [[match.id, match.ply] for match in waiting]
    payload = {"match": waiting[0].id, "turns": turns}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.TURNS, payload=payload, at=at)


async def digest(
    tx: AsyncConnection, digest_id: int, due_at: datetime, since: datetime, match_id: int, at: datetime
) -> None:
    """Queue a person's digest of what has happened since a time, once; a match of it tells its server."""
    key, payload = f"digest:{digest_id}:{due_at.timestamp()}", {"digest": digest_id, "since": since.isoformat()}
    payload |= {"match": match_id}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.DIGEST, payload=payload, at=at)


async def board_voided(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Queue the news that a match was voided."""
    key, topic, payload = f"voided:{match_id}", topic_of_match(match_id), {"match": match_id}
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.VOIDED, payload=payload, at=at)


async def bar_notice(tx: AsyncConnection, bar: Bar) -> None:
    """Queue a direct message about a new bar."""
    key, payload = f"bar:{bar.id}", {"bar": bar.id, "guild": bar.guild_id}
    await outbox.add(tx, key=key, topic=key, kind=MessageKind.BARRED, payload=payload, at=bar.at)


async def retire_board(tx: AsyncConnection, match: Match, at: datetime) -> outbox.OutboxMessage | None:
    """Begin the message that retires the newest board of ``match`` so far; return None if it has none."""
    if match.board_message_id is None:
        return None
    shown = {"channel": match.board_channel_id, "message": match.board_message_id, "ply": match.board_ply}
    key = f"past:{match.board_message_id}"
    payload = {"match": match.id, **shown}
    return await outbox.add_begun(
        tx, key=key, topic=key, kind=MessageKind.RETIRE_BOARD, payload=payload, at=at, alone=True
    )


async def retire_notices(
    tx: AsyncConnection, match_id: int, before: int, at: datetime, kinds: Collection[MessageKind] | None = None
) -> None:
    """Queue the removal of buttons from reminders and late notices before a ply, of some kinds or all."""
    for notice in await notices.take(tx, match_id, before, kinds):
        shown = {"channel": notice.channel_id, "message": notice.message_id, "ply": notice.ply, "notice": notice.kind}
        topic = f"past:{notice.message_id}"
        again = notice.kind in (MessageKind.REMINDERS, MessageKind.TURNS, MessageKind.DIRECT_TURN)
        key = f"{topic}:{match_id}:{notice.ply}" if again else topic
        await outbox.add(
            tx, key=key, topic=topic, kind=MessageKind.RETIRE_NOTICE, payload={"match": match_id, **shown}, at=at
        )


async def board_on_its_way(tx: AsyncConnection, match: Match) -> bool:
    """Return whether a board of a match still has to be posted, also by the reply of a computer player."""
    replies = match.to_move is not None and match.board_ply != match.ply and match.mover.person.computer
    return replies or await outbox.busy(tx, topic_of_match(match.id), _kind_of_board(match))


async def offer(
    tx: AsyncConnection, match_id: int, offer_id: int, state: str, at: datetime, *, notified: Sequence[int] = ()
) -> None:
    """Queue an offer, new or in its new state, without mentioning the seats ``notified``."""
    key, topic = f"offer:{offer_id}:{state}", topic_of_match(match_id)
    payload = {"match": match_id, "offer": offer_id, "notified": list(notified)}
    await outbox.add(tx, key=key, topic=topic, kind=MessageKind.OFFER, payload=payload, at=at)


async def reminder(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Queue the reminder at ``ply``, once."""
    key, payload = f"{MessageKind.REMINDER}:{match_id}:{ply}", {"match": match_id, "ply": ply}
    topic = topic_of_match(match_id)
    await outbox.add_once(tx, key=key, topic=topic, kind=MessageKind.REMINDER, payload=payload, at=at)


async def reminders_directly(tx: AsyncConnection, waiting: Sequence[Match], at: datetime) -> None:
    """Queue one direct message that reminds a person of matches."""
    soonest = sorted(waiting, key=lambda match: (match.deadline_at or at, match.id))
    turns = [(match.id, match.ply) for match in soonest]
    await news_directly(tx, MessageKind.REMINDER, soonest[0].mover.seat, turns, at)


async def reminders(tx: AsyncConnection, waiting: Sequence[Match], at: datetime) -> None:
    """Queue the reminders of one person in one server, those of more than three matches as one message."""
    if len(waiting) <= REMINDED_EACH:
        for match in waiting:
            await reminder(tx, match.id, match.ply, at)
        return
    soonest = sorted(waiting, key=lambda match: (match.deadline_at or at, match.id))
    key = f"{MessageKind.REMINDERS}:{soonest[0].id}:{soonest[0].ply}"
    payload = {"match": soonest[0].id, "turns": [[match.id, match.ply] for match in soonest]}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.REMINDERS, payload=payload, at=at)


async def news_directly(
    tx: AsyncConnection, kind: MessageKind, seat: int, turns: Sequence[tuple[int, int]], at: datetime
) -> None:
    """Queue a direct message to the person of a seat in the first of some matches, each with its ply, once."""
    match_id, ply = turns[0]
    key = f"{MessageKind.NEWS_DIRECTLY}:{kind}:{match_id}:{ply}:{seat}"
    payload = {"match": match_id, "turns": [list(turn) for turn in turns], "seat": seat, "news": kind.value}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.NEWS_DIRECTLY, payload=payload, at=at)


async def late(tx: AsyncConnection, match_id: int, ply: int, at: datetime, *, again: bool = False) -> None:
    """Tell the others once that the time at ``ply`` is up, and once ``again`` before the match ends by itself."""
    key, payload = f"{MessageKind.LATE}:{match_id}:{ply}{':again' if again else ''}", {"match": match_id, "ply": ply}
    await outbox.add_once(tx, key=key, topic=topic_of_match(match_id), kind=MessageKind.LATE, payload=payload, at=at)


async def grace(tx: AsyncConnection, match: Match, absence_id: int, at: datetime) -> None:
    """Queue the news that a day away was spent in a match: on its board, and once a day to the person to move.

    A reminder of the time that was up before is taken back.
    """
    await retire_notices(tx, match.id, match.ply + 1, at, {MessageKind.REMINDER, MessageKind.REMINDERS})
    key, told = f"{MessageKind.GRACE}:{absence_id}", {"match": match.id, "seat": match.mover.seat}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.GRACE, payload=told, at=at)
    key, shown = f"grace:{match.id}:{match.ply}:{match.graces}:board", {"match": match.id, "ply": match.ply}
    await outbox.add(tx, key=key, topic=topic_of_match(match.id), kind=MessageKind.GRACE_BOARD, payload=shown, at=at)


async def grace_elsewhere(tx: AsyncConnection, message_id: int, spared: Sequence[Match], at: datetime) -> None:
    """Queue the news of a day away for matches of one person that an earlier message of it could not name."""
    match, key = spared[0], f"{MessageKind.GRACE}:{message_id}:{spared[0].id}"
    payload = {"match": match.id, "seat": match.mover.seat, "matches": [other.id for other in spared]}
    await outbox.add_once(tx, key=key, topic=key, kind=MessageKind.GRACE, payload=payload, at=at)


async def daily_puzzle(tx: AsyncConnection, guild_id: int, day: date, game: str, at: datetime) -> None:
    """Queue a server's puzzle of a day."""
    topic, payload = _daily(guild_id, day, game)
    await outbox.add(tx, key=topic, topic=topic, kind=MessageKind.DAILY_PUZZLE, payload=payload, at=at)


async def daily_count(
    tx: AsyncConnection, guild_id: int, day: date, game: str, at: datetime, *, answered: bool = False
) -> None:
    """Queue the update of the solver count on a puzzle of the day; the last one, once, when it is ``answered``."""
    topic, payload = _daily(guild_id, day, game)
    key = f"{topic}:{'answered' if answered else at.timestamp()}"
    await outbox.add_once(tx, key=key, topic=topic, kind=MessageKind.DAILY_COUNT, payload=payload, at=at)


async def share(tx: AsyncConnection, share_id: int, guild_id: int, game: str, occasion: str, at: datetime) -> None:
    """Queue what a person shares, new or updated, once per ``occasion``."""
    topic = f"share:{share_id}"
    payload = {"share": share_id, "guild": guild_id, "game": game}
    await outbox.add(tx, key=f"{topic}:{occasion}", topic=topic, kind=MessageKind.SHARE, payload=payload, at=at)


def _board_key(match_id: int, ply: int) -> str:
    return f"board:{match_id}:{ply}"


def _kind_of_board(match: Match) -> MessageKind:
    """Return the kind of message that shows a match in Discord: its board, or that it was voided."""
    return MessageKind.VOIDED if match.voided else MessageKind.BOARD


def _daily(guild_id: int, day: date, game: str) -> tuple[str, dict[str, Any]]:
    """Return the topic and the payload of messages about a server's puzzle of a day."""
    return f"daily:{guild_id}:{day.isoformat()}", {"guild": guild_id, "day": day.isoformat(), "game": game}


def topic_of_match(match_id: int) -> str:
    return f"match:{match_id}"


def topic_of_challenge(challenge_id: int) -> str:
    return f"challenge:{challenge_id}"
