"""Building a move of Gygès choice by choice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from bot.games.cancellation import run_while
from bot.games.gyges import GYGES
from bot.games.gyges.rules import GygesPosition, decode
from bot.games.gyges.rulesets import outcomes_of
from tests.games.gyges.positions import RULESETS, board, game, start, texts

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"


def labels(position: GygesPosition, *prefix: str) -> dict[str, str]:
    return {step.key: step.label for step in position.steps(prefix)}


@each_ruleset
def test_a_set_up_is_chosen_square_by_square_until_the_rest_is_settled(ruleset: str) -> None:
    setting_up = start(ruleset=ruleset)
    assert [(step.key, step.label, step.square) for step in setting_up.steps(("2", "3"))] == [
        ("1", "c1: 1", "c1"),
        ("2", "c1: 2", "c1"),
        ("3", "c1: 3", "c1"),
    ]
    last = setting_up.steps(("2", "3", "1", "1"))
    assert [(step.key, step.label, str(step.move)) for step in last] == [
        ("23", "e1: 2, f1: 3", "231123"),
        ("32", "e1: 3, f1: 2", "231132"),
    ]
    assert [(step.key, step.move) for step in setting_up.steps(("1", "1", "2"))] == [("233", "112233"), ("3", None)]
    assert {step.square for step in setting_up.play(setting_up.parse("231123")).steps()} == {"a6"}


@each_ruleset
def test_a_default_and_another_random_arrangement_are_one_click_away(ruleset: str) -> None:
    for seed in range(50):
        default, chance = GYGES.start(ruleset=ruleset).shortcuts(Random(seed))
        assert (default.label, default.move) == ("Ready-made set-up", "321123")
        assert chance.label == "Random set-up"
        assert chance.move != default.move
    assert game(ruleset, "231123 321123").shortcuts(Random(1)) == ()


def captions(position: GygesPosition, *prefix: str) -> dict[str, str]:
    return {step.key: str(step.caption) for step in position.steps(prefix)}


@each_ruleset
def test_the_first_choice_is_a_piece_that_has_a_legal_move_and_buttons_say_squares_and_pieces(ruleset: str) -> None:
    position = board(ruleset, "...... ...... ...... ...1.. 121221 33332.")
    assert {step.key for step in position.steps()} == {text[:2] for text in texts(position)}
    position = board(ruleset, CHAIN)
    assert labels(position) == {"b2": "b2: the 3", "e2": "e2: the 2"}
    assert captions(position) == {"b2": "3 on b2", "e2": "2 on e2"}
    places = captions(position, "b2")
    assert (places["-a2"], places["-e2"], places["-c4"]) == ("a2", "2 on e2", "2 on c4")
    assert len(set(places.values())) == len(places)
    assert all(not set("-=") & set(caption) for caption in places.values()), "never notation"


def test_in_fogliaccio_a_piece_that_is_hit_is_pushed_on_or_put_elsewhere_by_a_choice_of_its_own() -> None:
    position = board("fogliaccio", CHAIN)
    assert position.prompt(("b2",)) == "Where does the 3 on b2 go?"
    assert position.prompt(("b2", "-e2")) == "The 3 lands on the 2 on e2: push the 2 away, or put it elsewhere?"
    assert labels(position, "b2", "-e2") == {"-": "Push the 2 away", "=": "Put the 2 elsewhere"}
    assert position.prompt(("b2", "-e2", "-")) == "Where do you push the 2 from e2?"
    assert captions(position, "b2", "-e2", "-") == {"d1": "d1", "f1": "f1", "f3": "1 on f3"}
    assert position.prompt(("b2", "-e2", "=")) == "Where do you put the 2 from e2?"
    assert captions(position, "b2", "-e2", "=") == {square: square for square in ("b5", "c5", "d5", "f5")}
    bounced = ("b2", "-e2", "-", "f3")
    assert position.prompt(bounced) == "The 2 lands on the 1 on f3: push the 1 away, or put it elsewhere?"
    assert labels(position, *bounced, "-")["f4"] == "f4: the 1 lands on a 3"


@each_ruleset
def test_a_relocation_is_asked_about_before_it_is_played_and_nothing_else_is(ruleset: str) -> None:
    position = board(ruleset, CHAIN)
    puts = position.steps(("b2", "-e2", "=") if ruleset == "fogliaccio" else ("b2", "-e2"))
    assert puts
    assert all(step.asks and step.move is not None for step in puts)
    assert not any(step.asks for step in position.steps(("b2",)))


def test_choices_of_buttons_posted_before_there_were_two_steps_still_lead_on() -> None:
    position = board("fogliaccio", CHAIN)
    assert labels(position, "b2", "-e2-f3") == labels(position, "b2", "-e2", "-", "f3")
    assert labels(position, "b2", "-e2-f3", "-f4") == labels(position, "b2", "-e2", "-", "f3", "-", "f4")


def test_in_fogliaccio_a_choice_may_complete_a_move_that_is_written_otherwise() -> None:
    (step,) = (step for step in board("fogliaccio", CHAIN).steps(("b2", "-c4", "-")) if step.key == "b5")
    assert step.move == "b2-c4=b5"


@each_ruleset
def test_no_move_is_offered_twice_in_one_menu(ruleset: str) -> None:
    for key in labels(board(ruleset, CHAIN)):
        moves = [step.move for step in board(ruleset, CHAIN).steps((key,)) if step.move is not None]
        assert len(set(moves)) == len(moves)


def test_in_classic_every_place_a_piece_can_come_to_is_one_choice() -> None:
    position = board("classic", CHAIN)
    offered = labels(position, "b2")
    assert offered["-c4"] == "c4: the 3 lands on a 2"
    assert offered["-c4-c6"] == "c6: the 3 stops there, via c4"
    assert offered["-e2-f3-f4-N"] == "N: the 3 enters the goal, via e2, f3, f4"
    assert captions(position, "b2")["-e2-f3-f4-N"] == "goal N"
    assert position.prompt(("b2", "-e2-f3")) == "The 3 lands on the 1 on f3. Where do you put the 1?"
    assert labels(position, "b2", "-e2-f3")["=a1"] == "a1: put the 1 there"
    assert all(not position.steps(("b2", "-e2-f3", step.key)) for step in position.steps(("b2", "-e2-f3")))


def test_a_pass_is_the_only_choice_of_a_stuck_player() -> None:
    position = board("fogliaccio", "...... ...... ...... ...... 112211 323323")
    (step,) = position.steps()
    assert (step.key, step.label, step.square, str(step.move)) == ("pass", "Pass", None, "pass")
    assert position.steps(("pass",)) == []
    assert [position.completions(typed, 25) for typed in ("", "PA", "a1")] == [["pass"], ["pass"], []]
    assert game("fogliaccio", "231123 321123").completions("p", 25) == []


@each_ruleset
def test_there_is_nothing_to_choose_after_what_was_not_offered(ruleset: str) -> None:
    position = board(ruleset, CHAIN)
    for prefix in (
        ("a3",),
        ("b2", "-b3"),
        ("b2", "-a2", "-a3"),
        ("b2", "-c4=c5", "=c5"),
        ("b2", "=a1"),
        ("b2", "-"),
        ("b2", "-a2", "-"),
    ):
        assert position.steps(prefix) == []


@each_ruleset
def test_completions_are_the_first_of_the_legal_moves_that_begin_so(ruleset: str) -> None:
    random, position = Random(6), game(ruleset, "231123 321123")
    while position.result is None and len(position.earlier) < 30:
        moves = [str(move) for move in position.legal_moves()]
        some = random.choice(moves)
        for typed in ("", "a", some[: random.randrange(1, len(some) + 1)], some.upper(), "f6-", "g", "pass"):
            expected = [move for move in moves if move.casefold().startswith(typed.casefold())][:25]
            assert position.completions(typed, 25) == expected
        position = position.play(random.choice(position.legal_moves()))


def test_suggestions_walk_the_routes_of_the_piece_that_is_typed_alone() -> None:
    encoded = "classic ./..3.../....../.2.3../2.2..3/...2../13111./. S 0 - -"
    every = questions(lambda: decode(encoded).legal_moves())
    assert 0 < questions(lambda: decode(encoded).completions("e1", 25)) < every
    assert 0 < questions(lambda: decode(encoded).completions("", 25)) < every


def questions(function: Callable[[], object]) -> int:
    """Return how often a computation that remembers nothing asks whether it is still wanted: once for every leg."""
    count = 0

    def wanted() -> bool:
        nonlocal count
        count += 1
        return True

    outcomes_of.cache_clear()
    run_while(wanted, function)
    return count


@each_ruleset
def test_what_was_found_for_a_position_is_kept_while_it_stands(ruleset: str) -> None:
    encoded = board(ruleset, CHAIN).encode()
    assert questions(lambda: decode(encoded).legal_moves()) > 0

    def again() -> None:
        position = decode(encoded)
        position.legal_moves()
        position.completions("b2", 25)
        position.parse(str(position.legal_moves()[0]))

    outcomes_of.cache_clear()
    decode(encoded).legal_moves()
    run_while(lambda: False, again)
