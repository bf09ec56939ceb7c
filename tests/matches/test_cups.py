"""Cups through the services and the database: many by chance, two results at once, and what may come in between."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import func, select, update

from bot.matches.audit import audit
from bot.matches.model import match_record
from bot.matches.model.cups import BOARDS, FEWEST, MOST, CupTable
from bot.matches.model.refusals import Refusal
from bot.matches.services.cups import CupTerms
from bot.matches.services.eligibility import Terms
from bot.storage import cups, tables
from bot.storage.contest_states import CupStart, CupState, PairingState, Withdrawal
from bot.storage.cups import Cup
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.cup_ledger import RESULTS, Ledger
from tests.support.toy_package import KEY, not_installed
from tests.support.without_grace import without_grace  # noqa: F401

SIMULATED, QUICK, PART = 50, 2, 6
"""Cups by chance, those of the quick test, and those in one database: each void there rates all of them again."""
DAY = 86400
TERMS = CupTerms("yonmoque", "standard", 3, True, DAY, CupStart.FULL, timedelta(days=7))


async def begun(crowd: Crowd, *people: Person, terms: CupTerms = TERMS) -> int:
    """Begin a cup of some people, and return its id."""
    service, first = crowd.services.cups, people[0]
    wanted = replace(terms, places=len(people))
    cup_id = await service.start(crowd.actor(first, can_manage_server=True), wanted)
    for person in people[1:]:
        await service.join(crowd.actor(person), cup_id)
    return cup_id


async def cup_and_table(crowd: Crowd, cup_id: int) -> tuple[Cup, CupTable]:
    view = await crowd.services.cup_queries.view(GUILD, cup_id)
    assert view.table is not None
    return view.cup, view.table


async def time_out(crowd: Crowd, match_id: int) -> None:
    """Let the time of one match be up."""
    async with crowd.database.write() as tx:
        late = crowd.now - timedelta(seconds=1)
        await tx.execute(update(tables.matches).where(tables.matches.c.id == match_id).values(deadline_at=late))
    await crowd.services.forfeits.time_out(match_id)


async def simulate(crowd: Crowd, seed: int, other: Crowd | None = None, *, audited: bool = False) -> None:
    """Play one cup by chance, two results at once now and then; compare its end with the independent calculation.

    ``other`` is another process on the same database: it takes some of the results. ``audited``: after each of them the
    whole database is audited.
    """
    random = Random(seed)
    players, live = random.randint(FEWEST, MOST), seed % 2 == 1
    people = [Person(1000 * (seed + 1) + number, f"Player {number}") for number in range(players)]
    cup_id = await begun(crowd, *people, terms=replace(TERMS, pace=600, increment=30) if live else TERMS)
    _, table = await cup_and_table(crowd, cup_id)
    ledger = Ledger(players, [(one.first, one.second) for one in table.pairings])
    trouble = random.choice((0.0, 0.1, 0.3))
    while True:
        cup, table = await cup_and_table(crowd, cup_id)
        if cup.state is not CupState.RUNNING:
            break
        running = [one for one in table.pairings if one.state is PairingState.RUNNING and table.counts(one)]
        assert running, "a running cup has something to play"
        assert not table.to_begin(), "every match that may begin has begun"
        busy = Counter(player for one in running for player in (one.first, one.second))
        assert max(busy.values()) <= (1 if live else BOARDS)
        if audited:
            assert await audit(crowd.database) == []
        if random.random() < trouble:
            await _trouble(crowd, random, cup_id, table, ledger)
            continue
        chosen = random.sample(running, min(len(running), random.choice((1, 1, 2))))
        late = len(chosen) == 1 and random.random() < trouble
        resigned = []
        for one in chosen:
            assert one.match_id is not None
            match = await crowd.match(one.match_id)
            seat = match.mover.seat if late else random.randrange(2)
            ledger.result(one.number, RESULTS[2] if seat == 0 else RESULTS[0], late)
            person = match.seats[seat].person
            taking = crowd if other is None else random.choice((crowd, other))
            resigned.append(time_out(taking, match.id) if late else taking.resign(match.id, person))
        await asyncio.gather(*resigned)
    places: dict[int, set[int]] = {}
    for player in cup.players:
        if player.place is not None:
            places.setdefault(player.place, set()).add(player.number or 0)
    if cup.state is CupState.DESERTED:
        assert players - len(ledger.erased) < 2
        assert not places
    else:
        assert cup.state is CupState.OVER
        assert [places[place] for place in sorted(places)] == ledger.order()
    async with crowd.database.read() as tx:
        of_cup = select(func.count()).where(tables.matches.c.cup_id == cup_id)
        matches = (await tx.execute(of_cup)).scalar_one()
        pairings = await cups.pairings_of(tx, cup_id)
    assert matches == sum(one.match_id is not None for one in pairings), "no match was begun twice"


async def _trouble(crowd: Crowd, random: Random, cup_id: int, table: CupTable, ledger: Ledger) -> None:
    """Withdraw a player, or void a match."""
    if random.random() < 0.5:
        player = random.randrange(len(table.players))
        if table.players[player].withdrawal is None:
            ledger.leave(player)
            await crowd.services.cups.leave(crowd.actor(table.players[player].person), cup_id)
        return
    one = random.choice([one for one in table.pairings if one.match_id is not None])
    assert one.match_id is not None
    if not (await crowd.match(one.match_id)).voided:
        ledger.void(one.number)
        await crowd.void(one.match_id)


def parts(seeds: range) -> list[range]:
    """Divide cups among databases."""
    return [seeds[at : at + PART] for at in range(0, len(seeds), PART)]


async def simulate_all(seeds: range, crowd: Crowd) -> None:
    """Play cups by chance, one after the other; audit the database all through the first, and when all are over."""
    for seed in seeds:
        await simulate(crowd, seed, audited=seed == seeds[0])
    assert await audit(crowd.database) == []


async def test_cups_by_chance_are_stored_as_calculated_independently(crowd: Crowd) -> None:
    await simulate_all(range(QUICK), crowd)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seeds", parts(range(QUICK, SIMULATED)), ids=str)
async def test_many_more_cups_by_chance_are_stored_as_calculated(crowd: Crowd, seeds: range) -> None:
    await simulate_all(seeds, crowd)


async def test_a_cup_waits_for_a_game_that_is_not_installed_and_goes_on_when_it_is_back(crowd: Crowd) -> None:
    people = (ALICE, BOB, CAROL, Person(4, "Dave"), Person(5, "Erin"))
    cup_id = await begun(crowd, *people, terms=replace(TERMS, game=KEY))
    late = await crowd.services.cups.start(
        crowd.actor(ALICE, can_manage_server=True), replace(TERMS, game=KEY, places=8)
    )
    for person in people[1:]:
        await crowd.services.cups.join(crowd.actor(person), late)
    _, table = await cup_and_table(crowd, cup_id)
    first = next(one for one in table.pairings if one.state is PairingState.RUNNING)
    with not_installed():
        assert first.match_id is not None
        await crowd.services.forfeits.give_up(first.match_id, 0)
        cup, table = await cup_and_table(crowd, cup_id)
        assert (cup.state, cup.waiting) == (CupState.RUNNING, True)
        assert table.to_begin()
        await crowd.services.cups.go_on()
        assert (await cup_and_table(crowd, cup_id))[0].waiting
        crowd.later(days=8)
        await crowd.services.cups.begin_due()
        assert (await crowd.services.cup_queries.view(GUILD, late)).cup.starts_at > crowd.now, "put off, not lost"
    await crowd.services.cups.go_on()
    cup, table = await cup_and_table(crowd, cup_id)
    assert not cup.waiting
    assert not table.to_begin()
    crowd.later(hours=2)
    await crowd.services.cups.begin_due()
    assert (await crowd.services.cup_queries.view(GUILD, late)).cup.state is CupState.RUNNING


async def test_a_cup_is_deleted_with_its_server_long_after_the_bot_was_removed(crowd: Crowd) -> None:
    open_cup = await crowd.services.cups.start(crowd.actor(ALICE, can_manage_server=True), TERMS)
    await begun(crowd, ALICE, BOB, CAROL)
    membership = crowd.services.departures
    await membership.compare([GUILD])
    await membership.bot_left(GUILD)
    crowd.later(days=8)
    await crowd.services.cups.begin_due()
    assert (await crowd.services.cup_queries.view(GUILD, open_cup)).cup.state is CupState.OPEN, (
        "nothing falls due meanwhile"
    )
    crowd.later(days=90)
    await membership.delete_departed()
    with pytest.raises(Refusal, match="no such cup"):
        await crowd.services.cup_queries.view(GUILD, open_cup)
    async with crowd.database.read() as tx:
        for table in (tables.cups, tables.cup_players, tables.cup_pairings, tables.matches):
            assert (await tx.execute(select(func.count()).select_from(table))).scalar_one() == 0


async def test_a_cup_waits_while_the_bot_is_removed_and_begins_when_it_is_back(crowd: Crowd) -> None:
    timed = replace(TERMS, places=8, start=CupStart.TIME, starts_in=timedelta(hours=1))
    cup_id = await crowd.services.cups.start(crowd.actor(ALICE, can_manage_server=True), timed)
    for person in (BOB, CAROL):
        await crowd.services.cups.join(crowd.actor(person), cup_id)
    await crowd.services.departures.bot_left(GUILD)
    crowd.later(days=2)
    await crowd.services.cups.begin_due()
    assert (await crowd.services.cup_queries.view(GUILD, cup_id)).cup.state is CupState.OPEN
    await crowd.services.departures.bot_returned(GUILD)
    await crowd.services.cups.begin_due()
    cup, table = await cup_and_table(crowd, cup_id)
    assert cup.state is CupState.RUNNING
    match_id = next(one.match_id for one in table.pairings if one.match_id is not None)
    before = (await crowd.match(match_id)).deadline_at
    await crowd.services.departures.bot_left(GUILD)
    crowd.later(days=2)
    await crowd.services.forfeits.notice_late()
    await crowd.services.departures.bot_returned(GUILD)
    after = (await crowd.match(match_id)).deadline_at
    assert before is not None
    assert after is not None
    assert after - before == timedelta(days=2), "the clocks stood still"


async def test_a_person_who_is_deleted_leaves_their_cups_in_all_servers_first(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    assert b'"cups"' in await crowd.services.privacy.export(CAROL.id)
    await crowd.services.privacy.erase(CAROL, crowd.interaction())
    cup, table = await cup_and_table(crowd, cup_id)
    assert cup.player_of(CAROL.id) is None
    assert [player.withdrawal for player in table.players if player.person.deleted] == [Withdrawal.DELETED]
    async with crowd.database.read() as tx:
        theirs = select(func.count()).where(tables.seats.c.user_id == CAROL.id)
        assert (await tx.execute(theirs)).scalar_one() == 0
        assert await cups.all_of(tx, CAROL.id) == []


async def test_limits_and_blocks_hold_for_cups(crowd: Crowd) -> None:
    service = crowd.services.cups
    cup_id = await service.start(crowd.actor(ALICE, can_manage_server=True), TERMS)
    await crowd.services.personal_settings.block(BOB.id, ALICE.id, blocked=True)
    with pytest.raises(Refusal, match="can't join"):
        await service.join(crowd.actor(BOB), cup_id)
    untimed = CupTerms("yonmoque", "standard", 3, True, 0, CupStart.FULL, timedelta(days=7))
    with pytest.raises(Refusal, match="time limit"):
        await service.start(crowd.actor(ALICE, can_manage_server=True), untimed)
    for _ in range(crowd.services.limits.cups - 1):
        await service.start(crowd.actor(CAROL, can_manage_server=True), TERMS)
    with pytest.raises(Refusal, match="limit"):
        await service.start(crowd.actor(CAROL, can_manage_server=True), TERMS)


async def test_the_matches_of_a_cup_that_is_not_rated_are_not(crowd: Crowd) -> None:
    for rated in (True, False):
        cup_id = await begun(crowd, ALICE, BOB, CAROL, terms=replace(TERMS, rated=rated))
        match_id = next(one.match_id for one in (await cup_and_table(crowd, cup_id))[1].pairings if one.match_id)
        assert match_id is not None
        await crowd.move_twice(match_id)
        await crowd.resign(match_id, (await crowd.match(match_id)).mover.person)
        assert bool((await crowd.services.queries.match_view(GUILD, match_id)).changes) is rated


async def test_the_first_three_places_are_trophies(crowd: Crowd) -> None:
    people = ALICE, BOB, CAROL, Person(4, "Dora")
    cup_id = await begun(crowd, *people)
    while (cup := (await cup_and_table(crowd, cup_id)))[0].state is CupState.RUNNING:
        one = next(one for one in cup[1].pairings if one.state is PairingState.RUNNING)
        assert one.match_id is not None
        both = [cup[1].players[player].person for player in (one.first, one.second)]
        await crowd.resign(one.match_id, max(both, key=lambda person: person.id))
    read = crowd.services.read
    won = [await read(cups.trophies, GUILD, person.id, last_place=3) for person in people]
    assert [[trophy.place for trophy in each] for each in won] == [[1], [2], [3], []]


async def test_a_match_outside_cups_is_none_of_theirs(crowd: Crowd) -> None:
    match = await crowd.match(await crowd.begin(terms=Terms("yonmoque", "standard", 2)))
    assert (match.cup_id, match.cup_round) == (None, None)
    assert "[Cup" not in match_record.write(match, [])


async def test_the_record_of_a_match_names_its_cup_and_round(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    _, table = await cup_and_table(crowd, cup_id)
    one = next(one for one in table.pairings if one.match_id is not None and one.round == 2)
    assert one.match_id is not None
    written = match_record.write(await crowd.match(one.match_id), await crowd.moves(one.match_id))
    assert f'[Cup "{cup_id}"]\n[Round "2"]\n' in written
    assert match_record.read(written).number == one.match_id


async def test_a_cup_that_was_postponed_since_it_was_found_due_waits(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = replace(TERMS, places=8, start=CupStart.TIME, starts_in=timedelta(hours=1))
    cup_id = await crowd.services.cups.start(crowd.actor(ALICE, can_manage_server=True), timed)

    async def found_due(*_asked: object) -> list[int]:
        return [cup_id]

    monkeypatch.setattr(cups, "due", found_due)
    await crowd.services.cups.begin_due()
    assert (await crowd.services.cup_queries.view(GUILD, cup_id)).cup.state is CupState.OPEN
