"""An export has all that is stored about a person, and nothing that only another person may know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert

from bot.storage import abuse_counters, ladders, notices
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.notices import Notice
from bot.storage.records import Person
from bot.storage.tables import held_turns
from tests.docs.test_privacy import OF_NOBODY, TOLD, columns
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.matches.planning import plan
from tests.matches.test_cups import begun

DAVE = Person(4, "Dave")

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


async def test_changes_of_ratings_are_exported(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, BOB)
    changes = (await exported(crowd))["rating_changes"]
    assert [(change["match_id"], change["game"], change["user_id"]) for change in changes] == [
        (match_id, "", ALICE.id),
        (match_id, "yonmoque", ALICE.id),
    ]


async def test_own_offers_are_exported(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3", "d4")
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    assert [(offer["kind"], offer["state"]) for offer in (await exported(crowd))["offers"]] == [("draw", "open")]
    assert (await exported(crowd, BOB))["offers"] == []


async def test_messages_about_a_turn_are_exported_to_whom_it_is(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    async with crowd.database.write() as tx:
        await notices.put(tx, match_id, Notice(0, "turn", 30, 40))
        held = {"match_id": match_id, "guild_id": GUILD, "ply": 0, "due_at": crowd.now, "mentioned": True}
        await tx.execute(insert(held_turns).values(held))
    own, others = await exported(crowd), await exported(crowd, BOB)
    assert [notice["message_id"] for notice in own["notices"]] == [40]
    assert [turn["mentioned"] for turn in own["held_turns"]] == [True]
    assert others["notices"] == others["held_turns"] == []


async def test_matches_of_the_ladder_and_of_cups_are_exported(crowd: Crowd) -> None:
    match_id, cup_id = await crowd.begin(), await begun(crowd, ALICE, BOB, CAROL, DAVE)
    async with crowd.database.write() as tx:
        await ladders.add_match(tx, GUILD, match_id, crowd.now)
    kept = await exported(crowd)
    assert [match["match_id"] for match in kept["ladder_matches"]] == [match_id]
    # Half of the twelve in which each of four meets each other twice.
    assert [(pairing["cup_id"], pairing["late"]) for pairing in kept["cup_pairings"]] == [(cup_id, False)] * 6


async def test_what_limits_know_of_a_person_is_exported(crowd: Crowd) -> None:
    async with crowd.database.write() as tx:
        await abuse_counters.note(tx, ALICE.id, AbuseCounter.BAR, str(GUILD), crowd.now)
    assert [(limit["kind"], limit["subject"]) for limit in (await exported(crowd))["limits"]] == [("bar", str(GUILD))]
    assert (await exported(crowd, BOB))["limits"] == []


async def test_which_moves_were_planned_is_exported_to_whom_had_planned_them(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4", by=BOB)
    await crowd.play(match_id, "c3", players=(ALICE,))
    own, others = await exported(crowd, BOB), await exported(crowd, ALICE)
    assert [move.get("planned") for move in own["matches"][0]["moves"]] == [None, True]
    assert [move.get("planned") for move in others["matches"][0]["moves"]] == [None, None]
