"""A turn as a value: what somebody asks for in a match, whether they may, and what has come of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.games.game import IllegalMove, Move
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import Either, MatchOver, Refusal, Stale, Unconfirmed, Voided
from bot.storage.records import Match, MatchState, MoveKind, Person, PlayedMove, Seat
from renderers.i18n import gettext_lazy as _

MOVED_ON = _("The match has moved on. `/board` shows the newest board.")
TYPED_MOVE_LIMIT = 200
"""Longer texts are no move of any game and are not looked at."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """Somebody wants to do something in a match. ``at`` is when they asked.

    ``ply`` is the ply of the control that was used; None means the match as it stands.
    """

    guild_id: int
    match_id: int
    person: Person
    interaction_id: int
    at: datetime
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """What moves a match on: the match as it was found, where it stood, the entries added, and where they lead.

    ``move`` is what the first entry says, where that is a move on the board. Forced passes follow it.
    """

    match: Match
    before: GameState
    entries: tuple[PlayedMove, ...]
    after: GameState
    move: Move | None = None

    @property
    def text(self) -> str:
        """What was played, in its canonical text."""
        return self.entries[0].text

    @property
    def at(self) -> datetime:
        """When it was played."""
        return self.entries[-1].at


def check_request(match: Match, request: TurnRequest) -> Seat:
    """Return the seat of whoever asks, who plays in this running match. Raises ``Refusal``, whatever is asked for."""
    seat = match.seat_of(request.person.id)
    if seat is None:
        raise Refusal(_("You're not playing in this match, but you can watch: `/board` shows it."))
    check_running(match, request.ply)
    if seat.dropped:
        raise Refusal(_("You have left this match."))
    return seat


def check_running(match: Match, ply: int | None) -> None:
    """Raise ``Stale`` for a match that is over, or not at ``ply``, where one is given."""
    if match.voided:
        raise Voided
    if match.state is MatchState.OVER:
        raise MatchOver
    if ply is not None and ply != match.ply:
        raise Stale(MOVED_ON)


def check_unchanged(found: Match, current: Match) -> None:
    """Raise ``Stale`` where a match has moved on since it was found."""
    if current.voided is not found.voided:
        raise Voided
    if current.state is not found.state:
        raise MatchOver
    if current.ply != found.ply:
        raise Stale(MOVED_ON)


def check_to_move(match: Match, request: TurnRequest) -> Seat:
    """Return the seat of whoever asks, who may move now. Raises ``Refusal``."""
    seat = check_request(match, request)
    if not seat.to_move:
        movers = Either(tuple(mover.person for mover in match.movers))
        raise Refusal(_("It's not your turn: {players} is to move."), players=movers)
    return seat


def played_turn(
    match: Match, before: GameState, seat: int, text: str, at: datetime, *, confirmed: bool = False
) -> PlayedTurn:
    """Return the turn that a typed move makes, with the forced passes after it.

    Raises ``Refusal``: the move is illegal, or one to be asked about that is not ``confirmed``.
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
    entries = [PlayedMove(before.ply + 1, seat, MoveKind.MOVE, str(move), at)]
    after = before.moved(entries[0], move)
    while after.result is None and (forced := after.position.forced_move()) is not None:
        (mover,) = after.position.to_move
        entries.append(PlayedMove(after.ply + 1, mover, MoveKind.FORCED, str(forced), at))
        after = after.moved(entries[-1], forced)
    return PlayedTurn(match, before, tuple(entries), after, move)


def single_entry(match: Match, before: GameState, seat: int, kind: MoveKind, text: str, at: datetime) -> PlayedTurn:
    """Return the turn of one entry that is no move and takes nothing back: a seat drops out, or a draw is agreed."""
    entry = PlayedMove(before.ply + 1, seat, kind, text, at)
    return PlayedTurn(match, before, (entry,), before.after(entry))
