"""More games than a menu of Discord holds: names are suggested while they are typed, and menus have pages."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from bot.games import GAMES, Game
from bot.games.game import Variant
from tests.support.acting import answer, cards, items, itself, pressed, text_of, told
from tests.support.further_games import add_games
from tests.support.simulated_discord import SimulatedDiscord

MANY = 60
LIMIT = 25


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Sixty more games, before the bot is built."""
    return add_games(monkeypatch, MANY)


def menu_of(message: discord.Message) -> discord.ui.Select[discord.ui.LayoutView]:
    (menu,) = (item for item in items(message) if isinstance(item, discord.ui.Select))
    return menu


@pytest.mark.own_bot
async def test_names_are_suggested_and_what_is_typed_is_understood(many: list[Game], sim: SimulatedDiscord) -> None:
    for command in sim.bot.tree.walk_commands():
        asked = command.get_parameter("game") if isinstance(command, discord.app_commands.Command) else None
        if asked is not None and command.name != "puzzle":
            assert (asked.choices, asked.autocomplete) == ([], True), command.qualified_name
    suggested = await sim.alice.autocomplete(sim.channel, "challenge", "game", "game 5")
    assert [choice["value"] for choice in suggested] == [f"game-{number}" for number in range(50, 60)]
    (ladder,) = await sim.alice.autocomplete(sim.channel, "play", "game", "ladder")
    assert ladder["value"] == "ladder:"
    every = await sim.alice.autocomplete(sim.channel, "games", "game", "")
    assert len(every) == LIMIT
    shown = answer(await sim.alice.slash(sim.channel, "games", game="game 59"))
    assert "### Game 59: " in text_of(shown.message)
    assert "Game 07" in told(await sim.alice.slash(sim.channel, "leaderboard", game="GAME 07"))
    for name in ("challenge", "play", "games", "leaderboard", "matches"):
        refused = await sim.alice.slash(sim.channel, name, game="No such game!")
        assert told(refused) == "I don't know that game. `/games` lists the ones I do.", name


@pytest.fixture
def games_for_three(many: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last of the games be for three, and one variant of the game before it."""
    for game, two in zip(many[-2:], (range(2, 3), range(3, 4)), strict=True):
        variants = (Variant("first", "The first", two), Variant("other", "The other", range(3, 4)))
        monkeypatch.setattr(type(game), "variants", variants)


async def test_only_games_and_variants_for_two_are_suggested_for_a_cup(
    games_for_three: None, sim: SimulatedDiscord
) -> None:
    for command, found in (("challenge", ["game-58", "game-59"]), ("cup", ["game-58"])):
        suggested = [
            choice["value"]
            for name in ("game 58", "game 59")
            for choice in await sim.alice.autocomplete(sim.channel, command, "game", name)
        ]
        assert suggested == found, command
    for command, found in (("challenge", ["first", "other"]), ("cup", ["first"])):
        variants = await sim.alice.autocomplete(sim.channel, command, "variant", "", game="game-58")
        assert [choice["value"] for choice in variants] == found, command


async def test_the_menu_on_a_person_has_pages_with_every_game(many: list[Game], sim: SimulatedDiscord) -> None:
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", sim.bob))
    seen: list[str] = []
    while True:
        menu = menu_of(question.message)
        *games, more = (option.value for option in menu.options)
        if games[0] in seen:
            break
        seen += games
        await sim.alice.select(question, [more], custom_id=menu.custom_id)
    assert seen == list(GAMES)
    assert "don't know that game" in told(await pressed(sim, sim.alice, question, menu.custom_id, ">x"))
    await sim.alice.select(question, [menu.options[1].value], custom_id=menu.custom_id)
    assert len(cards(sim)) == 1


async def test_the_menu_on_the_bot_keeps_the_level_from_page_to_page(many: list[Game], sim: SimulatedDiscord) -> None:
    the_bot = MemberActor(sim.env, sim.guild, itself(sim))
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", the_bot))
    await sim.alice.click(question, label="Level 3")
    for _ in range(2):
        menu = menu_of(question.message)
        await sim.alice.select(question, [menu.options[-1].value], custom_id=menu.custom_id)
    assert "at level 3" in text_of(question.message)
    menu = menu_of(question.message)
    await sim.alice.select(question, [menu.options[0].value], custom_id=menu.custom_id)
    assert "against me at level 3" in text_of(question.message)
