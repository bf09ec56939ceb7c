"""Buttons and selects that survive restarts: everything they need is in their ``custom_id``."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

CUSTOM_ID_LIMIT = 100


class Control(discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]], template=r"(?!)"):
    """A button whose ``custom_id`` says what it does to what. Subclasses give the template and ``pressed``."""

    match: re.Match[str]

    @classmethod
    def create(
        cls,
        custom_id: str,
        label: str,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        disabled: bool = False,
    ) -> Self:
        """Return a button for a new message."""
        return cls(discord.ui.Button(label=label[:80], style=style, custom_id=custom_id, disabled=disabled))

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
    """A select whose ``custom_id`` says what is chosen for. Subclasses give the template and ``chosen``."""

    match: re.Match[str]

    @classmethod
    def create(cls, custom_id: str, placeholder: str, options: list[discord.SelectOption]) -> Self:
        """Return a select for a new message; it takes exactly one of at most 25 options."""
        return cls(discord.ui.Select(custom_id=custom_id, placeholder=placeholder[:150], options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the select somebody used."""
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


def row(*items: discord.ui.Item[Any]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    """Return controls side by side: up to five buttons, or one select."""
    return discord.ui.ActionRow(*items)
