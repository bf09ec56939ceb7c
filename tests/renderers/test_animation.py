"""Replays: every position at a readable pace, the last one longer, in a small file."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from renderers import animation, image
from renderers.pixels.layout import Layout
from renderers.pixels.theme import THEMES
from renderers.scene import Mark, Path, Scene
from tests.renderers.scenes import FIVE, gyges, yonmoque
from tests.support.replays import replay


def frames(data: bytes) -> list[Image.Image]:
    """Return every frame after the first as a viewer shows it; the first shows what the last shows."""
    animated = Image.open(BytesIO(data))
    shown = []
    for at in range(animated.n_frames):  # type: ignore[attr-defined]
        animated.seek(at)
        shown.append(animated.convert("RGB"))
    first, *rest = shown
    assert first.tobytes() == rest[-1].tobytes(), "what shows where animations do not play is the last position"
    return rest


def durations(data: bytes) -> list[int]:
    animated = Image.open(BytesIO(data))
    found = []
    for at in range(animated.n_frames):  # type: ignore[attr-defined]
        animated.seek(at)
        found.append(animated.info["duration"])
    return found


def without_turn(scene: Scene) -> Scene:
    marks = tuple(mark for mark in scene.marks if not scene.paths or mark[0] not in AT_PATHS)
    regions = tuple(region for region in scene.regions if not region.tinted)
    return replace(
        scene, marks=marks, regions=regions, trays=tuple(replace(tray, to_move=False) for tray in scene.trays)
    )


AT_PATHS = {Mark.LEFT, Mark.PASSED, Mark.ENTERED}


def test_a_path_is_not_marked_at_its_squares_as_well() -> None:
    marks = ((Mark.LEFT, "c1"), (Mark.PASSED, "d3"), (Mark.ENTERED, "d6"), (Mark.ENTERED, "a2"), (Mark.CHANGED, "d3"))
    path = Path(("c1", "c2", "d2", "d3", "d4", "d5", "d6"))
    scene = replace(gyges(), marks=marks, paths=(path,))
    (frame,) = frames(animation.gif([scene], width=400))
    kept = replace(without_turn(scene), marks=marks[3:])
    assert frame.tobytes() == image.draw(kept, width=400).convert("RGB").tobytes()


def test_every_frame_shows_its_scene() -> None:
    scenes = replay(12)
    shown = frames(animation.gif(scenes, width=400))
    assert len(shown) == len(scenes)
    for frame, scene in zip(shown, scenes, strict=True):
        assert frame.tobytes() == image.draw(without_turn(scene), width=400).convert("RGB").tobytes()


def test_a_replay_rests_on_the_last_position_and_begins_again() -> None:
    data = animation.gif(replay(3), width=400)
    assert durations(data) == [1000, 1000, 1000, 1000, 3000]
    assert Image.open(BytesIO(data)).info["loop"] == 0


def test_a_position_that_looks_the_same_has_a_frame_all_the_same() -> None:
    scene = yonmoque()
    data = animation.gif([scene, scene, scene], width=400)
    assert durations(data) == [1000, 1000, 1000, 3000]
    assert len({frame.tobytes() for frame in frames(data)}) == 1
    assert len(data) < len(animation.gif([scene], width=400)) + 200


def test_forty_moves_take_at_most_400_kilobytes() -> None:
    assert len(animation.gif(replay(40))) <= 400_000


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", FIVE)
def test_a_single_position_is_a_replay(name: str, theme: str) -> None:
    (frame,) = frames(animation.gif([FIVE[name]], theme=theme, width=300))
    assert frame.tobytes() == image.draw(without_turn(FIVE[name]), theme, 300).convert("RGB").tobytes()


def test_scenes_of_different_heights_share_the_height_of_the_highest() -> None:
    scene = gyges()
    higher = replace(scene, notes=("a note",))
    shown = frames(animation.gif([scene, higher, scene], width=400))
    assert {frame.size for frame in shown} == {(400, Layout(higher, 400).height)}
    assert shown[0].tobytes() == shown[2].tobytes() != shown[1].tobytes()


def test_scenes_may_come_one_by_one() -> None:
    assert animation.gif(iter(replay(2)), width=300) == animation.gif(replay(2), width=300)


def test_a_replay_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        animation.gif([])
