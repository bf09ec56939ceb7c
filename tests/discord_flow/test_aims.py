"""How a game is won is told on the first board of a match, and at a person's first Play of a game."""

from __future__ import annotations

import discord
import pytest

from bot.games import GAMES
from bot.games.puzzles import puzzles
from tests.support.acting import answer, board_of, challenge_accepted, items, itself, labels, play, text_of
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

AIM = "**The aim:** Place pieces or move them: four in a row by a move wins"


def win_shown(message: discord.Message) -> bool:
    """Return whether a small picture of a win stands in a message."""
    return any(isinstance(item, discord.ui.Thumbnail) for item in items(message))


async def test_the_first_board_of_a_match_tells_the_aim_and_no_later_one_does(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    first = board_of(sim, thread)
    assert AIM in text_of(first)
    assert win_shown(first)
    await play(sim, thread, "c3")
    assert AIM not in text_of(board_of(sim, thread))
    assert len(board_of(sim, thread).attachments) == 1


async def test_the_first_play_of_a_game_tells_the_aim_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert AIM in text_of(builder.message)
    assert win_shown(builder.message)
    await sim.alice.click(builder, label="c3")
    theirs = answer(await sim.bob.click(board_of(sim, thread), label="Play"))
    assert AIM in text_of(theirs.message)
    await sim.bob.click(theirs, label="a1")
    again = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert AIM not in text_of(again.message)
    second = await challenge_accepted(sim)
    known = answer(await sim.alice.click(board_of(sim, second), label="Play"))
    assert AIM not in text_of(known.message)


async def test_the_aim_is_dismissed_for_good_and_brought_back_in_the_preferences(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await sim.alice.click(builder, label="Don't show the aim")
    assert AIM not in text_of(builder.message)
    assert "Type" in labels(builder.message)
    other = await challenge_accepted(sim, game="redo")
    shown = answer(await sim.alice.click(board_of(sim, other), label="Play"))
    assert "The aim" not in text_of(shown.message)
    preferences = answer(await sim.alice.slash(sim.channel, "preferences"))
    await sim.alice.click(preferences, label="Show the aim")
    shown = answer(await sim.alice.click(board_of(sim, other), label="Play"))
    assert "The aim" in text_of(shown.message)


@pytest.mark.parametrize("key", sampled(GAMES, every=3))
async def test_every_game_has_room_for_it(sim: SimulatedDiscord, key: str) -> None:
    await sim.alice.slash(sim.channel, "challenge", game=key, opponent=itself(sim), level=1, first="challenger")
    match = await stored(sim, 1)
    builder = answer(await sim.alice.click(board_of(sim, match.place_id), label="Play"))
    assert "**The aim:**" in text_of(builder.message)
    assert win_shown(builder.message) is bool(puzzles(GAMES[key]))
    assert "Hint" in labels(builder.message)
