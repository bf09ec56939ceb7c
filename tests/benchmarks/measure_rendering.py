"""What pictures cost after the first one: run with ``--benchmark-enable``.

Bounds of the design: a board of 900 pixels at most 3 ms, a replay of 40 moves at most 400 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PIL import Image

from renderers import animation, image, text
from renderers.charts import line_chart
from renderers.pixels import png
from renderers.scene import Mark, Scene
from tests.renderers.scenes import FIVE
from tests.support.replays import replay

Benchmark = Callable[..., bytes | str]


@pytest.mark.parametrize("name", FIVE)
def test_drawing_a_board(benchmark: Benchmark, name: str) -> None:
    assert benchmark(image.png, FIVE[name])


@pytest.mark.parametrize("encode", [png.by_libdeflate, png.by_pillow])
@pytest.mark.parametrize("name", FIVE)
def test_writing_a_board_as_a_png(benchmark: Benchmark, name: str, encode: Callable[[Image.Image], bytes]) -> None:
    assert benchmark(encode, image.draw(FIVE[name]))


def test_drawing_boards_that_differ_from_one_another(benchmark: Benchmark) -> None:
    scene = FIVE["redo"]
    squares = [scene.square_name(file, rank) for file in range(7) for rank in range(8)]
    scenes = [replace(scene, marks=((Mark.CHOSEN, square), *scene.marks)) for square in squares]

    def draw() -> bytes:
        scenes.append(scenes.pop(0))
        return image.png(scenes[0])

    assert benchmark(draw)


def test_drawing_a_replay_of_forty_moves(benchmark: Benchmark) -> None:
    assert benchmark(animation.gif, replay(40))


def test_writing_a_board_and_its_description(benchmark: Benchmark) -> None:
    def write(scene: Scene) -> str:
        return text.board(scene) + text.description(scene)

    assert benchmark(write, FIVE["rectangles"])


def test_plotting_three_series(benchmark: Benchmark) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    series = [
        line_chart.Series(name, tuple((start + timedelta(days=at), 1500 + step * (at % 9)) for at in range(200)))
        for name, step in (("Gygès", 9), ("Redo", 7), ("Yonmoque", 5))
    ]
    assert benchmark(line_chart.png, series)
