"""Names with markup or mentions in them show as their letters, and have no effect."""

from __future__ import annotations

import re
from collections.abc import Iterator

import discord
import pytest
from simcord.actors import MemberActor

from bot.messages.wording import escaped, without_mentions
from tests.support.acting import (
    answer,
    board_of,
    cards,
    items,
    play,
    resign,
    share,
    slash,
    text_of,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, let_post

HOSTILE = (
    "<#123456789012345678>",
    "<t:0:R>",
    "</resign:123456789>",
    "<:smile:123456789>",
    "<a:dance:123456789>",
    "<@123456789012345678>",
    "<@&123456789012345678>",
    "<id:customize>",
    "@everyone",
    ":tada: :tada:",
    "https://evil.example",
    "[prize](https://e.example)",
    "<https://evil.example>",
    "**`~~||x||~~`**",
    "# Winner",
    "-# small",
    "> said",
    "1. first",
    "back\\slash",
)

CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
ACTIVE = re.compile(r"<(?!@\d+>|t:\d+:[fR]>)[@#:/\w]|https?://(?!discord\.com/channels)|@everyone|:tada:|\]\((?!https)")
"""Text that Discord shows as more than its letters, except what the bot itself writes: mentions of people, times,
links.
"""


def shown(raw: str) -> str:
    """Return the letters of a message whose punctuation is escaped, as Discord shows them."""
    return ESCAPED.sub(r"\1", raw)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_plain_name_shows_its_letters_and_every_sign_in_it_is_escaped(name: str) -> None:
    assert shown(escaped(name)) == name
    assert not re.search(r"[!-/:-@\[-`{-~]", ESCAPED.sub("", escaped(name)))


@pytest.mark.parametrize("name", HOSTILE)
def test_an_inert_name_shows_its_letters_and_begins_no_mention_or_link(name: str) -> None:
    assert without_mentions(name).replace("\N{WORD JOINER}", "") == name
    assert not re.search(r"<[@#:/\w]|://", without_mentions(name))


def unread_places(message: discord.Message) -> Iterator[str]:
    """Yield what a message says where Discord reads no Markdown: code, alternative text, labels and names of files."""
    yield from CODE_BLOCK.findall(text_of(message))
    for item in items(message):
        if isinstance(item, discord.ui.MediaGallery):
            yield from (media.description or "" for media in item.items)
        elif isinstance(item, discord.ui.Thumbnail):
            yield item.description or ""
        elif isinstance(item, discord.ui.Button):
            yield item.label or ""
        elif isinstance(item, discord.ui.Select):
            yield from (option.label for option in item.options)
    yield from (f"{file.filename} {file.description}" for file in message.attachments)


@pytest.mark.own_bot
@pytest.mark.parametrize("name", sampled([HOSTILE[0], "[prize](https://e.example)"], every=2))
async def test_a_hostile_name_does_nothing_anywhere(sim: SimulatedDiscord, name: str) -> None:
    mallory = sim.guild.add_member(sim.env.create_user("mallory", global_name=name))
    let_post(sim.guild, mallory)
    await mallory.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Accept")
    thread = card.id
    await mallory.slash(sim.place(thread), "move", move="c3")
    private = [await asked(sim, person, thread) for person in (sim.bob, mallory)]
    suggested = [choice["name"] for choice in await sim.bob.autocomplete(sim.channel, "board", "match", "")]
    await sim.bob.slash(sim.place(thread), "match", action="takeback", match=1)
    await resign(mallory, sim.place(thread))
    replay = answer(await mallory.slash(sim.channel, "match", action="replay", match=1))
    assert await share(mallory, replay) == "Shared in this channel."
    assert f"### {escaped(name)} shares a match of Yonmoque" in text_of(sim.messages()[-1])
    private.append(
        [answer(await sim.bob.slash(sim.channel, command)).message for command in ("leaderboard", "profile")]
    )
    private.append([answer(await sim.bob.slash(sim.channel, "profile", person=mallory)).message])
    said = [*sim.messages(), *sim.messages(thread), *(message for messages in private for message in messages)]
    for message in said:
        if message.type is discord.MessageType.thread_created:
            continue  # its content is the thread's name, in which no Markdown is read
        raw = text_of(message).replace(f"<@{mallory.id}>", "").replace(f"<@{sim.bob.id}>", "")
        assert not ACTIVE.search(ESCAPED.sub("", CODE_BLOCK.sub("", raw))), raw
        for words in unread_places(message):
            assert not re.search(r"<[@#:/\w]|://", words), words
    assert any(name in shown(text_of(message)) for message in said)
    assert name.split(maxsplit=1)[0] in (sim.place(thread).name or "").replace("\N{WORD JOINER}", "")
    for words in (*suggested, sim.place(thread).name or ""):
        assert not re.search(r"<[@#:/\w]|://", words), words


async def asked(sim: SimulatedDiscord, person: MemberActor, thread: int) -> list[discord.Message]:
    """Return the messages about a match that a person sees."""
    shown = [await slash(person, sim.place(thread), command) for command in ("board", "matches", "match replay")]
    shown.append(await person.slash(sim.place(thread), "board", text=True))
    shown.append(await person.click(board_of(sim, thread), label="More"))
    return [answer(result).message for result in shown]


async def test_an_illegal_move_typed_as_a_mention_is_answered_without_it(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Accept")
    await play(sim, card.id, "c3")
    for typed in HOSTILE:
        refused = text_of(answer(await sim.bob.slash(sim.place(card.id), "move", move=typed)).message)
        assert not ACTIVE.search(ESCAPED.sub("", refused)), refused
