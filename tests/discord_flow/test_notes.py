"""Notes in Discord: typed or written in a form, shown to their owner alone, and shared after the end."""

from __future__ import annotations

import json
from uuid import uuid4

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    challenge_accepted,
    everything_said,
    forget,
    items,
    labels,
    pings,
    play,
    pressed,
    share,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot


async def note(sim: SimulatedDiscord, person: MemberActor, text: str | None = None) -> ResponseMessage:
    options = {"action": "notes"} if text is None else {"action": "notes", "note": text}
    return answer(await person.slash(sim.channel, "match", match=1, **options))


async def note_at(sim: SimulatedDiscord, person: MemberActor, ply: int, text: str) -> None:
    notes = sim.bot.context.services.notes
    await notes.write(sim.guild.id, 1, person.id, uuid4(), ply, text)


async def content(message: ResponseMessage) -> str:
    return (await message.attachments[0].read()).decode()


async def test_a_note_is_shown_to_its_owner_on_the_board_in_stepping_and_in_their_export(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3", "d4")
    listed = await note(sim, sim.alice, text="watch (the) corner\n@everyone *now*")
    assert "**Move 2** · d4\n> watch \\(the\\) corner\n> \\@everyone \\*now\\*" in text_of(listed.message)
    await note_at(sim, sim.alice, 1, "opened in the middle")
    for person, sees in ((sim.alice, True), (sim.bob, False), (sim.carol, False)):
        board = answer(await person.slash(sim.place(thread), "board"))
        assert ("watch" in text_of(board.message)) is sees
        assert "opened" not in text_of(board.message)
        replay = answer(await person.slash(sim.place(thread), "match", action="replay"))
        steps = answer(await person.click(replay, label="Step through"))
        assert ("Note" in labels(steps.message)) is (person is not sim.carol)
        await person.click(steps, label="Next ▶")
        assert ("> opened in the middle" in text_of(steps.message)) is sees
        record = await content(answer(await person.slash(sim.place(thread), "match", action="export")))
        assert ("(opened in the middle)" in record) is sees
        assert ("(watch [the] corner @everyone *now*)" in record) is sees
        kept = json.loads(await content(answer(await person.slash(sim.channel, "privacy", action="export"))))
        assert [one["text"] for one in kept["notes"]] == (
            ["opened in the middle", "watch (the) corner\n@everyone *now*"] if sees else []
        )
    assert not any("corner" in text_of(message) for message in everything_said(sim))


async def test_a_note_is_written_changed_and_deleted_in_a_form_also_after_a_restart(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    more = answer(await sim.bob.click(board_of(sim, thread), label="More"))
    listed = answer(await sim.bob.click(more, label="Notes"))
    assert "There are none yet." in text_of(listed.message)
    form = await sim.bob.click(listed, label="Write a note")
    await sim.bob.submit_modal(form, {"note": "a trap"})
    assert "**Move 1** · c3\n> a trap" in text_of(listed.message)
    await sim.restart()
    (menu,) = [item for item in items(listed.message) if isinstance(item, discord.ui.Select)]
    assert [option.label for option in menu.options] == ["Move 1 · c3: a trap"]
    form = await sim.bob.select(listed, ["1"], custom_id=menu.custom_id)
    assert "a trap" in json.dumps(form.modal)
    await sim.bob.submit_modal(form, {"note": "no trap"})
    assert "> no trap" in text_of(listed.message)
    replay = answer(await sim.bob.slash(sim.place(thread), "match", action="replay"))
    steps = answer(await sim.bob.click(replay, label="Step through"))
    await sim.bob.click(steps, label="Last")
    assert "> no trap" in text_of(steps.message)
    await sim.bob.submit_modal(await sim.bob.click(steps, label="Note"), {"note": ""})
    assert "**Move 1 of 1**" in text_of(steps.message)
    assert "no trap" not in text_of(steps.message)
    assert "There are none yet." in text_of((await note(sim, sim.bob)).message)


async def test_notes_are_for_the_players(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    assert "Notes are for the players" in told(await sim.carol.slash(sim.channel, "match", match=1, note="hm"))
    more = answer(await sim.carol.click(board_of(sim, thread), label="More"))
    assert "Notes" not in labels(more.message)


async def test_shared_notes_mention_nobody_and_are_posted_once_in_each_place(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED[:-1])
    await note(sim, sim.alice, text=f"@everyone <@{sim.bob.id}> **won**")
    running = await note(sim, sim.alice)
    assert "Share notes" not in labels(running.message)
    await play(sim, thread, FINISHED[-1])
    before = pings(sim, sim.bob)
    assert await share(sim.alice, await note(sim, sim.alice), "Share notes") == "Shared in this channel."
    (message,) = [one for one in sim.messages() if "shares notes" in text_of(one)]
    assert "### Alice shares notes on a match of Yonmoque" in text_of(message)
    assert f"> \\@everyone \\<\\@{sim.bob.id}\\> \\*\\*won\\*\\*" in text_of(message)
    assert "Bob" not in text_of(message)
    assert pings(sim, sim.bob) == before
    again = await share(sim.alice, await note(sim, sim.alice), "Share notes")
    assert again == "You've shared that already."
    # What is noted later stays private, and another place is another place.
    await note_at(sim, sim.alice, 1, "for myself")
    file = answer(await sim.carol.click(message, label="All notes as text"))
    assert file.ephemeral
    assert "for myself" not in await content(file)
    assert f"Move 8 · d4\n@everyone <@{sim.bob.id}> **won**" in await content(file)
    around = answer(await sim.alice.slash(sim.place(thread), "match", match=1, action="notes"))
    assert await share(sim.alice, around, "Share notes") == "You've shared that already."
    other = sim.guild.create_text_channel("elsewhere")
    elsewhere = answer(await sim.alice.slash(other, "match", match=1, action="notes"))
    assert await share(sim.alice, elsewhere, "Share notes") == "Shared in this channel."
    assert "for myself" in text_of(sim.messages(other.id)[-1])
    nothing = await pressed(sim, sim.bob, await note(sim, sim.bob), "share:notes:1")
    assert "You have no notes on this match" in told(nothing)


@pytest.mark.slow
async def test_deleted_data_takes_notes_out_of_the_database_and_out_of_what_was_shared(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await note(sim, sim.alice, text="a secret of mine")
    await share(sim.alice, await note(sim, sim.alice), "Share notes")
    await forget(sim.alice, sim.channel)
    (message,) = [one for one in sim.messages() if "Notes on a match of Yonmoque" in text_of(one)]
    assert "These notes have been deleted." in text_of(message)
    assert "secret" not in text_of(message)
    assert "deleted" in told(await sim.bob.click(message, label="All notes as text"))
    kept = await content(answer(await sim.alice.slash(sim.channel, "privacy", action="export")))
    assert "secret" not in kept
    assert json.loads(kept)["notes"] == []


@pytest.mark.parametrize("language", sampled(["ja", "en"], every=2))
async def test_notes_are_shared_in_the_language_of_the_server_and_read_in_that_of_the_reader(
    sim: SimulatedDiscord, language: str
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await sim.alice.slash(sim.channel, "preferences", language=language)
    await note(sim, sim.alice, text="שלום, c3!")
    listed = await note(sim, sim.alice)
    preview = answer(await sim.alice.click(listed, custom_id="share:notes:1"))
    await sim.alice.click(preview, custom_id="share-post:notes:1")
    (message,) = [one for one in sim.messages() if "shares notes" in text_of(one)]
    assert "Move 9" in text_of(message)
    file = answer(await sim.alice.click(message, label="All notes as text"))
    assert ("Move 9" in await content(file)) is (language == "en")
    assert "שלום, c3!" in await content(file)
