"""People who want too much, or are not wanted: limits, blocks, and names and texts that would notify somebody."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from bot.views.host import IN_SECONDS, MOST_REQUESTS
from tests.conftest import Town
from tests.discord_flow.acting import (
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
from tests.discord_flow.test_clocks import stored
from tests.discord_flow.test_lobby import three_playing

CALM = "That was a lot at once. Try again in"


async def block(town: Town, person: MemberActor, other: MemberActor, *, blocked: bool = True) -> None:
    await person.slash(town.channel, "block", person=other, blocked=blocked)


# Too much


async def test_whoever_asks_for_too_much_is_told_to_wait_and_nothing_is_done(town: Town) -> None:
    thread = await challenge_accepted(town)
    results = await at_once(town, *(town.alice.slash(town.channel, "matches") for _ in range(MOST_REQUESTS)))
    refused = [told(result) for result in results if CALM in told(result)]
    assert 0 < len(refused) < MOST_REQUESTS
    assert CALM in told(await town.alice.slash(town.place(thread), "move", move="c3"))
    assert (await stored(town)).ply == 0
    assert "to move" in told(await town.bob.slash(town.place(thread), "board"))
    await town.env.advance_time(IN_SECONDS + 1)
    await town.alice.slash(town.place(thread), "move", move="c3")
    assert (await stored(town)).ply == 1


async def test_buttons_count_as_commands_do(town: Town) -> None:
    thread = await challenge_accepted(town)
    board = board_of(town, thread)
    await at_once(town, *(town.carol.click(board, label="Rules") for _ in range(MOST_REQUESTS)))
    assert CALM in told(await town.carol.click(board, label="More"))


async def test_ten_open_challenges_are_enough_and_one_that_ends_makes_room(town: Town) -> None:
    for _ in range(10):
        await challenge(town, opponent=None)
    assert "which is the limit" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
    assert len(cards(town)) == 10
    await town.bob.click(cards(town)[0], label="Accept")
    assert "on its way" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
    assert "which is the limit" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
    assert "on its way" in told(await town.bob.slash(town.channel, "challenge", game="yonmoque"))


async def test_many_challenges_at_the_same_instant_do_not_get_past_the_limit(town: Town) -> None:
    await at_once(town, *(town.alice.slash(town.channel, "challenge", game="yonmoque") for _ in range(20)))
    assert len(cards(town)) == 10


# Unwanted


@pytest.mark.parametrize("turned", [False, True], ids=["by the other", "by oneself"])
async def test_people_apart_can_neither_challenge_nor_join_nor_ask_for_a_rematch(town: Town, turned: bool) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    await challenge(town, opponent=None)
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=3)
    open_to_all, lobby = cards(town)[-2:]
    blocker, blocked = (town.bob, town.alice) if turned else (town.alice, town.bob)
    await block(town, blocker, blocked)
    notified = pings(town, town.bob)
    challenged = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob)
    assert "cannot challenge each other" in told(challenged)
    assert "cannot join" in told(await town.bob.click(open_to_all, label="Accept"))
    assert "cannot join" in told(await town.bob.click(lobby, label="Join"))
    asked = await town.alice.click(board_of(town, thread), label="Rematch")
    assert "cannot challenge each other" in told(asked)
    assert pings(town, town.bob) == notified
    await block(town, blocker, blocked, blocked=False)
    assert "You have asked for a rematch" in told(await town.alice.click(board_of(town, thread), label="Rematch"))


async def test_a_match_that_runs_goes_on_between_people_apart(town: Town) -> None:
    thread = await challenge_accepted(town)
    await block(town, town.bob, town.alice)
    await play(town, thread, *FINISHED)
    assert "four in a row" in text_of(board_of(town, thread))


async def test_a_challenge_made_before_the_block_can_be_declined_but_not_accepted(town: Town) -> None:
    card = await challenge(town)
    await block(town, town.bob, town.alice)
    assert "cannot join" in told(await town.bob.click(card, label="Accept"))
    await town.bob.click(card, label="Decline")
    assert "Declined" in text_of(cards(town)[0])


async def test_nobody_learns_who_has_blocked_him(town: Town) -> None:
    await block(town, town.bob, town.alice)
    said = told(await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob))
    assert "block" not in said
    assert "blocked nobody" in told(await town.alice.slash(town.channel, "block"))
    assert f"<@{town.alice.id}>" in told(await town.bob.slash(town.channel, "block"))
    assert "cannot block yourself" in told(await town.bob.slash(town.channel, "block", person=town.bob))


async def test_the_seats_of_a_rematch_of_several_are_for_those_who_played(town: Town) -> None:
    thread = await three_playing(town)
    for person in (town.alice, town.bob):
        question = answer(await person.slash(town.place(thread), "match resign"))
        await person.click(question, label="Yes, resign")
    await town.alice.click(board_of(town, thread), label="Rematch")
    card = cards(town)[-1]
    dora = town.guild.add_member(town.env.create_user("dora"))
    assert "for those who played" in told(await dora.click(card, label="Join"))
    await town.bob.click(card, label="Join")
    await town.alice.click(card, label="Start")
    assert [seat.person.id for seat in (await stored(town, 2)).seats] == [town.bob.id, town.alice.id]


# Texts that would notify

SHOUTS = ("@everyone", "@here", "<@&{role}>", "<@{carol}>", "[x](https://example.org) <#{place}> :smile: ||x||")


@pytest.mark.parametrize("shout", SHOUTS)
async def test_nobody_is_notified_by_anything_that_is_typed(town: Town, shout: str) -> None:
    role = town.guild.create_role("Everybody who plays")
    text = shout.format(role=role.id, carol=town.carol.id, place=town.channel.id)
    thread = await challenge_accepted(town)
    said = len(everything_said(town))
    place = town.place(thread)
    await town.alice.slash(place, "move", move=text)
    await town.alice.slash(place, "challenge", game="gyges", variant=text[:50])
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    form = await town.alice.click(builder, label="Type")
    await town.alice.submit_modal(form, {"move": text})
    assert len(everything_said(town)) == said
    assert pings(town, town.carol) == 0


async def test_a_name_that_shouts_notifies_nobody_in_cards_boards_threads_offers_and_results(town: Town) -> None:
    role = town.guild.create_role("Everybody who plays")
    name = f"@everyone <@&{role.id}>"[:32]
    dora = town.guild.add_member(town.env.create_user("dora", global_name=name))
    await dora.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob, first="challenger", pace=86400)
    card = cards(town)[-1]
    await town.bob.click(card, label="Accept")
    place = town.place(card.id)
    await dora.slash(place, "move", move="a1")
    await dora.slash(place, "match takeback")
    await town.bob.click(board_of(town, card.id), label="Decline")
    await town.env.advance_time(90000)
    assert labels(board_of(town, card.id)) == ["Claim"]
    await dora.slash(place, "match claim")
    assert len(boards(town, card.id)) == 3
    for message in everything_said(town):
        assert not message.mention_everyone
        assert not message.ping_role_ids
        assert set(message.ping_user_ids) <= {dora.id, town.bob.id}
    sent = [request.json for request in town.env.http_requests if request.path.endswith("/messages") and request.json]
    assert len(sent) >= 6
    for body in sent:
        assert not body["allowed_mentions"].get("parse"), "whoever is named in the text would be notified"
        assert {int(person) for person in body["allowed_mentions"]["users"]} <= {dora.id, town.bob.id}
