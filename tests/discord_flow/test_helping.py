"""Help: one screen of a phone, and the rest behind buttons."""

from __future__ import annotations

import bot
from tests.support.acting import answer, labels, text_of
from tests.support.simulated_discord import SimulatedDiscord

LINES, LETTERS = 18, 45
"""Lines of a phone above the buttons, and letters in one."""


async def test_help_fits_one_screen_of_a_phone_and_has_the_rest_behind_buttons(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "help"))
    first = text_of(shown.message)
    assert "Press **Play** under the board" in first
    assert sum(-(-len(line) // LETTERS) for line in first.splitlines()) <= LINES
    assert "**Hints**" not in first
    assert labels(shown.message) == ["How it works", "What else you can do", "Settings", "About me"]
    await sim.alice.click(shown, label="What else you can do")
    assert "**Hints** are for matches against me" in text_of(shown.message)
    await sim.alice.click(shown, label="Settings")
    assert "`/preferences`" in text_of(shown.message)
    await sim.alice.click(shown, label="About me")
    assert f"**Tavoliere {bot.__version__}**" in text_of(shown.message)
    assert "[add me to another server](https://discord.com/oauth2/authorize?client_id=" in text_of(shown.message)
    await sim.alice.click(shown, label="How it works")
    assert text_of(shown.message) == first
