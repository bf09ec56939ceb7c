"""What messages are built of: text, rows of controls and boxes around them. Knows nothing of matches.

Texts that still wait for a translation are translated here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from renderers.i18n import translated

ACCENT = discord.Colour(0x3E7CB1)
LABEL_LIMIT = 80
PLACEHOLDER_LIMIT = 150

Part = discord.ui.Item[Any] | str
"""A component, or the Markdown of a text."""


def layout(*parts: Part) -> discord.ui.LayoutView:
    """Return a message of these parts, one below the other.

    Its controls are recognised by their custom ids alone, even after a restart, so that the client is not to keep the
    message in memory: it is handed over as one that waits for nothing.
    """
    view = discord.ui.LayoutView(timeout=None)
    for item in _items(parts):
        view.add_item(item)
    view.stop()
    return view


def box(*parts: Part, accent: discord.Colour | None = None) -> discord.ui.Container[discord.ui.LayoutView]:
    """Return parts of a message with a frame around them."""
    return discord.ui.Container(*_items(parts), accent_colour=accent)


def row(*items: discord.ui.Item[Any]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    """Return controls side by side: up to five buttons, or one select."""
    return discord.ui.ActionRow(*items)


def button(
    custom_id: str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button; a label that is too long is cut."""
    return discord.ui.Button(label=translated(label)[:LABEL_LIMIT], style=style, custom_id=custom_id, disabled=disabled)


def line(text: str, accessory: discord.ui.Button[discord.ui.LayoutView]) -> discord.ui.Section[discord.ui.LayoutView]:
    """Return a text with a button at its side."""
    return discord.ui.Section(translated(text), accessory=accessory)


def link(url: str, label: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button that leads to a page or message."""
    return discord.ui.Button(label=translated(label)[:LABEL_LIMIT], url=url)


def select(
    custom_id: str, placeholder: str, options: list[discord.SelectOption]
) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return a menu that takes exactly one of at most 25 options."""
    return discord.ui.Select(
        custom_id=custom_id, placeholder=translated(placeholder)[:PLACEHOLDER_LIMIT], options=options
    )


def channel_select(
    custom_id: str, placeholder: str, kinds: Sequence[discord.ChannelType]
) -> discord.ui.ChannelSelect[discord.ui.LayoutView]:
    """Return a menu that takes exactly one of the server's channels of some kinds."""
    return discord.ui.ChannelSelect(
        custom_id=custom_id, placeholder=translated(placeholder)[:PLACEHOLDER_LIMIT], channel_types=list(kinds)
    )


def _items(parts: Sequence[Part]) -> list[discord.ui.Item[Any]]:
    return [discord.ui.TextDisplay(translated(part)) if isinstance(part, str) else part for part in parts]
