"""The controls of posted messages: each kind is a class, registered under the form of its custom ids.

A control works however long ago it was posted, because its custom id says all it needs. Discord sends the message of a
control along: only what its menu offers can be chosen.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Self, TypeVar, cast

import discord

import bot.views
from bot.messages.custom_ids import CustomId
from bot.views.answers import greet, refuse_value

_REGISTERED: list[type[discord.ui.DynamicItem[Any]]] = []
_NOTHING = r"(?!)"
"""Matches no custom id."""


PAGE_DIGITS = 5
"""The most digits of a page's number in a menu."""
Item = TypeVar("Item", bound=discord.ui.Item[Any])


class PostedControl(discord.ui.DynamicItem[Item], template=_NOTHING):
    """A control of a posted message that a person uses now. ``match`` is what the pattern found in its custom id."""

    match: re.Match[str]

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the button or menu that was used."""
        control = cls(cast(Item, item))
        control.match = match
        return control


class _Registered(PostedControl[Item], ABC, template=_NOTHING):
    """A control of the bot. Subclasses name the form of custom ids they are ``of``."""

    def __init_subclass__(cls, *, of: CustomId | None = None) -> None:
        super().__init_subclass__(template=_NOTHING if of is None else of.pattern)
        if of is not None:
            _REGISTERED.append(cls)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether this bot is to answer the interaction."""
        return bool(await interaction.client.claim(interaction))


class Control(_Registered[discord.ui.Button[discord.ui.LayoutView]]):
    """A pressed button. Subclasses name the form of custom ids they are ``of`` and do what the button is for."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Speak the person's language and pass the press on."""
        greet(interaction)
        await self.pressed(interaction, self.match)

    @abstractmethod
    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        """Do what the button is for."""


class Choice(_Registered[discord.ui.Select[discord.ui.LayoutView]]):
    """A menu with a choice. Subclasses name the form of custom ids they are ``of`` and do what the menu is for."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Speak the person's language and pass the choice on, if the menu offers it."""
        greet(interaction)
        offered = {option.value for option in self.item.options}
        if len(self.item.values) == 1 and self.item.values[0] in offered:
            await self.chosen(interaction, self.match, self.item.values[0])
        else:
            await refuse_value(interaction)

    @abstractmethod
    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        """Do what the choice is for."""


def page_of(value: str) -> int:
    """Return the page that an option of a menu names, the first being 0; 0 for a value that is no page."""
    return int(value) if value.isdecimal() and len(value) <= PAGE_DIGITS else 0


class ChannelChoice(_Registered[discord.ui.ChannelSelect[discord.ui.LayoutView]]):
    """A menu of channels with a choice. Subclasses name the custom ids they are ``of`` and do what the menu is for."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Speak the person's language and pass the choice on, if the menu offers such channels."""
        greet(interaction)
        chosen, kinds = self.item.values, self.item.channel_types
        if len(chosen) == 1 and (not kinds or chosen[0].type in kinds):
            await self.chosen(interaction, self.match, chosen[0].id)
        else:
            await refuse_value(interaction)

    @abstractmethod
    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        """Do what the choice is for."""


def every_control() -> tuple[type[discord.ui.DynamicItem[Any]], ...]:
    """Return all controls of this package, for the client to register."""
    for module in iter_modules(bot.views.__path__, f"{bot.views.__name__}."):
        import_module(module.name)
    return tuple(_REGISTERED)
