"""A voided match does not count: ratings are as if it had not been played, and its moves stay stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.compute.job import JobSpec
from bot.compute.queue import ComputeQueue
from bot.matches import background_work
from bot.matches.audit import audit
from bot.matches.background_work import RatingRunner
from bot.matches.model import match_record, rating
from bot.matches.model.refusals import NoSuchMatch, Refusal, Stale, Voided
from bot.matches.service_context import plain_idle
from bot.matches.services import voiding
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.matches.services.voiding import Voiding
from bot.storage import ratings, tables
from bot.storage.records import First, MatchState, OutboxState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.support.acting import FINISHED
from tests.support.at_work import at_work
from tests.support.sampled import sampled
from tests.support.statements import statements_of
from tests.support.waiting import until

DAVE, ERIN = Person(4, "Dave"), Person(5, "Erin")
REDO = Terms("redo", "standard", 2, First.CHALLENGER)
MANY = Terms("rectangles", "8x8", 3, First.CHALLENGER)
MANAGER = 99
NOTHING = partial(asyncio.sleep, 0)


async def resigned(crowd: Crowd, winner: Person, loser: Person, terms: Terms = YONMOQUE) -> int:
    crowd.later(minutes=1)
    match_id = await crowd.begin(by=winner, to=loser, terms=terms)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, loser)
    return match_id


async def voidable(crowd: Crowd, *later: tuple[Person, Person]) -> int:
    """Play a match of Alice and Bob, and then others, by winner and loser; return the first."""
    match_id = await resigned(crowd, ALICE, BOB)
    await played_on(crowd, *later)
    return match_id


async def played_on(crowd: Crowd, *of: tuple[Person, Person]) -> None:
    """Play matches, by winner and loser."""
    for winner, loser in of:
        await resigned(crowd, winner, loser)


async def of_three(crowd: Crowd, first: Person, second: Person, third: Person) -> int:
    """Play a match of three from which the second and then the third drop out."""
    crowd.later(minutes=1)
    match_id = await crowd.begin(third, by=first, to=second, terms=MANY)
    await crowd.move_twice(match_id)
    for person in (second, third):
        await crowd.resign(match_id, person)
    return match_id


async def everything_rated(crowd: Crowd) -> dict[str, list[Any]]:
    """Return all stored ratings."""
    async with crowd.database.read() as tx:
        return {
            table.name: sorted(tuple(row) for row in await tx.execute(select(table)))
            for table in (tables.ratings, tables.rating_changes)
        }


async def waiting(crowd: Crowd) -> list[str]:
    """Return the kinds of messages that are to be sent, the oldest first."""
    pending = select(tables.outbox.c.kind).where(tables.outbox.c.state == OutboxState.PENDING)
    return await crowd.column(pending.order_by(tables.outbox.c.id))


@pytest.mark.parametrize(
    ("part", "few"), sampled([(3, 1), (voiding.RESULTS_AT_ONCE, voiding.LAST_RESULTS), (1, 0)], every=3)
)
async def test_ratings_are_as_if_voided_matches_had_never_been_played(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch, part: int, few: int
) -> None:
    monkeypatch.setattr(voiding, "RESULTS_AT_ONCE", part)
    monkeypatch.setattr(voiding, "RATINGS_AT_ONCE", part)
    monkeypatch.setattr(voiding, "LAST_RESULTS", few)
    random, people, ids = Random(1), [ALICE, BOB, CAROL, DAVE, ERIN], list[int]()
    for game in range(12):
        one, other, third = random.sample(people, 3)
        if game % 4 == 3:
            ids.append(await of_three(crowd, one, other, third))
        else:
            ids.append(await resigned(crowd, one, other, random.choice([YONMOQUE, REDO])))
    for number in (0, 11, 7, 3):
        before = await everything_rated(crowd)
        await crowd.void(ids[number], MANAGER)
        after = await everything_rated(crowd)
        assert ids[number] not in {row[0] for row in after["rating_changes"]}
        assert any(row not in before["rating_changes"] for row in after["rating_changes"]) is (number != 11)
        await check_followed(crowd)


async def check_followed(crowd: Crowd) -> None:
    """Check that the ratings follow from all results, and each match's rating changes from those before it."""
    assert await crowd.services.voiding.to_rate_again() == []
    assert await audit(crowd.database) == []
    rated = await everything_rated(crowd)
    standing: dict[tuple[str, int], tuple[float, ...]] = {}
    last: dict[tuple[str, int], Any] = {}
    for _, game, user, *numbers, at, _ in sorted(rated["rating_changes"], key=lambda row: (row[-2], row[0])):
        assert tuple(numbers[:2]) == standing.get((game, user), tuple(numbers[:2]))
        standing[game, user], last[game, user] = tuple(numbers[2:]), at
    stored = {(row[1], row[2]): row for row in rated["ratings"]}
    assert {key: tuple(row[3:5]) for key, row in stored.items()} == standing
    assert {key: row[-1] for key, row in stored.items()} == last


async def test_people_who_played_no_other_match_are_no_longer_rated(crowd: Crowd) -> None:
    match_id = await resigned(crowd, ALICE, BOB)
    await crowd.void(match_id, MANAGER)
    assert await everything_rated(crowd) == {"ratings": [], "rating_changes": []}
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)
    assert (profile.records, profile.against.games, profile.streak, profile.running) == ({}, 0, 0, 0)
    assert await crowd.leaderboard(ratings.OVERALL) == []
    assert await crowd.winners(ratings.OVERALL) == []
    match = await crowd.match(match_id)
    assert (match.voided_by, match.reason, len(await crowd.moves(match_id))) == (MANAGER, "resignation", 5)


async def test_a_match_that_is_running_ends_where_it_is(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400))
    await crowd.play(match_id, "c3")
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    match = await crowd.match(match_id)
    assert (match.state, match.to_move, match.deadline_at, match.ended_at) == (MatchState.OVER, None, None, crowd.now)
    assert (await waiting(crowd))[-3:] == ["offer", "voided", "card"]
    for attempt in (
        crowd.services.turns.play(*crowd.request(match_id, BOB, 1), "a1"),
        crowd.services.forfeits.resign(*crowd.request(match_id, ALICE)),
        crowd.services.rematches.ask(crowd.actor(ALICE), match_id),
        crowd.services.voiding.void(GUILD, match_id, MANAGER),
    ):
        with pytest.raises(Stale, match="voided"):
            await attempt
    assert await audit(crowd.database) == []
    assert (await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)).records == {}
    # An attempt that failed leaves ratings of other people alone.
    await resigned(crowd, ALICE, CAROL)
    assert await audit(crowd.database) == []


async def test_a_move_of_a_match_that_is_voided_meanwhile_is_not_stored(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    match = await crowd.match(match_id)
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    with pytest.raises(Voided):
        await crowd.services.turns.play(crowd.actor(ALICE), match, 0, "c3")
    assert await crowd.moves(match_id) == []
    assert (await crowd.match(match_id)).to_move is None


async def test_a_match_whose_moves_cannot_be_read_can_be_voided(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.rewrite(match_id, "nonsense")
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    assert (await crowd.match(match_id)).state is MatchState.OVER


async def test_matches_of_other_servers_and_unknown_ones_cannot_be_voided(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    with pytest.raises(NoSuchMatch):
        await crowd.services.voiding.void(GUILD + 1, match_id, MANAGER)
    with pytest.raises(NoSuchMatch):
        await crowd.services.voiding.void(None, match_id + 1)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


class Parts:
    """Ratings that are computed in parts of two results and stored two at a time; ``sizes`` has the results of each.

    Between two transactions the next function of ``between`` is called.
    """

    def __init__(self, crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(voiding, "RESULTS_AT_ONCE", 2)
        monkeypatch.setattr(voiding, "LAST_RESULTS", 1)
        monkeypatch.setattr(voiding, "RATINGS_AT_ONCE", 2)
        monkeypatch.setattr(crowd.queue, "run", self._noting)
        self.sizes: list[int] = []
        self.between: list[Callable[[], Awaitable[Any]]] = []
        self._run = ComputeQueue.run.__get__(crowd.queue)
        next_part = Voiding._next_part

        async def and_then(service: Voiding, *args: Any) -> Any:
            part = await next_part(service, *args)
            if part is not None and self.between:
                await self.between.pop(0)()
            return part

        monkeypatch.setattr(Voiding, "_next_part", and_then)

    async def _noting(self, spec: JobSpec, function: partial[Any]) -> Any:
        result = await self._run(spec, function)
        if function.func.__module__ == rating.__name__:
            self.sizes.append(len(function.args[1]))
        return result


@pytest.fixture
def parts(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> Parts:
    return Parts(crowd, monkeypatch)


async def test_results_that_come_in_between_two_parts_are_rated_without_starting_anew(
    crowd: Crowd, parts: Parts
) -> None:
    voided = await voidable(crowd, *[(BOB, CAROL)] * 5)
    pairs = [(DAVE, ERIN), (CAROL, ALICE), (DAVE, ERIN), (CAROL, DAVE)]
    parts.between = [partial(resigned, crowd, *pair) for pair in pairs]
    await crowd.void(voided, MANAGER)
    assert parts.sizes == [2, 2, 2, 2]
    await check_followed(crowd)


@pytest.mark.parametrize("steps", sampled(range(2, 6), every=4))
async def test_results_that_come_in_while_ratings_are_stored_are_not_lost(
    crowd: Crowd, parts: Parts, steps: int
) -> None:
    """One result comes in, which is rated in the next transaction, and then three, which need a computation."""
    voided = await voidable(crowd, (BOB, CAROL), (CAROL, DAVE), (ALICE, ERIN), (ERIN, BOB), (DAVE, ALICE))

    async def three() -> None:
        await played_on(crowd, (ALICE, ERIN), (CAROL, BOB), (ERIN, DAVE))

    parts.between = [NOTHING] * steps + [partial(resigned, crowd, ALICE, CAROL), three]
    await crowd.void(voided, MANAGER)
    await check_followed(crowd)
    assert not parts.between


async def test_a_voided_match_counts_no_more_at_once_and_the_check_waits_for_the_ratings(
    crowd: Crowd, parts: Parts
) -> None:
    voided = await voidable(crowd, *[(BOB, CAROL)] * 5)
    assert await crowd.services.voiding.void(GUILD, voided, MANAGER) == GUILD
    assert (await crowd.match(voided)).voided
    assert (await waiting(crowd))[-2:] == ["voided", "card"]
    assert await audit(crowd.database) == []
    with pytest.raises(Stale, match="was voided already"):
        await crowd.services.voiding.may_void(GUILD, voided)
    assert await crowd.services.voiding.to_rate_again() == [GUILD]
    await crowd.services.voiding.rate_again(GUILD)
    await check_followed(crowd)


async def test_a_computation_that_was_interrupted_begins_again(crowd: Crowd, parts: Parts) -> None:
    voided = await voidable(crowd, (BOB, CAROL), (CAROL, DAVE), (ALICE, ERIN), (ERIN, BOB), (DAVE, ALICE))

    async def stop() -> None:
        raise asyncio.CancelledError

    for steps in range(1, 6):
        parts.between = [*[NOTHING] * steps, stop]
        with pytest.raises(asyncio.CancelledError):
            await crowd.void(voided, MANAGER) if steps == 1 else await crowd.services.voiding.rate_again(GUILD)
    crowd.open()
    assert await crowd.services.voiding.to_rate_again() == [GUILD]
    await crowd.services.voiding.rate_again(GUILD)
    await check_followed(crowd)


async def test_ratings_that_cannot_be_computed_are_tried_again_are_trouble_and_hold_up_no_other_void(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_work, "FIRST_WAIT", 0.01)
    service = crowd.services.voiding
    first, second = await resigned(crowd, ALICE, BOB), await resigned(crowd, BOB, CAROL)

    async def fail(_guild_id: int) -> None:
        raise RuntimeError("no ratings today")

    async def rated() -> bool:
        return await service.to_rate_again() == []

    async with at_work(RatingRunner(crowd.services, lambda: plain_idle)) as runner:
        with monkeypatch.context() as patch:
            patch.setattr(service, "rate_again", fail)
            await service.void(GUILD, first, MANAGER)
            runner.wake()
            await until(lambda: runner.trouble, "trouble")
            await service.void(GUILD, second, MANAGER)
        await until(rated, "ratings")
        await until(lambda: runner.trouble is None, "an end of the trouble")
    await check_followed(crowd)


async def test_others_wait_while_changes_are_stored_and_not_while_results_are_read(crowd: Crowd, parts: Parts) -> None:
    voided = await voidable(crowd, *[(BOB, CAROL)] * 5)
    await crowd.services.voiding.void(GUILD, voided, MANAGER)
    with statements_of(crowd.database) as statements:
        await crowd.services.voiding.rate_again(GUILD)
    writing = "\n".join(statements).split("BEGIN")
    reading = [one.startswith(" IMMEDIATE") for one in writing if "seats" in one]
    # Only the last result, which is rated at once, is read among the writes.
    assert reading == [False, False, True]


@pytest.mark.slow
async def test_a_second_void_has_the_computation_begin_anew(crowd: Crowd, parts: Parts) -> None:
    first, second = await resigned(crowd, ALICE, BOB), await resigned(crowd, BOB, CAROL)
    await played_on(crowd, (CAROL, DAVE), (BOB, ERIN), (ERIN, CAROL))
    parts.between = [NOTHING, NOTHING, partial(crowd.services.voiding.void, GUILD, first, MANAGER)]
    await crowd.void(second, MANAGER)
    assert [(await crowd.match(one)).voided for one in (first, second)] == [True, True]
    await check_followed(crowd)


@pytest.mark.slow
async def test_two_processes_that_rate_one_server_again_do_not_harm_each_other(crowd: Crowd, parts: Parts) -> None:
    voided = await voidable(crowd, (BOB, CAROL), (CAROL, DAVE), (BOB, ERIN), (ERIN, CAROL))
    elsewhere = Voiding(crowd.services)
    parts.between = [NOTHING, partial(elsewhere.rate_again, GUILD)]
    await crowd.void(voided, MANAGER)
    await check_followed(crowd)


async def test_a_match_voided_by_several_people_at_once_or_by_a_click_delivered_again_is_voided_once(
    crowd: Crowd,
) -> None:
    voided, click = await voidable(crowd, (BOB, CAROL)), crowd.interaction()
    clicks = [click, click, crowd.interaction(), crowd.interaction()]
    presses = [crowd.services.voiding.void(GUILD, voided, MANAGER, click) for click in clicks]
    told = await asyncio.gather(*presses, return_exceptions=True)
    assert [one for one in told if not isinstance(one, Refusal)] == [GUILD]
    assert (await waiting(crowd)).count("voided") == 1


@pytest.mark.parametrize("steps", sampled(range(5), every=5))
async def test_a_person_deleted_meanwhile_stays_deleted(crowd: Crowd, parts: Parts, steps: int) -> None:
    voided = await voidable(crowd, (BOB, CAROL), (CAROL, DAVE), (BOB, ERIN), (ERIN, CAROL))
    parts.between = [NOTHING] * steps + [
        partial(crowd.services.privacy.erase, one, crowd.interaction()) for one in (BOB, Person(MANAGER, "Manager"))
    ]
    await crowd.void(voided, MANAGER)
    await check_followed(crowd)
    assert BOB.id not in {row[2] for table in (await everything_rated(crowd)).values() for row in table}
    assert ((await crowd.match(voided)).voided_by or 0) < 0


@pytest.mark.parametrize("more", [0, 1])
async def test_the_match_of_a_winner_who_deletes_everything_can_be_voided(crowd: Crowd, more: int) -> None:
    voided = await voidable(crowd, *[(ALICE, CAROL)] * more)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    await crowd.void(voided, MANAGER)
    await check_followed(crowd)
    assert len((await everything_rated(crowd))["rating_changes"]) == 4 * more


async def test_a_deletion_removes_the_person_from_matches_they_voided(crowd: Crowd) -> None:
    match_id = await resigned(crowd, ALICE, BOB)
    await crowd.services.voiding.void(GUILD, match_id, CAROL.id, name=CAROL.name)
    assert json.loads(await crowd.services.privacy.export(CAROL.id))["voided"] == [{"match": match_id, "name": "Carol"}]
    await crowd.services.privacy.erase(CAROL, crowd.interaction())
    match = await crowd.match(match_id)
    assert (match.voided_by or 0) < 0
    assert match.voided_name is None


@pytest.mark.parametrize("moves", [("c3",), FINISHED])
async def test_a_voided_match_comes_back_voided_from_its_record(crowd: Crowd, moves: tuple[str, ...]) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, *moves)
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    match = await crowd.match(match_id)
    text = match_record.write(match, await crowd.moves(match_id))
    assert '[Result "void"]' in text
    again = match_record.read(text.replace(f'[Server "{GUILD}"]', f'[Server "{GUILD + 1}"]'))
    back = await crowd.match(await Archive(crowd.services).store(again))
    assert (back.state, back.voided, back.reason, back.to_move) == (MatchState.OVER, True, match.reason, None)
    assert await audit(crowd.database) == []
    assert match_record.write(back, await crowd.moves(back.id)).splitlines()[8:] == text.splitlines()[8:]
