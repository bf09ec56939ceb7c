"""Planned replies in Discord: made by buttons or typed, shown to their owner alone, and played with one board."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from tests.support.acting import (
    answer,
    board_of,
    boards,
    challenge_accepted,
    custom_ids,
    everything_said,
    items,
    labels,
    pings,
    play,
    text_of,
    three_playing,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord


async def pick(person: MemberActor, builder: ResponseMessage, square: str) -> None:
    """Press the button of a square in a builder of a plan."""
    found = (one for one in custom_ids(builder.message) if one.startswith("n-pick:") and one.endswith(f":{square}"))
    await person.click(builder, custom_id=next(found))


async def plan(sim: SimulatedDiscord, person: MemberActor, place: int, moves: str | None = None) -> str:
    options = {"action": "plan"} if moves is None else {"plan": moves}
    return told(await person.slash(sim.place(place), "match", **options))


async def test_after_a_move_one_press_leads_to_the_reply_to_another(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    played = answer(await sim.alice.slash(sim.place(thread), "move", move="c3"))
    assert labels(played.message) == ["Play the bot", "Plan"]
    builder = answer(await sim.alice.click(played, label="Plan"))
    assert "Plan: which move do you expect?" in text_of(builder.message).replace("*", "")
    await pick(sim.alice, builder, "d4")
    assert "your reply after d4" in text_of(builder.message).replace("*", "")
    await pick(sim.alice, builder, "e5")
    assert "If **d4**, then **e5**" in text_of(builder.message)
    before, notified = len(boards(sim, thread)), (pings(sim, sim.alice), pings(sim, sim.bob))
    await sim.bob.slash(sim.place(thread), "move", move="d4")
    words = text_of(board_of(sim, thread))
    assert len(boards(sim, thread)) == before + 1
    assert "Last move: Bob places a piece on d4" in words
    assert "Reply: Alice places a piece on e5" in words
    # It is Bob's turn again: he is mentioned, and Alice is not.
    assert (pings(sim, sim.alice), pings(sim, sim.bob)) == (notified[0], notified[1] + 1)


async def test_a_plan_is_typed_looked_at_changed_and_cleared(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    said = await plan(sim, sim.alice, thread, moves="d4, e5, a1, b1")
    assert "- If **d4**, then **e5**\n  - If **a1**, then **b1**" in said
    said = told(await sim.alice.slash(sim.place(thread), "match", action="plan", plan="ｂ２、b1;"))
    assert "If **b2**, then **b1**" in said
    shown = answer(await sim.alice.slash(sim.place(thread), "match", action="plan"))
    (menu,) = [item for item in items(shown.message) if isinstance(item, discord.ui.Select)]
    assert [option.label for option in menu.options] == [
        "The board as it stands",
        "d4, e5",
        "d4, e5, a1, b1",
        "b2, b1",
    ]
    await sim.alice.select(shown, [menu.options[1].value], custom_id=menu.custom_id)
    assert "The board after **d4**, **e5**" in text_of(shown.message).replace(" and ", ", ")
    await sim.alice.click(shown, label="Add a move you expect")
    await pick(sim.alice, shown, "e1")
    await pick(sim.alice, shown, "e2")
    assert "  - If **e1**, then **e2**" in text_of(shown.message)
    await sim.alice.click(shown, label="Remove e2")
    assert "  - If **e1**: nothing yet" in text_of(shown.message)
    await sim.alice.click(shown, label="Plan my move")
    await sim.alice.submit_modal(await sim.alice.click(shown, label="Type"), {"move": "e2、 a2; b3"})
    assert "  - If **e1**, then **e2**\n    - If **a2**, then **b3**" in text_of(shown.message)
    await sim.alice.click(shown, label="Clear the plan")
    assert text_of(shown.message).strip() == "Nothing is planned."
    await sim.bob.slash(sim.place(thread), "move", move="d4")
    assert "e5" not in text_of(board_of(sim, thread))


async def test_on_ones_own_turn_the_plan_begins_after_the_move_that_is_built(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "preferences", confirm=True)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    pick_c3 = next(one for one in custom_ids(builder.message) if one.startswith("b-pick:") and one.endswith(":c3"))
    await sim.alice.click(builder, custom_id=pick_c3)
    assert {"Play it", "Plan"} <= set(labels(builder.message))
    await sim.alice.click(builder, label="Plan")
    await pick(sim.alice, builder, "d4")
    await sim.alice.click(builder, label="Plan it")
    await pick(sim.alice, builder, "e5")
    await sim.alice.click(builder, label="Plan it")
    assert "After your **c3**:\n- If **d4**, then **e5**" in text_of(builder.message)
    assert "c3" not in text_of(board_of(sim, thread))
    await play(sim, thread, "c3", "d4")
    assert "Reply: Alice places a piece on e5" in text_of(board_of(sim, thread))


async def test_a_plan_that_was_not_met_is_told_to_its_owner_alone(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    await plan(sim, sim.alice, thread, moves="d4, e5")
    await sim.bob.slash(sim.place(thread), "move", move="b2")
    words = "You had planned: d4, e5. But **b2** was played."
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert words in text_of(builder.message)
    assert words in await plan(sim, sim.alice, thread)
    assert not any("planned" in text_of(message) or "Plan" in labels(message) for message in everything_said(sim))


async def test_with_three_players_a_sentence_says_that_there_are_no_plans(sim: SimulatedDiscord) -> None:
    place = await three_playing(sim)
    assert "Plans are for matches of two players" in await plan(sim, sim.alice, place)
    more = answer(await sim.alice.click(board_of(sim, place), label="More"))
    assert "Plan" not in labels(more.message)


@pytest.mark.parametrize("language", sampled(["fr", "en"], every=2))
async def test_a_plan_is_made_in_the_person_s_language_on_text_boards(sim: SimulatedDiscord, language: str) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    await sim.alice.slash(sim.place(thread), "preferences", language=language, text_boards=True)
    said = await plan(sim, sim.alice, thread, moves="d4, e5")
    assert "**d4**" in said
    assert "**e5**" in said
    assert "```" in said
    assert ("Only you can see it" in said) is (language == "en")
    await sim.bob.slash(sim.place(thread), "move", move="b2")
    again = await plan(sim, sim.alice, thread)
    assert "**b2**" in again
    assert "d4, e5" in again
