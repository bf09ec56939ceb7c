"""The bot's sentences about people, turns and results, for public messages and private answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from types import MappingProxyType

from bot.games import GAMES, Game, game_named
from bot.matches.model.game_state import CLOSED, GameState, because
from bot.matches.model.judging import Advice
from bot.matches.model.policies.acts import WayOn
from bot.matches.model.rating import format_rating, points
from bot.matches.model.refusals import Channels, Named, Refusal
from bot.matches.model.rest import Rest
from bot.matches.services.match_queries import MatchView, ResultCounts
from bot.matches.services.privacy import DELETED_NAME
from bot.matches.writing.clocks import ANSWERED_CLOSED_AFTER, CLOSABLE_AFTER, CLOSED_AFTER
from bot.opponents import longest_thought
from bot.storage.rating_records import Rating, RatingChange
from bot.storage.records import OPERATOR, Match, Person
from renderers import i18n
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated
from renderers.i18n import ngettext as _n

_APART, _TOGETHER = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""Text between these two has a direction of its own and does not change that of the line."""
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that change the direction of all that follows, also after the end of a name."""
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
"""Characters of formats, mentions, links and emojis; a backslash before one escapes it."""
_BEGINNING = re.compile(r"<(?=[@#:/\w])|@(?=everyone|here)|:(?=//)")
"""The beginning of a mention, a time, a command, an emoji or a link."""
BRIEF_BEYOND = 4
"""Replies to one move that are told in words; those before them are told by their text, or a message has no room."""
Rests = Mapping[int, tuple[str, datetime]]
"""The weekly rests of people, by their ids: the key of each, and when it is in force."""
NO_RESTS: Rests = MappingProxyType({})
LIST_LIMIT = 1500
"""Characters of a list inside a sentence, so that it fits a message of 2,000 with the words around it."""
WAYS_ON = {
    WayOn.TURNING_POINT: gettext_lazy("See where it turned"),
    WayOn.REVIEW: gettext_lazy("Review"),
    WayOn.REMATCH: gettext_lazy("Rematch"),
}
"""The labels of the ways on from a result but the next level, which names it."""


def place_in_words(place: int | None) -> str:
    """Return a place as it stands before a name, in every list and alternative text; people who tie have the same."""
    return "–" if place is None else f"{place}."


def line_number(number: int) -> str:
    """Return a number at the start of a line, with its dot escaped: Discord would count such lines anew from 1."""
    return f"{number}\\."


def mention(user_id: int) -> str:
    """Return a mention, or the name of a deleted person. The message's allowed mentions decide whom it notifies."""
    return f"<@{user_id}>" if user_id > 0 else translated(DELETED_NAME)


def mention_or_name(person: Person) -> str:
    """Return a mention of a person, or the name of a computer player."""
    return escaped(person.name) if person.computer else mention(person.id)


def one_line(name: str) -> str:
    """Return a name without line breaks and without characters that change the direction of the words around it."""
    return " ".join(translated(name).translate(_TURNING).split())


def escaped(name: str) -> str:
    """Return a name or typed text for a message, escaped so that Discord formats and mentions nothing in it."""
    return bidi_isolated(_PUNCTUATION.sub(r"\\\g<0>", one_line(name)))


def without_mentions(text: str) -> str:
    """Return a text without mentions and links for places where Discord reads no Markdown, such as thread names.

    Backslashes would show there, so a character of no width follows the beginning of a mention or link instead.
    """
    return _BEGINNING.sub("\\g<0>\N{WORD JOINER}", text)


def refusal_words(refusal: Refusal) -> str:
    return refusal.naming(_name_of)


def _name_of(named: Named) -> str:
    match named:
        case Person():
            return mention_or_name(named)
        case Channels():
            return listed(map(channel, named.ids))
        case _:
            return escaped(named)


def channel(channel_id: int) -> str:
    return f"<#{channel_id}>"


def bidi_isolated(name: str) -> str:
    """Return a name; one from right to left is isolated, so that words and numbers beside it stay in order."""
    runs_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"{_APART}{name}{_TOGETHER}" if runs_left else name


def seat_name(match: Match, seat: int) -> str:
    """Return the name of a seat in the game, such as ``Blue``."""
    return translated(game_named(match.game).seat_names[seat])


def rest_in_words(rest: Rest, *, zone: bool = True) -> str:
    """Return a weekly rest: "Saturday and Sunday, Europe/Rome", or "22:00–7:00, Europe/Rome"."""
    if rest.hours is None:
        times = i18n.listed(i18n.day_names()[day] for day in sorted(rest.days))
    else:
        times = "{}:00–{}:00".format(*rest.hours)
    return f"{times}, {rest.zone}" if zone else times


def listed(words: Iterable[str], limit: int = LIST_LIMIT) -> str:
    """Join words as in a sentence: ``a``, ``a and b``, ``a, b and c``, or ``a, b and 12 more`` where they are many."""
    every = list(words)
    shown = that_fit(every, limit)
    if len(shown) < len(every):
        more = len(every) - len(shown)
        return _n("{names} and {n} more", "{names} and {n} more", more, names=i18n.enumerated(shown))
    return i18n.listed(every)


def that_fit(words: Sequence[str], limit: int) -> Sequence[str]:
    """Return the first words that fit ``limit`` characters, with two characters between each."""
    ends = accumulate(len(word) + 2 for word in words)
    return words[: sum(end <= limit for end in ends)]


def game_name(key: str, variant: str) -> str:
    """Return the name of a game with that of its variant, or without if the game has only one variant.

    A game that is not installed goes by its key, and a variant that the game no longer has by its own.
    """
    game = game_named(key)
    if len(game.variants) == 1:
        return translated(game.name)
    names = {each.key: each.name for each in game.variants}
    return i18n.bracketed(game.name, names.get(variant, variant))


def title(match: Match) -> str:
    """Return a match's name for people: game, variant and number."""
    name = game_name(match.game, match.variant)
    if match.cup_id is not None:
        return _("{game} · {round} · match {number}", game=name, round=cup_round(match), number=match.id)
    return _("{game} · match {number}", game=name, number=match.id)


def cup_round(match: Match) -> str:
    """Return the cup and the round of a match that is part of one: ``Cup 7, round 2``."""
    return _("Cup {cup}, round {round}", cup=match.cup_id, round=match.cup_round)


def players(match: Match) -> str:
    """Return who plays, in turn order: ``Alice (Blue) – Bob (White)``."""
    return " – ".join(i18n.bracketed(escaped(seat.person.name), seat_name(match, seat.seat)) for seat in match.seats)


def last_move(match_view: MatchView) -> str:
    """Return the last move in words, or nothing before the first. Replies of computer players, and those that were
    planned, follow the move they answer.

    Players who had to pass after a move are named below it.
    """
    match, game_state = match_view.match, match_view.game_state
    replies: list[str] = []
    while game_state.last_seat is not None:
        earlier = game_state.earlier
        # A player who moves again after a pass replies to the pass.
        answered = None if earlier is None else earlier.passed[-1] if earlier.passed else earlier.last_seat
        move = i18n.sentence(move_made(match, game_state, brief=len(replies) > BRIEF_BEYOND))
        names = (escaped(match.seats[seat].person.name) for seat in game_state.passed)
        replies[:0] = [_("{name} has to pass.", name=name) for name in names]
        replied = game_state.planned or match.seats[game_state.last_seat].person.computer
        if not replied or answered in (None, game_state.last_seat):
            return "\n".join([_("Last move: {move}", move=move), *replies])
        replies.insert(0, _("Reply: {move}", move=move))
        assert earlier is not None
        game_state = earlier
    return ""


def move_made(match: Match, game_state: GameState, *, brief: bool = False) -> str:
    """Return the last move and its player, in words, or ``brief`` by its text. There must be one."""
    assert game_state.last_seat is not None
    return made_by(escaped(match.seats[game_state.last_seat].person.name), GAMES[match.game], game_state, brief=brief)


def made_by(name: str, game: Game, game_state: GameState, *, brief: bool = False) -> str:
    """Return the last move of a game in words, with a name for its player, or ``brief`` by its text."""
    assert game_state.last is not None
    assert game_state.before is not None
    words = "" if brief else game.move_in_words(game_state.before, game_state.last)
    # A set-up is on the board, and its text says nothing to those who do not type.
    set_up = game_state.before.ready_made() is not None
    return who_moves(name, words if set_up else with_text(words, str(game_state.last)))


def who_moves(name: str, does: str) -> str:
    """Return a player and what their move does: "Blue places a piece on d1"."""
    # Translators: a player and what they do: "Alice moves b1-b2".
    return _("{name} {moves}", name=name, moves=does)


def with_text(words: str, move: str) -> str:
    """Return a move in words, with its text behind them unless they contain it. Without words, return the text."""
    if not words:
        return f"**{move}**"
    return words if move in words else i18n.bracketed(words, f"**{move}**")


def thinking(match: Match) -> str:
    """Return that a computer player is thinking, and for how long at most. It has to be to move."""
    level = match.mover.person.level
    assert level is not None
    seconds = longest_thought(GAMES[match.game], level)
    return _("Tavoliere is thinking: {seconds} seconds at most, longer if others wait, too.", seconds=seconds)


def why_lost(match_view: MatchView) -> str:
    """Return why a match was lost on the board: the threat and where it came from. Nothing where that is not known."""
    match, lost = match_view.match, match_view.defeat
    if lost is None:
        return ""
    winner, loser = seat_name(match, 1 - lost.loser), seat_name(match, lost.loser)
    if lost.threat is None:
        return _(
            "{loser}'s **{mistake}** let {winner} win at once; **{saved}** would not have.",
            loser=loser,
            mistake=lost.mistake,
            winner=winner,
            saved=lost.saved,
        )
    if lost.saved is None:
        return _(
            "From move {number}, **{threat}**, {winner} threatened to win, and in the end no move could stop it.",
            winner=winner,
            number=lost.number,
            threat=lost.threat,
        )
    return _(
        "From move {number}, **{threat}**, {winner} threatened to win; **{saved}** would have stopped it.",
        winner=winner,
        number=lost.number,
        threat=lost.threat,
        saved=lost.saved,
    )


def first_win(match_view: MatchView) -> str:
    """Return that a person has beaten a level for the first time, or nothing."""
    level, game = match_view.beaten, game_named(match_view.match.game).name
    return "" if level is None else _("**First win against level {level} in {game}!**", level=level, game=game)


def way_on(way: WayOn, level: int | None) -> str:
    """Return the label of a way on from a result; ``level`` is the next one."""
    return _("Play level {level}", level=level) if way is WayOn.LEVEL else translated(WAYS_ON[way])


def absences(match_view: MatchView) -> list[str]:
    """Return until when a match is paused, and players are away, a line in small print for each."""
    paused = match_view.match.paused_until
    until = "" if paused is None else f"<t:{int(paused.timestamp())}:f>"
    told = [] if paused is None else ["-# " + _("Paused until {day}, or until a player goes on.", day=until)]
    return told + [
        "-# "
        + _(
            "{person} is away until {day}.",
            person=escaped(match_view.match.seats[seat].person.name),
            day=f"<t:{int(until.timestamp())}:D>",
        )
        for seat, until in match_view.away.items()
    ]


def result(match: Match) -> str:
    """Return how a finished match ended."""
    if match.voided_by is not None:
        return _("Voided by {person}.", person=voider(match.voided_by))
    winners = [seat for seat in match.seats if seat.won]
    if match.reason == CLOSED and match.cup_id is not None:
        return _("Closed, because it no longer counted for Cup {cup}. It counts for nobody.", cup=match.cup_id)
    if match.reason == CLOSED:
        idle = ANSWERED_CLOSED_AFTER if match.answered else CLOSED_AFTER if match.alone else CLOSABLE_AFTER
        return _n(
            "Closed: no move for {n} day. It doesn't count.",
            "Closed: no move for {n} days. It doesn't count.",
            idle.days,
        )
    if winners:
        names = listed(mention_or_name(seat.person) for seat in winners)
        outcome = _n("{players} wins", "{players} win", len(winners), players=names)
    else:
        outcome = _("A draw")
    return i18n.sentence(translated(because(outcome, match.reason or "")))


def voided_follows(match: Match) -> str:
    """Return what follows for the people of a voided match."""
    if match.rated:
        return _("It counts for nobody, and ratings are as if it had not been played.")
    return _("It counts for nobody.")


def voider(voided_by: int) -> str:
    """Return who voided a match: a manager of its server, or the people who run the bot."""
    if voided_by == OPERATOR:
        return _("the people who run this bot")
    if voided_by < 0:
        return translated(DELETED_NAME)
    return _("{person}, who manages this server", person=mention(voided_by))


def best_words(match: Match, seat: int, advice: Advice, does: str) -> str:
    """Return the best move for a seat in words; ``does`` says what it does."""
    made = i18n.sentence(who_moves(seat_name(match, seat), does))
    # Translators: {moves} is a whole sentence: "Best: **Blue places a piece on c3.**"
    line = _("Best: {moves}", moves=f"**{made}**")
    if advice.winning is None:
        return i18n.prose([line, _("One good choice of several.")])
    if advice.proven and advice.winning == 0 and len(match.seats) > 2:
        return i18n.prose([line, _("Every move loses here, if the others find the right replies.")])
    if advice.proven and advice.winning in _PROVEN:
        return i18n.prose([line, translated(_PROVEN[advice.winning])])
    return i18n.prose([line, _("The chance to win is about {share}.", share=i18n.percent(advice.winning))])


def better_words(name: str, does: str, move: str) -> str:
    """Return the move that a player had better made: in words, or only its text where ``does`` is empty."""
    # Translators: {move} is a text such as "b1-b2", or "Blue places a piece on d1".
    return _("Better: {move}.", move=who_moves(name, with_text(does, move)) if does else with_text("", move))


_PROVEN = {
    1.0: gettext_lazy("It's a sure win."),
    0.5: gettext_lazy("It's a sure draw."),
    0.0: gettext_lazy("Every move loses here, if the other side finds the right replies."),
}


def rating_change(change: RatingChange) -> str:
    """Return the change of a rating, such as ``1500 → 1611 (+111)``."""
    before, after = points(change.mu_before), points(change.mu_after)
    gained = f"{after - before:+d}".replace("-", "−") if after != before else "±0"
    return i18n.bracketed(f"{before} → {after}", gained)


def dropped_players(match: Match) -> str:
    """Return the players who have dropped out of a game that the others play on, or nothing."""
    out = [escaped(seat.person.name) for seat in match.seats if seat.dropped] if len(match.seats) > 2 else []
    if not out:
        return ""
    return _n("{players} has dropped out.", "{players} have dropped out.", len(out), players=listed(out))


ENDS = {
    True: i18n.pgettext_lazy("cup", "won"),
    None: i18n.pgettext_lazy("cup", "drawn"),
    False: i18n.pgettext_lazy("cup", "lost"),
}
"""How a match ended for a person who won it, drew it or lost it."""


def results(of: Rating | ResultCounts) -> str:
    """Return how games ended: ``3 won, 1 drawn, 2 lost``."""
    won, drawn = _n("{n} won", "{n} won", of.wins), _n("{n} drawn", "{n} drawn", of.draws)
    return _("{won}, {drawn}, {lost}", won=won, drawn=drawn, lost=_n("{n} lost", "{n} lost", of.losses))


def score(rating: Rating) -> str:
    """Return a rating with the games behind it: ``1540? · 3 won, 1 drawn, 2 lost``."""
    return f"**{format_rating(rating)}** · {results(rating)}"


def shorten(text: str, limit: int) -> str:
    """Cut a text to at most ``limit`` characters, with an ellipsis where something is missing."""
    text = translated(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if cut.count(_APART) > cut.count(_TOGETHER):
        return cut[:-1].rstrip() + "…" + _TOGETHER
    return cut.rstrip() + "…"
