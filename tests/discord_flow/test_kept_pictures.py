"""A message that is changed keeps its picture: the edit names the file. If Discord refuses that, the controls go."""

from __future__ import annotations

import fnmatch
from typing import Any

import pytest
from simcord.http import router
from structlog.testing import capture_logs

from tests.support.acting import boards, challenge_accepted, custom_ids, play, text_of
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot

MESSAGE = "/channels/*/messages/*"
PICTURE = "attachment://board.png"


@pytest.fixture
def edits(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The bodies of all edits of posted messages."""
    found: list[dict[str, Any]] = []
    dispatch = router.dispatch

    def dispatch_and_note(backend: Any, method: str, path: str, **options: Any) -> Any:
        if method == "PATCH" and fnmatch.fnmatch(path, MESSAGE):
            found.append(options["json"])
        return dispatch(backend, method, path, **options)

    monkeypatch.setattr(router, "dispatch", dispatch_and_note)
    return found


async def test_an_edit_names_the_picture_that_stays(sim: SimulatedDiscord, edits: list[dict[str, Any]]) -> None:
    place = await challenge_accepted(sim)
    await play(sim, place, "a1")
    await sim.restart()
    await play(sim, place, "a5", begin=1)
    kept = [board.attachments[0].id for board in boards(sim, place)[:2]]
    shown = [edit["attachments"] for edit in edits if PICTURE in str(edit["components"])]
    assert shown == [[{"id": str(one), "filename": "board.png"}] for one in kept]
    assert all("play:" not in str(custom_ids(board)) for board in boards(sim, place)[:2])


async def test_controls_go_though_discord_refuses_to_keep_the_picture(sim: SimulatedDiscord) -> None:
    place = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", MESSAGE, status=400, times=1)
    with capture_logs() as logs:
        await play(sim, place, "a1")
    old = next(message for message in sim.messages(place) if "a1" in text_of(message))
    assert custom_ids(old) == []
    assert old.attachments == []
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == [
        "message changed without its pictures"
    ]
    await sim.env.advance_time(600)
    await play(sim, place, "a5", begin=1)
    assert "play:" in str(custom_ids(boards(sim, place)[-1]))


async def test_controls_go_where_the_bot_may_not_look_up_the_picture(sim: SimulatedDiscord) -> None:
    place = await challenge_accepted(sim)
    await sim.restart()
    sim.env.inject_error("GET", MESSAGE, status=403, code=50001, times=None)
    await play(sim, place, "a1")
    old = next(message for message in sim.messages(place) if "a1" in text_of(message))
    assert custom_ids(old) == []
