"""Scenes say in sentences what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers.scene import Colour, Line, Mark, Outline, Path, Piece, Region, Scene, Shape
from tests.renderers.scenes import FIVE, rectangles, yonmoque


@pytest.mark.parametrize("scene", FIVE.values(), ids=FIVE.keys())
def test_nothing_is_wrong_with_a_whole_scene(scene: Scene) -> None:
    assert list(scene.problems()) == []


@pytest.mark.parametrize(
    ("scene", "problem"),
    [
        (replace(yonmoque(), files=0), "a board of 0 x 5 has no squares, or more than can be named"),
        (replace(yonmoque(), tiles=()), "it has 0 tiles for 25 squares"),
        (
            replace(yonmoque(), pieces=(Piece("z9", Shape.DISC, Colour.RED, "R"),)),
            "a piece is on 'z9', which is not on the board",
        ),
        (
            replace(yonmoque(), pieces=(Piece("a1", Shape.DISC, Colour.RED, ""),)),
            "a piece has the symbol '', and a symbol has from 1 to 3 characters",
        ),
        (replace(yonmoque(), marks=((Mark.TARGET, "N"),)), "a mark is on 'N', which is not on the board"),
        (replace(yonmoque(), marks=((Mark.TARGET, "a1"),) * 2), "it has two marks that are the same"),
        (replace(yonmoque(), paths=(Path(("a1",)),)), "a path goes through 1 squares, and has to go through 2 or more"),
        (
            replace(rectangles(), outlines=(Outline(("a1", "b1"), Colour.SEAT1, ""),)),
            "an outline goes through 2 squares, and has to go through 3 or more",
        ),
        (
            replace(rectangles(), lines=(Line(("a1", "z9"), Colour.SEAT1),)),
            "a line is on 'z9', which is not on the board",
        ),
        (replace(yonmoque(), regions=(Region((), Colour.RED, ""),)), "a region goes through 0 squares, and has to go"),
        (replace(yonmoque(), caption=""), "it has no title, or its caption is empty or longer than 200 characters"),
        (
            replace(yonmoque(), words=("two\nlines",)),
            "the words 'two\\nlines' have spaces around them, or are more than",
        ),
    ],
)
def test_what_is_wrong_is_a_sentence(scene: Scene, problem: str) -> None:
    (found,) = scene.problems()
    assert found.startswith(problem)
