"""Computer levels that a person has beaten: noted once over all servers, shown and celebrated."""

from __future__ import annotations

import json

from bot.messages import board
from tests.matches.against_computer import against, imported
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd
from tests.support.acting import FINISHED


async def won(crowd: Crowd, *, level: int) -> int:
    """Have Alice win against a level; return the match."""
    match_id = await imported(crowd, ("1, Alice", f"level {level}, Tavoliere"), *FINISHED[:-1])
    await crowd.play(match_id, FINISHED[-1])
    crowd.later(minutes=1)
    return match_id


async def said(crowd: Crowd, match_id: int) -> str:
    """Return the text of a result."""
    return board.text(await crowd.services.queries.match_view(GUILD, match_id))


async def test_a_first_win_against_a_level_is_celebrated_once_and_the_highest_shown(crowd: Crowd) -> None:
    first = await won(crowd, level=3)
    assert "First win against level 3 in Yonmoque!" in await said(crowd, first)
    again, lower = await won(crowd, level=3), await won(crowd, level=1)
    assert "First win" not in await said(crowd, again)
    assert "First win against level 1 in Yonmoque!" in await said(crowd, lower)
    elsewhere = GUILD + 1
    profile = await crowd.services.queries.profile(elsewhere, ALICE.id, BOB.id)
    assert profile.levels_beaten == {"yonmoque": 3}


async def test_a_match_lost_or_between_people_counts_for_no_level(crowd: Crowd) -> None:
    lost = await against(crowd, level=2)
    await crowd.resign(lost, ALICE)
    between_people = await crowd.begin()
    await crowd.resign(between_people, BOB)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {}
    assert "First win" not in await said(crowd, lost) + await said(crowd, between_people)


async def test_the_levels_a_person_has_beaten_are_exported_and_deleted(crowd: Crowd) -> None:
    match_id = await won(crowd, level=2)
    kept = json.loads(await crowd.services.privacy.export(ALICE.id))
    assert kept["levels_beaten"] == [{"user_id": ALICE.id, "game": "yonmoque", "level": 2, "match_id": match_id}]
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    kept = json.loads(await crowd.services.privacy.export(ALICE.id))
    assert kept["levels_beaten"] == []


async def test_a_win_that_is_voided_has_beaten_no_level(crowd: Crowd) -> None:
    await won(crowd, level=1)
    voided = await won(crowd, level=4)
    await crowd.services.voiding.void(GUILD, voided)
    assert "First win" not in await said(crowd, voided)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 1}


async def test_of_two_wins_against_a_level_the_one_that_is_not_voided_still_counts(crowd: Crowd) -> None:
    first, again = await won(crowd, level=3), await won(crowd, level=3)
    await won(crowd, level=2)
    await crowd.services.voiding.void(GUILD, first)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 3}
    assert "First win against level 3 in Yonmoque!" in await said(crowd, again)
    await crowd.services.voiding.void(GUILD, again)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 2}
