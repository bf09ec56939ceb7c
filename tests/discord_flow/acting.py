"""What people do in these tests, in a line each, and what they can see of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from bot.games.game import split_text
from tests.conftest import Town


def items(message: discord.Message) -> Iterator[Any]:
    """Yield every component of a message, nested ones included."""
    yield from discord.ui.LayoutView.from_message(message, timeout=None).walk_children()


def text_of(message: discord.Message) -> str:
    """Return all a message says."""
    texts = [item.content for item in items(message) if isinstance(item, discord.ui.TextDisplay)]
    return "\n".join([message.content, *texts])


def custom_ids(message: discord.Message) -> list[str]:
    """Return the ids of the controls of a message."""
    return [item.custom_id for item in items(message) if getattr(item, "custom_id", None)]


def labels(message: discord.Message) -> list[str]:
    """Return the labels of the buttons of a message."""
    return [item.label for item in items(message) if isinstance(item, discord.ui.Button)]


async def challenge_accepted(town: Town, **options: Any) -> int:
    """Have Alice challenge Bob to Yonmoque and Bob accept; return the id of the thread."""
    values = {"game": "yonmoque", "opponent": town.bob, "first": "challenger"} | options
    await town.alice.slash(town.channel, "challenge", **values)
    card = town.messages()[-1]
    await town.bob.click(card, label="Accept")
    return card.id


async def build(person: MemberActor, builder: ResponseMessage, move: str) -> None:
    """Put a move together in a builder, choice by choice, and play it."""
    for key in split_text(move):
        select = next(item for item in items(builder.message) if isinstance(item, discord.ui.Select))
        await person.select(builder, [key], custom_id=select.custom_id)
    await person.click(builder, label=f"Play {move}")


def board_of(town: Town, place: int) -> discord.Message:
    """Return the newest message of a place."""
    return town.messages(place)[-1]
