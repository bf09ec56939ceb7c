"""A tour of the bot: its pages, and a match with most of the possible events."""

from __future__ import annotations

from tests.support.acting import answer, board_of, build, cards, challenge, labels, play, resign, slash
from tests.support.simulated_discord import SimulatedDiscord


async def look_around(sim: SimulatedDiscord) -> None:
    """Look at all pages that need no match, and be refused those that do."""
    for command in ("games", "help", "profile", "leaderboard", "matches", "preferences", "block"):
        await sim.alice.slash(sim.channel, command)
    for command in ("privacy export", "privacy delete", "match resign", "match draw", "match replay", "board"):
        await slash(sim.bob, sim.channel, command)
    await sim.alice.slash(sim.channel, "games", game="rectangles")


async def meet(sim: SimulatedDiscord) -> None:
    """Play: refused, accepted, built, mistyped, taken back, offered, given up, and asked for again."""
    await sim.carol.click(await challenge(sim), label="Accept")
    await sim.bob.click(cards(sim)[-1], label="Accept")
    thread = cards(sim)[-1].id
    place = sim.place(thread)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await build(sim.alice, builder, "a1")
    for person, move in ((sim.alice, "a2"), (sim.bob, "a1"), (sim.bob, "nowhere"), (sim.carol, "b1")):
        await person.slash(place, "move", move=move)
    await sim.alice.slash(place, "match", action="takeback")
    await sim.bob.click(board_of(sim, thread), label="Accept")
    await play(sim, thread, "a1", "a5", "b1")
    for command in ("match draw", "match claim", "board", "match replay", "match export", "matches"):
        await slash(sim.alice, place, command)
    await sim.bob.click(board_of(sim, thread), label="Decline")
    await resign(sim.bob, place)
    result = board_of(sim, thread)
    for label in labels(result):
        await sim.alice.click(result, label=label)
    for command in ("profile", "leaderboard"):
        await sim.alice.slash(place, command)
