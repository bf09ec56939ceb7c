"""The rules as people read them, the aim on the first board and at the first Play, and help."""

from __future__ import annotations

import discord
import pytest

import bot
from bot.games import GAMES
from bot.games.guides import guide
from bot.games.puzzles import puzzles
from tests.support.acting import (
    answer,
    board_of,
    challenge,
    challenge_accepted,
    custom_ids,
    items,
    itself,
    labels,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

SILENT = "Where the original rules are silent"
PUSHED, BOUNCES = "A piece that is hit is pushed on", "The arriving piece bounces on"


def menu(message: discord.Message, custom_id: str) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return the menu of that custom id."""
    return next(item for item in items(message) if getattr(item, "custom_id", None) == custom_id)


@pytest.mark.parametrize(("variant", "said", "unsaid"), [("fogliaccio", PUSHED, BOUNCES), ("classic", BOUNCES, PUSHED)])
async def test_a_card_describes_the_rules_that_are_to_be_played(
    sim: SimulatedDiscord, variant: str, said: str, unsaid: str
) -> None:
    card = await challenge(sim, game="gyges", variant=variant)
    assert said in text_of(card)
    assert unsaid not in text_of(card)


@pytest.mark.parametrize(
    ("variant", "page", "title"),
    [
        ("fogliaccio", "Pushing", "Push"),
        ("classic", "Bouncing", "Classic, as played elsewhere"),
    ],
)
async def test_the_rules_button_shows_the_rules_of_the_match(
    sim: SimulatedDiscord, variant: str, page: str, title: str
) -> None:
    card = await challenge(sim, game="gyges", variant=variant)
    assert f"Gygès ({title})" in told(await sim.bob.click(card, label="Rules"))
    await sim.bob.click(card, label="Accept")
    rules = answer(await sim.bob.click(board_of(sim, card.id), label="Rules"))
    for _ in range(4):
        await sim.bob.click(rules, label="Next →")
    assert f"Gygès ({title}): {page}" in text_of(rules.message)


async def test_the_rules_of_another_variant_can_be_chosen_on_the_first_page(sim: SimulatedDiscord) -> None:
    rules = answer(await sim.alice.slash(sim.channel, "games", game="gyges"))
    assert [option.value for option in menu(rules.message, "rules:gyges:variant").options if option.default] == [
        "fogliaccio"
    ]
    await sim.alice.select(rules, ["classic"], custom_id="rules:gyges:variant")
    for _ in range(4):
        await sim.alice.click(rules, label="Next →")
    assert "Bouncing" in text_of(rules.message)
    assert "rules:gyges:variant" not in custom_ids(rules.message)


async def test_no_variant_is_offered_where_the_rules_are_one(sim: SimulatedDiscord) -> None:
    rules = answer(await sim.alice.slash(sim.channel, "games", game="redo"))
    assert "rules:redo:variant" not in custom_ids(rules.message)
    assert "Redo: What it is" in text_of(rules.message)


async def test_where_the_source_was_silent_is_opened_by_its_own_button_from_the_last_page(
    sim: SimulatedDiscord,
) -> None:
    rules = answer(await sim.alice.slash(sim.channel, "games", game="yonmoque"))
    contents = menu(rules.message, "rules:yonmoque:standard:contents:0").options
    last = contents[-1]
    assert SILENT not in [option.label for option in contents]
    assert SILENT not in labels(rules.message)
    await sim.alice.select(rules, [last.value], custom_id="rules:yonmoque:standard:contents:0")
    assert labels(rules.message) == ["← Back", "Next →", SILENT, "Play the bot"]
    await sim.alice.click(rules, label=SILENT)
    assert f"Yonmoque: {SILENT}" in text_of(rules.message)
    await sim.alice.click(rules, label="← Back")
    assert last.label.split(". ")[1] in text_of(rules.message)


@pytest.mark.parametrize(("custom_id", "number"), [("rules:gyges:2:next", 2), ("rules:gyges:99:back", -1)])
async def test_a_button_posted_when_the_guide_was_longer_and_knew_no_variants_still_turns_the_page(
    sim: SimulatedDiscord, custom_id: str, number: int
) -> None:
    rules = answer(await sim.alice.slash(sim.channel, "games", game="gyges"))
    await pressed(sim, sim.alice, rules, custom_id)
    assert guide(GAMES["gyges"])[number].title in text_of(rules.message)


async def test_rules_of_a_variant_there_is_not_are_refused(sim: SimulatedDiscord) -> None:
    rules = answer(await sim.alice.slash(sim.channel, "games", game="gyges"))
    assert "have that variant" in told(await pressed(sim, sim.alice, rules, "rules:gyges:misere:1:next"))


LINES, LETTERS = 18, 45
"""Lines of a phone above the buttons, and letters in one."""


async def test_help_fits_one_screen_of_a_phone_and_has_the_rest_behind_buttons(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "help"))
    first = text_of(shown.message)
    assert "Press **Play** under the board" in first
    assert sum(-(-len(line) // LETTERS) for line in first.splitlines()) <= LINES
    assert "**Hints**" not in first
    assert labels(shown.message) == ["How it works", "What else you can do", "Settings", "About me"]
    await sim.alice.click(shown, label="What else you can do")
    assert "**Hints** are for matches against me" in text_of(shown.message)
    await sim.alice.click(shown, label="Settings")
    assert "`/preferences`" in text_of(shown.message)
    await sim.alice.click(shown, label="About me")
    assert f"**Tavoliere {bot.__version__}**" in text_of(shown.message)
    assert "[add me to another server](https://discord.com/oauth2/authorize?client_id=" in text_of(shown.message)
    await sim.alice.click(shown, label="How it works")
    assert text_of(shown.message) == first


AIM = "**The aim:** Place pieces or move them: four in a row by a move wins"


def win_shown(message: discord.Message) -> bool:
    """Return whether a small picture of a win stands in a message."""
    return any(isinstance(item, discord.ui.Thumbnail) for item in items(message))


async def test_the_first_board_of_a_match_tells_the_aim_and_no_later_one_does(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    first = board_of(sim, thread)
    assert AIM in text_of(first)
    assert win_shown(first)
    await play(sim, thread, "c3")
    assert AIM not in text_of(board_of(sim, thread))
    assert len(board_of(sim, thread).attachments) == 1


async def test_the_first_play_of_a_game_tells_the_aim_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert AIM in text_of(builder.message)
    assert win_shown(builder.message)
    await sim.alice.click(builder, label="c3")
    theirs = answer(await sim.bob.click(board_of(sim, thread), label="Play"))
    assert AIM in text_of(theirs.message)
    await sim.bob.click(theirs, label="a1")
    again = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert AIM not in text_of(again.message)
    second = await challenge_accepted(sim)
    known = answer(await sim.alice.click(board_of(sim, second), label="Play"))
    assert AIM not in text_of(known.message)


async def test_the_aim_is_dismissed_for_good_and_brought_back_in_the_preferences(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await sim.alice.click(builder, label="Don't show the aim")
    assert AIM not in text_of(builder.message)
    assert "Type" in labels(builder.message)
    other = await challenge_accepted(sim, game="redo")
    shown = answer(await sim.alice.click(board_of(sim, other), label="Play"))
    assert "The aim" not in text_of(shown.message)
    preferences = answer(await sim.alice.slash(sim.channel, "preferences"))
    await sim.alice.click(preferences, label="Show the aim")
    shown = answer(await sim.alice.click(board_of(sim, other), label="Play"))
    assert "The aim" in text_of(shown.message)


@pytest.mark.parametrize("key", sampled(GAMES, every=3))
async def test_every_game_has_room_for_it(sim: SimulatedDiscord, key: str) -> None:
    await sim.alice.slash(sim.channel, "challenge", game=key, opponent=itself(sim), level=1, first="challenger")
    match = await stored(sim, 1)
    builder = answer(await sim.alice.click(board_of(sim, match.place_id), label="Play"))
    assert "**The aim:**" in text_of(builder.message)
    assert win_shown(builder.message) is bool(puzzles(GAMES[key]))
    assert "Hint" in labels(builder.message)
