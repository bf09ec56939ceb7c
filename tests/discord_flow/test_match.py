"""A match between two people in Discord, from the challenge to the result."""

from __future__ import annotations

from tests.conftest import Town
from tests.discord_flow.acting import board_of, build, challenge_accepted, custom_ids, labels, text_of


async def test_an_accepted_challenge_opens_a_thread_with_the_first_board(town: Town) -> None:
    thread = await challenge_accepted(town)
    board = board_of(town, thread)
    assert "to move" in text_of(board)
    assert custom_ids(board)[0] == "play:1:0"


async def test_two_people_play_to_the_end_by_builder_and_by_command(town: Town) -> None:
    thread = await challenge_accepted(town)
    place = town.place(thread)
    players = [town.alice, town.bob]
    moves = ["a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1"]
    for ply, move in enumerate(moves):
        mover = players[ply % 2]
        if ply % 2:
            await mover.slash(place, "move", move=move)
            continue
        builder = (await mover.click(board_of(town, thread), label="Play")).response
        await build(mover, builder, move)
    result = board_of(town, thread)
    assert "four in a row" in text_of(result)
    assert labels(result) == ["Rematch", "Replay", "Export", "Rules", "More"]
    board = (await town.bob.slash(town.channel, "leaderboard")).response
    assert "1 won" in text_of(board.message)
