"""Lists of matches, by opponent and game, in pages; which match a command is about, and which comes next."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.views import match_lists
from tests.support.acting import (
    answer,
    challenge,
    challenge_accepted,
    itself,
    labels,
    play,
    pressed,
    resign,
    slash,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.statements import statements_of
from tests.support.stored import DAY, stored
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot


async def test_finished_matches_are_found_by_opponent_and_game_and_looked_at_again(sim: SimulatedDiscord) -> None:
    none = told(await sim.alice.slash(sim.channel, "matches", finished=True))
    assert "no finished match" in none
    await challenge_accepted(sim)
    await resign(sim.bob, sim.channel, match=1)
    await challenge_accepted(sim, game="redo")
    await resign(sim.bob, sim.channel, match=2)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")
    shown = told(await sim.alice.slash(sim.channel, "matches", finished=True))
    assert shown.index("Redo · match 2") < shown.index("Yonmoque · match 1")
    assert f"<@{sim.bob.id}>" in shown
    assert "You won by resignation" in shown
    assert "You lost by resignation" in told(await sim.bob.slash(sim.channel, "matches", finished=True))
    one_game = told(await sim.alice.slash(sim.channel, "matches", finished=True, game="yonmoque"))
    assert "match 1" in one_game
    assert "match 2" not in one_game
    for opponent in (sim.carol, itself(sim)):
        nobody = await sim.alice.slash(sim.channel, "matches", finished=True, opponent=opponent)
        assert "no finished match" in told(nobody)
    assert "match 3" in told(await sim.alice.slash(sim.channel, "matches", opponent=itself(sim)))
    none = told(await sim.alice.slash(sim.channel, "matches", opponent=sim.bob))
    assert "None of your running matches fits that" in none
    page = answer(await sim.alice.slash(sim.channel, "matches", finished=True, opponent=sim.bob, game="redo"))
    steps = answer(await sim.alice.click(page, label="View"))
    assert "Redo · match 2" in text_of(steps.message)
    assert "Bob resigned." in text_of(steps.message)


async def test_the_match_with_the_least_time_left_is_listed_first_and_is_the_next(sim: SimulatedDiscord) -> None:
    threads = [await challenge_accepted(sim, pace=pace) for pace in (0, 7 * DAY, DAY, 3 * DAY)]
    listed = told(await sim.alice.slash(sim.channel, "matches"))
    assert re.findall(r"match (\d) against", listed) == ["3", "4", "2", "1"]
    for match, following in ((3, 4), (2, 4), (4, 1)):
        played = answer(await sim.alice.slash(sim.place(threads[match - 1]), "move", move="a1"))
        assert labels(played.message) == [f"Next: Yonmoque · match {following}", "Plan"]
    listed = told(await sim.alice.slash(sim.channel, "matches"))
    assert re.findall(r"match (\d) against", listed) == ["1", "3", "4", "2"], "what waits for them is first"


async def test_everybody_sees_what_is_played_whose_turn_it_is_and_where(sim: SimulatedDiscord) -> None:
    assert "No such match is running" in told(await sim.carol.slash(sim.channel, "matches", everyone=True))
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    listed = told(await sim.carol.slash(sim.channel, "matches", everyone=True))
    alice, bob = f"<@{sim.alice.id}>", f"<@{sim.bob.id}>"
    assert f"match 1 · {alice} – {bob}: {bob} to move · turn began" in listed
    assert f"(https://discord.com/channels/{sim.guild.id}/{thread}/" in listed
    assert told(await sim.carol.slash(sim.channel, "matches")) == listed, "who plays none sees what others play"
    assert "**your turn**" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))
    assert "No such match" in told(await sim.carol.slash(sim.channel, "matches", everyone=True, game="redo"))
    assert "No such match" in told(await sim.carol.slash(sim.channel, "matches", everyone=True, opponent=sim.carol))


async def test_what_a_person_may_not_see_and_blocked_people_are_not_listed(sim: SimulatedDiscord) -> None:
    unseen = discord.PermissionOverwrite(view_channel=False)
    hidden = sim.guild.create_text_channel("board-members", overwrites={sim.carol: unseen})
    await sim.alice.slash(hidden, "challenge", game="yonmoque", opponent=itself(sim), level=1)
    assert "match 1" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))
    assert "No such match" in told(await sim.carol.slash(sim.channel, "matches", everyone=True))
    await sim.alice.slash(sim.channel, "block", person=sim.bob)
    for person in (sim.bob, sim.carol):
        assert "No such match" in told(await person.slash(sim.channel, "matches", everyone=True))


async def test_a_number_opens_no_match_of_a_channel_that_a_person_cannot_see(sim: SimulatedDiscord) -> None:
    unseen = discord.PermissionOverwrite(view_channel=False)
    hidden = sim.guild.create_text_channel("board-members", overwrites={sim.carol: unseen})
    await sim.alice.slash(hidden, "challenge", game="yonmoque", opponent=sim.bob)
    await sim.bob.click(sim.messages(hidden)[-1], label="Accept")
    (thread,) = [thread for thread in sim.env.backend.channels.values() if thread.parent_id == hidden.id]
    await play(sim, thread.id, "a1")
    await sim.bot.context.services.forfeits.give_up(1, 1)
    await sim.env.settle()
    ways: list[tuple[str, dict[str, Any]]] = [("board", {}), ("match", {})]
    ways += [("match", {"action": action}) for action in ("replay", "export", "review")]
    for command, options in ways:
        for person, sees in ((sim.carol, False), (sim.bob, True)):
            said = told(await person.slash(sim.channel, command, match=1, **options))
            assert ("no such match" not in said.lower()) is sees, (command, options, said)
    replayed = answer(await sim.alice.slash(sim.channel, "match", action="replay", match=1))
    shown = await sim.alice.click(replayed, label="Share")
    assert "no such match" in told(await sim.carol.slash(sim.channel, "match", action="replay", match=1)).lower()
    await sim.alice.click(answer(shown), label="Share this here")
    said = told(await sim.carol.slash(sim.channel, "match", action="replay", match=1))
    assert "no such match" not in said.lower()


async def test_many_finished_matches_come_in_pages(sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_lists, "PAGE", 2)
    for number in range(1, 4):
        await challenge_accepted(sim)
        await resign(sim.bob, sim.channel, match=number)
    pages = answer(await sim.alice.slash(sim.channel, "matches", finished=True))
    assert labels(pages.message).count("View") == 2
    await sim.alice.click(pages, label="Older →")
    assert labels(pages.message).count("View") == 1
    assert "match 1**" in text_of(pages.message)
    await sim.alice.click(pages, label="← Newer")
    assert "match 3**" in text_of(pages.message)


PLAYING = ("move", "match resign", "match draw", "match takeback", "match claim")
LOOKING = ("board", "match replay", "match export")


async def test_finished_matches_are_meant_only_by_what_can_be_done_with_them(sim: SimulatedDiscord) -> None:
    for _ in range(2):
        thread = await challenge_accepted(sim)
        await resign(sim.alice, sim.place(thread))
    for command in PLAYING:
        assert "You have no match here" in await _typed(sim, sim.alice, command)
        assert await _suggested(sim, command) == []
    for command in LOOKING:
        assert "match 2" in await _typed(sim, sim.alice, command)
        assert await _suggested(sim, command) == [2, 1]
    assert "match 2" in await _typed(sim, sim.carol, "board")
    assert "You have no match here" in await _typed(sim, sim.carol, "match resign")

    waiting = await challenge_accepted(sim)
    await play(sim, waiting, "a1")
    await challenge_accepted(sim)
    for command in PLAYING:
        assert await _suggested(sim, command) == [4, 3]
    assert "match 4" in await _typed(sim, sim.alice, "match resign")
    for command in LOOKING:
        assert await _suggested(sim, command) == [4, 3, 2, 1]
        assert "match 4" in await _typed(sim, sim.alice, command)
    assert "Several matches are played here (4, 3)" in await _typed(sim, sim.carol, "board")


async def _typed(sim: SimulatedDiscord, person: MemberActor, command: str) -> str:
    options = {"move": "c3"} if command == "move" else {}
    return told(await slash(person, sim.channel, command, **options))


async def _suggested(sim: SimulatedDiscord, command: str) -> list[int]:
    name, _, action = command.partition(" ")
    chosen = {"action": action} if action else {}
    return [choice["value"] for choice in await sim.alice.autocomplete(sim.channel, name, "match", "", **chosen)]


async def test_all_that_waits_is_played_with_one_tap_more_than_the_moves(sim: SimulatedDiscord) -> None:
    for _ in range(3):
        await challenge_accepted(sim, pace=DAY)
    listed = answer(await sim.alice.slash(sim.channel, "matches"))
    assert labels(listed.message) == ["Play"] * 3
    message = answer(await sim.alice.click(listed, custom_id="play:1:0"))
    for match in (1, 2, 3):
        played = answer(await pressed(sim, sim.alice, message, f"b-play:{match}:0:0:c3"))
        assert (await stored(sim, match)).ply == 1
        if match < 3:
            message = answer(await sim.alice.click(played, label=f"Next: Yonmoque · match {match + 1}"))
            assert f"match {match + 1}" in text_of(message.message)
    assert "Nothing else waits for you." in text_of(played.message)
    assert labels(played.message) == ["Play the bot", "Plan"]
    assert labels(answer(await sim.alice.slash(sim.channel, "matches")).message) == [], "none of them waits now"


async def test_after_the_last_move_open_challenges_that_the_player_may_accept_are_linked(sim: SimulatedDiscord) -> None:
    place = sim.place(await challenge_accepted(sim))
    card = await challenge(sim, opponent=None, game="redo")
    for_carol = (await sim.bob.slash(sim.channel, "challenge", game="gyges", opponent=sim.carol)).response
    assert for_carol is not None
    carols = await sim.carol.slash(sim.channel, "challenge", game="redo")
    assert carols.response is not None
    played = answer(await sim.alice.slash(place, "move", move="c3"))
    assert labels(played.message) == ["Redo against Carol", "Play the bot", "Plan"], "not their own, nor for others"
    played = answer(await sim.bob.slash(place, "move", move="a1"))
    assert labels(played.message)[:2] == ["Redo against Alice", "Redo against Carol"]
    urls = [item.url for item in played.message.components for item in getattr(item, "children", [])]
    assert f"https://discord.com/channels/{sim.guild.id}/{sim.channel.id}/{card.id}" in urls


async def test_in_a_match_against_the_bot_nothing_is_said_of_what_else_there_is_nor_looked_for(
    sim: SimulatedDiscord,
) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")
    match = await stored(sim)
    with statements_of(sim.bot.context.services.database) as statements:
        said = told(await sim.alice.slash(sim.place(match.place_id), "move", move="c3"))
    assert "Nothing else waits" not in said
    assert not [statement for statement in statements if "puzzle_attempts" in statement]


async def test_more_matches_than_fit_a_message_are_listed(sim: SimulatedDiscord) -> None:
    match_lists.PLAYED, kept = 1, match_lists.PLAYED
    try:
        for _ in range(2):
            await challenge_accepted(sim)
        listed = answer(await sim.alice.slash(sim.channel, "matches"))
    finally:
        match_lists.PLAYED = kept
    assert labels(listed.message) == ["Play"]
    assert "match 2 against" in text_of(listed.message)
    assert isinstance(listed.message.components[1], discord.SectionComponent)
