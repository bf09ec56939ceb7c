"""Sessions, seen and ended in Discord. ``test_security`` has what else ends them at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from simcord.actors import MemberActor

from bot.matches.services.page_access import CHECKED_EVERY
from bot.storage import page_access
from bot.storage.page_access import PageSession
from bot.web.visitors import LOOK_EVERY
from tests.support.acting import answer, challenge_accepted, labels, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser

Browsers = Callable[[], Browser]


@pytest.mark.own_bot
async def test_a_block_signs_an_opponent_out_when_their_match_is_over_once_a_day(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, forfeits = await browsers().sign_in(sim.alice), sim.bot.context.services.forfeits
    for by in (sim.carol, sim.bob):
        await sim.env.settle()
        await by.slash(sim.channel, "block", person=sim.alice)
        assert (await alice.get("/match/1")).status == 200
    await forfeits.give_up(1, 0)
    assert (await alice.get("/match/1")).status == 401
    for number in (2, 3):
        await sim.bob.slash(sim.channel, "block", person=sim.alice, blocked=False)
        await challenge_accepted(sim)
        await sim.bob.slash(sim.channel, "block", person=sim.alice)
        alice = await browsers().sign_in(sim.alice)
        await forfeits.give_up(number, 0)
        assert (await alice.get(f"/match/{number}")).status == 200


@pytest.mark.own_bot
async def test_sessions_are_listed_and_ended_one_by_one_or_all_at_once(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    assert "aren't signed in" in told(await sim.alice.slash(sim.channel, "privacy", action="sessions"))
    one, two, bob = browsers(), browsers(), await browsers().sign_in(sim.bob)
    for browser in (one, two):
        await browser.sign_in(sim.alice)
    listed = answer(await sim.alice.slash(sim.channel, "privacy", action="sessions"))
    assert labels(listed.message) == ["Sign out", "Sign out", "Sign out everywhere"]
    assert text_of(listed.message).count("For this server's matches") == 2
    await sim.alice.click(listed, custom_id="session:2")  # the second is Alice's first
    assert [(await browser.get("/match/1")).status for browser in (one, two)] == [401, 200]
    assert labels(listed.message) == ["Sign out"]
    await sim.bob.click(answer(await sim.bob.slash(sim.channel, "privacy", action="sessions")), label="Sign out")
    await one.sign_in(sim.alice)
    listed = answer(await sim.alice.slash(sim.channel, "privacy", action="sessions"))
    await sim.alice.click(listed, label="Sign out everywhere")
    assert [(await browser.get("/match/1")).status for browser in (one, two, bob)] == [401, 401, 401]
    assert "aren't signed in" in text_of(listed.message)


@pytest.mark.own_bot
async def test_one_cannot_end_the_session_of_another_person(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    (session,) = await sessions_of(sim, sim.alice)
    await sim.bot.context.services.page_access.end(sim.bob.id, session.id)
    assert (await alice.get("/match/1")).status == 200


async def test_membership_is_checked_when_a_link_is_used(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    browser = browsers()
    link = await browser.link(sim.alice)
    await _leave(sim, sim.alice)
    answered = await browser.post_form(f"/open/{link}")
    assert (answered.status, browser.cookies) == (410, {})
    assert "no longer in the server" in await answered.text()


async def test_membership_is_checked_in_a_server_that_discord_has_not_told_of_yet(
    sim: SimulatedDiscord, thread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = sim.bot.context.lookup
    monkeypatch.setattr(sim.bot, "get_guild", lambda _guild: None)
    assert not await servers.has_left(sim.guild.id, sim.alice.id)
    await _leave(sim, sim.alice)
    assert await servers.has_left(sim.guild.id, sim.alice.id)


@pytest.mark.own_bot
@pytest.mark.slow
async def test_a_session_ends_within_a_day_of_leaving_the_server(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, bob = await browsers().sign_in(sim.alice), await browsers().sign_in(sim.bob)
    await _leave(sim, sim.alice)
    assert (await alice.get("/match/1")).status == 200
    await sim.env.advance_time(CHECKED_EVERY.total_seconds() + LOOK_EVERY)
    assert (await alice.get("/match/1")).status == 401
    assert (await bob.get("/match/1")).status == 200


@pytest.mark.own_bot
async def test_an_export_names_sessions_without_their_secrets(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    kept = (await sim.bot.context.services.privacy.export(sim.alice.id)).decode()
    assert '"page_sessions"' in kept
    assert "token" not in kept
    assert not any(secret in kept for secret in alice.cookies.values())


async def sessions_of(sim: SimulatedDiscord, person: MemberActor) -> list[PageSession]:
    """Return what is stored of a person's sessions."""
    async with sim.bot.context.services.database.read() as tx:
        return await page_access.of_person(tx, person.id)


async def _leave(sim: SimulatedDiscord, person: MemberActor) -> None:
    sim.guild.remove_member(person)
    await sim.env.settle()
