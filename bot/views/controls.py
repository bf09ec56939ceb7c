"""What a press of a posted control leads to, whenever it was posted: each kind of control is a class that registers
itself with the custom ids it answers to.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Self, TypeVar, cast

import discord

import bot.views
from bot.messages.custom_ids import CustomId
from bot.views.bot_context import context_of
from bot.views.languages import greet

_REGISTERED: list[type[discord.ui.DynamicItem[Any]]] = []
_NOTHING = r"(?!)"
"""Matches no custom id."""


Item = TypeVar("Item", bound=discord.ui.Item[Any])


class _Posted(discord.ui.DynamicItem[Item], template=_NOTHING):
    """What was posted and is used now. Subclasses name the custom ids they are ``of``."""

    match: re.Match[str]

    def __init_subclass__(cls, *, of: CustomId | None = None) -> None:
        super().__init_subclass__(template=_NOTHING if of is None else of.pattern)
        if of is not None:
            _REGISTERED.append(cls)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the button or menu somebody used."""
        control = cls(cast(Item, item))
        control.match = match
        return control

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether the interaction is this bot's to answer."""
        return await context_of(interaction).claim(interaction)


class Control(_Posted[discord.ui.Button[discord.ui.LayoutView]]):
    """A button that was pressed. Subclasses name the custom ids they are ``of`` and say what is done."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on."""
        greet(interaction)
        await self.pressed(interaction, self.match)

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        """Do what the button is for."""
        raise NotImplementedError


class Choice(_Posted[discord.ui.Select[discord.ui.LayoutView]]):
    """A menu that was chosen from. Subclasses name the custom ids they are ``of`` and say what is done."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice on."""
        greet(interaction)
        await self.chosen(interaction, self.match, self.item.values[0])

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        """Do what the choice is for."""
        raise NotImplementedError


class ChannelChoice(_Posted[discord.ui.ChannelSelect[discord.ui.LayoutView]]):
    """A menu of channels that was chosen from. Subclasses name the custom ids they are ``of`` and say what is done."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice on."""
        greet(interaction)
        await self.chosen(interaction, self.match, self.item.values[0].id)

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        """Do what the choice is for."""
        raise NotImplementedError


def every_control() -> tuple[type[discord.ui.DynamicItem[Any]], ...]:
    """Return every control there is in this package, so that the client can be told of them."""
    for module in iter_modules(bot.views.__path__, f"{bot.views.__name__}."):
        import_module(module.name)
    return tuple(_REGISTERED)
