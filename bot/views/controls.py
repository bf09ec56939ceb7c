"""What a press of a posted control leads to, whenever it was posted: each kind of control is a class that registers
itself with the custom ids it answers to.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Self

import discord

import bot.views
from bot.messages.custom_ids import CustomId

_REGISTERED: list[type[discord.ui.DynamicItem[Any]]] = []


class Control(discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]], template=r"(?!)"):
    """A button that was pressed. Subclasses name the custom ids they are ``of`` and say what is done."""

    match: re.Match[str]

    def __init_subclass__(cls, *, of: CustomId) -> None:
        super().__init_subclass__(template=of.pattern)
        _REGISTERED.append(cls)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the button somebody pressed."""
        assert isinstance(item, discord.ui.Button)
        control = cls(item)
        control.match = match
        return control

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on."""
        await self.pressed(interaction, self.match)

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        """Do what the button is for."""
        raise NotImplementedError


class Choice(discord.ui.DynamicItem[discord.ui.Select[discord.ui.LayoutView]], template=r"(?!)"):
    """A menu that was chosen from. Subclasses name the custom ids they are ``of`` and say what is done."""

    match: re.Match[str]

    def __init_subclass__(cls, *, of: CustomId) -> None:
        super().__init_subclass__(template=of.pattern)
        _REGISTERED.append(cls)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the menu somebody used."""
        assert isinstance(item, discord.ui.Select)
        control = cls(item)
        control.match = match
        return control

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice on."""
        await self.chosen(interaction, self.match, self.item.values[0])

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        """Do what the choice is for."""
        raise NotImplementedError


class ChannelChoice(discord.ui.DynamicItem[discord.ui.ChannelSelect[discord.ui.LayoutView]], template=r"(?!)"):
    """A menu of channels that was chosen from. Subclasses name the custom ids they are ``of`` and say what is done."""

    match: re.Match[str]

    def __init_subclass__(cls, *, of: CustomId) -> None:
        super().__init_subclass__(template=of.pattern)
        _REGISTERED.append(cls)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the menu somebody used."""
        assert isinstance(item, discord.ui.ChannelSelect)
        control = cls(item)
        control.match = match
        return control

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice on."""
        await self.chosen(interaction, self.match, self.item.values[0].id)

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        """Do what the choice is for."""
        raise NotImplementedError


def every_control() -> tuple[type[discord.ui.DynamicItem[Any]], ...]:
    """Return every control there is in this package, so that the client can be told of them."""
    for module in iter_modules(bot.views.__path__, f"{bot.views.__name__}."):
        import_module(module.name)
    return tuple(_REGISTERED)
