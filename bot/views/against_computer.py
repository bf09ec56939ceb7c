"""Matches against the bot itself: begun from a game, from the menu on the bot, or in an open challenge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import discord

from bot.games import GAMES, game_named
from bot.games.faults import of_each
from bot.games.game import Game, Variant
from bot.matches.model.pace import Pace
from bot.matches.model.refusals import NOT_PLAYING, Refusal, check_installed
from bot.matches.services.eligibility import Terms
from bot.messages import custom_ids
from bot.messages.layout import OPTION_LIMIT, Part, button, layout, row, rows, select
from bot.messages.wording import listed, mention_or_name, shorten
from bot.opponents import LEVELS, levels_of
from bot.requests.request import Request
from bot.storage.challenges import Challenge
from bot.storage.records import First
from bot.views.answers import Reply
from bot.views.controls import in_place, menu, privately
from bot.views.game_menu import game_menu, known_game, page_chosen
from renderers.i18n import LazyText, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PLAYERS = 2
"""Seats of a match that is begun without terms: against the bot, or from the menu on a person."""


@privately(custom_ids.COMPUTER_LEVELS)
async def on_computer_levels(request: Request, ids: custom_ids.OfVariant) -> Reply:
    """Ask for the level at which the bot plays."""
    return await ask_level(request, ids.game, ids.variant)


@menu(custom_ids.COMPUTER_VARIANT)
async def on_computer_variant(request: Request, ids: custom_ids.OfGame, variant: str) -> Reply:
    """Ask for the level at which the bot plays another variant."""
    return await ask_level(request, ids.game, variant)


@in_place(custom_ids.COMPUTER_MATCH)
async def on_computer_match(request: Request, ids: custom_ids.ComputerMatch) -> Reply:
    """Begin a match against the bot."""
    request.check_place()
    game, variant = _installed_game(ids.game, ids.variant)
    terms = Terms(game.key, variant.key, PLAYERS, First.CHALLENGER, rated=False)
    begun = await begin(request, terms, ids.level, ids.asked)
    return Reply(view=layout(begun.text or ""))


@in_place(custom_ids.AGAINST_BOT_LEVEL)
async def on_against_bot_level(request: Request, ids: custom_ids.OfLevel) -> Reply:
    """Choose the level, in the menu on the bot."""
    return await ask_game(request, ids.level)


@menu(custom_ids.AGAINST_BOT)
async def on_against_bot(request: Request, ids: custom_ids.OfLevel, chosen: str) -> Reply:
    """Begin a match against the bot in the chosen game."""
    page = page_chosen(chosen)
    if page is not None:
        return await ask_game(request, ids.level, page)
    request.check_place()
    terms = usual_terms(chosen, First.CHALLENGER, rated=False)
    begun = await begin(request, terms, ids.level, request.message_id)
    return Reply(view=layout(begun.text or ""))


@privately(custom_ids.NEXT_LEVEL)
async def on_next_level(request: Request, ids: custom_ids.NextLevel) -> Reply:
    """Begin a match like one against the bot, at another level; once from each message."""
    request.check_place()
    match = (await request.services.queries.match_view(request.home, ids.match)).match
    if match.seat_of(request.person.id) is None:
        raise Refusal(NOT_PLAYING)
    terms = Terms(match.game, match.variant, PLAYERS, First.CHALLENGER, rated=False)
    terms = terms.at(Pace.of(match.pace, match.increment))
    return await begin(request, terms, ids.level, request.message_id)


@privately(custom_ids.COMPUTER_SEATS)
async def on_computer_seats(request: Request, ids: custom_ids.OfChallenge) -> Reply:
    """Ask the challenger for the level at which the bot plays."""
    return _seat_menu(await request.services.computer_opponents.own(request.actor, ids.challenge))


@in_place(custom_ids.COMPUTER_SEAT)
async def on_computer_seat(request: Request, ids: custom_ids.ComputerSeat) -> Reply:
    """Begin a match against the bot from a challenge, give the bot a seat, or take one away."""
    service = request.services.computer_opponents
    check_level(ids.level)
    if ids.verb == "play":
        return _match_is_on(await service.take_up(request.actor, ids.challenge, ids.level))
    change = service.seat if ids.verb == "seat" else service.unseat
    changed = await change(request.actor, ids.challenge, ids.level, ids.seated)
    return _seat_menu(changed.challenge) if changed.match_id is None else _match_is_on(changed.match_id)


async def start(request: Request, terms: Terms, level: int, asked: int | None = None) -> int:
    """Start a match against the bot, which accepts at once, and return its id.

    ``asked`` is the question this answers, if any. Raises ``Refusal``.
    """
    check_level(level)
    return await request.services.computer_opponents.play(
        request.actor, level, replace(terms, language=await request.public_language()), asked=asked
    )


async def begin(request: Request, terms: Terms, level: int | None = None, asked: int | None = None) -> Reply:
    """Start a match against the bot and return the answer to the person who asked. Raises ``Refusal``.

    Without a level it is the one that fits them in the game, see ``ComputerOpponents.usual_level``. A level beyond the
    strongest of the game is that one.
    """
    if level is None:
        level = await request.services.computer_opponents.usual_level(request.person, terms.game)
    level = min(level, levels_of(game_named(terms.game))[-1])
    return begun(await start(request, terms, level, asked), level, outside=request.place.outside)


async def play(request: Request, key: str, level: int | None) -> Reply:
    """Start a match against the bot in the usual variant of a game; the person goes first. Raises ``Refusal``."""
    request.check_place()
    return await begin(request, usual_terms(known_game(key), First.CHALLENGER, rated=False), level)


def begun(match_id: int, level: int, *, outside: bool = False) -> Reply:
    """Return the answer to the person whose match against the bot has begun, there or ``outside``."""
    if outside:
        words = _(
            "Match {match_id} is on, against me at level {level}. Its board is in our direct messages.",
            match_id=match_id,
            level=level,
        )
        return Reply(words)
    return Reply(
        _(
            "Match {match_id} is on, against me at level {level}. `/matches` leads to its board.",
            match_id=match_id,
            level=level,
        )
    )


def play_button(game: Game, variant: Variant | None = None) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the button by which a game is played against the bot, where two can play it."""
    if PLAYERS not in (variant or game.variants[0]).players:
        return []
    levels = custom_ids.COMPUTER_LEVELS(game=game.key, variant="" if variant is None else variant.key)
    return [button(levels, _("Play the bot"), discord.ButtonStyle.success)]


async def ask_game(_request: Request, level: int = LEVELS[0], page: int = 0) -> Reply:
    """Ask for the game of a match against the bot at a level, with one page of the games, the first being 0.

    Raises ``Refusal`` for an unknown level.
    """
    check_level(level)
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    levels = [
        button(
            custom_ids.AGAINST_BOT_LEVEL(level=offered),
            _("Level {level}", level=offered),
            primary if offered == level else secondary,
        )
        for offered in LEVELS
    ]
    words = _(
        "### Play against me at level {level}\nLevel {first} is a beginner, {last} the strongest. The match begins "
        "as soon as you have chosen a game. You go first.",
        level=level,
        first=LEVELS[0],
        last=LEVELS[-1],
    )
    menu = game_menu(custom_ids.AGAINST_BOT(level=level), games_for_two(), page)
    return Reply(view=layout(words, *rows(levels), row(menu)))


def usual_terms(key: str, first: First, *, rated: bool, pace: Pace | None = None) -> Terms:
    """Return the terms of a game for two in its usual variant. Raises ``Refusal`` for an unknown game."""
    game = GAMES.get(key)
    if game is None or game not in games_for_two():
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    return Terms(game.key, game.variants[0].key, PLAYERS, first, rated).at(pace)


def games_for_two() -> list[Game]:
    """Return the games that two can play in the usual variant."""
    games = of_each(lambda game: (game, PLAYERS in game.variants[0].players), GAMES.values())
    return [game for game, for_two in games if for_two]


async def ask_level(request: Request, key: str, variant_key: str) -> Reply:
    """Return the menu of levels for a game in one of its variants. Raises ``Refusal``."""
    game, variant = _installed_game(key, variant_key)
    usual = await request.services.computer_opponents.usual_level(request.person, game.key)
    assert isinstance(request.id, int)
    chosen = [
        button(
            custom_ids.COMPUTER_MATCH(level=level, game=game.key, variant=variant.key, asked=request.id),
            _("Level {level}", level=level),
            discord.ButtonStyle.success if level == usual else discord.ButtonStyle.secondary,
        )
        for level in levels_of(game)
    ]
    parts: list[Part] = [
        _(
            "### {game} against me\nYou go first. How strong should I be? {what_levels_are}",
            game=game.name,
            what_levels_are=_what_levels_are(game),
        ),
        *rows(chosen),
    ]
    others = [other for other in game.variants if PLAYERS in other.players]
    if len(others) > 1:
        options = [
            discord.SelectOption(
                label=shorten(other.name, OPTION_LIMIT),
                value=other.key,
                description=shorten(other.description, OPTION_LIMIT) or None,
                default=other == variant,
            )
            for other in others
        ]
        parts.append(row(select(custom_ids.COMPUTER_VARIANT(game=game.key), _("Another variant"), options)))
    return Reply(view=layout(*parts))


def check_level(level: int) -> None:
    """Raise ``Refusal`` for a level that the bot does not have."""
    if level not in LEVELS:
        raise Refusal(_("I play at levels {first} to {last}.", first=LEVELS[0], last=LEVELS[-1]))


def _installed_game(key: str, variant_key: str) -> tuple[Game, Variant]:
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
    game = game_named(challenge.game)
    levels, what_levels_are = levels_of(game), _what_levels_are(game)
    if challenge.players == 2:
        words = _("Nobody has accepted yet. How strong should I be? {what_levels_are}", what_levels_are=what_levels_are)
        return Reply(view=layout(words, *_seat_buttons(challenge, "play", gettext_lazy("Level {level}"), levels)))
    free = challenge.players - len(challenge.seated)
    words = _n(
        "Seated: {people}. {n} seat is free; the match starts when it's taken. {what_levels_are} With me in it, it "
        "isn't rated.",
        "Seated: {people}. {n} seats are free; the match starts when the last one is taken. {what_levels_are} With "
        "me in it, it isn't rated.",
        free,
        people=listed(mention_or_name(person) for person in challenge.seated),
        what_levels_are=what_levels_are,
    )
    parts: list[Part] = [words, *_seat_buttons(challenge, "seat", gettext_lazy("Add level {level}"), levels)]
    if challenge.levels:
        parts += _seat_buttons(challenge, "unseat", gettext_lazy("Remove level {level}"), sorted(set(challenge.levels)))
    return Reply(view=layout(*parts))


def _what_levels_are(game: Game) -> str:
    levels = levels_of(game)
    return _("Level {first} is a friendly beginner, level {last} the strongest.", first=levels[0], last=levels[-1])


def _match_is_on(match_id: int) -> Reply:
    return Reply(view=layout(_("Match {match_id} is on. The board is posted below.", match_id=match_id)))


def _seat_buttons(
    challenge: Challenge, verb: Literal["play", "seat", "unseat"], label: LazyText, levels: Sequence[int]
) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    seated = tuple(challenge.levels)
    return rows(
        [
            button(
                custom_ids.COMPUTER_SEAT(verb=verb, challenge=challenge.id, level=level, seated=seated),
                translated(label.filled(level=level)),
            )
            for level in levels
        ]
    )
