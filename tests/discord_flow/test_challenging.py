"""Challenges: possible opponents, the menu on a person, the life of the card, and limits."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from bot.games import GAMES
from tests.support.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    everything_said,
    items,
    itself,
    labels,
    pings,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.elsewhere import Elsewhere, elsewhere
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

DAY = 86400


async def test_what_cannot_be_played_is_refused_with_the_reason(sim: SimulatedDiscord) -> None:
    robot = sim.guild.add_member(sim.env.create_user("robot", bot=True))
    sim.guild.remove_member(sim.carol)
    for options, said in (
        ({"opponent": sim.alice}, "You can't challenge yourself"),
        ({"opponent": robot}, "other bots don't play here"),
        ({"opponent": sim.carol.user}, "Carol isn't in this server"),
        ({"players": 4}, "is for 2 players"),
        ({"variant": "blitz"}, "Yonmoque doesn't have that variant. It has: Standard."),
        ({"game": "rectangles", "variant": "blitz"}, "6 × 6 dots; 6 × 6 dots, tilted; 6 × 6 dots, you say when it's"),
    ):
        wanted = {"game": "yonmoque"} | options
        assert said in told(await sim.alice.slash(sim.channel, "challenge", **wanted)), said
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


__all__ = ["elsewhere"]


def the_bot(sim: SimulatedDiscord) -> MemberActor:
    return MemberActor(sim.env, sim.guild, itself(sim))


async def test_without_a_game_it_asks_for_one(sim: SimulatedDiscord) -> None:
    question = answer(await sim.alice.slash(sim.channel, "challenge"))
    assert "### Challenge anyone\n-# Random first player · 3 days a move · rated." in text_of(question.message)
    await sim.alice.select(question, ["redo"])
    assert f"<@{sim.alice.id}> is looking for an opponent." in text_of(cards(sim)[-1])
    for options, said in (({"opponent": sim.bob}, f"Challenge <@{sim.bob.id}>"), ({"level": 3}, "Choose a game")):
        assert said in told(await sim.alice.slash(sim.channel, "challenge", **options))
    assert len(cards(sim)) == 1


async def test_a_person_is_challenged_by_choosing_a_game(sim: SimulatedDiscord, elsewhere: Elsewhere) -> None:
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", sim.bob))
    assert f"Challenge <@{sim.bob.id}>" in text_of(question.message)
    (menu,) = (item for item in items(question.message) if isinstance(item, discord.ui.Select))
    assert {option.value for option in menu.options} >= {"yonmoque", "redo", "gyges"}
    await sim.alice.select(question, ["redo"], custom_id=menu.custom_id)
    assert "Challenge sent" in text_of(question.message)
    (card,) = cards(sim)
    assert f"<@{sim.alice.id}> challenges <@{sim.bob.id}>" in text_of(card)
    assert "Redo" in text_of(card)
    await pressed(sim, sim.alice, question, menu.custom_id, "gyges")
    assert len(cards(sim)) == 1
    assert "can't challenge yourself" in told(await sim.alice.context_menu(sim.channel, "Challenge", sim.alice))
    refused = await pressed(sim, sim.alice, question, menu.custom_id, "nonsense")
    assert "don't know that game" in told(refused)
    strange = answer(await elsewhere.dora.slash(elsewhere.channel, "help"))
    assert "not in this server" in told(await pressed(sim, elsewhere.dora, strange, menu.custom_id, "redo"))


async def test_on_the_bot_itself_a_level_and_a_game_begin_a_match(sim: SimulatedDiscord) -> None:
    question = answer(await sim.alice.context_menu(sim.channel, "Challenge", the_bot(sim)))
    assert "level 1" in text_of(question.message)
    await sim.alice.click(question, label="Level 4")
    assert "at level 4" in text_of(question.message)
    assert labels(question.message)[3] == "Level 4"
    await sim.alice.select(question, ["yonmoque"], custom_id="against-bot:4:game")
    assert "against me at level 4" in text_of(question.message)
    match = await stored(sim, 1)
    assert [seat.person.level for seat in match.seats] == [None, 4]
