"""The contents of the demo's Discord: a server, its channels and its people."""

from __future__ import annotations

from dataclasses import dataclass

from simcord.backend.models import User

from bot.demo.discord_server import DiscordServer

BOT_NAME = "Tavoliere"
SERVER_NAME = "The Games Table"


@dataclass(frozen=True, slots=True)
class Scenery:
    """The server of the demo, its channel for games, and its people. The page begins as the first of them."""

    server: DiscordServer
    channel_id: int
    people: tuple[User, ...]


def found() -> Scenery:
    """Make the server. Alice owns it, so she can also try the commands of managers."""
    server = DiscordServer(SERVER_NAME, owner="Alice")
    server.backend.bot_user.name = BOT_NAME
    alice = server.backend.users[server.guild.owner_id]
    people = (alice, *(server.add_person(name.lower(), name) for name in ("Bob", "Carol")))
    games = server.backend.create_channel(
        server.guild.id, "games", topic="A simulated Discord: nothing leaves this computer"
    )
    server.backend.create_channel(server.guild.id, "chat", topic="For everything else")
    return Scenery(server, games.id, people)
