"""How matches end in Discord: who is notified when, resigning, ratings, leaderboards, profiles and rematches."""

from __future__ import annotations

from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    at_once,
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
    pressed,
    text_of,
    told,
)

DAY = 86400


async def test_whoever_is_to_move_is_notified_exactly_once_a_turn(town: Town) -> None:
    thread = await challenge_accepted(town)
    players = (town.alice, town.bob)
    assert [pings(town, person) for person in players] == [1, 1]  # the first turn, and the challenge
    for ply, move in enumerate(FINISHED[:-1]):
        before = [pings(town, person) for person in players]
        mover, waiting = players[ply % 2], players[(ply + 1) % 2]
        builder = answer(await mover.click(board_of(town, thread), label="Play"))
        await build(mover, builder, move)
        gained = [pings(town, person) - count for person, count in zip(players, before, strict=True)]
        assert gained == [int(person is waiting) for person in players], move
    before = [pings(town, person) for person in players]
    await play(town, thread, FINISHED[-1])
    assert [pings(town, person) - count for person, count in zip(players, before, strict=True)] == [0, 1]
    assert pings(town, town.carol) == 0
    assert not any(message.mention_everyone or message.ping_role_ids for message in everything_said(town))


async def test_only_the_newest_board_has_controls(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    with_controls = [board for board in boards(town, thread) if custom_ids(board)]
    assert [labels(board)[0] for board in with_controls] == ["Rematch"]
    assert len(boards(town, thread)) == len(FINISHED) + 1


async def test_resigning_asks_once_whether_it_is_meant(town: Town) -> None:
    thread = await challenge_accepted(town)
    more = answer(await town.bob.click(board_of(town, thread), label="More"))
    await town.bob.click(more, label="Resign")
    assert "Do you want to resign" in text_of(more.message)
    await town.bob.click(more, label="No, play on")
    assert "You play on" in text_of(more.message)
    assert "to move" in text_of(board_of(town, thread))
    question = answer(await town.bob.slash(town.place(thread), "match resign"))
    await town.bob.click(question, label="Yes, resign")
    assert "You have resigned" in text_of(question.message)
    result = text_of(board_of(town, thread))
    assert f"<@{town.alice.id}> wins: resignation" in result
    shown = description_of(board_of(town, thread))
    assert "Blue wins: resignation." in shown
    assert "Blue · Alice (won)" in shown
    assert "to move" not in shown
    assert "resigned here" in text_of(boards(town, thread)[-2]) or "resignation" in text_of(boards(town, thread)[-2])


async def test_resigning_twice_at_once_ends_the_match_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    question = answer(await town.bob.slash(town.place(thread), "match resign"))
    clicks = [town.bob.click(question, label="Yes, resign") for _ in range(2)]
    await at_once(town, *clicks)
    assert len(boards(town, thread)) == 2
    assert "This match is over" in told(await town.alice.slash(town.place(thread), "match resign"))


async def test_a_result_shows_what_it_did_to_the_ratings(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    words = text_of(board_of(town, thread))
    assert f"<@{town.alice.id}>: 1500 → 1" in words
    assert "(+" in words
    assert "(−" in words
    board = told(await town.carol.slash(town.channel, "leaderboard", game="yonmoque")).splitlines()
    ranks = [line for line in board if line.startswith(("1.", "2."))]
    assert [f"<@{person.id}>" in line for person, line in zip((town.alice, town.bob), ranks, strict=True)] == [True] * 2
    assert "1 won, 0 drawn, 0 lost" in ranks[0]
    profile = told(await town.bob.slash(town.channel, "profile", person=town.alice.user))
    assert "1 finished, 0 running" in profile
    assert "Against you: 1 won, 0 drawn, 0 lost" in profile


async def test_a_match_that_is_not_rated_leaves_the_ratings_alone(town: Town) -> None:
    thread = await challenge_accepted(town, rated=False)
    await play(town, thread, *FINISHED)
    assert "not rated" in text_of(board_of(town, thread))
    assert "Nobody has finished a rated game" in told(await town.alice.slash(town.channel, "leaderboard"))
    profile = told(await town.alice.slash(town.channel, "profile"))
    assert "Yonmoque: not rated · 1 won, 0 drawn, 0 lost" in profile
    assert "1 finished" in profile


async def test_a_rematch_swaps_seats_and_mentions_the_opponent_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    before = pings(town, town.alice)
    await town.bob.click(board_of(town, thread), label="Rematch")
    card = cards(town)[-1]
    assert f"<@{town.bob.id}> asks for a rematch with <@{town.alice.id}>" in text_of(card)
    assert pings(town, town.alice) == before + 1
    await town.alice.click(card, label="Accept")
    board = board_of(town, card.id)
    assert f"<@{town.bob.id}> (Blue) to move" in text_of(board)
    assert custom_ids(board)[0] == "play:2:0"


async def test_a_rematch_is_also_accepted_by_pressing_rematch(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = board_of(town, thread)
    await town.alice.click(result, label="Rematch")
    assert "The rematch is on: match 2" in told(await town.bob.click(result, label="Rematch"))
    assert "taken up already" in told(await town.alice.click(result, label="Rematch"))
    assert "Accepted" in text_of(cards(town)[-1])


async def test_whoever_was_turned_down_does_not_ask_for_a_rematch_again_but_the_other_may(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = board_of(town, thread)
    await town.alice.click(result, label="Rematch")
    await town.bob.click(cards(town)[-1], label="Decline")
    assert "Declined" in text_of(cards(town)[-1])
    assert "was declined. Use `/challenge`" in told(await town.alice.click(result, label="Rematch"))
    assert len(cards(town)) == 2
    assert "You have asked for a rematch" in told(await town.bob.click(result, label="Rematch"))
    await town.alice.click(cards(town)[-1], label="Accept")
    assert custom_ids(board_of(town, cards(town)[-1].id))[0] == "play:2:0"
    assert "Declined" in text_of(cards(town)[1])


async def test_a_rematch_nobody_answers_expires_and_can_be_asked_for_again(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = board_of(town, thread)
    await town.alice.click(result, label="Rematch")
    await town.env.advance_time(7 * DAY + 60)
    assert "Expired" in text_of(cards(town)[-1])
    await town.alice.click(result, label="Rematch")
    await town.alice.click(cards(town)[-1], label="Cancel")
    await town.bob.click(result, label="Rematch")
    assert [text_of(card).count("Open until") for card in cards(town)[1:]] == [0, 0, 1]


async def test_a_match_that_runs_can_have_no_rematch(town: Town) -> None:
    thread = await challenge_accepted(town)
    result = await pressed(town, town.alice, board_of(town, thread), "rematch:1")
    assert "not over yet" in told(result)
    assert len(cards(town)) == 1


async def test_a_leaderboard_of_many_is_in_pages_and_always_shows_ones_own_line(town: Town) -> None:
    people = [town.guild.add_member(town.env.create_user(f"player{at}")) for at in range(12)]
    for person in people:
        await person.slash(town.channel, "challenge", game="yonmoque", first="challenger")
        card = cards(town)[-1]
        await town.alice.click(card, label="Accept")
        question = answer(await person.slash(town.place(card.id), "match resign"))
        await person.click(question, label="Yes, resign")
    board = answer(await people[0].slash(town.channel, "leaderboard"))
    first = text_of(board.message)
    assert first.count(" won,") == 11
    assert first.count("← you") == 1
    await people[0].click(board, label="Next →")
    second = text_of(board.message)
    assert second.count("← you") == 1
    assert len(first) < 4000


async def test_an_open_challenge_of_several_seats_waits_until_it_is_full(town: Town) -> None:
    card = await challenge(town, game="rectangles", opponent=None, first=None, players=3)
    assert labels(card) == ["Join", "Leave", "Start", "Rules", "Cancel"]
    assert "At least 2 players are needed" in told(await town.alice.click(card, label="Start"))
    await town.bob.click(card, label="Join")
    assert f"<@{town.bob.id}>" in text_of(cards(town)[0])
    assert "You have a seat already" in told(await town.bob.click(card, label="Join"))
    await town.bob.click(card, label="Leave")
    assert f"<@{town.bob.id}>" not in text_of(cards(town)[0])
    assert "You have no seat" in told(await town.bob.click(card, label="Leave"))
    await at_once(town, town.bob.click(card, label="Join"), town.carol.click(card, label="Join"))
    assert "Accepted" in text_of(cards(town)[0])
    assert len(boards(town, card.id)) == 1


async def test_somebody_who_drops_out_of_three_does_not_notify_the_one_to_move_again(town: Town) -> None:
    card = await challenge(town, game="rectangles", opponent=None, first=None, players=3)
    for person in (town.bob, town.carol):
        await person.click(card, label="Join")
    people = {person.id: person for person in (town.alice, town.bob, town.carol)}
    (mover_id,) = everything_said(town)[-1].ping_user_ids
    leaver = next(person for person_id, person in people.items() if person_id != mover_id)
    before = pings(town, people[mover_id])
    question = answer(await leaver.slash(town.place(card.id), "match resign"))
    await leaver.click(question, label="Yes, resign")
    assert f"<@{mover_id}>" in text_of(board_of(town, card.id))
    assert len(boards(town, card.id)) == 2
    assert f"{leaver.name.capitalize()} has dropped out." in text_of(board_of(town, card.id))
    assert pings(town, people[mover_id]) == before
    question = answer(await people[mover_id].slash(town.place(card.id), "match resign"))
    await people[mover_id].click(question, label="Yes, resign")
    (last,) = people.keys() - {mover_id, leaver.id}
    assert f"<@{last}> wins" in text_of(board_of(town, card.id))
