"""The page's server shows each event at once to the people who may see it, and admits only the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import discord
import pytest

from bot.demo.discord_server import ACK, HEARTBEAT, HELLO, ROUND_TRIP
from tests.demo.conftest import Given
from tests.demo.http_client import PageClient
from tests.support.waiting import PATIENCE


async def test_the_bot_speaks_unasked_by_its_timers_and_at_the_real_time(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        given.bot.announce("Nobody asked.")
        await alice.sees("Nobody asked.")
        await bob.sees("Nobody asked.")
        await alice.command("wait")
        await alice.sees("A moment has passed.")
        await alice.command("count")

    assert given.bot.asked_at is not None
    assert abs(given.bot.asked_at - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_heartbeat_is_not_answered_before_the_bot_can_have_noted_when_it_sent_it(given: Given) -> None:
    loop = asyncio.get_running_loop()
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"ws://{given.server.address}/gateway") as gateway,
    ):
        assert (await gateway.receive_json())["op"] == HELLO
        sent = loop.time()
        await gateway.send_json({"op": HEARTBEAT, "d": None})

        assert (await gateway.receive_json())["op"] == ACK
        assert loop.time() - sent >= ROUND_TRIP * 0.9


async def test_everybody_acting_at_once_loses_nothing(given: Given) -> None:
    async with (
        PageClient(given.url, "Alice") as alice,
        PageClient(given.url, "Bob") as bob,
        PageClient(given.url, "Carol") as carol,
    ):
        people = {"Alice": alice, "Bob": bob, "Carol": carol}
        for number in range(8):
            given.bot.announce(f"Remark {number}.")
            await asyncio.gather(*(desk.say(f"{name}'s word {number}.") for name, desk in people.items()))

        for desk in people.values():
            for number in range(8):
                await desk.sees(f"Remark {number}.")
                for name in people:
                    await desk.sees(f"{name}'s word {number}.")


async def test_a_control_that_is_gone_is_refused(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice:
        await alice.command("count")
        await alice.sees("0 presses")
        looked_at = alice.button("Count")
        given.bot.disabled = True
        await alice.press("Count")
        await alice.sees("1 presses")

        outcome = await alice.act("control", **looked_at)

        assert outcome == {"failed": "This has changed in the meantime."}
        assert given.bot.presses == 1


async def test_people_go_on_while_the_bot_thinks(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        assert "failed" not in await alice.command("think")
        await bob.say("Take your time.")
        await alice.sees("Take your time.")
        assert "That is what I think." not in alice.seen

        given.bot.thought.set()

        await alice.sees("That is what I think.")


async def test_a_bot_that_does_not_answer_is_said_not_to(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.demo.page_server.RESPONSE_SECONDS", 0.05)
    async with PageClient(given.url, "Alice") as alice:
        assert await alice.command("ignore") == {"failed": "Tavoliere did not respond."}


async def test_an_error_of_the_bot_does_not_end_the_demo(given: Given, caplog: pytest.LogCaptureFixture) -> None:
    async with PageClient(given.url, "Alice") as alice:
        await alice.command("count")
        await alice.sees("0 presses")
        with caplog.at_level(logging.CRITICAL, "discord.ui"):
            await alice.press("Count")
        await alice.sees("1 presses")
        with caplog.at_level(logging.CRITICAL, "discord.ui"):
            broken = asyncio.create_task(alice.press("Break"))

            await alice.press("Count")

            await alice.sees("2 presses")
            broken.cancel()


async def test_a_private_answer_is_sent_to_its_owner_alone(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        await alice.command("think")
        await alice.sees("Thinking about it.")
        secret = next(message for message in alice.messages.values() if message["private"])
        await alice.say("Done.")
        await bob.sees("Done.")

        assert not any(message["private"] for message in bob.messages.values())
        assert not any(message["private"] for message in (await bob.history())["messages"])
        assert await bob.act("dismiss", message=secret["id"]) == {"failed": "This message is gone."}
        assert await alice.act("dismiss", message=secret["id"]) == {}
        assert not any(message["private"] for message in (await alice.history())["messages"])


async def test_a_private_thread_is_shown_to_its_members_alone_and_no_line_announces_it(given: Given) -> None:
    backend = given.server.backend
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        kind = discord.ChannelType.private_thread.value
        thread = backend.create_thread(int(alice.channel), "Quietly", backend.bot_user.id, type=kind)
        backend.add_thread_member(thread.id, next(user.id for user in backend.users.values() if user.name == "alice"))
        backend.create_message(thread.id, backend.bot_user.id, "Only for you.")
        given.bot.announce("For all.")
        await alice.sees("Only for you.")
        await alice.sees("For all.")
        await bob.sees("For all.")

        assert "Quietly" in alice.told_of
        assert "Quietly" not in [*bob.told_of, *alice.seen, *bob.seen]
        assert "Only for you." not in bob.seen


async def test_history_comes_in_pages_that_leave_nothing_out(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice:
        for number in range(120):
            await alice.say(f"Word {number}")

        page = await alice.history()
        words = [message["content"] for message in page["messages"]]
        while page["older"]:
            page = await alice.history(before=page["messages"][0]["id"])
            words = [message["content"] for message in page["messages"]] + words
        middle = next(message["id"] for message in alice.messages.values() if message["content"] == "Word 60")
        around = [message["content"] for message in (await alice.history(around=middle))["messages"]]

    assert words == [f"Word {number}" for number in range(120)]
    assert around == [f"Word {number}" for number in range(35, 85)]


async def test_pages_that_were_open_before_the_welcome_are_told_of_it_in_their_language(given: Given) -> None:
    spoken: list[str] = []

    class Posted:
        messages = (5, 6)

        async def speak(self, tag: str) -> None:
            spoken.append(tag)

    async with PageClient(given.url, "alice") as early:
        assert early.hello["welcome"] == []
        await given.page.welcome_all(Posted())
        await early.welcomed.wait()
        assert early.hello["welcome"] == ["5", "6"]
        assert spoken == ["en"]
    async with PageClient(given.url, "alice") as late:
        assert late.hello["welcome"] == ["5", "6"]


async def test_a_newcomer_of_the_demo_before_joins_this_one_too(given: Given) -> None:
    async with PageClient(given.url, "Grace") as grace, PageClient(given.url, "Grace") as again:
        names = [person["name"] for person in again.hello["people"]]
        assert names.count("Grace") == 1
        await grace.say("Still here")
        await again.sees("Still here")


async def test_what_was_read_is_no_longer_unread_in_the_next_window(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        await bob.say("One")
        last = (await bob.say("Two"))["message"]
        await alice.sees("Two")
        async with PageClient(given.url, "Alice") as again:
            assert again.hello["channels"][0]["unread"] == 2
        await alice._socket.send_json({"channel": alice.channel, "read": last})
        await bob.say("Three")
        await alice.sees("Three")
        async with PageClient(given.url, "Alice") as again:
            assert again.hello["channels"][0]["unread"] == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "demo.example"}, 403),
        ({"Origin": "http://demo.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
async def test_only_the_page_itself_may_read_and_act(given: Given, headers: dict[str, str], status: int) -> None:
    own = {"Origin": given.url.rstrip("/")} | headers
    async with PageClient(given.url, "Alice") as alice, aiohttp.ClientSession(base_url=given.url) as http:
        query = {"as": "alice", "channel": alice.channel}
        async with http.get("/messages", params=query, headers=own) as response:
            assert response.status == status
        async with http.post("/do/say", json={**query, "text": "Hello"}, headers=own) as response:
            assert response.status == status
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        live = own | upgrade | {"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg=="}
        async with http.get("/live", params={"as": "alice"}, headers=live) as response:
            assert response.status == (101 if status == 200 else status)


async def test_nothing_is_done_for_a_request_that_does_not_say_where_it_comes_from(given: Given) -> None:
    async with (
        aiohttp.ClientSession(base_url=given.url) as http,
        http.post("/do/end", json={"as": "alice"}) as response,
    ):
        assert response.status == 403


async def test_the_bots_side_is_closed_to_those_without_its_token(given: Given) -> None:
    async with aiohttp.ClientSession(base_url=given.url) as http, http.get("/api/v10/users/@me") as response:
        assert response.status == 401


@pytest.mark.parametrize(
    "path", ["/static/../page_server.py", "/static/%2e%2e%2fcommand.py", "/cdn/nothing", "/static/x"]
)
async def test_only_the_files_of_the_page_are_served(given: Given, path: str) -> None:
    async with aiohttp.ClientSession(base_url=given.url) as http, http.get(path) as response:
        assert response.status == 404


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("say", {"text": "x" * 2001}),
        ("say", {"text": "Hello", "channel": "1"}),
        ("command", {"path": ["nothing"]}),
        ("command", {"path": []}),
        ("command", {"path": ["count"], "channel": "7"}),
        ("control", {"message": "1", "control": "count"}),
        ("form", {"form": "1", "fields": {}}),
        ("suggest", {"path": ["count"], "focused": "x"}),
        ("person-command", {"person": "1", "name": "Challenge"}),
    ],
)
async def test_what_is_not_there_cannot_be_used(given: Given, what: str, asked: dict[str, Any]) -> None:
    async with PageClient(given.url, "Alice") as alice:
        assert (await alice.act(what, **asked))["failed"]


async def test_too_much_at_once_is_refused(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice:
        with pytest.raises(aiohttp.ClientResponseError) as refused:
            await alice.act("say", text="x" * 30_000)

    assert refused.value.status == 400


async def test_an_action_may_come_in_several_packets(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice:

        async def body() -> AsyncIterator[bytes]:
            yield f'{{"as": "alice", "channel": "{alice.channel}", '.encode()
            await asyncio.sleep(0.05)
            yield b'"text": "In two parts"}'

        kind = {"Content-Type": "application/json"}
        async with alice._http.post("/do/say", data=body(), headers=kind) as response:
            assert response.status == 200
        await alice.sees("In two parts")


@pytest.mark.parametrize("text", ["[" * 10_000, '{"as": ' * 2_500, "nothing", "[]"])
async def test_what_is_no_action_is_refused(given: Given, text: str) -> None:
    async with PageClient(given.url, "Alice") as alice:
        kind = {"Content-Type": "application/json"}
        async with alice._http.post("/do/say", data=text, headers=kind) as response:
            assert response.status == 400


async def test_the_demo_ends_when_it_is_ended_on_the_page_and_every_page_is_told(given: Given) -> None:
    async with PageClient(given.url, "Alice") as alice, PageClient(given.url, "Bob") as bob:
        await alice.act("end")

        async with asyncio.timeout(PATIENCE):
            await bob.over.wait()
            await given.running
