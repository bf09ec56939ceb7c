"""Reference pages: the games, the rules of a game with diagrams, and what the bot is."""

from __future__ import annotations

import re
from typing import Any

import discord

import bot
from bot.games import GAMES
from bot.games.game import Game, Variant
from bot.games.guides import Page, differs_by_variant
from bot.matches.model.playability import check_installed
from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.guides import guide_pages
from bot.messages.layout import Part, beside, box, button, gallery, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import shorten
from bot.requests.request import Request
from bot.views.against_computer import play_button
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.builder_preview import OPTION_LIMIT
from bot.views.controls import Choice, Control, page_of
from bot.views.game_menu import known_game
from bot.views.permissions import invite_link
from renderers.i18n import bracketed, enumerated, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = 5
"""Games on a page: each takes seven of the forty components that Discord allows in a message."""
_Row = discord.ui.ActionRow[discord.ui.LayoutView]


class GamesPageButton(Control, of=custom_ids.GAMES_PAGE):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, games, int(match["page"]))


class RulesButton(Control, of=custom_ids.RULES):
    """Shows the rules of a game in one variant."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _rules, match["game"], match["variant"])


class RulesPageButton(Control, of=custom_ids.RULES_PAGE):
    """Turns to the page before or after, or to the aside at the end."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, _rules, match["game"], match["variant"], int(match["page"]))


class RulesPageChoice(Choice, of=custom_ids.RULES_CONTENTS):
    """Turns to any page."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, _rules, match["game"], match["variant"], page_of(value))


class RulesVariantChoice(Choice, of=custom_ids.RULES_VARIANT):
    """Begins the rules of another variant."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, _rules, match["game"], f":{value}")


async def games(request: Request, number: int = 0) -> Reply:
    """Return one page of the games, the first being 0, or the last page where there are fewer."""
    renderer, theme = request.context.renderer, request.preferences.theme
    every = list(GAMES.values())
    last = (len(every) - 1) // PAGE
    number = min(number, last)
    shown = every[number * PAGE : (number + 1) * PAGE]
    pictures = [await renderer.showpiece(game, theme) for game in shown]
    boxes = [_entry(game, picture) for game, picture in zip(shown, pictures, strict=True)]
    turns = [row(_turn(number, number - 1, last), _turn(number, number + 1, last))] if last else []
    return Reply(view=layout(*boxes, *turns), attachments=tuple(pictures))


def _entry(game: Game, picture: Picture) -> discord.ui.Container[discord.ui.LayoutView]:
    designer = _("Designer unknown") if game.designer == "unknown" else _("By {designer}", designer=game.designer)
    players = game.players
    if len(players) == 1:
        count = _n("{n} player", "{n} players", players.start)
    else:
        count = _("{fewest} to {most} players", fewest=players.start, most=players.stop - 1)
    words = beside(f"### {translated(game.name)}\n{translated(game.summary)}\n-# {designer} · {count}", picture)
    rules = button(custom_ids.RULES(game=game.key, variant=""), _("Rules of {game}", game=game.name))
    return box(words, row(rules, *play_button(game)))


def _turn(number: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Back")) if to < number else ("next", _("Next →"))
    wanted = min(max(to, 0), last)
    return button(custom_ids.GAMES_PAGE(page=wanted, side=side), label, disabled=wanted == number)


async def rules(request: Request, key: str, variant: str = "", number: int = 0) -> Reply:
    """Return one page of a game's rules, the first being 0, with diagrams as the person likes them.

    ``variant`` is as in a custom id: a colon and the key, or empty for the first variant. A number beyond the end is
    the last page: the guide may have had more pages when the button was posted. Raises ``Refusal`` for an unknown game
    or variant.
    """
    game = GAMES[known_game(key)]
    meant = _variant(game, variant.removeprefix(":"))
    pages = guide_pages(game, meant)
    shown = pages[min(number, len(pages) - 1)]
    renderer, theme = request.context.renderer, request.preferences.theme
    title = translated(game.name)
    if differs_by_variant(game):
        title = bracketed(title, meant.name)
    parts: list[Part] = [f"### {headed(title, shown.title)}\n{shown.text}"]
    pictures = []
    for index, diagram in enumerate(shown.diagrams):
        drawn = await renderer.diagram(diagram, theme)
        pictures.append(Picture(drawn.data, drawn.description, f"diagram{index}.png"))
        parts += [discord.ui.Separator(visible=False)] if index else []
        parts.append(gallery(pictures[-1]))
        parts += [f"-# {diagram.caption}"] if diagram.caption else []
    view = layout(box(*parts), *_rules_controls(game, meant, pages, shown))
    return Reply(view=view, attachments=tuple(pictures))


async def _rules(request: Request, key: str, variant: str, number: int = 0) -> Reply:
    """Return one page of the rules of a game that a control names: it was installed when the control was posted."""
    check_installed(key)
    return await rules(request, key, variant, number)


def _variant(game: Game, key: str) -> Variant:
    try:
        return game.variant(key) if key else game.variants[0]
    except KeyError as error:
        raise Refusal(
            _("{game} doesn't have that variant any more. `/rules` shows the ones it has.", game=game.name)
        ) from error


def _rules_controls(game: Game, variant: Variant, pages: tuple[Page, ...], shown: Page) -> list[_Row]:
    """Return the controls of a page: back, next, the aside on the last page, contents, and variants on the first."""
    number, numbered = pages.index(shown), [(at, one) for at, one in enumerate(pages) if not one.aside]
    last = numbered[-1][0]

    def turn(to: int, side: str) -> str:
        return custom_ids.RULES_PAGE(game=game.key, variant=f":{variant.key}", page=to, side=side)

    turning = [
        button(turn(max(number - 1, 0), "back"), _("← Back"), disabled=number == 0),
        button(turn(min(number + 1, last), "next"), _("Next →"), disabled=number >= last),
    ]
    if number == last:
        turning += [button(turn(at, "next"), one.title) for at, one in enumerate(pages) if one.aside]
    turning += play_button(game, variant)
    contents = [
        discord.SelectOption(label=shorten(f"{at + 1}. {one.title}", OPTION_LIMIT), value=str(at), default=at == number)
        for at, one in numbered
    ]
    contents_id = custom_ids.RULES_CONTENTS(game=game.key, variant=f":{variant.key}", page=number)
    rows = [row(*turning), row(select(contents_id, _("Go to a page"), contents))]
    return [*rows, _variants(game, variant)] if number == 0 and differs_by_variant(game) else rows


def _variants(game: Game, shown: Variant) -> _Row:
    options = [
        discord.SelectOption(
            label=shorten(_("Rules: {variant}", variant=one.name), OPTION_LIMIT),
            value=one.key,
            description=shorten(one.description, OPTION_LIMIT) or None,
            default=one == shown,
        )
        for one in game.variants
    ]
    return row(select(custom_ids.RULES_VARIANT(game=game.key), _("Rules of another variant"), options))


async def about(request: Request, application_id: int) -> Reply:
    """Return what this bot is, with its version, source and invite link."""
    names = enumerated(game.name for game in GAMES.values())
    source, link = request.context.settings.source_url, invite_link(application_id)
    links = [_("[source]({source})", source=source)] if source else []
    links.append(_("[add me to another server]({link})", link=link))
    words = _(
        "### Tavoliere {version}\n"
        "Abstract board games that are rarely found elsewhere: {games}.\n"
        "Free software under the MIT licence · {links}",
        version=bot.__version__,
        games=names,
        links=" · ".join(links),
    )
    return Reply(view=layout(words))
