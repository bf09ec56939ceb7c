"""A turn in an hour of the day in which its person never moves makes no sound; they hear of it later if it waits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.matches.model import usual_hours
from tests.discord_flow.test_mentions import heard
from tests.support.acting import answer, board_of, challenge_accepted, play, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY
from tests.support.without_grace import without_grace  # noqa: F401 - used by all tests of this file

pytestmark = pytest.mark.own_bot

NIGHT, MORNING = 3, 9
"""Hours of the day in which Bob does not move, and in which he does."""


@pytest.fixture(autouse=True)
def soon_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one move tell a person's usual hours."""
    monkeypatch.setattr(usual_hours, "FEWEST_MOVES", 1)
    monkeypatch.setattr(usual_hours, "FEWEST_DAYS", 1)


async def until_hour(sim: SimulatedDiscord, hour: int, minute: int = 30) -> None:
    """Let the time pass until the clocks show an hour and a minute next."""
    now = sim.env.now()
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    await sim.env.advance_time(((then - now) % timedelta(days=1)).total_seconds())


async def waiting(sim: SimulatedDiscord) -> tuple[int, int]:
    """Have Bob move in the morning, and a turn of his begin at night; return the thread, and his mentions before."""
    thread = await challenge_accepted(sim, pace=3 * DAY)
    await until_hour(sim, MORNING)
    await play(sim, thread, "a1", "a5")
    await until_hour(sim, NIGHT)
    before = len(heard(sim, sim.bob))
    await play(sim, thread, "b1")
    return thread, before


async def test_a_turn_at_night_is_heard_after_the_next_usual_hour(sim: SimulatedDiscord) -> None:
    thread, before = await waiting(sim)
    assert heard(sim, sim.bob)[before:] == [False]
    await sim.restart()
    await until_hour(sim, MORNING, 58)
    assert heard(sim, sim.bob)[before:] == [False]
    await until_hour(sim, MORNING + 1, 1)
    assert heard(sim, sim.bob)[before:] == [False, True]
    assert "it's your turn in **Yonmoque · match 1**" in text_of(board_of(sim, thread))
    await sim.env.advance_time(DAY)
    assert heard(sim, sim.bob)[before:] == [False, True]


async def test_who_has_switched_it_off_hears_of_a_turn_at_night_at_once(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.bob.slash(sim.channel, "preferences"))
    await sim.bob.click(shown, label="News")
    assert "in which you never move" in text_of(shown.message)
    await sim.bob.click(shown, label="At any hour")
    assert "in which you never move" not in text_of(shown.message)
    _, before = await waiting(sim)
    assert heard(sim, sim.bob)[before:] == [True]
