"""Actions of people on a loopback Discord, in a line each. Every wait names the challenge, or the match and its ply."""

from __future__ import annotations

from tests.support.acting import as_typed
from tests.support.processes.loopback import Loopback

FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")
"""A game of Yonmoque from the first ply to the last, which the first seat wins."""


async def begun(discord: Loopback, **options: object) -> int:
    """Have Alice challenge Bob to Yonmoque and Bob accept; return the thread once the first board is there."""
    wanted = as_typed({"game": "yonmoque", "opponent": discord.bob, "first": "challenger"} | options)
    earlier = discord.controls(discord.channel)
    await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", **wanted))
    card = await discord.control(discord.channel, r"challenge:accept:\d+", but=earlier)
    threads = set(discord.threads)
    await discord.answered(discord.press(discord.bob, discord.channel, card[0]))
    await discord.until(lambda: set(discord.threads) - threads)
    (thread,) = set(discord.threads) - threads
    await discord.control(thread, r"play:\d+:0")
    return thread


async def played(discord: Loopback, place: int, *moves: str, begin: int = 0) -> None:
    """Have Alice and Bob type moves in turn from a ply on, in the last match of a place; wait for each board."""
    match_id = (await discord.control(place, r"play:(\d+):\d+"))[1]
    for ply, move in enumerate(moves, begin):
        await discord.answered(discord.ask((discord.alice, discord.bob)[ply % 2], place, "move", move=move))
        await moved_on(discord, place, match_id, ply + 1)


async def moved_on(discord: Loopback, place: int, match_id: str, ply: int) -> None:
    """Wait for the board of a match after so many plies, or for the one of its end."""
    await discord.control(place, rf"play:{match_id}:{ply}|rematch:{match_id}")
