"""A game of a guest against the bot, which is the list of its moves and nothing else, stored nowhere. Pure.

The guest has the first seat, by the game's first variant. Every list of legal moves is a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bot.games import GAMES
from bot.games.game import PASS, Game, IllegalMove
from bot.matches.model.game_state import GameState, first_game_state
from bot.matches.model.refusals import Refusal
from bot.matches.model.turn import TYPED_MOVE_LIMIT
from bot.opponents import choose, levels_of, thinks_long
from bot.storage.records import Entry, EntryKind
from renderers.i18n import gettext_lazy as _

MOST_LEVELS: Final = 3
MOST_PLIES: Final = 400
GUEST: Final = 0
_AT: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Such a game has no times."""


def games() -> dict[str, Game]:
    """Return the games that guests can play, by their keys: those for two in which some levels are quick."""
    return {key: game for key, game in GAMES.items() if 2 in game.variants[0].players and levels_for(game)}


def levels_for(game: Game) -> list[int]:
    """Return the levels of the bot that guests may play in a game: the weakest, of those that think quickly."""
    return [level for level in levels_of(game)[:MOST_LEVELS] if not thinks_long(game, level)]


def played(game_key: str, moves: Sequence[str]) -> tuple[GameState, list[int]]:
    """Return the state after some moves, and the seat that made each.

    Raises ``Refusal`` for moves that are no game, for more than ``MOST_PLIES``, and where the bot is to move.
    """
    if len(moves) > MOST_PLIES:
        raise Refusal(_("A game has at most {most} moves here, and this one has more.").filled(most=MOST_PLIES))
    game = GAMES[game_key]
    state, seats = first_game_state(game, game.variants[0].key, 2), list[int]()
    for text in moves:
        seats.append(state.position.to_move or 0)
        try:
            state = _moved(state, text)
        except IllegalMove as reason:
            why = _("These moves are no game: move {number} can't be played: {reason}.")
            raise Refusal(why.filled(number=len(seats), reason=reason.args[0])) from reason
    if state.position.to_move not in (None, GUEST) and len(moves) < MOST_PLIES:
        raise Refusal(
            _("This link ends where the bot is to move, so nobody can play on from it. /play begins a new game.")
        )
    return state, seats


def with_reply(state: GameState, text: str, level: int, seed: int) -> tuple[str, ...]:
    """Return a legal move of the guest with all that follows until their next turn."""
    state, added = _moved(state, text), [text]
    while state.result is None and state.ply < MOST_PLIES:
        reply = state.position.forced_move()
        if reply is None and state.position.to_move == GUEST:
            break
        reply = reply or choose(state.position, level, seed + state.ply)
        state = _moved(state, str(reply))
        added.append(str(reply))
    return tuple(added)


def _moved(state: GameState, text: str) -> GameState:
    """Return the state after one more move. Raises ``IllegalMove``."""
    seat = state.position.to_move
    if seat is None:
        raise IllegalMove(_("the game is over before it"))
    if len(text) > TYPED_MOVE_LIMIT:
        raise IllegalMove(_("it is too long"))
    move = state.position.parse(text)
    # Only a pass can be forced; to ask of every move would be dear.
    forced = str(move) == PASS and move == state.position.forced_move()
    kind = EntryKind.FORCED if forced else EntryKind.MOVE
    return state.moved(Entry(state.ply + 1, seat, kind, str(move), _AT), move)
