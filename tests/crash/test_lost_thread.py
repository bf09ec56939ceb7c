"""A thread that stands on no card cannot be told from a second one by Discord; the bot has to."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from simcord.backend import Backend
from simcord.http import router

from bot.storage import challenges
from tests.crash.parts import press, thread_of
from tests.crash.scenarios import SCENARIOS
from tests.support.simulated_discord import SimulatedDiscord


@pytest.mark.own_bot
async def test_a_thread_beside_a_lost_card_is_opened_once(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    await SCENARIOS["a rematch"].before(sim)
    await _lose_card(sim, 2)
    _lose_first_answer(monkeypatch, "POST", f"/channels/{sim.channel.id}/threads")
    await press(sim, sim.alice, thread_of(sim), "Rematch")
    await sim.env.advance_time(60)
    names = [thread.name for thread in sim.bot.get_guild(sim.guild.id).threads]  # type: ignore[union-attr]
    assert len(names) == len(set(names)) == 2
    assert sim.messages(thread_of(sim, 2)), "the first board"


async def _lose_card(sim: SimulatedDiscord, challenge_id: int) -> None:
    assert sim.bot.database is not None
    async with sim.bot.database.write() as tx:
        challenge = await challenges.get(tx, challenge_id)
        await challenges.change(tx, challenge_id, message_id=None)
    assert challenge is not None
    assert challenge.message_id is not None
    sim.env.backend.delete_message(sim.channel.id, challenge.message_id)


def _lose_first_answer(monkeypatch: pytest.MonkeyPatch, method: str, path: str) -> None:
    dispatch, lost = router.dispatch, [False]

    def forgetful(backend: Backend, asked: str, where: str, **options: Any) -> Any:
        answer = dispatch(backend, asked, where, **options)
        if (asked, where) == (method, path) and not lost[0]:
            lost[0] = True
            raise aiohttp.ServerDisconnectedError
        return answer

    monkeypatch.setattr(router, "dispatch", forgetful)
