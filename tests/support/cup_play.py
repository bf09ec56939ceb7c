"""Cups in tests through Discord: started, joined, and played to their end."""

from __future__ import annotations

import discord
from simcord.actors import MemberActor

from bot.storage import cups, matches
from bot.storage.cups import Cup, Pairing
from bot.storage.records import Match, MatchState
from tests.support.acting import answer, as_typed, custom_ids
from tests.support.simulated_discord import SimulatedDiscord, give_management


def cup_message(sim: SimulatedDiscord, cup_id: int = 1) -> discord.Message:
    """Return the one message of a cup: fail where there are two of it, or none."""
    found = [message for message in sim.messages() if f"cup:rules:{cup_id}" in custom_ids(message)]
    assert len(found) == 1, f"{len(found)} messages of cup {cup_id}"
    return found[0]


def results(sim: SimulatedDiscord, cup_id: int = 1) -> list[discord.Message]:
    """Return the messages with the final table of a cup."""
    return [message for message in sim.messages() if f"cup:again:{cup_id}" in custom_ids(message)]


async def started(sim: SimulatedDiscord, **options: object) -> discord.Message:
    """Have Alice, who manages the server from now on, start a cup of Yonmoque; return its card."""
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "cup", **as_typed({"game": "yonmoque"} | options))
    return cup_message(sim)


async def begun(sim: SimulatedDiscord, **options: object) -> discord.Message:
    """Have Alice start a cup for three that Bob and Carol join; return its message."""
    card = await started(sim, **({"players": 3} | options))
    await sim.bob.click(card, label="Join")
    await sim.carol.click(card, label="Join")
    return cup_message(sim)


async def stored_cup(sim: SimulatedDiscord, cup_id: int = 1) -> tuple[Cup, tuple[Pairing, ...]]:
    """Return a cup and its pairings as stored."""
    assert sim.bot.database is not None
    async with sim.bot.database.read() as tx:
        cup = await cups.get(tx, cup_id)
        assert cup is not None
        return cup, await cups.pairings_of(tx, cup_id)


async def running_matches(sim: SimulatedDiscord, cup_id: int = 1) -> list[Match]:
    """Return the running matches of a cup, in the order of its pairings."""
    assert sim.bot.database is not None
    _, pairings = await stored_cup(sim, cup_id)
    found = []
    async with sim.bot.database.read() as tx:
        for pairing in pairings:
            match = None if pairing.match_id is None else await matches.get(tx, pairing.match_id)
            if match is not None and match.state is MatchState.RUNNING:
                found.append(match)
    return found


def members(sim: SimulatedDiscord, *more: MemberActor) -> dict[int, MemberActor]:
    """Return the people of the server by their ids."""
    return {person.id: person for person in (sim.alice, sim.bob, sim.carol, *more)}


async def resign(sim: SimulatedDiscord, match: Match, person: MemberActor) -> None:
    """Have a person resign a match in its thread."""
    question = answer(await person.slash(sim.place(match.place_id), "match", action="resign"))
    await person.click(question, label="Yes, resign")
