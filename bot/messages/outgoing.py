"""A message ready to be posted, as often as it takes. Knows neither where nor when."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.messages.pictures import Attachment, Picture


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be posted.

    ``marker`` is the custom id of a control by which it is recognised later; ``mentions`` are the people notified.
    """

    view: discord.ui.LayoutView
    marker: str
    attached: tuple[Picture | Attachment, ...] = ()
    mentions: tuple[int, ...] = ()
