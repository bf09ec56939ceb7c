"""An offer of one player to the others, to draw or to take a move back, and what became of it."""

from __future__ import annotations

from typing import Any

import discord

from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.layout import box, button, layout, row
from bot.messages.outgoing import Outgoing
from bot.messages.wording import called, last_move, title
from bot.storage.records import Offer, OfferKind, OfferState, Seat


def offer_message(match_view: MatchView, offer: Offer) -> Outgoing:
    """Return an offer with its buttons while it is open, and then with how it ended."""
    asked = _asked(match_view, offer)
    if offer.state is OfferState.OPEN:
        end: discord.ui.Item[Any] = row(
            button(marker(offer), "Accept", discord.ButtonStyle.success),
            button(custom_ids.OFFER(verb="decline", offer=offer.id), "Decline"),
            button(custom_ids.OFFER(verb="withdraw", offer=offer.id), "Withdraw"),
        )
    else:
        end = discord.ui.TextDisplay(f"**{offer.state.capitalize()}.**")
    view = layout(box(f"{_question(match_view, offer, asked)}\n-# {title(match_view.match)}", end))
    return Outgoing(view, marker(offer), (), tuple(seat.person.id for seat in asked))


def marker(offer: Offer) -> str:
    """Return the custom id by which an offer is recognised while it is open."""
    return custom_ids.OFFER(verb="accept", offer=offer.id)


def _asked(match_view: MatchView, offer: Offer) -> list[Seat]:
    """Return who may answer: everybody else, or for a take-back whoever is to move."""
    others = [seat for seat in match_view.match.seats if seat.seat != offer.seat and not seat.dropped]
    if offer.kind is OfferKind.TAKEBACK:
        return [seat for seat in others if seat.to_move] or others
    return others


def _question(match_view: MatchView, offer: Offer, asked: list[Seat]) -> str:
    names = " and ".join(called(seat.person) for seat in asked)
    asking = called(match_view.match.seats[offer.seat].person)
    if offer.kind is OfferKind.DRAW:
        return f"{asking} offers a draw to {names}."
    if offer.state is OfferState.OPEN:
        return f"{asking} would like to take back their last move. Do you agree, {names}?\n{last_move(match_view)}"
    return f"{asking} asked to take back a move."
