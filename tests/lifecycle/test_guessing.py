"""Numbers guessed in the options of commands: another server's matches can be neither seen nor touched by them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.cogs.play import ACTIONS, REVIEW
from bot.matches.model.actor import Actor
from bot.matches.services.cups import CupTerms
from bot.storage.contest_states import CupStart
from bot.storage.records import Person
from tests.support.acting import challenge_accepted, play, slash, told
from tests.support.elsewhere import Elsewhere, elsewhere
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot

__all__ = ["elsewhere"]

HARMLESS = {
    "allow_channel",
    "forbid_channel",
    "puzzle_channel",
    "weekly_channel",
    "ladder_channel",
    "person",
    "opponent",
}
"""Options whose values Discord itself checks: they can only be what is in the server, or a person."""
OWN_RANGE = {
    "game",
    "variant",
    "pace",
    "first",
    "players",
    "rated",
    "theme",
    "action",
    "pause",
    "by",
    "move",
    "text",
    "blocked",
    "level",
    "finished",
    "everyone",
    "weekly",
} | {*("coordinates", "confirm", "language", "text_boards", "reminders", "away_days", "threads", "automatic")}
OWN_RANGE |= {"daily_puzzle", "puzzle_hour", "puzzle_zone", "cups", "begins", "news"}
OWN_RANGE |= {"plan", "note", "digest", "quiet_from", "quiet_until", "rest", "zone", "grace"}
"""Options that name nothing that is stored."""


def commands(sim: SimulatedDiscord) -> dict[str, app_commands.Command[Any, ..., Any]]:
    """Return every command by its whole name."""
    every = sim.bot.tree.walk_commands()
    return {one.qualified_name: one for one in every if isinstance(one, app_commands.Command)}


async def test_every_option_of_every_command_is_known_to_be_safe(sim: SimulatedDiscord) -> None:
    options = {option.name for command in commands(sim).values() for option in command.parameters}
    assert options == HARMLESS | OWN_RANGE | {"match", "cup", "code"}


def posted(sim: SimulatedDiscord) -> list[Any]:
    """Return every message posted so far, as it was then."""
    return getattr(sim.env.backend, "posted", [])


async def test_no_command_shows_or_touches_a_match_of_another_server(
    sim: SimulatedDiscord, elsewhere: Elsewhere
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    services, said = sim.bot.context.services, len(posted(sim))
    before = await services.queries.match_view(sim.guild.id, 1)
    managers = elsewhere.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    erin = elsewhere.guild.add_member(sim.env.create_user("erin"), roles=[managers])
    tried = []
    for name, command in commands(sim).items():
        if "match" not in {option.name for option in command.parameters}:
            continue
        needed = {
            option.name: {"pace": "1 day"}.get(option.name, "a5") for option in command.parameters if option.required
        }
        result = await erin.slash(elsewhere.channel, name, match=1, **needed)
        assert told(result).strip() == "There's no such match here.", name
        assert await erin.autocomplete(elsewhere.channel, name, "match", "") == []
        assert await erin.autocomplete(elsewhere.channel, name, "match", "1") == []
        tried.append(name)
    assert await erin.autocomplete(elsewhere.channel, "move", "move", "a", match=1) == []
    assert {"move", "board", "match", "manage void"} <= set(tried)
    for action in (*ACTIONS, REVIEW):
        result = await erin.slash(elsewhere.channel, "match", action=action, match=1)
        assert told(result).strip() == "There's no such match here.", action
    assert await services.queries.match_view(sim.guild.id, 1) == before
    shown = {message.channel_id for message in posted(sim)[said:] if not message.is_ephemeral}
    assert shown == set()


async def test_no_command_shows_or_touches_a_cup_of_another_server(sim: SimulatedDiscord, elsewhere: Elsewhere) -> None:
    services, person = sim.bot.context.services, Person(sim.alice.id, "Alice")
    terms = CupTerms("yonmoque", "standard", 3, True, 86400, CupStart.FULL, timedelta(days=7))
    await services.cups.start(Actor(sim.guild.id, person, 1, services.clock(), sim.channel.id, None, True), terms)
    await sim.env.settle()
    before = await services.cup_queries.view(sim.guild.id, 1)
    managers = elsewhere.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    erin = elsewhere.guild.add_member(sim.env.create_user("erin"), roles=[managers])
    tried = []
    for name, command in commands(sim).items():
        if "cup" not in {option.name for option in command.parameters}:
            continue
        needed = {option.name: erin for option in command.parameters if option.required}
        result = await erin.slash(elsewhere.channel, name, cup=1, **needed)
        assert told(result).strip() == "There's no such cup in this server.", name
        assert await erin.autocomplete(elsewhere.channel, name, "cup", "1") == []
        tried.append(name)
    assert {"cup", "manage close", "manage remove"} == set(tried)
    assert await services.cup_queries.view(sim.guild.id, 1) == before


async def test_the_same_people_in_two_servers_have_matches_apart(sim: SimulatedDiscord, elsewhere: Elsewhere) -> None:
    await challenge_accepted(sim)
    alice = elsewhere.guild.add_member(sim.alice.user)
    assert "**Waiting for you elsewhere**" in told(await alice.slash(elsewhere.channel, "matches"))
    for command in ("board", "match resign"):
        assert "no match" in told(await slash(alice, elsewhere.channel, command)).lower(), command
    assert "There's no such match" in told(await alice.slash(elsewhere.channel, "move", move="a1", match=1))
    assert await alice.autocomplete(elsewhere.channel, "board", "match", "") == []
