"""How matches end in Discord: agreed, resigned, who is told, ratings, leaderboards, profiles and rematches."""

from __future__ import annotations

import pytest

from bot.storage.records import MatchState
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    build,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    description_of,
    everything_said,
    labels,
    pings,
    play,
    resign,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def test_whoever_is_to_move_is_notified_exactly_once_a_turn(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    players = (sim.alice, sim.bob)
    assert [pings(sim, person) for person in players] == [1, 1]  # the first turn, and the challenge
    for ply, move in enumerate(FINISHED[:-1]):
        before = [pings(sim, person) for person in players]
        mover, waiting = players[ply % 2], players[(ply + 1) % 2]
        builder = answer(await mover.click(board_of(sim, thread), label="Play"))
        await build(mover, builder, move)
        gained = [pings(sim, person) - count for person, count in zip(players, before, strict=True)]
        assert gained == [int(person is waiting) for person in players], move
    before = [pings(sim, person) for person in players]
    await play(sim, thread, FINISHED[-1])
    assert [pings(sim, person) - count for person, count in zip(players, before, strict=True)] == [0, 1]
    assert pings(sim, sim.carol) == 0
    assert not any(message.mention_everyone or message.ping_role_ids for message in everything_said(sim))


async def test_resigning_asks_once_whether_it_is_meant(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    more = answer(await sim.bob.click(board_of(sim, thread), label="More"))
    await sim.bob.click(more, label="Resign")
    assert "Do you want to resign" in text_of(more.message)
    await sim.bob.click(more, label="No, play on")
    assert "You play on" in text_of(more.message)
    assert "to move" in text_of(board_of(sim, thread))
    question = answer(await sim.bob.slash(sim.place(thread), "match", action="resign"))
    await sim.bob.click(question, label="Yes, resign")
    assert "You have resigned" in text_of(question.message)
    result = text_of(board_of(sim, thread))
    assert f"<@{sim.alice.id}> wins by resignation" in result
    shown = description_of(board_of(sim, thread))
    assert "Blue wins by resignation." in shown
    assert "Blue · Alice (won)" in shown
    assert "to move" not in shown
    assert "resigned here" in text_of(boards(sim, thread)[-2]) or "resignation" in text_of(boards(sim, thread)[-2])


async def test_a_result_shows_what_it_did_to_the_ratings(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    words = text_of(board_of(sim, thread))
    assert f"<@{sim.alice.id}>: 1500 → 1" in words
    assert "(+" in words
    assert "(−" in words
    assert labels(board_of(sim, thread)) == ["Rematch", "Review", "Replay", "More"]
    shown = answer(await sim.bob.slash(sim.channel, "leaderboard")).message
    assert description_of(shown).startswith("All games: 1. Alice ")
    shown = answer(await sim.bob.slash(sim.channel, "profile", person=sim.alice.user)).message
    profile, described = text_of(shown), description_of(shown)
    assert "1 finished, 0 running" in profile
    assert described.startswith("Profile of Alice. Yonmoque: 1611?; 1 won, 0 drawn, 0 lost; last matches: won. ")
    assert "Yonmoque: from 1500 to 1611. Rated matches since" in described
    assert "Against you: 1 won, 0 drawn, 0 lost" in profile
    await sim.bob.slash(sim.channel, "preferences", text_boards=True)
    board = told(await sim.bob.slash(sim.channel, "leaderboard", game="yonmoque")).splitlines()
    ranks = [line for line in board if line.startswith(("1\\.", "2\\."))]
    assert [f"<@{person.id}>" in line for person, line in zip((sim.alice, sim.bob), ranks, strict=True)] == [True] * 2
    assert "1 won, 0 drawn, 0 lost" in ranks[0]
    assert [line.count("← you") for line in ranks] == [0, 1]
    assert "not an average" not in "\n".join(board)
    assert "one rating for all matches together" in told(await sim.bob.slash(sim.channel, "leaderboard"))


async def test_a_match_that_is_not_rated_leaves_the_ratings_alone(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, rated=False)
    await play(sim, thread, *FINISHED)
    assert "not rated" in text_of(board_of(sim, thread))
    assert "Nobody has finished a rated game" in told(await sim.alice.slash(sim.channel, "leaderboard"))
    shown = answer(await sim.alice.slash(sim.channel, "profile")).message
    profile = text_of(shown)
    assert description_of(shown) == (
        "Profile of Alice. Yonmoque: not rated; 1 won, 0 drawn, 0 lost; last matches: won."
    )
    assert "1 finished" in profile


@pytest.mark.own_bot
async def test_a_rematch_swaps_seats_and_mentions_the_opponent_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    before = pings(sim, sim.alice)
    await sim.bob.click(board_of(sim, thread), label="Rematch")
    card = cards(sim)[-1]
    assert f"<@{sim.bob.id}> asks for a rematch with <@{sim.alice.id}>" in text_of(card)
    assert pings(sim, sim.alice) == before + 1
    await sim.alice.click(card, label="Accept")
    board = board_of(sim, card.id)
    assert f"<@{sim.bob.id}> (Blue) to move" in text_of(board)
    assert custom_ids(board)[0] == "play:2:0"


@pytest.mark.own_bot
async def test_whoever_was_turned_down_does_not_ask_for_a_rematch_again_but_the_other_may(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    result = board_of(sim, thread)
    await sim.alice.click(result, label="Rematch")
    await sim.bob.click(cards(sim)[-1], label="Decline")
    assert "Declined" in text_of(cards(sim)[-1])
    assert "was declined. Use `/challenge`" in told(await sim.alice.click(result, label="Rematch"))
    assert len(cards(sim)) == 2
    assert "Rematch offered" in told(await sim.bob.click(result, label="Rematch"))
    await sim.alice.click(cards(sim)[-1], label="Accept")
    assert custom_ids(board_of(sim, cards(sim)[-1].id))[0] == "play:2:0"
    assert "Declined" in text_of(cards(sim)[1])


async def test_somebody_who_drops_out_of_three_does_not_notify_the_one_to_move_again(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, game="rectangles", opponent=None, first=None, players=3)
    for person in (sim.bob, sim.carol):
        await person.click(card, label="Join")
    people = {person.id: person for person in (sim.alice, sim.bob, sim.carol)}
    (mover_id,) = everything_said(sim)[-1].ping_user_ids
    leaver = next(person for person_id, person in people.items() if person_id != mover_id)
    before = pings(sim, people[mover_id])
    await resign(leaver, sim.place(card.id))
    assert f"<@{mover_id}>" in text_of(board_of(sim, card.id))
    assert len(boards(sim, card.id)) == 2
    assert f"{leaver.name.capitalize()} has dropped out." in text_of(board_of(sim, card.id))
    assert pings(sim, people[mover_id]) == before
    await resign(people[mover_id], sim.place(card.id))
    (last,) = people.keys() - {mover_id, leaver.id}
    assert f"<@{last}> wins" in text_of(board_of(sim, card.id))


@pytest.mark.own_bot
async def test_the_card_that_began_a_match_tells_how_it_ended_and_notifies_nobody(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    (card,) = cards(sim)
    assert "match 1 is on" in text_of(card)
    await play(sim, thread, *FINISHED)
    (card,) = cards(sim)
    before = [pings(sim, person) for person in (sim.alice, sim.bob)]
    said = text_of(card)
    assert "is on" not in said
    assert f"<@{sim.alice.id}> beat <@{sim.bob.id}>" in said or f"<@{sim.bob.id}> beat <@{sim.alice.id}>" in said
    assert f"{len(FINISHED)} moves." in said
    assert labels(card) == ["Step through", "Review"]
    assert [attachment.filename for attachment in card.attachments] == ["board.png"]
    assert text_of(answer(await sim.carol.click(card, label="Step through")).message)
    assert [pings(sim, person) for person in (sim.alice, sim.bob)] == before


async def test_a_draw_is_declined_withdrawn_overtaken_and_agreed(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Decline")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Withdraw")
    said = [text_of(message) for message in sim.messages(thread)]
    assert any("declined." in text for text in said)
    assert any("then withdrew" in text for text in said)
    await play(sim, thread, "a1")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await play(sim, thread, "a5", "b1", begin=1)
    assert any("but the match went on" in text_of(message) for message in sim.messages(thread))
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    offer = board_of(sim, thread)
    assert "offers a draw" in text_of(offer)
    await sim.alice.click(offer, label="Accept")
    match = await stored(sim)
    assert (match.state, match.reason, [seat.won for seat in match.seats]) == (
        MatchState.OVER,
        "agreement",
        [None, None],
    )
    assert "draw by agreement" in text_of(board_of(sim, thread)).casefold()


async def test_the_last_move_is_taken_back_when_the_opponent_agrees(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    await sim.alice.slash(sim.place(thread), "match", action="takeback")
    request = board_of(sim, thread)
    assert "Last move: Alice places a piece on a1." in text_of(request)
    await sim.bob.click(request, label="Accept")
    match = await stored(sim)
    assert match.mover.person.id == sim.alice.id
    board = board_of(sim, thread)
    assert "to move" in text_of(board)
    (taken,) = [text_of(message) for message in sim.messages(thread) if message.id == request.id]
    assert f"<@{sim.alice.id}> took back **a1**; <@{sim.bob.id}> agreed." in taken
    await play(sim, thread, "c3")
    assert (await stored(sim)).ply == 3
    assert len(boards(sim, thread)) == 4
