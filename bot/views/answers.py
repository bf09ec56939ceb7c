"""Answers to interactions: acknowledged at once, then worked on, then answered in one sentence or one message.

An interaction that cannot be acknowledged is not carried out: its sender sees that it failed and tries again.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
import structlog
from sqlalchemy.exc import DBAPIError

from bot.matches.refusals import Refusal, Repeated
from bot.views.pictures import Attachment, Picture
from bot.views.wording import mention

log = structlog.get_logger(__name__)

UNAVAILABLE = "I cannot store anything right now, so nothing was changed. Please try again in a few minutes."


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody gets to see: a sentence or a layout, with its attachments."""

    text: str | None = None
    view: discord.ui.LayoutView | None = None
    attachments: tuple[Picture | Attachment, ...] = field(default=())

    def files(self) -> list[discord.File]:
        """Return the files anew; each can be sent once."""
        return [attachment.file() for attachment in self.attachments]


Work = Callable[[], Awaitable[Reply | None]]


async def answer_privately(interaction: discord.Interaction[Any], work: Work) -> None:
    """Answer with a new message only the sender sees. ``work`` returning None leaves no message."""
    if not await _acknowledged(interaction, ephemeral=True, thinking=True):
        return
    reply = await _result(interaction, work)
    async with _sending(interaction):
        if reply is None:
            await interaction.delete_original_response()
        elif reply.view is not None:
            await interaction.edit_original_response(view=reply.view, attachments=reply.files())
        else:
            await interaction.edit_original_response(content=reply.text, attachments=reply.files())


async def answer_in_place(interaction: discord.Interaction[Any], work: Work) -> None:
    """Answer by changing the message that holds the control; sentences come as a new private message."""
    if not await _acknowledged(interaction):
        return
    reply = await _result(interaction, work)
    async with _sending(interaction):
        if reply is None:
            return
        if reply.view is not None:
            await interaction.edit_original_response(view=reply.view, attachments=reply.files())
        else:
            await interaction.followup.send(reply.text or "", ephemeral=True)


def sentence(text: str) -> discord.ui.LayoutView:
    """Return a layout that says one thing and offers nothing."""
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(text))
    return view


async def _acknowledged(interaction: discord.Interaction[Any], **options: bool) -> bool:
    try:
        await interaction.response.defer(**options)
    except (discord.HTTPException, discord.InteractionResponded, aiohttp.ClientError, OSError) as error:
        log.warning("not acknowledged, not carried out", interaction=interaction.id, error=repr(error))
        return False
    return True


async def _result(interaction: discord.Interaction[Any], work: Work) -> Reply | None:
    try:
        return await work()
    except Repeated:
        return None
    except Refusal as refusal:
        return Reply(refusal.naming(lambda person: mention(person.id)))
    except DBAPIError:
        log.exception("storage unavailable", interaction=interaction.id)
        return Reply(UNAVAILABLE)
    except Exception:
        return Reply(apology(interaction))


def apology(interaction: discord.Interaction[Any]) -> str:
    """Log the exception being handled and return a sentence with a reference to it."""
    reference = secrets.token_hex(4)
    log.exception("interaction failed", reference=reference, interaction=interaction.id, data=interaction.data)
    return (
        "Something went wrong on my side. Look at `/board` before you try again; "
        f"if it keeps happening, tell whoever runs me this reference: `{reference}`."
    )


@asynccontextmanager
async def _sending(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """Keep a failure to answer from looking like a failure to act: what was done is done, and the log says so."""
    try:
        yield
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("answer not delivered", interaction=interaction.id, error=repr(error))
