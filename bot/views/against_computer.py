"""Matches against the bot itself: the menu of levels, and the match that begins with a press."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import discord

from bot.games import GAMES
from bot.games.game import Game, Variant
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, row, select
from bot.messages.wording import shorten
from bot.opponents import LEVELS
from bot.storage.records import First
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, person_of, place_of
from bot.views.builder_state import OPTION_LIMIT
from bot.views.controls import Choice, Control
from bot.views.languages import public_language
from bot.views.permissions import check_place
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy

USUAL_LEVEL = 2
"""How well the bot plays where nobody says."""
WHAT_LEVELS_ARE = gettext_lazy(
    "Level {first} is a friendly beginner, level {last} the strongest.", first=LEVELS[0], last=LEVELS[-1]
)
_PLAYERS = 2


class ComputerLevelsButton(Control, of=custom_ids.COMPUTER_LEVELS):
    """Asks at which level the bot is to play."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            return _levels(interaction, match["game"], match["variant"].removeprefix(":"))

        await answer_privately(interaction, work)


class ComputerVariantChoice(Choice, of=custom_ids.COMPUTER_VARIANT):
    """Asks at which level the bot is to play another variant."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            return _levels(interaction, match["game"], value)

        await answer_in_place(interaction, work)


class ComputerMatchButton(Control, of=custom_ids.COMPUTER_MATCH):
    """Begins a match against the bot."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            check_place(interaction)
            game, variant = _known(match["game"], match["variant"].removeprefix(":"))
            terms = Terms(game.key, variant.key, _PLAYERS, First.CHALLENGER, rated=False)
            begun = await begin(interaction, terms, int(match["level"]), int(match["asked"]))
            return Reply(view=layout(begun.text or ""))

        await answer_in_place(interaction, work)


async def begin(
    interaction: discord.Interaction[Any], terms: Terms, level: int = USUAL_LEVEL, asked: int | None = None
) -> Reply:
    """Start the match; nobody has to accept it. ``asked`` is the question this answers, if any. Raises ``Refusal``."""
    check_level(level)
    match_id = await context_of(interaction).services.computer_opponents.play(
        guild_of(interaction),
        place_of(interaction),
        person_of(interaction),
        level,
        replace(terms, language=await public_language(interaction)),
        interaction.id,
        parent_id=getattr(interaction.channel, "parent_id", None),
        asked=asked,
    )
    return Reply(
        _(
            "Match {match_id} is on, against me at level {level}. The board is posted below.",
            match_id=match_id,
            level=level,
        )
    )


def play_button(game: Game, variant: Variant | None = None) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the button by which a game is played against the bot, where two can play it."""
    if _PLAYERS not in (variant or game.variants[0]).players:
        return []
    key = "" if variant is None else f":{variant.key}"
    return [
        button(custom_ids.COMPUTER_LEVELS(game=game.key, variant=key), _("Play the bot"), discord.ButtonStyle.success)
    ]


def _levels(interaction: discord.Interaction[Any], key: str, variant_key: str) -> Reply:
    """Return the menu of levels for a game in one of its variants. Raises ``Refusal``."""
    game, variant = _known(key, variant_key)
    chosen = [
        button(
            custom_ids.COMPUTER_MATCH(level=level, game=game.key, variant=f":{variant.key}", asked=interaction.id),
            _("Level {level}", level=level),
            discord.ButtonStyle.success if level == USUAL_LEVEL else discord.ButtonStyle.secondary,
        )
        for level in LEVELS
    ]
    parts: list[Part] = [
        _(
            "### {game} against me\nYou begin. How well shall I play? {what_levels_are}",
            game=game.name,
            what_levels_are=WHAT_LEVELS_ARE,
        ),
        row(*chosen),
    ]
    others = [one for one in game.variants if _PLAYERS in one.players]
    if len(others) > 1:
        options = [
            discord.SelectOption(
                label=shorten(one.name, OPTION_LIMIT),
                value=one.key,
                description=shorten(one.description, OPTION_LIMIT) or None,
                default=one == variant,
            )
            for one in others
        ]
        parts.append(row(select(custom_ids.COMPUTER_VARIANT(game=game.key), _("Another variant"), options)))
    return Reply(view=layout(*parts))


def check_level(level: int) -> None:
    """Raise ``Refusal`` for a level there is not (any more)."""
    if level not in LEVELS:
        raise Refusal(_("I play at levels {first} to {last}.", first=LEVELS[0], last=LEVELS[-1]))


def _known(key: str, variant_key: str) -> tuple[Game, Variant]:
    if key not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    game = GAMES[key]
    try:
        return game, game.variant(variant_key) if variant_key else game.variants[0]
    except KeyError as error:
        raise Refusal(
            _("{game} doesn't have that variant any more. `/games` shows what there is.", game=game.name)
        ) from error
