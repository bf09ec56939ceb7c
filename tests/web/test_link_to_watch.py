"""**Link to watch** in Discord: who is given one, and the switches of servers and players that decide what it shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.settings import Settings
from bot.storage import guilds, people
from tests.support.acting import answer, board_of, labels, text_of, told
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.web.browser import Browser
from tests.web.test_open_board import link_in

Browsers = Callable[[], Browser]
LABEL = "Link to watch"


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator has switched the pages for people without an account on."""
    monkeypatch.setattr(Settings, "watched_url", property(lambda settings: settings.page_url))


@pytest.mark.own_bot
@pytest.mark.usefixtures("public")
async def test_who_sees_a_match_is_given_its_link_where_the_server_allows_it(
    sim: SimulatedDiscord, thread: int
) -> None:
    services, more = sim.bot.context.services, answer(await sim.carol.click(board_of(sim, thread), label="More"))
    assert LABEL not in labels(more.message)
    give_management(sim, sim.alice)
    shown = answer(await sim.alice.slash(sim.channel, "settings"))
    assert "Watching a match by a link, without an account: **not allowed**" in text_of(shown.message)
    await sim.alice.click(shown, label="Allow it")
    assert "**allowed, except in private threads; names only if all players agree**" in text_of(shown.message)
    assert (await services.read(guilds.settings, sim.guild.id)).watching

    more = answer(await sim.carol.click(board_of(sim, thread), label="More"))
    given = answer(await sim.carol.click(more, label=LABEL))
    assert given.message.flags.ephemeral
    assert "Anybody with this link can watch **Yonmoque · match 1**, without an account:" in text_of(given.message)
    assert "They see colours instead of names." in text_of(given.message)
    url = link_in(given)
    assert url in text_of(given.message)
    assert url.startswith(f"{sim.settings.web_url}/watch/")

    for person in (sim.alice, sim.bob):
        preferences = answer(await person.slash(sim.channel, "preferences"))
        await person.click(preferences, label="Show my name")
        assert "My name for people who watch by link: **shown, if all players show theirs**" in text_of(
            preferences.message
        )
        assert (await services.read(people.preferences, person.id)).shows_name
    again = answer(
        await sim.alice.click(answer(await sim.alice.click(board_of(sim, thread), label="More")), label=LABEL)
    )
    assert link_in(again) == url
    assert "They see the names of the players, who all allow it." in text_of(again.message)
    assert (labels(given.message), labels(again.message)) == (["Watch"], ["Watch", "Withdraw the link"])
    await sim.alice.click(again, label="Withdraw the link")
    assert link_in(answer(await sim.carol.click(more, label=LABEL))) != url

    await sim.alice.click(shown, label="Don't allow it")
    assert told(await sim.carol.click(more, label=LABEL)) == "This match can't be watched."


@pytest.mark.own_bot
@pytest.mark.usefixtures("public")
async def test_the_fullest_settings_fit_a_message(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    everything = {
        "allow_channel": sim.channel,
        "puzzle_channel": sim.channel,
        "weekly_channel": sim.channel,
        "ladder_channel": sim.channel,
    }
    shown = answer(await sim.alice.slash(sim.channel, "settings", **everything))
    assert labels(shown.message)[-2:] == ["Allow it", "No more puzzles"]
    assert "Channel of the ladder" in text_of(shown.message)
    assert "Channel of the weekly post" in text_of(shown.message)


async def test_nothing_is_said_of_watching_where_the_operator_has_not_switched_it_on(
    sim: SimulatedDiscord, thread: int
) -> None:
    give_management(sim, sim.alice)
    shown = answer(await sim.alice.slash(sim.channel, "settings"))
    assert "Watching" not in text_of(shown.message)
    preferences = answer(await sim.alice.slash(sim.channel, "preferences"))
    assert "who watch" not in text_of(preferences.message)
    more = answer(await sim.alice.click(board_of(sim, thread), label="More"))
    assert LABEL not in labels(more.message)
