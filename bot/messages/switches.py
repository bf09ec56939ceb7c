"""Settings that are on or off, in a list: what each is called, and the button beside it that changes it."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.messages.custom_ids import CustomId
from bot.messages.layout import button, line
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off. ``verb`` names it in custom ids, ``field`` among the values that are stored.

    ``turn_on`` and ``turn_off`` are what the button says, ``on`` and ``off`` what stands beside it.
    """

    verb: str
    field: str
    title: str
    turn_on: str
    turn_off: str
    on: str = gettext_lazy("yes")
    off: str = gettext_lazy("no")

    def line(self, value: bool, of: CustomId) -> discord.ui.Section[discord.ui.LayoutView]:
        """Return the setting as it is, with the button that changes it, which is ``of`` some custom ids.

        The button says what it sets, not that it changes something: pressed twice it does no more than once.
        """
        wanted = of(verb=self.verb, on="no" if value else "yes")
        label = self.turn_off if value else self.turn_on
        now = _("{setting}: **{value}**", setting=self.title, value=self.on if value else self.off)
        return line(now, button(wanted, label))
