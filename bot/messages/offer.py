"""An offer to draw or to take a move back, with its answer."""

from __future__ import annotations

import discord

from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, box, button, layout, row
from bot.messages.wording import called, last_move, listed, title
from bot.storage.matches import Offer
from bot.storage.records import OfferKind, OfferState, Seat
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated


def offer_message(match_view: MatchView, offer: Offer, move: str) -> Outgoing:
    """Return an offer with its buttons while it is open, and then with how it ended.

    ``move`` is the last move of the player who asks, which a take-back is about.
    """
    asked = _asked(match_view, offer)
    is_open = offer.state is OfferState.OPEN
    words = _question(match_view, offer, asked) if is_open else _ended(match_view, offer, asked, move)
    view = layout(box(f"{words}\n-# {title(match_view.match)}", *([row(*_buttons(offer))] if is_open else [])))
    return Outgoing(view, marker(offer), (), tuple(seat.person.id for seat in asked))


def _buttons(offer: Offer) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    accept = button(marker(offer), _("Accept"), discord.ButtonStyle.success)
    decline = custom_ids.OFFER(verb="decline", offer=offer.id)
    if offer.kind is OfferKind.RESIGN:
        return [accept, button(decline, _("Play on"))]
    withdraw = custom_ids.OFFER(verb="withdraw", offer=offer.id)
    return [accept, button(decline, _("Decline")), button(withdraw, _("Withdraw"))]


def marker(offer: Offer) -> str:
    """Return the custom id by which an offer is recognised while it is open."""
    return custom_ids.OFFER(verb="accept", offer=offer.id)


def _asked(match_view: MatchView, offer: Offer) -> list[Seat]:
    """Return the seats that may answer: all others, or for a take-back those to move."""
    others = [seat for seat in match_view.match.seats if seat.seat != offer.seat and not seat.dropped]
    if offer.kind is OfferKind.TAKEBACK:
        return [seat for seat in others if seat.to_move] or others
    return others


def _question(match_view: MatchView, offer: Offer, asked: list[Seat]) -> str:
    names = listed(called(seat.person) for seat in asked)
    asking = called(match_view.match.seats[offer.seat].person)
    if offer.kind is OfferKind.DRAW:
        return _("{player} offers a draw to {opponents}.", player=asking, opponents=names)
    if offer.kind is OfferKind.RESIGN:
        return _("{player} sees no chance to win any more, and offers to resign.", player=asking)
    question = _(
        "{player} would like to take back their last move. Do you agree, {opponents}?", player=asking, opponents=names
    )
    return f"{question}\n{last_move(match_view)}"


def _ended(match_view: MatchView, offer: Offer, asked: list[Seat], move: str) -> str:
    """Return how an offer ended: "Bob took back c1-d2; Alice agreed." """
    asking = called(match_view.match.seats[offer.seat].person)
    other = called(asked[0].person) if len(asked) == 1 else _("the others")
    words = _WORDS[offer.kind]
    return translated(words.get(offer.state, words[OfferState.LAPSED]).filled(player=asking, other=other, move=move))


_DRAW = {
    OfferState.ACCEPTED: gettext_lazy("{player} offered a draw; {other} accepted."),
    OfferState.DECLINED: gettext_lazy("{player} offered a draw; {other} declined."),
    OfferState.WITHDRAWN: gettext_lazy("{player} offered a draw, then withdrew."),
    OfferState.LAPSED: gettext_lazy("{player} offered a draw, but the match went on."),
}
_TAKEBACK = {
    OfferState.ACCEPTED: gettext_lazy("{player} took back **{move}**; {other} agreed."),
    OfferState.DECLINED: gettext_lazy("{player} asked to take back **{move}**; {other} declined."),
    OfferState.WITHDRAWN: gettext_lazy("{player} asked to take back **{move}**, then withdrew."),
    OfferState.LAPSED: gettext_lazy("{player} asked to take back **{move}**, but the match went on."),
}
_RESIGN = {
    OfferState.ACCEPTED: gettext_lazy("{player} offered to resign; {other} accepted."),
    OfferState.DECLINED: gettext_lazy("{player} offered to resign; {other} plays on."),
    OfferState.LAPSED: gettext_lazy("{player} offered to resign, but the match went on."),
}
_WORDS = {OfferKind.DRAW: _DRAW, OfferKind.TAKEBACK: _TAKEBACK, OfferKind.RESIGN: _RESIGN}
