"""Lists too long for a message: the bot shows the part that fits, and the number of the others."""

from __future__ import annotations

import re
from dataclasses import replace

import discord
import pytest

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import in_language
from bot.messages.wording import LIST_LIMIT, listed, that_fit
from bot.storage import blocks, guilds
from bot.storage.guilds import GuildSettings
from bot.storage.records import Person, Seat
from bot.views import match_lists
from tests.support.acting import challenge_accepted, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

MESSAGE_LIMIT = 2000
LAYOUT_LIMIT = 4000
FAR = 10**18
"""Ids have as many digits as they can have for now."""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["aaaa", "bbbb", "cccc"], "aaaa, bbbb and 1 more"),
        (["aaaa"] * 100, "aaaa, aaaa and 98 more"),
    ],
)
def test_words_are_joined_as_in_a_sentence_however_many_there_are(words: list[str], sentence: str) -> None:
    assert listed(words, 12) == sentence


def test_what_fits_never_exceeds_its_limit_and_leaves_out_no_more_than_it_must() -> None:
    words = ["x" * length for length in (5, 1, 9, 3, 3)]
    for limit in range(40):
        shown = that_fit(words, limit)
        assert len(", ".join(shown)) <= limit
        assert shown == words or len(", ".join(words[: len(shown) + 1])) + 2 > limit


async def test_eighty_five_people_blocked_are_listed_as_far_as_they_fit(sim: SimulatedDiscord) -> None:
    async with sim.bot.context.services.database.write() as tx:
        for number in range(85):
            await blocks.put(tx, sim.alice.id, FAR + number, blocked=True)
    answered = told(await sim.alice.slash(sim.channel, "block"))
    named = len(re.findall(r"<@\d+>", answered))
    assert answered.endswith(f" and {85 - named} more.")
    assert LIST_LIMIT / 2 < len(answered) <= MESSAGE_LIMIT


async def test_a_hundred_and_twenty_channels_are_listed_as_far_as_they_fit_in_settings_and_refusals(
    sim: SimulatedDiscord,
) -> None:
    manager = sim.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    dora = sim.guild.add_member(sim.env.create_user("dora"), roles=[manager])
    async with sim.bot.context.services.database.write() as tx:
        await guilds.put_settings(tx, sim.guild.id, GuildSettings(tuple(FAR + number for number in range(120))))
    for result in (
        await dora.slash(sim.channel, "settings"),
        await dora.slash(sim.channel, "settings", threads=False),
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque"),
    ):
        answered = told(result)
        named = len(re.findall(r"<#\d+>", answered))
        assert f" and {120 - named} more" in answered
        assert LIST_LIMIT / 2 < len(answered) <= MESSAGE_LIMIT


async def test_a_full_page_of_what_everybody_plays_fits_a_message_in_every_language(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    seats = tuple(Seat(number, Person(FAR + number, "*" * 32), dropped=False, won=None) for number in range(6))
    match = replace(await stored(sim), id=10**6, game="rectangles", variant="8x8", seats=seats, guild_id=FAR)
    match = replace(match, board_channel_id=FAR, board_message_id=FAR)
    for code in OFFERED:
        line = in_language(code, code, match_lists._line_of_all, match, 1)
        assert line.count("<@") == 7
        assert match_lists.EVERYONE * (len(line) + 1) <= LAYOUT_LIMIT - 100, code
