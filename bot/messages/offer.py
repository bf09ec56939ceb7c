"""An offer to draw, to take a move back or to play at another pace, with its answer."""

from __future__ import annotations

import discord

from bot.matches.model.pace import Pace, pace_in_words
from bot.matches.model.typed import DAY
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, box, button, layout, row
from bot.messages.wording import last_move, listed, mention_or_name, title
from bot.storage.matches import Offer
from bot.storage.records import OfferKind, OfferState, Seat
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated
from renderers.i18n import ngettext as _n


def offer_message(match_view: MatchView, offer: Offer, move: str) -> Outgoing:
    """Return an offer with its buttons while it is open, and then with how it ended.

    ``move`` is the last move of the player who asks, which a take-back is about.
    """
    others = [seat for seat in match_view.match.seats if seat.seat != offer.seat and not seat.dropped]
    # All others may answer, or for a take-back the one to move.
    to_move = match_view.match.to_move if offer.kind is OfferKind.TAKEBACK else None
    asked = [seat for seat in others if seat.seat == to_move] or others
    notified = tuple(seat.person.id for seat in asked)
    foot = f"-# {title(match_view.match)}"
    if offer.state is not OfferState.OPEN:
        # How it ended: "Bob took back c1-d2; Alice agreed."
        asking = mention_or_name(match_view.match.seats[offer.seat].person)
        other = mention_or_name(asked[0].person) if len(asked) == 1 else _("the others")
        told = _WORDS[offer.kind].get(offer.state, _WORDS[offer.kind][OfferState.LAPSED])
        words = translated(told.filled(player=asking, other=other, move=move, pace=_pace(offer)))
        return Outgoing(layout(box(f"{words}\n{foot}")), marker(offer), (), notified)
    accept = button(marker(offer), _("Accept"), discord.ButtonStyle.success)
    decline = custom_ids.OFFER(verb="decline", offer=offer.id)
    if offer.kind is OfferKind.RESIGN:
        buttons = [accept, button(decline, _("Play on"))]
    else:
        withdraw = custom_ids.OFFER(verb="withdraw", offer=offer.id)
        buttons = [accept, button(decline, _("Decline")), button(withdraw, _("Withdraw"))]
    view = layout(box(f"{_question(match_view, offer, asked)}\n{foot}", row(*buttons)))
    return Outgoing(view, marker(offer), (), notified)


def marker(offer: Offer) -> str:
    """Return the custom id by which an offer is recognised while it is open."""
    return custom_ids.OFFER(verb="accept", offer=offer.id)


def _question(match_view: MatchView, offer: Offer, asked: list[Seat]) -> str:
    names = listed(mention_or_name(seat.person) for seat in asked)
    asking = mention_or_name(match_view.match.seats[offer.seat].person)
    if offer.kind is OfferKind.DRAW:
        return _("{player} offers a draw to {opponents}.", player=asking, opponents=names)
    if offer.kind is OfferKind.PACE:
        return _(
            "{player} offers another pace: **{pace}**. Everybody's time begins anew. Do you agree, {opponents}?",
            player=asking,
            pace=_pace(offer),
            opponents=names,
        )
    if offer.kind is OfferKind.PAUSE:
        days = (offer.pace or 0) // DAY
        return _n(
            "{player} offers a pause of {n} day, which each of you can end. Do you agree, {opponents}?",
            "{player} offers a pause of {n} days, which each of you can end. Do you agree, {opponents}?",
            days,
            player=asking,
            opponents=names,
        )
    if offer.kind is OfferKind.RESIGN:
        return _("{player} sees no chance to win any more, and offers to resign.", player=asking)
    question = _(
        "{player} would like to take back their last move. Do you agree, {opponents}?", player=asking, opponents=names
    )
    return f"{question}\n{last_move(match_view)}"


def _pace(offer: Offer) -> str:
    return translated(pace_in_words(Pace.of(offer.pace, offer.increment)))


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
_PACE = {
    OfferState.ACCEPTED: gettext_lazy("{player} offered another pace, {pace}; {other} accepted."),
    OfferState.DECLINED: gettext_lazy("{player} offered another pace, {pace}; {other} declined."),
    OfferState.WITHDRAWN: gettext_lazy("{player} offered another pace, {pace}, then withdrew."),
    OfferState.LAPSED: gettext_lazy("{player} offered another pace, {pace}, and nobody accepted it in time."),
}
_PAUSE = {
    OfferState.ACCEPTED: gettext_lazy("{player} offered a pause; {other} accepted."),
    OfferState.DECLINED: gettext_lazy("{player} offered a pause; {other} declined."),
    OfferState.WITHDRAWN: gettext_lazy("{player} offered a pause, then withdrew."),
    OfferState.LAPSED: gettext_lazy("{player} offered a pause, but the match went on."),
}
_WORDS = {
    OfferKind.DRAW: _DRAW,
    OfferKind.TAKEBACK: _TAKEBACK,
    OfferKind.RESIGN: _RESIGN,
    OfferKind.PACE: _PACE,
    OfferKind.PAUSE: _PAUSE,
}
