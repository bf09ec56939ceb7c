"""Every query of the storage layer, with arguments that follow from the names and the types of its parameters.

So a new query is looked at without being named here; ``test_query_costs`` and ``test_plans`` check what it costs.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot import storage
from bot.games import GAMES
from bot.storage import guilds, matches, notices, ratings, running_clocks
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.computer_turns import ComputerTurn
from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.cups import Pairing
from bot.storage.digests import Digest
from bot.storage.leaderboards import Part, RatingScale
from bot.storage.notices import Notice
from bot.storage.puzzles import DailyPuzzle, PuzzleRating
from bot.storage.rating_records import Rating, RatingChange
from bot.storage.records import MatchState, OfferKind, OfferState, OutboxState, Person, Plan, ShareKind
from bot.storage.responses import Response
from bot.storage.running_clocks import Credit
from tests.support.crowds.asker import Asker

NOW = datetime(2026, 1, 1, tzinfo=UTC)
YESTERDAY, LONG_AGO = NOW - timedelta(days=1), NOW - timedelta(days=120)
CREDIT = Credit(1, YESTERDAY, NOW, None, None, 1000, 0)

Query = Callable[[AsyncConnection, Asker], Awaitable[Any]]
Arguments = dict[str, Any]

BY_TYPE: Arguments = {
    "AbuseCounter": AbuseCounter.SHARE,
    "ComputerTurn": ComputerTurn(1, 1),
    "Credit": CREDIT,
    "Digest": Digest(1, 1, NOW, None),
    "NoMatch": NoMatch.TURN,
    "OfferKind": OfferKind.DRAW,
    "OutOfLadder": OutOfLadder.TIME,
    "OutboxState": OutboxState.SENT,
    "Pairing": Pairing(0, 1, 1, 2),
    "PuzzleRating": PuzzleRating(1, 25.0, 8.0),
    "RatingScale": RatingScale(42, 5, 7.0),
    "RequestId": 1,
    "Response": Response(1, "token", NOW),
    "ShareKind": ShareKind.REPLAY,
    "bool": False,
    "date": NOW.date(),
    "datetime": NOW,
    "datetime | None": NOW,
    "dict[str, Any]": {},
    "float": 0.01,
    "int": 1,
    "str": "1",
    "timedelta": timedelta(hours=1),
}
"""Values of parameters, where their names say nothing."""


def by_name(asker: Asker) -> Arguments:
    """Return values of parameters by their names, whatever the query; ``match_id`` is one of two matches."""
    user = asker.user
    return {
        "after": 0,
        "attempt_ids": [1],
        "blocked_id": user,
        "busy": ["match:1"],
        "channel_id": asker.channel,
        "channel_ids": [asker.channel],
        "daily": DailyPuzzle(asker.guild, NOW.date(), "redo", "1", 1, 1, NOW),
        "finish": 0,
        "game": "redo",
        "games": sorted(GAMES),
        "guild_id": asker.guild,
        "hashes": [(1, "hash")],
        "limit": 8,
        "match_ids": [asker.running, asker.over],
        "message_ids": [1, 2, 3],
        "most": 8,
        "nobody_id": -1,
        "other_id": user + 1,
        "other_than": asker.running,
        "part": Part(0, 10, user),
        "people": [Person(user, "x")],
        "places": [asker.channel],
        "rules": GAMES.rules,
        "session_ids": [1],
        "since": LONG_AGO,
        "topic": f"match:{asker.running}",
        "uncounted": "closed",
        "user_id": user,
        "user_ids": [user, user + 1],
        "viewer_id": user,
        "which": running_clocks.to_resume(GAMES.rules),
    }


def special(asker: Asker) -> dict[str, Arguments]:
    """Return arguments that a query needs instead, and those of the variants of queries, after a space in the name."""
    user, part_of_clocks = asker.user, running_clocks.of_part(CREDIT, 100)
    new_ratings = {("redo", user): (Rating(user, 25.0, 8.0, 1), NOW), ("", user): None}
    return {
        "abuse_counters.times": {"since": LONG_AGO},
        "challenges.change": {"message_id": 1},
        "challenges.open_about": {"guild_id": asker.guild},
        "challenges.open_about locked": {"lock": True},
        "challenges.open_before": {"at": YESTERDAY, "after": (YESTERDAY, 0)},
        "cups.change": {"message_id": 1},
        "cups.change_player": {"place": 1},
        "cups.unended_of in a server": {"guild_id": asker.guild},
        "cups.page_of_server ended": {"ended": True, "offset": 8},
        "due.any_live": {"now": LONG_AGO, "seconds": 3600},
        "due.to_flag": {"now": LONG_AGO},
        "due.to_remind": {"now": LONG_AGO},
        "interactions.delete_old": {"before": LONG_AGO},
        "ladders.ended_since": {"since": NOW},
        "leaderboards.by_wins": {"since": YESTERDAY},
        "leaderboards.by_wins in all": {"since": YESTERDAY, "game": None},
        "match_lists.ended_between": {"since": YESTERDAY},
        "match_lists.finished_of somebody": {"opponent_id": user + 1, "game": "redo", "offset": 8},
        "match_lists.in_place": {"place_id": asker.channel},
        "match_lists.in_place a thread": {"place_id": asker.thread},
        "match_lists.of_person running": {"state": MatchState.RUNNING},
        "match_lists.results_of against": {"against": user + 1},
        "match_lists.running_in": {"opponent_id": user, "game": "redo"},
        "matches.advance": {"ply": 1},
        "matches.advance_from": {"ply": 1},
        "matches.change": {"remind_at": NOW},
        "matches.change_each": {"values": [{"id": asker.running, "remind_at": NOW}]},
        "matches.change_offer": {"state": OfferState.DECLINED},
        "matches.change_seat": {"name": "x"},
        "matches.get locked": {"lock": True},
        "notices.put": {"notice": Notice(1, "late", 1, 1)},
        "outbox.drop_edits": {"topics": ["match:1"]},
        "outbox.delete_old": {"before": LONG_AGO, "refused_before": LONG_AGO},
        "outbox.first_of_each_topic": {"only_due": [1], "now": NOW},
        "outbox.mark": {"done_at": NOW},
        "plans.change": {"plan": Plan(0, 1, {}, 0)},
        "page_access.end_of_person in a server": {"guild_id": asker.guild},
        "puzzles.change_attempt": {"ply": 1},
        "puzzles.latest_daily ever": {},
        "puzzles.latest_daily": {"before": NOW.date()},
        "puzzles.longest_streak": {"since": YESTERDAY.date(), "last": YESTERDAY.date()},
        "ratings.correct": {"corrections": new_ratings},
        "ratings.history": {"game": ratings.OVERALL},
        "ratings.part_after": {"last": ("redo", user)},
        "ratings.put": {"new": [Rating(user, 25.0, 8.0, 1)]},
        "ratings.put_changes": {"changes": [("redo", RatingChange(asker.over, user, 25.0, 8.0, 26.0, 7.9, NOW))]},
        "ratings.results_between": {"last": 100},
        "running_clocks.move": {"which": running_clocks.of_server(asker.guild)},
        "running_clocks.move of a part": {"which": part_of_clocks},
        "running_clocks.move of matches": {"which": running_clocks.of_matches([asker.running])},
        "running_clocks.standing": {"which": part_of_clocks},
        "running_clocks.worth_telling": {"which": running_clocks.of_all()},
    }


COMMON = {
    "bars.in_server",
    "challenges.invitations",
    "challenges.open_about",
    "challenges.open_before",
    "challenges.open_places",
    "challenges.shift_open",
    "erasure.anonymise",
    "guilds.begin_deletion",
    "guilds.known_servers",
    "leaderboards",
    "match_lists.ended_between",
    "match_lists.running_everywhere",
    "match_lists.running_in",
    "match_lists.running_places",
    "match_lists.running_without",
    "puzzles.longest_streak",
    "ratings.results_between",
    "running_clocks",
}
"""Queries, or modules of them, whose cost may grow with the number of people, such as a leaderboard; they scan no whole
table."""
SHARED = {"active_bot", "interactions.forget_reservations", "interactions.reserve", "matches.lock"}
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
SMALL = {
    "blocks",
    "brakes",
    "clock_credits",
    "computer_turns",
    "deletions",
    "departures",
    "generation",
    "heartbeats",
    "held_turns",
    "interaction_claims",
    "ladders",
    "page_keys",
    "processes",
    "puzzle_channels",
    "quiet_turns",
    "reratings",
}
"""Tables so small that a scan costs nothing. A computer's turn stays for seconds, a held one for a day at most; a
server has one puzzle channel."""
UNCHECKED = {"copying", "database_checks", "exclusive_use", "locks", "processes"}
"""Modules with queries on small tables or on what is no table, and those that copy or check the whole database."""
INSERTS = {
    "add",
    "add_changes",
    "add_moves",
    "add_offer",
    "add_pairings",
    "join",
    "put",
    "put_channel",
    "put_edits",
    "put_judgement",
    "put_preferences",
    "put_settings",
}
"""Names of queries that insert rows, or put them in the place of others by their key, but for those in ``special``."""


def _functions() -> dict[str, Callable[..., Awaitable[Any]]]:
    """Return every function of the storage layer that is called with a transaction, by module and name."""
    found = {}
    for module in pkgutil.iter_modules(storage.__path__):
        if module.name in UNCHECKED:
            continue
        of = import_module(f"{storage.__name__}.{module.name}")
        for name, function in inspect.getmembers(of, inspect.iscoroutinefunction):
            own = function.__module__ == of.__name__ and not name.startswith("_")
            if own and next(iter(inspect.signature(function).parameters), None) == "tx":
                found[f"{module.name}.{name}"] = function
    return found


FUNCTIONS = _functions()


def _query(name: str) -> Query:
    """Return a query with its arguments; one about a match is put about a running one and one that is over."""
    function = FUNCTIONS[name.partition(" ")[0]]
    _, *parameters = inspect.signature(function).parameters.values()
    wanted = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    wanted += [one for one in parameters if one.name == "rules" and one not in wanted]
    of_match = {"match", "match_id"} & {one.name for one in wanted}

    async def put(tx: AsyncConnection, asker: Asker) -> None:
        own, named = special(asker).get(name, {}), by_name(asker)
        for match_id in (asker.running, asker.over) if of_match else (0,):
            values = named | {"match_id": match_id} | own
            if "match" in of_match:
                values["match"] = await matches.get(tx, match_id)
            given = {one.name: values[one.name] if one.name in values else BY_TYPE[one.annotation] for one in wanted}
            await function(tx, **own | given)

    return put


async def _begin_deletion(tx: AsyncConnection, asker: Asker) -> None:
    await guilds.depart(tx, asker.guild, LONG_AGO)
    await guilds.begin_deletion(tx, asker.guild, NOW)


async def _take_notices(tx: AsyncConnection, asker: Asker) -> None:
    for kinds in (None, ["late"]):
        await notices.put(tx, asker.running, Notice(1, "late", 1, 1))
        assert await notices.take(tx, asker.running, 5, kinds)


def _listed(name: str, names: set[str]) -> bool:
    return not names.isdisjoint((name.partition(" ")[0], name.partition(".")[0]))


NAMED = special(Asker(*range(6))).keys()
CHECKED = {name for name in FUNCTIONS if name not in THROUGHOUT and name.partition(".")[2] not in INSERTS} | NAMED
PREPARED = {"guilds.begin_deletion": _begin_deletion, "notices.take": _take_notices}
"""Queries that do nothing unless there is a row which the others do not find."""
LOOKED_AT = {name: _query(name) for name in sorted(CHECKED)} | PREPARED
"""The queries that must scan no table."""
ON_SQLITE = {name: query for name, query in LOOKED_AT.items() if not _listed(name, SHARED)}
"""Those that an SQLite database gets, too."""
OWN = [name for name in ON_SQLITE if not _listed(name, COMMON)]
"""Queries about one person, one match, or due rows: their cost does not grow with other people's rows."""
