"""Discord's limits for a message."""

from __future__ import annotations

from typing import Any

import discord

TEXT_LIMIT, COMPONENT_LIMIT, ID_LIMIT, OPTION_LIMIT = 4000, 40, 100, 25


def exceeded(view: discord.ui.LayoutView) -> list[str]:
    """Return which of Discord's limits a layout exceeds."""
    every = list(view.walk_children())
    found = [] if len(every) <= COMPONENT_LIMIT else [f"{len(every)} components"]
    length = sum(len(item.content) for item in every if isinstance(item, discord.ui.TextDisplay))
    if length > TEXT_LIMIT:
        found.append(f"{length} characters of text")
    ids = [custom_id for item in every if (custom_id := getattr(item, "custom_id", None))]
    found += [f"custom_id of {len(custom_id)} characters" for custom_id in ids if len(custom_id) > ID_LIMIT]
    if len(set(ids)) < len(ids):
        found.append("a custom_id twice")
    for row in every:
        if isinstance(row, discord.ui.ActionRow) and len(row.children) > 5:
            found.append(f"{len(row.children)} controls in a row")
    for item in every:
        wrapped = getattr(item, "item", item)
        if isinstance(wrapped, discord.ui.Button) and not 1 <= len(wrapped.label or "") <= 80:
            found.append(f"label {wrapped.label!r}")
        if isinstance(wrapped, discord.ui.Select):
            found += _select_problems(wrapped)
    return found


def _select_problems(select: discord.ui.Select[Any]) -> list[str]:
    found = [] if 1 <= len(select.options) <= OPTION_LIMIT else [f"{len(select.options)} options"]
    found += [
        f"option {option.label!r}: {option.value!r}"
        for option in select.options
        if not 1 <= len(option.label) <= 100 or not 1 <= len(option.value) <= 100
    ]
    if len({option.value for option in select.options}) < len(select.options):
        found.append("an option twice")
    return found
