"""A match that ends before each player has moved twice is not rated, whatever ends it, then or in a recomputation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.matches.audit import audit
from bot.matches.model.rating import newcomer, points, rate
from bot.matches.services.eligibility import Terms
from bot.messages.board import text
from bot.storage import locks, ratings, tables
from bot.storage.rating_records import RatingChange
from bot.storage.records import EntryKind, First, OfferState
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.without_grace import without_grace  # noqa: F401

TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)
MOVES = ("a1", "a5", "b1", "b5")
TOO_EARLY = "not rated: it ended before both had moved twice"


async def resigns(crowd: Crowd, match_id: int) -> None:
    await crowd.resign(match_id, ALICE)


async def agree(crowd: Crowd, match_id: int) -> None:
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    assert await crowd.services.agreements.offer_draw(*crowd.request(match_id, BOB)) is OfferState.ACCEPTED


async def time_is_up(crowd: Crowd, match_id: int) -> None:
    crowd.later(days=2)
    mover = (await crowd.match(match_id)).mover.person
    await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB if mover == ALICE else ALICE))


async def one_has_data_deleted(crowd: Crowd, match_id: int) -> None:
    assert await crowd.services.forfeits.give_up(match_id, 1)


ENDINGS: list[Callable[[Crowd, int], Awaitable[None]]] = [resigns, agree, time_is_up, one_has_data_deleted]


async def rated(crowd: Crowd) -> set[int]:
    return set(await crowd.column(select(tables.rating_changes.c.match_id)))


async def result_line(crowd: Crowd, match_id: int) -> str:
    return text(await crowd.services.queries.match_view(GUILD, match_id))


@pytest.mark.parametrize("moves", range(5))
@pytest.mark.parametrize("ended", ENDINGS)
async def test_a_match_counts_from_the_second_move_of_both_on(
    crowd: Crowd, ended: Callable[[Crowd, int], Awaitable[None]], moves: int
) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await crowd.play(match_id, *MOVES[:moves])
    await ended(crowd, match_id)
    assert (await rated(crowd) == {match_id}) is (moves == 4)
    assert (TOO_EARLY in await result_line(crowd, match_id)) is (moves < 4)
    assert await audit(crowd.database) == []


async def test_of_three_each_has_to_move_twice_also_one_who_left(crowd: Crowd) -> None:
    terms = Terms("rectangles", "8x8", 3, First.CHALLENGER)
    for movers, counted in ((3, True), (2, False)):
        match_id = await crowd.begin(CAROL, terms=terms)
        if movers == 2:
            await crowd.resign(match_id, CAROL)
        await crowd.move_twice(match_id)
        for person in (CAROL, BOB)[3 - movers :]:
            await crowd.resign(match_id, person)
        assert (match_id in await rated(crowd)) is counted
        line = await result_line(crowd, match_id)
        assert ("not rated: it ended before each of you had moved twice" in line) is not counted
        assert await audit(crowd.database) == []


async def test_a_recomputation_keeps_to_the_rule(crowd: Crowd) -> None:
    """After voids the ratings are those of an independent calculation over all matches that count."""
    random, people = Random(5), [ALICE, BOB, CAROL]
    ids: list[int] = []
    for _ in range(14):
        crowd.later(minutes=1)
        one, other = random.sample(people, 2)
        ids.append(await crowd.begin(by=one, to=other))
        await crowd.play(ids[-1], *MOVES[: random.choice([0, 1, 3, 4, 4])], players=(one, other))
        await crowd.resign(ids[-1], random.choice([one, other]))
    early = set(ids) - await rated(crowd)
    assert 2 < len(early) < 12
    counted = [match_id for match_id in ids if match_id not in early]
    for match_id in (counted[0], min(early), counted[2]):
        await crowd.void(match_id)
        assert await stored_ratings(crowd) == pytest.approx(await calculated(crowd))
        assert await audit(crowd.database) == []


async def test_what_an_older_version_has_rated_stays_rated(crowd: Crowd) -> None:
    """A recomputation neither drops nor adds a result; ratings follow from those that were stored."""
    first, early, last = [await crowd.begin() for _ in range(3)]
    for match_id in (first, last):
        await crowd.play(match_id, *MOVES)
    await crowd.resign(first, ALICE)
    await crowd.resign(early, ALICE)
    await rate_as_before_the_rule(crowd, early)
    await crowd.resign(last, ALICE)
    assert await audit(crowd.database) == []
    await crowd.void(first)
    assert await rated(crowd) == {early, last}
    assert await audit(crowd.database) == []


async def rate_as_before_the_rule(crowd: Crowd, match_id: int) -> None:
    """Store what a version without the rule has stored of a match that Bob won early."""
    async with crowd.database.write() as tx:
        for game in ("yonmoque", ratings.OVERALL):
            known = await ratings.of(tx, GUILD, game, [ALICE.id, BOB.id])
            before = [known[ALICE.id], known[BOB.id]]
            after = rate(before, [2, 1])
            await ratings.put(tx, GUILD, game, after, crowd.now)
            changes = [
                RatingChange(match_id, old.user_id, old.mu, old.sigma, new.mu, new.sigma, crowd.now)
                for old, new in zip(before, after, strict=True)
            ]
            await ratings.add_changes(tx, game, changes)


async def stored_ratings(crowd: Crowd) -> dict[int, float]:
    return {
        user: one.mu for (_, game, user), one in (await crowd.services.read(ratings.everything)).items() if not game
    }


async def calculated(crowd: Crowd) -> dict[int, float]:
    """Rate all matches in the order they ended, counting the moves of each seat in the stored list."""
    query = select(tables.matches.c.id).where(tables.matches.c.voided_by.is_(None))
    ids = await crowd.column(query.order_by(tables.matches.c.finish))
    standing: dict[int, float] = {}
    known = {person.id: newcomer(person.id) for person in (ALICE, BOB, CAROL)}
    for match_id in ids:
        match, entries = await crowd.match(match_id), await crowd.moves(match_id)
        made = Counter(entry.seat for entry in entries if entry.kind is EntryKind.MOVE)
        if made[0] >= 2 and made[1] >= 2:
            people = [seat.person.id for seat in match.seats]
            changes = await crowd.services.read(ratings.changes_of_match, match_id, ratings.OVERALL)
            parts = [changes[user].weight for user in people]
            after = rate([known[user] for user in people], [1 if seat.won else 2 for seat in match.seats], (), parts)
            known |= {one.user_id: one for one in after}
            standing |= {one.user_id: one.mu for one in after}
    return standing


async def test_the_people_of_a_result_are_locked_before_their_ratings_are_read(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, lock, read = list[str](), locks.people, ratings.of

    async def note_lock(tx: Any, user_ids: Iterable[int], *, shared: bool = False) -> None:
        people = sorted(user_ids)
        steps.append(f"lock {people}{' shared' * shared}")
        await lock(tx, people, shared=shared)

    async def note_read(*asked: Any) -> Any:
        steps.append("read")
        return await read(*asked)

    match_id = await crowd.begin(terms=TIMED)
    await crowd.play(match_id, *MOVES)
    monkeypatch.setattr(locks, "people", note_lock)
    monkeypatch.setattr(ratings, "of", note_read)
    await crowd.resign(match_id, ALICE)
    assert "lock [1, 2]" in steps[: steps.index("read")]


async def test_who_met_in_one_server_has_not_met_in_another(crowd: Crowd) -> None:
    match_id, before = await crowd.begin(terms=TIMED), crowd.now
    crowd.later(hours=1)
    await crowd.play(match_id, *MOVES)
    await crowd.resign(match_id, ALICE)
    met = [
        await crowd.services.read(ratings.met_since, guild_id, [ALICE.id, BOB.id], before)
        for guild_id in (GUILD, GUILD + 1)
    ]
    assert [sorted(pair[:2] for pair in there) for there in met] == [[(1, 2), (2, 1)], []]


HONEST = 1830
"""About the points of a person who wins three of four against equals, after 210 games."""


async def lose(crowd: Crowd) -> float:
    """Have Bob lose to Alice, and return her points."""
    match_id = await crowd.begin(by=ALICE, to=BOB)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, BOB)
    crowd.later(minutes=2)
    return next(points(one.mu) for one in await crowd.leaderboard("yonmoque") if one.user_id == ALICE.id)


@pytest.mark.parametrize("deletes", [pytest.param(False, marks=pytest.mark.slow), True])
async def test_twenty_five_wins_against_one_account_lift_nobody_above_an_honest_player(
    crowd: Crowd, deletes: bool
) -> None:
    for _ in range(25):
        reached = await lose(crowd)
        if deletes:
            await crowd.services.privacy.erase(BOB, crowd.interaction())
    assert reached < HONEST
    assert await audit(crowd.database) == []
    match_id = await crowd.begin(by=ALICE, to=CAROL)
    await crowd.move_twice(match_id)
    await crowd.void(match_id)
    assert await audit(crowd.database) == []
