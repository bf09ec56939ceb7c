"""Time and mercy in Discord: a day away that is spent before a loss, whom a pace suits, and what cups begin with."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.storage import tables
from bot.storage.records import MatchState
from bot.views import challenges
from tests.support.acting import (
    FINISHED,
    board_of,
    boards,
    challenge_accepted,
    direct_messages,
    pings,
    play,
    text_of,
    told,
)
from tests.support.cup_play import cup_message
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import DAY, HOUR, stored


@pytest.mark.own_bot
async def test_a_grace_is_told_on_the_board_and_directly_and_mentions_nobody(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY - HOUR)
    posted, before = len(boards(sim, thread)), [pings(sim, person) for person in (sim.alice, sim.bob)]
    await sim.env.advance_time(2 * HOUR)
    match = await stored(sim)
    assert (match.state, match.graces) == (MatchState.RUNNING, 1)
    assert "Alice ran out of time, so one of their days away was used." in text_of(boards(sim, thread)[0])
    assert len(boards(sim, thread)) == posted
    assert any("one of your days away was used" in text for text in direct_messages(sim, sim.alice))
    assert [pings(sim, person) for person in (sim.alice, sim.bob)] == before
    await play(sim, thread, "a1")
    assert "days away was used" not in text_of(board_of(sim, thread))


@pytest.mark.own_bot
@pytest.mark.parametrize("reminders", sampled([True, False], every=2))
async def test_who_takes_no_direct_messages_is_told_of_a_grace_in_place_of_the_reminder(
    sim: SimulatedDiscord, reminders: bool
) -> None:
    prefer = sim.bot.context.services.personal_settings.prefer
    await prefer(sim.alice.id, lambda before: replace(before, reminders=reminders))
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY - HOUR)
    before = pings(sim, sim.alice)
    await sim.env.advance_time(2 * HOUR)
    texts = [text_of(message) for message in sim.messages(thread)]
    assert sum("had little time left here" in text for text in texts) == reminders
    assert sum("runs out" in text for text in texts) == 1
    assert pings(sim, sim.alice) == before + reminders


@pytest.mark.parametrize(
    ("day", "weeks", "advised"),
    sampled([(7, 4, True), (7, 3, False), (3, 4, False)], every=3, ids=["four weekends", "three weekends", "weekdays"]),
)
async def test_who_moves_at_weekends_is_told_of_a_longer_pace(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, day: int, weeks: int, advised: bool
) -> None:
    monkeypatch.setattr(challenges, "FEWEST_MOVES", 2)
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    today = sim.env.now()
    latest = today - timedelta(days=(today.isoweekday() - day) % 7 or 7)
    async with sim.bot.context.services.database.write() as tx:
        await tx.execute(update(tables.moves).values(at=latest))
        for week in range(1, weeks):
            earlier = update(tables.moves).where(tables.moves.c.ply.in_((2 * week, 2 * week + 1)))
            await tx.execute(earlier.values(at=latest - timedelta(weeks=week)))
    said = told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", pace=str(DAY)))
    assert ("a week a move may suit you better" in said) is advised


async def test_a_cup_has_two_days_a_move_and_the_graces_of_the_server(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "cup", game="yonmoque")
    shown = text_of(cup_message(sim))
    assert "2 days a move" in shown
    assert "one of your days away is used before a loss on time" in shown
