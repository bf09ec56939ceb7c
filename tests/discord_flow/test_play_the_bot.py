"""The ways to the bot as an opponent: from the games, from the rules, and from an open challenge."""

from __future__ import annotations

import pytest

from bot.cogs.challenges import ChallengeCommands
from bot.cogs.play import PlayCommands
from bot.games import GAMES
from bot.opponents import LEVELS, levels_of
from bot.storage import matches
from bot.storage.matches import Offer
from bot.storage.records import MatchState, OfferKind
from tests.support.acting import answer, board_of, cards, challenge, itself, labels, lobby, pressed, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

pytestmark = pytest.mark.own_bot


async def test_the_games_and_their_rules_lead_to_a_match_against_the_bot(sim: SimulatedDiscord) -> None:
    games = answer(await sim.alice.slash(sim.channel, "games"))
    assert labels(games.message).count("Play the bot") == 5
    menu = answer(await sim.alice.click(games, custom_id="computer:rectangles"))
    assert labels(menu.message) == [f"Level {number}" for number in levels_of(GAMES["rectangles"])]
    await sim.alice.select(menu, ["6x6-tilted"], custom_id="computer-variant:rectangles")
    await sim.alice.click(menu, label="Level 1")
    assert "Match 1 is on, against me at level 1." in text_of(menu.message)
    match = await stored(sim)
    assert (match.game, match.variant, match.rated, match.pace) == ("rectangles", "6x6-tilted", False, None)
    rules = answer(await sim.bob.slash(sim.channel, "games", game="redo"))
    menu = answer(await sim.bob.click(rules, label="Play the bot"))
    await sim.bob.click(menu, label="Level 1")
    assert {seat.person.id for seat in (await stored(sim, 2)).seats} == {sim.bob.id, 0}


async def test_a_level_or_game_there_is_not_any_more_is_refused(sim: SimulatedDiscord) -> None:
    message = answer(await sim.alice.slash(sim.channel, "help"))
    for gone in (
        "computer-level:0:redo:1",
        "computer-level:1:chess:1",
        "computer:redo:giant",
        "computer-level:1:redo:giant:1",
    ):
        said = told(await pressed(sim, sim.alice, message, gone))
        assert "isn't available here" in said or "any more" in said or "levels 1 to 10" in said, (gone, said)


async def test_an_open_challenge_becomes_a_match_against_the_bot_on_its_card(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    assert "Only the challenger" in told(await sim.bob.click(card, label="Play the bot"))
    menu = answer(await sim.alice.click(card, label="Play the bot"))
    await sim.alice.click(menu, label="Level 1")
    assert "Match 1 is on." in text_of(menu.message)
    said = text_of(cards(sim)[-1])
    assert "**I'll play, at level 1:** match 1 is on." in said
    assert "No time limit" in said or "no time limit" in said
    assert "not rated" in said
    assert f"<@{sim.alice.id}> (Blue) to move." in text_of(board_of(sim, card.id))


async def test_the_owner_of_a_lobby_seats_the_bot_and_takes_it_out(sim: SimulatedDiscord) -> None:
    card = await lobby(sim)
    assert "Only the challenger" in told(await sim.bob.click(card, label="Add the bot"))
    menu = answer(await sim.alice.click(card, label="Add the bot"))
    for label in ("Add level 2", "Add level 1"):
        await sim.alice.click(menu, label=label)
    assert r"Tavoliere \(level 2\) and Tavoliere \(level 1\)" in text_of(cards(sim)[-1])
    assert "not rated" in text_of(cards(sim)[-1])
    await sim.restart()
    await sim.alice.click(menu, label="Remove level 2")
    assert r"and Tavoliere \(level 1\)" in text_of(cards(sim)[-1])
    await sim.alice.click(cards(sim)[-1], label="Start")
    match = await stored(sim)
    assert [seat.person.level for seat in match.seats] == [None, 1]
    await sim.alice.slash(sim.place(card.id), "move", move="a1-b2")
    assert (await stored(sim)).ply == 2
    assert "Reply: " in text_of(board_of(sim, card.id))
    assert (await stored(sim)).state is MatchState.RUNNING


async def test_play_begins_at_level_1_and_then_at_the_lowest_level_not_beaten_twice(sim: SimulatedDiscord) -> None:
    for number, move in ((1, "c3"), (2, "b2")):
        begun = answer(await sim.alice.slash(sim.channel, "play", game="yonmoque"))
        assert "against me at level 1" in text_of(begun.message)
        match = await stored(sim, number)
        assert match.seats[0].person.id == sim.alice.id
        await sim.alice.slash(sim.place(match.place_id), "move", move=move)
        await sim.bot.context.services.forfeits.give_up(number, 1)
    for game, level in (("yonmoque", 2), ("redo", 1)):
        begun = answer(await sim.alice.slash(sim.channel, "play", game=game))
        assert f"against me at level {level}" in text_of(begun.message)
    begun = answer(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim)))
    assert "against me at level 2" in text_of(begun.message)


async def test_a_challenge_to_the_bot_for_three_gives_it_a_seat_and_leaves_one_free(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", opponent=itself(sim), players=3, level=2)
    (card,) = cards(sim)
    assert r"Tavoliere \(level 2\)" in text_of(card)
    await sim.bob.click(card, label="Join")
    match = await stored(sim)
    assert sorted(seat.person.level or 0 for seat in match.seats) == [0, 0, 2]
    assert not match.rated


async def test_a_draw_offered_to_the_bot_is_asked_first(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "play", game="yonmoque")
    asked = answer(await sim.alice.slash(sim.channel, "match", action="draw"))
    assert "If I agree, the match is over." in text_of(asked.message)
    await sim.alice.click(asked, label="No, play on")
    assert text_of(asked.message).strip() == "You play on."
    assert await offers_stored(sim) == []
    asked = answer(await sim.alice.slash(sim.channel, "match", action="draw"))
    await sim.alice.click(asked, label="Offer a draw")
    assert len(await offers_stored(sim)) == 1
    assert "You can offer another" in told(await sim.alice.slash(sim.channel, "match", action="draw"))


async def offers_stored(sim: SimulatedDiscord) -> list[Offer]:
    """Return the draws that the first seat of the first match has offered."""
    return list(await sim.bot.context.services.read(matches.offers_of_seat, 1, OfferKind.DRAW, 0))


def test_the_option_of_a_level_names_the_weakest_and_the_strongest() -> None:
    for command in (PlayCommands.play, ChallengeCommands.challenge):
        said = next(option.description for option in command.parameters if option.name == "level")
        assert f"From {LEVELS[0]}, a beginner, to {LEVELS[-1]}, the strongest" in said
