"""Pictures

A board 900 pixels wide whose sprites are in the cache: milliseconds to draw it and to encode it, and its size, with
ISA-L and with zlib. Then a whole replay. Times are medians of processor time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

from renderers import animation, image
from renderers.pixels import png
from tests.figures import table
from tests.renderers.scenes import FIVE
from tests.support.replays import replay

_ROUNDS = 60
_MOVES, _REPLAYS = 40, 5


def measure() -> list[str]:
    """Draw a board of each game and a replay; the two writers take turns, so what else the machine does meets both."""
    heads = ("Board", "draw", "write (ISA-L)", "write (zlib)", "drawn and written", "size", "size (zlib)")
    rows = []
    for name, scene in FIVE.items():
        picture = image.draw(scene)
        tasks: list[Callable[[], object]] = [
            partial(image.draw, scene),
            partial(png.by_isal, picture),
            partial(png.by_pillow, picture),
            partial(image.png, scene),
        ]
        times = [f"{time:.1f} ms" for time in _interleaved(tasks)]
        sizes = [f"{len(write(picture)) / 1000:.0f} kB" for write in (png.by_isal, png.by_pillow)]
        rows.append((name.capitalize(), *times, *sizes))
    return [*table(heads, rows), "", _replay()]


def _replay() -> str:
    scenes = replay(_MOVES)
    taken = [_timed(partial(animation.gif, scenes)) for _ in range(_REPLAYS)]
    size = len(animation.gif(scenes)) / 1000
    return f"A replay of {_MOVES} moves as a GIF: {median(taken):.0f} ms, {size:.0f} kB."


def _interleaved(tasks: list[Callable[[], object]]) -> list[float]:
    """Return the median milliseconds of every task, all done in turn so many times."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(_ROUNDS):
        for task, taken in zip(tasks, times, strict=True):
            taken.append(_timed(task))
    return [median(taken) for taken in times]


def _timed(task: Callable[[], object]) -> float:
    """Return the milliseconds of processor time a task takes."""
    start = process_time()
    task()
    return (process_time() - start) * 1000
