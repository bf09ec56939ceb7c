"""How a move is put together on the page: by the buttons and menus of the move builder, never by typing."""

from __future__ import annotations

import re

from bot.messages import custom_ids
from bot.views.builder_preview import keys_of
from tests.demo.browser_window import Window

PICK = re.compile(custom_ids.BUILDER.pattern)


async def build(window: Window, move: str) -> None:
    """Put a move together by tapping what its text goes on with, and play it where that is still to be done."""
    await window.press("Play")
    chosen, played = "", window.messages.filter(has_text=f"You played {move}.")
    before = await played.count()
    while await played.count() == before:
        assert await window.pictures(window.last) == [True]
        controls = await window.controls()
        plays = next((controls[name] for name in controls if name.startswith("b-play:")), None)
        picked = {
            "".join(keys_of(found["prefix"])): controls[name]
            for name in controls
            if name.startswith("b-pick:") and (found := PICK.fullmatch(name)) is not None
        }
        fitting = [text for text in picked if move.startswith(text) and len(text) > len(chosen)]
        if plays is not None and chosen == move:
            await window.tap(plays)
        elif fitting:
            chosen = max(fitting, key=len)
            await window.tap(picked[chosen])
        else:
            so_far = await window.last.locator("strong").all_inner_texts()
            chosen = max((text for text in so_far if move.startswith(text)), key=len, default="")
            value, choice = await window.menu_with(lambda value: move.startswith(chosen + value))  # noqa: B023
            chosen += value
            await window.tap(choice)


async def shortcut(window: Window, label: str) -> None:
    """Play an arrangement that is one click away."""
    await window.press("Play")
    await window.tap(window.last.get_by_role("button", name=label, exact=True))
    await window.last.get_by_role("button", name="Play it").click()
    await window.sees("Your move is played")
