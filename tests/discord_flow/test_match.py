"""A match between two people in Discord, from the challenge to the result."""

from __future__ import annotations

from tests.conftest import Town
from tests.discord_flow.acting import board_of, challenge_accepted, custom_ids, text_of


async def test_an_accepted_challenge_opens_a_thread_with_the_first_board(town: Town) -> None:
    thread = await challenge_accepted(town)
    board = board_of(town, thread)
    assert "to move" in text_of(board)
    assert custom_ids(board)[0] == "play:1:0"
