"""Challenges: sent by a command or from the menu on a person, and the buttons of a card and of a rematch."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import discord

from bot.games import GAMES
from bot.games.game import Variant
from bot.matches.model.actor import Actor
from bot.matches.model.pace import Pace, pace_in_words, parsed_pace
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.model.time_zones import zone_or_utc
from bot.matches.model.typed import WEEK
from bot.matches.services.eligibility import Terms
from bot.messages import custom_ids
from bot.messages.challenge_words import card_link
from bot.messages.layout import layout, row
from bot.messages.wording import channel, mention
from bot.requests import actions
from bot.requests.context import ChosenPerson
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage import commits, guilds, match_lists, mentions, people
from bot.storage.challenges import Challenge, all_open_of
from bot.storage.homes import is_private
from bot.storage.records import First, Person
from bot.views.against_computer import PLAYERS, ask_game, begin, check_level, games_for_two, usual_terms
from bot.views.answers import Reply
from bot.views.controls import accepting, menu, posting
from bot.views.game_menu import game_menu, known_game, page_chosen
from renderers.i18n import SEMICOLON, folded, gettext_lazy, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

_CODE = re.compile(r"(?P<code>[A-Za-z0-9_-]+)/?([?#].*)?>?$")
"""The code of a challenge, or the link that ends with it as people and programs copy it."""

WEEKS, FEWEST_WEEKS, FEWEST_MOVES, MOST_MOVES, MOSTLY = 8, 4, 10, 100, 0.8
"""Of how many weeks a person's moves tell when they play, from how many on, of how many, and what share is most."""

_OTHER_WAY = {First.CHALLENGER: First.OPPONENT, First.OPPONENT: First.CHALLENGER, First.RANDOM: First.RANDOM}
"""Who goes first for the other player of a challenge."""
ANYONE = 0
"""In the place of a person's number: the challenge is open to everyone."""
LONG = 7
"""After how many days without a move a challenger is told that a person has not moved."""


@accepting(custom_ids.CHALLENGE)
async def on_challenge(request: Request, ids: custom_ids.ChallengeAnswer) -> None:
    """Accept or join, decline, leave, start, cancel."""
    service = request.services.challenges
    verbs: dict[str, Callable[[Actor, int], Awaitable[object]]] = {
        "accept": service.accept,
        "decline": service.decline,
        "leave": service.leave,
        "start": service.start,
        "cancel": service.cancel,
    }
    await verbs[ids.verb](request.actor, ids.challenge)


@posting(custom_ids.REMATCH)
async def on_rematch(request: Request, ids: custom_ids.OfMatch) -> Reply | None:
    """Offer a rematch, or accept the one offered."""
    words, _started = await actions.rematch(request, ids.match)
    return Reply(words) if request.response is None else None


@menu(custom_ids.CHALLENGE_PERSON)
async def on_challenge_person(request: Request, ids: custom_ids.OfPerson, chosen: str) -> Reply:
    page = page_chosen(chosen)
    if page is not None:
        return await _ask_game(request, ids.person, page)
    request.check_place()
    person = None
    if ids.person != ANYONE:
        opponent = await request.context.lookup.member(request.server, ids.person)
        if opponent is None:
            raise Refusal(_("They are not in this server."))
        person = _challengeable(opponent)
    terms = usual_terms(chosen, First.RANDOM, rated=True, pace=await usual_pace(request))
    return Reply(view=layout(await _offer(request, person, terms, request.message_id)))


async def challenge(
    request: Request,
    *,
    game: str | None,
    opponent: ChosenPerson | None,
    variant: str | None,
    pace: str | None,
    first: First,
    players: int | None,
    rated: bool,
    level: int | None,
    code: str | None,
) -> Reply | None:
    """Store a challenge; its card follows from the outbox. A match against the bot begins at once. Raises ``Refusal``.

    ``pace`` is as it was typed; None is the server's usual one. Outside of servers with the bot nothing is rated or
    timed, and the card is the answer. With a ``code``, or the link that ends with it, that challenge is taken up.
    """
    if code is not None:
        typed = _CODE.search(code.strip())
        return await _take_up(request, "" if typed is None else typed["code"])
    if game is None and (request.place.guild_id is None or (variant, pace, players, level) != (None,) * 4):
        raise Refusal(_("Choose a game: `/games` shows them all."))
    request.check_place()
    if game is None:
        return await _ask_game(request, ANYONE) if opponent is None else await ask_game_for(request, opponent)
    game = known_game(game)
    chosen = chosen_variant(game, variant)
    if request.place.answered:
        if opponent is not None and opponent.itself:
            raise Refusal(_("Play me with `/play`: our board is then in our direct messages."))
        person = None if opponent is None else _challengeable(replace(opponent, member=True))
        terms = Terms(game, chosen.key, players or 2, first, language=await request.public_language())
        await request.services.challenges.offer(request.actor, person, terms, code=_new_code(request, person))
        return None
    seats = players or (chosen.players.stop - 1 if opponent is None else chosen.players.start)
    against_bot = opponent is not None and opponent.itself and seats <= PLAYERS
    timed = parsed_pace(pace) if pace is not None else None if against_bot else await usual_pace(request)
    terms = Terms(game, chosen.key, seats, first, rated and not against_bot).at(timed)
    if opponent is not None and opponent.itself:
        if against_bot:
            return await begin(request, terms, level)
        # The bot has a seat, and others take the free ones.
        if level is None:
            level = await request.services.computer_opponents.usual_level(request.person, game)
        check_level(level)
        return Reply(await _offer(request, None, terms, level=level))
    if level is not None:
        raise Refusal(_("A level is for matches against me. Choose me as the opponent, or leave the level out."))
    return Reply(await _offer(request, None if opponent is None else _challengeable(opponent), terms))


async def ask_game_for(request: Request, opponent: ChosenPerson) -> Reply:
    """Ask for the game to challenge a person to. Raises ``Refusal`` where they cannot be challenged."""
    request.check_place()
    if opponent.itself:
        return await ask_game(request)
    if opponent.person.id == request.person.id:
        raise Refusal(_("You can't challenge yourself. `/challenge` without an opponent is open to anyone."))
    return await _ask_game(request, _challengeable(opponent).id)


async def _ask_game(request: Request, user_id: int, page: int = 0) -> Reply:
    pace = pace_in_words(await usual_pace(request))
    if user_id == ANYONE:
        words = _(
            "### Challenge anyone\n-# Random first player · {pace} · rated. `/challenge` lets you choose all that.",
            pace=pace,
        )
    else:
        words = _(
            "### Challenge {person}\n-# Random first player · {pace} · rated. `/challenge` lets you choose all that.",
            person=mention(user_id),
            pace=pace,
        )
    menu = game_menu(custom_ids.CHALLENGE_PERSON(person=user_id), games_for_two(), page)
    return Reply(view=layout(words, row(menu)))


async def _offer(
    request: Request,
    opponent: Person | None,
    terms: Terms,
    asked: int | None = None,
    level: int | None = None,
) -> str:
    """Store a challenge and return the answer. Raises ``Refusal``.

    Where there are too many, those whose cards are deleted are called off first. ``asked`` is the message with the
    question this answers, if any: it is answered once. ``level`` is that of a computer player with a seat.
    """
    sent_from, request = request.channel, await request.in_public()
    service = request.services.challenges
    send = partial(
        service.offer,
        replace(request.actor, interaction_id=asked or request.id),
        opponent,
        replace(terms, language=await request.public_language()),
        levels=() if level is None else (level,),
        code=_new_code(request, opponent),
    )
    try:
        await send()
    except LimitReached:
        called_off = False
        for card in await request.services.read(all_open_of, request.server, request.person.id):
            posted = card.message_id is not None
            if posted and await request.context.lookup.message_is_gone(card.channel_id, card.message_id or 0):
                with commits.untracked():
                    await service.drop(card.id)
                called_off = True
        if not called_off:
            raise
        await send()
    absent = "" if opponent is None else await read_or(_absent(request, opponent), "")
    advice = await read_or(_longer_pace(request, Pace.of(terms.pace, terms.increment)), "")
    return prose(
        filter(None, [_sent(None if request.channel == sent_from else request.channel, level), absent, advice])
    )


def _new_code(request: Request, opponent: Person | None) -> str | None:
    """Return a code for a challenge that anybody may accept, where people without an account are shown such by link."""
    return secrets.token_urlsafe(16) if opponent is None and request.context.settings.watched_url else None


async def _take_up(request: Request, code: str) -> Reply | None:
    """Accept the challenge of a code, as its card's button would; elsewhere lead there. Raises ``Refusal``.

    One that was made where the bot only answers is taken up in another such place as a challenge to its challenger, who
    shows there that they are in it.
    """
    service = request.services.challenges
    challenge = await service.of_code(code, request.person)
    if challenge.guild_id == request.home and await _sees(request, challenge):
        await service.accept(request.actor, challenge.id)
        return None if request.response is not None else Reply(_("Accepted: {link}", link=card_link(challenge)))
    if not is_private(challenge.guild_id):
        return Reply(_("You can accept this challenge where it was made: {link}", link=card_link(challenge)))
    if not request.place.answered:
        raise Refusal(_("Use this code in Discord where you can write to the challenger, in a chat or a group."))
    terms = Terms(challenge.game, challenge.variant, 2, _OTHER_WAY[challenge.first])
    terms = replace(terms, language=await request.public_language())
    await service.offer(request.actor, challenge.joined[0], terms)
    return None


async def _sees(request: Request, challenge: Challenge) -> bool:
    """Return whether a person may see the card of a challenge of the place where they are."""
    visible = request.context.lookup.visible
    return challenge.channel_id in await visible(challenge.guild_id, [challenge.channel_id], request.person.id)


def _sent(elsewhere: int | None, level: int | None) -> str:
    """Return that a challenge is posted: below, or in another channel."""
    if elsewhere is None:
        if level is None:
            return _("Challenge sent. It's posted below.")
        return _("Challenge sent, with me at level {level}. It's posted below.", level=level)
    place = channel(elsewhere)
    if level is None:
        return _("Challenge sent. It's posted in {channel}.", channel=place)
    return _("Challenge sent, with me at level {level}. It's posted in {channel}.", level=level, channel=place)


async def _absent(request: Request, opponent: Person) -> str:
    """Return that a challenged person is away, or has not moved in the server for long; else nothing."""
    until = (await request.services.read(people.stops, opponent.id, request.at)).away_until
    if until is not None:
        day = discord.utils.format_dt(until, "D")
        return _("{person} is away until {day}.", person=mention(opponent.id), day=day)
    moved_at = await request.services.read(mentions.last_act, request.server, opponent.id)
    days = 0 if moved_at is None else (request.at - moved_at).days
    if days < LONG:
        return ""
    return _n(
        "{person} hasn't moved in this server for {n} day.",
        "{person} hasn't moved in this server for {n} days.",
        days,
        person=mention(opponent.id),
    )


async def _longer_pace(request: Request, pace: Pace | None) -> str:
    """Return the advice to play with more time, for a person whose own moves lately were at weekends; else nothing."""
    if pace is None or pace.live or pace.seconds >= WEEK:
        return ""
    since = request.at - timedelta(weeks=WEEKS)
    moved = await request.services.read(match_lists.moves_of_person, request.person.id, since, limit=MOST_MOVES)
    zone = zone_or_utc(request.preferences.zone)
    days = [at.astimezone(zone).isocalendar() for at in moved]
    at_weekends = sum(day.weekday > 5 for day in days)
    few = len(moved) < FEWEST_MOVES or len({(day.year, day.week) for day in days}) < FEWEST_WEEKS
    if few or at_weekends < len(moved) * MOSTLY:
        return ""
    return _("You have mostly moved at weekends lately: a week a move may suit you better.")


async def usual_pace(request: Request) -> Pace | None:
    """Return the pace of a server's challenges that name none."""
    settings = await request.services.read(guilds.settings, request.server)
    return Pace.of(settings.pace, settings.increment)


def _challengeable(opponent: ChosenPerson) -> Person:
    """Return a person to challenge. Raises ``Refusal`` for bots and for people who are not in the server."""
    if opponent.bot:
        raise Refusal(_("You can only challenge people, and me; other bots don't play here."))
    if not opponent.member:
        raise Refusal(gettext_lazy("{person} isn't in this server."), person=opponent.person.name)
    return opponent.person


def chosen_variant(game: str, key: str | None) -> Variant:
    """Return the variant that a text means: its key or its name; the first for None. Raises ``Refusal``."""
    if game not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    variants = GAMES[game].variants
    for variant in variants:
        if key is None or folded(key) in map(folded, (variant.key, variant.name, translated(variant.name))):
            return variant
    every = translated(SEMICOLON).join(translated(variant.name) for variant in variants)
    raise Refusal(_("{game} doesn't have that variant. It has: {variants}.", game=GAMES[game].name, variants=every))
