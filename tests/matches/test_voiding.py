"""A voided match does not count: ratings are as if it had not been played, and its moves stay stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.compute.job import JobSpec
from bot.compute.queue import ComputeQueue
from bot.matches.audit import audit
from bot.matches.model import match_record, rerating
from bot.matches.model.refusals import NoSuchMatch, Refusal, Stale, Voided
from bot.matches.services import voiding
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.matches.services.voiding import Voiding
from bot.storage import computer_turns, ratings, tables
from bot.storage.records import OPERATOR, First, MatchState, OutboxState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, YONMOQUE, Crowd
from tests.support.sampled import sampled

DAVE, ERIN = Person(4, "Dave"), Person(5, "Erin")
REDO = Terms("redo", "standard", 2, First.CHALLENGER)
MANY = Terms("rectangles", "8x8", 3, First.CHALLENGER)
MANAGER = 99
FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")


async def resigned(crowd: Crowd, winner: Person, loser: Person, terms: Terms = YONMOQUE) -> int:
    crowd.later(minutes=1)
    match_id = await crowd.begin(by=winner, to=loser, terms=terms)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, loser)
    return match_id


async def of_three(crowd: Crowd, first: Person, second: Person, third: Person) -> int:
    """Play a match of three from which the second and then the third drop out."""
    crowd.later(minutes=1)
    challenge_id = await crowd.offer(by=first, terms=MANY)
    for person in (second, third):
        match_id = await crowd.services.challenges.accept(GUILD, challenge_id, person, crowd.interaction())
    assert match_id is not None
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


async def outbox(crowd: Crowd) -> list[tuple[str, str]]:
    async with crowd.database.read() as tx:
        pending = select(tables.outbox).where(tables.outbox.c.state == OutboxState.PENDING)
        return [(row.kind, row.key) for row in await tx.execute(pending.order_by(tables.outbox.c.id))]


@pytest.mark.parametrize(("part", "few"), sampled([(3, 1), (voiding.PART, voiding.FEW), (1, 0)], every=3))
async def test_ratings_are_as_if_voided_matches_had_never_been_played(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch, part: int, few: int
) -> None:
    monkeypatch.setattr(voiding, "PART", part)
    monkeypatch.setattr(voiding, "FEW", few)
    random, people, ids = Random(1), [ALICE, BOB, CAROL, DAVE, ERIN], list[int]()
    for game in range(12):
        one, other, third = random.sample(people, 3)
        if game % 4 == 3:
            ids.append(await of_three(crowd, one, other, third))
        else:
            ids.append(await resigned(crowd, one, other, random.choice([YONMOQUE, REDO])))
    for number in (0, 11, 7, 3):
        before = await everything_rated(crowd)
        again = await crowd.services.voiding.void(GUILD, ids[number], MANAGER, crowd.interaction())
        after = await everything_rated(crowd)
        assert ids[number] not in {row[0] for row in after["rating_changes"]}
        assert (again > 0) is any(row not in before["rating_changes"] for row in after["rating_changes"])
        assert (again > 0) is (number != 11)
        assert await audit(crowd.database) == []
        check_chain(after)


def check_chain(rated: dict[str, list[Any]]) -> None:
    """Check that each match's rating changes follow from those before it, up to the present ratings."""
    standing: dict[tuple[str, int], tuple[float, ...]] = {}
    last: dict[tuple[str, int], Any] = {}
    for _, game, user, *numbers, at in sorted(rated["rating_changes"], key=lambda row: (row[-1], row[0])):
        assert tuple(numbers[:2]) == standing.get((game, user), tuple(numbers[:2]))
        standing[game, user], last[game, user] = tuple(numbers[2:]), at
    stored = {(row[1], row[2]): row for row in rated["ratings"]}
    assert {key: tuple(row[3:5]) for key, row in stored.items()} == standing
    assert {key: row[-1] for key, row in stored.items()} == last


async def test_people_who_played_no_other_match_are_no_longer_rated(crowd: Crowd) -> None:
    match_id = await resigned(crowd, ALICE, BOB)
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    assert await everything_rated(crowd) == {"ratings": [], "rating_changes": []}
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)
    assert (profile.records, profile.against.games, profile.streak, profile.running) == ({}, 0, 0, 0)
    assert await crowd.services.queries.leaderboard(GUILD, ratings.OVERALL) == []
    assert await crowd.services.queries.winners(GUILD, ratings.OVERALL) == []
    match = await crowd.match(match_id)
    assert (match.voided_by, match.reason, len(await crowd.moves(match_id))) == (MANAGER, "resignation", 5)


async def test_a_match_that_is_running_ends_where_it_is(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400))
    await crowd.play(match_id, "c3")
    await crowd.services.agreements.ask_takeback(crowd.request(match_id, ALICE))
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    match = await crowd.match(match_id)
    assert (match.state, match.movers, match.deadline_at, match.ended_at) == (MatchState.OVER, (), None, crowd.now)
    assert [kind for kind, _ in await outbox(crowd)][-2:] == ["offer", "voided"]
    for attempt in (
        crowd.services.turns.play(crowd.request(match_id, BOB, 1), "a1"),
        crowd.services.forfeits.resign(crowd.request(match_id, ALICE)),
        crowd.services.rematches.ask(GUILD, match_id, ALICE, crowd.interaction()),
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
    request = replace(crowd.request(match_id, ALICE, 0), found=await crowd.match(match_id))
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    with pytest.raises(Voided):
        await crowd.services.turns.play(request, "c3")
    assert await crowd.moves(match_id) == []
    assert (await crowd.match(match_id)).movers == ()


async def test_a_computer_player_has_nothing_left_to_play(crowd: Crowd) -> None:
    terms = Terms("yonmoque", "standard", 2, First.OPPONENT, rated=False)
    match_id = await crowd.services.computer_opponents.play(GUILD, CHANNEL, ALICE, 1, terms, crowd.interaction())
    await crowd.services.voiding.void(None, match_id)
    async with crowd.database.read() as tx:
        assert await computer_turns.pending(tx) == []
    assert (await crowd.match(match_id)).voided_by == OPERATOR


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


async def test_a_result_that_comes_in_while_ratings_are_computed_is_not_lost(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    meanwhile = iter([(BOB, CAROL), (CAROL, ALICE)])
    open_write = crowd.database.write

    @asynccontextmanager
    async def write() -> Any:
        monkeypatch.setattr(crowd.database, "write", open_write)
        pair = next(meanwhile, None)
        if pair is not None:
            await resigned(crowd, *pair)
            monkeypatch.setattr(crowd.database, "write", write)
        async with open_write() as tx:
            yield tx

    monkeypatch.setattr(crowd.database, "write", write)
    assert await crowd.services.voiding.void(GUILD, voided, MANAGER, crowd.interaction()) == 2
    assert next(meanwhile, None) is None
    assert await audit(crowd.database) == []


class Parts:
    """Voids that are carried out in parts of two results; ``sizes`` has how many results each computation got.

    After a computation the next function of ``between`` is called.
    """

    def __init__(self, crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(voiding, "PART", 2)
        monkeypatch.setattr(voiding, "FEW", 1)
        monkeypatch.setattr(crowd.queue, "run", self._noting)
        self.sizes: list[int] = []
        self.between: list[Callable[[], Awaitable[Any]]] = []
        self._run = ComputeQueue.run.__get__(crowd.queue)

    async def _noting(self, spec: JobSpec, function: partial[Any]) -> Any:
        result = await self._run(spec, function)
        if function.func.__module__ == rerating.__name__:
            self.sizes.append(len(function.args[1]))
            if self.between:
                await self.between.pop(0)()
        return result


@pytest.fixture
def parts(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> Parts:
    return Parts(crowd, monkeypatch)


async def test_results_that_come_in_between_two_parts_are_rated_without_starting_anew(
    crowd: Crowd, parts: Parts
) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    for _ in range(5):
        await resigned(crowd, BOB, CAROL)
    pairs = [(DAVE, ERIN), (CAROL, ALICE), (DAVE, ERIN), (CAROL, DAVE)]
    parts.between = [partial(resigned, crowd, *pair) for pair in pairs]
    assert await crowd.services.voiding.void(GUILD, voided, MANAGER, crowd.interaction()) == 7
    assert parts.sizes == [2, 2, 2, 2]
    assert await audit(crowd.database) == []
    check_chain(await everything_rated(crowd))


async def test_a_match_counts_until_the_last_part_is_stored(crowd: Crowd, parts: Parts) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    for _ in range(5):
        await resigned(crowd, BOB, CAROL)
    looked: list[object] = []

    async def look() -> None:
        with pytest.raises(Stale, match="is being voided already"):
            await crowd.services.voiding.may_void(GUILD, voided)
        looked.append((await audit(crowd.database), (await crowd.match(voided)).voided, await outbox(crowd)))

    before = await outbox(crowd)
    parts.between = [look, look]
    await crowd.services.voiding.void(GUILD, voided, MANAGER)
    assert looked == [([], False, before)] * 2
    assert [kind for kind, _ in await outbox(crowd)] == [*(kind for kind, _ in before), "voided"]


async def test_a_void_that_was_interrupted_begins_again_and_comes_to_the_same(crowd: Crowd, parts: Parts) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    for pair in ((BOB, CAROL), (CAROL, DAVE), (ALICE, ERIN), (ERIN, BOB), (DAVE, ALICE)):
        await resigned(crowd, *pair)

    async def stop() -> None:
        raise asyncio.CancelledError

    parts.between = [_nothing, stop]
    await crowd.services.voiding.ask(GUILD, voided, MANAGER)
    with pytest.raises(asyncio.CancelledError):
        await crowd.services.voiding.carry_out(voided)
    assert await audit(crowd.database) == []
    crowd.open()
    assert await crowd.services.voiding.take(1) == [voided]
    await crowd.services.voiding.carry_out(voided)
    assert await crowd.services.voiding.take(1) == []
    assert await audit(crowd.database) == []
    check_chain(await everything_rated(crowd))


async def _nothing() -> None:
    pass


async def test_one_match_of_a_server_is_voided_at_a_time(crowd: Crowd, parts: Parts) -> None:
    first, second = await resigned(crowd, ALICE, BOB), await resigned(crowd, BOB, CAROL)
    await resigned(crowd, CAROL, DAVE)
    services = crowd.services.voiding
    for match_id in (second, first):
        await services.ask(GUILD, match_id, MANAGER, crowd.interaction())
    assert await services.take(9) == [second]
    await services.carry_out(first)
    assert not (await crowd.match(first)).voided
    elsewhere = Voiding(crowd.services.context)
    parts.between = [partial(elsewhere.carry_out, second)]  # as by a command of the operator
    await services.carry_out(second)
    assert await services.take(9) == [first]
    await services.carry_out(first)
    assert [(await crowd.match(one)).voided for one in (first, second)] == [True, True]
    assert await audit(crowd.database) == []


async def test_a_match_voided_by_several_people_at_once_is_computed_once(crowd: Crowd, parts: Parts) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    await resigned(crowd, BOB, CAROL)
    await resigned(crowd, CAROL, BOB)
    presses = [crowd.services.voiding.void(GUILD, voided, MANAGER, crowd.interaction()) for _ in range(5)]
    told = await asyncio.gather(*presses, return_exceptions=True)
    assert [one for one in told if not isinstance(one, Stale)] == [2]
    assert parts.sizes == [2]


async def test_a_person_deleted_between_two_parts_stays_deleted(crowd: Crowd, parts: Parts) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    for pair in ((BOB, CAROL), (CAROL, DAVE), (BOB, ERIN), (ERIN, CAROL)):
        await resigned(crowd, *pair)
    parts.between = [
        partial(crowd.services.privacy.erase, one, crowd.interaction()) for one in (BOB, Person(MANAGER, "Manager"))
    ]
    await crowd.services.voiding.void(GUILD, voided, MANAGER)
    assert await audit(crowd.database) == []
    check_chain(await everything_rated(crowd))
    assert BOB.id not in {row[2] for table in (await everything_rated(crowd)).values() for row in table}
    assert ((await crowd.match(voided)).voided_by or 0) < 0


async def test_a_person_deleted_meanwhile_stays_deleted(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    voided = await resigned(crowd, ALICE, BOB)
    await resigned(crowd, BOB, CAROL)
    open_write = crowd.database.write

    @asynccontextmanager
    async def write() -> Any:
        monkeypatch.setattr(crowd.database, "write", open_write)
        await crowd.services.privacy.erase(BOB, crowd.interaction())
        async with open_write() as tx:
            yield tx

    monkeypatch.setattr(crowd.database, "write", write)
    await crowd.services.voiding.void(GUILD, voided, MANAGER)
    assert await audit(crowd.database) == []
    assert BOB.id not in {row[2] for table in (await everything_rated(crowd)).values() for row in table}


async def test_a_deletion_removes_the_person_from_matches_they_voided(crowd: Crowd) -> None:
    match_id = await resigned(crowd, ALICE, BOB)
    await crowd.services.voiding.void(GUILD, match_id, CAROL.id)
    await crowd.services.privacy.erase(CAROL, crowd.interaction())
    assert ((await crowd.match(match_id)).voided_by or 0) < 0


@pytest.mark.parametrize("moves", [("c3",), FINISHED])
async def test_a_voided_match_comes_back_voided_from_its_record(crowd: Crowd, moves: tuple[str, ...]) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, *moves)
    await crowd.services.voiding.void(GUILD, match_id, MANAGER)
    match = await crowd.match(match_id)
    text = match_record.write(match, await crowd.moves(match_id))
    assert '[Result "void"]' in text
    again = match_record.read(text.replace(f'[Server "{GUILD}"]', f'[Server "{GUILD + 1}"]'))
    back = await crowd.match(await Archive(crowd.services.context).store(again))
    assert (back.state, back.voided, back.reason, back.movers) == (MatchState.OVER, True, match.reason, ())
    assert await audit(crowd.database) == []
    assert match_record.write(back, await crowd.moves(back.id)).splitlines()[8:] == text.splitlines()[8:]


async def test_a_click_that_is_delivered_again_voids_nothing_else(crowd: Crowd) -> None:
    match_id, click = await crowd.begin(), crowd.interaction()
    await crowd.services.voiding.void(GUILD, match_id, MANAGER, click)
    with pytest.raises(Refusal):
        await crowd.services.voiding.void(GUILD, match_id, MANAGER, click)
    assert [kind for kind, _ in await outbox(crowd)].count("voided") == 1
