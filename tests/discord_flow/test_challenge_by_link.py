"""The link of a challenge, and ``/challenge`` with its code: in its own place, in others, and by whom."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.settings import Settings
from bot.storage import challenges
from bot.storage.records import ChallengeState
from tests.support.acting import answer, labels, text_of, told
from tests.support.elsewhere import Elsewhere, elsewhere
from tests.support.installed import FOREIGN, GROUP, asking_from
from tests.support.simulated_discord import SimulatedDiscord, deny
from tests.support.stored import with_number

__all__ = ["elsewhere"]
pytestmark = [pytest.mark.own_bot, pytest.mark.usefixtures("public")]


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator has switched the pages for people without an account on."""
    monkeypatch.setattr(Settings, "watched_url", property(lambda _settings: "https://page.example"))


async def offered(sim: SimulatedDiscord, place: ChannelHandle, **options: Any) -> str:
    """Have Alice challenge anybody; return the code in the link on the card."""
    await sim.alice.slash(place, "challenge", game="yonmoque", **options)
    card = text_of(sim.messages(place)[-1])
    (code,) = re.findall(r"\[link for others\]\(https://page\.example/challenge/([\w-]{22})\)$", card)
    return str(code)


async def is_open(sim: SimulatedDiscord, challenge: int = 1) -> bool:
    found = await sim.bot.context.services.read(challenges.get, challenge)
    assert found is not None
    return found.state is ChallengeState.OPEN


async def test_a_code_accepts_a_challenge_in_its_server_as_its_button_does(sim: SimulatedDiscord) -> None:
    code = await offered(sim, sim.channel)
    assert "This is your own challenge" in told(await sim.alice.slash(sim.channel, "challenge", code=code))
    await sim.alice.slash(sim.channel, "block", person=sim.carol)
    assert "You can't join this challenge." in told(await sim.carol.slash(sim.channel, "challenge", code=code))
    assert await is_open(sim)
    link = f"<https://page.example/challenge/{code}/?from=mail> "
    said = told(await sim.bob.slash(sim.channel, "challenge", code=link))
    assert f"Accepted: https://discord.com/channels/{sim.guild.id}/{sim.channel.id}/" in said
    assert {seat.person.id for seat in (await with_number(sim, 1)).seats} == {sim.alice.id, sim.bob.id}
    assert "already been accepted" in told(await sim.bob.slash(sim.channel, "challenge", code=code))


async def test_only_a_challenge_that_anybody_may_accept_has_a_link(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
    assert "/challenge/" not in text_of(sim.messages()[-1])
    assert "no such challenge" in told(await sim.bob.slash(sim.channel, "challenge", code="1"))


async def test_of_a_challenge_of_a_place_that_one_does_not_see_a_code_tells_the_way_alone(
    sim: SimulatedDiscord, elsewhere: Elsewhere
) -> None:
    hidden = sim.guild.create_text_channel(
        "board-members", overwrites={sim.carol: discord.PermissionOverwrite(view_channel=False)}
    )
    code = await offered(sim, hidden)
    for person, place in ((sim.carol, sim.channel), (elsewhere.dora, elsewhere.channel)):
        said = told(await person.slash(place, "challenge", code=code))
        assert said.startswith(
            f"You can accept this challenge where it was made: https://discord.com/channels/{sim.guild.id}/"
        )
        assert "alice" not in said.casefold()
    await sim.alice.slash(sim.channel, "block", person=sim.carol)
    assert told(await sim.carol.slash(sim.channel, "challenge", code=code)) == "You can't join this challenge."
    assert await is_open(sim)
    assert "Accepted" in told(await sim.bob.slash(sim.channel, "challenge", code=code))


@pytest.mark.parametrize("where", [GROUP, FOREIGN])
async def test_where_the_bot_only_answers_a_code_accepts_it_or_asks_the_challenger_where_it_is_typed(
    sim: SimulatedDiscord, where: str
) -> None:
    other = sim.guild.create_text_channel("another group")
    for place in (sim.channel, other):
        deny(sim, place.id, view_channel=True)
    with asking_from(sim, where):
        code = await offered(sim, sim.channel, first="challenger")
        assert labels(sim.messages()[-1]) == ["Accept", "Rules", "Cancel"]
        await sim.carol.slash(other, "challenge", code=code)
        card = sim.messages(other)[-1]
        assert f"<@{sim.carol.id}> challenges <@{sim.alice.id}>." in text_of(card)
        assert "The opponent goes first" in text_of(card)
        assert "for somebody else" in told(await sim.bob.click(card, label="Accept"))
        assert await is_open(sim)
        await sim.alice.click(card, label="Accept")
        first = await with_number(sim, 1)
        assert (first.guild_id, first.seats[0].person.id) == (-other.id, sim.alice.id)
        await sim.bob.slash(sim.channel, "challenge", code=code)
        assert f"<@{sim.alice.id}> (Blue) to move." in text_of(sim.messages()[-1])
        assert (await with_number(sim, 2)).guild_id == -sim.channel.id
        assert "already been accepted" in told(await sim.carol.slash(other, "challenge", code=code))
    assert len(sim.messages(other)) == 2


async def test_a_code_of_such_a_place_is_no_use_where_its_challenger_cannot_be(sim: SimulatedDiscord) -> None:
    with asking_from(sim, GROUP):
        code = await offered(sim, sim.channel)
    said = told(await sim.bob.user.slash("challenge", code=code))
    assert "where you can write to the challenger" in said
    assert answer(await sim.bob.slash(sim.channel, "challenge", code=code)).message.flags.ephemeral
    assert await is_open(sim)
