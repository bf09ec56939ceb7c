"""Moves typed with ``/move`` and in the form, at the wrong moment or place, and the boards of others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from simcord.results import InteractionResult

from bot.languages.speaking import language
from bot.matches.model.turn import in_notation
from renderers.i18n import speaking
from tests.support.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    challenge,
    challenge_accepted,
    custom_ids,
    everything_said,
    labels,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

NONSENSE = [
    "castle",
    "e2e4 Nf3",
    "c1-d3-N",
    "c2@E",
    "a1-c4",
    "c1-c2+",
    "231123",
    "pass",
    "-",
    "z9",
    "c3-c3",
    "\N{RIGHT-TO-LEFT OVERRIDE}3c",
    "\N{BLACK CHESS PAWN}\N{VARIATION SELECTOR-16} c3 \N{FACE WITH TEARS OF JOY}",
    "@everyone",
    "<@&1> <@123456789012345678>",
    "c" * 4000,
    "\N{COMBINING ACUTE ACCENT}" * 300,
    "'; DROP TABLE matches; --",
    "{}{0}{name}%s",
]


async def move(sim: SimulatedDiscord, text: str, **options: int) -> InteractionResult:
    return await sim.alice.slash(sim.place(options.pop("place", sim.channel.id)), "move", move=text, **options)


async def test_no_nonsense_is_played_and_each_gets_a_reason(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    for text in NONSENSE:
        said = told(await move(sim, text, place=thread)).strip()
        assert said.startswith(("That's not a legal move: ", "That's too long for a move.")), text
        assert len(said) < 600, text
    assert len(boards(sim, thread)) == 1
    assert not any(message.mention_everyone for message in everything_said(sim))
    assert "You played **c3**" in told(await move(sim, "c3", place=thread))


async def test_a_move_that_cannot_be_made_is_answered_with_the_reason(sim: SimulatedDiscord) -> None:
    assert "You have no match here. `/challenge` starts one" in told(await move(sim, "c3"))
    thread = await challenge_accepted(sim)
    for number in (0, 2, -1, 2**53 - 1):
        assert told(await move(sim, "c3", match=number)).strip() == "There's no such match here."
    await play(sim, thread, FINISHED[0])
    assert f"It's not your turn. To move: <@{sim.bob.id}>." in told(await move(sim, "a1", place=thread))
    await play(sim, thread, *FINISHED[1:], begin=1)
    for person in (sim.alice, sim.bob):
        assert "This match is over." in told(await person.slash(sim.place(thread), "move", move="c3"))
    assert len(boards(sim, thread)) == 1 + len(FINISHED)


@pytest.mark.own_bot
async def test_with_several_turns_the_bot_asks_which_match_and_with_one_that_is_meant(sim: SimulatedDiscord) -> None:
    first, second = await challenge_accepted(sim), await challenge_accepted(sim)
    said = told(await move(sim, "c3"))
    assert said.strip() == "You have several matches here (1, 2). Choose one with `match`."
    assert "match 2" in told(await move(sim, "c3", match=2))
    assert len(boards(sim, second)) == 2
    assert "You played **c3** in Yonmoque · match 1" in told(await move(sim, "c3"))
    await play(sim, first, "a1", begin=1)
    await play(sim, second, "a1", begin=1)
    assert "You played **d4** in Yonmoque · match 1" in told(await move(sim, "d4", place=first))


async def test_the_form_plays_a_move_and_explains_a_wrong_one(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    wrong = await sim.alice.submit_modal(await sim.alice.click(builder, label="Type"), {"move": "z9"})
    assert "That's not a legal move" in told(wrong)
    assert len(boards(sim, thread)) == 1
    await sim.alice.submit_modal(await sim.alice.click(builder, label="Type"), {"move": "Ｃ３"})
    assert text_of(builder.message).strip().startswith("You played **c3**.")
    assert len(boards(sim, thread)) == 2


async def test_a_form_of_an_earlier_turn_plays_nothing(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    form = await sim.alice.click(builder, label="Type")
    await play(sim, thread, "a1", "a2")
    await sim.alice.submit_modal(form, {"move": "c3"})
    assert "has moved on" in text_of(builder.message)
    assert len(boards(sim, thread)) == 3


@pytest.mark.own_bot
async def test_the_one_to_move_has_suggestions_that_begin_with_what_is_typed(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    place = sim.place(thread)
    every = await sim.alice.autocomplete(place, "move", "move", "")
    assert len(every) == 25
    some = await sim.alice.autocomplete(place, "move", "move", " C")
    assert [choice["value"] for choice in some] == ["c1", "c2", "c3", "c4", "c5"]
    assert await sim.alice.autocomplete(place, "move", "move", "c3", match=1) == [{"name": "c3", "value": "c3"}]
    assert await sim.alice.autocomplete(place, "move", "move", "ｃ３") == [{"name": "c3", "value": "c3"}]
    for person in (sim.bob, sim.carol):
        assert await person.autocomplete(place, "move", "move", "c") == []
    drawn = await challenge_accepted(sim, game="rectangles")
    await play(sim, drawn, "a1-b2", "c1-d3")
    for typed in ("c4-e6", "c4-d6"):  # whether or not it is legal
        assert {"name": typed, "value": typed} in await sim.alice.autocomplete(sim.place(drawn), "move", "move", typed)


async def test_suggestions_are_never_an_error(sim: SimulatedDiscord) -> None:
    assert await sim.alice.autocomplete(sim.channel, "move", "move", "c3") == []
    thread = await challenge_accepted(sim)
    place = sim.place(thread)
    for typed in (text[:100] for text in NONSENSE):
        assert await sim.alice.autocomplete(place, "move", "move", typed) == []
    for number in (0, 99, -5):
        assert await sim.alice.autocomplete(place, "move", "move", "c", match=number) == []
    await challenge_accepted(sim)
    assert await sim.alice.autocomplete(sim.channel, "move", "move", "c") == []
    for command in ("move", "board", "match"):
        assert await sim.alice.autocomplete(place, command, "match", "nothing like it") == []
    assert await sim.alice.autocomplete(place, "challenge", "variant", "zzz", game="yonmoque") == []
    assert await sim.alice.autocomplete(place, "challenge", "variant", "zzz") == []


@pytest.mark.own_bot
async def test_matches_are_suggested_with_what_tells_them_apart(sim: SimulatedDiscord) -> None:
    for _ in range(2):
        await challenge_accepted(sim)
    await sim.carol.click(await challenge(sim, opponent=sim.carol), label="Accept")
    choices = await sim.carol.autocomplete(sim.channel, "move", "match", "")
    assert [choice["value"] for choice in choices] == [3]
    choices = await sim.alice.autocomplete(sim.channel, "move", "match", "bob")
    assert sorted(choice["value"] for choice in choices) == [1, 2]
    assert all("your turn" in choice["name"] for choice in choices)


@pytest.mark.slow
async def test_at_most_25_matches_are_suggested_and_listed_within_discords_limits(sim: SimulatedDiscord) -> None:
    long = sim.guild.add_member(sim.env.create_user("long", global_name="_" * 32))
    for _ in range(3):
        for _ in range(9):
            await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=long, first="opponent")
        cards = [message for message in sim.messages() if "Open until" in text_of(message)]
        await at_once(sim, *(long.click(card, label="Accept") for card in cards))
    choices = await sim.alice.autocomplete(sim.channel, "board", "match", "")
    assert len(choices) == 25
    assert all(len(choice["name"]) <= 100 for choice in choices)
    listed = told(await sim.alice.slash(sim.channel, "matches"))
    assert "more." in listed
    assert 2000 < len(listed) <= 4000


async def test_variants_are_suggested_for_the_game_chosen_and_understood_by_name(sim: SimulatedDiscord) -> None:
    choices = await sim.alice.autocomplete(sim.channel, "challenge", "variant", "", game="yonmoque")
    assert [(choice["name"], choice["value"]) for choice in choices] == [("Standard", "standard")]
    assert await sim.alice.autocomplete(sim.channel, "challenge", "variant", "STAND", game="yonmoque") == choices
    assert (await challenge(sim, variant="Standard")).id
    assert (await challenge(sim, variant="Ｓｔａｎｄａｒｄ")).id


@pytest.mark.parametrize(
    ("code", "passing", "stuck"),
    [
        ("en", "pass", "Stuck"),
        ("de", "Passen", "ich stecke fest"),
        ("es", "paso", "atascada"),
        ("fr", "passe", " bloqué "),
        ("it", "passo", "BLOCCATO"),
        ("ja", "パス", "行き詰まり"),
        ("pt-BR", "passar", "travei"),
    ],
)
def test_moves_that_are_words_are_understood_in_each_language(code: str, passing: str, stuck: str) -> None:
    with speaking(language(code)):
        assert [in_notation(game, passing) for game in ("gyges", "redo", "redtangle")] == ["pass"] * 3
        assert in_notation("rectangles", stuck) == "stuck"
        assert in_notation("rectangles", "a1-c4") == "a1-c4"


async def test_a_person_says_in_their_own_language_that_they_are_stuck(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game="rectangles")
    await sim.alice.slash(sim.channel, "preferences", language="pt-BR")
    assert "Encerrar o jogo" in labels(answer(await move(sim, "travei", place=thread)).message)


async def test_a_typed_move_is_not_played_in_a_later_position_than_it_was_typed_in(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "d4", "b2")
    received = sim.env.now() - timedelta(seconds=30)  # its acknowledgement was held up while the other moves were made
    monkeypatch.setattr("bot.views.answers._now", lambda interaction: received)
    refused = await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert "has moved on" in told(refused)
    assert (await stored(sim)).ply == 2


@pytest.mark.own_bot
async def test_a_stranger_sees_no_resign_button_and_cannot_resign_for_another(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    watching = told(await sim.carol.click(board_of(sim, thread), label="Play"))
    assert "You're not playing in this match, but you can watch" in watching
    assert "It's not your turn" in told(await sim.bob.click(board_of(sim, thread), label="Play"))
    more = answer(await sim.carol.click(board_of(sim, thread), label="More"))
    assert not [custom_id for custom_id in custom_ids(more.message) if custom_id.startswith("resign")]
    for verb in ("ask", "yes"):
        result = await pressed(sim, sim.carol, board_of(sim, thread), f"resign:{verb}:1:0")
        assert "You're not playing in this match" in told(result)
    assert "not playing" in told(await sim.carol.slash(sim.place(thread), "match", action="resign"))
    assert "to move" in text_of(board_of(sim, thread))


async def test_anyone_may_watch_flip_read_the_rules_and_the_text_board(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    board = board_of(sim, thread)
    more = answer(await sim.carol.click(board, label="More"))
    await sim.carol.click(more, label="Flip the board")
    assert "to move" in text_of(more.message)
    await sim.carol.click(more, label="As text")
    assert "```" in text_of(more.message)
    assert "Yonmoque" in told(await sim.carol.click(board, label="Rules"))
    assert "to move" in told(await sim.carol.slash(sim.place(thread), "board"))


async def test_a_button_that_names_what_never_was_says_so(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    for custom_id in ("play:999999999999999999:0", "challenge:accept:999999999999999999"):
        assert "There's no such" in told(await pressed(sim, sim.bob, card, custom_id))
