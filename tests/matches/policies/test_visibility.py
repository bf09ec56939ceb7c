"""Who may see a match, by every way in: a row for each decision."""

from __future__ import annotations

import pytest

from bot.matches.model.policies.visibility import Viewer, Way, may_see

IN_DISCORD = {Way.NUMBER, Way.LIST, Way.LINK}


@pytest.mark.parametrize(
    ("viewer", "ways"),
    [
        (Viewer(plays=True), IN_DISCORD | {Way.PAGE}),
        (Viewer(plays=True, sees_place=False, private=True), IN_DISCORD | {Way.PAGE}),
        (Viewer(), IN_DISCORD),
        (Viewer(sees_place=False), {Way.LINK}),
        (Viewer(blocks=True), {Way.NUMBER, Way.LINK}),
        (Viewer(plays=True, blocks=True), IN_DISCORD | {Way.PAGE}),
        (Viewer(private=True), {Way.NUMBER, Way.LIST}),
        (Viewer(plays=True, here=False), set()),
        (Viewer(open_to_all=True, sees_place=False, blocks=True), {Way.LINK, Way.WATCH}),
        (Viewer(open_to_all=True, plays=True), set(Way)),
        (Viewer(open_to_all=True, plays=True, private=True), IN_DISCORD | {Way.PAGE}),
        (Viewer(open_to_all=True, voided=True), IN_DISCORD),
        (Viewer(open_to_all=True, here=False), set()),
    ],
)
def test_who_may_see_a_match(viewer: Viewer, ways: set[Way]) -> None:
    assert {way for way in Way if may_see(way, viewer)} == ways
