"""A game for more than six: a lobby, turns, boards and an end for ten players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tavoliere_tic_tac_toe import SQUARES, Put, TicTacToe

import bot.games
from bot.games.game import MOST_PLAYERS, IllegalMove, Move, Result, SequentialPosition, Variant, View
from renderers.scene import Colour, Ground, Mark, Scene, Tray
from tests.support.acting import answer, board_of, cards, custom_ids, text_of, told
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot

SEATS = tuple(f"Seat {number}" for number in range(1, MOST_PLAYERS + 1))


@dataclass(frozen=True, slots=True)
class RoundPosition(SequentialPosition):
    """The players take squares in turn; the first to find none has won."""

    players: int
    taken: frozenset[str] = frozenset()
    side: int = 0
    outcome: Result | None = None

    def legal_moves(self) -> Sequence[Put]:
        return [] if self.outcome else [Put(square) for square in SQUARES if square not in self.taken] or [Put("none")]

    def parse(self, text: str) -> Put:
        found = next((move for move in self.legal_moves() if str(move) == text), None)
        if found is None:
            raise IllegalMove("that square is taken")
        return found

    def play(self, move: Move) -> RoundPosition:
        if str(move) == "none":
            return replace(self, outcome=Result(frozenset({self.side}), "no square is left"))
        return replace(self, taken=self.taken | {str(move)}, side=(self.side + 1) % self.players)

    def encode(self) -> str:
        return f"{self.players} {' '.join(sorted(self.taken))}"


class Round(TicTacToe):
    """A game with the largest number of players that the contract allows."""

    key = "round"
    name = "Round"
    players = range(2, MOST_PLAYERS + 1)
    variants = (Variant("standard", "Standard", range(2, MOST_PLAYERS + 1)),)
    seat_names = SEATS

    def first(self, players: int, **options: Any) -> RoundPosition:  # type: ignore[override]
        return RoundPosition(players)

    def draw(self, position: RoundPosition, view: View[RoundPosition, Put]) -> Scene:  # type: ignore[override]
        return Scene(
            files=3,
            ranks=3,
            ground=Ground.TILES,
            tiles=(Colour.PLAIN,) * 9,
            marks=tuple((Mark.TARGET, square) for square in view.targets),
            trays=tuple(
                Tray(seat, SEATS[seat], list(Colour)[seat], to_move=seat == position.to_move)
                for seat in range(position.players)
            ),
        )


@pytest.fixture
def for_ten(monkeypatch: pytest.MonkeyPatch) -> Round:
    """The game, among those there are before the bot is built."""
    game = Round()
    monkeypatch.setattr(Round, "__module__", TicTacToe.__module__)
    monkeypatch.setitem(bot.games.GAMES._by_key, game.key, game)
    return game


@pytest.mark.slow
@pytest.mark.usefixtures("for_ten")
async def test_ten_people_play_a_match_to_its_end(sim: SimulatedDiscord) -> None:
    others = [sim.guild.add_member(sim.env.create_user(f"guest{number}")) for number in range(MOST_PLAYERS - 3)]
    people = [sim.alice, sim.bob, sim.carol, *others]
    await sim.alice.slash(sim.channel, "challenge", game="round", players=MOST_PLAYERS, first="challenger")
    card = cards(sim)[-1]
    for person in people[1:]:
        await person.click(card, label="Join")
    place = sim.place(card.id)
    for person, square in zip(people, (*SQUARES, "none"), strict=True):
        assert f"<@{person.id}> (" in text_of(board_of(sim, card.id))
        assert f"You played **{square}**" in told(await person.slash(place, "move", move=square))
    assert f"<@{people[-1].id}> wins: no square is left." in text_of(board_of(sim, card.id))
    look = answer(await people[-1].slash(place, "board", match=1))
    assert "look:1:0:picture" in custom_ids(look.message)
    await people[-1].click(look, label="Flip the board")
    await people[-1].click(look, label="As text")
    assert "Seat 10" in text_of(look.message)
