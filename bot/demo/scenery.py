"""What there is in the simulated Discord of the demo: a server, its channels and the people to be."""

from __future__ import annotations

from dataclasses import dataclass

from simcord.backend.models import User

from bot.demo.discord_server import DiscordServer

BOT_NAME = "Tavoliere"
SERVER_NAME = "The Games Table"


@dataclass(frozen=True, slots=True)
class Scenery:
    """The place of the demo and the people in it, the first of whom one is to begin with."""

    server: DiscordServer
    channel_id: int
    people: tuple[User, ...]


def found() -> Scenery:
    """Make the server. Alice owns it, and can try what is for those who manage it, too."""
    server = DiscordServer(SERVER_NAME, owner="Alice")
    server.backend.bot_user.name = BOT_NAME
    alice = server.backend.users[server.guild.owner_id]
    people = (alice, *(server.add_person(name.lower(), name) for name in ("Bob", "Carol")))
    games = server.backend.create_channel(
        server.guild.id, "games", topic="A simulated Discord: nothing leaves this computer"
    )
    server.backend.create_channel(server.guild.id, "chat", topic="For everything else")
    return Scenery(server, games.id, people)
