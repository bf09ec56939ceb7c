"""The contract's own functions: splitting texts, default steps, suggestions and forced passes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.games.game import PASS, IllegalMove, Move, Position, Result, split_text


@dataclass(frozen=True, slots=True)
class Text:
    """A move that is nothing but its text."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Menu(Position):
    """A position in which a fixed list of moves is legal."""

    texts: tuple[str, ...]

    @property
    def to_move(self) -> int | None:
        return 0 if self.texts else None

    @property
    def result(self) -> Result | None:
        return None if self.texts else Result(frozenset({0}), "nothing left")

    def legal_moves(self) -> tuple[Text, ...]:
        return tuple(map(Text, self.texts))

    def parse(self, text: str) -> Move:
        if text not in self.texts:
            raise IllegalMove(f"{text} is not on the menu")
        return Text(text)

    def play(self, move: Move) -> Menu:
        return Menu(tuple(text for text in self.texts if text != str(move)))

    def encode(self) -> str:
        return " ".join(self.texts)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("c3", ("c3",)),
        ("a1-b2", ("a1", "-b2")),
        ("c3xc5xe5", ("c3", "xc5", "xe5")),
        ("f6-f5=a2", ("f6", "-f5", "=a2")),
        ("c2-c3@E", ("c2", "-c3", "@E")),
        ("c1-c2+", ("c1", "-c2+")),
        ("b7xN", ("b7", "xN")),
        ("", ()),
    ],
)
def test_a_text_is_split_before_every_sign(text: str, keys: tuple[str, ...]) -> None:
    assert split_text(text) == keys


def test_a_step_carries_the_move_it_completes() -> None:
    first = {step.key: step.move for step in Menu(("a1-b2", "d4")).steps()}
    assert first == {"a1": None, "d4": Text("d4")}
    (second,) = Menu(("a1-b2", "d4")).steps(("a1",))
    assert (second.key, second.square, second.move) == ("-b2", "b2", Text("a1-b2"))


def test_a_complete_move_that_may_go_on_has_a_move_and_further_steps() -> None:
    for texts in (("a1xa3", "a1xa3xc3"), ("a1xa3xc3", "a1xa3")):
        menu = Menu(texts)
        (landing,) = menu.steps(("a1",))
        assert landing.move == Text("a1xa3")
        assert [step.move for step in menu.steps(("a1", "xa3"))] == [Text("a1xa3xc3")]


def test_suggestions_forgive_case_spaces_and_dashes_and_keep_to_their_limit() -> None:
    menu = Menu(("a1-b2", "a1-c3", "d4"))
    assert menu.completions(" A1 – ", 25) == ["a1-b2", "a1-c3"]
    assert menu.completions("", 2) == ["a1-b2", "a1-c3"]
    assert menu.completions("z", 25) == []


def test_a_pass_is_forced_when_it_is_the_only_move() -> None:
    assert Menu((PASS,)).forced_move() == Text(PASS)
    assert Menu((PASS, "a1")).forced_move() is None
    assert Menu(("a1",)).forced_move() is None
    assert Menu(()).forced_move() is None


def test_a_game_for_two_knows_no_dropping_out() -> None:
    with pytest.raises(ValueError, match="ends when one of them leaves"):
        Menu(("a1",)).drop(0)
