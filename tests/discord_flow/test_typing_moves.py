"""Moves typed with ``/move`` and in the builder's form: nonsense, the wrong moment, the wrong place, which match."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult

from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    challenge,
    challenge_accepted,
    everything_said,
    play,
    text_of,
    told,
)

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


async def move(town: Town, text: str, **options: int) -> InteractionResult:
    return await town.alice.slash(town.place(options.pop("place", town.channel.id)), "move", move=text, **options)


async def test_no_nonsense_is_played_and_each_gets_a_reason(town: Town) -> None:
    thread = await challenge_accepted(town)
    for text in NONSENSE:
        said = told(await move(town, text, place=thread)).strip()
        assert said.startswith(("That is no legal move – ", "That is far too long for a move.")), text
        assert len(said) < 600, text
    assert len(boards(town, thread)) == 1
    assert not any(message.mention_everyone for message in everything_said(town))
    assert "You played **c3**" in told(await move(town, "c3", place=thread))


@pytest.mark.parametrize("text", [" C3 ", "c 3", "C3\N{NO-BREAK SPACE}"])
async def test_case_and_spaces_are_forgiven(town: Town, text: str) -> None:
    thread = await challenge_accepted(town)
    assert "You played **c3**" in told(await move(town, text, place=thread))


async def test_a_move_out_of_turn_names_whose_turn_it_is(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3")
    said = told(await move(town, "a1", place=thread))
    assert f"It is not your turn: <@{town.bob.id}> is to move." in said
    assert len(boards(town, thread)) == 2


async def test_a_move_after_the_end_says_that_it_is_over(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    said = len(boards(town, thread))
    for person in (town.alice, town.bob):
        result = await person.slash(town.place(thread), "move", move="c3")
        assert "This match is over." in told(result)
    assert len(boards(town, thread)) == said


async def test_a_move_where_nobody_plays_says_how_to_begin(town: Town) -> None:
    assert "You have no match here. `/challenge` starts one" in told(await move(town, "c3"))


async def test_a_move_by_somebody_who_does_not_play_is_refused(town: Town) -> None:
    thread = await challenge_accepted(town)
    result = await town.carol.slash(town.place(thread), "move", move="c3")
    assert "You are not playing in this match" in told(result)


async def test_with_one_turn_among_several_matches_that_one_is_meant(town: Town) -> None:
    await challenge_accepted(town)
    second = await challenge_accepted(town)
    await play(town, second, "a1")
    assert "You played **c3** in Yonmoque · match 1" in told(await move(town, "c3"))


async def test_in_the_thread_of_a_match_that_is_over_no_other_match_is_meant(town: Town) -> None:
    over, running = await challenge_accepted(town), await challenge_accepted(town)
    await play(town, over, *FINISHED)
    assert "This match is over." in told(await move(town, "c3", place=over))
    assert len(boards(town, running)) == 1
    assert "You played **c3** in Yonmoque · match 2" in told(await move(town, "c3"))


async def test_with_several_turns_the_bot_asks_which_match(town: Town) -> None:
    first, second = await challenge_accepted(town), await challenge_accepted(town)
    said = told(await move(town, "c3"))
    assert said.strip() == "Several matches could be meant (1, 2). Say which one with the option `match`."
    assert "match 2" in told(await move(town, "c3", match=2))
    assert "You played **c3** in Yonmoque · match 1" in told(await move(town, "c3", place=first))
    assert len(boards(town, second)) == 2


async def test_a_number_that_is_no_match_of_this_server_says_so(town: Town) -> None:
    await challenge_accepted(town)
    for number in (0, 2, -1, 2**53 - 1):
        assert told(await move(town, "c3", match=number)).strip() == "There is no such match in this server."


async def test_the_form_plays_a_move_and_explains_a_wrong_one(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    wrong = await town.alice.submit_modal(await town.alice.click(builder, label="Type"), {"move": "z9"})
    assert "That is no legal move" in told(wrong)
    assert len(boards(town, thread)) == 1
    await town.alice.submit_modal(await town.alice.click(builder, label="Type"), {"move": "C3"})
    assert text_of(builder.message).strip() == "You played **c3**."
    assert len(boards(town, thread)) == 2


async def test_a_form_of_an_earlier_turn_plays_nothing(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    form = await town.alice.click(builder, label="Type")
    await play(town, thread, "a1", "a2")
    await town.alice.submit_modal(form, {"move": "c3"})
    assert "earlier turn" in text_of(builder.message)
    assert len(boards(town, thread)) == 3


async def test_suggestions_begin_with_what_is_typed_and_are_at_most_25(town: Town) -> None:
    thread = await challenge_accepted(town)
    place = town.place(thread)
    every = await town.alice.autocomplete(place, "move", "move", "")
    assert len(every) == 25
    some = await town.alice.autocomplete(place, "move", "move", " C")
    assert [choice["value"] for choice in some] == ["c1", "c2", "c3", "c4", "c5"]
    assert await town.alice.autocomplete(place, "move", "move", "c3", match=1) == [{"name": "c3", "value": "c3"}]


async def test_only_the_one_to_move_gets_suggestions(town: Town) -> None:
    thread = await challenge_accepted(town)
    for person in (town.bob, town.carol):
        assert await person.autocomplete(town.place(thread), "move", "move", "c") == []


async def test_suggestions_are_never_an_error(town: Town) -> None:
    assert await town.alice.autocomplete(town.channel, "move", "move", "c3") == []
    thread = await challenge_accepted(town)
    place = town.place(thread)
    for typed in (text[:100] for text in NONSENSE):
        assert await town.alice.autocomplete(place, "move", "move", typed) == []
    for number in (0, 99, -5):
        assert await town.alice.autocomplete(place, "move", "move", "c", match=number) == []
    await challenge_accepted(town)
    assert await town.alice.autocomplete(town.channel, "move", "move", "c") == []
    for command in ("move", "board", "match resign", "match replay", "match export"):
        assert await town.alice.autocomplete(place, command, "match", "nothing like it") == []
    assert await town.alice.autocomplete(place, "challenge", "variant", "zzz", game="yonmoque") == []
    assert await town.alice.autocomplete(place, "challenge", "variant", "zzz") == []


async def test_matches_are_suggested_with_what_tells_them_apart(town: Town) -> None:
    for _ in range(2):
        await challenge_accepted(town)
    await town.carol.click(await challenge(town, opponent=town.carol), label="Accept")
    choices = await town.carol.autocomplete(town.channel, "move", "match", "")
    assert [choice["value"] for choice in choices] == [3]
    choices = await town.alice.autocomplete(town.channel, "move", "match", "bob")
    assert sorted(choice["value"] for choice in choices) == [1, 2]
    assert all("your turn" in choice["name"] for choice in choices)


async def test_at_most_25_matches_are_suggested_and_listed_within_discords_limits(town: Town) -> None:
    long = town.guild.add_member(town.env.create_user("long", global_name="_" * 32))
    for _ in range(3):
        for _ in range(9):
            await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=long, first="opponent")
        cards = [message for message in town.messages() if "Open until" in text_of(message)]
        await at_once(town, *(long.click(card, label="Accept") for card in cards))
    choices = await town.alice.autocomplete(town.channel, "board", "match", "")
    assert len(choices) == 25
    assert all(len(choice["name"]) <= 100 for choice in choices)
    listed = told(await town.alice.slash(town.channel, "matches"))
    assert "more." in listed
    assert 2000 < len(listed) <= 4000


async def test_variants_are_suggested_for_the_game_chosen(town: Town) -> None:
    choices = await town.alice.autocomplete(town.channel, "challenge", "variant", "", game="yonmoque")
    assert [(choice["name"], choice["value"]) for choice in choices] == [("Standard", "standard")]
    assert await town.alice.autocomplete(town.channel, "challenge", "variant", "STAND", game="yonmoque") == choices


async def test_a_variant_can_be_given_by_its_name(town: Town) -> None:
    assert (await challenge(town, variant="Standard")).id
