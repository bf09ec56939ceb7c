"""Actions of people in a line each, and the parts of a message that they see."""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from simcord.actors import MemberActor, MessageLike
from simcord.builders import ChannelHandle, UserHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.messages.custom_id_form import read_choices
from tests.support.simulated_discord import SimulatedDiscord

FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")
"""A game of Yonmoque from the first ply to the last, which the first seat wins."""


def items(message: discord.Message) -> Iterator[Any]:
    """Yield every component of a message, nested ones included."""
    yield from discord.ui.LayoutView.from_message(message, timeout=None).walk_children()


def sent_text(message: discord.Message) -> str:
    """Return all a message says, as it was sent."""
    texts = [item.content for item in items(message) if isinstance(item, discord.ui.TextDisplay)]
    return "\n".join([message.content, *texts])


def text_of(message: discord.Message) -> str:
    """Return all a message says, with commands in code where it has links to them."""
    return in_code(sent_text(message))


def in_code(text: str) -> str:
    """Return a text with commands in code where it has links to them."""
    return re.sub(r"</([^:>\n]+):\d+>", r"`/\1`", text)


def description_of(message: discord.Message) -> str:
    """Return the alternative text of a message's first picture."""
    galleries = (item for item in items(message) if isinstance(item, discord.ui.MediaGallery))
    return next(galleries).items[0].description or ""


def custom_ids(message: discord.Message) -> list[str]:
    """Return the ids of the controls of a message."""
    return [item.custom_id for item in items(message) if getattr(item, "custom_id", None)]


def labels(message: discord.Message) -> list[str]:
    """Return the labels of the buttons of a message."""
    return [item.label or "" for item in items(message) if isinstance(item, discord.ui.Button)]


def as_typed(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of a command with a pace in seconds as people choose it: as text."""
    return options | ({"pace": str(options["pace"])} if "pace" in options else {})


async def slash(person: MemberActor, place: ChannelHandle, words: str, **options: Any) -> InteractionResult:
    """Have a person send a command; its second word, as in "match replay", is the action chosen there."""
    name, _, action = words.partition(" ")
    return await person.slash(place, name, **({"action": action} if action else {}), **options)


async def challenge(sim: SimulatedDiscord, **options: Any) -> discord.Message:
    """Have Alice challenge Bob to Yonmoque; return the card."""
    values = {"game": "yonmoque", "opponent": sim.bob, "first": "challenger"} | options
    values = {name: value for name, value in values.items() if value is not None}
    await sim.alice.slash(sim.channel, "challenge", **as_typed(values))
    return cards(sim)[-1]


def itself(sim: SimulatedDiscord) -> UserHandle:
    """Return the bot, as people choose it for an opponent."""
    return UserHandle(sim.env, sim.env.backend.bot_user)


async def challenge_accepted(sim: SimulatedDiscord, **options: Any) -> int:
    """Have Alice challenge Bob to Yonmoque and Bob accept; return the id of the thread."""
    card = await challenge(sim, **options)
    await sim.bob.click(card, label="Accept")
    return card.id


async def build(person: MemberActor, builder: ResponseMessage, move: str, *, confirm: bool = True) -> None:
    """Build a move choice by choice, and confirm it if the bot asks."""
    chosen, tried = "", set[str]()
    while _plays(builder, move) is None and chosen != move:
        control, value, chosen = _continuing(builder, move, chosen, tried)
        tried.add(control)
        if value is None:
            await person.click(builder, custom_id=control)
        else:
            await person.select(builder, [value], custom_id=control)
    plays = _plays(builder, move)
    if confirm and plays is not None:
        await person.click(builder, custom_id=plays)


def _plays(builder: ResponseMessage, move: str) -> str | None:
    """Return the custom id of the button that plays a move, if it is there."""
    plays = (one for one in custom_ids(builder.message) if one.startswith("b-play:"))
    return next((one for one in plays if "".join(_keys(one)) == move), None)


def _continuing(builder: ResponseMessage, move: str, chosen: str, tried: set[str]) -> tuple[str, str | None, str]:
    """Return the control, or the menu and its choice, that leads furthest on the way to a move, and how far.

    Where squares are chosen by their file, the next square of the move need not be the one that is asked for: what was
    tried and led nowhere is taken back.
    """
    found: list[tuple[str, str | None, str]] = []
    files: list[tuple[str, str]] = []
    back = ""
    for item in items(builder.message):
        if isinstance(item, discord.ui.Button) and str(item.custom_id).startswith("b-pick:"):
            found.append((str(item.custom_id), None, "".join(_keys(str(item.custom_id)))))
        elif isinstance(item, discord.ui.Button) and str(item.custom_id).startswith("b-file:"):
            files.append((str(item.custom_id), item.label or ""))
        elif isinstance(item, discord.ui.Button) and str(item.custom_id).startswith("b-back:"):
            back = str(item.custom_id)
        elif isinstance(item, discord.ui.Select) and item.custom_id.startswith("b-choose:"):
            begun = "".join(_keys(item.custom_id))
            found += [(item.custom_id, option.value, begun + option.value) for option in item.options]
    found = [choice for choice in found if move.startswith(choice[2]) and len(choice[2]) > len(chosen)]
    found = [choice for choice in found if choice[1] is not None or choice[0] not in tried]
    if found:
        return max(found, key=lambda choice: len(choice[2]))
    rest = move[len(chosen) :]
    named = sorted((rest.index(file), control) for control, file in files if file in rest and control not in tried)
    if named:
        return named[0][1], None, chosen
    assert back, f"{move} cannot be put together beyond {chosen!r}: {custom_ids(builder.message)}"
    return back, None, "".join(_keys(back))


def _keys(custom_id: str) -> tuple[str, ...]:
    return read_choices(custom_id.split(":", 4)[4])


async def opened_builder(sim: SimulatedDiscord, person: MemberActor, place: int, move: str) -> ResponseMessage:
    """Have a person who confirms every move press Play and choose one up to the last button; return the builder."""
    await person.slash(sim.place(place), "preferences", confirm=True)
    builder = answer(await person.click(board_of(sim, place), label="Play"))
    await build(person, builder, move, confirm=False)
    return builder


async def resign(person: MemberActor, place: ChannelHandle, **options: int) -> None:
    """Have a person resign a match, by default the one of the place, and mean it."""
    question = answer(await person.slash(place, "match", action="resign", **options))
    await person.click(question, label="Yes, resign")


async def forget(person: MemberActor, place: ChannelHandle) -> None:
    """Have a person delete everything about themselves, and mean it."""
    question = answer(await person.slash(place, "privacy", action="delete"))
    await person.click(question, label="Delete everything")


async def play(sim: SimulatedDiscord, place: int, *moves: str, begin: int = 0) -> None:
    """Have Alice and Bob type moves in turn, Alice first unless ``begin`` is 1."""
    for ply, move in enumerate(moves, begin):
        mover = (sim.alice, sim.bob)[ply % 2]
        await mover.slash(sim.place(place), "move", move=move)


async def pressed(
    sim: SimulatedDiscord,
    person: MemberActor,
    message: discord.Message | ResponseMessage,
    custom_id: str,
    choice: str | None = None,
) -> InteractionResult:
    """Press a button that is not, or no longer, on a message, as a client that has not caught up can.

    With a ``choice`` it is a menu, from which that is chosen; ``#`` is the channel it stands in, in a menu of channels.
    """
    stored = sim.env.backend.get_message(
        message.channel_id if isinstance(message, ResponseMessage) else message.channel.id, message.id
    )
    shown = _one_control(custom_id, choice)
    kept, stored.components = stored.components, shown
    try:
        if choice is not None:
            here = ChannelHandle(sim.env, person.guild, sim.env.backend.get_channel(stored.channel_id))
            chosen: Any = here if choice == "#" else choice
            return await person.select(message, [chosen], custom_id=custom_id)
        return await person.click(message, custom_id=custom_id)
    finally:
        if stored.components == shown:
            stored.components = kept


def _one_control(custom_id: str, choice: str | None) -> list[dict[str, Any]]:
    control: dict[str, Any] = {"type": 2, "id": 2, "style": 2, "label": "?", "custom_id": custom_id}
    if choice == "#":
        control = {"type": 8, "id": 2, "custom_id": custom_id, "min_values": 1, "max_values": 1}
    elif choice is not None:
        options = [{"label": choice, "value": choice}]
        control = {"type": 3, "id": 2, "custom_id": custom_id, "options": options, "min_values": 1, "max_values": 1}
    return [{"type": 1, "id": 1, "components": [control]}]


@contextmanager
def unsettled(sim: SimulatedDiscord) -> Iterator[None]:
    """Let actions return as soon as the bot has received them; the simulation has no public way to do so."""

    async def later(**_options: Any) -> None:
        return None

    sim.env._settle_internal = later  # type: ignore[method-assign]
    try:
        yield
    finally:
        del sim.env._settle_internal


async def at_once(sim: SimulatedDiscord, *actions: Coroutine[Any, Any, InteractionResult]) -> list[InteractionResult]:
    """Have people act before the bot handles any of the actions; return the outcome of each."""
    with unsettled(sim):
        results = [await action for action in actions]
    await sim.env.settle()
    return results


def answer(result: InteractionResult) -> ResponseMessage:
    """Return the message an interaction was answered with."""
    assert result.response is not None, f"no answer: {result}"
    return result.response


def told(result: InteractionResult) -> str:
    """Return the private answer to an action."""
    private = [message for message in (result.response, *result.followups) if message is not None]
    private = [message for message in private if message.ephemeral]
    return "\n".join(text_of(message.message) for message in private)


def cards(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the cards of challenges in the channel, oldest first."""
    return [message for message in sim.messages() if message.type is discord.MessageType.default and message.flags]


def board_of(sim: SimulatedDiscord, place: int) -> discord.Message:
    """Return the newest message of a place."""
    return sim.messages(place)[-1]


def boards(sim: SimulatedDiscord, place: int) -> list[discord.Message]:
    """Return the boards posted in a place, those with controls and those without, oldest first."""
    return [message for message in sim.messages(place) if message.attachments and "· match" in text_of(message)]


def everything_said(sim: SimulatedDiscord) -> list[Any]:
    """Return every message the bot has posted for all to see, as it was when posted, oldest first."""
    bot_id = sim.env.backend.bot_user.id
    posted = getattr(sim.env.backend, "posted", [])
    return [message for message in posted if message.author_id == bot_id and not message.is_ephemeral]


def pings(sim: SimulatedDiscord, person: MemberActor) -> int:
    """Count the messages of the bot that have notified a person, in all places."""
    return sum(person.id in message.ping_user_ids for message in everything_said(sim))


def direct_messages(sim: SimulatedDiscord, person: MemberActor) -> list[str]:
    """Return what the bot has told a person by direct message."""
    place = sim.env.backend.dm_channels.get(person.id)
    return [] if place is None else [text_of(message) for message in sim.messages(place)]


async def lobby(sim: SimulatedDiscord) -> discord.Message:
    """Have Alice open a lobby for Rectangles of Distinction; return its card."""
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", first="challenger")
    return cards(sim)[-1]


async def three_playing(sim: SimulatedDiscord) -> int:
    """Have three people begin a match of Rectangles of Distinction; return the id of its card."""
    card = await lobby(sim)
    await sim.bob.click(card, label="Join")
    await sim.carol.click(card, label="Join")
    await sim.alice.click(card, label="Start")
    return card.id


async def preferences(person: MemberActor, place: ChannelHandle, group: str) -> ResponseMessage:
    """Have a person look at a group of their preferences; return the answer."""
    shown = answer(await person.slash(place, "preferences"))
    await person.click(shown, label=group)
    return shown


async def share(person: MemberActor, shown: MessageLike, label: str = "Share") -> str:
    """Have a person press a button that shares, and post what they are shown then; return the last private answer."""
    asked = await person.click(shown, label=label)
    if asked.response is None:
        return told(asked)
    post = [custom_id for custom_id in custom_ids(asked.response.message) if custom_id.startswith("share-post:")]
    return told(await person.click(asked.response, custom_id=post[0]) if post else asked).strip()
