"""What is computed away from the event loop: it never stalls the loop, and can be given up."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import discord
import pytest

from bot.games.patience import GivenUp, checkpoint
from bot.matches.context import Context
from bot.matches.refusals import Refusal
from bot.storage.database import Database

pytestmark = pytest.mark.timeout(30)


class Endless:
    """A computation that never ends by itself."""

    def __init__(self) -> None:
        self.begun = Event()
        self.given_up = Event()

    def __call__(self) -> None:
        self.begun.set()
        try:
            while True:
                checkpoint()
        except GivenUp:
            self.given_up.set()
            raise


def context(executor: ThreadPoolExecutor, patience: float = 20) -> Context:
    return Context(Database("sqlite+aiosqlite://"), discord.utils.utcnow, executor, patience=patience)


async def test_what_nobody_waits_for_any_more_is_given_up() -> None:
    endless = Endless()
    with ThreadPoolExecutor(1) as executor:
        waiting = asyncio.create_task(context(executor).compute(endless))
        await asyncio.to_thread(endless.begun.wait)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await asyncio.to_thread(endless.given_up.wait, 20)


async def test_what_takes_too_long_is_given_up_with_a_sentence() -> None:
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(Refusal, match="takes too long"):
            await context(executor, patience=0.05).compute(Endless())
        assert await context(executor).compute(sum, (1, 2)) == 3


async def test_what_waits_for_its_turn_does_not_lose_patience_meanwhile() -> None:
    with ThreadPoolExecutor(1) as executor:
        ahead = asyncio.create_task(context(executor, patience=0.2).compute(Endless()))
        assert await context(executor, patience=0.1).compute(checkpoint) is None
        with pytest.raises(Refusal):
            await ahead


async def test_the_event_loop_goes_on_while_something_is_computed() -> None:
    with ThreadPoolExecutor(1) as executor:
        waiting = asyncio.create_task(context(executor).compute(Endless()))
        turns = 0
        while turns < 1000:
            await asyncio.sleep(0)
            turns += 1
        assert not waiting.done()
        waiting.cancel()
