"""Queries about many, queries that need no check, and what is known of tables; ``own_queries`` has the others.

A new query has to be added here or there; ``test_query_costs`` and ``test_plans`` check what they cost.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.storage import (
    active_bot,
    bars,
    challenges,
    cups,
    due,
    erasure,
    guilds,
    interactions,
    leaderboards,
    match_lists,
    matches,
    puzzles,
    ratings,
    running_clocks,
)
from bot.storage.leaderboards import Part, RatingScale
from bot.storage.rating_records import Rating
from bot.storage.running_clocks import Credit
from tests.storage.own_queries import LONG_AGO, NOW, YESTERDAY, Query
from tests.support.crowds.asker import Asker

CREDIT = Credit(1, YESTERDAY, NOW, None, None, 1000, 0)


async def _begin_deletion(tx: AsyncConnection, asker: Asker) -> None:
    await guilds.depart(tx, asker.guild, LONG_AGO)
    await guilds.begin_deletion(tx, asker.guild, NOW)


COMMON: dict[str, Query] = {
    "challenges.open_about": lambda tx, asker: challenges.open_about(tx, asker.user, asker.guild),
    "challenges.open_before": lambda tx, _: challenges.open_before(tx, YESTERDAY, (YESTERDAY, 0), most=5),
    "match_lists.running_in": lambda tx, asker: match_lists.running_in(
        tx, asker.guild, [asker.channel], asker.user, place_id=1, opponent_id=asker.user, game="redo", limit=13
    ),
    "match_lists.running_places": lambda tx, asker: match_lists.running_places(tx, asker.guild),
    "challenges.open_places": lambda tx, asker: challenges.open_places(tx, asker.guild),
    "match_lists.ended_between": lambda tx, asker: match_lists.ended_between(
        tx, asker.guild, YESTERDAY, NOW, uncounted="closed", limit=500
    ),
    "puzzles.longest_streak": lambda tx, asker: puzzles.longest_streak(
        tx, asker.guild, YESTERDAY.date(), YESTERDAY.date()
    ),
    "challenges.invitations": lambda tx, asker: challenges.invitations(
        tx, asker.guild, [asker.channel], asker.user, NOW, 2
    ),
    "bars.in_server": lambda tx, asker: bars.in_server(tx, asker.guild),
    "ratings.part_after": lambda tx, asker: ratings.part_after(tx, asker.guild, ("redo", asker.user), 100),
    "ratings.correct": lambda tx, asker: ratings.correct(
        tx, asker.guild, {("redo", asker.user): (Rating(asker.user, 25.0, 8.0, 1), NOW), ("", asker.user): None}
    ),
    "ratings.has_changed": lambda tx, asker: ratings.has_changed(tx, asker.over),
    "ratings.changes_of": lambda tx, asker: ratings.changes_of(tx, [asker.over]),
    "ratings.finishes_after": lambda tx, asker: ratings.finishes_after(tx, asker.guild, 0, 100),
    "ratings.results_between": lambda tx, asker: ratings.results_between(tx, asker.guild, 0, 100),
    "challenges.shift_open": lambda tx, _: challenges.shift_open(tx, timedelta(hours=1), NOW, 0.01, 500),
    "cups.anonymise": lambda tx, asker: cups.anonymise(tx, asker.user, -1, "nobody"),
    "erasure.anonymise": lambda tx, asker: erasure.anonymise(tx, asker.user, -1, "nobody"),
    "challenges.open_about locked": lambda tx, asker: challenges.open_about(tx, asker.user, lock=True),
    "erasure.delete_settings": lambda tx, asker: erasure.delete_settings(tx, asker.user),
    "leaderboards.by_rating": lambda tx, asker: leaderboards.by_rating(
        tx, asker.guild, "redo", LONG_AGO, RatingScale(42, 5, 7.0), Part(0, 10, asker.user)
    ),
    "leaderboards.by_wins": lambda tx, asker: leaderboards.by_wins(
        tx, asker.guild, "redo", YESTERDAY, Part(0, 10, asker.user)
    ),
    "leaderboards.by_wins in all": lambda tx, asker: leaderboards.by_wins(
        tx, asker.guild, None, YESTERDAY, Part(0, 10, asker.user)
    ),
    "guilds.known_servers": lambda tx, _: guilds.known_servers(tx),
    "guilds.begin_deletion": _begin_deletion,
    "guilds.delete_part": lambda tx, asker: guilds.delete_part(tx, asker.guild, 9, NOW),
    "guilds.delete_direct": lambda tx, asker: guilds.delete_direct(tx, asker.user),
    "guilds.to_delete": lambda tx, _: guilds.to_delete(tx, NOW),
    "guilds.deletion_begun": lambda tx, asker: guilds.deletion_begun(tx, asker.guild),
    "due.any_live": lambda tx, _: due.any_live(tx, LONG_AGO, 3600),
    "due.to_tell": lambda tx, _: due.to_tell(tx, NOW),
    "running_clocks.move": lambda tx, asker: running_clocks.move(
        tx, running_clocks.of_server(asker.guild), timedelta(hours=1)
    ),
    "running_clocks.move of a part": lambda tx, _: running_clocks.move(
        tx, running_clocks.of_part(CREDIT, 100), timedelta(hours=1)
    ),
    "running_clocks.resume": lambda tx, _: running_clocks.resume(tx, running_clocks.to_resume(GAMES.rules), NOW),
    "running_clocks.standing": lambda tx, _: running_clocks.standing(tx, running_clocks.of_part(CREDIT, 100), 0, 100),
    "running_clocks.worth_telling": lambda tx, _: running_clocks.worth_telling(
        tx, running_clocks.of_all(), 0.01, 500, NOW
    ),
    "running_clocks.note_told": lambda tx, asker: running_clocks.note_told(tx, [asker.running]),
    "running_clocks.stop": lambda tx, _: running_clocks.stop(tx, GAMES.rules, NOW),
    "running_clocks.go_on": lambda tx, _: running_clocks.go_on(tx, running_clocks.to_resume(GAMES.rules), NOW),
    "running_clocks.credits": lambda tx, _: running_clocks.credits(tx),
    "running_clocks.end_of_part": lambda tx, _: running_clocks.end_of_part(tx, CREDIT, 100),
    "match_lists.running_everywhere": lambda tx, _: match_lists.running_everywhere(tx),
    "match_lists.running_without": lambda tx, _: match_lists.running_without(tx, GAMES.rules),
}
"""Queries whose cost may grow with the number of people, such as a leaderboard; they scan no whole table."""

SHARED: dict[str, Query] = {
    "matches.lock": lambda tx, asker: matches.lock(tx, asker.running),
    "active_bot.current": lambda tx, _: active_bot.current(tx),
    "active_bot.name_successor": lambda tx, _: active_bot.name_successor(tx, 1),
    "active_bot.ready": lambda tx, _: active_bot.ready(tx, 1),
    "active_bot.hand_over": lambda tx, _: active_bot.hand_over(tx, 1),
    "interactions.reserve": lambda tx, _: interactions.reserve(tx, 1),
    "interactions.forget_reservations": lambda tx, _: interactions.forget_reservations(tx, timedelta(hours=1)),
}
"""Queries that only PostgreSQL gets, where several processes share a database: ``test_plans`` checks them."""
THROUGHOUT = {
    "page_access.delete_old",
    "page_access.keys",
    "cups.running_ids",
    "match_lists.every_id",
    "match_lists.running_ids",
    "bars.every",
    "ratings.everything",
}
"""Queries that scan whole tables, because a check or an export needs all rows."""
SMALL = {"blocks", "computer_turns", "deletions", "departures", "generation", "heartbeats", "processes"}
SMALL |= {
    "clock_credits",
    "ladders",
    "brakes",
    "held_turns",
    "interaction_claims",
    "page_keys",
    "puzzle_channels",
    "quiet_turns",
    "reratings",
}
"""Tables so small that a scan costs nothing. A computer's turn stays for seconds, a held one for a day at most; a
server has one puzzle channel."""
OF_SMALL = {"exclusive_use", "processes"}
"""Modules with queries on small tables only."""
NO_QUERIES = {
    "copying",
    "database",
    "database_checks",
    "engines",
    "locks",
    "migrations",
    "moments",
    "tables",
    "transactions",
    "work_queue",
}
"""Modules without queries."""
CHANGES = {
    "add",
    "put_edits",
    "drop_edits",
    "ask",
    "add_key",
    "begin",
    "note_checked",
    "note_part",
    "end",
    "use_link",
    "add_bar",
    "add_changes",
    "add_credit",
    "add_moves",
    "add_offer",
    "add_pairings",
    "beat",
    "change",
    "change_each",
    "change_seat",
    "fill_banks",
}
CHANGES |= {
    "add_attempt",
    "add_match",
    "leave_out",
    "take_out",
    "forget_out",
    "add_daily",
    "change_attempt",
    "change_offer",
    "change_pairing",
    "change_player",
    "come_back",
    "count_soon",
    "clear_count_due",
    "drop_channel",
    "set_message",
    "posted_daily",
    "put_channel",
    "release",
    "put_rating",
    "depart",
    "tell",
    "join",
    "leave",
    "mark",
    "put",
    "put_changes",
    "put_judgement",
    "put_preferences",
    "put_settings",
    "set_block",
    "spread_heartbeats",
}
"""Queries that only insert rows, or change rows by the key of one match, person or message."""
