"""The options several commands share: which game, which match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES
from bot.matches.model.puzzles import games_with_puzzles
from bot.matches.model.refusals import Refusal
from bot.matches.writing.clocks import PACES
from bot.messages.wording import inert, seat_name, shorten, title
from bot.storage.records import Match, MatchState
from bot.views.bot_context import context_of, guild_of, place_of
from renderers.i18n import bracketed, enumerated, gettext_lazy
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

CHOICES = 25
"""Discord's limit for suggestions."""

NO_PACE = 0
"""Stands for no time limit in options."""
PACE_CHOICES: list[app_commands.Choice[int]] = [
    *(app_commands.Choice(name=name, value=int(pace.total_seconds())) for name, pace in PACES.items()),
    app_commands.Choice(name=gettext_lazy("no time limit"), value=NO_PACE),
]

PUZZLE_COMMAND = "puzzle"


def offer_games(tree: app_commands.CommandTree[Any]) -> None:
    """Let every command that asks for a game offer those there are now, and for a puzzle those that have some."""
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Command) and command.get_parameter("game") is not None:
            keys = games_with_puzzles() if command.name == PUZZLE_COMMAND else list(GAMES)
            choices = [app_commands.Choice(name=app_commands.locale_str(GAMES[key].name), value=key) for key in keys]
            app_commands.choices(game=choices)(command)


async def meant_match(interaction: discord.Interaction[Any], number: int | None, *, finished: bool = False) -> int:
    """Return the id of the match a command is about. Raises ``Refusal`` where that is not clear.

    ``finished`` says that the command is for matches that are over, too: without one running, the newest is meant.
    """
    if number is not None:
        return number
    matches = await _meant(interaction, finished=finished)
    if not matches:
        raise Refusal(_("You have no match here. `/challenge` starts one, and `/matches` lists yours."))
    running = [match for match in matches if match.state is MatchState.RUNNING]
    mine = [match for match in running if any(seat.person.id == interaction.user.id for seat in match.movers)]
    for found in (mine, running):
        if len(found) == 1:
            return found[0].id
    if not running:
        return matches[0].id
    numbers = enumerated(str(match.id) for match in running[:10])
    raise Refusal(_("You have several matches here ({numbers}). Choose one with `match`.", numbers=numbers))


async def match_to_review(interaction: discord.Interaction[Any], number: int | None) -> int:
    """Return the id of the match a review is about: the newest one that is over, unless one is named.

    Raises ``Refusal`` where there is none.
    """
    if number is not None:
        return number
    matches = await _meant_to_be_reviewed(interaction)
    if not matches:
        raise Refusal(_("You haven't finished a match here yet. `/challenge` starts one."))
    return matches[0].id


async def choices_to_review(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
    """Suggest the matches a review may be about."""
    return _choices(interaction, await _meant_to_be_reviewed(interaction), typed)


async def match_choices(
    interaction: discord.Interaction[Any], typed: str, *, finished: bool = False
) -> list[app_commands.Choice[int]]:
    """Suggest the matches a command may be about, those that are over only where it is for them, too."""
    return _choices(interaction, await _meant(interaction, finished=finished), typed)


def _choices(
    interaction: discord.Interaction[Any], matches: Sequence[Match], typed: str
) -> list[app_commands.Choice[int]]:
    named = [(match_label(match, interaction.user.id), match.id) for match in matches]
    fitting = [(label, match_id) for label, match_id in named if typed.casefold() in label.casefold()]
    return [app_commands.Choice(name=label, value=match_id) for label, match_id in fitting[:CHOICES]]


async def _meant_to_be_reviewed(interaction: discord.Interaction[Any]) -> list[Match]:
    queries = context_of(interaction).services.queries
    return await queries.meant_to_be_reviewed(guild_of(interaction), place_of(interaction), interaction.user.id)


async def _meant(interaction: discord.Interaction[Any], *, finished: bool) -> list[Match]:
    queries = context_of(interaction).services.queries
    return await queries.meant(guild_of(interaction), place_of(interaction), interaction.user.id, finished=finished)


def match_label(match: Match, reader: int) -> str:
    """Return what a match is called among suggestions for somebody: who they play against, whose turn it is."""
    others = [seat for seat in match.seats if seat.person.id != reader]
    names = enumerated(bracketed(seat.person.name, seat_name(match, seat.seat)) for seat in others)
    turn = any(seat.person.id == reader for seat in match.movers)
    if match.state is MatchState.OVER:
        state = _p("match", "over")
    else:
        state = _p("match", "your turn") if turn else _p("match", "waiting")
    return shorten(inert(f"{title(match)} · {names} · {state}"), 100)
