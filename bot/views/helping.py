"""Help: how to start, on one screen of a phone, with further pages behind buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import discord

import bot
from bot.games import GAMES
from bot.games.faults import of_each
from bot.languages.speaking import as_discord_shows
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.requests.request import Request
from bot.requests.review_words import marks_explained
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Interaction, control
from bot.views.permissions import invite_link
from renderers.i18n import enumerated, gettext_lazy, translated
from renderers.i18n import gettext as _

CHALLENGE_MENU = gettext_lazy("Challenge")
"""The command in the menu on a person."""
# Translators: a menu of Discord itself, as it is called in your language.
_APPS = gettext_lazy("Apps")

PageKey = Literal["start", "more", "yours", "about"]
_TITLES: Final[dict[PageKey, str]] = {
    "start": gettext_lazy("How it works"),
    "more": gettext_lazy("What else you can do"),
    "yours": gettext_lazy("Settings"),
    "about": gettext_lazy("About me"),
}
"""The pages by their keys in custom ids, in the order of their buttons."""


@control(custom_ids.HELP)
async def on_help(interaction: Interaction, ids: custom_ids.Help) -> None:
    """Turn to another page."""
    await answer_in_place(interaction, help_page, interaction.application_id, ids.page)


async def help_page(request: Request, application_id: int, key: PageKey = "start") -> Reply:
    """Return a page of help, by default where to start."""
    if key == "about":
        words = _about(request, application_id)
    elif key == "start" and request.place.direct:
        words = _start_alone(outside=request.place.outside)
    else:
        words = {"start": _start, "more": _more, "yours": _yours}[key]()
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    buttons = [
        button(custom_ids.HELP(page=other), title, primary if other == key else secondary)
        for other, title in _TITLES.items()
    ]
    return Reply(view=layout("\n".join([f"### {translated(_TITLES[key])}", *words]), row(*buttons)))


def _start() -> Sequence[str]:
    return (
        _("`/play` starts a match against me at once."),
        _("1. `/challenge` somebody, or leave the opponent out to challenge anyone. A card appears with **Accept**."),
        "   "
        + _(
            "Or right-click somebody (hold down on a phone): **{apps}**, **{challenge}**.",
            apps=as_discord_shows(_APPS),
            challenge=as_discord_shows(CHALLENGE_MENU),
        ),
        _("2. When it is accepted the board is posted, and the person to move is mentioned."),
        _("3. Press **Play** under the board and choose your move step by step, or type it with `/move`."),
        _(
            "4. Play at your own pace: days a move, or all of it in one evening (`/challenge` with `pace`). `/matches` "
            "lists your matches, those waiting for you first."
        ),
    )


def _start_alone(*, outside: bool) -> Sequence[str]:
    """Say how to start where people play the bot in direct messages and, ``outside``, others where they are."""
    friends = _("`/challenge` a friend here: they install nothing, and each move answers with a new board.")
    return (
        *([friends] if outside else []),
        _("1. `/play` a game against me. You choose the level, or I choose the one that fits you."),
        _("2. Press **Play** under the board and choose your move step by step, or type it with `/move`."),
        _("3. `/matches` lists your matches, `/puzzle` has something to solve, and `/games` has the rules."),
        _(
            "You play your friends in a server that has me, with `/challenge`. **{about}** has the link that adds me.",
            about=translated(_TITLES["about"]),
        ),
    )


def _more() -> Sequence[str]:
    return (
        _(
            "**Look** `/board` a match, also as text · `/match` for what else can be done, also plans and notes · "
            "`/matches` · `/leaderboard` · `/profile`"
        ),
        _("**Ladder** `/ladder`: each week a match against somebody near in rating"),
        _("**Cups** `/cup`: 3 to 8 people, everyone plays everyone, and nobody has to run it"),
        _(
            "**Learn** `/games`: what there is, and the rules with diagrams · `/puzzle` to solve alone, rated "
            "across all servers"
        ),
        _(
            "**Look back** `/matches finished:True` · `/match action:replay`, and **Step through** it · **Review** "
            "under a result says where it turned. {marks_explained}",
            marks_explained=marks_explained(),
        ),
        _(
            "**Hints** are for matches against me (`/match action:hint`, or **Hint** beside your choices) and for "
            "those that are over. I give no advice on a position of a match you're playing against "
            "somebody: find your moves there yourself."
        ),
    )


def _yours() -> Sequence[str]:
    return (
        _("**Yours** `/preferences` for themes, text boards, reminders and being away · `/privacy`"),
        _("**Manage** `/settings` for those who manage the server · `/manage` to void a match or bar somebody"),
        _(
            "**Time** `/match pace:10m+30s` offers another pace; one such as 10m+30s is a bank of time that each move "
            "refills"
        ),
        _("**Days away** if the server or cup allows it, one is used before you lose a slow match on time"),
        _(
            "**End** `/match action:draw` or `/match action:resign` · **Rematch** under a result lets the other player "
            "go first"
        ),
    )


def _about(request: Request, application_id: int) -> Sequence[str]:
    """Say what this bot is, with its version, source and invite link."""
    names = enumerated(of_each(lambda game: translated(game.name), GAMES.values()))
    source, link = request.context.settings.source_url, invite_link(application_id)
    links = [_("[source]({source})", source=source)] if source else []
    links.append(_("[add me to another server]({link})", link=link))
    if request.context.install_url:
        links.append(_("[play me in direct messages]({link})", link=request.context.install_url))
    return (
        _(
            "**Tavoliere {version}**\n"
            "Abstract board games that are rarely found elsewhere: {games}.\n"
            "Free software under the MIT licence · {links}",
            version=bot.__version__,
            games=names,
            links=" · ".join(links),
        ),
    )
