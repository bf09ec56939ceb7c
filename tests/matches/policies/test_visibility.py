"""Who may see a match, by every way in: a row for each decision."""

from __future__ import annotations

import pytest

from bot.matches.model.policies.visibility import Viewer, Way, may_see


@pytest.mark.parametrize(
    ("viewer", "ways"),
    [
        (Viewer(plays=True), set(Way)),
        (Viewer(plays=True, sees_place=False, private=True), set(Way)),
        (Viewer(), {Way.NUMBER, Way.LIST, Way.LINK}),
        (Viewer(sees_place=False), {Way.LINK}),
        (Viewer(blocks=True), {Way.NUMBER, Way.LINK}),
        (Viewer(plays=True, blocks=True), set(Way)),
        (Viewer(private=True), {Way.NUMBER, Way.LIST}),
        (Viewer(plays=True, here=False), set()),
    ],
)
def test_who_may_see_a_match(viewer: Viewer, ways: set[Way]) -> None:
    assert {way for way in Way if may_see(way, viewer)} == ways
