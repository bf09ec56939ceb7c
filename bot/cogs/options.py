"""Shared by several commands: the choice of games, paces, and suggestions while people type."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from datetime import timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import discord
from discord import AppCommandOptionType, app_commands

from bot.compute.job import JobDropped, on_behalf_of
from bot.games import GAMES
from bot.games.faults import of_each
from bot.matches.model.pace import NO_LIMIT_KEY, PACES, Pace, audience, pace_in_words, parsed_pace
from bot.matches.model.puzzles import games_with_puzzles
from bot.matches.model.refusals import Refusal
from bot.matches.model.time_zones import zone_names
from bot.requests.context import SUGGESTION
from bot.requests.request import Request
from bot.views.answers import request_of
from bot.views.game_menu import names_with
from bot.views.outside import answered_here, is_outside
from renderers.i18n import folded, gettext_lazy, translated

P = ParamSpec("P")
V = TypeVar("V", int, str)

anywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
"""Has Discord offer a command in the direct messages with the bot, too; others need a server.

People who install the bot for themselves have it everywhere (``command_tree.offer_to_persons``).
"""
SUGGESTIONS_DEADLINE = timedelta(seconds=3)
"""How long after a request Discord takes suggestions: later ones are not looked up."""
CHOICES = 25
"""Discord's limit for suggestions."""

TypedPace = app_commands.Range[str, 1, 60]
"""A pace as it is typed or chosen."""

PUZZLE_COMMAND, CUP_COMMAND, PLAY_COMMAND = "puzzle", "cup", "play"
LADDER = "ladder:"
"""The choice of the ladder where ``/play`` asks for a game. No key of a game has a colon."""
_LADDER_NAME = gettext_lazy("The ladder")

LARGEST_NUMBER = 2**53
"""Discord's limit for a number in an option."""
LONGEST_TEXT = 6000
"""Discord's limit for a text in an option, in characters."""
LARGEST_ID = 2**63 - 1
"""The largest id of Discord that the database can store."""
_TYPES = {
    AppCommandOptionType.integer: int,
    AppCommandOptionType.boolean: bool,
    AppCommandOptionType.string: str,
}


def are_offered(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the options of a command have values that it offers. Discord checks that, too.

    While a value is typed it may still be anything.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return True
    try:
        given = list(interaction.namespace)
    except (KeyError, ValueError, TypeError):
        return False
    typing = interaction.type is discord.InteractionType.autocomplete
    options = ((command.get_parameter(name), value) for name, value in given)
    return all(option is not None and _is_offered(option, value, typing) for option, value in options)


def _is_offered(option: app_commands.Parameter, value: Any, typing: bool) -> bool:
    """Return whether an option may have a value; one that is suggested may be any text while a person is ``typing``."""
    kind: type | None = _TYPES.get(option.type)
    if kind is None:
        chosen_id = getattr(value, "id", None)
        return isinstance(chosen_id, int) and 0 < chosen_id <= LARGEST_ID
    if typing and isinstance(value, str):
        return True
    if type(value) is not kind:
        return False
    if option.choices and value not in {choice.value for choice in option.choices}:
        return False
    if kind is bool:
        return True
    size: Any = len(value) if isinstance(value, str) else value
    least = option.min_value if option.min_value is not None else -LARGEST_NUMBER
    most = option.max_value if option.max_value is not None else LONGEST_TEXT if kind is str else LARGEST_NUMBER
    return bool(least <= size <= most)


def offer_games(tree: app_commands.CommandTree[Any]) -> None:
    """Offer all games in every command that asks for one; only those with puzzles in ``/puzzle``, for two in cups.

    ``/play`` offers the ladder, too. Where they are more than Discord lists, they are suggested while a name is typed.
    """
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Command) and command.get_parameter("game") is not None:
            if command.qualified_name == PUZZLE_COMMAND:
                keys = games_with_puzzles()
            elif command.qualified_name == CUP_COMMAND:
                games = of_each(
                    lambda game: (game.key, any(2 in kind.players for kind in game.variants)), GAMES.values()
                )
                keys = [key for key, for_two in games if for_two]
            else:
                keys = list(GAMES)
            ladder = command.qualified_name == PLAY_COMMAND
            if len(keys) + ladder <= CHOICES:
                choices = of_each(
                    lambda game: app_commands.Choice(name=app_commands.locale_str(game.name), value=game.key),
                    map(GAMES.__getitem__, keys),
                )
                if ladder:
                    choices.append(app_commands.Choice(name=app_commands.locale_str(_LADDER_NAME), value=LADDER))
                app_commands.choices(game=choices)(command)
            else:
                app_commands.choices(game=[])(command)
                command.autocomplete("game")(_suggesting(keys, ladder=ladder))


def _suggesting(
    keys: Sequence[str], *, ladder: bool
) -> Callable[..., Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Return a function that suggests games among ``keys``, and perhaps the ladder, whose names have the typed text."""

    async def suggest(_interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        name = translated(_LADDER_NAME)
        also = [(name, LADDER)] if ladder and folded(typed) in folded(name) else []
        games = [*also, *names_with(typed, keys)][:CHOICES]
        return [app_commands.Choice(name=name[:100], value=key) for name, key in games]

    return suggest


def variant_choices(
    interaction: discord.Interaction[Any], typed: str, players: int | None = None
) -> list[app_commands.Choice[str]]:
    """Return the variants of the chosen game whose names contain the ``typed`` text.

    With ``players``, return only those for that number of players.
    """
    game = GAMES.get(str(interaction.namespace.game))
    if game is None:
        return []
    possible = (variant for variant in game.variants if players is None or players in variant.players)
    named = [(translated(variant.name), variant.key) for variant in possible]
    matching = [(name, key) for name, key in named if folded(typed) in folded(name)]
    return [app_commands.Choice(name=name[:100], value=key) for name, key in matching[:CHOICES]]


async def suggested_paces(_interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the pace that a typed text means, and the offered ones whose words contain it."""
    paces: list[Pace | None] = [*PACES, None]
    if typed.strip():
        try:
            meant = [parsed_pace(typed)]
        except Refusal:
            meant = []
        paces = [*meant, *(pace for pace in paces if pace not in meant and folded(typed) in folded(_offered(pace)))]
    return [
        app_commands.Choice(name=_offered(pace), value=NO_LIMIT_KEY if pace is None else pace.key) for pace in paces
    ][:CHOICES]


def _offered(pace: Pace | None) -> str:
    words = translated(pace_in_words(pace))
    if pace is None:
        return words
    if pace.live:
        return translated(gettext_lazy("live: {pace}", pace=words))
    return f"{words} · {translated(audience(pace))}"


async def suggestions(
    interaction: discord.Interaction[Any],
    suggest: Callable[Concatenate[Request, P], Awaitable[Iterable[tuple[str, V]]]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> list[app_commands.Choice[V]]:
    """Return the names and values that ``suggest`` finds for a request; nothing if it refuses."""
    request = request_of(interaction)
    try:
        request.context.check_rate_limit(request.person.id, SUGGESTION)
        limit = request.context.concurrency_limit
        async with limit.acquire(("suggestions", request.person.id)):
            if request.context.services.clock() - request.at > SUGGESTIONS_DEADLINE:
                return []
            with on_behalf_of(request.person.id):
                if is_outside(interaction):
                    request = await answered_here(request, interaction) or request
                suggested = await suggest(request, *args, **kwargs)
    except (Refusal, JobDropped):
        return []
    return [app_commands.Choice(name=name, value=value) for name, value in suggested][:CHOICES]


def zone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """Return time zones to suggest, by any part of their names."""
    part = folded(typed).replace(" ", "_")
    zones = [name for name in zone_names() if part in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in zones[:CHOICES]]
