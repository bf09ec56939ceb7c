"""Laws that hold in every position of Gygès."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.gyges.board import rows_of
from bot.games.gyges.notation import Route, Turn
from bot.games.gyges.rules import GygesPosition, decode
from tests.games.gyges.positions import RULESETS, game, pieces, texts

rulesets = st.sampled_from(RULESETS)
setups = st.permutations("112233").map("".join)
games = st.lists(st.integers(min_value=0, max_value=9999), max_size=30)

LEFT_RIGHT = str.maketrans("abcdef", "fedcba")
UP_DOWN = str.maketrans("123456NS", "654321SN")


def play(ruleset: str, south: str, north: str, choices: list[int]) -> list[tuple[GygesPosition, Turn | None]]:
    """Return the positions of the game in which every choice picks a legal move, each with the move that follows."""
    position = game(ruleset, f"{south} {north}")
    plies: list[tuple[GygesPosition, Turn | None]] = []
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        plies.append((position, moves[choice % len(moves)]))
        position = position.play(moves[choice % len(moves)])
    return [*plies, (position, None)]


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_there_are_always_four_pieces_of_each_value(ruleset: str, south: str, north: str, choices: list[int]) -> None:
    for position, _ in play(ruleset, south, north, choices):
        assert Counter(pieces(position).values()) == {1: 4, 2: 4, 3: 4}


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_a_piece_is_in_a_goal_exactly_when_the_game_is_won(
    ruleset: str, south: str, north: str, choices: list[int]
) -> None:
    for position, _ in play(ruleset, south, north, choices):
        in_goals = {"N": 0, "S": 1}.items()
        winners = {seat for goal, seat in in_goals if goal in pieces(position)}
        result = position.result
        assert winners == (set(result.winners) if result and len(result.winners) == 1 else set())


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_moves_start_on_the_border_row_and_classic_never_passes(
    ruleset: str, south: str, north: str, choices: list[int]
) -> None:
    for position, _ in play(ruleset, south, north, choices):
        border = rows_of(position.pieces, position.side)[0] + 1
        starts = {text[1] for text in texts(position)}
        assert ruleset == "fogliaccio" or "pass" not in texts(position)
        assert starts <= {str(border)} or ruleset == "classic" or texts(position) == {"pass"}


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_every_move_leads_to_another_board_than_the_others_of_its_piece(
    ruleset: str, south: str, north: str, choices: list[int]
) -> None:
    for position, _ in play(ruleset, south, north, choices)[-2:]:
        reached = [(move[:2], position.play(move).pieces) for move in position.legal_moves() if move != "pass"]
        assert len(set(reached)) == len(reached)
        assert not {position.pieces, position.previous} & {after for _, after in reached}


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_every_canonical_text_is_a_route_that_can_be_walked(
    ruleset: str, south: str, north: str, choices: list[int]
) -> None:
    for position, _ in play(ruleset, south, north, choices)[-2:]:
        for move in position.legal_moves():
            route = move.route
            assert route is None or position.rules.walk(position.situation, route.stops)
            assert route is None or str(Route.read(move)) == move


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_the_rules_look_the_same_in_the_mirror(ruleset: str, south: str, north: str, choices: list[int]) -> None:
    *plies, (last, _) = play(ruleset, south, north, choices)
    image = game(ruleset, f"{south[::-1]} {north[::-1]}")
    for _, move in plies:
        image = image.play(image.parse(mirrored(str(move), LEFT_RIGHT)))
    assert outcomes(image) == {mirror_image(outcome, LEFT_RIGHT) for outcome in outcomes(last)}


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_the_rules_look_the_same_from_the_other_side(ruleset: str, south: str, north: str, choices: list[int]) -> None:
    last, _ = play(ruleset, south, north, choices)[-1]
    if last.result is None:
        _, ranks, side, *_ = last.encode().split()
        here = decode(f"{ruleset} {ranks} {side} 0 - -")
        there = decode(f"{ruleset} {'/'.join(reversed(ranks.split('/')))} {side.translate(UP_DOWN)} 0 - -")
        assert isinstance(here, GygesPosition)
        assert isinstance(there, GygesPosition)
        assert outcomes(there) == {mirror_image(outcome, UP_DOWN) for outcome in outcomes(here)}


Outcome = tuple[str, frozenset[tuple[str, int]]]
"""Where a move starts and what it leads to. Its text is no matter of symmetry, for it goes by the order of letters."""


def outcomes(position: GygesPosition) -> set[Outcome]:
    return {(move.split("-")[0], frozenset(pieces(position.play(move)).items())) for move in position.legal_moves()}


def mirror_image(outcome: Outcome, table: dict[int, int]) -> Outcome:
    start, after = outcome
    return mirrored(start, table), frozenset((place.translate(table), value) for place, value in after)


def mirrored(text: str, table: dict[int, int]) -> str:
    return text if text == "pass" else text.translate(table)


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_every_position_is_restored_from_its_text(ruleset: str, south: str, north: str, choices: list[int]) -> None:
    for position, _ in play(ruleset, south, north, choices)[-3:]:
        assert decode(position.encode()) == position


@settings(deadline=None)
@given(rulesets, setups, setups, games)
def test_a_pass_changes_nothing_and_every_move_does(ruleset: str, south: str, north: str, choices: list[int]) -> None:
    for (before, move), (now, _) in pairwise(play(ruleset, south, north, choices)):
        assert (before.pieces == now.pieces) == (move == "pass")
