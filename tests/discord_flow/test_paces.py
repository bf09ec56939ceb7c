"""Paces: how live ones are shown and kept quiet, whom a pace suits, and the day away before a loss."""

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
    cards,
    challenge,
    challenge_accepted,
    direct_messages,
    pings,
    play,
    sent_text,
    text_of,
    told,
)
from tests.support.cup_play import cup_message
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import DAY, HOUR, stored

LIVE = "10 minutes + 30 seconds"


async def test_a_pace_is_suggested_while_it_is_typed(sim: SimulatedDiscord) -> None:
    offered = await sim.alice.autocomplete(sim.channel, "challenge", "pace", "")
    assert {"name": "live: 10 minutes + 30 seconds a move", "value": "600s+30s"} in offered
    assert {"name": "no time limit", "value": "0"} in offered
    typed = await sim.alice.autocomplete(sim.channel, "challenge", "pace", "8h+20m")
    assert typed == [{"name": "8 hours + 20 minutes a move · for several looks a day", "value": "28800s+1200s"}]
    assert await sim.alice.autocomplete(sim.channel, "challenge", "pace", "whenever") == []
    refused = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, pace="whenever")
    assert "I don't understand “whenever” as a pace" in told(refused)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", pace="1 day")
    assert "1 day a move · for a look twice a day" in text_of(cards(sim)[-1])


@pytest.mark.own_bot
async def test_the_card_the_board_and_the_list_tell_the_time(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, pace=LIVE)
    assert "10 minutes + 30 seconds a move" in text_of(card)
    await sim.bob.click(card, label="Accept")
    await sim.env.advance_time(60 + 180)
    await play(sim, card.id, "a1")
    match = await stored(sim)
    assert match.deadline_at is not None
    shown = sent_text(board_of(sim, card.id))
    assert f"<t:{int(match.deadline_at.timestamp())}:T> (<t:{int(match.deadline_at.timestamp())}:R>)" in shown
    assert "-# 10 minutes + 30 seconds a move · Alice has 7:30 left" in shown
    assert "you have 7:30 left" in told(await sim.alice.slash(sim.channel, "matches"))


async def test_the_usual_pace_of_a_server_may_be_typed(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    shown = told(await sim.alice.slash(sim.channel, "settings", pace="6h+1h"))
    assert "Usual pace: **6 hours + 1 hour a move**" in shown
    assert "6 hours + 1 hour a move" in text_of(await challenge(sim))


@pytest.mark.own_bot
async def test_nobody_is_called_who_is_at_the_board_of_a_live_match(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=LIVE)
    before = pings(sim, sim.alice)
    await play(sim, thread, "a1", "a5")
    assert (len(boards(sim, thread)) > 1, pings(sim, sim.alice)) == (True, before)
    await play(sim, thread, "b1")
    await sim.env.advance_time(121)
    await play(sim, thread, "b5", begin=1)
    assert pings(sim, sim.alice) == before + 1


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


async def test_a_time_zone_that_is_known_no_more_spoils_no_challenge(sim: SimulatedDiscord) -> None:
    prefer = sim.bot.context.services.personal_settings.prefer
    await prefer(sim.alice.id, lambda before: replace(before, zone="Nowhere/Known"))
    assert "Challenge sent." in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", pace=str(DAY)))


async def test_a_cup_has_two_days_a_move_and_the_graces_of_the_server(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "cup", game="yonmoque")
    shown = text_of(cup_message(sim))
    assert "2 days a move" in shown
    assert "one of your days away is used before a loss on time" in shown
