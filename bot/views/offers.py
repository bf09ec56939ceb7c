"""Draws, take-backs, claims and closed matches: offered or asked for by a command or a button, and answered."""

from __future__ import annotations

from typing import Literal

import discord

from bot.matches.model.pace import pace_in_words, parsed_pace
from bot.matches.model.refusals import NOT_PLAYING, Refusal
from bot.matches.services.agreements import Answer
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row, select
from bot.messages.wording import title
from bot.requests import actions, looking
from bot.requests.actions import LABELS, Action
from bot.requests.request import Request
from bot.storage.records import Match, OfferState
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import accepting, in_place, menu, privately
from bot.views.which_match import resolve_match_id
from renderers.i18n import gettext as _


@accepting(custom_ids.OFFER)
async def on_offer(request: Request, ids: custom_ids.OfferAnswer) -> None:
    """Accept, decline or withdraw."""
    await request.services.agreements.answer(request.actor, ids.offer, Answer(ids.verb))


@in_place(custom_ids.DRAW)
async def on_draw(request: Request, ids: custom_ids.TurnAnswer) -> Reply:
    """Offer a draw to the bot, or do not."""
    words = await actions.offer_draw(request, ids.match, ids.ply) if ids.sure else _("You play on.")
    return Reply(view=layout(words))


@privately(custom_ids.CLAIM)
async def on_claim(request: Request, ids: custom_ids.OfTurn) -> Reply:
    """Claim the win because the opponent's time is up or they are gone."""
    return await claim_win(request, ids.match, ids.ply)


@privately(custom_ids.CLOSE)
async def on_close(request: Request, ids: custom_ids.OfTurn) -> Reply:
    """Ask the player to confirm that they close the match."""
    return await ask_to_close(request, ids.match, ids.ply)


@in_place(custom_ids.CLOSE_ANSWER)
async def on_close_answer(request: Request, ids: custom_ids.TurnAnswer) -> Reply:
    """Close the match, or do not."""
    words = await actions.close(request, ids.match, ids.ply) if ids.sure else _("You play on.")
    return Reply(view=layout(words))


@privately(custom_ids.ASK)
async def on_ask(request: Request, ids: custom_ids.Ask) -> Reply:
    """Offer a draw, or ask to take the last move back."""
    ask = offer_draw if ids.verb == "draw" else ask_takeback
    return await ask(request, ids.match, ids.ply)


async def offer_draw(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Offer a draw, or accept the one offered; an offer to the bot is asked first. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number)
    match = await request.services.agreements.may_offer_draw(request.actor, match_id, ply)
    if match.answered:
        return _to_post(match, "draw", Action.DRAW)
    if not match.alone:
        return Reply(await actions.offer_draw(request, match_id, ply))
    question = _("Do you want to offer me a draw in **{match}**? If I agree, the match is over.", match=title(match))
    yes, no = (custom_ids.DRAW(sure=sure, match=match.id, ply=match.ply) for sure in (True, False))
    buttons = row(button(yes, _("Offer a draw"), discord.ButtonStyle.primary), button(no, _("No, play on")))
    return Reply(view=layout(question, buttons))


async def ask_to_close(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Return the question whether the player means to close a match. Raises ``Refusal`` where it can't be closed."""
    match_id = await resolve_match_id(request, number)
    match = await request.services.forfeits.may_close(request.actor, match_id, ply)
    question = _("Do you want to close **{match}**? Then it counts for nobody.", match=title(match))
    yes, no = (custom_ids.CLOSE_ANSWER(sure=sure, match=match.id, ply=match.ply) for sure in (True, False))
    buttons = row(button(yes, LABELS[Action.CLOSE], discord.ButtonStyle.danger), button(no, _("No, play on")))
    return Reply(view=layout(question, buttons))


async def offer_pace(request: Request, typed: str, number: int | None) -> Reply:
    """Offer another pace, or accept the one offered. Raises ``Refusal``."""
    pace, match_id = parsed_pace(typed), await resolve_match_id(request, number)
    state = await request.services.agreements.offer_pace(request.actor, match_id, None, pace)
    if state is OfferState.OPEN:
        return Reply(_("You have offered another pace: {pace}.", pace=pace_in_words(pace)))
    return Reply(_("From now on the pace is {pace}.", pace=pace_in_words(pace)))


@privately(custom_ids.PAUSE)
async def on_pause(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Ask how long a pause is to be."""
    match = (await looking.match_view(request, ids.match)).match
    if match.seat_of(request.person.id) is None:
        raise Refusal(NOT_PLAYING)
    options = [discord.SelectOption(label=label, value=str(days)) for days, label in actions.pauses().items()]
    menu = select(custom_ids.PAUSE_DAYS(match.id), _("How long?"), options)
    return Reply(view=layout(actions.about_pause(match), row(menu)))


@menu(custom_ids.PAUSE_DAYS)
async def on_pause_days(request: Request, ids: custom_ids.OfMatch, days: str) -> Reply:
    """Offer a pause, or accept the one offered."""
    if days not in map(str, actions.PAUSES):
        raise Refusal(NOT_OFFERED)
    return Reply(view=layout(await actions.pause(request, ids.match, int(days))))


@privately(custom_ids.PAUSE_END)
async def on_pause_end(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Let the clock go on."""
    return Reply(await actions.pause(request, ids.match, 0))


async def pause(request: Request, days: int, number: int | None) -> Reply:
    """Offer a pause of some days, accept the one offered, or end one with 0 days. Raises ``Refusal``."""
    return Reply(await actions.pause(request, await resolve_match_id(request, number), days))


async def ask_takeback(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Ask to take one's own last move back. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number)
    match = (await looking.match_view(request, match_id)).match if request.place.answered else None
    if match is not None and match.answered:
        return _to_post(match, "takeback", Action.ASK_TAKE_BACK)
    return Reply(await actions.take_back(request, match_id, ply))


def _to_post(match: Match, verb: Literal["draw", "takeback"], action: Action) -> Reply:
    """Return the button by which something is offered where the bot only answers: its answer is the offer."""
    offers = button(custom_ids.POST(verb, match.id, match.ply), LABELS[action], discord.ButtonStyle.primary)
    return Reply(view=layout(f"**{title(match)}**", row(offers)))


async def claim_win(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Claim the win. Raises ``Refusal`` while the opponent has time and is here."""
    if await actions.claim_win(request, await resolve_match_id(request, number), ply):
        return Reply(_("You won. The final board is posted below."))
    return Reply(_("They are out of the game. The new board is posted below."))
