"""A turn in an hour of the day in which its person never moves makes no sound; they hear of it later if it waits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.matches.model import usual_hours
from tests.discord_flow.test_mentions import heard
from tests.support.acting import answer, board_of, challenge_accepted, play, text_of
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR
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


async def waiting(sim: SimulatedDiscord, *, pace: int = 3 * DAY, turns: int = 1) -> tuple[list[int], int]:
    """Have Bob move in the morning, and turns of his begin at night; return the threads, and his mentions before."""
    threads = [await challenge_accepted(sim, pace=pace) for _ in range(turns)]
    await until_hour(sim, MORNING)
    await play(sim, threads[0], "a1", "a5")
    await until_hour(sim, NIGHT)
    before = len(heard(sim, sim.bob))
    await play(sim, threads[0], "b1")
    for thread in threads[1:]:
        await play(sim, thread, "a1")
    return threads, before


async def test_a_turn_at_night_is_heard_after_the_next_usual_hour(sim: SimulatedDiscord) -> None:
    (thread,), before = await waiting(sim)
    assert heard(sim, sim.bob)[before:] == [False]
    await sim.restart()
    await until_hour(sim, MORNING, 58)
    assert heard(sim, sim.bob)[before:] == [False]
    await until_hour(sim, MORNING + 1, 1)
    assert heard(sim, sim.bob)[before:] == [False, True]
    assert "it's your turn in **Yonmoque · match 1**" in text_of(board_of(sim, thread))
    await sim.env.advance_time(DAY)
    assert heard(sim, sim.bob)[before:] == [False, True]


@pytest.mark.slow
async def test_several_turns_at_night_make_one_sound(sim: SimulatedDiscord) -> None:
    _, before = await waiting(sim, turns=3)
    await sim.env.advance_time(DAY)
    assert heard(sim, sim.bob)[before:] == [False, False, False, True]


@pytest.mark.slow
async def test_a_reminder_before_the_next_usual_hour_is_the_sound(sim: SimulatedDiscord) -> None:
    (first,), before = await waiting(sim)
    await until_hour(sim, MORNING)
    await play(sim, first, "b5", begin=1)
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(3 * HOUR)
    quiet = heard(sim, sim.bob)[before:]
    await play(sim, thread, "a1")
    await sim.env.advance_time(23 * HOUR)
    assert heard(sim, sim.bob)[before:] == [*quiet, False, True], "the turn, its reminder"


@pytest.mark.parametrize(
    "chosen",
    sampled(
        [{"quiet_from": 12, "quiet_until": 13}, {"pace": DAY // 3}, {"reminders": False, "pace": DAY}, {}], every=4
    ),
)
async def test_at_once_hears_of_a_turn_at_night(sim: SimulatedDiscord, chosen: dict[str, int]) -> None:
    """Who has quiet hours of their own, little time, or no reminder in time, and who has switched it off."""
    pace = chosen.pop("pace", 3 * DAY)
    if chosen:
        await sim.bob.slash(sim.channel, "preferences", **chosen)
    elif pace == 3 * DAY:
        shown = answer(await sim.bob.slash(sim.channel, "preferences"))
        await sim.bob.click(shown, label="News")
        assert "in which you never move" in text_of(shown.message)
        await sim.bob.click(shown, label="At any hour")
        assert "in which you never move" not in text_of(shown.message)
    thread = await challenge_accepted(sim, pace=3 * DAY)
    await until_hour(sim, MORNING)
    await play(sim, thread, "a1", "a5")
    await until_hour(sim, MORNING + 3)
    other = await challenge_accepted(sim, pace=pace)
    await play(sim, thread, "b1", "b5")
    await sim.env.advance_time(2 * HOUR)
    before = len(heard(sim, sim.bob))
    await play(sim, other, "a1")
    assert heard(sim, sim.bob)[before:] == [True]


async def test_who_has_moved_within_the_hour_hears_of_a_turn_at_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=3 * DAY)
    await until_hour(sim, MORNING, 55)
    await play(sim, thread, "a1", "a5")
    await sim.env.advance_time(HOUR / 2)
    before = len(heard(sim, sim.bob))
    await play(sim, thread, "b1")
    assert heard(sim, sim.bob)[before:] == [True]


async def test_with_few_moves_a_turn_is_heard_at_any_hour(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usual_hours, "FEWEST_DAYS", 2)
    _, before = await waiting(sim)
    assert heard(sim, sim.bob)[before:] == [True]
