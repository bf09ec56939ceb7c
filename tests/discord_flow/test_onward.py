"""What a player sees after a move: the next match, opened by one button, or what else there is where none waits."""

from __future__ import annotations

import discord
import pytest

from bot.views import match_lists
from tests.support.acting import answer, challenge, challenge_accepted, itself, labels, pressed, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.statements import statements_of
from tests.support.stored import DAY, stored


@pytest.mark.own_bot
async def test_all_that_waits_is_played_with_one_tap_more_than_the_moves(sim: SimulatedDiscord) -> None:
    for _ in range(3):
        await challenge_accepted(sim, pace=DAY)
    listed = answer(await sim.alice.slash(sim.channel, "matches"))
    assert labels(listed.message) == ["Play"] * 3
    message = answer(await sim.alice.click(listed, custom_id="play:1:0"))
    for match in (1, 2, 3):
        played = answer(await pressed(sim, sim.alice, message, f"b-play:{match}:0:0:c3"))
        assert (await stored(sim, match)).ply == 1
        if match < 3:
            message = answer(await sim.alice.click(played, label=f"Next: Yonmoque · match {match + 1}"))
            assert f"match {match + 1}" in text_of(message.message)
    assert "Nothing else waits for you." in text_of(played.message)
    assert labels(played.message) == ["Play the bot", "Plan"]
    assert labels(answer(await sim.alice.slash(sim.channel, "matches")).message) == [], "none of them waits now"


async def test_after_the_last_move_open_challenges_that_the_player_may_accept_are_linked(sim: SimulatedDiscord) -> None:
    place = sim.place(await challenge_accepted(sim))
    card = await challenge(sim, opponent=None, game="redo")
    for_carol = (await sim.bob.slash(sim.channel, "challenge", game="gyges", opponent=sim.carol)).response
    assert for_carol is not None
    carols = await sim.carol.slash(sim.channel, "challenge", game="redo")
    assert carols.response is not None
    played = answer(await sim.alice.slash(place, "move", move="c3"))
    assert labels(played.message) == ["Redo against Carol", "Play the bot", "Plan"], "not their own, nor for others"
    played = answer(await sim.bob.slash(place, "move", move="a1"))
    assert labels(played.message)[:2] == ["Redo against Alice", "Redo against Carol"]
    urls = [item.url for item in played.message.components for item in getattr(item, "children", [])]
    assert f"https://discord.com/channels/{sim.guild.id}/{sim.channel.id}/{card.id}" in urls


async def test_in_a_match_against_the_bot_nothing_is_said_of_what_else_there_is_nor_looked_for(
    sim: SimulatedDiscord,
) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")
    match = await stored(sim)
    with statements_of(sim.bot.context.services.database) as statements:
        said = told(await sim.alice.slash(sim.place(match.place_id), "move", move="c3"))
    assert "Nothing else waits" not in said
    assert not [statement for statement in statements if "puzzle_attempts" in statement]


@pytest.mark.own_bot
async def test_more_matches_than_fit_a_message_are_listed(sim: SimulatedDiscord) -> None:
    match_lists.PLAYED, kept = 1, match_lists.PLAYED
    try:
        for _ in range(2):
            await challenge_accepted(sim)
        listed = answer(await sim.alice.slash(sim.channel, "matches"))
    finally:
        match_lists.PLAYED = kept
    assert labels(listed.message) == ["Play"]
    assert "match 2 against" in text_of(listed.message)
    assert isinstance(listed.message.components[1], discord.SectionComponent)
