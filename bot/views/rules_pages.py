"""The rules of a game in pages, with diagrams, for ``/rules`` and the Rules buttons."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.games.game import Game, Variant
from bot.games.guides import Page, differs_by_variant
from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.guides import guide_pages
from bot.messages.layout import Part, box, button, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import shorten
from bot.views.against_computer import play_button
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of, wanted_by
from bot.views.builder_state import OPTION_LIMIT
from bot.views.controls import Choice, Control
from renderers.i18n import bracketed, headed, translated
from renderers.i18n import gettext as _

_Row = discord.ui.ActionRow[discord.ui.LayoutView]


class RulesPageButton(Control, of=custom_ids.RULES_PAGE):
    """Turns to the page before or after, or to the aside at the end."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            return await page(interaction, match["game"], match["variant"], int(match["page"]))

        await answer_in_place(interaction, work)


class RulesPageChoice(Choice, of=custom_ids.RULES_CONTENTS):
    """Turns to any page."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, lambda: page(interaction, match["game"], match["variant"], int(value)))


class RulesVariantChoice(Choice, of=custom_ids.RULES_VARIANT):
    """Begins the rules of another variant."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, lambda: page(interaction, match["game"], f":{value}"))


async def page(interaction: discord.Interaction[Any], key: str, variant: str = "", number: int = 0) -> Reply:
    """Return one page of a game's rules, the first being 0, with diagrams as whoever asks likes them.

    ``variant`` is as in a custom id: a colon and the key, or empty for the first variant. A guide may have had more
    pages when the button was posted: beyond its end stands its last page. Raises ``Refusal`` for a game or variant
    there is not.
    """
    if key not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    game = GAMES[key]
    meant = _variant(game, variant.removeprefix(":"))
    pages = guide_pages(game, meant)
    shown = pages[min(number, len(pages) - 1)]
    renderer, theme = context_of(interaction).renderer, (await wanted_by(interaction)).theme
    title = translated(game.name)
    if differs_by_variant(game):
        title = bracketed(title, meant.name)
    parts: list[Part] = [f"### {headed(title, shown.title)}\n{shown.text}"]
    pictures = []
    for index, diagram in enumerate(shown.diagrams):
        drawn = await renderer.diagram(diagram, theme)
        pictures.append(Picture(drawn.data, drawn.description, f"diagram{index}.png"))
        parts += [discord.ui.Separator(visible=False)] if index else []
        parts.append(pictures[-1].gallery())
        parts += [f"-# {diagram.caption}"] if diagram.caption else []
    view = layout(box(*parts), *_controls(game, meant, pages, shown))
    return Reply(view=view, attachments=tuple(pictures))


def _variant(game: Game, key: str) -> Variant:
    try:
        return game.variant(key) if key else game.variants[0]
    except KeyError as error:
        raise Refusal(
            _("{game} doesn't have that variant any more. `/rules` shows the ones it has.", game=game.name)
        ) from error


def _controls(game: Game, variant: Variant, pages: tuple[Page, ...], shown: Page) -> list[_Row]:
    """Return what turns the pages: back, next, the aside on the last one, contents, and on the first the variants."""
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
