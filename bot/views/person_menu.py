"""What the command of the menu on a person leads to: a challenge to them, or a match against the bot itself.

All that is asked is which game; everything else is as it is where nobody says.
"""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.delivery.discord_calls import expected_errors
from bot.delivery.errors import RefusedError
from bot.games import GAMES
from bot.games.game import Game
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.matches.writing.clocks import pace_in_words
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row, select
from bot.messages.wording import mention, shorten
from bot.opponents import LEVELS
from bot.storage.records import First
from bot.views import against_computer, challenging
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of, guild_of
from bot.views.controls import Choice, Control
from bot.views.permissions import check_place
from renderers.i18n import gettext as _
from renderers.i18n import translated

_OPTION_LIMIT = 100
_MOST_OPTIONS = 25
_PLAYERS = 2


class PersonGameChoice(Choice, of=custom_ids.CHALLENGE_PERSON):
    """Challenges somebody to the game chosen."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            check_place(interaction)
            opponent = challenging.check_opponent(await _member(interaction, int(match["person"])))
            pace = (await context_of(interaction).services.server_settings.of(guild_of(interaction))).pace
            terms = _terms(value, First.RANDOM, rated=True, pace=pace)
            sent = await challenging.offer(interaction, opponent, terms, _question(interaction))
            return Reply(view=layout(sent.text or ""))

        await answer_in_place(interaction, work)


class BotLevelButton(Control, of=custom_ids.AGAINST_BOT_LEVEL):
    """Chooses how well the bot is to play."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            return _against_bot(int(match["level"]))

        await answer_in_place(interaction, work)


class BotGameChoice(Choice, of=custom_ids.AGAINST_BOT):
    """Begins a match against the bot, in the game chosen."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            check_place(interaction)
            terms, level = _terms(value, First.CHALLENGER, rated=False), int(match["level"])
            begun = await against_computer.begin(interaction, terms, level, asked=_question(interaction))
            return Reply(view=layout(begun.text or ""))

        await answer_in_place(interaction, work)


async def opened(interaction: discord.Interaction[Any], user: discord.User | discord.Member) -> Reply:
    """Return the question to which game somebody is to be challenged. Raises ``Refusal`` where they cannot be."""
    check_place(interaction)
    if user == interaction.client.user:
        return _against_bot(against_computer.USUAL_LEVEL)
    if user.id == interaction.user.id:
        raise Refusal(_("You can't challenge yourself. `/challenge` without an opponent challenges anyone."))
    challenging.check_opponent(user)
    pace = (await context_of(interaction).services.server_settings.of(guild_of(interaction))).pace
    words = _(
        "### Challenge {person}\n-# Random first player · {pace} · rated. `/challenge` lets you choose all that.",
        person=mention(user.id),
        pace=pace_in_words(pace),
    )
    return Reply(view=layout(words, row(_games(custom_ids.CHALLENGE_PERSON(person=user.id)))))


def _against_bot(level: int) -> Reply:
    """Return the question for a game against the bot at a level. Raises ``Refusal`` for a level there is not."""
    against_computer.check_level(level)
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    levels = [
        button(
            custom_ids.AGAINST_BOT_LEVEL(level=one),
            _("Level {level}", level=one),
            primary if one == level else secondary,
        )
        for one in LEVELS
    ]
    words = _(
        "### Play against me at level {level}\n"
        "Level {first} is a beginner, {last} the strongest. The match begins as soon as you have "
        "chosen a game. You move first.",
        level=level,
        first=LEVELS[0],
        last=LEVELS[-1],
    )
    return Reply(view=layout(words, row(*levels), row(_games(custom_ids.AGAINST_BOT(level=level)))))


def _games(custom_id: str) -> discord.ui.Select[discord.ui.LayoutView]:
    options = [
        discord.SelectOption(
            label=translated(game.name), value=game.key, description=shorten(game.sentence, _OPTION_LIMIT)
        )
        for game in GAMES.values()
        if _for_two(game)
    ]
    return select(custom_id, _("Which game?"), options[:_MOST_OPTIONS])


def _terms(key: str, first: First, *, rated: bool, pace: int | None = None) -> Terms:
    """Return the terms of a game for two in its usual variant. Raises ``Refusal`` for a game there is not."""
    game = GAMES.get(key)
    if game is None or not _for_two(game):
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    return Terms(game.key, game.variants[0].key, _PLAYERS, first, rated, pace)


def _for_two(game: Game) -> bool:
    return _PLAYERS in game.variants[0].players


def _question(interaction: discord.Interaction[Any]) -> int | None:
    """Return the id of the message with the question that is being answered."""
    return None if interaction.message is None else interaction.message.id


async def _member(interaction: discord.Interaction[Any], user_id: int) -> discord.Member:
    """Return somebody of the server. Raises ``Refusal`` where they are not in it (any more)."""
    assert interaction.guild is not None
    try:
        async with expected_errors():
            return await interaction.guild.fetch_member(user_id)
    except RefusedError:
        raise Refusal(_("They are not in this server.")) from None
