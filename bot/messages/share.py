"""The public messages about what people share: a replay, the moment that turned a match, a puzzle.

They name only the person who shares, and no person once that person's data is deleted. They show no answer.
"""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.games import GAMES, game_named
from bot.matches.model.game_state import because, standing
from bot.matches.services.shares import SharedView
from bot.messages import custom_ids
from bot.messages.layout import ACCENT, Outgoing, Part, box, button, gallery, layout, row
from bot.messages.pictures import BoardRenderer, Picture
from bot.messages.puzzle_words import game_of, task
from bot.messages.wording import better_words, game_name, plain, seat_name, who_moves, with_text
from bot.storage.people import Preferences
from bot.storage.records import Match, MoveKind, ShareKind
from renderers.dates import day_and_month
from renderers.i18n import LazyText, gettext_lazy, listed, percent, prose, sentence, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

_USUAL = Preferences()
_HEADS = {
    ShareKind.REPLAY: gettext_lazy("### {person} shares a game of {game}"),
    ShareKind.REVIEW: gettext_lazy("### {person} shares the moment that turned a game of {game}"),
    ShareKind.PUZZLE: gettext_lazy("### {person} shares a puzzle: {game}"),
}
_HEADS_WITHOUT_NAME = {
    ShareKind.REPLAY: gettext_lazy("### A game of {game}"),
    ShareKind.REVIEW: gettext_lazy("### The moment that turned a game of {game}"),
    ShareKind.PUZZLE: gettext_lazy("### A puzzle: {game}"),
}


def marker(view: SharedView) -> str:
    """Return the custom id by which the message is recognised: that of its button."""
    verb = "try" if view.share.kind is ShareKind.PUZZLE else "play"
    return custom_ids.SHARED(verb=verb, share=view.share.id)


async def shared(renderer: BoardRenderer, view: SharedView) -> Outgoing:
    """Return what a person shares, with the button to try it or to play the game."""
    match view.share.kind:
        case ShareKind.REPLAY:
            parts, pictures = await _replay(renderer, view)
        case ShareKind.REVIEW:
            parts, pictures = await _moment(renderer, view)
        case ShareKind.PUZZLE:
            parts, pictures = await _puzzle(renderer, view)
    label = _("Try it") if view.share.kind is ShareKind.PUZZLE else _("Play this game")
    follow = row(button(marker(view), label, discord.ButtonStyle.success))
    return Outgoing(layout(box(_head(view), *parts, follow, accent=ACCENT)), marker(view), pictures)


def lost(view: SharedView) -> str:
    """Return the direct message to a person whose share can't be posted."""
    return _(
        "I couldn't post the {game} you shared: the channel is gone, or I may no longer post there. You can share it "
        "in another channel.",
        game=game_named(view.share.game).name,
    )


def _head(view: SharedView) -> str:
    share = view.share
    if view.puzzle is not None:
        game = game_of(view.puzzle)
    else:
        assert view.match is not None
        game = game_name(view.match.game, view.match.variant)
    if share.name is None:
        return translated(_HEADS_WITHOUT_NAME[share.kind].filled(game=game))
    return translated(_HEADS[share.kind].filled(person=plain(share.name), game=game))


async def _replay(renderer: BoardRenderer, view: SharedView) -> tuple[list[Part], tuple[Picture, ...]]:
    assert view.match is not None
    nameless = _nameless(view.match)
    picture = await renderer.replay(nameless, view.played, view.match.front, _USUAL)
    return [gallery(picture), _result(view)], (picture,)


async def _moment(renderer: BoardRenderer, view: SharedView) -> tuple[list[Part], tuple[Picture, ...]]:
    """Return the position after the move that lost most, beside the one after the better move, below the result."""
    match, moment = view.match, view.moment
    assert match is not None
    if moment is None:
        return [_result(view)], ()
    better = [(moment.number, moment.best)]
    found = await renderer.compared(_nameless(match), view.played, better, match.front, _USUAL)
    ((played, best, did, does),) = found
    seat = seat_name(match, moment.seat)
    made = sentence(who_moves(seat, with_text(did, moment.text)))
    words = _("**Move {number}** · {moves}", number=moment.number, moves=made)
    lost = _(
        "That lowered the chance to win from {before} to {after}.",
        before=percent(moment.before),
        after=percent(moment.after),
    )
    told = "\n".join((prose([words, lost]), better_words(seat, does, moment.best)))
    # Below the better move the result would look like what that one led to.
    return [f"-# {_result(view)}", gallery(played, best), told], (played, best)


async def _puzzle(renderer: BoardRenderer, view: SharedView) -> tuple[list[Part], tuple[Picture, ...]]:
    """Return the board at the beginning of a puzzle, its task, and how the person did."""
    puzzle, start, share = view.puzzle, view.start, view.share
    assert puzzle is not None
    assert start is not None
    seat = min(start.position.to_move)
    picture = await renderer.puzzle(puzzle, start, seat, _USUAL)
    facts = [_("Difficulty {number}", number=puzzle.difficulty)]
    if share.day is not None:
        facts.append(_("puzzle of {day}", day=day_and_month(share.day)))
    if share.found and share.name is not None:
        facts.append(share.found)
    return [gallery(picture), f"{task(puzzle, seat)}\n-# {' · '.join(facts)}"], (picture,)


def _result(view: SharedView) -> str:
    """Return how a match ended, by the names of its seats, and after how many moves."""
    match = view.match
    assert match is not None
    winners = [seat.seat for seat in match.seats if seat.won]
    names = GAMES[match.game].seat_names
    outcome: str | LazyText = _("A draw")
    if winners:
        outcome = _n("{players} wins", "{players} win", len(winners), players=listed(names[seat] for seat in winners))
    count = sum(entry.kind in (MoveKind.MOVE, MoveKind.FORCED) for entry in standing(view.played))
    ended = sentence(translated(because(outcome, match.reason or "")))
    return prose([ended, _n("{n} move.", "{n} moves.", count)])


def _nameless(match: Match) -> Match:
    """Return a match whose boards name no person."""
    seats = tuple(
        seat if seat.person.computer else replace(seat, person=replace(seat.person, name="")) for seat in match.seats
    )
    return replace(match, seats=seats)
