"""The public messages about what people share: a replay, the moment that turned a match, notes on one, a puzzle.

A replay names its players, everything else only the person who shares; the name of a person whose data is deleted
goes. Pictures name nobody, because they stay as they are. No message shows an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

import discord

from bot.games import GAMES, game_named
from bot.matches.model.game_state import because, number_of_moves
from bot.matches.services.shares import SharedView
from bot.messages import custom_ids
from bot.messages.layout import ACCENT, Outgoing, Part, box, button, gallery, layout, line, row
from bot.messages.notes import each_note
from bot.messages.pictures import PUBLIC, BoardRenderer, Picture, nameless
from bot.messages.puzzle_words import game_of, task
from bot.messages.wording import better_words, escaped, game_name, players, seat_name, that_fit, who_moves, with_text
from bot.storage.records import ShareKind
from renderers.dates import day_and_month
from renderers.i18n import LazyText, gettext_lazy, listed, percent, prose, sentence, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

Button = discord.ui.Button[discord.ui.LayoutView]
_HEADS = {
    ShareKind.REPLAY: gettext_lazy("### {person} shares a match of {game}"),
    ShareKind.REVIEW: gettext_lazy("### {person} shares the moment that turned a match of {game}"),
    ShareKind.PUZZLE: gettext_lazy("### {person} shares a puzzle: {game}"),
    ShareKind.NOTES: gettext_lazy("### {person} shares notes on a match of {game}"),
}
_HEADS_WITHOUT_NAME = {
    ShareKind.REPLAY: gettext_lazy("### A match of {game}"),
    ShareKind.REVIEW: gettext_lazy("### The moment that turned a match of {game}"),
    ShareKind.PUZZLE: gettext_lazy("### A puzzle: {game}"),
    ShareKind.NOTES: gettext_lazy("### Notes on a match of {game}"),
}


_FOLLOWS: Mapping[ShareKind, Literal["play", "try", "notes"]] = {
    ShareKind.REPLAY: "play",
    ShareKind.REVIEW: "play",
    ShareKind.PUZZLE: "try",
    ShareKind.NOTES: "notes",
}
_LABELS = {
    "play": gettext_lazy("Play this game"),
    "try": gettext_lazy("Try it"),
    "notes": gettext_lazy("All notes as text"),
}
_NOTES_LIMIT = 3000
"""Characters of the notes in a message; the button gives all of them."""


def marker(view: SharedView) -> str:
    """Return the custom id by which the message is recognised: that of its button."""
    return custom_ids.SHARED(_FOLLOWS[view.share.kind], view.share.id)


async def share_message(renderer: BoardRenderer, view: SharedView, ask: Button | None = None) -> Outgoing:
    """Return what a person shares, with the button to try it or to play the game; or with ``ask``, for a preview."""
    share, match = view.share, view.match
    if share.day is not None and view.puzzle is not None:
        return _solved_line(view, share.day, game_of(view.puzzle), ask)
    parts: list[Part]
    pictures: tuple[Picture, ...]
    match share.kind:
        case ShareKind.REPLAY:
            assert match is not None
            replay = await renderer.replay(nameless(match), view.played, match.front, PUBLIC, end_first=True)
            names = [escaped(seat.person.name) for seat in match.seats]
            parts = [f"## {_result(view, names)}\n{players(match)}", gallery(replay)]
            pictures = (replay,)
        case ShareKind.REVIEW:
            parts, pictures = await _moment(renderer, view)
        case ShareKind.PUZZLE:
            parts, pictures = await _puzzle(renderer, view)
        case ShareKind.NOTES:
            parts, pictures = _notes(view), ()
    if view.puzzle is not None:
        game = game_of(view.puzzle)
    else:
        assert match is not None
        game = game_name(match.game, match.variant)
    if share.name is None:
        head = _HEADS_WITHOUT_NAME[share.kind].filled(game=game)
    else:
        head = _HEADS[share.kind].filled(person=escaped(share.name), game=game)
    follow = ask or button(marker(view), _LABELS[_FOLLOWS[share.kind]], discord.ButtonStyle.success)
    return Outgoing(layout(box(translated(head), *parts, row(follow), accent=ACCENT)), marker(view), pictures)


def _solved_line(view: SharedView, day: date, game: str, ask: Button | None) -> Outgoing:
    """Return that a person has solved a puzzle of the day: one line without its board, which others may not know."""
    share, facts = view.share, {"game": game, "day": day_and_month(day)}
    if share.name is None:
        words = _("The puzzle of {day}: {game}", **facts)
    else:
        words = _("**{person}** solved the puzzle of {day}: {game}", person=escaped(share.name), **facts)
        words += f" {share.found}" if share.found else ""
    return Outgoing(layout(line(words, ask or button(marker(view), _("Try it")))), marker(view))


def share_failed(view: SharedView) -> str:
    """Return the direct message to a person whose share can't be posted."""
    return _(
        "I couldn't post the {game} you shared: the channel is gone, or I may no longer post there. You can share it "
        "in another channel.",
        game=game_named(view.share.game).name,
    )


async def _moment(renderer: BoardRenderer, view: SharedView) -> tuple[list[Part], tuple[Picture, ...]]:
    """Return the position after the move that lost most, beside the one after the better move, below the result."""
    match, moment = view.match, view.moment
    assert match is not None
    result = _result(view, GAMES[match.game].seat_names)
    if moment is None:
        return [result], ()
    better = [(moment.number, moment.best)]
    compared = await renderer.comparison(nameless(match), view.played, better, match.front, PUBLIC)
    ((played, best, did, does),) = compared
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
    return [f"-# {result}", gallery(played, best), told], (played, best)


async def _puzzle(renderer: BoardRenderer, view: SharedView) -> tuple[list[Part], tuple[Picture, ...]]:
    """Return the board at the beginning of a puzzle, its task, and how the person did."""
    puzzle, start, share = view.puzzle, view.start, view.share
    assert puzzle is not None
    assert start is not None
    picture = await renderer.puzzle(puzzle, start, puzzle.seat, PUBLIC)
    facts = [_("Difficulty {number}", number=puzzle.difficulty)]
    if share.found and share.name is not None:
        facts.append(share.found)
    return [gallery(picture), f"{task(puzzle)}\n-# {' · '.join(facts)}"], (picture,)


def _notes(view: SharedView) -> list[Part]:
    """Return the result of the match and the first notes, without mentions."""
    match = view.match
    assert match is not None
    result = f"-# {_result(view, GAMES[match.game].seat_names)}"
    if view.share.notes is None:
        return [result, _("These notes have been deleted.")]
    every = each_note(view.played, dict(view.share.notes))
    shown = that_fit(every, _NOTES_LIMIT)
    more = len(every) - len(shown)
    return [result, *shown, *([_n("-# {n} more note", "-# {n} more notes", more)] if more else [])]


def _result(view: SharedView, names: Sequence[str]) -> str:
    """Return how a match ended, by the ``names`` of its seats or players, and after how many moves."""
    match = view.match
    assert match is not None
    winners = [seat.seat for seat in match.seats if seat.won]
    outcome: str | LazyText = _("A draw")
    if winners:
        outcome = _n("{players} wins", "{players} win", len(winners), players=listed(names[seat] for seat in winners))
    ended = sentence(translated(because(outcome, match.reason or "")))
    return prose([ended, _n("{n} move.", "{n} moves.", number_of_moves(view.played))])
