"""A bot that is removed for good: the matches of the server are deleted in time, and not a day too early."""

from __future__ import annotations

import pytest
from simcord.backend import serializers

from bot.matches.audit import audit
from bot.storage import match_lists
from tests.lifecycle.test_servers import bot_left
from tests.support.acting import FINISHED, challenge, challenge_accepted, play, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY

pytestmark = pytest.mark.own_bot


async def kept(sim: SimulatedDiscord) -> list[int]:
    """Return the numbers of the matches that are stored; what is stored is in order."""
    database = sim.bot.context.services.database
    assert await audit(database) == []
    async with database.read() as tx:
        return await match_lists.every_id(tx)


async def pass_days(sim: SimulatedDiscord, days: int) -> None:
    """Let days pass, ten at a time: the simulation takes anything longer than some seconds for a hang."""
    for _ in range(0, days, 10):
        await sim.env.advance_time(10 * DAY)


@pytest.mark.slow
async def test_a_server_is_deleted_when_its_time_is_up_and_people_begin_anew(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await challenge_accepted(sim)
    await challenge(sim)
    with bot_left(sim):
        await pass_days(sim, 80)
        assert await kept(sim) == [1, 2]
        await pass_days(sim, 40)
        assert await kept(sim) == []
    await sim.env.settle()
    assert "your turn" not in told(await sim.alice.slash(sim.channel, "matches"))
    await challenge_accepted(sim)
    assert await kept(sim) == [3]


@pytest.mark.slow
async def test_a_server_that_discord_has_lost_is_kept_for_however_long(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    backend = sim.env.backend
    backend.emit("GUILD_DELETE", {"id": str(sim.guild.id), "unavailable": True})
    await pass_days(sim, 200)
    assert await kept(sim) == [1]
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[sim.guild.id]))
    await sim.env.settle()
    assert "your turn" in told(await sim.alice.slash(sim.channel, "matches"))


async def test_a_server_the_bot_came_back_to_while_it_slept_is_kept(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    with bot_left(sim):
        await sim.env.settle()
        await sim.bot.close()
        sim.env.backend.clock.advance(200 * DAY)
    await sim.restart()
    await pass_days(sim, 20)
    assert await kept(sim) == [1]
