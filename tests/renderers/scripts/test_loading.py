"""Names in Latin letters cost what they cost without other scripts: neither HarfBuzz nor another font is loaded."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from multiprocessing import get_context

import pytest
from PIL import Image

from renderers import image
from renderers.scene import Scene
from tests.renderers.scenes import redo

_PROGRAM = """
import sys
from dataclasses import replace
from renderers import image
from renderers.charts import ranking
from tests.renderers.scenes import FIVE, redo

opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
for name in sys.argv[1:]:
    for scene in FIVE.values():
        image.png(replace(scene, trays=tuple(replace(tray, player=name) for tray in scene.trays)))
    ranking.png([ranking.Row(1, name, "1500", 1.0)], name)
print("uharfbuzz" in sys.modules, any("Noto" in file for file in opened))
"""


def _loaded(*names: str) -> str:
    done = subprocess.run([sys.executable, "-c", _PROGRAM, *names], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def named(name: str) -> Scene:
    return replace(redo(), trays=tuple(replace(tray, player=name) for tray in redo().trays))


def test_a_latin_name_loads_nothing() -> None:
    assert _loaded("Alice", "Nguyễn Zoë Łódź", "Дмитрий Χρήστος", "x\u200dy\u202e") == "False False"


def test_a_name_in_another_script_loads_what_it_needs() -> None:
    assert _loaded("علي").startswith("True")


@pytest.mark.slow
def test_a_worker_process_draws_the_same_picture() -> None:
    scenes = [named(name) for name in ("علي", "日本語", "👩‍🚀", "Alice")]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        drawn = list(pool.map(image.png, scenes))
    assert [_pixels(data) for data in drawn] == [_pixels(image.png(scene)) for scene in scenes]


def _pixels(data: bytes) -> str:
    """Return what tells pictures apart that look different."""
    with Image.open(BytesIO(data)) as picture:
        return sha256(picture.convert("RGB").tobytes()).hexdigest()
