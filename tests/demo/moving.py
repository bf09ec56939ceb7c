"""How a move is put together on the page: by the buttons and menus of the move builder, never by typing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.async_api import Locator

from bot.views import builder_ids
from tests.demo.browser_window import Window

PLAYED = re.compile(r"You played|Your move is played")


async def build(window: Window, move: str) -> None:
    """Put a move together by tapping what its text goes on with, and play it where that is still to be done."""
    await window.press("Play")
    chosen, played = "", window.messages.filter(has_text=PLAYED)
    before = await played.count()
    while await played.count() == before:
        assert all(await window.pictures(window.last))
        controls = await window.controls()
        made = {verb: _moves(controls, verb) for verb in ("play", "pick")}
        plays, picked = made["play"].get(move), made["pick"]
        fitting = [text for text in picked if move.startswith(text) and len(text) > len(chosen)]
        if plays is not None:
            await window.tap(plays)
        elif not fitting and (files := [one for one in controls if one.startswith("b-file:")]):
            letters = {await controls[one].inner_text(): controls[one] for one in files}
            await window.tap(letters[move[len(chosen) :].lstrip("-")[0]])
        elif fitting:
            chosen = max(fitting, key=len)
            await window.tap(picked[chosen])
        else:
            so_far = await window.last.locator("strong").all_inner_texts()
            chosen = max((text for text in so_far if move.startswith(text)), key=len, default="")
            value, choice = await window.menu_with(lambda value: move.startswith(chosen + value))  # noqa: B023
            chosen += value
            await window.tap(choice)


def _moves(controls: Mapping[str, Locator], verb: str) -> dict[str, Locator]:
    """Return the buttons of one verb by the text of the move as far as they make it."""
    found = {name: builder_ids.BUILDER.read(name) for name in controls if name.startswith(f"b-{verb}:")}
    return {"".join(ids.choices): controls[name] for name, ids in found.items() if ids is not None}
