"""Challenges: who may be challenged, what becomes of the card, limits, and names that would rather shout."""

from __future__ import annotations

import re

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import UserHandle

from bot.games import GAMES
from bot.settings import Settings
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    at_once,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    everything_said,
    items,
    labels,
    pings,
    play,
    text_of,
    told,
)

DAY = 86400


async def test_nobody_can_challenge_himself(town: Town) -> None:
    result = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.alice)
    assert "You cannot challenge yourself" in told(result)
    assert cards(town) == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_card_has_a_small_picture_that_says_in_words_what_it_shows(town: Town, game: str) -> None:
    card = await challenge(town, game=game)
    (small,) = [item for item in items(card) if isinstance(item, discord.ui.Thumbnail)]
    (file,) = card.attachments
    assert (small.media.url, file.filename) == (file.url, f"{game}.png")
    assert (small.description or "").startswith(f"An example: {GAMES[game].name}. ")
    await town.bob.click(card, label="Decline")
    assert [file.filename for file in cards(town)[0].attachments] == [f"{game}.png"]


async def test_bots_cannot_be_challenged(town: Town) -> None:
    robot = town.guild.add_member(town.env.create_user("robot", bot=True))
    itself = MemberActor(town.env, town.guild, UserHandle(town.env, town.env.backend.bot_user))
    for opponent in (robot, itself):
        result = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=opponent)
        assert "bots do not play here" in told(result)
    assert cards(town) == []


async def test_somebody_who_left_the_server_cannot_be_challenged(town: Town) -> None:
    town.guild.remove_member(town.bob)
    result = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob.user)
    assert "Bob is not in this server" in told(result)
    assert cards(town) == []


async def test_an_unknown_variant_is_named_with_those_there_are(town: Town) -> None:
    result = await town.alice.slash(town.channel, "challenge", game="yonmoque", variant="blitz")
    assert told(result).strip() == "Yonmoque has no such variant. There is: Standard."
    assert cards(town) == []


async def test_a_number_of_seats_the_game_is_not_for_is_refused(town: Town) -> None:
    result = await town.alice.slash(town.channel, "challenge", game="yonmoque", players=4)
    assert "is for 2 players" in told(result)


async def test_a_direct_challenge_mentions_the_opponent_once_and_nobody_else(town: Town) -> None:
    card = await challenge(town)
    assert f"<@{town.bob.id}>" in text_of(card)
    assert [pings(town, person) for person in (town.alice, town.bob, town.carol)] == [0, 1, 0]
    await town.bob.click(card, label="Decline")
    assert "Declined" in text_of(cards(town)[0])
    assert custom_ids(cards(town)[0]) == []
    assert pings(town, town.bob) == 1


async def test_an_open_challenge_mentions_nobody_and_anyone_can_accept(town: Town) -> None:
    card = await challenge(town, opponent=None)
    assert labels(card) == ["Accept", "Rules", "Cancel"]
    assert not any(pings(town, person) for person in (town.alice, town.bob, town.carol))
    await town.carol.click(card, label="Accept")
    assert f"<@{town.carol.id}>" in text_of(boards(town, card.id)[0]) or "to move" in text_of(board_of(town, card.id))
    assert "Accepted" in text_of(cards(town)[0])


async def test_a_cancelled_challenge_cannot_be_accepted_any_more(town: Town) -> None:
    card = await challenge(town)
    clicks = await at_once(town, town.alice.click(card, label="Cancel"))
    assert told(clicks[0]) == ""
    assert "Called off" in text_of(cards(town)[0])
    assert custom_ids(cards(town)[0]) == []


async def test_a_challenge_expires_after_seven_days_and_not_before(town: Town) -> None:
    await challenge(town)
    await town.env.advance_time(7 * DAY - 60)
    assert "Open until" in text_of(cards(town)[0])
    await town.env.advance_time(120)
    assert "Expired" in text_of(cards(town)[0])
    assert custom_ids(cards(town)[0]) == []


async def test_a_challenge_that_expires_while_the_bot_is_down_is_expired_afterwards(town: Town) -> None:
    card = await challenge(town)
    town.env.backend.advance_clock(8 * DAY)
    clicks = await at_once(town, town.bob.click(card, label="Accept"))
    assert "expired" in told(clicks[0])
    await town.restart()
    assert "Expired" in text_of(cards(town)[0])


async def test_the_eleventh_open_challenge_is_refused_until_one_is_answered(town: Town) -> None:
    for _ in range(10):
        await challenge(town, opponent=None)
    refused = await town.alice.slash(town.channel, "challenge", game="yonmoque")
    assert "You have 10 challenges open in this server, which is the limit" in told(refused)
    assert len(cards(town)) == 10
    await town.bob.click(cards(town)[0], label="Accept")
    accepted = await town.alice.slash(town.channel, "challenge", game="yonmoque")
    assert "on its way" in told(accepted)
    assert len(cards(town)) == 11


async def test_challenges_whose_cards_were_deleted_do_not_count_for_the_limit(town: Town) -> None:
    for _ in range(10):
        await challenge(town, opponent=None)
    for card in cards(town)[:3]:
        town.env.backend.delete_message(card.channel.id, card.id)
    assert "on its way" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
    assert len(cards(town)) == 8


class TestWithThreeMatches:
    """The limit of matches, set low."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"max_matches": 3})

    async def test_who_plays_as_many_matches_as_he_may_can_neither_challenge_nor_accept(self, town: Town) -> None:
        for _ in range(3):
            await challenge_accepted(town)
        refused = await town.alice.slash(town.channel, "challenge", game="yonmoque")
        assert "You have 3 matches running in this server, which is the limit" in told(refused)
        await town.carol.slash(town.channel, "challenge", game="yonmoque")
        refused = await town.bob.click(cards(town)[-1], label="Accept")
        assert "You have 3 matches running" in told(refused)
        assert "Open until" in text_of(cards(town)[-1])

    async def test_an_opponent_who_plays_too_many_is_named_to_the_one_who_accepts(self, town: Town) -> None:
        card = await challenge(town, opponent=town.carol)
        for _ in range(3):
            await challenge_accepted(town)
        refused = await town.carol.click(card, label="Accept")
        assert "has 3 matches running in this server, which is the limit" in told(refused)

    async def test_a_finished_match_makes_room(self, town: Town) -> None:
        threads = [await challenge_accepted(town) for _ in range(3)]
        await play(town, threads[0], *FINISHED)
        assert "on its way" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))


async def test_two_people_may_play_several_matches_at_once(town: Town) -> None:
    threads = [await challenge_accepted(town) for _ in range(3)]
    for at, thread in enumerate(threads):
        await play(town, thread, ("c3", "a1", "e5")[at])
    assert [text_of(board_of(town, thread)).count("Last move") for thread in threads] == [1, 1, 1]
    listed = told(await town.bob.slash(town.channel, "matches"))
    assert listed.count("your turn") == 3


NAMES = [
    "@everyone",
    "<@&1>",
    "**bold** [free](https://example.com)",
    "```",
    "~~x~~ ||y||",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil",
    "<@123456789012345678>",
]


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_can_neither_notify_nor_format_nor_link(town: Town, name: str) -> None:
    mallory = town.guild.add_member(town.env.create_user("mallory", global_name=name))
    await mallory.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob, first="challenger")
    card = cards(town)[-1]
    await town.bob.click(card, label="Accept")
    thread = town.place(card.id)
    waiting = told(await town.bob.slash(thread, "move", move="c3"))
    await mallory.slash(thread, "move", move="c3")
    watched = told(await town.carol.slash(thread, "board"))
    assert told(await town.carol.slash(thread, "board", text=True)).count("```") == 2
    listed = told(await town.bob.slash(thread, "matches"))
    await town.bob.slash(thread, "move", move="c2")
    listed += told(await town.bob.slash(thread, "matches"))
    for message in everything_said(town):
        assert not message.mention_everyone
        assert message.ping_role_ids == []
        assert set(message.ping_user_ids) <= {town.bob.id, mallory.id}
    posted = [message for message in (*town.messages(), *town.messages(thread)) if message.flags.components_v2]
    public = "".join(text_of(message) for message in posted)
    for said in (re.sub(r"\\.", "", text) for text in (waiting, watched, listed, public)):
        assert "[free](" not in said
        assert "**bold**" not in said
        assert "```" not in said
        assert "~~x~~" not in said
