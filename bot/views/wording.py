"""The bot's sentences about people, turns and results, used wherever they are said."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import discord

from bot.games import GAMES
from bot.matches.overview import Record, Table
from bot.matches.personal import DELETED_NAME
from bot.matches.rating import points, shown
from bot.storage.records import Match, MatchState, Rating, RatingChange, Seat

_APART, _TOGETHER = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""What stands between these two has its own direction and leaves that of the line alone."""


def mention(user_id: int) -> str:
    """Return a mention, or what nobody is called; whether it notifies is up to the message's allowed mentions."""
    return f"<@{user_id}>" if user_id > 0 else DELETED_NAME


def plain(name: str) -> str:
    """Return a name that cannot format or mention anything, nor move what stands beside it."""
    return isolated(discord.utils.escape_mentions(discord.utils.escape_markdown(name.replace("\n", " "))))


def isolated(name: str) -> str:
    """Return a name whose letters run from right to left so that the words and numbers beside it stay in order."""
    runs_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"{_APART}{name}{_TOGETHER}" if runs_left else name


def seat_name(match: Match, seat: int) -> str:
    """Return what a seat is called in the game, such as ``Blue``."""
    return GAMES[match.game].seat_names[seat]


def listed(words: Iterable[str]) -> str:
    """Join words as in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    every = list(words)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def title(match: Match) -> str:
    """Return a match's name for people: game, variant where there are several, number."""
    game = GAMES[match.game]
    variant = "" if len(game.variants) == 1 else f" ({game.variant(match.variant).name})"
    return f"{game.name}{variant} · match {match.id}"


def players(match: Match) -> str:
    """Return who plays, in turn order: ``Alice (Blue) – Bob (White)``."""
    return " – ".join(f"{plain(seat.person.name)} ({seat_name(match, seat.seat)})" for seat in match.seats)


def last_move(table: Table) -> str:
    """Return the last move in words, or nothing before the first."""
    standing, match = table.standing, table.match
    if standing.last is None or standing.before is None or standing.last_seat is None:
        return ""
    name = plain(match.seats[standing.last_seat].person.name)
    words = GAMES[match.game].move_in_words(standing.before, standing.last)
    text = str(standing.last)
    return f"Last move: {name} {words}." if text in words else f"Last move: {name} {words} (**{text}**)."


def result(match: Match) -> str:
    """Return how a finished match ended."""
    winners = [seat for seat in match.seats if seat.won]
    if not winners:
        return f"A draw: {match.reason}."
    names = listed(mention(seat.person.id) for seat in winners)
    return f"{names} {'wins' if len(winners) == 1 else 'win'}: {match.reason}."


def outcome(match: Match, seat: Seat) -> str:
    """Return one player's result in a word."""
    if match.state is MatchState.RUNNING:
        return "running"
    return "draw" if seat.won is None else "won" if seat.won else "lost"


def rating_change(change: RatingChange) -> str:
    """Return what a match did to a rating, such as ``1500 → 1611 (+111)``."""
    before, after = points(change.mu_before), points(change.mu_after)
    gained = f"{after - before:+d}".replace("-", "−") if after != before else "±0"
    return f"{before} → {after} ({gained})"


def dropped(match: Match) -> str:
    """Return who has dropped out of a game that the others play on, or nothing."""
    out = [plain(seat.person.name) for seat in match.seats if seat.dropped] if len(match.seats) > 2 else []
    return f"{listed(out)} {'has' if len(out) == 1 else 'have'} dropped out." if out else ""


def results(of: Rating | Record) -> str:
    """Return how games ended: ``3 won, 1 drawn, 2 lost``."""
    return f"{of.wins} won, {of.draws} drawn, {of.losses} lost"


def record(rating: Rating) -> str:
    """Return a rating with the games behind it: ``1540? · 3 won, 1 drawn, 2 lost``."""
    return f"**{shown(rating)}** · {results(rating)}"


def shorten(text: str, limit: int) -> str:
    """Cut a text to at most ``limit`` characters, with an ellipsis where something is missing."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if cut.count(_APART) > cut.count(_TOGETHER):
        return cut[:-1].rstrip() + "…" + _TOGETHER
    return cut.rstrip() + "…"
