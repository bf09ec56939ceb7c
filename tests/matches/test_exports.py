"""An export has all that is stored about a person, and nothing that only another person may know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Date, Table, Text, insert, select

from bot.storage import abuse_counters, tables
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.records import News, Person
from bot.storage.tables.columns import Instant, Tuple, Word
from tests.docs.test_privacy import OF_NOBODY, TOLD, columns
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.matches.planning import plan
from tests.matches.test_cups import begun

EXPORTED: Mapping[str, str] = {
    "absences": "absences",
    "bars": "barred",
    "blocks": "blocked",
    "brakes": "limits",
    "challenge_players": "challenges",
    "challenges": "challenges",
    "cup_pairings": "cup_pairings",
    "cup_players": "cups",
    "cups": "cups",
    "digests": "digest",
    "held_turns": "held_turns",
    "ladder_matches": "ladder_matches",
    "ladder_players": "ladders",
    "levels_beaten": "levels_beaten",
    "matches": "matches",
    "mentions": "mentions",
    "moves": "matches",
    "notes": "notes",
    "notices": "notices",
    "offers": "offers",
    "page_sessions": "page_sessions",
    "people": "preferences",
    "plans": "plans",
    "puzzle_attempts": "puzzles",
    "puzzle_ratings": "puzzle_rating",
    "quiet_turns": "quiet_turns",
    "rating_changes": "rating_changes",
    "ratings": "ratings",
    "seats": "matches",
    "shares": "shares",
    "visits": "last_use",
}
"""By table, the entry of an export that has its rows about the person."""
NOT_EXPORTED = {
    *("interactions", "page_requests", "page_links", "reratings", "responses", "watch_links"),  # they tell of no person
    *("reviews", "judgements"),  # about a match, and shown to all who see it
    "outbox",  # about what the other entries hold
    *("daily_puzzles", "deletions", "departures", "guilds", "ladders", "puzzle_channels"),  # about servers
}


async def exported(crowd: Crowd, person: Person = ALICE) -> dict[str, Any]:
    """Return what the export of a person holds."""
    content: dict[str, Any] = json.loads(await crowd.services.privacy.export(person.id))
    return content


async def test_an_export_has_an_entry_for_every_table_with_facts_about_a_person(crowd: Crowd) -> None:
    of_nobody = {column.partition(".")[0] for column in columns(OF_NOBODY)}
    told = {column.partition(".")[0] for text in TOLD.values() for column in columns(text)}
    assert told - EXPORTED.keys() - of_nobody - NOT_EXPORTED == set()
    assert set(EXPORTED.values()) <= (await exported(crowd)).keys()


MALLORY = Person(987_654_321_012_345_678, "Mallory")
OWN = (
    *(tables.absences, tables.bars, tables.blocks, tables.digests, tables.held_turns, tables.ladder_matches),
    *(tables.ladder_players, tables.levels_beaten, tables.mentions, tables.notes, tables.notices, tables.page_sessions),
    *(tables.people, tables.plans, tables.puzzle_attempts, tables.puzzle_ratings, tables.quiet_turns, tables.shares),
    tables.visits,
)
"""The tables in which a match, a challenge and a cup leave no row of a person."""
PRIVATE = (
    *("absences", "barred", "blocked", "digest", "held_turns", "ladders", "last_use", "levels_beaten", "limits"),
    *("notes", "notices", "offers", "page_sessions", "plans", "puzzle_rating", "puzzles", "quiet_turns", "shares"),
)
"""The entries that the other player of their match has nothing in."""


def row(table: Table, now: datetime, **known: object) -> dict[str, object]:
    """Return a row with a value in each column that needs one: one that is known, or any."""

    values: dict[type, object] = {Instant: now, Date: now.date(), Tuple: (), JSON: {}, Boolean: True, Text: "1"}

    def any_value(kind: object) -> object:
        return next(iter(kind.enum.__members__.values())) if isinstance(kind, Word) else values.get(type(kind), 1)

    needed = [
        column
        for column in table.c
        if column.name in known or not (column.nullable or column.server_default is not None or column.name == "id")
    ]
    return {column.name: known.get(column.name, any_value(column.type)) for column in needed}


async def everywhere(crowd: Crowd) -> int:
    """Have Mallory in every table with facts about a person; return a match of theirs that is over."""
    over, running = await crowd.begin(by=MALLORY), await crowd.begin(by=MALLORY)
    await crowd.move_twice(over)
    await crowd.resign(over, BOB)
    await crowd.services.personal_settings.prefer_in_match(GUILD, over, MALLORY.id, News.DIRECT)
    await crowd.play(running, "c3", "d4", players=(MALLORY, BOB))
    await crowd.services.agreements.offer_draw(*crowd.request(running, MALLORY))
    await begun(crowd, MALLORY, BOB, CAROL)
    await crowd.services.personal_settings.block(CAROL.id, MALLORY.id, blocked=True)
    theirs = {"user_id": MALLORY.id, "blocked_id": BOB.id, "match_id": running, "guild_id": GUILD, "seat": 0, "ply": 2}
    async with crowd.database.write() as tx:
        for table in OWN:
            known = {name: value for name, value in theirs.items() if name in table.c}
            await tx.execute(insert(table).prefix_with("OR IGNORE").values(row(table, crowd.now, **known)))
        await tx.execute(insert(tables.notes).values(match_id=running, user_id=BOB.id, ply=0, text="his"))
        await abuse_counters.note(tx, MALLORY.id, AbuseCounter.BAR, str(GUILD), crowd.now)
    return over


async def test_what_every_table_has_of_a_person_is_exported_to_them_alone(crowd: Crowd) -> None:
    await everywhere(crowd)
    own, others = await exported(crowd, MALLORY), await exported(crowd, BOB)
    assert [name for name in EXPORTED.values() if not own[name]] == []
    assert {name for name in PRIVATE if others[name]} == {"notes"}, "and none of these is theirs"
    assert [note["text"] for note in others["notes"]] == ["his"]


async def test_nothing_is_left_of_who_is_deleted_but_bars_and_the_blocks_of_others(crowd: Crowd) -> None:
    over = await everywhere(crowd)
    await crowd.services.privacy.erase(MALLORY, crowd.interaction())
    async with crowd.database.read() as tx:
        kept = {table.name: (await tx.execute(select(table))).all() for table in tables.metadata.sorted_tables}
    naming = {name for name, rows in kept.items() if str(MALLORY.id) in repr(rows) or "Mallory" in repr(rows)}
    assert naming == {"bars", "blocks"}
    assert [block.user_id for block in kept["blocks"]] == [CAROL.id]
    assert [note.user_id for note in kept["notes"]] == [BOB.id]
    assert [seat.news for seat in (await crowd.match(over)).seats] == [None, None]
    own = await exported(crowd, MALLORY)
    assert {name for name in PRIVATE if own[name]} == {"barred", "limits"}


async def test_which_moves_were_planned_is_exported_to_whom_had_planned_them(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4", by=BOB)
    await crowd.play(match_id, "c3", players=(ALICE,))
    own, others = await exported(crowd, BOB), await exported(crowd, ALICE)
    assert [move.get("planned") for move in own["matches"][0]["moves"]] == [None, True]
    assert [move.get("planned") for move in others["matches"][0]["moves"]] == [None, None]
