"""Who has which place on a leaderboard: the database ranks, people with equal values share a place, pages are cut."""

from __future__ import annotations

from bot.matches.model.rating import CERTAIN_GAMES, CERTAIN_SIGMA
from bot.storage import ratings
from bot.storage.leaderboards import Part
from bot.storage.rating_records import Rating
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd


async def put(crowd: Crowd, *rated: Rating) -> None:
    async with crowd.database.write() as tx:
        await ratings.put(tx, GUILD, "redo", rated, crowd.now)


def settled(user_id: int, mu: float) -> Rating:
    return Rating(user_id, mu, CERTAIN_SIGMA, wins=CERTAIN_GAMES)


async def test_the_certain_come_first_then_the_strong_and_equals_share_a_place(crowd: Crowd) -> None:
    unsure = Rating(1, 40.0, 8.0, wins=1)
    best, one, other, last = settled(5, 35.0), settled(4, 30.001), settled(3, 30.0), settled(2, 20.0)
    await put(crowd, unsure, last, other, one, best)
    found = await crowd.services.queries.leaderboard(GUILD, "redo", Part(0, 10, 0))
    assert [placed.rating for placed in found.listed] == [best, other, one, last, unsure]
    assert [placed.place for placed in found.listed] == [1, 2, 2, 4, 5]


async def test_twenty_six_with_the_same_rating_are_all_first_on_every_page(crowd: Crowd) -> None:
    await put(crowd, *(settled(user_id, 30.0) for user_id in range(1, 27)))
    pages = [await crowd.services.queries.leaderboard(GUILD, "redo", Part(page, 10, 26)) for page in range(9)]
    assert [[placed.place for placed in page.listed] for page in pages[:3]] == [[1] * 10, [1] * 10, [1] * 6]
    assert [page.own is None for page in pages[:3]] == [False, False, True]
    assert {page.page for page in pages[2:]} == {2}
    assert [placed.user_id for page in pages[:3] for placed in page.listed] == list(range(1, 27))


async def test_bars_are_measured_by_the_best_of_all_pages(crowd: Crowd) -> None:
    await put(crowd, *(settled(user_id, 20.0 + user_id) for user_id in range(1, 13)))
    first, second = [await crowd.services.queries.leaderboard(GUILD, "redo", Part(page, 10, 1)) for page in (0, 1)]
    assert first.own is not None
    assert (first.own.place, first.listed[0].value) == (12, second.high)


async def test_people_with_as_many_wins_share_a_place_this_month(crowd: Crowd) -> None:
    for winner, loser in ((ALICE, BOB), (BOB, CAROL), (CAROL, BOB), (CAROL, ALICE)):
        match_id = await crowd.begin(by=winner, to=loser)
        await crowd.move_twice(match_id)
        await crowd.resign(match_id, loser)
    found = await crowd.services.queries.winners(GUILD, "yonmoque", Part(0, 10, 0))
    assert [(placed.place, placed.user_id, placed.value) for placed in found.listed] == [
        (1, CAROL.id, 2),
        (2, ALICE.id, 1),
        (2, BOB.id, 1),
    ]
