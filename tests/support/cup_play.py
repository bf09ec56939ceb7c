"""Cups in tests through Discord: started, joined, and played to their end."""

from __future__ import annotations

import discord
from simcord.actors import MemberActor
from sqlalchemy import select

from bot.storage import cups, matches, tables
from bot.storage.cups import Cup, Pairing
from bot.storage.records import Match, MatchState
from tests.support.acting import as_typed, custom_ids
from tests.support.simulated_discord import SimulatedDiscord, give_management


def cup_message(sim: SimulatedDiscord, cup: int = 1) -> discord.Message:
    """Return the one message of the first, second or later cup of the server: fail where there are two, or none."""
    shown = _by_cup(sim, "cup:rules:")
    assert cup <= len(shown), f"no message of cup {cup}"
    (message,) = list(shown.values())[cup - 1]
    return message


def results(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the messages with the final table of a cup."""
    return [message for of_cup in _by_cup(sim, "cup:again:").values() for message in of_cup]


def _by_cup(sim: SimulatedDiscord, control: str) -> dict[int, list[discord.Message]]:
    """Return the messages with a control by the number of its cup, which the control's id ends with."""
    found: dict[int, list[discord.Message]] = {}
    for message in sim.messages():
        for custom_id in custom_ids(message):
            if custom_id.startswith(control):
                found.setdefault(int(custom_id.removeprefix(control)), []).append(message)
    return dict(sorted(found.items()))


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


async def stored_cup(sim: SimulatedDiscord, cup: int = 1) -> tuple[Cup, tuple[Pairing, ...]]:
    """Return the first, second or later cup of the server and its pairings as stored."""
    of_server = select(tables.cups.c.id).where(tables.cups.c.guild_id == sim.guild.id).order_by(tables.cups.c.id)
    async with sim.bot.context.services.database.read() as tx:
        cup_id = (await tx.execute(of_server.offset(cup - 1).limit(1))).scalar_one()
        found = await cups.get(tx, cup_id)
        assert found is not None
        return found, await cups.pairings_of(tx, cup_id)


async def running_matches(sim: SimulatedDiscord, cup: int = 1) -> list[Match]:
    """Return the running matches of a cup, in the order of its pairings."""
    _, pairings = await stored_cup(sim, cup)
    found = []
    async with sim.bot.context.services.database.read() as tx:
        for pairing in pairings:
            match = None if pairing.match_id is None else await matches.get(tx, pairing.match_id)
            if match is not None and match.state is MatchState.RUNNING:
                found.append(match)
    return found


def members(sim: SimulatedDiscord, *more: MemberActor) -> dict[int, MemberActor]:
    """Return the people of the server by their ids."""
    return {person.id: person for person in (sim.alice, sim.bob, sim.carol, *more)}
