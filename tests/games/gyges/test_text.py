"""Moves and positions of Gygès as text: what is understood, what is shown, and why something is refused."""

from __future__ import annotations

import pytest

from bot.games.gyges import GYGES
from bot.games.gyges.rules import decode
from tests.games.gyges.positions import RULESETS, after, board, game, pieces, start, texts, why_not

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

START = "231123 321123"
CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"


@each_ruleset
@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("f1-e3", "f1-e3"),
        ("F1-E3", "f1-e3"),
        (" f1 - e3 ", "f1-e3"),
        ("f1–e3", "f1-e3"),
        ("f1—e3", "f1-e3"),
        ("f1 e3", "f1-e3"),
        ("f1e3", "f1-e3"),
    ],
)
def test_case_spaces_and_dashes_do_not_matter(ruleset: str, typed: str, text: str) -> None:
    assert game(ruleset, START).parse(typed) == text


@each_ruleset
@pytest.mark.parametrize("typed", ["231123", " 2 3 1 1 2 3 ", "2-3-1-1-2-3", "2,3,1,1,2,3", "2 3 1 / 1 2 3"])
def test_a_set_up_may_be_spaced_out(ruleset: str, typed: str) -> None:
    assert GYGES.start(ruleset=ruleset).parse(typed) == "231123"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("231122", "2 is in this one 3 times"),
        ("231121", "1 is in this one 3 times"),
        ("112234", "3 is in this one only once"),
        ("112244", "this one has no 3"),
        ("23112", "six squares, and these are 5 values"),
        ("2311233", "six squares, and these are 7 values"),
        ("a1-b1", "the six values from file a to f"),
        ("pass", "the six values from file a to f"),
        ("", "the six values from file a to f"),
        ("1" * 5000, "far too long"),
    ],
)
def test_another_set_up_is_refused_with_a_reason(typed: str, reason: str) -> None:
    assert reason in why_not(start(), typed)


@each_ruleset
@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("hello", "a move is written as the squares where it stops"),
        ("c1=d3-e5", "a move is written as the squares where it stops"),
        ("c1-g1", "there is no square g1: files go from a to f, ranks from 1 to 6"),
        ("c1-c7", "there is no square c7"),
        ("c2-c3", "c2 is empty: there is no piece to move"),
        ("c1", "say where the 1 on c1 goes"),
        ("c1=a2", "say where the 1 on c1 goes"),
        ("c6-c5", "c6 is not on South's border row, rank 1"),
        ("c1-c3", "c3 is out of reach from c1: exactly one step must be made, never diagonally"),
        ("a1-c2", "c2 is out of reach from a1: exactly 2 steps must be made, never diagonally"),
        ("c1-b1", "b1 holds a 3: bounce on, or say where it is put, as in c1-d3=a2"),
        ("c1-c2=c3", "c2 holds no piece to relocate"),
        ("c1-c2-c3", "c2 holds no piece to bounce on: the move ends there"),
        ("c1-b1=e6", "e6 is"),
        ("c1-S", "S is South's own goal: it cannot be entered"),
        ("c1-N", "N is out of reach"),
        ("pass", "you may pass only when you have no legal move"),
        ("a1-" * 100 + "a1", "longer than any move can be"),
    ],
)
def test_a_refusal_says_what_is_wrong(ruleset: str, typed: str, reason: str) -> None:
    assert reason in why_not(game(ruleset, START), typed)


def test_a_route_that_is_not_canonical_is_understood_and_shown_as_its_canonical_text() -> None:
    position = game("classic", f"{START} f1-e3 a6-c5 e1-d2 f6-e6=a2")
    for before, typed, canonical in (
        (position, "c1-d1-d2-e3=c3", "c1-b1-d2-e3=c3"),  # the first by code points
        (after(position, "c1-d1-d2-e3=c3 b6-c5=f3 d1-d2-e3-f3=c4"), "d6-d5", "d6-c6=d5"),
        (board("fogliaccio", CHAIN), "b2-c4-b5", "b2-c4=b5"),  # a relocation is no stop
    ):
        assert before.parse(typed) == canonical == before.parse(canonical)
        assert typed not in texts(before)
        assert pieces(after(before, typed)) == pieces(after(before, canonical))


@each_ruleset
def test_the_text_of_a_position_names_its_ruleset_board_side_passes_and_history(ruleset: str) -> None:
    assert GYGES.start(ruleset=ruleset).encode() == f"{ruleset} set-up -"
    half = GYGES.start(ruleset=ruleset)
    assert half.play(half.parse("231123")).encode() == f"{ruleset} set-up 231123"
    first = f"{ruleset} ./321123/....../....../....../....../231123/. S 0 - -"
    assert game(ruleset, START).encode() == first
    fields = game(ruleset, f"{START} c1-c2").encode().split()
    assert fields[1:4] == ["./321123/....../....../....../..1.../23.123/.", "N", "0"]
    assert fields[5] == f"{fields[4]}S"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chess set-up -", "begins with its ruleset"),
        ("classic set-up 222222", "two 1s, two 2s and two 3s"),
        ("classic set-up", "is written: ruleset board side passes previous earlier"),
        ("classic setup -", "not how this position"),
        ("classic ./321123/....../....../....../....../231123/. S 0 -", "is written: ruleset board side"),
        ("classic 321123/....../....../....../....../231123 S 0 - -", "goal N, the ranks from 6 to 1 and goal S"),
        ("classic ./321123/....../....../....../....../23112./. S 0 - -", "4 pieces of each value"),
        ("classic ./321123/....../....../....../....../331123/. S 0 - -", "4 pieces of each value"),
        ("classic ./321123/....../....../....../....../231123/. X 0 - -", "is written: ruleset board side"),
        ("classic ./321123/....../....../....../....../231123/. S 3 - -", "is written: ruleset board side"),
        ("classic ./321123/....../....../....../....../231123/. S 0 xyz -", "hexadecimal digits"),
        ("classic ./321123/....../....../....../....../231123/. S 0 - 12", "followed by the side to move"),
        ("classic 3/321123/....../....../....../....../2311.2/. S 0 - -", "a piece in a goal had ended the game"),
        ("classic 3/321123/....../....../....../....../2311../2 S 0 - -", "there cannot be two"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        decode(text)
