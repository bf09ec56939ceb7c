"""**Challenge** in the menu on a person: one question, then the card; on the bot itself a match at a level."""

from __future__ import annotations

import discord
from simcord.actors import MemberActor

from tests.support.acting import answer, cards, items, itself, labels, pressed, text_of, told
from tests.support.elsewhere import Elsewhere, elsewhere
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

__all__ = ["elsewhere"]


def the_bot(sim: SimulatedDiscord) -> MemberActor:
    return MemberActor(sim.env, sim.guild, itself(sim))


async def test_a_person_is_challenged_by_choosing_a_game(sim: SimulatedDiscord, elsewhere: Elsewhere) -> None:
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", sim.bob))
    assert f"Challenge <@{sim.bob.id}>" in text_of(question.message)
    (menu,) = (item for item in items(question.message) if isinstance(item, discord.ui.Select))
    assert {option.value for option in menu.options} >= {"yonmoque", "redo", "gyges"}
    await sim.alice.select(question, ["redo"], custom_id=menu.custom_id)
    assert "Challenge sent" in text_of(question.message)
    (card,) = cards(sim)
    assert f"<@{sim.alice.id}> challenges <@{sim.bob.id}>" in text_of(card)
    assert "Redo" in text_of(card)
    await pressed(sim, sim.alice, question, menu.custom_id, "gyges")
    assert len(cards(sim)) == 1
    assert "can't challenge yourself" in told(await sim.alice.context_menu(sim.channel, "Challenge", sim.alice))
    refused = await pressed(sim, sim.alice, question, menu.custom_id, "nonsense")
    assert "don't know that game" in told(refused)
    strange = answer(await elsewhere.dora.slash(elsewhere.channel, "help"))
    assert "not in this server" in told(await pressed(sim, elsewhere.dora, strange, menu.custom_id, "redo"))


async def test_on_the_bot_itself_a_level_and_a_game_begin_a_match(sim: SimulatedDiscord) -> None:
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", the_bot(sim)))
    assert "level 1" in text_of(question.message)
    await sim.alice.click(question, label="Level 4")
    assert "at level 4" in text_of(question.message)
    assert labels(question.message)[3] == "Level 4"
    await sim.alice.select(question, ["yonmoque"], custom_id="against-bot:4:game")
    assert "against me at level 4" in text_of(question.message)
    match = await stored(sim, 1)
    assert [seat.person.level for seat in match.seats] == [None, 4]
