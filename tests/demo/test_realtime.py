"""The demo page shows what happens as it happens, to everybody, and loses nothing that anybody does on it."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

from tests.demo.conftest import Given
from tests.demo.desk import Desk


async def test_what_the_bot_says_unasked_appears_to_everybody(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice, Desk(given.url, "Bob") as bob:
        given.bot.announce("Nobody asked.")

        await alice.sees("Nobody asked.")
        await bob.sees("Nobody asked.")


async def test_the_bots_timers_run_by_themselves(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice:
        await alice.command("wait")

        await alice.sees("A moment has passed.")


async def test_the_bots_clock_shows_the_real_time(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice:
        await alice.command("count")

    assert given.bot.asked_at is not None
    assert abs(given.bot.asked_at - datetime.now(UTC)) < timedelta(minutes=1)


async def test_two_people_acting_in_turn_are_never_told_that_they_are_late(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice, Desk(given.url, "Bob") as bob:
        await alice.command("count")
        await bob.sees("0 presses")
        for turn in range(20):
            person = (alice, bob)[turn % 2]
            given.bot.announce(f"Remark {turn}.")
            await person.sees(f"{turn} presses")
            result = await person.press("Count")

            assert not result["rejected"], result["diagnostics"]
        await alice.sees("20 presses")


async def test_everybody_acting_at_once_loses_nothing(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice, Desk(given.url, "Bob") as bob, Desk(given.url, "Carol") as carol:
        people = {"Alice": alice, "Bob": bob, "Carol": carol}
        for number in range(8):
            given.bot.announce(f"Remark {number}.")
            results = await asyncio.gather(*(desk.say(f"{name}'s word {number}.") for name, desk in people.items()))
            assert not any(result["rejected"] for result in results)

        for desk in people.values():
            for number in range(8):
                await desk.sees(f"Remark {number}.")
                for name in people:
                    await desk.sees(f"{name}'s word {number}.")


async def test_a_control_that_has_changed_under_the_finger_is_refused(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice, Desk(given.url, "Bob") as bob:
        await alice.command("count")
        await bob.sees("0 presses")
        await alice.sees("0 presses")
        looked_at = bob.state
        await alice.press("Count")
        await bob.sees("1 presses")

        bob.state = looked_at
        result = await bob.press("Count")

        assert [item["code"] for item in result["diagnostics"]] == ["stale-revision"]
        assert given.bot.presses == 1


async def test_people_go_on_while_the_bot_thinks(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice, Desk(given.url, "Bob") as bob:
        assert not (await alice.command("think"))["rejected"]
        await bob.say("Take your time.")
        await alice.sees("Take your time.")
        assert "That is what I think." not in alice.seen

        given.bot.thought.set()

        await alice.sees("That is what I think.")


async def test_an_error_of_the_bot_does_not_end_the_demo(given: Given, caplog: pytest.LogCaptureFixture) -> None:
    async with Desk(given.url, "Alice") as alice:
        await alice.command("count")
        await alice.sees("0 presses")
        with caplog.at_level(logging.CRITICAL, "discord.ui"):
            await alice.press("Break")

        await alice.press("Count")

        await alice.sees("1 presses")


async def test_the_demo_ends_when_it_is_ended_on_the_page(given: Given) -> None:
    async with Desk(given.url, "Alice") as alice:
        await alice.act("close")

    async with asyncio.timeout(10):
        await given.running
