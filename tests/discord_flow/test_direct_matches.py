"""Matches against the bot in the direct messages with it."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from simcord.builders import UserHandle

from bot.matches.model.page_links import Purpose
from tests.support.acting import answer, labels, text_of, told
from tests.support.installed import FOREIGN, GROUP, asking_from
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import stored, with_number

OFFERED = (
    "board",
    "challenge",
    "games",
    "help",
    "match",
    "matches",
    "move",
    "play",
    "preferences",
    "privacy",
    "puzzle",
)


def posted(sim: SimulatedDiscord, person: UserHandle) -> list[discord.Message]:
    return [message for message in sim.messages(person.dm_channel.id) if message.author.bot]


@pytest.mark.own_bot
async def test_a_match_against_the_bot_is_played_in_direct_messages_until_its_end(sim: SimulatedDiscord) -> None:
    alice = sim.alice.user
    assert alice.available_commands() == OFFERED
    assert "Match 1 is on" in told(await alice.slash("play", game="yonmoque", level=1))
    (first,) = posted(sim, alice)
    assert f"<@{alice.id}> (Blue) to move." in text_of(first)
    assert "You played **a1**" in told(await alice.slash("move", move="a1"))
    reply = posted(sim, alice)[-1]
    assert "Reply: " in text_of(reply)
    # Discord would call for it, who has just moved there: they see it by themselves.
    assert reply.flags.silent
    choices = answer(await alice.click(reply, label="Play"))
    assert "a5" in labels(choices.message)
    more = labels(answer(await alice.click(reply, label="More")).message)
    assert "Resign" in more
    assert "News of my turns" not in more
    await alice.click(answer(await alice.slash("match", action="resign")), label="Yes, resign")
    assert "wins by resignation" in text_of(posted(sim, alice)[-1])
    assert labels(posted(sim, alice)[-1]) == ["See where it turned", "Rematch", "More"]
    assert "Share" not in labels(answer(await alice.slash("match", action="replay", match=1)).message)
    assert "The rematch is on: match 2." in told(await alice.click(posted(sim, alice)[-1], label="Rematch"))
    assert (await with_number(sim, 2)).place_id == alice.dm_channel.id


async def test_a_person_who_wants_turns_directly_gets_each_board_once(sim: SimulatedDiscord) -> None:
    bob = sim.bob.user
    await bob.slash("preferences", news="direct")
    await bob.slash("play", game="yonmoque", level=1)
    await bob.slash("move", move="a1")
    assert len(posted(sim, bob)) == 2


async def test_boards_are_shown_as_their_only_reader_likes_them(sim: SimulatedDiscord) -> None:
    alice, pictures = sim.alice.user, list[str]()
    for theme in ("dark", "light"):
        await alice.slash("preferences", theme=theme)
        await alice.slash("play", game="yonmoque", level=1)
        pictures.append(posted(sim, alice)[-1].attachments[0].url)
    assert len({bytes(sim.env.backend.cdn.get(url) or b"") for url in pictures}) == 2
    await alice.slash("preferences", text_boards=True)
    await alice.slash("play", game="redo", level=1)
    (board,) = posted(sim, alice)[-1:]
    assert "```" in text_of(board)
    assert not board.attachments
    number = int(re.findall(r"match (\d+)", text_of(board))[0])
    await alice.click(answer(await alice.slash("match", action="resign", match=number)), label="Yes, resign")
    assert "resigned here" in text_of(posted(sim, alice)[-2])
    assert "```" in text_of(posted(sim, alice)[-1])


async def test_matches_of_other_places_are_listed_with_a_way_to_them(sim: SimulatedDiscord) -> None:
    alice = sim.alice.user
    assert "You have no match like that here yet." in told(await alice.slash("matches"))
    await sim.alice.slash(sim.channel, "play", game="yonmoque", level=1)
    there = (await stored(sim)).board_message_id
    listed = told(await alice.slash("matches"))
    assert "**Waiting for you elsewhere**" in listed
    assert f"/channels/{sim.guild.id}/" in listed
    assert f"/{there})" in listed
    await alice.slash("play", game="redo", level=1)
    listed = told(await sim.alice.slash(sim.channel, "matches"))
    assert f"/channels/@me/{alice.dm_channel.id}/" in listed.partition("elsewhere")[2]
    # What is played in direct messages is nobody else's to see, nor in the server.
    assert "There's no such match" in told(await sim.bob.slash(sim.channel, "board", match=2))
    assert "Redo" not in told(await sim.bob.slash(sim.channel, "matches", everyone=True))


@pytest.mark.own_bot
@pytest.mark.parametrize("where", [GROUP, FOREIGN])
async def test_in_a_group_or_a_server_without_the_bot_a_person_plays_in_their_direct_messages(
    sim: SimulatedDiscord, where: str
) -> None:
    give_management(sim, sim.alice)
    sim.env.backend.guilds[sim.guild.id].members[sim.alice.id].nick = "Queen of this server"
    with asking_from(sim, where):
        said = told(await sim.alice.slash(sim.channel, "play", game="yonmoque", level=1))
        assert "Match 1 is on, against me at level 1. Its board is in our direct messages." in said
        assert "(Blue) to move." in text_of(posted(sim, sim.alice.user)[-1])
        assert "You played **a1**" in told(await sim.alice.slash(sim.channel, "move", move="a1"))
        assert "Reply: " in text_of(posted(sim, sim.alice.user)[-1])
        assert "Reply: " in told(await sim.alice.slash(sim.channel, "board"))
        assert "**your turn**" in told(await sim.alice.slash(sim.channel, "matches"))
        suggested = await sim.alice.autocomplete(sim.channel, "move", "move", "b")
        assert "b1" in [choice["value"] for choice in suggested]
        # What a person is called and may do in another server stays there.
        assert "Only people who can manage" in told(await sim.alice.slash(sim.channel, "settings", threads=False))
    match = await with_number(sim, 1)
    assert (match.place_id, match.seats[0].person.name) == (sim.alice.user.dm_channel.id, "Alice")
    assert sim.messages() == []


@pytest.mark.own_bot
async def test_direct_messages_that_discord_does_not_open_are_told(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_user: discord.abc.User) -> None:
        raise discord.RateLimited(1.0)

    for kind in (discord.User, discord.Member):
        monkeypatch.setattr(kind, "create_dm", refused)
    with asking_from(sim, GROUP):
        said = told(await sim.alice.slash(sim.channel, "play", game="yonmoque"))
        assert "Puzzle" in told(await sim.alice.slash(sim.channel, "puzzle"))
    assert said.strip() == "I can't open our direct messages at the moment. Try again in a minute."


@pytest.mark.parametrize("options", [{"name": "play", "game": "ladder:"}, {"name": "matches", "everyone": True}])
async def test_what_needs_a_server_says_so(sim: SimulatedDiscord, options: dict[str, Any]) -> None:
    said = told(await sim.alice.user.slash(options["name"], **{key: options[key] for key in options if key != "name"}))
    assert "This needs a server" in said


async def test_without_a_match_commands_lead_to_one(sim: SimulatedDiscord) -> None:
    for command, options in (("board", {}), ("matches", {"finished": True}), ("match", {"action": "review"})):
        assert "`/play` starts one" in told(await sim.bob.user.slash(command, **options)), command


async def test_help_begins_with_what_can_be_done_there(sim: SimulatedDiscord) -> None:
    said = told(await sim.alice.user.slash("help"))
    assert "1. `/play` a game against me." in said
    assert "**About me** has the link" in said


async def test_a_solved_puzzle_has_nobody_to_be_shared_with(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.alice.user.slash("puzzle"))
    solution = answer(await sim.alice.user.click(shown, label="Give up"))
    assert "Share" not in labels(solution.message)


@pytest.mark.own_bot
async def test_where_one_is_signed_in_says_so_of_direct_messages(sim: SimulatedDiscord) -> None:
    await sim.alice.user.slash("play", game="yonmoque", level=1)
    match, access = await with_number(sim, 1), sim.bot.context.services.page_access
    (person,) = (seat.person for seat in match.seats if not seat.person.computer)
    link = await access.link(person, "en", match.guild_id, Purpose.MATCH, match.id)
    await access.redeem(link, sim.bot.context.lookup.has_left)
    said = told(await sim.alice.user.slash("privacy", action="sessions"))
    assert "For matches in direct messages or a group: signed in" in said
