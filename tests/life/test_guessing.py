"""Numbers guessed in the options of commands: another server's matches can be neither seen nor touched by them."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from tests.conftest import Town
from tests.discord_flow.acting import challenge_accepted, play, told
from tests.discord_flow.test_strangers import Elsewhere, elsewhere

__all__ = ["elsewhere"]

HARMLESS = {"allow_channel", "forbid_channel", "person", "opponent"}
"""Options whose values Discord itself checks: they can only be what is in the server, or a person."""
OWN_RANGE = {"game", "variant", "pace", "first", "players", "rated", "theme", "by", "move", "text", "blocked"} | {
    *("coordinates", "confirm", "text_boards", "reminders", "away_days", "threads", "automatic")
}
"""Options that name nothing that is stored."""


def commands(town: Town) -> dict[str, app_commands.Command[Any, ..., Any]]:
    """Return every command by its whole name."""
    every = town.bot.tree.walk_commands()
    return {one.qualified_name: one for one in every if isinstance(one, app_commands.Command)}


async def test_every_option_of_every_command_is_known_to_be_safe(town: Town) -> None:
    options = {option.name for command in commands(town).values() for option in command.parameters}
    assert options == HARMLESS | OWN_RANGE | {"match"}


async def test_no_command_shows_or_touches_a_match_of_another_server(town: Town, elsewhere: Elsewhere) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "a1")
    services, said = town.bot.host.services, len(town.env.backend.posted)
    before = await services.overview.table(town.guild.id, 1)
    tried = []
    for name, command in commands(town).items():
        if "match" not in {option.name for option in command.parameters}:
            continue
        needed = {option.name: "a5" for option in command.parameters if option.required}
        result = await elsewhere.dora.slash(elsewhere.channel, name, match=1, **needed)
        assert told(result).strip() == "There is no such match in this server.", name
        assert await elsewhere.dora.autocomplete(elsewhere.channel, name, "match", "") == []
        assert await elsewhere.dora.autocomplete(elsewhere.channel, name, "match", "1") == []
        tried.append(name)
    assert await elsewhere.dora.autocomplete(elsewhere.channel, "move", "move", "a", match=1) == []
    assert {"move", "board", "match resign", "match draw", "match takeback", "match claim"} <= set(tried)
    assert {"match replay", "match export"} <= set(tried)
    assert await services.overview.table(town.guild.id, 1) == before
    shown = {message.channel_id for message in town.env.backend.posted[said:] if not message.is_ephemeral}
    assert shown == set()


async def test_the_same_people_in_two_servers_have_matches_apart(town: Town, elsewhere: Elsewhere) -> None:
    await challenge_accepted(town)
    alice = elsewhere.guild.add_member(town.alice.user)
    for command in ("matches", "board", "match resign"):
        assert "no match" in told(await alice.slash(elsewhere.channel, command)), command
    assert "There is no such match" in told(await alice.slash(elsewhere.channel, "move", move="a1", match=1))
    assert await alice.autocomplete(elsewhere.channel, "board", "match", "") == []
