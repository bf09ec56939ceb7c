"""A turn as a value: the checks it has to pass, and the entries it adds. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from unicodedata import normalize

from bot.games import GAMES
from bot.games.game import IllegalMove, Move
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import NOT_PLAYING, MatchOver, Refusal, Stale, Unconfirmed, Voided, check_playable
from bot.storage.records import Entry, EntryKind, Match, MatchState, Person, Plan, Seat
from renderers.i18n import folded, translated
from renderers.i18n import gettext_lazy as _

MOVED_ON = _("The match has moved on. `/board` shows the newest board.")
TYPED_MOVE_LIMIT = 200
"""Longer texts are refused unparsed: no move of any game is that long."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn: the match as it was loaded, the state before, the new entries, and the state after.

    If the first entry is a move on the board, ``move`` is that move. Forced passes and planned replies follow it.
    """

    match: Match
    before: GameState
    entries: tuple[Entry, ...]
    after: GameState
    move: Move | None = None
    plans: tuple[Plan, ...] = ()
    """What the turn leaves of the plans of both players; none if there was none."""

    @property
    def text(self) -> str:
        """The canonical text of the first entry."""
        return self.entries[0].text

    @property
    def at(self) -> datetime:
        return self.entries[-1].at


def check_request(match: Match, person: Person, ply: int | None) -> Seat:
    """Return a person's seat. Raises ``Refusal`` unless they play in this match and it is running, by the rules that
    the bot has, and at the ply they see, if one is given.
    """
    seat = match.seat_of(person.id)
    if seat is None:
        raise Refusal(NOT_PLAYING)
    check_running(match, ply)
    if seat.dropped:
        raise Refusal(_("You have left this match."))
    check_playable(match)
    return seat


def check_running(match: Match, ply: int | None) -> None:
    """Raise ``Stale`` if the match is over, or is not at ``ply``, if one is given."""
    if match.voided:
        raise Voided
    if match.state is MatchState.OVER:
        raise MatchOver
    if ply is not None and ply != match.ply:
        raise Stale(MOVED_ON)


def check_to_move(match: Match, person: Person, ply: int | None) -> Seat:
    """Return a person's seat. Raises ``Refusal`` like ``check_request``, and unless it is their turn."""
    seat = check_request(match, person, ply)
    check_mover(match, seat)
    return seat


def check_mover(match: Match, seat: Seat) -> None:
    """Raise ``Refusal`` for a seat that is not to move."""
    if seat != match.mover:
        raise Refusal(_("It's not your turn. To move: {players}."), players=match.mover.person)


def same_turn(match: Match, other: Match) -> bool:
    """Return whether a match that was read twice stands at the same turn, with the same plans for it."""
    return (match.voided, match.state, match.ply, match.plans_version) == (
        other.voided,
        other.state,
        other.ply,
        other.plans_version,
    )


def in_notation(game: str, text: str) -> str:
    """Return a typed move in the notation of its game, where letters are not full-width.

    The words of the current language, such as "passo", have their notation, too.
    """
    for move, words in GAMES[game].typed_words.items():
        if folded(text) in map(folded, translated(words).split(",")):
            return move
    return normalize("NFKC", text)


def played_turn(
    match: Match, before: GameState, seat: int, text: str, at: datetime, *, confirmed: bool = False
) -> PlayedTurn:
    """Return the turn of a typed move, with what follows it by itself.

    Raises ``Refusal`` for an illegal move, and ``Unconfirmed`` for one that needs to be ``confirmed`` and is not.
    """
    if len(text) > TYPED_MOVE_LIMIT:
        raise Refusal(_("That's too long for a move. Try one of the suggestions that appear as you type."))
    try:
        move = before.position.parse(text)
    except IllegalMove as reason:
        raise Refusal(_("That's not a legal move: {reason}.", reason=reason.args[0])) from reason
    question = None if confirmed else before.position.question(move)
    if question is not None:
        raise Unconfirmed(question, str(move), before.ply)
    entry = Entry(before.ply + 1, seat, EntryKind.MOVE, str(move), at)
    ready_made = frozenset(taken.seat for taken in match.seats if taken.ready_made)
    following, after = automatic_entries(before.moved(entry, move), ready_made, at)
    return PlayedTurn(match, before, (entry, *following), after, move)


def automatic_entries(state: GameState, ready_made: frozenset[int], at: datetime) -> tuple[list[Entry], GameState]:
    """Return the entries that follow by themselves, and the state after them.

    They are forced passes, and the ready-made set-ups of the seats for which they are taken.
    """
    entries: list[Entry] = []
    while state.result is None and (mover := state.position.to_move) is not None:
        move, kind = state.position.forced_move(), EntryKind.FORCED
        if move is None and mover in ready_made:
            move, kind = state.position.ready_made(), EntryKind.MOVE
        if move is None:
            break
        entries.append(Entry(state.ply + 1, mover, kind, str(move), at))
        state = state.moved(entries[-1], move)
    return entries, state


def after_person(match: Match, state: GameState) -> GameState:
    """Return the state after the last move of a person, as far back as states are known."""
    while state.earlier is not None and match.seats[state.last_seat or 0].person.computer:
        state = state.earlier
    return state


def reopens_set_up(match: Match, state: GameState, seat: Seat) -> bool:
    """Return whether a seat's set-up was taken without asking, and no person has moved since."""
    state = after_person(match, state)
    return seat.ready_made and state.before is not None and state.before.ready_made() is not None


def single_entry(match: Match, before: GameState, seat: int, kind: EntryKind, text: str, at: datetime) -> PlayedTurn:
    """Return a turn of one entry that is neither a move nor a take-back: a drop, an agreed draw, or a closed match."""
    entry = Entry(before.ply + 1, seat, kind, text, at)
    return PlayedTurn(match, before, (entry,), before.after(entry))
