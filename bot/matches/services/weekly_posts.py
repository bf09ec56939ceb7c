"""The weekly post: what was played in a server in the seven days before it. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.matches.model.game_state import CLOSED
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services.daily_puzzles import streaks_last_from
from bot.matches.services.match_queries import FADING, RATING_SCALE
from bot.matches.services.reviews import Reviews
from bot.storage import challenges, leaderboards, match_lists, puzzles, ratings
from bot.storage.challenges import Invitation
from bot.storage.leaderboards import Part, Placed
from bot.storage.puzzles import PuzzleRating
from bot.storage.records import Match

_WEEK: Final = timedelta(days=7)
_READ: Final = 500
"""The most matches of a week that are looked at."""
_REVIEWED: Final = 10
"""The longest matches of a week whose reviews are compared."""
_LEADERS: Final = 3
_INVITATIONS: Final = 3
_NOBODY: Final = 0
"""The reader of what is posted for all."""


@dataclass(frozen=True, slots=True)
class Week:
    """The content of a weekly post. ``ended`` are the matches between people, newest first, at least one.

    ``worth_a_look`` is one of them: that with the most ``turns`` in its review or, without reviews, the longest.
    """

    ended: tuple[Match, ...]
    leaders: tuple[Placed, ...]
    streak: PuzzleRating | None
    worth_a_look: Match
    turns: int
    invitations: tuple[Invitation, ...]


class WeeklyPosts:
    """Reads what a weekly post tells."""

    def __init__(self, context: ServiceContext, reviews: Reviews) -> None:
        self._context = context
        self._reviews = reviews

    async def week(
        self, guild_id: int, until: datetime, seen: Callable[[Collection[int]], Collection[int]]
    ) -> Week | None:
        """Return the week of a server before a moment; None if no match between people ended in it.

        ``seen`` returns those of some channels whose matches and challenges all readers of the post may see.
        """
        async with self._context.database.read() as tx:
            every = await match_lists.ended_between(tx, guild_id, until - _WEEK, until, uncounted=CLOSED, limit=_READ)
            channels = seen({match.channel_id for match in every})
            ended = tuple(match for match in every if match.between_people and match.channel_id in channels)
            if not ended:
                return None
            board = await leaderboards.by_rating(
                tx, guild_id, ratings.OVERALL, until - FADING, RATING_SCALE, Part(0, _LEADERS, _NOBODY)
            )
            streak = await puzzles.longest_streak(tx, guild_id, (until - _WEEK).date(), streaks_last_from(until))
            places = seen(await challenges.open_places(tx, guild_id))
            invited = await challenges.invitations(tx, guild_id, places, _NOBODY, self._context.clock(), _INVITATIONS)
        look, turns = await self._worth_a_look(ended)
        leaders = tuple(placed for placed in board.listed if placed.place <= _LEADERS)
        lasting = streak if streak is not None and streak.streak > 1 else None
        return Week(ended, leaders, lasting, look, turns, tuple(invited))

    async def _worth_a_look(self, ended: Collection[Match]) -> tuple[Match, int]:
        longest = sorted(ended, key=lambda match: (-match.ply, match.id))
        turns = {match.id: await self._turns(match) for match in longest[:_REVIEWED]}
        look = max(longest[:_REVIEWED], key=lambda match: turns[match.id])
        return look, turns[look.id]

    async def _turns(self, match: Match) -> int:
        """Return how many moves turned a match; 0 without a finished review."""
        with suppress(Refusal):
            reviewed = await self._reviews.review_for(match.guild_id, match.id, _NOBODY)
            return 0 if reviewed is None else len(reviewed.review.moments())
        return 0
