"""Matches against the bot itself: begun from a game, from the menu on the bot, or in an open challenge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.games import GAMES
from bot.games.game import Game, Variant
from bot.matches.model.playability import check_installed
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, row, select
from bot.messages.wording import called, listed, shorten
from bot.opponents import LEVELS
from bot.requests.request import Request
from bot.storage.challenges import Challenge
from bot.storage.records import First
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.builder_preview import OPTION_LIMIT
from bot.views.controls import Choice, Control
from bot.views.game_menu import game_menu, known_game, page_chosen
from renderers.i18n import LazyText, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

WHAT_LEVELS_ARE = gettext_lazy(
    "Level {first} is a friendly beginner, level {last} the strongest.", first=LEVELS[0], last=LEVELS[-1]
)
PLAYERS = 2
"""Seats of a match that is begun without terms: against the bot, or from the menu on a person."""


class ComputerLevelsButton(Control, of=custom_ids.COMPUTER_LEVELS):
    """Asks for the level at which the bot plays."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, ask_level, match["game"], match["variant"].removeprefix(":"))


class ComputerVariantChoice(Choice, of=custom_ids.COMPUTER_VARIANT):
    """Asks for the level at which the bot plays another variant."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, ask_level, match["game"], value)


class ComputerMatchButton(Control, of=custom_ids.COMPUTER_MATCH):
    """Begins a match against the bot."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        game, variant = match["game"], match["variant"].removeprefix(":")
        await answer_in_place(interaction, _begin_variant, game, variant, int(match["level"]), int(match["asked"]))


class BotLevelButton(Control, of=custom_ids.AGAINST_BOT_LEVEL):
    """Chooses the level, in the menu on the bot."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, ask_game, int(match["level"]))


class BotGameChoice(Choice, of=custom_ids.AGAINST_BOT):
    """Begins a match against the bot in the chosen game."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        page, level = page_chosen(value), int(match["level"])
        if page is not None:
            await answer_in_place(interaction, ask_game, level, page)
            return
        asked = None if interaction.message is None else interaction.message.id
        await answer_in_place(interaction, _begin_game, value, level, asked)


class ComputerSeatsButton(Control, of=custom_ids.COMPUTER_SEATS):
    """Asks the challenger for the level at which the bot plays."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _ask_seat, int(match["challenge"]))


class ComputerSeatButton(Control, of=custom_ids.COMPUTER_SEAT):
    """Begins a match against the bot from a challenge, gives the bot a seat, or takes one away."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        challenge_id, level, seated = int(match["challenge"]), int(match["level"]), list(map(int, match["seated"]))
        await answer_in_place(interaction, _seat, match["verb"], challenge_id, level, seated)


async def start(request: Request, terms: Terms, level: int, asked: int | None = None) -> int:
    """Start a match against the bot, which accepts at once, and return its id.

    ``asked`` is the question this answers, if any. Raises ``Refusal``.
    """
    check_level(level)
    return await request.services.computer_opponents.play(
        request.server,
        request.channel,
        request.person,
        level,
        replace(terms, language=await request.public_language()),
        request.id,
        parent_id=request.place.parent_id,
        asked=asked,
    )


async def begin(request: Request, terms: Terms, level: int | None = None, asked: int | None = None) -> Reply:
    """Start a match against the bot and return the answer to the person who asked. Raises ``Refusal``.

    Without a level it is the lowest one that they have not yet beaten in the game.
    """
    if level is None:
        level = await request.services.computer_opponents.usual_level(request.person, terms.game)
    return begun(await start(request, terms, level, asked), level)


async def play(request: Request, key: str, level: int | None) -> Reply:
    """Start a match against the bot in the usual variant of a game; the person goes first. Raises ``Refusal``."""
    request.check_place()
    return await begin(request, usual_terms(known_game(key), First.CHALLENGER, rated=False), level)


def begun(match_id: int, level: int) -> Reply:
    """Return the answer to the person whose match against the bot has begun."""
    return Reply(
        _(
            "Match {match_id} is on, against me at level {level}. The board is posted below.",
            match_id=match_id,
            level=level,
        )
    )


def play_button(game: Game, variant: Variant | None = None) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the button by which a game is played against the bot, where two can play it."""
    if PLAYERS not in (variant or game.variants[0]).players:
        return []
    key = "" if variant is None else f":{variant.key}"
    return [
        button(custom_ids.COMPUTER_LEVELS(game=game.key, variant=key), _("Play the bot"), discord.ButtonStyle.success)
    ]


async def ask_game(_request: Request, level: int = LEVELS[0], page: int = 0) -> Reply:
    """Ask for the game of a match against the bot at a level, with one page of the games, the first being 0.

    Raises ``Refusal`` for an unknown level.
    """
    check_level(level)
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
    menu = game_menu(custom_ids.AGAINST_BOT(level=level), games_for_two(), page)
    return Reply(view=layout(words, row(*levels), row(menu)))


def usual_terms(key: str, first: First, *, rated: bool, pace: int | None = None) -> Terms:
    """Return the terms of a game for two in its usual variant. Raises ``Refusal`` for an unknown game."""
    game = GAMES.get(key)
    if game is None or game not in games_for_two():
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    return Terms(game.key, game.variants[0].key, PLAYERS, first, rated, pace)


def games_for_two() -> list[Game]:
    """Return the games that two can play in the usual variant."""
    return [game for game in GAMES.values() if PLAYERS in game.variants[0].players]


async def _begin_variant(request: Request, key: str, variant_key: str, level: int, asked: int) -> Reply:
    request.check_place()
    game, variant = _known(key, variant_key)
    terms = Terms(game.key, variant.key, PLAYERS, First.CHALLENGER, rated=False)
    begun = await begin(request, terms, level, asked)
    return Reply(view=layout(begun.text or ""))


async def _begin_game(request: Request, key: str, level: int, asked: int | None) -> Reply:
    request.check_place()
    begun = await begin(request, usual_terms(key, First.CHALLENGER, rated=False), level, asked)
    return Reply(view=layout(begun.text or ""))


async def _ask_seat(request: Request, challenge_id: int) -> Reply:
    return _seat_menu(await request.services.computer_opponents.own(request.server, challenge_id, request.person))


async def _seat(request: Request, verb: str, challenge_id: int, level: int, seated: Sequence[int]) -> Reply:
    """Change the bot's seats in a challenge where ``seated`` levels had one. Raises ``Refusal``."""
    service, guild_id, person = request.services.computer_opponents, request.server, request.person
    check_level(level)
    if verb == "play":
        return _begun(await service.take_up(guild_id, challenge_id, person, level, request.id))
    change = service.seat if verb == "seat" else service.unseat
    changed = await change(guild_id, challenge_id, person, level, seated, request.id)
    return _seat_menu(changed.challenge) if changed.match_id is None else _begun(changed.match_id)


async def ask_level(request: Request, key: str, variant_key: str) -> Reply:
    """Return the menu of levels for a game in one of its variants. Raises ``Refusal``."""
    game, variant = _known(key, variant_key)
    usual = await request.services.computer_opponents.usual_level(request.person, game.key)
    chosen = [
        button(
            custom_ids.COMPUTER_MATCH(level=level, game=game.key, variant=f":{variant.key}", asked=request.id),
            _("Level {level}", level=level),
            discord.ButtonStyle.success if level == usual else discord.ButtonStyle.secondary,
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
    others = [one for one in game.variants if PLAYERS in one.players]
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
    """Raise ``Refusal`` for a level that the bot does not have."""
    if level not in LEVELS:
        raise Refusal(_("I play at levels {first} to {last}.", first=LEVELS[0], last=LEVELS[-1]))


def _known(key: str, variant_key: str) -> tuple[Game, Variant]:
    check_installed(key)
    game = GAMES[key]
    try:
        return game, game.variant(variant_key) if variant_key else game.variants[0]
    except KeyError as error:
        raise Refusal(
            _("{game} doesn't have that variant any more. `/games` shows what there is.", game=game.name)
        ) from error


def _seat_menu(challenge: Challenge) -> Reply:
    """Return the levels at which the bot can play in a challenge, and those that can be taken out again."""
    if challenge.players == 2:
        words = _("Nobody has accepted yet. How well shall I play? {what_levels_are}", what_levels_are=WHAT_LEVELS_ARE)
        return Reply(view=layout(words, _seat_buttons(challenge, "play", gettext_lazy("Level {level}"), LEVELS)))
    free = challenge.players - len(challenge.seated)
    words = _n(
        "Seated: {people}. {n} seat is free, and with the last one taken the match starts. {what_levels_are} "
        "With me in it, it isn't rated.",
        "Seated: {people}. {n} seats are free, and with the last one taken the match starts. {what_levels_are} "
        "With me in it, it isn't rated.",
        free,
        people=listed(called(person) for person in challenge.seated),
        what_levels_are=WHAT_LEVELS_ARE,
    )
    parts: list[Part] = [words, _seat_buttons(challenge, "seat", gettext_lazy("Add level {level}"), LEVELS)]
    if challenge.levels:
        parts.append(
            _seat_buttons(challenge, "unseat", gettext_lazy("Take out level {level}"), sorted(set(challenge.levels)))
        )
    return Reply(view=layout(*parts))


def _begun(match_id: int) -> Reply:
    return Reply(view=layout(_("Match {match_id} is on. The board is posted below.", match_id=match_id)))


def _seat_buttons(
    challenge: Challenge, verb: str, label: LazyText, levels: Sequence[int]
) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    seated = "".join(map(str, challenge.levels))
    return row(
        *(
            button(
                custom_ids.COMPUTER_SEAT(verb=verb, challenge=challenge.id, level=level, seated=seated),
                translated(label.filled(level=level)),
            )
            for level in levels
        )
    )
