"""What all handlers need: the client, the services, the renderer, and whether threads are wanted at all."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """Shared by the handlers of one running bot."""

    client: discord.Client
    services: Services
    renderer: BoardRenderer
    threads: bool

    @property
    def database(self) -> Database:
        """The database of the services."""
        return self.services.context.database
