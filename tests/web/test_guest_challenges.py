"""Looking at a challenge by its link, without an account: what is shown of it to anybody, and until when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from bot.compute.rate_limit import BUDGET
from bot.matches.services.eligibility import Terms
from bot.storage import challenges
from bot.storage.homes import private_home
from bot.storage.records import EVERYWHERE, First, Person
from bot.web.guest_challenges import card
from tests.matches.conftest import ALICE, BOB, CHANNEL, GUILD, Crowd
from tests.support.statements import statements_of
from tests.web.served import Served, public, served

__all__ = ["public", "served"]
CODE = "a-code-that-cannot-be-guessed"
TERMS = Terms("rectangles", "6x6", 2, First.CHALLENGER, rated=False).at(None)


async def offered(page: Served, person: Person = ALICE, home: int = GUILD) -> int:
    actor = replace(page.crowd.actor(person), guild_id=home, channel_id=abs(home))
    return await page.crowd.services.challenges.offer(actor, None, TERMS, code=CODE)


async def html(page: Served, code: str = CODE) -> tuple[int, str]:
    page.seconds += 60
    answer = await page.browser().get(f"/challenge/{code}")
    return answer.status, unescape(await answer.text())


async def test_a_challenge_is_shown_with_its_board_and_leads_to_discord_and_nothing_is_written(public: Served) -> None:
    challenge = await offered(public, replace(ALICE, name="<i>Alice"))
    async with public.crowd.database.write() as tx:
        await challenges.change(tx, challenge, message_id=77)
    with statements_of(public.crowd.database) as statements:
        status, shown = await html(public)
        picture = shown.partition('<meta property="og:image" content="')[2].partition('"')[0]
        drawn = await public.browser().get(picture.removeprefix(public.settings.page_url))
    assert status == 200
    assert "Somebody is looking for an opponent." in shown
    assert "Alice" not in shown
    assert " · the challenger goes first · no time limit · not rated" in shown
    assert f'href="https://discord.com/channels/{GUILD}/{GUILD}/77"' in shown
    assert 'content="noindex"' in shown
    assert (await drawn.read()).startswith(b"\x89PNG")
    assert all(statement.startswith("SELECT") for statement in statements if not statement.startswith("BEGIN"))
    await public.crowd.services.personal_settings.prefer(ALICE.id, lambda before: replace(before, shows_name=True))
    named = await public.browser().get(f"/challenge/{CODE}")
    assert "<p>&lt;i&gt;Alice is looking for an opponent." in await named.text()


async def test_where_the_bot_only_answers_it_leads_to_its_code(public: Served) -> None:
    await offered(public, home=private_home(CHANNEL))
    _status, shown = await html(public)
    assert f"<code>/challenge code:{CODE}</code>" in shown
    assert "Install the bot" not in shown
    installed = replace(public.context, install_url="https://discord.com/install?a=1&b=2")
    challenge = await installed.services.challenges.of_code(CODE)
    _title, _told, inside = await card(installed, challenge, CODE)
    assert 'href="https://discord.com/install?a=1&amp;b=2">Install the bot for yourself</a>' in inside
    assert "discord.com/channels" not in shown


async def accepted(crowd: Crowd, challenge: int) -> None:
    await crowd.services.challenges.accept(crowd.actor(BOB), challenge)


async def cancelled(crowd: Crowd, challenge: int) -> None:
    await crowd.services.challenges.cancel(crowd.actor(ALICE), challenge)


async def expired(crowd: Crowd, _challenge: int) -> None:
    crowd.now += timedelta(days=8)


async def deleted(crowd: Crowd, _challenge: int) -> None:
    await crowd.services.privacy.erase(ALICE, 7)


async def barred(crowd: Crowd, _challenge: int) -> None:
    await crowd.services.bars.bar(EVERYWHERE, ALICE.id)


async def removed(crowd: Crowd, _challenge: int) -> None:
    await crowd.services.departures.bot_left(GUILD)


ENDS: dict[Callable[[Crowd, int], Awaitable[None]], str] = {
    accepted: "This challenge has already been accepted",
    cancelled: "This challenge was cancelled.",
    expired: "This challenge has expired.",
    deleted: "This challenge was cancelled.",
    barred: "This challenge was cancelled.",
    removed: "There's no such challenge here.",
}


@pytest.mark.parametrize("end", ENDS)
async def test_what_is_no_longer_open_is_on_no_address(
    public: Served, end: Callable[[Crowd, int], Awaitable[None]]
) -> None:
    await end(public.crowd, await offered(public))
    status, shown = await html(public)
    assert (status, ENDS[end] in shown) == (404, True)
    assert not any(word in shown for word in ("Rectangles", "Alice", "og:", "discord.com"))
    assert (await public.browser().get(f"/api/challenge/{CODE}/picture")).status == 409


async def test_guessed_codes_lead_nowhere_and_guesses_are_limited(public: Served) -> None:
    number = await offered(public)
    for guessed in (f"{number:010}", CODE[:-1], CODE.upper()):
        assert (await html(public, guessed))[0] == 404
    public.seconds += 600
    statuses = [(await public.browser().get("/challenge/another-guess")).status for _ in range(int(BUDGET * 4) + 1)]
    assert (set(statuses[:-1]), statuses[-1]) == ({404}, 429)


async def test_there_is_nothing_to_look_at_unless_the_operator_has_switched_it_on(served: Served) -> None:
    await offered(served)
    assert (await html(served))[0] == 404
