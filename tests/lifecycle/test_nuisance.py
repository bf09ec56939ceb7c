"""People who want too much, or are not wanted: limits, blocks, and names and texts that would notify others."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from bot.compute.rate_limit import BUDGET, REFILL_SECONDS
from tests.support.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    everything_said,
    labels,
    pings,
    play,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

MOST_REQUESTS = round(BUDGET)
CALM = "That was a lot at once. Try again in"


async def block(sim: SimulatedDiscord, person: MemberActor, other: MemberActor, *, blocked: bool = True) -> None:
    await person.slash(sim.channel, "block", person=other, blocked=blocked)


# Too much


@pytest.mark.own_bot
async def test_whoever_asks_for_too_much_is_told_to_wait_and_nothing_is_done(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    results = await at_once(sim, *(sim.alice.slash(sim.channel, "matches") for _ in range(MOST_REQUESTS)))
    refused = [told(result) for result in results if CALM in told(result)]
    assert 0 < len(refused) < MOST_REQUESTS
    assert CALM in told(await sim.alice.slash(sim.place(thread), "move", move="c3"))
    assert (await stored(sim)).ply == 0
    assert "to move" in told(await sim.bob.slash(sim.place(thread), "board"))
    await sim.env.advance_time(REFILL_SECONDS + 1)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert (await stored(sim)).ply == 1


@pytest.mark.slow
async def test_buttons_count_as_commands_do(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    board = board_of(sim, thread)
    await at_once(sim, *(sim.carol.click(board, label="Rules") for _ in range(MOST_REQUESTS)))
    assert CALM in told(await sim.carol.click(board, label="More"))


async def test_ten_open_challenges_are_enough_and_one_that_ends_makes_room(sim: SimulatedDiscord) -> None:
    for _ in range(10):
        await challenge(sim, opponent=None)
    assert "which is the limit" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert len(cards(sim)) == 10
    await sim.bob.click(cards(sim)[0], label="Accept")
    assert "posted below" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert "which is the limit" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert "posted below" in told(await sim.bob.slash(sim.channel, "challenge", game="yonmoque"))


# Unwanted


@pytest.mark.parametrize("turned", sampled([False, True], every=2, ids=["by the other", "by oneself"]))
async def test_people_apart_can_neither_challenge_nor_join_nor_ask_for_a_rematch(
    sim: SimulatedDiscord, turned: bool
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await challenge(sim, opponent=None)
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3)
    open_to_all, lobby = cards(sim)[-2:]
    blocker, blocked = (sim.bob, sim.alice) if turned else (sim.alice, sim.bob)
    await block(sim, blocker, blocked)
    notified = pings(sim, sim.bob)
    challenged = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
    assert "can't challenge each other" in told(challenged)
    assert "can't join" in told(await sim.bob.click(open_to_all, label="Accept"))
    assert "can't join" in told(await sim.bob.click(lobby, label="Join"))
    asked = await sim.alice.click(board_of(sim, thread), label="Rematch")
    assert "can't challenge each other" in told(asked)
    assert pings(sim, sim.bob) == notified
    await block(sim, blocker, blocked, blocked=False)
    assert "Rematch offered" in told(await sim.alice.click(board_of(sim, thread), label="Rematch"))


async def test_a_challenge_made_before_the_block_can_be_declined_but_not_accepted(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    await block(sim, sim.bob, sim.alice)
    assert "can't join" in told(await sim.bob.click(card, label="Accept"))
    await sim.bob.click(card, label="Decline")
    assert "Declined" in text_of(cards(sim)[0])


async def test_nobody_learns_who_has_blocked_him(sim: SimulatedDiscord) -> None:
    await block(sim, sim.bob, sim.alice)
    said = told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob))
    assert "block" not in said
    assert "haven't blocked anybody" in told(await sim.alice.slash(sim.channel, "block"))
    assert f"<@{sim.alice.id}>" in told(await sim.bob.slash(sim.channel, "block"))
    assert "can't block yourself" in told(await sim.bob.slash(sim.channel, "block", person=sim.bob))


# Texts that would notify

SHOUTS = ("@everyone", "@here", "<@&{role}>", "<@{carol}>", "[x](https://example.org) <#{place}> :smile: ||x||")


@pytest.mark.parametrize("shout", sampled(SHOUTS, every=5))
async def test_nobody_is_notified_by_anything_that_is_typed(sim: SimulatedDiscord, shout: str) -> None:
    role = sim.guild.create_role("Everybody who plays")
    text = shout.format(role=role.id, carol=sim.carol.id, place=sim.channel.id)
    thread = await challenge_accepted(sim)
    said = len(everything_said(sim))
    place = sim.place(thread)
    await sim.alice.slash(place, "move", move=text)
    await sim.alice.slash(place, "challenge", game="gyges", variant=text[:50])
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    form = await sim.alice.click(builder, label="Type")
    await sim.alice.submit_modal(form, {"move": text})
    assert len(everything_said(sim)) == said
    assert pings(sim, sim.carol) == 0


@pytest.mark.own_bot
async def test_a_name_that_shouts_notifies_nobody_in_cards_boards_threads_offers_and_results(
    sim: SimulatedDiscord,
) -> None:
    role = sim.guild.create_role("Everybody who plays")
    name = f"@everyone <@&{role.id}>"[:32]
    dora = sim.guild.add_member(sim.env.create_user("dora", global_name=name))
    await dora.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger", pace="1 day")
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Accept")
    place = sim.place(card.id)
    await dora.slash(place, "move", move="a1")
    await dora.slash(place, "match", action="takeback")
    await sim.bob.click(board_of(sim, card.id), label="Decline")
    await sim.env.advance_time(90000)
    assert labels(board_of(sim, card.id)) == ["Claim"]
    await dora.slash(place, "match", action="claim")
    assert len(boards(sim, card.id)) == 3
    for message in everything_said(sim):
        assert not message.mention_everyone
        assert not message.ping_role_ids
        assert set(message.ping_user_ids) <= {dora.id, sim.bob.id}
    sent = [request.json for request in sim.env.http_requests if request.path.endswith("/messages") and request.json]
    assert len(sent) >= 6
    for body in sent:
        assert not body["allowed_mentions"].get("parse"), "whoever is named in the text would be notified"
        assert {int(person) for person in body["allowed_mentions"]["users"]} <= {dora.id, sim.bob.id}
