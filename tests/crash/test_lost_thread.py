"""A thread that stands on no card cannot be told from a second one by Discord; the bot has to."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from simcord.backend import Backend
from simcord.http import router

from bot.storage.queries import challenges
from tests.conftest import Town
from tests.crash.stories import STORIES, press, thread_of


async def test_a_thread_beside_a_lost_card_is_opened_once(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    await STORIES["a rematch"].before(town)
    await _lose_card(town, 2)
    _lose_first_answer(monkeypatch, "POST", f"/channels/{town.channel.id}/threads")
    await press(town, town.alice, thread_of(town), "Rematch")
    await town.env.advance_time(60)
    names = [thread.name for thread in town.bot.get_guild(town.guild.id).threads]  # type: ignore[union-attr]
    assert len(names) == len(set(names)) == 2
    assert town.messages(thread_of(town, 2)), "the first board"


async def _lose_card(town: Town, challenge_id: int) -> None:
    assert town.bot.database is not None
    async with town.bot.database.write() as tx:
        challenge = await challenges.get(tx, challenge_id)
        await challenges.change(tx, challenge_id, message_id=None)
    assert challenge is not None
    assert challenge.message_id is not None
    town.env.backend.delete_message(town.channel.id, challenge.message_id)


def _lose_first_answer(monkeypatch: pytest.MonkeyPatch, method: str, path: str) -> None:
    dispatch, lost = router.dispatch, [False]

    def forgetful(backend: Backend, asked: str, where: str, **options: Any) -> Any:
        answer = dispatch(backend, asked, where, **options)
        if (asked, where) == (method, path) and not lost[0]:
            lost[0] = True
            raise aiohttp.ServerDisconnectedError
        return answer

    monkeypatch.setattr(router, "dispatch", forgetful)
