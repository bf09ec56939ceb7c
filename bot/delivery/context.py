"""The context of all handlers: the client, the services, the renderer, and what is set for messages."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """The context that all handlers of a running bot share.

    ``threads`` says whether matches get threads, ``page`` whether boards can be opened on a page.
    """

    client: discord.Client
    services: Services
    renderer: BoardRenderer
    threads: bool
    page: bool = False

    @property
    def database(self) -> Database:
        """The database of the services."""
        return self.services.context.database
