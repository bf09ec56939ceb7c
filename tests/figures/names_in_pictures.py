"""What it takes to draw names in other scripts. Runs in a process of its own, because fonts are loaded once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import process_time

from renderers import image
from renderers.scene import Scene
from tests.renderers.scenes import redo

_FONTS = Path(image.__file__).parent / "fonts"
_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class NameCost:
    """Milliseconds of the first picture with a name of a script, of the first with another one, and of one that has
    been drawn before; and the megabytes of memory that came with them.
    """

    first: float
    other: float
    again: float
    megabytes: float


def cost(names: Sequence[str]) -> NameCost:
    """Measure names of one script in a new process that has drawn a board with Latin names before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_cost, names).result()


def font_megabytes() -> float:
    """Return the megabytes of the fonts for other scripts."""
    return sum(file.stat().st_size for file in _FONTS.glob("Noto*")) / 1e6


def _cost(names: Sequence[str]) -> NameCost:
    for name in ("Alice", "Bob"):
        image.png(_named(name))
    before = _resident()
    first, *others = (_timed(_named(name)) for name in names)
    megabytes = _resident() - before
    again = median(_timed(_named(names[at % len(names)])) for at in range(_ROUNDS))
    return NameCost(first, median(others), again, megabytes)


def _named(name: str) -> Scene:
    scene = redo()
    return replace(scene, trays=tuple(replace(tray, player=name) for tray in scene.trays))


def _timed(scene: Scene) -> float:
    start = process_time()
    image.png(scene)
    return (process_time() - start) * 1000


def _resident() -> float:
    """Return the megabytes of memory this process has now; nothing where the system does not tell."""
    rows = Path("/proc/self/status")
    if not rows.exists():
        return 0.0
    kilobytes = next(line.split()[1] for line in rows.read_text().splitlines() if line.startswith("VmRSS"))
    return int(kilobytes) / 1000
