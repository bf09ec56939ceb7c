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
from sqlalchemy.exc import TimeoutError as ConnectionTimeout

from bot.compute.job import on_behalf_of
from bot.matches.model.refusals import AlreadyProcessed, Refusal
from bot.messages.pictures import Attachment, Picture
from bot.messages.wording import refused
from bot.storage.errors import CommitUnknown, StorageError
from bot.telemetry import metrics
from bot.views.bot_context import REQUEST, context_of
from bot.views.languages import speak_to
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated

log = structlog.get_logger(__name__)

_UNREACHABLE = (discord.HTTPException, discord.InteractionResponded, aiohttp.ClientError, OSError)
UNAVAILABLE = gettext_lazy(
    "I can't save anything right now, so nothing was changed. Please try again in a few minutes."
)
UNKNOWN = gettext_lazy(
    "My connection broke while I was saving that, so I can't tell whether it went through. Have a look before you try "
    "again: `/board` shows how a match stands."
)
SLOW = gettext_lazy(
    "My disk is too slow to keep up right now, so nothing was played or changed. Please try again in a few minutes."
)


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
            await interaction.edit_original_response(
                content=reply.text and translated(reply.text), attachments=reply.files()
            )


async def update_answer(interaction: discord.Interaction[Any], work: Work) -> bool:
    """Change an answer given before to how things stand now, at no cost to its sender; return whether that was done."""
    reply = await _result(interaction, work, points=0)
    delivered = False
    async with _sending(interaction):
        if reply is not None and reply.view is not None:
            await interaction.edit_original_response(view=reply.view, attachments=reply.files())
            delivered = True
    return delivered


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
            await interaction.followup.send(translated(reply.text or ""), ephemeral=True)


async def answer_with_modal(interaction: discord.Interaction[Any], modal: discord.ui.Modal) -> None:
    """Answer by opening a form."""
    try:
        await interaction.response.send_modal(modal)
    except _UNREACHABLE as error:
        log.warning("form not opened", interaction=interaction.id, error=repr(error))


async def _acknowledged(interaction: discord.Interaction[Any], **options: bool) -> bool:
    with metrics.ACKNOWLEDGEMENT_SECONDS.time():
        try:
            await interaction.response.defer(**options)
        except _UNREACHABLE as error:
            log.warning("not acknowledged, not carried out", interaction=interaction.id, error=repr(error))
            metrics.ANSWERS.labels("unacknowledged").inc()
            return False
    return True


async def _result(interaction: discord.Interaction[Any], work: Work, points: float = REQUEST) -> Reply | None:
    """Do the work when it is this person's turn, and return what there is to answer, whatever became of it."""
    context, person = context_of(interaction), interaction.user.id
    with metrics.ANSWER_SECONDS.time(), context.in_flight.busy(), on_behalf_of(person):
        async with context.concurrency_limit.permitted(person):
            outcome, reply = await _outcome(interaction, work, points)
    metrics.ANSWERS.labels(outcome).inc()
    return reply


async def _outcome(interaction: discord.Interaction[Any], work: Work, points: float) -> tuple[str, Reply | None]:
    try:
        context_of(interaction).check_rate_limit(interaction, points)
        await speak_to(interaction)
        return "done", await work()
    except AlreadyProcessed:
        return "repeated", None
    except Refusal as refusal:
        return "refused", Reply(refused(refusal))
    except CommitUnknown:
        log.exception("cannot tell whether it was stored", interaction=interaction.id)
        return "unavailable", Reply(UNKNOWN)
    except (DBAPIError, ConnectionTimeout, StorageError) as error:
        # A connection that cannot be had in time is asked for at the beginning, before anything is done.
        log.exception("storage unavailable", interaction=interaction.id)
        return "unavailable", Reply(SLOW if isinstance(error, ConnectionTimeout) else UNAVAILABLE)
    except Exception:
        return "failed", Reply(apology(interaction))


def apology(interaction: discord.Interaction[Any]) -> str:
    """Log the exception being handled and return a sentence with a reference to it."""
    reference = secrets.token_hex(4)
    log.exception("interaction failed", reference=reference, interaction=interaction.id, control=_control(interaction))
    return _(
        "Something went wrong on my side. Check `/board` before you try again; if it keeps happening, "
        "give this reference to the people who run this bot: `{reference}`.",
        reference=reference,
    )


def _control(interaction: discord.Interaction[Any]) -> str | None:
    """Return which command or button it was; what was typed and about whom is nobody's business."""
    data: dict[str, Any] = dict(interaction.data or {})
    name = data.get("custom_id") or data.get("name")
    return None if name is None else str(name)


@asynccontextmanager
async def _sending(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """Keep a failure to answer from looking like a failure to act: what was done is done, and the log says so.

    An answer that Discord does not take is a mistake of ours: whoever waits for it is told so.
    """
    try:
        try:
            yield
        except discord.HTTPException as error:
            if error.status != 400:
                raise
            await interaction.followup.send(apology(interaction), ephemeral=True)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("answer not delivered", interaction=interaction.id, error=repr(error))
