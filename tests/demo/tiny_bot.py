"""A very small bot that does what the demo has to cope with: it speaks unasked, thinks long, edits and fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from datetime import datetime
from typing import Any, Self

import discord
from discord import app_commands, ui


async def _plain_idle(awaitable: Awaitable[Any], /, *, reason: str) -> Any:
    return await awaitable


class CountButton(ui.DynamicItem[ui.Button[ui.LayoutView]], template="count"):
    """Adds one to what its message says."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Count", custom_id="count"))

    @classmethod
    async def from_custom_id(cls, *_: object) -> Self:
        """Return the button."""
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Count in a thread, then show it in the message."""
        await interaction.response.defer()
        bot = interaction.client
        bot.presses += await asyncio.to_thread(lambda: 1)
        await interaction.edit_original_response(view=counter(bot.presses))


class BrokenButton(ui.DynamicItem[ui.Button[ui.LayoutView]], template="broken"):
    """Raises an error."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Break", custom_id="broken"))

    @classmethod
    async def from_custom_id(cls, *_: object) -> Self:
        """Return the button."""
        return cls()

    async def callback(self, _: discord.Interaction[Any]) -> None:
        """Fail."""
        raise RuntimeError("broken on purpose")


def counter(presses: int) -> ui.LayoutView:
    """Return what says how often was pressed, with its buttons."""
    view = ui.LayoutView(timeout=None)
    buttons: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    buttons.add_item(CountButton()).add_item(BrokenButton())
    return view.add_item(ui.TextDisplay(f"{presses} presses")).add_item(buttons)


class TinyBot(discord.Client):
    """``announce`` makes it speak, ``thought`` lets it finish thinking."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.idle = _plain_idle
        self.tree = app_commands.CommandTree(self)
        self.presses = 0
        self.thought = threading.Event()
        self.asked_at: datetime | None = None
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._thinking: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        """Register commands and start speaking."""
        for callback in (self.count, self.think, self.wait):
            self.tree.add_command(app_commands.Command(name=callback.__name__, description="A test", callback=callback))
        self.add_dynamic_items(CountButton, BrokenButton)
        await self.tree.sync()
        self._worker = asyncio.create_task(self._speak())

    async def close(self) -> None:
        """Stop speaking."""
        self.thought.set()
        if self._worker is not None:
            self._worker.cancel()
        await super().close()

    def announce(self, text: str) -> None:
        """Say something, in a moment, without having been asked."""
        self._news.put_nowait(text)

    async def _speak(self) -> None:
        while True:
            text = await self.idle(self._news.get(), reason="nothing to say")
            await self._channel.send(text)

    @property
    def _channel(self) -> discord.TextChannel:
        return self.guilds[0].text_channels[0]

    async def count(self, interaction: discord.Interaction[Any]) -> None:
        """``/count`` shows the counter."""
        self.asked_at = discord.utils.utcnow()
        await interaction.response.send_message(view=counter(self.presses))

    async def think(self, interaction: discord.Interaction[Any]) -> None:
        """``/think`` answers at once and thinks until it is let."""
        await interaction.response.send_message("Thinking about it.", ephemeral=True)
        task = asyncio.create_task(self._think())
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _think(self) -> None:
        await asyncio.to_thread(self.thought.wait)
        await self._channel.send("That is what I think.")

    async def wait(self, interaction: discord.Interaction[Any]) -> None:
        """``/wait`` answers after two moments, of which it has announced the first."""
        await interaction.response.defer()
        await self.idle(asyncio.sleep(0.2), reason="a timer")
        await asyncio.sleep(0.2)
        await interaction.edit_original_response(content="A moment has passed.")
