"""A cup in Discord: its card, its matches, its one message, its end, its pages, who is out of it, and failures."""

from __future__ import annotations

import re

import discord
import pytest

from bot.matches.audit import audit
from bot.storage.contest_states import CupState, Withdrawal
from bot.storage.cups import CupPlayer
from bot.storage.records import MatchState
from tests.support.acting import (
    answer,
    board_of,
    challenge_accepted,
    custom_ids,
    description_of,
    direct_messages,
    everything_said,
    forget,
    labels,
    pings,
    pressed,
    resign,
    text_of,
    told,
)
from tests.support.cup_play import (
    begun,
    cup_message,
    members,
    results,
    running_matches,
    started,
    stored_cup,
)
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401


@pytest.mark.own_bot
async def test_a_cup_is_joined_begun_and_played_to_its_final_table(sim: SimulatedDiscord) -> None:
    card = await started(sim, players=3)
    assert labels(card) == ["Join", "Leave", "Begin", "Rules", "Cancel"]
    assert "Joined (1 of 3)" in text_of(card)
    await sim.bob.click(card, label="Join")
    assert f"<@{sim.bob.id}>" in text_of(cup_message(sim))
    await sim.bob.click(card, label="Leave")
    assert f"<@{sim.bob.id}>" not in text_of(cup_message(sim))
    await sim.bob.click(card, label="Join")
    await sim.carol.click(card, label="Join")
    table = cup_message(sim)
    assert table.id == card.id, "edited in place"
    assert table.attachments[0].filename == "cup.png"
    assert "0 of 4 played" in description_of(table)
    people = members(sim)
    cup, pairings = await stored_cup(sim)
    assert cup.state is CupState.RUNNING
    assert len(pairings) == 6
    running = await running_matches(sim)
    assert all(sum(match.seat_of(person) is not None for match in running) <= 3 for person in people)
    first = running[0]
    assert f"Cup 1, round {first.cup_round}" in text_of(board_of(sim, first.place_id))
    assert str(sim.place(first.place_id).name).startswith("Cup 1, round")
    played = 0
    while running := await running_matches(sim):
        # Alice wins all, and Carol wins nothing.
        match = running[0]
        order = [sim.alice.id, sim.bob.id, sim.carol.id]
        loser = max((seat.person.id for seat in match.seats), key=order.index)
        await resign(people[loser], sim.place(match.place_id))
        played += 1
        assert cup_message(sim).id == card.id
        said = text_of(cup_message(sim))
        assert ("of 4 played" in said) is (played == 6), "a table is there once while it runs"
        assert played == 6 or re.search(rf"Latest results: .+ · (2–0|0–2) · #{match.id}\b", said)
    assert played == 6
    cup, _ = await stored_cup(sim)
    assert cup.state is CupState.OVER
    assert {player.person.id: player.place for player in cup.players} == {
        sim.alice.id: 1,
        sim.bob.id: 2,
        sim.carol.id: 3,
    }
    _, pairings = await stored_cup(sim)
    begun_boards = [f"play:{pairing.match_id}:0" for pairing in pairings]
    notified = {
        control: len(message.ping_user_ids)
        for message in everything_said(sim)
        for control in begun_boards
        if control in str(message.components)
    }
    assert notified == dict.fromkeys(begun_boards, 1), "one mention for each match that begins"
    (final,) = results(sim)
    assert f"<@{sim.alice.id}> wins the cup!" in text_of(final)
    assert description_of(final).startswith("Cup 1 · Yonmoque. Alice wins the cup! 1. Alice · 8 points · 4 of 4 played")
    assert "4 of 4 played" in text_of(cup_message(sim))
    profile = text_of(answer(await sim.alice.slash(sim.channel, "profile")).message)
    assert "🥇 Cup 1 (Yonmoque)" in profile
    assert await audit(sim.bot.context.services.database) == []


@pytest.mark.own_bot
@pytest.mark.slow
async def test_those_who_tie_share_a_place_in_the_message_and_in_the_words_for_the_picture(
    sim: SimulatedDiscord,
) -> None:
    await begun(sim)
    people = members(sim)
    order = [sim.alice.id, sim.bob.id, sim.carol.id]
    while running := await running_matches(sim):
        first, second = (order.index(seat.person.id) for seat in running[0].seats)
        # Each wins against the next, and so everybody has as many points.
        await resign(people[order[second if (second - first) % 3 == 1 else first]], sim.place(running[0].place_id))
    (final,) = results(sim)
    said, described = text_of(final), description_of(final)
    for person, name in zip((sim.alice, sim.bob, sim.carol), ("Alice", "Bob", "Carol"), strict=True):
        assert rf"1\. <@{person.id}>" in said
        assert f"1. {name} · 4 points" in described
    assert "share the cup!" in said
    assert " share the cup! 1. " in described
    assert said.count("Cup 1 · Yonmoque") == 1


async def test_only_those_whom_the_settings_allow_start_a_cup(sim: SimulatedDiscord) -> None:
    refused = await sim.bob.slash(sim.channel, "cup", game="yonmoque")
    assert "only people who manage it can start a cup" in told(refused)
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", cups=True)
    await sim.bob.slash(sim.channel, "cup", game="yonmoque")
    assert "Joined (1 of 8)" in text_of(cup_message(sim))


@pytest.mark.own_bot
async def test_a_cup_with_too_few_at_its_time_says_so_and_closes(sim: SimulatedDiscord) -> None:
    card = await started(sim, begins=str(HOUR))
    assert "Begin" not in labels(card)
    await sim.bob.click(card, label="Join")
    await sim.env.advance_time(HOUR + 60)
    assert "fewer than three" in text_of(cup_message(sim))
    assert labels(cup_message(sim)) == ["Rules"]
    late = await pressed(sim, sim.carol, cup_message(sim), "cup:join:1")
    assert "has ended" in told(late)


async def test_only_its_starter_or_a_manager_begins_or_cancels_a_cup(sim: SimulatedDiscord) -> None:
    card = await started(sim, begins="button")
    await sim.bob.click(card, label="Join")
    early = await sim.alice.click(card, label="Begin")
    assert "at least 3 players" in told(early)
    await sim.carol.click(card, label="Join")
    for label in ("Begin", "Cancel"):
        assert "Only the person who started" in told(await sim.bob.click(card, label=label))
    await sim.alice.click(card, label="Begin")
    assert (await stored_cup(sim))[0].state is CupState.RUNNING
    await sim.alice.slash(sim.channel, "cup", game="yonmoque")
    await sim.alice.click(cup_message(sim, 2), label="Cancel")
    assert "**Cancelled.**" in text_of(cup_message(sim, 2))


@pytest.mark.own_bot
async def test_a_withdrawal_is_asked_about_and_annuls_what_was_played_early(sim: SimulatedDiscord) -> None:
    await begun(sim)
    question = answer(await sim.carol.click(answer(await sim.carol.slash(sim.channel, "cup", cup=1)), label="Leave"))
    await sim.carol.click(question, label="No, play on")
    assert (await stored_cup(sim))[0].player_of(sim.carol.id).withdrawal is None  # type: ignore[union-attr]
    question = answer(await sim.carol.click(answer(await sim.carol.slash(sim.channel, "cup", cup=1)), label="Leave"))
    await sim.carol.click(question, label="Yes, withdraw")
    carol = (await stored_cup(sim))[0].player_of(sim.carol.id)
    assert carol is not None
    assert carol.annulled
    assert "results annulled" in text_of(cup_message(sim))


@pytest.mark.own_bot
async def test_nobody_voids_a_match_of_their_own(sim: SimulatedDiscord) -> None:
    await begun(sim)
    match = next(one for one in await running_matches(sim) if one.seat_of(sim.alice.id) is not None)
    refused = await sim.alice.slash(sim.place(match.place_id), "manage void", match=match.id)
    assert "can't void a match of your own" in told(refused)
    old = await pressed(sim, sim.alice, cup_message(sim), f"void:yes:{match.id}")
    assert "can't void a match of your own" in told(old)
    assert (await stored(sim, match.id)).state is MatchState.RUNNING


async def test_a_deleted_message_is_posted_again_once(sim: SimulatedDiscord) -> None:
    card = await begun(sim)
    del sim.env.backend.messages[sim.channel.id][card.id]
    running = await running_matches(sim)
    await resign(members(sim)[running[0].seats[0].person.id], sim.place(running[0].place_id))
    assert cup_message(sim).id != card.id
    again = cup_message(sim).id
    running = await running_matches(sim)
    await resign(members(sim)[running[0].seats[0].person.id], sim.place(running[0].place_id))
    assert cup_message(sim).id == again


async def test_a_card_that_no_channel_takes_cancels_its_cup_and_its_starter_is_told(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    sim.env.inject_error("POST", f"/channels/{sim.channel.id}/messages", status=403, code=50013, times=None)
    await sim.alice.slash(sim.channel, "cup", game="yonmoque")
    assert (await stored_cup(sim))[0].state is CupState.CANCELLED
    assert any("I couldn't post your Yonmoque cup" in text for text in direct_messages(sim, sim.alice))


@pytest.mark.own_bot
async def test_a_closed_cup_has_no_results_and_its_matches_go_on(sim: SimulatedDiscord) -> None:
    await begun(sim)
    running = await running_matches(sim)
    await sim.alice.click(answer(await sim.alice.slash(sim.channel, "manage close")), label="Yes, close it")
    assert "without results" in text_of(cup_message(sim))
    assert all("doesn't count for Cup 1" in text_of(board_of(sim, match.place_id)) for match in running)
    first, *running = running
    by, other = (members(sim)[seat.person.id] for seat in first.seats)
    before = pings(sim, other), pings(sim, by)
    question = answer(await by.click(board_of(sim, first.place_id), label="Close the match"))
    await by.click(question, label="Close the match")
    assert "Closed, because it no longer counted for Cup 1." in text_of(board_of(sim, first.place_id))
    assert (pings(sim, other), pings(sim, by)) == (before[0] + 1, before[1])
    refused = await by.slash(sim.place(first.place_id), "match", action="close", match=first.id)
    assert "over" in told(refused)
    assert not cup_message(sim).attachments
    await resign(members(sim)[running[0].seats[0].person.id], sim.place(running[0].place_id))
    assert len(await running_matches(sim)) == len(running) - 1
    assert not results(sim)


def leave_server(sim: SimulatedDiscord, user_id: int) -> None:
    """Let a person leave the server. Without the privileged intent Discord tells the bot nothing."""
    del sim.env.backend.guilds[sim.guild.id].members[user_id]


async def player(sim: SimulatedDiscord, user_id: int) -> CupPlayer:
    found = (await stored_cup(sim))[0].player_of(user_id)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.own_bot
async def test_who_left_is_noticed_when_their_reminder_is_due(sim: SimulatedDiscord) -> None:
    await begun(sim, pace=3 * 24 * HOUR)
    gone = (await running_matches(sim))[0].mover.person.id
    await members(sim)[gone].slash(sim.channel, "preferences", reminders=False)
    leave_server(sim, gone)
    await sim.env.advance_time(2 * 24 * HOUR)
    assert (await player(sim, gone)).withdrawal is None
    await sim.env.advance_time(7 * HOUR)
    assert (await player(sim, gone)).withdrawal is Withdrawal.GONE
    assert (await stored_cup(sim))[0].state is CupState.RUNNING


async def test_a_discord_that_does_not_answer_or_knows_no_server_withdraws_nobody(sim: SimulatedDiscord) -> None:
    sim.env.inject_error("GET", f"/guilds/{sim.guild.id}/members/*", status=404, code=10004, times=None)
    await begun(sim)
    assert all(one.withdrawal is None for one in (await stored_cup(sim))[0].players)


@pytest.mark.own_bot
@pytest.mark.slow
async def test_who_is_removed_by_a_manager_is_told_directly(sim: SimulatedDiscord) -> None:
    await begun(sim)
    await sim.alice.click(
        answer(await sim.alice.slash(sim.channel, "manage remove", person=sim.carol)), label="Yes, remove"
    )
    (told,) = direct_messages(sim, sim.carol)
    assert told == (
        "A person who manages the server has removed you from Cup 1 · Yonmoque. Matches that are running go on, but "
        "don't count for the cup."
    )
    assert not direct_messages(sim, sim.bob)


async def test_the_card_of_an_open_cup_names_its_starter_no_more_once_they_deleted_their_data(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await started(sim, players=4)
    await sim.bob.click(cup_message(sim), label="Join")
    await forget(sim.alice, sim.channel)
    assert (await stored(sim)).state is MatchState.OVER
    assert (await stored_cup(sim))[0].state is CupState.CANCELLED
    said = [text_of(message) for place in (sim.channel, thread) for message in sim.messages(place)]
    cup = text_of(cup_message(sim))
    assert str(sim.alice.id) not in cup
    assert "Alice" not in cup
    assert str(sim.alice.id) not in "".join(said)


ENDED = 10
"""More cups than a page lists."""


@pytest.mark.slow
@pytest.mark.own_bot
async def test_cups_that_have_ended_are_listed_in_pages(sim: SimulatedDiscord) -> None:
    for number in range(1, ENDED + 1):
        await started(sim, players=3)
        await sim.alice.click(cup_message(sim, number), label="Cancel")
        await sim.env.advance_time(900)  # A person may cancel five an hour.
    pages = answer(await sim.bob.slash(sim.channel, "cup"))
    await sim.bob.click(pages, label="Ended")
    assert [f"Cup {number} " in text_of(pages.message) for number in (10, 3, 2)] == [True, True, False]
    await sim.bob.click(pages, label="Older →")
    assert [f"Cup {number} " in text_of(pages.message) for number in (3, 2, 1)] == [False, True, True]
    await sim.bob.click(pages, label="Open and running")
    assert "None at the moment" in text_of(pages.message)


@pytest.mark.own_bot
async def test_a_cup_is_shown_listed_and_exported(sim: SimulatedDiscord) -> None:
    await begun(sim)
    assert "Cup 1 · Yonmoque" in text_of(answer(await sim.bob.slash(sim.channel, "cup")).message)
    shown = answer(await sim.bob.slash(sim.channel, "cup", cup=1))
    assert "0 of 4 played" in description_of(shown.message)
    await sim.bob.click(shown, label="As text")
    listed = answer(await sim.bob.click(cup_message(sim), label="Matches"))
    running = await running_matches(sim)
    assert text_of(listed.message).count("being played") == len(running)
    assert all(f"/{match.place_id}/{match.board_message_id})" in text_of(listed.message) for match in running)
    file = answer(
        await sim.bob.click(answer(await sim.bob.slash(sim.channel, "cup", cup=1)), label="Export")
    ).message.attachments[0]
    assert file.filename == "cup-1.txt"
    rules = answer(await sim.bob.click(cup_message(sim), label="Rules"))
    assert "Sonneborn-Berger" in text_of(rules.message)
    await sim.bob.slash(sim.channel, "preferences", text_boards=True)
    shown = answer(await sim.bob.slash(sim.channel, "cup", cup=1))
    assert not shown.attachments
    assert "0 of 4 played" in text_of(shown.message)
    assert "As a picture" in labels(shown.message)


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_cup_whose_channel_is_deleted_moves_to_where_it_is_looked_at(sim: SimulatedDiscord) -> None:
    card = await begun(sim)
    other = sim.guild.create_text_channel("other")
    sim.env.backend.delete_channel(sim.channel.id)
    await sim.env.settle()
    assert "is gone" in told(await sim.bob.slash(other, "cup", cup=1))
    moved = [message for message in sim.messages(other) if "cup:rules:1" in custom_ids(message)]
    assert len(moved) == 1
    assert card.channel.id != moved[0].channel.id


@pytest.mark.own_bot
async def test_a_cup_of_a_channel_that_one_does_not_see_is_for_its_players_and_managers(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    unseen = discord.PermissionOverwrite(view_channel=False)
    club = sim.guild.create_text_channel("club", overwrites={sim.carol: unseen, sim.bob: unseen})
    await sim.alice.slash(club, "cup", game="yonmoque", players=4)
    dave = sim.guild.add_member(sim.env.create_user("dave"))
    await dave.click(sim.messages(club)[-1], label="Join")
    for person, sees in ((sim.alice, True), (dave, True), (sim.bob, False)):
        listed = text_of(answer(await person.slash(sim.channel, "cup")).message)
        assert ("Cup 1" in listed) is sees
        shown = text_of(answer(await person.slash(sim.channel, "cup", cup=1)).message)
        assert ("Cup 1" in shown, "no such cup" in shown) == (sees, not sees)
        asked = len(sim.env.http_requests)
        assert bool(await person.autocomplete(sim.channel, "cup", "cup", "")) is sees
        assert sum("/members/" in request.path for request in sim.env.http_requests[asked:]) <= 1
    asked = len(sim.env.http_requests)
    assert await dave.autocomplete(club, "cup", "cup", "")
    assert not any("/members/" in request.path for request in sim.env.http_requests[asked:])
