"""What only one person sees is drawn in the theme they chose, which is never that of public pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.messages.pictures import PUBLIC
from bot.requests.outcome import Outcome, Status, execute
from bot.requests.request import Request
from bot.views.answers import Reply
from bot.views.move_builder import open_builder
from bot.views.preferences import change
from tests.matches.conftest import ALICE
from tests.renderers.drawing import theme_of
from tests.requests.conftest import Door


async def test_the_board_and_the_aim_in_a_builder_have_ones_own_theme(door: Door) -> None:
    match_id = await door.crowd.begin()
    settings = door.crowd.services.personal_settings

    async def play(request: Request) -> Reply:
        return await open_builder(request, match_id, 0)

    for wanted in ("dark", "light"):
        await settings.prefer(ALICE.id, partial(replace, theme=wanted))
        shown = await execute(door.request(), play)
        assert shown.value is not None
        assert [theme_of(picture.data) for picture in shown.value.attachments] == [wanted, wanted]


async def test_the_theme_of_public_pictures_is_not_to_be_chosen(door: Door) -> None:
    refused = await execute(door.request(), lambda request: change(request, {"theme": PUBLIC.theme}))
    assert refused == Outcome(Status.REFUSED, words="There is no such theme any more.")
