"""Computer levels that a person has beaten: noted once over all servers, shown and celebrated."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games import GAMES
from bot.matches.services.eligibility import Terms
from bot.messages import board
from bot.storage.records import First
from tests.matches.against_computer import against, imported
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd
from tests.support.acting import FINISHED

OTHER = ("b1", "a5", "a1", *FINISHED[3:])
"""The same game with the first seat's first moves the other way round."""


async def won(crowd: Crowd, *, level: int, moves: Sequence[str] = FINISHED) -> int:
    """Have Alice win against a level; return the match."""
    match_id = await imported(crowd, ("1, Alice", f"level {level}, Tavoliere"), *moves[:-1])
    await crowd.play(match_id, FINISHED[-1])
    crowd.later(minutes=1)
    return match_id


async def said(crowd: Crowd, match_id: int) -> str:
    """Return the words of a result."""
    return board.headline(await crowd.services.queries.match_view(GUILD, match_id))


async def test_a_first_win_against_a_level_is_celebrated_once_and_the_highest_shown(crowd: Crowd) -> None:
    first = await won(crowd, level=3)
    assert "First win against level 3 in Yonmoque!" in await said(crowd, first)
    again, lower = await won(crowd, level=3), await won(crowd, level=1)
    assert "First win" not in await said(crowd, again)
    assert "First win against level 1 in Yonmoque!" in await said(crowd, lower)
    elsewhere = GUILD + 1
    profile = await crowd.services.queries.profile(elsewhere, ALICE.id, BOB.id)
    assert profile.levels_beaten == {"yonmoque": 3}


async def test_a_win_that_is_voided_has_beaten_no_level(crowd: Crowd) -> None:
    await won(crowd, level=1)
    voided = await won(crowd, level=4)
    await crowd.void(voided)
    assert "First win" not in await said(crowd, voided)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 1}


async def test_of_two_wins_against_a_level_the_one_that_is_not_voided_still_counts(crowd: Crowd) -> None:
    first, again = await won(crowd, level=3), await won(crowd, level=3)
    await won(crowd, level=2)
    await crowd.void(first)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 3}
    assert "First win against level 3 in Yonmoque!" in await said(crowd, again)
    await crowd.void(again)
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.levels_beaten == {"yonmoque": 2}


async def usual(crowd: Crowd) -> int:
    return await crowd.services.computer_opponents.usual_level(ALICE, "yonmoque")


async def test_the_level_that_fits_is_the_lowest_that_a_person_has_not_beaten_twice(crowd: Crowd) -> None:
    assert await usual(crowd) == 1
    await won(crowd, level=1)
    assert await usual(crowd) == 1
    again = await won(crowd, level=1, moves=OTHER)
    assert await usual(crowd) == 2
    await crowd.void(again)
    assert await usual(crowd) == 1


async def test_a_win_in_the_same_moves_as_an_earlier_one_does_not_count(crowd: Crowd) -> None:
    await won(crowd, level=1)
    again = await won(crowd, level=1)
    assert await usual(crowd) == 1
    await won(crowd, level=1, moves=OTHER)
    assert await usual(crowd) == 2
    await won(crowd, level=2)
    assert await usual(crowd) == 2, "a win against another level counts, whatever its moves"
    await crowd.void(again)
    assert await usual(crowd) == 2


async def test_levels_that_a_game_had_beyond_its_strongest_count_as_that_one(crowd: Crowd) -> None:
    opponents = crowd.services.computer_opponents
    strongest = GAMES["redtangle"].levels
    terms = Terms("redtangle", "standard", 2, First.CHALLENGER)
    for _ in range(2):
        match_id = await against(crowd, terms, level=strongest + 3)
        await crowd.services.forfeits.give_up(match_id, 1)
        crowd.later(minutes=10)
    for level in range(1, strongest):
        for _ in range(2):
            await crowd.services.forfeits.give_up(await against(crowd, terms, level=level), 1)
            crowd.later(minutes=10)
    assert await opponents.usual_level(ALICE, "redtangle") == strongest


async def test_after_two_losses_in_a_row_the_level_below_fits(crowd: Crowd) -> None:
    for level in (1, 2):
        await won(crowd, level=level)
        await won(crowd, level=level, moves=OTHER)
    await crowd.resign(await against(crowd, level=3), ALICE)
    crowd.later(minutes=1)
    assert await usual(crowd) == 3
    await crowd.resign(await against(crowd, level=3), ALICE)
    crowd.later(minutes=1)
    assert await usual(crowd) == 2
    await won(crowd, level=2)
    assert await usual(crowd) == 3


async def test_two_losses_to_levels_far_above_make_no_lower_one_fit(crowd: Crowd) -> None:
    await won(crowd, level=1)
    await won(crowd, level=1, moves=OTHER)
    for _ in range(2):
        await crowd.resign(await against(crowd, level=10), ALICE)
        crowd.later(minutes=1)
    assert await usual(crowd) == 2
