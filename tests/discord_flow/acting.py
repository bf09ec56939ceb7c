"""What people do in these tests, in a line each, and what they can see of a message."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult, ResponseMessage

from tests.conftest import Town

FINISHED = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")
"""A game of Yonmoque from the first ply to the last, which the first seat wins."""


def items(message: discord.Message) -> Iterator[Any]:
    """Yield every component of a message, nested ones included."""
    yield from discord.ui.LayoutView.from_message(message, timeout=None).walk_children()


def text_of(message: discord.Message) -> str:
    """Return all a message says."""
    texts = [item.content for item in items(message) if isinstance(item, discord.ui.TextDisplay)]
    return "\n".join([message.content, *texts])


def description_of(message: discord.Message) -> str:
    """Return the alternative text of a message's first picture."""
    galleries = (item for item in items(message) if isinstance(item, discord.ui.MediaGallery))
    return next(galleries).items[0].description or ""


def custom_ids(message: discord.Message) -> list[str]:
    """Return the ids of the controls of a message."""
    return [item.custom_id for item in items(message) if getattr(item, "custom_id", None)]


def labels(message: discord.Message) -> list[str]:
    """Return the labels of the buttons of a message."""
    return [item.label for item in items(message) if isinstance(item, discord.ui.Button)]


async def challenge(town: Town, **options: Any) -> discord.Message:
    """Have Alice challenge Bob to Yonmoque; return the card."""
    values = {"game": "yonmoque", "opponent": town.bob, "first": "challenger"} | options
    values = {name: value for name, value in values.items() if value is not None}
    await town.alice.slash(town.channel, "challenge", **values)
    return cards(town)[-1]


async def challenge_accepted(town: Town, **options: Any) -> int:
    """Have Alice challenge Bob to Yonmoque and Bob accept; return the id of the thread."""
    card = await challenge(town, **options)
    await town.bob.click(card, label="Accept")
    return card.id


async def build(person: MemberActor, builder: ResponseMessage, move: str, *, confirm: bool = True) -> None:
    """Put a move together in a builder, choice by choice, and play it."""
    chosen = ""
    while chosen != move:
        select, value = _continuing(builder, move, chosen)
        await person.select(builder, [value], custom_id=select)
        chosen += value
    if confirm:
        await person.click(builder, label=f"Play {move}")


def _continuing(builder: ResponseMessage, move: str, chosen: str) -> tuple[str, str]:
    """Return the menu and the choice that continue a move."""
    menus = [item for item in items(builder.message) if isinstance(item, discord.ui.Select)]
    found = [(menu.custom_id, option.value) for menu in menus for option in menu.options]
    found = [(menu, value) for menu, value in found if move.startswith(chosen + value)]
    assert found, f"{move} cannot be put together beyond {chosen!r}"
    return max(found, key=lambda choice: len(choice[1]))


async def opened_builder(town: Town, person: MemberActor, place: int, move: str) -> ResponseMessage:
    """Have somebody press Play and choose a move up to the last button; return the builder."""
    builder = answer(await person.click(board_of(town, place), label="Play"))
    await build(person, builder, move, confirm=False)
    return builder


async def play(town: Town, place: int, *moves: str, begin: int = 0) -> None:
    """Have Alice and Bob type moves in turn, Alice first unless ``begin`` is 1."""
    for ply, move in enumerate(moves, begin):
        mover = (town.alice, town.bob)[ply % 2]
        await mover.slash(town.place(place), "move", move=move)


async def pressed(
    town: Town,
    person: MemberActor,
    message: discord.Message | ResponseMessage,
    custom_id: str,
    choice: str | None = None,
) -> InteractionResult:
    """Press a button that is not, or no longer, on a message, as a client that has not caught up can.

    With a ``choice`` it is a menu, from which that is chosen.
    """
    stored = town.env.backend.get_message(
        message.channel_id if isinstance(message, ResponseMessage) else message.channel.id, message.id
    )
    shown = _one_control(custom_id, choice)
    kept, stored.components = stored.components, shown
    try:
        if choice is not None:
            return await person.select(message, [choice], custom_id=custom_id)
        return await person.click(message, custom_id=custom_id)
    finally:
        if stored.components == shown:
            stored.components = kept


def _one_control(custom_id: str, choice: str | None) -> list[dict[str, Any]]:
    control: dict[str, Any] = {"type": 2, "id": 2, "style": 2, "label": "?", "custom_id": custom_id}
    if choice is not None:
        options = [{"label": choice, "value": choice}]
        control = {"type": 3, "id": 2, "custom_id": custom_id, "options": options, "min_values": 1, "max_values": 1}
    return [{"type": 1, "id": 1, "components": [control]}]


@contextmanager
def unsettled(town: Town) -> Iterator[None]:
    """Let deeds return as soon as the bot has heard of them; the simulation has no public way to put that off."""

    async def later(**_options: Any) -> None:
        return None

    town.env._settle_internal = later  # type: ignore[method-assign]
    try:
        yield
    finally:
        del town.env._settle_internal


async def at_once(town: Town, *deeds: Coroutine[Any, Any, InteractionResult]) -> list[InteractionResult]:
    """Have people do several things before the bot gets to any of them; return what came of each."""
    with unsettled(town):
        results = [await deed for deed in deeds]
    await town.env.settle()
    return results


def answer(result: InteractionResult) -> ResponseMessage:
    """Return the message an interaction was answered with."""
    assert result.response is not None, f"no answer: {result}"
    return result.response


def told(result: InteractionResult) -> str:
    """Return what the person who did something was told, all of it privately."""
    private = [message for message in (result.response, *result.followups) if message is not None]
    private = [message for message in private if message.ephemeral]
    return "\n".join(text_of(message.message) for message in private)


def cards(town: Town) -> list[discord.Message]:
    """Return the cards of challenges in the channel, oldest first."""
    return [message for message in town.messages() if message.type is discord.MessageType.default and message.flags]


def board_of(town: Town, place: int) -> discord.Message:
    """Return the newest message of a place."""
    return town.messages(place)[-1]


def boards(town: Town, place: int) -> list[discord.Message]:
    """Return the boards posted in a place, those with controls and those without, oldest first."""
    return [message for message in town.messages(place) if message.attachments and "· match" in text_of(message)]


def everything_said(town: Town) -> list[Any]:
    """Return every message the bot has posted for all to see, as it was when posted, oldest first."""
    bot_id = town.env.backend.bot_user.id
    posted = getattr(town.env.backend, "posted", [])
    return [message for message in posted if message.author_id == bot_id and not message.is_ephemeral]


def pings(town: Town, person: MemberActor) -> int:
    """Return how many messages of the bot have notified somebody, in all places together."""
    return sum(person.id in message.ping_user_ids for message in everything_said(town))


def direct_messages(town: Town, person: MemberActor) -> list[str]:
    """Return what the bot has told somebody by direct message."""
    place = town.env.backend.dm_channels.get(person.id)
    return [] if place is None else [text_of(message) for message in town.messages(place)]
