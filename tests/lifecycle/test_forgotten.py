"""People who have everything about them deleted: others see no name of theirs, and nothing waits for them."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from sqlalchemy import select

from bot.matches.audit import audit
from bot.storage.records import MatchState
from bot.storage.tables import people
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    forget,
    labels,
    play,
    resign,
    text_of,
    three_playing,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

NOBODY = "somebody who left"


async def known(sim: SimulatedDiscord, person: MemberActor) -> bool:
    async with sim.bot.context.services.database.read() as tx:
        query = select(people).where(people.c.user_id == person.id)
        return (await tx.execute(query)).one_or_none() is not None


def shown(sim: SimulatedDiscord, place: int | None = None) -> str:
    return "\n".join(text_of(message) for message in sim.messages(place))


async def test_asking_what_is_stored_stores_nothing_about_a_person_also_after_everything_was_deleted(
    sim: SimulatedDiscord,
) -> None:
    for action in ("export", "sessions"):
        await sim.alice.slash(sim.channel, "privacy", action=action)
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    await sim.alice.click(question, label="Keep it")
    assert not await known(sim, sim.alice)
    await challenge(sim)
    assert await known(sim, sim.alice)
    await forget(sim.alice, sim.channel)
    # As when Discord, or a bot that stood still, brings a question late that was asked again meanwhile.
    await sim.alice.slash(sim.channel, "privacy", action="delete")
    assert not await known(sim, sim.alice)


async def test_the_card_of_a_challenge_loses_its_buttons_with_who_was_asked_and_with_the_challenger(
    sim: SimulatedDiscord,
) -> None:
    await challenge(sim)
    await forget(sim.bob, sim.channel)
    assert "Cancelled" in text_of(cards(sim)[0])
    assert str(sim.bob.id) not in text_of(cards(sim)[0])
    await challenge(sim, opponent=None)
    await forget(sim.alice, sim.channel)
    card = cards(sim)[1]
    assert "Cancelled" in text_of(card)
    assert NOBODY in text_of(card)
    assert labels(card) == []


async def test_a_seat_in_a_lobby_becomes_free_again(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Join")
    await forget(sim.bob, sim.channel)
    assert "Bob" not in text_of(cards(sim)[-1])
    assert NOBODY not in text_of(cards(sim)[-1])
    await sim.carol.click(card, label="Join")
    await sim.alice.click(card, label="Start")
    assert [seat.person.id for seat in (await stored(sim)).seats] == [sim.alice.id, sim.carol.id]


@pytest.mark.slow
async def test_a_result_names_nobody_in_the_place_of_who_was_deleted_nor_are_they_asked_for_a_rematch(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await forget(sim.alice, sim.channel)
    look = text_of(answer(await sim.carol.slash(sim.place(thread), "board")).message)
    assert f"{NOBODY} wins: four in a row." in look
    assert "<@-" not in look
    refused = await sim.bob.click(board_of(sim, thread), label="Rematch")
    assert told(refused).strip() == "Nobody you played with in this match is still here."
    assert len(cards(sim)) == 1


async def test_the_others_play_on_and_learn_of_the_end(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    await forget(sim.alice, sim.channel)
    match = await stored(sim)
    assert [seat.person.name for seat in match.seats] == [NOBODY, "Bob", "Carol"]
    assert match.mover.person.id == sim.bob.id
    await resign(sim.bob, sim.place(thread))
    assert (await stored(sim)).state is MatchState.OVER
    assert f"<@{sim.carol.id}> wins" in text_of(board_of(sim, thread))
    assert "<@-" not in shown(sim, thread) + shown(sim)
    assert await audit(sim.bot.context.services.database) == []


@pytest.mark.own_bot
async def test_no_file_keeps_the_name_of_who_was_deleted(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    file = sim.bot.context.services.database.file
    assert file is not None
    files = [file, file.with_name(f"{file.name}-wal")]
    assert any(b"Alice" in one.read_bytes() for one in files)
    await forget(sim.alice, sim.channel)
    assert not any(b"Alice" in one.read_bytes() for one in files)
