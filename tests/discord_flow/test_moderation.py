"""Those who manage a server void matches and bar people; the people concerned are told, and others may not."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from sqlalchemy import update

from bot.storage import tables
from bot.storage.records import OutboxState
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    direct_messages,
    labels,
    pings,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import stored


@pytest.fixture
def dora(sim: SimulatedDiscord) -> MemberActor:
    """A person who manages the server."""
    dora = sim.guild.add_member(sim.env.create_user("dora", global_name="Dora"))
    give_management(sim, dora)
    return dora


async def void(sim: SimulatedDiscord, by: MemberActor, place: int, **options: int) -> str:
    """Have a person void a match and mean it; return what they are told in the end."""
    question = answer(await by.slash(sim.place(place), "manage void", **options))
    await by.click(question, label="Yes, void it")
    return text_of(question.message)


@pytest.mark.own_bot
async def test_a_match_is_voided_where_it_is_played_and_its_people_are_told_once(
    sim: SimulatedDiscord, dora: MemberActor
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    before = pings(sim, sim.alice), pings(sim, sim.bob)
    question = answer(await dora.slash(sim.place(thread), "manage void"))
    await dora.click(question, label="No, keep it")
    assert "stays as it is" in text_of(question.message)
    assert "voided" in await void(sim, dora, thread)
    news = board_of(sim, thread)
    assert f"Voided by <@{dora.id}>, who manages this server." in text_of(news)
    assert "ratings are as if it had not been played" in text_of(news)
    assert (pings(sim, sim.alice), pings(sim, sim.bob)) == (before[0] + 1, before[1] + 1)
    (earlier,) = boards(sim, thread)[-1:]
    assert not labels(earlier)
    assert "voided" in text_of(earlier)
    replay = answer(await sim.carol.click(news, label="Replay"))
    assert "Voided by" in text_of(replay.message)
    assert replay.attachments
    late = await pressed(sim, sim.bob, earlier, "play:1:1")
    assert "This match was voided." in told(late)
    again = await dora.slash(sim.channel, "manage void", match=1)
    assert "voided already" in told(again)
    assert "No matches finished here yet." in text_of(answer(await sim.alice.slash(sim.channel, "profile")).message)
    looked = answer(await sim.alice.slash(sim.place(thread), "board", match=1))
    assert "Voided by" in text_of(looked.message)
    sim.env.backend.delete_message(thread, news.id)
    assert "posted it again" in told(await sim.alice.slash(sim.place(thread), "board", match=1))
    assert "Voided by" in text_of(board_of(sim, thread))


@pytest.mark.own_bot
@pytest.mark.slow
@pytest.mark.parametrize("moves", [(), FINISHED])
async def test_a_board_whose_posting_was_not_remembered_loses_its_controls_as_well(
    sim: SimulatedDiscord, moves: tuple[str, ...]
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *moves)
    posted = board_of(sim, thread)
    database = sim.bot.context.services.database
    async with database.write() as tx:
        begun = tables.outbox.c.key == f"board:1:{len(moves)}"
        await tx.execute(update(tables.outbox).where(begun).values(state=OutboxState.SENDING, done_at=None))
        await tx.execute(update(tables.matches).values(board_message_id=None, board_channel_id=None, board_ply=None))
    await sim.bot.context.services.voiding.void(None, 1)
    await sim.env.settle()
    assert labels(next(message for message in sim.messages(thread) if message.id == posted.id)) == []
    assert "Voided by the people who run this bot" in text_of(board_of(sim, thread))


@pytest.mark.own_bot
async def test_only_those_who_manage_the_server_may(sim: SimulatedDiscord, dora: MemberActor) -> None:
    thread = await challenge_accepted(sim)
    question = answer(await dora.slash(sim.place(thread), "manage void"))
    refused = await pressed(sim, sim.alice, answer(await sim.alice.slash(sim.place(thread), "help")), "void:yes:1")
    assert "Only people who can manage this server" in told(refused)
    sim.guild._env.backend.guilds[sim.guild.id].members[dora.id].role_ids.clear()
    await dora.click(question, label="Yes, void it")
    assert not (await stored(sim, 1)).voided


@pytest.mark.own_bot
async def test_who_is_not_in_the_server_is_not_told_of_a_bar(sim: SimulatedDiscord, dora: MemberActor) -> None:
    del sim.guild._env.backend.guilds[sim.guild.id].members[sim.bob.id]
    await sim.bot.context.services.bars.bar(sim.guild.id, sim.bob.id, by=dora.id)
    await sim.env.settle()
    await sim.env.advance_time(60)
    assert direct_messages(sim, sim.bob) == []


async def test_somebody_is_barred_told_and_let_in_again(sim: SimulatedDiscord, dora: MemberActor) -> None:
    thread = await challenge_accepted(sim)
    await challenge(sim)
    barred = told(await dora.slash(sim.channel, "manage bar", person=sim.bob))
    assert f"<@{sim.bob.id}> can't start or join games in this server any more" in barred
    assert "The match they are in goes on" in barred
    assert direct_messages(sim, sim.bob) == [
        "The people who manage **Friends of the board** have barred you from playing there. Matches you're in go on. "
        "To have the bar lifted, ask them."
    ]
    assert labels(cards(sim)[-1]) == []
    assert "Cancelled" in text_of(cards(sim)[-1])
    assert "barred you" in told(await sim.bob.slash(sim.channel, "challenge", game="redo"))
    refused = told(await sim.alice.slash(sim.channel, "challenge", game="redo", opponent=sim.bob))
    assert refused == f"<@{sim.bob.id}> has been barred from playing here."
    await play(sim, thread, "a1", "a5")
    assert (await stored(sim, 1)).ply == 2
    assert f"<@{sim.bob.id}>" in told(await dora.slash(sim.channel, "manage barred"))
    await dora.slash(sim.channel, "manage unbar", person=sim.bob)
    assert "Nobody is barred" in told(await dora.slash(sim.channel, "manage barred"))
    assert "posted below" in told(await sim.bob.slash(sim.channel, "challenge", game="redo"))
    assert "bar yourself" in told(await dora.slash(sim.channel, "manage bar", person=dora))


async def test_the_card_of_a_voided_match_says_so_without_a_picture(sim: SimulatedDiscord, dora: MemberActor) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    (card,) = cards(sim)
    assert " beat " in text_of(card)
    await void(sim, dora, thread)
    (card,) = cards(sim)
    assert f"**Voided by <@{dora.id}>, who manages this server.**" in text_of(card)
    assert labels(card) == ["Replay"]
    assert not card.attachments
