"""The answers to the questions that a reader of each guide was asked agree with the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.contract.questions import Question, questions
from bot.games import GAMES

YONMOQUE = GAMES["yonmoque"]
FOUR_BY_PLACING = Question(YONMOQUE, "?", "!", position="5/2w2/4w/bbb2/5 b 3,4 - -", play="d2", outcome="goes on")


@pytest.mark.parametrize("ruleset", ["fogliaccio", "classic"])
def test_there_are_ten_questions_about_each_set_of_rules_of_gyges(ruleset: str) -> None:
    assert len([question for question in questions(GAMES["gyges"]) if question.variant == ruleset]) >= 10


@pytest.mark.parametrize(
    ("claim", "contradiction"),
    [
        ({"outcome": "Blue"}, "the outcome is goes on"),
        ({"then": "5/5/5/bbbb1/5 w"}, "it is 5/2w2/4w/bbbb1/5 w"),
        ({"legal": ("a2",)}, "a2 is not legal"),
        ({"illegal": ("d2",)}, "d2 is legal"),
        ({"begin": "a2", "exactly": ("a2-a1", "a2-a3", "a2-b1", "a2-b3", "a2-c4")}, "a2-c4 is said or legal, not both"),
        ({"begin": "a2", "exactly": ("a2-a1", "a2-a3", "a2-b1")}, "a2-b3 is said or legal, not both"),
    ],
)
def test_a_wrong_answer_is_found_out(claim: dict[str, object], contradiction: str) -> None:
    (found,) = replace(FOUR_BY_PLACING, **claim).contradictions()  # type: ignore[arg-type]
    assert found.startswith(contradiction)


def test_a_right_answer_is_not() -> None:
    assert list(FOUR_BY_PLACING.contradictions()) == []
