"""Direct messages about turns keep up with their matches: what was played, until when there is time, how they ended."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import discord
import pytest
from sqlalchemy import select

from bot.delivery.handlers import turn
from bot.matches.model.actor import Actor
from bot.matches.writing.outbox_messages import MessageKind
from bot.settings import Settings
from bot.storage import tables
from bot.storage.notices import Notice
from tests.discord_flow.test_news import be_quiet
from tests.support.acting import challenge_accepted, direct_messages, labels, play, text_of, three_playing
from tests.support.ports import free_port
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot


@pytest.fixture
def settings(settings: Settings) -> Settings:
    port = free_port()
    return settings.model_copy(update={"web_port": port, "web_url": f"http://localhost:{port}"})


def direct(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the direct messages to Bob."""
    return sim.messages(sim.env.backend.dm_channels[sim.bob.id])


async def test_a_direct_message_says_that_its_turn_was_played_and_how_its_match_ended(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct", language="de")
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    assert labels(direct(sim)[0]) == ["Brett öffnen", "Zum Brett"]
    await play(sim, thread, "a5", begin=1)
    (played,) = direct(sim)
    assert (text_of(played).strip(), labels(played)) == ("-# Yonmoque · Partie 1 · hier warst du am Zug", [])
    assert played.attachments == []
    await sim.restart()
    await play(sim, thread, "b1")
    await sim.bot.context.services.forfeits.give_up(1, 0)
    await sim.env.settle()
    played, ended, told = direct(sim)
    assert text_of(told) == text_of(ended), "a change of an earlier message calls nobody"
    assert "hier warst du am Zug" in text_of(played)
    assert "Diese Partie ist zu Ende." in text_of(ended)
    assert (labels(ended), ended.attachments) == (["Zum Brett"], [])


async def test_a_direct_message_names_the_deadline_that_moves(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    thread = await challenge_accepted(sim, pace=2 * DAY)
    await play(sim, thread, "a1")
    await sim.bob.slash(sim.channel, "preferences", away_days=3)
    deadline = (await stored(sim)).deadline_at
    assert deadline == sim.env.now() + timedelta(days=5)
    (message,) = direct(sim)
    assert discord.utils.format_dt(deadline, "R") in text_of(message)
    assert "Bob is away until" in text_of(message)
    assert (labels(message), len(message.attachments)) == (["Open board", "Go to the board"], 1)


async def test_after_a_pause_the_direct_message_before_it_is_over(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    thread = await challenge_accepted(sim, pace=2 * DAY)
    await play(sim, thread, "a1")
    match = await stored(sim)
    for seat in match.seats:
        actor = Actor(match.guild_id, seat.person, UUID(int=seat.seat + 1), sim.env.now(), match.channel_id)
        await sim.bot.context.services.agreements.offer_pause(actor, 1, 1, 7)
    assert len(direct(sim)) == 1
    await sim.env.advance_time(7 * DAY + HOUR)
    before, after = direct(sim)
    assert ("it was your turn here" in text_of(before), labels(before)) == (True, [])
    assert labels(after) == ["Open board", "Go to the board"]


@pytest.mark.slow
async def test_the_list_after_quiet_hours_leaves_out_what_was_played_or_has_ended(sim: SimulatedDiscord) -> None:
    await be_quiet(sim, sim.bob)
    threads = [await challenge_accepted(sim, pace=7 * DAY) for _ in range(3)]
    for thread in threads:
        await play(sim, thread, "a1")
    await sim.env.advance_time(7.1 * HOUR)
    (told_then,) = direct_messages(sim, sim.bob)
    assert all(f"match {number} against Alice" in told_then for number in (1, 2, 3))
    await play(sim, threads[1], "a5", begin=1)
    (message,) = direct(sim)
    assert "match 2" not in text_of(message)
    assert labels(message) == ["Open the board of match 1", "Open the board of match 3"]
    services = sim.bot.context.services
    for number in (1, 3):
        await services.forfeits.give_up(number, 0)
        await sim.env.settle()
    (message,) = direct(sim)
    assert (labels(message), "or they have ended" in text_of(message)) == ([], True)


@pytest.mark.slow
async def test_a_direct_message_that_comes_late_is_rewritten_too(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    match, context = await stored(sim), SimpleNamespace(services=sim.bot.context.services)
    await play(sim, thread, "a5", begin=1)
    at: Any = Notice(0, MessageKind.DIRECT_TURN, direct(sim)[0].channel.id, direct(sim)[0].id)
    async with context.services.database.write() as tx:
        await tx.execute(tables.outbox.delete())
        await turn._note([match], at, context, tx)  # type: ignore[arg-type]
        kinds = list((await tx.execute(select(tables.outbox.c.kind))).scalars())
        assert (await tx.execute(select(tables.notices))).all() == []
    assert kinds == [MessageKind.RETIRE_NOTICE]


@pytest.mark.slow
async def test_who_still_is_to_move_after_another_left_keeps_their_direct_message(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    thread = await three_playing(sim)
    await sim.alice.slash(sim.place(thread), "move", move="a1-b2")
    assert labels(direct(sim)[0])[0] == "Open board"
    for seat in (2, 0):
        assert labels(direct(sim)[0])[0] == "Open board"
        await sim.bot.context.services.forfeits.give_up(1, seat)
        await sim.env.settle()
    message, end = direct(sim)
    assert (labels(message), "This match is over." in text_of(message)) == (["Go to the board"], True)
    assert "has left" in text_of(end), "nobody hears of a change of the message of their turn"
