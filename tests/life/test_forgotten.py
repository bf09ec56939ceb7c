"""People who have everything about them deleted: what others see of them afterwards is nobody, and nothing waits."""

from __future__ import annotations

from simcord.actors import MemberActor

from bot.matches.audit import audit
from bot.storage.records import MatchState
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    labels,
    play,
    text_of,
    told,
)
from tests.discord_flow.test_clocks import stored
from tests.discord_flow.test_lobby import three_playing

NOBODY = "somebody who left"


async def forget(town: Town, person: MemberActor) -> None:
    question = answer(await person.slash(town.channel, "privacy delete"))
    await person.click(question, label="Delete everything")


async def resign(town: Town, person: MemberActor, place: int) -> None:
    question = answer(await person.slash(town.place(place), "match resign"))
    await person.click(question, label="Yes, resign")


def shown(town: Town, place: int | None = None) -> str:
    return "\n".join(text_of(message) for message in town.messages(place))


async def test_the_card_of_a_challenge_loses_its_buttons_with_the_challenger(town: Town) -> None:
    await challenge(town)
    await forget(town, town.alice)
    card = cards(town)[0]
    assert "Called off" in text_of(card)
    assert NOBODY in text_of(card)
    assert labels(card) == []


async def test_the_card_of_a_challenge_loses_its_buttons_with_the_one_who_was_asked(town: Town) -> None:
    await challenge(town)
    await forget(town, town.bob)
    assert "Called off" in text_of(cards(town)[0])
    assert str(town.bob.id) not in text_of(cards(town)[0])


async def test_a_seat_in_a_lobby_becomes_free_again(town: Town) -> None:
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=3, first="challenger")
    card = cards(town)[-1]
    await town.bob.click(card, label="Join")
    await forget(town, town.bob)
    assert "Bob" not in text_of(cards(town)[-1])
    assert NOBODY not in text_of(cards(town)[-1])
    await town.carol.click(card, label="Join")
    await town.alice.click(card, label="Start")
    assert [seat.person.id for seat in (await stored(town)).seats] == [town.alice.id, town.carol.id]


async def test_a_result_names_nobody_in_the_place_of_who_was_deleted(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    await forget(town, town.alice)
    look = text_of(answer(await town.carol.slash(town.place(thread), "board")).message)
    assert f"{NOBODY} wins: four in a row." in look
    assert "<@-" not in look


async def test_nobody_is_asked_for_a_rematch(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    await forget(town, town.alice)
    refused = await town.bob.click(board_of(town, thread), label="Rematch")
    assert told(refused).strip() == "Nobody you have played with in this match is here any more."
    assert len(cards(town)) == 1


async def test_the_others_play_on_and_learn_of_the_end(town: Town) -> None:
    thread = await three_playing(town)
    await forget(town, town.alice)
    match = await stored(town)
    assert [seat.person.name for seat in match.seats] == [NOBODY, "Bob", "Carol"]
    assert [seat.person.id for seat in match.movers] == [town.bob.id]
    await resign(town, town.bob, thread)
    assert (await stored(town)).state is MatchState.OVER
    assert f"<@{town.carol.id}> wins" in text_of(board_of(town, thread))
    assert "<@-" not in shown(town, thread) + shown(town)
    assert town.bot.database is not None
    assert await audit(town.bot.database) == []


async def test_somebody_who_comes_back_is_new(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    await forget(town, town.alice)
    profile = await town.alice.slash(town.channel, "profile")
    assert "No match finished here yet" in told(profile)
    await challenge_accepted(town)
    assert (await stored(town, 2)).seats[0].person.id == town.alice.id


async def test_who_is_in_the_middle_of_matches_is_out_of_all_of_them(town: Town) -> None:
    for _ in range(4):
        await challenge_accepted(town)
    question = answer(await town.alice.slash(town.channel, "privacy delete"))
    assert "resigns the matches" in text_of(question.message)
    await town.alice.click(question, label="Delete everything")
    assert "4 running matches were resigned" in text_of(question.message)
    for number in range(1, 5):
        match = await stored(town, number)
        assert (match.state, match.reason, match.seats[1].won) == (MatchState.OVER, "resignation", True)
