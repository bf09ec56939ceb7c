"""What has to be true at every hour: each sentence with a time in it, each reminder, each message with a button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from bot.matches.writing.clocks import REMINDED_AT, WORTH_TELLING
from bot.storage import matches, tables
from bot.storage.records import ChallengeState, CupState, Match, MatchState
from tests.fortnight.account import Account, controls_of, words_of
from tests.support.simulated_discord import SimulatedDiscord

TIME = re.compile(r"<t:(\d+)(?::\w)?>")
LISTED = re.compile(r"channels/\d+/\d+/(\d+)\).*<t:(\d+)")
"""A line of a reminder of several matches: the message of the board, and until when."""
ROUNDED = timedelta(seconds=1)
IN_TIME = timedelta(minutes=10)
"""By then a reminder that is due has been posted."""
Kept = tuple[datetime, timedelta]
"""A time as the database has it, and by how much a message may differ from it."""


@dataclass(frozen=True, slots=True)
class Times:
    """All that the messages tell times of, as the database has it."""

    matches: dict[int, Match]
    challenges: dict[int, Kept]
    """When each open challenge expires."""
    cups: dict[int, Kept]
    """When each open cup begins at the latest."""


class Truth:
    """Compares what stands in Discord with the database, and collects what differs."""

    def __init__(self, sim: SimulatedDiscord, account: Account) -> None:
        self._sim, self._account = sim, account
        self.untrue: list[str] = []
        self.compared = 0
        """How many times were compared."""

    async def check(self) -> None:
        """Compare everything now."""
        times, now = await self._times(), self._sim.env.now()
        backend = self._sim.env.backend
        for channel_id, messages in backend.messages.items():
            if backend.get_channel(channel_id).guild_id is None:
                continue  # A direct message is not edited.
            for message in messages.values():
                if message.author_id == backend.bot_user.id and not message.is_ephemeral:
                    self.untrue += [f"{now:%d %H:%M} {one}" for one in self._wrong(message, times, now)]
        for match in times.matches.values():
            if match.state is MatchState.RUNNING and not match.mover.person.computer:
                self.untrue += [f"{now:%d %H:%M} {one}" for one in self._missing(match, now)]

    async def _times(self) -> Times:
        assert self._sim.bot.database is not None
        async with self._sim.bot.database.read() as tx:
            numbers = (await tx.execute(select(tables.matches.c.id))).scalars()
            found = [await matches.get(tx, number) for number in numbers]
            challenges, cups = tables.challenges.c, tables.cups.c
            open_ = select(challenges.id, challenges.expires_at).where(challenges.state == ChallengeState.OPEN)
            joined = select(cups.id, cups.starts_at).where(cups.state == CupState.OPEN)
            expiring, starting = (await tx.execute(open_)).all(), (await tx.execute(joined)).all()
        known = {match.id: match for match in found if match is not None}
        return Times(
            known,
            {row.id: (row.expires_at, ROUNDED) for row in expiring},
            {row.id: (row.starts_at, ROUNDED) for row in starting},
        )

    def _wrong(self, message: Any, times: Times, now: datetime) -> Iterator[str]:
        """Yield what is wrong with the times in a message, and with its buttons."""
        words, controls = words_of(message), controls_of(message)
        told = [datetime.fromtimestamp(int(one), UTC) for one in TIME.findall(words)]
        self.compared += len(told)
        expected, known = self._expected(controls, times)
        if LISTED.search(words):
            boards = {match.board_message_id: _deadline(match) for match in times.matches.values()}
            for board, at in LISTED.findall(words):
                yield from _differing(boards.get(int(board)), [datetime.fromtimestamp(int(at), UTC)], words)
        elif told and not known:
            yield f"a time that nothing keeps true: {words}"
        else:
            yield from _differing(expected, told, words)
        for control in controls:
            if control.endswith(":reminder") and min(told, default=now) < now:
                yield f"a reminder of time that is up: {words}"
            turn = re.match(r"play:(\d+):(\d+)", control)
            if turn is not None:
                match = times.matches[int(turn[1])]
                if (match.state, match.ply) != (MatchState.RUNNING, int(turn[2])):
                    yield f"Play for ply {turn[2]}, but the match is {match.state} at {match.ply}: {words}"

    @staticmethod
    def _expected(controls: tuple[str, ...], times: Times) -> tuple[Kept | None, bool]:
        """Return the time that a message has to tell, by its controls, and whether it tells one."""
        for control in controls:
            kind, *numbers = re.split(r":", control)
            if kind == "play":
                return _deadline(times.matches[int(numbers[0])]), True
            if kind == "claim":
                until = times.matches[int(numbers[0])].claim_until
                return (None if until is None else (until, ROUNDED)), True
            if control.startswith("challenge:accept:"):
                return times.challenges.get(int(numbers[1])), True
            if control.startswith("cup:join:"):
                return times.cups.get(int(numbers[1])), True
        return None, False

    def _missing(self, match: Match, now: datetime) -> Iterator[str]:
        """Yield what a person to move lacks: the board of their turn, or a reminder that should be posted."""
        placed = self._sim.env.backend.messages.get(match.board_channel_id or 0, {}).get(match.board_message_id or 0)
        if placed is None or f"play:{match.id}:{match.ply}" not in controls_of(placed):
            yield f"no board of match {match.id} at ply {match.ply}"
        # Of a day that was spent a person learns directly.
        if match.pace is not None and match.deadline_at is not None and not match.graces:
            left = match.deadline_at - now
            if left < timedelta(seconds=match.pace) * REMINDED_AT - IN_TIME and not self._reminded(match):
                yield f"no reminder in match {match.id} at ply {match.ply}, with {left} left"

    def _reminded(self, match: Match) -> bool:
        posts = [post for post in self._account.posts if match.id in post.reminds and post.at >= match.turn_at]
        return any(match.mover.person.id in post.mentioned for post in posts)


def _deadline(match: Match) -> Kept | None:
    """Return until when there is time in a match. By a hundredth of that time it moves without an edit."""
    if match.deadline_at is None:
        return None
    return match.deadline_at, max(ROUNDED, (match.deadline_at - match.turn_at) * WORTH_TELLING)


def _differing(expected: Kept | None, told: list[datetime], words: str) -> Iterator[str]:
    """Yield the times that differ from the one expected."""
    for at in told:
        if expected is None:
            yield f"{at} is told where there is no time: {words}"
        elif abs(at - expected[0]) > expected[1]:
            yield f"{at} is told for {expected[0]}: {words}"
