"""Registers the commands with Discord, again and again until it takes them; those registered before stay meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.cogs import command_tree
from bot.matches.service_context import Idle

log = structlog.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0
"""Seconds between the first two attempts, and at most between two."""
ENTRY_POINT = 4
"""The type of the command that starts an Activity. Discord makes it, and refuses a list of commands without it."""
INVALID_FORM = 50035
"""Discord's code for a refusal that names what is wrong in each command."""


class CommandRegistration:
    """Registers the commands of a tree, and learns the ids that Discord gives them."""

    def __init__(self, tree: app_commands.CommandTree[Any], idle: Callable[[], Idle]) -> None:
        self._tree = tree
        self._idle = idle
        self.problem: str | None = None
        """Why Discord did not take the commands at the last attempt, for the operator; None if it took them."""

    async def register(self) -> bool:
        """Register all commands; return whether Discord has taken them."""
        try:
            taken = await self._replace_all()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            self.problem = f"commands not registered with Discord, the ones registered before stay: {reason}"
            log.warning("commands not registered with Discord; the ones registered before stay", error=reason)
            return False
        for command in taken:
            command_tree.learn(self._tree.client.context.command_links, self._tree, command["name"], int(command["id"]))
        if self.problem is not None:
            log.info("commands registered with Discord")
        self.problem = None
        return True

    async def retry(self) -> None:
        """Register all commands after a pause, which grows until Discord takes them."""
        pause = FIRST_PAUSE
        while True:
            await self._idle()(asyncio.sleep(pause), reason="the commands are not registered")
            if await self.register():
                return
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _replace_all(self) -> list[Any]:
        """Replace the commands at Discord, as ``CommandTree.sync`` does, but keep an entry point."""
        client, commands, translator = self._tree.client, self._tree.get_commands(), self._tree.translator
        assert translator is not None
        payload = [await command.get_translated_payload(self._tree, translator) for command in commands]
        registered = await client.http.get_global_commands(client.application_id)
        payload += [command for command in registered if command["type"] == ENTRY_POINT]
        try:
            return list(await client.http.bulk_upsert_global_commands(client.application_id, payload))
        except discord.HTTPException as error:
            if error.code == INVALID_FORM:
                raise app_commands.CommandSyncFailure(error, commands) from None
            raise
