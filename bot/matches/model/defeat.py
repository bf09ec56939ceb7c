"""Why a game of two was lost on the board: the winning move, since when it threatened, and what would have stopped it.

Pure. It looks at the replies to the winner's last moves, and says nothing where they are too many to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.cancellation import check_cancelled
from bot.games.game import Game, Position
from bot.matches.model.game_state import GameState, effective_entries, game_states
from bot.matches.model.judging import is_judged
from bot.opponents.analysis import analyse
from bot.opponents.thinking import state_of
from bot.storage.records import Entry, EntryKind

_MOVES: Final = 600
"""Moves at most of a position whose replies are looked at, in a game on a small board."""
_ROUNDS: Final = 3
"""How many of the winner's moves are looked at, at most, from the last but one back."""
_NODES: Final = 4_000
"""Positions that the search for a move that would have held looks at, about as many as a review of a long match."""
_LOST: Final = 0.1
"""The chance to win up to which a search sees a loss."""
_THREAT: Final = 0.5
"""A move threatens to win if so large a share of the replies to it loses at once."""


@dataclass(frozen=True, slots=True)
class Defeat:
    """How a game was lost: ``loser`` is a seat, ``won_by`` the text of the move that won.

    ``threat`` is the winner's move that threatened to win, and ``number`` its number; both are None where the loser's
    last move, ``mistake``, allowed the win by itself. ``saved`` is a reply to the threat, or a move in the place of the
    mistake, after which a search sees no loss; it is None if in the end every move lost at once.
    """

    loser: int
    won_by: str
    mistake: str
    threat: str | None = None
    number: int | None = None
    saved: str | None = None


@dataclass(frozen=True, slots=True)
class _Replies:
    """The replies in a position: which share loses at once, and whether any does not."""

    lost: float
    stoppable: bool


def defeat(game: Game, variant: str, players: int, played: Sequence[Entry]) -> Defeat | None:
    """Return why a match was lost, or None for other ends, and where that would take too long to find out."""
    if players != 2:
        return None
    every, entries = game_states(game, variant, players, played), effective_entries(played)
    result = every[-1].result
    turns = entries[-3:]
    if result is None or len(result.winners) != 1 or len(turns) < 3 or every[-1].ended is not None:
        return None
    (winner,) = result.winners
    if [entry.seat for entry in turns] != [winner, 1 - winner, winner] or any(
        entry.kind is not EntryKind.MOVE for entry in turns
    ):
        return None
    replies = None
    origin: int | None = None
    for number in range(len(entries) - 2, max(0, len(entries) - 2 - 2 * _ROUNDS), -2):
        these = _replies(every[number].position, winner) if _had_a_choice(every, entries, number, winner) else None
        replies = replies or these
        if these is None or these.lost < _THREAT:
            break
        origin = number
    if replies is None:
        return None
    won_by, mistake = entries[-1].text, entries[-2].text
    saved = None
    if replies.stoppable:
        at = len(entries) - 2 if origin is None else origin
        best = analyse(every[at].position, nodes=_NODES).lines[0]
        saved = str(best.move)
        if best.winning <= _LOST or saved == entries[at].text:
            return None
    elif origin is None:
        return None
    if origin is None:
        return Defeat(1 - winner, won_by, mistake, saved=saved)
    return Defeat(1 - winner, won_by, mistake, entries[origin - 1].text, origin, saved)


def _had_a_choice(every: Sequence[GameState], entries: Sequence[Entry], number: int, winner: int) -> bool:
    """Return whether the winner has made the move of a number, and the other seat had a choice after it."""
    entry, position = entries[number - 1], every[number].position
    made = entry.kind is EntryKind.MOVE and entry.seat == winner
    return made and position.to_move == 1 - winner and is_judged(position) and is_judged(every[number - 1].position)


def _replies(position: Position, winner: int) -> _Replies | None:
    """Return how the moves of a position do against a win at once, or None where they are too many."""
    state = state_of(position)
    tokens = state.tokens()
    if not tokens or len(tokens) * state.cost > _MOVES:
        return None
    lost = 0
    for token in tokens:
        check_cancelled()
        state.make(token)
        ended = state.winners()
        lost += state.win_in_one() is not None if ended is None else ended == {winner}
        state.unmake()
    return _Replies(lost / len(tokens), lost < len(tokens))
