"""Challenges: sent by a command or from the menu on a person, and the buttons of a card and of a rematch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.games import GAMES
from bot.games.game import Variant
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.services.eligibility import Terms
from bot.matches.writing.clocks import pace_in_words
from bot.messages import custom_ids
from bot.messages.layout import layout, row
from bot.messages.wording import mention
from bot.requests import acts
from bot.requests.context import ChosenPerson
from bot.requests.request import Request
from bot.storage import commits
from bot.storage.records import First, Person
from bot.views.against_computer import PLAYERS, ask_game, begin, check_level, games_for_two, usual_terms
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Choice, Control
from bot.views.game_menu import game_menu, known_game, page_chosen
from renderers.i18n import SEMICOLON, gettext_lazy, translated
from renderers.i18n import gettext as _


class ChallengeButton(Control, of=custom_ids.CHALLENGE):
    """Accept or Join, Decline, Leave, Start, Cancel."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, _act, match["verb"], int(match["challenge"]))


class RematchButton(Control, of=custom_ids.REMATCH):
    """Offers a rematch, or accepts the one offered."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _rematch, int(match["match"]))


class PersonGameChoice(Choice, of=custom_ids.CHALLENGE_PERSON):
    """Challenges a person to the chosen game."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        page, person = page_chosen(value), int(match["person"])
        if page is not None:
            await answer_in_place(interaction, _game_asked, person, page)
            return
        asked = None if interaction.message is None else interaction.message.id
        await answer_in_place(interaction, _challenge_person, person, value, asked)


async def challenge(
    request: Request,
    game: str,
    opponent: ChosenPerson | None,
    variant: str | None,
    pace: int | None,
    first: First,
    players: int | None,
    level: int | None,
    *,
    rated: bool,
) -> Reply:
    """Store a challenge; its card follows from the outbox. A match against the bot begins at once. Raises ``Refusal``.

    ``pace`` is in seconds, 0 for no limit and None for the server's usual one.
    """
    request.check_place()
    game = known_game(game)
    chosen = chosen_variant(game, variant)
    seats = players or (chosen.players.stop - 1 if opponent is None else chosen.players.start)
    usual = (await request.services.server_settings.of(request.server)).pace
    terms = Terms(game, chosen.key, seats, first, rated, usual if pace is None else pace or None)
    if opponent is not None and opponent.itself:
        if terms.players > PLAYERS:
            return await _offer_with_bot(request, terms, level)
        return await begin(request, replace(terms, rated=False, pace=pace or None), level)
    if level is not None:
        raise Refusal(_("A level is for matches against me. Choose me as the opponent, or leave the level out."))
    return await _offer(request, None if opponent is None else _checked(opponent), terms)


async def ask_game_for(request: Request, opponent: ChosenPerson) -> Reply:
    """Ask for the game to challenge a person to. Raises ``Refusal`` where they cannot be challenged."""
    request.check_place()
    if opponent.itself:
        return await ask_game(request)
    if opponent.person.id == request.person.id:
        raise Refusal(_("You can't challenge yourself. `/challenge` without an opponent is open to anyone."))
    return await _game_asked(request, _checked(opponent).id)


async def _game_asked(request: Request, user_id: int, page: int = 0) -> Reply:
    """Return one page of the games to challenge a person to."""
    pace = (await request.services.server_settings.of(request.server)).pace
    words = _(
        "### Challenge {person}\n-# Random first player · {pace} · rated. `/challenge` lets you choose all that.",
        person=mention(user_id),
        pace=pace_in_words(pace),
    )
    menu = game_menu(custom_ids.CHALLENGE_PERSON(person=user_id), games_for_two(), page)
    return Reply(view=layout(words, row(menu)))


async def _act(request: Request, verb: str, challenge_id: int) -> None:
    """Accept a challenge, decline it, leave it, start it or cancel it. Raises ``Refusal``."""
    act = getattr(request.services.challenges, verb)
    await act(request.server, challenge_id, request.person, request.id)


async def _rematch(request: Request, match_id: int) -> Reply:
    words, _started = await acts.rematch(request, match_id)
    return Reply(words)


async def _challenge_person(request: Request, user_id: int, game: str, asked: int | None) -> Reply:
    request.check_place()
    opponent = await request.context.servers.member(request.server, user_id)
    if opponent is None:
        raise Refusal(_("They are not in this server."))
    person = _checked(opponent)
    pace = (await request.services.server_settings.of(request.server)).pace
    sent = await _offer(request, person, usual_terms(game, First.RANDOM, rated=True, pace=pace), asked)
    return Reply(view=layout(sent.text or ""))


async def _offer(
    request: Request,
    opponent: Person | None,
    terms: Terms,
    asked: int | None = None,
    levels: Sequence[int] = (),
) -> Reply:
    """Store a challenge. Where there are too many, call off those whose cards are deleted first. Raises ``Refusal``.

    ``asked`` is the message with the question this answers, if any: it is answered once. ``levels`` are those of
    computer players with a seat.
    """
    send = partial(
        request.services.challenges.offer,
        request.server,
        request.channel,
        request.person,
        opponent,
        replace(terms, language=await request.public_language()),
        asked or request.id,
        parent_id=request.place.parent_id,
        levels=levels,
    )
    try:
        await send()
    except LimitReached:
        if not await _drop_unseen(request):
            raise
        await send()
    return Reply(_("Challenge sent. It's posted below."))


async def _offer_with_bot(request: Request, terms: Terms, level: int | None) -> Reply:
    """Store an open challenge in which the bot has a seat: others take the free ones. Raises ``Refusal``."""
    if level is None:
        level = await request.services.computer_opponents.usual_level(request.person, terms.game)
    check_level(level)
    await _offer(request, None, terms, levels=(level,))
    return Reply(_("Challenge sent, with me at level {level}. It's posted below.", level=level))


async def _drop_unseen(request: Request) -> bool:
    """Call off the person's challenges whose cards are deleted; return whether there were any."""
    service, dropped = request.services.challenges, False
    for open_challenge in await service.open_of(request.server, request.person):
        place_id, message_id = open_challenge.channel_id, open_challenge.message_id
        if message_id is not None and await request.context.servers.message_is_gone(place_id, message_id):
            with commits.aside():
                await service.drop(open_challenge.id)
            dropped = True
    return dropped


def _checked(opponent: ChosenPerson) -> Person:
    """Return a person to challenge. Raises ``Refusal`` for bots and for people who are not in the server."""
    if opponent.bot:
        raise Refusal(_("You can only challenge people, and me; other bots don't play here."))
    if not opponent.member:
        raise Refusal(gettext_lazy("{person} isn't in this server."), person=opponent.person.name)
    return opponent.person


def chosen_variant(game: str, key: str | None) -> Variant:
    if game not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    known = GAMES[game].variants
    found = [variant for variant in known if key is None or key.casefold() in _names(variant)]
    if not found:
        names = translated(SEMICOLON).join(translated(variant.name) for variant in known)
        raise Refusal(_("{game} doesn't have that variant. It has: {variants}.", game=GAMES[game].name, variants=names))
    return found[0]


def _names(variant: Variant) -> tuple[str, ...]:
    """Return the names by which a variant may be chosen."""
    return variant.key, variant.name.casefold(), translated(variant.name).casefold()
