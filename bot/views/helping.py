"""Help: how to start, on one screen of a phone, with further pages behind buttons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.languages.speaking import as_discord_shows
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.requests.request import Request
from bot.requests.review_words import marks_explained
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated

CHALLENGE = gettext_lazy("Challenge")
"""The command in the menu on a person."""
# Translators: a menu of Discord itself, as it is called in your language.
_APPS = gettext_lazy("Apps")

_TITLES: Final = {
    "start": gettext_lazy("How it works"),
    "more": gettext_lazy("What else there is"),
    "yours": gettext_lazy("Settings"),
}
"""The pages by their keys in custom ids, in the order of their buttons."""


class HelpButton(Control, of=custom_ids.HELP):
    """Turns to another page."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, help_page, match["verb"])


async def help_page(_request: Request, key: str = "start") -> Reply:
    """Return a page of help, by default where to start."""
    words = {"start": _start, "more": _more, "yours": _yours}[key]()
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    buttons = [
        button(custom_ids.HELP(verb=other), title, primary if other == key else secondary)
        for other, title in _TITLES.items()
    ]
    return Reply(view=layout("\n".join([f"### {translated(_TITLES[key])}", *words]), row(*buttons)))


def _start() -> Sequence[str]:
    return (
        _("1. `/challenge` somebody, or leave the opponent out to challenge anyone. A card appears with **Accept**."),
        "   "
        + _(
            "Or right-click somebody (hold down on a phone): **{apps}**, **{challenge}**.",
            apps=as_discord_shows(_APPS),
            challenge=as_discord_shows(CHALLENGE),
        ),
        "   "
        + _(
            "Nobody there? **Play the bot** under any of the `/games`, on a challenge nobody takes, or in a free seat."
        ),
        _("2. When it is accepted the board is posted, and the person to move is mentioned."),
        _("3. Press **Play** under the board and choose your move step by step, or type it with `/move`."),
        _("4. Play at your own pace: a match waits for days. `/matches` lists yours, those waiting for you first."),
    )


def _more() -> Sequence[str]:
    return (
        _("**Look** `/board` a match, also as text · `/matches` · `/leaderboard` · `/profile`"),
        _("**Cups** `/cup start`: 3 to 8 people, everybody meets everybody, and nobody has to run it"),
        _(
            "**Learn** `/games` what there is · `/rules` with diagrams · `/puzzle` to solve alone, rated "
            "across all servers"
        ),
        _(
            "**Look back** `/matches finished:True` · `/match replay`, and **Step through** it · **Review** "
            "under a result says where it turned. {marks_explained}",
            marks_explained=marks_explained(),
        ),
        _(
            "**Hints** are for matches against me (`/match hint`, or **Hint** beside your choices) and for "
            "those that are over. I give no advice on a position of a match you're playing against "
            "somebody: find your moves there yourself."
        ),
    )


def _yours() -> Sequence[str]:
    return (
        _("**Yours** `/preferences` for themes, text boards, reminders and being away · `/privacy`"),
        _("**Manage** `/settings` for those who manage the server · `/manage` to void a match or bar somebody"),
        _("**End** `/match draw` or `/match resign` · **Rematch** under a result lets the other player go first"),
    )
