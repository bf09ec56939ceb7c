"""A person in a filled database whose matches tests query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.storage.records import MatchState


@dataclass(frozen=True, slots=True)
class Asker:
    """A person with many matches, their server, and some of the matches."""

    guild: int
    user: int
    channel: int
    thread: int
    running: int
    over: int


def busiest(rows: Callable[..., list[Any]], after: int = 0) -> Asker:
    """Return the person with most matches in one server, ``after`` so many others who each have a running match.

    ``rows`` puts a query with question marks for its values.
    """
    seated = "FROM seats JOIN matches ON matches.id = match_id"
    going_on = "CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END"
    both = f"GROUP BY 1, 2 HAVING min({going_on}) < max({going_on})"
    most = f"SELECT guild_id, user_id {seated} {both} ORDER BY count(*) DESC, 1, 2 LIMIT 1 OFFSET {after}"
    ((guild, user),) = rows(most)
    of_theirs = f"SELECT id, channel_id, thread_id {seated} WHERE guild_id = ? AND user_id = ? AND state = ? LIMIT 1"
    ((running, channel, thread),) = rows(of_theirs, guild, user, MatchState.RUNNING)
    ((over, *_),) = rows(of_theirs, guild, user, MatchState.OVER)
    return Asker(guild, user, channel, thread, running, over)
