"""Weekly rest: chosen by touch or typed, told in challenges and on boards, counted as servers and cups have it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.support.acting import answer, board_of, cards, challenge, challenge_accepted, play, text_of, told
from tests.support.cup_play import cup_message, running_matches, started
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import DAY, HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401

REST = "Weekly rest: **Saturday and Sunday, Europe/Rome**"
THURSDAY_MIDNIGHT = datetime(2026, 1, 1, 23, tzinfo=UTC)
"""The end of the first day of tests in Rome."""


async def rest(sim: SimulatedDiscord, typed: str = "sat sun") -> str:
    """Have Bob choose a weekly rest in Rome; return what he is told."""
    return told(await sim.bob.slash(sim.channel, "preferences", rest=typed, zone="Europe/Rome"))


@pytest.mark.own_bot
async def test_a_rest_is_told_before_the_challenge_is_accepted_and_on_the_boards_of_its_person(
    sim: SimulatedDiscord,
) -> None:
    card = await challenge(sim, pace=DAY)
    assert "Weekly rest" not in text_of(card)
    assert f"{REST}, from <t:{int(THURSDAY_MIDNIGHT.timestamp())}:f> on" in await rest(sim)
    day = int(THURSDAY_MIDNIGHT.timestamp())
    words = f"Weekly rest of <@{sim.bob.id}>: Saturday and Sunday, Europe/Rome, from <t:{day}:d> on"
    assert words in text_of(cards(sim)[-1]), "the card that is open tells of the change"
    await sim.bob.click(cards(sim)[-1], label="Accept")
    await sim.env.advance_time(23.5 * HOUR)
    thread = card.id
    await play(sim, thread, "a1")
    assert "-# Weekly rest of Bob: Saturday and Sunday, Europe/Rome" in text_of(board_of(sim, thread))
    match = await stored(sim)
    assert match.deadline_at is not None
    # Friday has just begun in Rome: the day of time ends on Monday.
    assert (match.deadline_at - match.turn_at).total_seconds() == 3 * DAY
    await sim.env.advance_time(2.2 * DAY)
    await sim.restart()
    assert not (await stored(sim)).flagged
    await play(sim, thread, "a5", begin=1)
    assert "Weekly rest" not in text_of(board_of(sim, thread)), "Alice has none"
    await play(sim, thread, "b1")
    await sim.env.advance_time(2 * DAY)
    assert (await stored(sim)).flagged


@pytest.mark.own_bot
async def test_the_rest_of_who_accepts_is_told_on_the_first_board_though_they_wait(sim: SimulatedDiscord) -> None:
    await rest(sim)
    await sim.env.advance_time(DAY)
    card = await challenge(sim, opponent=None, pace=DAY)
    assert "Weekly rest" not in text_of(card), "nobody knows who will accept"
    await sim.bob.click(card, label="Accept")
    thread = card.id
    told_first = "-# Weekly rest of Bob: Saturday and Sunday, Europe/Rome"
    assert told_first in text_of(board_of(sim, thread))
    await sim.alice.slash(sim.channel, "preferences", away_days=5)
    assert told_first in text_of(board_of(sim, thread)), "also when its deadline is put right"
    await sim.alice.slash(sim.channel, "preferences", away_days=0)
    await play(sim, thread, "a1", "a5", "b1")
    await play(sim, thread, "b5", begin=1)
    assert "Weekly rest" not in text_of(board_of(sim, thread)), "later each board tells of who is to move"


@pytest.mark.own_bot
@pytest.mark.parametrize(("pace", "counts"), [(0, True), ("10m+30s", True), (DAY, False)])
async def test_a_first_board_tells_of_no_rest_that_does_not_count(
    sim: SimulatedDiscord, pace: int | str, counts: bool
) -> None:
    await rest(sim)
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", rest=counts)
    await sim.env.advance_time(DAY)
    thread = await challenge_accepted(sim, opponent=None, pace=pace)
    assert "Weekly rest" not in text_of(board_of(sim, thread))


@pytest.mark.own_bot
async def test_a_rest_is_chosen_by_touch(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.bob.slash(sim.channel, "preferences", zone="Europe/Rome"))
    assert "Weekly rest: **No rest**" in text_of(shown.message)
    view = answer(await sim.bob.click(shown, label="Weekly rest"))
    assert "Your opponents see it." in text_of(view.message)
    await sim.bob.select(view, ["67"], custom_id="prefer:rest-choice")
    assert REST in text_of(view.message)
    await sim.env.advance_time(DAY)
    await sim.bob.select(view, ["22-7"], custom_id="prefer:rest-choice")
    later = int((THURSDAY_MIDNIGHT.timestamp()) + 8 * DAY)
    assert f"Weekly rest: **22:00–7:00, Europe/Rome**, from <t:{later}:f> on" in text_of(view.message)


async def test_rests_are_suggested_in_words_and_what_is_none_is_refused_with_examples(sim: SimulatedDiscord) -> None:
    found = await sim.bob.autocomplete(sim.channel, "preferences", "rest", "sund")
    assert next((choice["name"], choice["value"]) for choice in found) == ("Saturday and Sunday", "67")
    said = await rest(sim, "mon tue wed")
    assert "I don't understand “mon tue wed” as a weekly rest" in said
    assert "“Saturday Sunday”" in said
    assert "Weekly rest: **No rest**" in await rest(sim, "0")


@pytest.mark.own_bot
async def test_a_server_and_a_cup_say_whether_rest_counts(sim: SimulatedDiscord) -> None:
    await rest(sim)
    await sim.env.advance_time(DAY)
    await started(sim, players=3, rest=False)
    assert "clocks run through weekly rest" in text_of(cup_message(sim))
    for person in (sim.bob, sim.carol):
        await person.click(cup_message(sim), label="Join")
    found = await running_matches(sim)
    assert found
    assert {(match.rest_counts, match.rest) for match in found} == {(False, None)}
    settings = answer(await sim.alice.slash(sim.channel, "settings"))
    await sim.alice.click(settings, label="Let the clocks run")
    assert "Players' weekly rest in new matches: **doesn't stop their clocks**" in text_of(settings.message)
    assert "Weekly rest" not in text_of(await challenge(sim, pace=DAY))
    await sim.alice.slash(sim.channel, "cup", game="redo", players=3)
    assert "clocks run through weekly rest" in text_of(cup_message(sim, 2))
    await sim.alice.slash(sim.channel, "settings", rest=True)
    assert "Weekly rest of" in text_of(await challenge(sim, pace=DAY))
