"""The bot is stopped and started again in the middle: every old control goes on working, and so does the outbox."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.settings import Settings
from tests.support.acting import (
    answer,
    board_of,
    boards,
    build,
    challenge_accepted,
    custom_ids,
    opened_builder,
    pings,
    play,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord, simulated_discord

pytestmark = pytest.mark.own_bot


async def test_a_board_and_a_builder_work_after_a_restart(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    opened = await opened_builder(sim, sim.alice, thread, "c3")
    await sim.restart()
    assert "to move" in told(await sim.carol.slash(sim.place(thread), "board"))
    await sim.alice.click(opened, label="Back")
    await build(sim.alice, opened, "c2")
    assert text_of(opened.message).strip().startswith("You played **c2**.")
    await sim.restart()
    builder = answer(await sim.bob.click(board_of(sim, thread), label="Play"))
    form = await sim.bob.click(builder, label="Type")
    await sim.restart()
    await sim.bob.submit_modal(form, {"move": "a1"})
    assert "a1" in text_of(board_of(sim, thread))
    assert len(boards(sim, thread)) == 3


async def test_what_was_not_said_before_a_restart_is_said_after_it(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await play(sim, thread, "c3")
    assert len(boards(sim, thread)) == 1
    sim.env.backend.faults.clear()
    await sim.restart()
    await sim.env.advance_time(60)
    assert custom_ids(board_of(sim, thread))[0] == "play:1:1"
    assert len(boards(sim, thread)) == 2
    assert pings(sim, sim.bob) == 2


async def test_a_start_and_a_stop_with_an_empty_database_execute_few_statements(
    settings: Settings, drawn_once: None
) -> None:
    executed, wanted = list[str](), {"max_matches": 3, "max_challenges": 2, "challenge_days": 5}

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        executed.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        async with simulated_discord(settings.model_copy(update=wanted)) as sim:
            limits = sim.bot.context.services.limits
            assert (limits.matches, limits.challenges, limits.challenge_days) == tuple(wanted.values())
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert 10 < len(executed) < 40, "\n".join(executed)
    looked = [statement.split("FROM")[1].split()[0] for statement in executed if statement.startswith("SELECT")]
    assert max(map(looked.count, {"computer_turns", "reviews", "reratings", "outbox"} & set(looked))) == 1
