"""What people do on a loopback Discord, in a line each."""

from __future__ import annotations

from functools import partial

from tests.support.processes.loopback import Loopback

FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")
"""A game of Yonmoque from the first ply to the last, which the first seat wins."""


async def begun(discord: Loopback, **options: object) -> int:
    """Have Alice challenge Bob to Yonmoque and Bob accept; return the thread once the first board is there."""
    wanted = {"game": "yonmoque", "opponent": discord.bob, "first": "challenger"} | options
    await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", **wanted))
    threads = set(discord.threads)
    card = await discord.until(lambda: discord.newest_control(discord.channel, "challenge:accept:"))
    assert card is not None
    await discord.answered(discord.press(discord.bob, discord.channel, card))
    await discord.until(lambda: set(discord.threads) - threads)
    (thread,) = set(discord.threads) - threads
    await discord.until(lambda: discord.posted(thread))
    return thread


async def played(discord: Loopback, place: int, *moves: str, begin: int = 0) -> None:
    """Have Alice and Bob type moves in turn, and wait for the board after each."""
    for ply, move in enumerate(moves, begin):
        before = newest_board(discord, place)
        await discord.answered(discord.ask((discord.alice, discord.bob)[ply % 2], place, "move", move=move))
        await discord.until(partial(_moved_on, discord, place, before))


def _moved_on(discord: Loopback, place: int, before: str | None) -> bool:
    return newest_board(discord, place) != before


def newest_board(discord: Loopback, place: int) -> str | None:
    """Return the control by which the newest board in a place is known."""
    return discord.newest_control(place, "play:", "rematch:")
