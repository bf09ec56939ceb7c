"""The rules of a game in pages, with diagrams, for ``/rules`` and the Rules buttons."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.games.guides import guide
from bot.matches.refusals import Refusal
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Choice, Control, row
from bot.views.host import host_of, wanted_by
from bot.views.pictures import Picture


class RulesPageButton(Control, template=r"rules:(?P<game>[a-z]{1,20}):(?P<page>\d{1,3}):(?P<side>back|next)"):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, lambda: page(interaction, match["game"], int(match["page"])))


class RulesPageChoice(Choice, template=r"rules:(?P<game>[a-z]{1,20}):contents:\d{1,3}"):
    """Turns to any page."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, lambda: page(interaction, match["game"], int(value)))


async def page(interaction: discord.Interaction[Any], key: str, number: int) -> Reply:
    """Return one page of a game's rules, the first being 0, with diagrams as whoever asks likes them.

    Raises ``Refusal`` for a game or page there is not.
    """
    if key not in GAMES:
        raise Refusal("I do not know that game. `/games` lists those I do.")
    game = GAMES[key]
    pages = guide(game)
    if not 0 <= number < len(pages):
        raise Refusal("The rules have no such page any more. `/rules` shows them from the beginning.")
    shown = pages[number]
    studio, theme = host_of(interaction).studio, (await wanted_by(interaction)).theme
    pictures = [await studio.draw(diagram.scene(), theme) for diagram in shown.diagrams]
    view = discord.ui.LayoutView(timeout=None)
    box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(
        discord.ui.TextDisplay(f"### {game.name}: {shown.title}\n{shown.text}")
    )
    named = []
    for index, (picture, diagram) in enumerate(zip(pictures, shown.diagrams, strict=True)):
        named.append(Picture(picture.data, picture.description, f"diagram{index}.png"))
        if index:
            box.add_item(discord.ui.Separator(visible=False))
        box.add_item(named[-1].gallery())
        if diagram.caption:
            box.add_item(discord.ui.TextDisplay(f"-# {diagram.caption}"))
    view.add_item(box)
    view.add_item(
        row(
            RulesPageButton.create(f"rules:{key}:{max(number - 1, 0)}:back", "← Back", disabled=number == 0),
            RulesPageButton.create(
                f"rules:{key}:{min(number + 1, len(pages) - 1)}:next", "Next →", disabled=number == len(pages) - 1
            ),
        )
    )
    options = [
        discord.SelectOption(label=f"{index + 1}. {one.title}"[:100], value=str(index), default=index == number)
        for index, one in enumerate(pages)
    ]
    view.add_item(row(RulesPageChoice.create(f"rules:{key}:contents:{number}", "Go to a page", options)))
    return Reply(view=view, attachments=tuple(named))
