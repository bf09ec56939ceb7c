"""A cache of game states, so that a match is not replayed each time it is shown."""

from __future__ import annotations

from collections import OrderedDict

import structlog

from bot.games import GAMES
from bot.matches.model.game_state import GameState, replay
from bot.matches.model.refusals import Quarantined, check_installed
from bot.matches.service_context import ServiceContext
from bot.storage import matches
from bot.storage.records import Match
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

MOST_STATES = 2048
RECENT = 2
"""States kept for one match: the newest, and the one on the board that was posted last."""


class GameStates:
    """Game states by match and ply. These identify a state, because a list of moves only grows.

    Do not ask for one inside a transaction: a replay waits in the compute queue.
    """

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._known: OrderedDict[int, tuple[GameState, ...]] = OrderedDict()
        self._quarantined: set[int] = set()

    @property
    def quarantined(self) -> frozenset[int]:
        """The ids of matches whose last replay failed."""
        return frozenset(self._quarantined)

    async def of(self, match: Match) -> GameState:
        """Return the newest state of ``match``, by a replay if it is not cached.

        Raises ``Quarantined``, or ``Unavailable`` if the game is not installed.
        """
        return await self.at(match, match.ply)

    async def at(self, match: Match, ply: int) -> GameState:
        """Return the state of ``match`` after ``ply`` entries. Raises like ``of``."""
        check_installed(match.game)
        state = next((state for state in self._known.get(match.id, ()) if state.ply == ply), None)
        if state is None:
            try:
                async with self._context.database.read() as tx:
                    played = await matches.moves_of(tx, match.id)
                game = GAMES[match.game]
                state = await self._context.compute(replay, game, match.variant, len(match.seats), played[:ply])
            except (ValueError, KeyError, IndexError) as error:
                if match.id not in self._quarantined:
                    self._quarantined.add(match.id)
                    metrics.MATCHES_QUARANTINED.set(len(self._quarantined))
                    log.exception("match quarantined: its moves cannot be replayed", match=match.id)
                raise Quarantined from error
            self._quarantined.discard(match.id)
            metrics.MATCHES_QUARANTINED.set(len(self._quarantined))
        self.remember(match.id, state)
        return state

    def remember(self, match_id: int, game_state: GameState) -> None:
        """Cache a state whose entries are committed."""
        others = [state for state in self._known.get(match_id, ()) if state.ply != game_state.ply]
        self._known[match_id] = tuple(sorted([*others, game_state], key=lambda state: state.ply)[-RECENT:])
        self._known.move_to_end(match_id)
        while len(self._known) > MOST_STATES:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Empty the cache."""
        self._known.clear()
