"""Challenges: possible opponents, the life of the card, limits, and names with markup and mentions in them."""

from __future__ import annotations

import discord
import pytest

from bot.games import GAMES
from bot.settings import Settings
from tests.support.acting import (
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
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord

DAY = 86400


async def test_nobody_can_challenge_himself(sim: SimulatedDiscord) -> None:
    result = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.alice)
    assert "You can't challenge yourself" in told(result)
    assert cards(sim) == []


@pytest.mark.parametrize("game", sampled(GAMES, every=6))
async def test_a_card_has_a_small_picture_that_says_in_words_what_it_shows(sim: SimulatedDiscord, game: str) -> None:
    card = await challenge(sim, game=game)
    (small,) = [item for item in items(card) if isinstance(item, discord.ui.Thumbnail)]
    (file,) = card.attachments
    assert (small.media.url, file.filename) == (file.url, f"{game}.png")
    example = "An example" if game == "rectangles" else "Part of an example"
    assert (small.description or "").startswith(f"{example}: {GAMES[game].name}. ")
    await sim.bob.click(card, label="Decline")
    assert [file.filename for file in cards(sim)[0].attachments] == [f"{game}.png"]


async def test_other_bots_cannot_be_challenged(sim: SimulatedDiscord) -> None:
    robot = sim.guild.add_member(sim.env.create_user("robot", bot=True))
    result = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=robot)
    assert "other bots don't play here" in told(result)
    assert cards(sim) == []


@pytest.mark.own_bot
async def test_a_challenger_alone_is_told_who_is_away_or_has_not_moved_for_a_week(sim: SimulatedDiscord) -> None:
    async def said() -> str:
        return told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob))

    await play(sim, await challenge_accepted(sim), *FINISHED)
    assert await said() == "Challenge sent. It's posted below."
    await sim.env.advance_time(8 * DAY)
    assert "hasn't moved in this server for 8 days" in await said()
    await sim.bob.slash(sim.channel, "preferences", away_days=3)
    assert "is away until" in await said()
    assert not any(word in text_of(one) for one in everything_said(sim) for word in ("away until", "hasn't moved"))


async def test_somebody_who_left_the_server_cannot_be_challenged(sim: SimulatedDiscord) -> None:
    sim.guild.remove_member(sim.bob)
    result = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob.user)
    assert "Bob isn't in this server" in told(result)
    assert cards(sim) == []


async def test_an_unknown_variant_is_named_with_those_there_are(sim: SimulatedDiscord) -> None:
    result = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", variant="blitz")
    assert told(result).strip() == "Yonmoque doesn't have that variant. It has: Standard."
    result = await sim.alice.slash(sim.channel, "challenge", game="rectangles", variant="blitz")
    assert "6 × 6 dots; 6 × 6 dots, tilted; 6 × 6 dots, you say when it's over; 8 × 8 dots;" in told(result)
    assert cards(sim) == []


async def test_a_number_of_seats_the_game_is_not_for_is_refused(sim: SimulatedDiscord) -> None:
    result = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", players=4)
    assert "is for 2 players" in told(result)


async def test_a_direct_challenge_mentions_the_opponent_once_and_nobody_else(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    assert f"<@{sim.bob.id}>" in text_of(card)
    assert [pings(sim, person) for person in (sim.alice, sim.bob, sim.carol)] == [0, 1, 0]
    await sim.bob.click(card, label="Decline")
    assert "Declined" in text_of(cards(sim)[0])
    assert custom_ids(cards(sim)[0]) == []
    assert pings(sim, sim.bob) == 1


async def test_an_open_challenge_mentions_nobody_and_anyone_can_accept(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    assert labels(card) == ["Accept", "Play the bot", "Rules", "Cancel"]
    assert not any(pings(sim, person) for person in (sim.alice, sim.bob, sim.carol))
    await sim.carol.click(card, label="Accept")
    assert f"<@{sim.carol.id}>" in text_of(boards(sim, card.id)[0]) or "to move" in text_of(board_of(sim, card.id))
    assert "Accepted" in text_of(cards(sim)[0])


async def test_a_cancelled_challenge_cannot_be_accepted_any_more(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    clicks = await at_once(sim, sim.alice.click(card, label="Cancel"))
    assert told(clicks[0]) == ""
    assert "Cancelled" in text_of(cards(sim)[0])
    assert custom_ids(cards(sim)[0]) == []


@pytest.mark.own_bot
async def test_a_challenge_expires_after_seven_days_and_not_before(sim: SimulatedDiscord) -> None:
    await challenge(sim)
    await sim.env.advance_time(7 * DAY - 60)
    assert "Open until" in text_of(cards(sim)[0])
    await sim.env.advance_time(120)
    assert "Expired" in text_of(cards(sim)[0])
    assert custom_ids(cards(sim)[0]) == []


@pytest.mark.slow
async def test_challenges_whose_cards_were_deleted_do_not_count_for_the_limit(sim: SimulatedDiscord) -> None:
    for _ in range(10):
        await challenge(sim, opponent=None)
    for card in cards(sim)[:3]:
        sim.env.backend.delete_message(card.channel.id, card.id)
    assert "posted below" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert len(cards(sim)) == 8


class TestWithThreeMatches:
    """The limit of matches, set low."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"max_matches": 3})

    @pytest.mark.own_bot
    async def test_who_plays_as_many_matches_as_he_may_can_neither_challenge_nor_accept(
        self, sim: SimulatedDiscord
    ) -> None:
        for _ in range(3):
            await challenge_accepted(sim)
        refused = await sim.alice.slash(sim.channel, "challenge", game="yonmoque")
        assert "You have 3 matches running in this server, which is the limit" in told(refused)
        await sim.carol.slash(sim.channel, "challenge", game="yonmoque")
        refused = await sim.bob.click(cards(sim)[-1], label="Accept")
        assert "You have 3 matches running" in told(refused)
        assert "Open until" in text_of(cards(sim)[-1])

    @pytest.mark.own_bot
    async def test_an_opponent_who_plays_too_many_is_named_to_the_one_who_accepts(self, sim: SimulatedDiscord) -> None:
        card = await challenge(sim, opponent=sim.carol)
        for _ in range(3):
            await challenge_accepted(sim)
        refused = await sim.carol.click(card, label="Accept")
        assert "has 3 matches running in this server, which is the limit" in told(refused)

    @pytest.mark.slow
    @pytest.mark.own_bot
    async def test_a_finished_match_makes_room(self, sim: SimulatedDiscord) -> None:
        threads = [await challenge_accepted(sim) for _ in range(3)]
        await play(sim, threads[0], *FINISHED)
        assert "posted below" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))


class TestWithChallengesOfTwoDays:
    """The lifetime of a challenge, set low."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"challenge_days": 2})

    @pytest.mark.slow
    @pytest.mark.own_bot
    async def test_a_challenge_stands_for_as_long_as_it_was_set_to(self, sim: SimulatedDiscord) -> None:
        await challenge(sim)
        await sim.env.advance_time(2 * DAY - 60)
        assert "Open until" in text_of(cards(sim)[0])
        await sim.env.advance_time(120)
        assert "Expired" in text_of(cards(sim)[0])
