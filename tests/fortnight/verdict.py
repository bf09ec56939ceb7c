"""What became of the days of a server: whom the bot told what and how often, and what stands in the channel at last."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from bot.matches.model.game_state import TIMES_OUT
from bot.storage import challenges, matches, tables
from bot.storage.challenges import Challenge
from bot.storage.records import Entry, EntryKind, Match, MatchState
from tests.fortnight.account import LINE, controls_of
from tests.fortnight.life import Life

JUST_NOW = timedelta(minutes=2)
MOST_TAPS = 2
LATEST = timedelta(hours=1)
"""By then a person who is awake has learned of their turn."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match with its list of moves, and the challenge it began with."""

    match: Match
    entries: list[Entry]
    challenge: Challenge | None

    @property
    def on_time(self) -> bool:
        """Whether it was lost on time."""
        return bool(self.entries) and self.entries[-1].kind is EntryKind.DROP and self.entries[-1].text == TIMES_OUT


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a person: from when, and until when if it has ended."""

    match: int
    ply: int
    person: int
    begun: datetime
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What went wrong, a sentence for each fault, and the figures."""

    untrue: list[str]
    unnoticed: list[str]
    doubled: list[str]
    late: list[str]
    played: list[Played]
    loud: int
    silent: int
    just_acted: int
    unanswered: Counter[str]
    """By kind, those that came while an earlier one had no answer."""
    at_night: int
    by_person: dict[str, int]
    by_kind: Counter[str]
    taps: list[int]
    delays: list[timedelta]
    unheard: list[timedelta]
    """For how long people were awake and neither heard of a turn of theirs nor looked in."""
    channel: Counter[str]
    threads: Counter[str]

    @property
    def over(self) -> list[Played]:
        """The matches between people that are over."""
        return [one for one in self.played if one.match.state is MatchState.OVER and one.match.between_people]


def check_faultless(found: Verdict) -> None:
    """Raise ``AssertionError`` if anything went wrong."""
    assert found.untrue == []
    assert found.unnoticed == []
    assert found.doubled == []
    assert found.late == []
    assert max(found.taps) <= MOST_TAPS


async def verdict(life: Life) -> Verdict:
    """Return what became of a life that has just ended."""
    played, account = await _played(life), life.account
    turns = [turn for one in played for turn in _turns(one)]
    loud = account.mentions()
    acts = {person: [at for at, by in account.acts if by == person] for person in life.members}
    counted = Counter(life.members[person].actor.name for _, person in loud)
    heard = {person: [post.at for post, by in loud if by == person] for person in life.members}
    delays = {turn: delay for turn in turns if (delay := _delay(life, turn)) is not None}
    return Verdict(
        untrue=life.truth.untrue,
        unnoticed=[words for one in played for words in _unnoticed(life, one)],
        doubled=list(_doubled(life, turns)),
        late=[
            f"{life.members[turn.person].actor.name} after {delay}: {turn}"
            for turn, delay in delays.items()
            if delay > LATEST
        ],
        played=played,
        loud=len(loud),
        silent=len(account.mentions(loud=False)),
        just_acted=sum(_between(acts[person], post.at - JUST_NOW, post.at) for post, person in loud),
        unanswered=Counter(_unanswered(life, acts)),
        at_night=sum(not life.members[person].habits.is_awake(post.at) for post, person in loud),
        by_person=dict(counted.most_common()),
        by_kind=Counter(post.kind for post, _ in loud),
        taps=[session.taps for session in life.sessions],
        delays=list(delays.values()),
        unheard=[_unheard(life, acts[turn.person], heard[turn.person], turn) for turn in delays],
        channel=Counter(_kinds(life)),
        threads=Counter(_open_threads(life, played)),
    )


async def _played(life: Life) -> list[Played]:
    found = []
    async with life.sim.bot.context.services.database.read() as tx:
        for number in (await tx.execute(select(tables.matches.c.id).order_by(tables.matches.c.id))).scalars().all():
            match = await matches.get(tx, number)
            assert match is not None
            entries, challenge = await matches.moves_of(tx, number), await challenges.of_match(tx, number)
            found.append(Played(match, entries, challenge))
    return found


def _turns(one: Played) -> Iterator[Turn]:
    begun = one.match.created_at
    for entry in one.entries:
        person = one.match.seats[entry.seat].person
        if entry.at > begun and not person.computer:
            yield Turn(one.match.id, entry.ply - 1, person.id, begun, entry.at)
        begun = entry.at
    if one.match.state is MatchState.RUNNING and not one.match.mover.person.computer:
        yield Turn(one.match.id, one.match.ply, one.match.mover.person.id, begun, None)


def _delay(life: Life, turn: Turn) -> timedelta | None:
    """Return for how long a person was awake and did not know of their turn; None where the outage came between.

    They know of it by a mention, with sound or without, or because they move.
    """
    habits, outage = life.members[turn.person].habits, life.outage
    ended = turn.ended or life.ended
    told = [post.at for post in life.account.posts if turn.person in post.mentioned and _tells(post, turn)]
    known = min([*map(habits.awake_from, told), ended])
    if turn.begun < outage[1] and known > outage[0]:
        return None
    return habits.awake_between(turn.begun, known)


def _unheard(life: Life, acts: list[datetime], heard: list[datetime], turn: Turn) -> timedelta:
    """Return for how long a person was awake before they heard of a turn, or of one before it, or looked in."""
    habits, ended = life.members[turn.person].habits, turn.ended or life.ended
    last = bisect_right(heard, turn.begun)
    if last and not _between(acts, heard[last - 1], turn.begun):
        return timedelta(0)
    known = [habits.awake_from(at) for at in heard[last:][:1]] + acts[bisect_right(acts, turn.begun) :][:1]
    return habits.awake_between(turn.begun, min([*known, ended]))


def _tells(post: Any, turn: Turn) -> bool:
    return post.turn == (turn.match, turn.ply) or (turn.match in post.reminds and _within(post.at, turn))


def _within(at: datetime, turn: Turn) -> bool:
    return turn.begun <= at and (turn.ended is None or at < turn.ended)


def _unnoticed(life: Life, one: Played) -> Iterator[str]:
    """Yield where the end of a match is not told: on its board, its card, or to who did not bring it about."""
    match = one.match
    if match.state is not MatchState.OVER:
        return
    board = life.sim.env.backend.messages.get(match.board_channel_id or 0, {}).get(match.board_message_id or 0)
    if board is None or f"rematch:{match.id}" not in controls_of(board):
        yield f"the board of match {match.id} does not tell its end"
    if one.challenge is not None and one.challenge.message_id is not None:
        card = life.sim.env.backend.messages[one.challenge.channel_id].get(one.challenge.message_id)
        if card is None or f"steps:{match.id}:0" not in controls_of(card):
            yield f"the card of match {match.id} does not tell its end"
    told = {person for post in life.account.posts if post.marker == f"rematch:{match.id}" for person in post.mentioned}
    for seat in match.seats if match.between_people else ():
        if seat.seat != one.entries[-1].seat and seat.person.id not in told:
            yield f"{seat.person.name} was not told of the end of match {match.id}"


def _doubled(life: Life, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield the mentions that say to a person what another one has said."""
    posts = life.account.posts
    said = Counter((person, post.marker, post.loud) for post in posts for person in post.mentioned)
    # What was told without a sound may be heard later.
    said.update((person, f"turn {post.turn}", post.loud) for post in posts if post.turn for person in post.mentioned)
    for (person, what, _), times in said.items():
        if times > 1:
            yield f"{life.members[person].actor.name} was mentioned {times} times: {what}"
    for turn in turns:
        reminders = [post for post in posts if turn.match in post.reminds and _within(post.at, turn)]
        if sum(turn.person in post.mentioned for post in reminders) > 1:
            yield f"{life.members[turn.person].actor.name} was reminded twice: {turn}"


def _unanswered(life: Life, acts: dict[int, list[datetime]]) -> Iterator[str]:
    """Yield the kinds of the mentions that came while an earlier one had no answer."""
    last: dict[int, datetime] = {}
    for post, person in life.account.mentions():
        if person in last and not _between(acts[person], last[person], post.at):
            yield post.kind
        last[person] = post.at


def _between(times: list[datetime], since: datetime, until: datetime) -> bool:
    """Return whether one of some times, which are in order, lies after one time and not after another."""
    return bisect_right(times, until) > bisect_right(times, since)


def _kinds(life: Life) -> Iterator[str]:
    """Yield the kind of each message that stands in the channel."""
    for message in life.sim.env.backend.messages[life.sim.channel.id].values():
        if message.is_ephemeral:
            continue
        kinds = {control.partition(":")[0] for control in controls_of(message)}
        if message.type == LINE:
            yield "line"
        elif "cup" in kinds:
            yield "cup"
        elif "steps" in kinds and "shared" not in kinds:
            yield "result"
        elif "challenge" in kinds:
            yield "challenge"
        else:
            yield next((kind for kind in ("daily", "weekly", "ladder", "shared") if kind in kinds), "card")


def _open_threads(life: Life, played: Sequence[Played]) -> Iterator[str]:
    """Yield of each thread that Discord has not archived yet whether its match is running or over."""
    now, backend = life.sim.env.now(), life.sim.env.backend
    for one in played:
        thread = None if one.match.thread_id is None else backend.channels.get(one.match.thread_id)
        if thread is None or thread.thread_metadata is None or thread.thread_metadata.archived:
            continue
        last = max(datetime.fromisoformat(message.timestamp) for message in backend.messages[thread.id].values())
        if now - last < timedelta(minutes=thread.thread_metadata.auto_archive_duration):
            yield one.match.state.value
