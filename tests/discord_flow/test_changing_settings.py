"""The controls of ``/preferences`` and ``/settings`` change one setting each."""

from __future__ import annotations

import discord

from bot.messages.pictures import PUBLIC
from bot.storage import guilds, people
from bot.storage.guilds import GuildSettings
from bot.storage.people import Preferences
from bot.views.preferences import THEME_NAMES
from renderers.pixels.theme import THEMES
from tests.support.acting import answer, at_once, items, labels, pressed, text_of, told
from tests.support.simulated_discord import SimulatedDiscord, give_management


def test_people_choose_among_all_themes_but_that_of_public_pictures() -> None:
    assert THEME_NAMES.keys() == THEMES.keys() - {PUBLIC.theme}


def defaults(message: discord.Message) -> dict[str, str]:
    """Return what is chosen in the menus of a message, by their custom ids."""
    menus = [item for item in items(message) if isinstance(item, discord.ui.Select)]
    return {menu.custom_id: option.value for menu in menus for option in menu.options if option.default}


async def test_preferences_are_changed_in_the_list_that_shows_them(sim: SimulatedDiscord) -> None:
    services = sim.bot.context.services
    groups = ["Boards", "News", "When I play", "Language"]
    shown = answer(await sim.alice.slash(sim.channel, "preferences", reminders=False))
    assert labels(shown.message) == [*groups, "At any hour", "Remind me"]
    await sim.alice.click(shown, label="When I play")
    assert labels(shown.message) == [*groups, "Quiet hours and digest", "Weekly rest", "Use none for me"]
    await sim.alice.click(shown, label="Language")
    assert "Language: **English**" in text_of(shown.message)
    await sim.alice.click(shown, label="Boards")
    assert labels(shown.message) == [
        *groups,
        "Hide coordinates",
        "Show boards as text",
        "Confirm every move",
        "Don't show the aim",
    ]
    await sim.alice.click(shown, label="Hide coordinates")
    assert "Coordinates: **no**" in text_of(shown.message)
    await sim.alice.select(shown, ["high-contrast"], custom_id="prefer:theme")
    assert "Theme: **High contrast**" in text_of(shown.message)
    assert defaults(shown.message)["prefer:theme"] == "high-contrast"
    # An old message changes what it names and leaves the rest as it is.
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    await sim.alice.click(shown, label="Confirm every move")
    wanted = Preferences(
        "high-contrast", coordinates=False, confirm=True, text_boards=True, reminders=False, locale="en"
    )
    assert await services.read(people.preferences, sim.alice.id) == wanted
    assert "Text boards: **yes**" in text_of(shown.message)

    await sim.alice.click(shown, label="When I play")
    await sim.alice.select(shown, ["3"], custom_id="prefer:away")
    assert "Away: **until" in text_of(shown.message)
    await sim.alice.select(shown, ["0"], custom_id="prefer:away")
    assert "Away: **no**" in text_of(shown.message)
    assert await services.read(people.preferences, sim.bob.id) == Preferences()


async def test_settings_are_changed_in_the_list_that_shows_them_by_those_who_may(sim: SimulatedDiscord) -> None:
    services = sim.bot.context.services
    give_management(sim, sim.alice)
    assert "settings" not in sim.bob.available_commands(sim.channel)
    assert "lost at once" in told(await sim.alice.slash(sim.channel, "settings", automatic=True))
    await sim.alice.slash(sim.channel, "settings", automatic=False)
    shown = answer(await sim.alice.slash(sim.channel, "settings"))
    assert labels(shown.message) == [
        "Play in channels",
        "Lose at once",
        "Use none",
        "Everybody may",
        "Don't post it",
        "Let the clocks run",
    ]
    await sim.alice.select(shown, [sim.channel], custom_id="setting:allow")
    assert f"Play is allowed: **<#{sim.channel.id}>**" in text_of(shown.message)
    (forbid,) = (item for item in items(shown.message) if getattr(item, "custom_id", "") == "setting:forbid")
    assert [option.label for option in forbid.options] == ["#games"]
    await at_once(
        sim,
        pressed(sim, sim.alice, shown, "setting:threads:no"),
        pressed(sim, sim.alice, shown, "setting:automatic:yes"),
    )
    await sim.alice.select(shown, ["0"], custom_id="setting:pace")
    wanted = GuildSettings((sim.channel.id,), threads=False, pace=None, automatic=True)
    assert await services.read(guilds.settings, sim.guild.id) == wanted
    assert "Usual pace: **no time limit**" in text_of(shown.message)
    await sim.alice.select(shown, [str(sim.channel.id)], custom_id="setting:forbid")
    assert "Play is allowed: **everywhere**" in text_of(shown.message)

    await sim.alice.select(shown, [sim.channel], custom_id="setting:puzzle-channel")
    await sim.alice.select(shown, ["9"], custom_id="setting:puzzle-hour")
    await sim.alice.select(shown, ["Asia/Tokyo"], custom_id="setting:puzzle-zone")
    assert f"Puzzle of the day: **<#{sim.channel.id}>** at **9:00**, Asia/Tokyo" in text_of(shown.message)
    assert defaults(shown.message)["setting:puzzle-zone"] == "Asia/Tokyo"
    await sim.alice.click(shown, label="No more puzzles")
    assert "Puzzle of the day: **none**" in text_of(shown.message)

    sim.env.backend.guilds[sim.guild.id].members[sim.alice.id].role_ids.clear()
    refused = await sim.alice.click(shown, label="Open threads")
    assert "Only people who can manage this server" in told(refused)
    assert not (await services.read(guilds.settings, sim.guild.id)).threads
