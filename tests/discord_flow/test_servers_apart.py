"""The name of a person in one server does not show in another server."""

from __future__ import annotations

import json
from dataclasses import dataclass

import discord
import pytest
import pytest_asyncio
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.views.permissions import PERMISSIONS
from tests.support.acting import FINISHED, answer, challenge_accepted, items, play, slash, text_of
from tests.support.simulated_discord import SimulatedDiscord, grant

NICKNAMES = ("Secret Sparrow", "Quiet Owl")
"""The names of Alice and Bob in the other server."""


@dataclass
class Lodge:
    """Another server, in which Alice and Bob go by other names."""

    channel: ChannelHandle
    alice: MemberActor
    bob: MemberActor


@pytest_asyncio.fixture
async def lodge(sim: SimulatedDiscord) -> Lodge:
    """The other server, after a match there that is over."""
    guild = sim.env.create_guild("The lodge")
    grant(guild, PERMISSIONS)
    people = [
        guild.add_member(actor.user, nick=nick) for actor, nick in zip((sim.alice, sim.bob), NICKNAMES, strict=True)
    ]
    return Lodge(guild.create_text_channel("den"), *people)


async def finished_in(sim: SimulatedDiscord, lodge: Lodge) -> None:
    """Have a match played to its end in the lodge."""
    await lodge.alice.slash(lodge.channel, "challenge", game="yonmoque", opponent=lodge.bob, first="challenger")
    (card,) = sim.messages(lodge.channel)
    await lodge.bob.click(card, label="Accept")
    thread = ChannelHandle(sim.env, lodge.channel.guild, sim.env.backend.get_channel(card.id))
    for ply, move in enumerate(FINISHED):
        await (lodge.alice, lodge.bob)[ply % 2].slash(thread, "move", move=move)


def everything_in(message: discord.Message) -> str:
    """Return all that can be read of a message, alternative text and the labels of controls included."""
    described = [
        media.description or ""
        for item in items(message)
        for media in (
            item.items
            if isinstance(item, discord.ui.MediaGallery)
            else [item]
            if isinstance(item, discord.ui.Thumbnail)
            else []
        )
    ]
    options = [str(vars(item)) for item in items(message) if isinstance(item, discord.ui.Button | discord.ui.Select)]
    files = [f"{file.filename} {file.description}" for file in message.attachments]
    return "\n".join([text_of(message), *described, *options, *files])


Answers = list[ResponseMessage]


def answers(result: InteractionResult) -> Answers:
    """Return every message an interaction was answered with."""
    return [message for message in (result.response, *result.followups) if message is not None]


COMMANDS: list[tuple[str, dict[str, object]]] = [
    ("leaderboard", {}),
    ("leaderboard", {"game": "yonmoque"}),
    ("leaderboard", {"by": "month"}),
    ("profile", {}),
    ("matches", {}),
    ("board", {"match": 1}),
    ("board", {"match": 1, "text": True}),
    ("match replay", {"match": 1}),
    ("match export", {"match": 1}),
    ("privacy export", {}),
    ("block", {}),
]


async def asked(sim: SimulatedDiscord, person: MemberActor, command: str, options: dict[str, object]) -> Answers:
    """Give a command a minute after the one before, so that no rate limit refuses it."""
    await sim.env.advance_time(60)
    return answers(await slash(person, sim.channel, command, **options))


async def pictures(messages: Answers) -> list[bytes]:
    return [await file.read() for file in messages[0].attachments]


@pytest.mark.own_bot
@pytest.mark.slow
async def test_a_nickname_of_another_server_is_in_no_answer(sim: SimulatedDiscord, lodge: Lodge) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await challenge_accepted(sim)
    leaderboards = [(command, options) for command, options in COMMANDS if command == "leaderboard"]
    before = [await pictures(await asked(sim, sim.carol, *each)) for each in leaderboards]
    await finished_in(sim, lodge)
    for person in (sim.carol, sim.bob):
        for command, options in COMMANDS:
            messages = await asked(sim, person, command, options)
            assert messages, command
            for message in messages:
                read = [everything_in(message.message)]
                read += [(await file.read()).decode(errors="replace") for file in message.attachments]
                # People may see their own name of the other server.
                others = NICKNAMES if person is sim.carol else NICKNAMES[:1]
                assert not [name for name in others if name in "".join(read)], command
    again = [await pictures(await asked(sim, sim.carol, *each)) for each in leaderboards]
    assert before == again, "the names in the picture are those of this server"


@pytest.mark.slow
async def test_a_nickname_of_another_server_is_in_no_message_to_all(sim: SimulatedDiscord, lodge: Lodge) -> None:
    await finished_in(sim, lodge)
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await play(sim, thread, "a1", begin=1)
    everywhere = [*sim.messages(), *sim.messages(thread)]
    assert len(everywhere) > 3
    read = "\n".join([sim.place(thread).name or "", *map(everything_in, everywhere)])
    assert "Alice" in read
    assert not [name for name in NICKNAMES if name in read]


async def test_what_is_kept_of_a_person_names_nobody_else(sim: SimulatedDiscord, lodge: Lodge) -> None:
    await finished_in(sim, lodge)
    kept = await answer(await sim.bob.slash(sim.channel, "privacy", action="export")).attachments[0].read()
    (match,) = json.loads(kept)["matches"]
    assert [seat["person"] for seat in match["seats"]] == [
        {"id": sim.alice.id},
        {"id": sim.bob.id, "name": NICKNAMES[1]},
    ]
