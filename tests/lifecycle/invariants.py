"""Invariants: of all rows at any moment, and of all posts once nothing is pending."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.matches.writing.clocks import WORTH_TELLING
from bot.storage.records import ChallengeState, MatchState, OfferState
from bot.storage.tables import metadata
from tests.lifecycle.fake_discord import FakeDiscord
from tests.lifecycle.harness import Rows

Row = dict[str, Any]

_TOLD = re.compile(r"<t:(\d+)(?::[^D])?>")
"""A time until when there is to act; that a person is away is told by the day."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """Everything stored, table by table."""

    rows: Rows

    def table(self, name: str) -> list[Row]:
        """Return the rows of a table by the names of their columns."""
        columns = [column.name for column in metadata.tables[name].columns]
        return [dict(zip(columns, row, strict=True)) for row in self.rows[name]]

    def check(self) -> None:
        """Fail if stored rows contradict each other."""
        open_offers = Counter(
            (offer["match_id"], offer["kind"]) for offer in self.table("offers") if offer["state"] == OfferState.OPEN
        )
        assert set(open_offers.values()) <= {1}, "two open offers of a kind in a match"
        plies, seats, thinking = defaultdict(list), defaultdict(list), defaultdict(list)
        for turn in self.table("computer_turns"):
            thinking[turn["match_id"]].append(turn["ply"])
        for move in self.table("moves"):
            plies[move["match_id"]].append(move["ply"])
        for seat in self.table("seats"):
            seats[seat["match_id"]].append(seat)
        for match in self.table("matches"):
            number = match["id"]
            assert sorted(plies[number]) == list(range(1, match["ply"] + 1)), f"the plies of match {number}"
            movers = [seat for seat in seats[number] if seat["seat"] == match["to_move"]]
            assert not any(seat["dropped"] for seat in movers), f"somebody who has left is to move in match {number}"
            if match["state"] == MatchState.OVER:
                assert (match["deadline_at"], match["remind_at"], match["flagged"]) == (None, None, 0)
                assert not any(key[0] == number for key in open_offers), (
                    f"an open offer in match {number}, which is over"
                )
                assert not movers
                assert thinking[number] == [], f"a computer player has a turn in match {number}, which is over"
            else:
                _check_clock(match, seats[number])
                due = [match["ply"]] if any(seat["level"] is not None for seat in movers) else []
                assert thinking[number] == due, f"the turns of computer players in match {number}"
                # Once the time is up, what follows is told at the reminder: that the win ends by itself.
                assert match["flagged"] or match["remind_at"] is None or match["remind_at"] <= match["deadline_at"]
                assert movers
                somebody = all(seat["user_id"] > 0 or seat["level"] is not None for seat in movers)
                assert somebody, f"nobody is to move in match {number}"
        begun = [challenge["match_id"] for challenge in self.table("challenges") if challenge["match_id"] is not None]
        asked = {number for number, taken in seats.items() if all(seat["level"] is None for seat in taken)}
        assert len(set(begun)) == len(begun), "two challenges are one match"
        assert asked <= set(begun) <= seats.keys(), "a match between people that nobody was challenged to"
        for challenge in self.table("challenges"):
            assert (challenge["state"] == ChallengeState.STARTED) == (challenge["match_id"] is not None)
        still_open = {row["id"] for row in self.table("challenges") if row["state"] == ChallengeState.OPEN}
        for joined in self.table("challenge_players"):
            assert joined["user_id"] > 0 or joined["challenge_id"] not in still_open, "nobody has a seat in a challenge"

    def check_posted(self, discord: FakeDiscord, posted_again: Mapping[tuple[int, int], int]) -> None:
        """Fail where a message is missing or was posted twice; ``posted_again`` counts the boards asked for anew."""
        for match in self.table("matches"):
            number, ply, over = match["id"], match["ply"], match["state"] == MatchState.OVER
            newest = f"rematch:{number}" if over else f"play:{number}:{ply}"
            assert 1 <= len(discord.posted_with(newest)) <= 1 + posted_again.get((number, ply), 0), f"{newest} not once"
            for earlier in range(ply):
                posted = discord.posted_with(f"play:{number}:{earlier}")
                assert len(posted) <= 1 + posted_again.get((number, earlier), 0), f"play:{number}:{earlier} twice"
            boards = discord.with_control(rf"play:{number}:\d+|rematch:{number}")
            assert len(boards) == 1, f"{len(boards)} boards of match {number} have controls"
            _check_notified(discord, number, ply)
            _check_told(discord, match)
            notices = discord.with_control(rf"play:{number}:\d+:reminder|claim:{number}:\d+")
            now = {f"play:{number}:{ply}:reminder", f"claim:{number}:{ply}"} if not over else set()
            assert all(set(message.custom_ids) <= now for message in notices), (
                f"a notice of match {number} of an earlier turn"
            )
        for challenge in self.table("challenges"):
            accept = f"challenge:accept:{challenge['id']}"
            cards = discord.posted_with(accept)
            assert len(cards) <= 1, f"{accept} twice"
            assert any(accept in card.custom_ids for card in cards) == (challenge["state"] == ChallengeState.OPEN)
        for offer in self.table("offers"):
            accept = f"offer:accept:{offer['id']}"
            asked = discord.posted_with(accept)
            assert len(asked) <= 1, f"{accept} twice"
            assert any(accept in message.custom_ids for message in asked) == (offer["state"] == OfferState.OPEN)


def _check_clock(match: Row, seats: list[Row]) -> None:
    """Fail if a clock runs for a computer player, or none for a person: without a pace it is the inactivity limit."""
    thinking = any(seat["seat"] == match["to_move"] and seat["level"] is not None for seat in seats)
    assert (match["deadline_at"] is None) == thinking, f"the clock of match {match['id']}"


def _check_told(discord: FakeDiscord, match: Row) -> None:
    """Fail if a board or a reminder with controls tells another time than the stored one, or none where one runs."""
    number, deadline = match["id"], _time(match["deadline_at"])
    claimed_until = _time(match["told_deadline_at"]) if match["flagged"] and match["pace"] is not None else None
    for message in discord.with_control(rf"play:{number}:\d+(:reminder)?|claim:{number}:\d+|rematch:{number}"):
        expected = claimed_until if f"claim:{number}:" in str(message.custom_ids) else deadline
        told = [datetime.fromtimestamp(int(at), UTC) for at in _TOLD.findall(message.words)]
        if expected is None or (match["pace"] is None and not told):
            assert not told, f"a time that nothing keeps true: {message.words}"
        else:
            by = max(timedelta(seconds=1), (expected - (_time(match["turn_at"]) or expected)) * WORTH_TELLING)
            assert told, f"{expected} is not told: {message.words}"
            assert all(abs(at - expected) <= by for at in told), f"{told} for {expected}: {message.words}"


def _time(stored: datetime | str | None) -> datetime | None:
    """Return a time as the databases have it, which is UTC."""
    stored = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return stored if stored is None else stored.replace(tzinfo=UTC)


def _check_notified(discord: FakeDiscord, number: int, ply: int) -> None:
    for at in range(ply + 1):
        for control in (f"play:{number}:{at}", f"play:{number}:{at}:reminder", f"claim:{number}:{at}"):
            notified = Counter(person for message in discord.posted_with(control) for person in message.notified)
            assert set(notified.values()) <= {1}, f"somebody was notified twice by {control}"
