"""A very small bot that does what the demo has to cope with: it speaks unasked, thinks long, edits and fails."""

from __future__ import annotations

import asyncio
import threading
from datetime import datetime
from typing import Any, Self

import discord
from discord import app_commands, ui


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
        await bot.ponder()
        bot.presses += await asyncio.to_thread(lambda: 1)
        await interaction.edit_original_response(view=counter(bot.presses, disabled=bot.disabled))


class ChoiceMenu(ui.DynamicItem[ui.Select[ui.LayoutView]], template="choice"):
    """Says what was chosen, in the place of its message."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=label, value=label.lower()) for label in ("One", "Two", "Three")]
        super().__init__(ui.Select(custom_id="choice", placeholder="Which one?", options=options))

    @classmethod
    async def from_custom_id(cls, _: object, item: ui.Item[Any], *__: object) -> Self:
        """Return the menu with what was chosen."""
        menu = cls()
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Say it."""
        view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay(f"You chose {self.item.values[0]}."))
        if not interaction.client.pondering:
            await interaction.response.edit_message(view=view)
            return
        await interaction.response.defer()
        await interaction.client.ponder()
        await interaction.edit_original_response(view=view)


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


def counter(presses: int, *, disabled: bool = False) -> ui.LayoutView:
    """Return what says how often was pressed, with its buttons."""
    view = ui.LayoutView(timeout=None)
    buttons: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    count = CountButton()
    count.item.disabled = disabled
    buttons.add_item(count).add_item(BrokenButton())
    return view.add_item(ui.TextDisplay(f"{presses} presses")).add_item(buttons)


class TinyBot(discord.Client):
    """``announce`` makes it speak, ``thought`` lets it finish thinking, ``disabled`` takes its button away.

    While it is ``pondering`` it says of everything only that it has heard, until it is let.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.presses = 0
        self.disabled = False
        self.pondering = False
        self.thought = threading.Event()
        self.asked_at: datetime | None = None
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._thinking: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        """Register commands and start speaking."""
        for callback in (self.choose, self.count, self.ignore, self.long, self.repeat, self.think, self.wait):
            self.tree.add_command(app_commands.Command(name=callback.__name__, description="A test", callback=callback))
        self.tree.add_command(app_commands.ContextMenu(name="Greet", callback=self._greet))
        self.tree.get_command("repeat").autocomplete("words")(self._suggest)  # type: ignore[union-attr]
        self.add_dynamic_items(CountButton, ChoiceMenu, BrokenButton)
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
            text = await self._news.get()
            await self._channel.send(text)

    @property
    def _channel(self) -> discord.TextChannel:
        return self.guilds[0].text_channels[0]

    async def choose(self, interaction: discord.Interaction[Any]) -> None:
        """``/choose`` shows a menu, and a link."""
        view = ui.LayoutView(timeout=None).add_item(ui.ActionRow(ChoiceMenu()))
        view.add_item(ui.ActionRow(ui.Button(label="Elsewhere", url="https://example.org")))
        await interaction.response.send_message(view=view, ephemeral=True)

    async def count(self, interaction: discord.Interaction[Any]) -> None:
        """``/count`` shows the counter."""
        self.asked_at = discord.utils.utcnow()
        await interaction.response.send_message(view=counter(self.presses))

    async def repeat(self, interaction: discord.Interaction[Any], words: str) -> None:
        """``/repeat`` says what it was told."""
        await interaction.response.send_message(words, allowed_mentions=discord.AllowedMentions.none())

    async def _suggest(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=word, value=word) for word in ("b5-d3", "b5-c4") if word.startswith(typed)]

    async def long(self, interaction: discord.Interaction[Any]) -> None:
        """``/long`` gives a private answer that is higher than many screens."""
        view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay("\n".join(f"Line {number}" for number in range(40))))
        await interaction.response.send_message(view=view.add_item(ui.ActionRow(CountButton())), ephemeral=True)

    async def ignore(self, interaction: discord.Interaction[Any]) -> None:
        """``/ignore`` is never answered."""

    async def think(self, interaction: discord.Interaction[Any]) -> None:
        """``/think`` answers at once and thinks until it is let."""
        await interaction.response.send_message("Thinking about it.", ephemeral=True)
        task = asyncio.create_task(self._think())
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _greet(self, interaction: discord.Interaction[Any], member: discord.Member) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.ponder()
        await interaction.edit_original_response(content=f"Hello {member.display_name}")

    async def ponder(self) -> None:
        """Think until it is let, while it is pondering."""
        if self.pondering:
            await asyncio.to_thread(self.thought.wait)
            self.thought.clear()

    async def _think(self) -> None:
        await asyncio.to_thread(self.thought.wait)
        await self._channel.send("That is what I think.")

    async def wait(self, interaction: discord.Interaction[Any]) -> None:
        """``/wait`` answers after two moments."""
        await interaction.response.defer()
        await asyncio.sleep(0.2)
        await asyncio.sleep(0.2)
        await interaction.edit_original_response(content="A moment has passed.")
