"""Who is told what when people leave a cup, and which boards say that their match counts no more."""

from __future__ import annotations

import pytest
from sqlalchemy import delete

from bot.matches.model.refusals import Refusal
from bot.matches.service_context import PlayLimits
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import tables
from bot.storage.contest_states import Withdrawal
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd, everybody_left
from tests.matches.test_cups import TERMS, begun, cup_and_table, time_out
from tests.matches.test_uncounted import EIGHT, opponent_in, running_of
from tests.support.without_grace import without_grace  # noqa: F401

FOUR = EIGHT[:4]


async def uncounted(crowd: Crowd) -> set[int]:
    """Return the matches whose boards are to say that they count no more."""
    return {payload["match"] for payload in await crowd.queued(MessageKind.UNCOUNTED)}


async def withdrawals(crowd: Crowd, cup_id: int) -> dict[int, Withdrawal | None]:
    return {player.person.id: player.withdrawal for player in (await cup_and_table(crowd, cup_id))[0].players}


async def test_who_is_taken_out_of_a_cup_is_told_and_who_leaves_it_is_not(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *FOUR)
    await crowd.services.cups.leave(crowd.actor(FOUR[0]), cup_id)
    assert await crowd.queued(MessageKind.CUP_OUT) == []
    await crowd.services.cups.remove(crowd.actor(ALICE), cup_id, FOUR[1].id)
    player = (await cup_and_table(crowd, cup_id))[0].player_of(FOUR[1].id)
    assert player is not None
    assert await crowd.queued(MessageKind.CUP_OUT) == [{"cup": cup_id, "player": player.number}]


async def test_who_is_barred_leaves_open_cups_and_withdraws_from_running_ones(crowd: Crowd) -> None:
    running = await begun(crowd, ALICE, BOB, CAROL)
    waiting = await crowd.services.cups.start(crowd.actor(ALICE, can_manage_server=True), TERMS)
    await crowd.services.cups.join(crowd.actor(CAROL), waiting)
    await crowd.services.bars.bar(GUILD, CAROL.id)
    assert (await withdrawals(crowd, running))[CAROL.id] is Withdrawal.BARRED
    view = await crowd.services.cup_queries.view(GUILD, waiting)
    assert [player.person.id for player in view.cup.players] == [ALICE.id]


async def test_the_boards_of_who_leaves_say_once_that_their_match_counts_no_more(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *EIGHT)
    first = await running_of(crowd, cup_id, EIGHT[0])
    await crowd.services.cups.leave(crowd.actor(EIGHT[0]), cup_id)
    assert await uncounted(crowd) == {match.id for match in first}
    # After two days the outbox forgets what it has sent.
    async with crowd.database.write() as tx:
        await tx.execute(delete(tables.outbox))
    other = opponent_in(first[0], EIGHT[0])
    second = await running_of(crowd, cup_id, other)
    await crowd.services.cups.leave(crowd.actor(other), cup_id)
    assert await uncounted(crowd) == {match.id for match in second} - {first[0].id}


async def test_the_boards_of_a_cup_that_is_closed_say_that_their_matches_count_no_more(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    running = {match.id for person in (ALICE, BOB, CAROL) for match in await running_of(crowd, cup_id, person)}
    await crowd.services.cups.close(crowd.actor(ALICE), cup_id)
    assert await uncounted(crowd) == running


async def test_who_left_the_server_leaves_the_cup_and_who_is_late_once_does_not(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *FOUR)
    match = (await running_of(crowd, cup_id, FOUR[0]))[0]
    late = match.mover.person
    asked = await crowd.queued(MessageKind.CUP_MEMBER)
    crowd.later(days=1)
    await time_out(crowd, match.id)
    assert (await withdrawals(crowd, cup_id))[late.id] is None
    number = next(player.number for player in (await cup_and_table(crowd, cup_id))[1].players if player.person == late)
    assert {"cup": cup_id, "player": number} in (await crowd.queued(MessageKind.CUP_MEMBER))[len(asked) :]
    match = next(one for one in await running_of(crowd, cup_id, late) if one.mover.person != late)
    gone = match.mover.person
    crowd.open(has_left=everybody_left)
    await crowd.services.forfeits.claim_win(*crowd.request(match.id, late))
    assert (await withdrawals(crowd, cup_id))[gone.id] is Withdrawal.GONE
    assert await crowd.queued(MessageKind.CUP_OUT) == []


async def test_who_is_barred_or_plays_as_much_as_they_may_cannot_join_a_cup(crowd: Crowd) -> None:
    crowd.open(PlayLimits(matches=1))
    service = crowd.services.cups
    cup_id = await service.start(crowd.actor(CAROL, can_manage_server=True), TERMS)
    await crowd.begin(by=ALICE, to=BOB)
    with pytest.raises(Refusal, match="1 match running, which is the limit"):
        await service.join(crowd.actor(ALICE), cup_id)
    barred = Person(4, "Dave")
    await crowd.services.bars.bar(GUILD, barred.id)
    with pytest.raises(Refusal, match="barred you from playing"):
        await service.join(crowd.actor(barred), cup_id)
    view = await crowd.services.cup_queries.view(GUILD, cup_id)
    assert [player.person.id for player in view.cup.players] == [CAROL.id]
