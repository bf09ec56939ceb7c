"""The context of all handlers: the client, the services, the renderer, and whether matches get threads."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """The context that all handlers of a running bot share."""

    client: discord.Client
    services: Services
    renderer: BoardRenderer
    threads: bool

    @property
    def database(self) -> Database:
        """The database of the services."""
        return self.services.context.database
