"""An offer of one player to the others, to draw or to take a move back, and what became of it."""

from __future__ import annotations

import discord

from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.layout import box, button, layout, row
from bot.messages.outgoing import Outgoing
from bot.messages.wording import called, last_move, title
from bot.storage.records import Offer, OfferKind, OfferState, Seat


def offer_message(match_view: MatchView, offer: Offer, move: str) -> Outgoing:
    """Return an offer with its buttons while it is open, and then with how it ended.

    ``move`` is the last one of whoever asks, which a take-back is about.
    """
    asked = _asked(match_view, offer)
    is_open = offer.state is OfferState.OPEN
    words = _question(match_view, offer, asked) if is_open else _ended(match_view, offer, asked, move)
    buttons = [
        row(
            button(marker(offer), "Accept", discord.ButtonStyle.success),
            button(custom_ids.OFFER(verb="decline", offer=offer.id), "Decline"),
            button(custom_ids.OFFER(verb="withdraw", offer=offer.id), "Withdraw"),
        )
    ]
    view = layout(box(f"{words}\n-# {title(match_view.match)}", *(buttons if is_open else [])))
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
    return f"{asking} would like to take back their last move. Do you agree, {names}?\n{last_move(match_view)}"


def _ended(match_view: MatchView, offer: Offer, asked: list[Seat], move: str) -> str:
    """Return what became of an offer: "Bob took back c1-d2; Alice agreed." """
    asking = called(match_view.match.seats[offer.seat].person)
    other = called(asked[0].person) if len(asked) == 1 else "the others"
    is_draw = offer.kind is OfferKind.DRAW
    offered = f"{asking} offered a draw" if is_draw else f"{asking} asked to take back **{move}**"
    match offer.state:
        case OfferState.ACCEPTED:
            return f"{offered}; {other} accepted." if is_draw else f"{asking} took back **{move}**; {other} agreed."
        case OfferState.DECLINED:
            return f"{offered}; {other} declined."
        case OfferState.WITHDRAWN:
            return f"{offered}, then withdrew."
    return f"{offered}, but the match went on."
