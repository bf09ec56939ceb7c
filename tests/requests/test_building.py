"""A move that is put together: the match is read once for each press, whatever comes of it, on every way in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.matches.model.building import Consent
from bot.matches.services.turns import MoveReceipt, UnplayedMove
from bot.requests import actions
from bot.requests.request import Request
from bot.views import move_builder
from tests.matches.conftest import BOB
from tests.requests.conftest import Door
from tests.support.statements import statements_of

PRESSES: dict[str, Callable[[Request, int], Awaitable[object]]] = {
    "play": lambda request, match_id: move_builder.open_builder(request, match_id, 0),
    "back": lambda request, match_id: move_builder.show_or_play(request, match_id, 0, ()),
    "pick": lambda request, match_id: move_builder.show_or_play(request, match_id, 0, ("c3",), Consent.CHOICE),
    "confirm": lambda request, match_id: move_builder.show_or_play(request, match_id, 0, ("c3",), Consent.CONFIRMED),
    "type": lambda request, match_id: move_builder.show_or_play(request, match_id, 0, ("c3",), Consent.TEXT),
    "command": lambda request, match_id: move_builder.move(request, match_id, "c3"),
    "page": lambda request, match_id: actions.play_built_move(request, match_id, 0, ("c3",), Consent.CHOICE),
}


@pytest.mark.parametrize("press", PRESSES)
@pytest.mark.parametrize("confirm", [False, True], ids=["", "confirming"])
async def test_the_match_is_read_once_a_press(door: Door, press: str, confirm: bool) -> None:
    match_id = await door.crowd.begin(to=BOB)
    request = door.request()
    request = replace(request, preferences=replace(request.preferences, confirm=confirm, text_boards=True))
    with statements_of(door.crowd.database) as statements:
        await PRESSES[press](request, match_id)
    read = [one for one in statements if one.startswith("SELECT") and "WHERE matches.id = ?" in one]
    assert len(read) == 1, statements


async def test_a_choice_is_played_unless_the_player_wants_to_confirm_every_move(door: Door) -> None:
    match_id = await door.crowd.begin(to=BOB)
    request = door.request()
    asking = replace(request, preferences=replace(request.preferences, confirm=True))
    asked = await actions.play_built_move(asking, match_id, 0, ("c3",), Consent.CHOICE)
    assert isinstance(asked, UnplayedMove)
    assert str(asked.state.move) == "c3"
    played = await actions.play_built_move(request, match_id, 0, ("c3",), Consent.CHOICE)
    assert isinstance(played, MoveReceipt)
    assert played.text == "c3"


@pytest.mark.parametrize("consent", [Consent.CHOICE, Consent.TEXT, Consent.CONFIRMED])
async def test_whoever_presses_twice_gets_the_same_answer_again(door: Door, consent: Consent) -> None:
    match_id = await door.crowd.begin(to=BOB)
    first = await actions.play_built_move(door.request(), match_id, 0, ("c3",), consent)
    again = await actions.play_built_move(door.request(), match_id, 0, ("c3",), consent)
    assert isinstance(first, MoveReceipt)
    assert isinstance(again, MoveReceipt)
    assert first.text == again.text == "c3"
