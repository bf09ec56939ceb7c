"""Interactions of Discord: each is acknowledged at once, carried out as a request, and answered.

An interaction that cannot be acknowledged is not carried out: its sender sees that it failed and tries again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Concatenate, ParamSpec

import aiohttp
import discord
import structlog

from bot.languages.speaking import language, language_for
from bot.matches.model.refusals import Refusal
from bot.messages.layout import file
from bot.messages.pictures import Attachment, Picture
from bot.requests import outcome
from bot.requests.context import BotContext
from bot.requests.outcome import Status, execute, refuse_excess
from bot.requests.request import Request, command_of
from bot.storage import commits
from bot.storage.people import Preferences
from bot.storage.responses import Response
from bot.telemetry import metrics
from bot.views.discord_servers import person, place_of
from bot.views.outside import answered_here, is_outside, open_direct_messages
from bot.views.returns import on_return
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, speak, translated

log = structlog.get_logger(__name__)

P = ParamSpec("P")

PROGRESS_INTERVAL = 3.0
"""Seconds between edits of a progress message."""
EPHEMERAL_LIFETIME = 14 * 60.0
"""Seconds for which a private message can be changed, a minute less than Discord says."""

NOT_OFFERED = gettext_lazy("That's not one of the choices here.")
ALREADY_ACKNOWLEDGED = 40060
"""Discord's code for an acknowledgement that was made before: its answer was lost, and discord.py repeated the call."""
_ACKNOWLEDGED = "acknowledged"
"""The key of what Discord said to the acknowledgement, among an interaction's ``extras``."""
TEXT_LIMIT = 4000
"""Discord's limit for the texts of a message, in characters."""

_UNREACHABLE = (
    discord.HTTPException,
    discord.RateLimited,
    discord.InteractionResponded,
    aiohttp.ClientError,
    OSError,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to one person: a sentence or a layout, with its attachments."""

    text: str | None = None
    view: discord.ui.LayoutView | None = None
    attachments: tuple[Picture | Attachment, ...] = field(default=())

    def files(self) -> list[discord.File]:
        """Return the files anew; each can be sent once."""
        return [file(attachment) for attachment in self.attachments]


Work = Callable[Concatenate[Request, P], Awaitable[Reply | None]]
"""Carries out a request. None leaves no message."""


def request_of(interaction: discord.Interaction[Any], at: datetime | None = None) -> Request:
    """Build the request from the interaction, received ``at`` that time or now, and cached data; never waits."""
    context = interaction.client.context
    assert isinstance(context, BotContext)
    preferences, place = context.services.personal_settings.last_known(interaction.user.id), place_of(interaction)
    return Request(
        context,
        interaction.id,
        place,
        person(interaction.user, outside=place.outside),
        interaction.permissions.manage_guild and not place.outside,
        language_for(interaction.locale),
        preferences or Preferences(),
        at or context.services.clock(),
        _control(interaction),
        None if interaction.message is None else interaction.message.id,
    )


def use_language_of(interaction: discord.Interaction[Any]) -> None:
    """Speak the person's language from here on, as far as it is known without waiting for anything."""
    settings = interaction.client.context.services.personal_settings
    preferences, own = settings.last_known(interaction.user.id) or Preferences(), language_for(interaction.locale)
    speak(language(preferences.spoken or own, own))


_STANDS = Reply()
"""The answer to an interaction that was carried out before: the one that was given stays."""


async def answer_privately(
    interaction: discord.Interaction[Any], work: Work[P], *args: P.args, **kwargs: P.kwargs
) -> bool:
    """Answer with a new message that only the sender sees: ``work`` is called with the request and the arguments.

    Where it returns None, no message is left. Return whether the interaction was acknowledged and not refused for the
    person's budget.
    """
    at = _now(interaction)
    with interaction.client.context.in_flight.busy():
        if await _refuse_excess(interaction) or not await _acknowledge(interaction, ephemeral=True, thinking=True):
            return False
        reply = await _reply_to(interaction, lambda request: work(request, *args, **kwargs), at)
        if reply is _STANDS:
            return True
        reply = reply and _with_links(interaction, reply)
        async with _sending(interaction):
            if reply is None:
                await interaction.delete_original_response()
            elif reply.view is not None:
                await interaction.edit_original_response(view=reply.view, attachments=reply.files())
            else:
                await interaction.edit_original_response(
                    content=reply.text and translated(reply.text), attachments=reply.files()
                )
    await _tell_on_return(interaction, at)
    return True


async def answer_with_post(
    interaction: discord.Interaction[Any], work: Work[P], *args: P.args, **kwargs: P.kwargs
) -> bool:
    """Answer an interaction whose ``work`` posts something: in private, or from outside with what it posts.

    There ``work`` stores the answer, which everybody sees, with the message that delivery posts by it, and returns
    None. What it returns else, or refuses, goes to the sender alone. Return as ``answer_privately`` does.
    """
    if not is_outside(interaction):
        return await answer_privately(interaction, work, *args, **kwargs)
    at = _now(interaction)

    async def post(request: Request) -> Reply | None:
        posting = replace(request, response=await _public_response(interaction, at))
        reply = await work(posting, *args, **kwargs)
        # Who asks again for what is done has nothing more to be posted.
        return Reply(_("That's done already.")) if reply is None and not commits.any_committed() else reply

    with interaction.client.context.in_flight.busy():
        if await _refuse_excess(interaction) or not await _acknowledge(interaction, thinking=True):
            return False
        reply = await _reply_to(interaction, post, at)
        if reply is None or reply is _STANDS:
            return True
        reply = _with_links(interaction, reply)
        async with _sending(interaction):
            # Until it has been completed, a deferred answer that is deleted takes no other one after it.
            await interaction.edit_original_response(content="…")
            await interaction.delete_original_response()
            if reply.view is not None:
                await interaction.followup.send(view=reply.view, files=reply.files(), ephemeral=True)
            else:
                await interaction.followup.send(translated(reply.text or ""), files=reply.files(), ephemeral=True)
    return True


async def _public_response(interaction: discord.Interaction[Any], at: datetime) -> Response:
    """Return the answer that everybody sees. Raises ``Refusal`` where Discord shows it to the sender alone."""
    acknowledged = interaction.extras.get(_ACKNOWLEDGED)
    if acknowledged is not None:
        message_id, private = acknowledged.message_id, acknowledged.is_ephemeral()
    else:  # its answer was lost
        original = await interaction.original_response()
        message_id, private = original.id, original.flags.ephemeral
    if private or message_id is None:
        raise Refusal(_("Here Discord shows my answers to you alone, so others could not see that. Nothing was done."))
    return Response(message_id, interaction.token, at + timedelta(seconds=EPHEMERAL_LIFETIME))


async def update_answer(
    interaction: discord.Interaction[Any], work: Work[P], *args: P.args, **kwargs: P.kwargs
) -> bool:
    """Change an earlier answer to how things stand now, at no cost to the sender; return whether that was done."""
    reply = await _reply_to(interaction, lambda request: work(request, *args, **kwargs))
    reply = reply and _with_links(interaction, reply)
    delivered = False
    async with _sending(interaction):
        if reply is not None and reply.view is not None:
            await interaction.edit_original_response(view=reply.view, attachments=reply.files())
            delivered = True
    return delivered


async def answer_in_place(
    interaction: discord.Interaction[Any], work: Work[P], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Answer by changing the message that holds the control; a sentence comes as a new private message."""
    at = _now(interaction)
    with interaction.client.context.in_flight.busy():
        if await _refuse_excess(interaction) or not await _acknowledge(interaction):
            return

        message = interaction.message
        private, response = message is None or message.flags.ephemeral, None
        if message is not None and not private and is_outside(interaction):
            # The interaction changes the message as an answer: the bot has no access to it.
            response = Response(message.id, interaction.token, at + timedelta(seconds=EPHEMERAL_LIFETIME))
        reply = await _reply_to(
            interaction, lambda request: work(replace(request, response=response), *args, **kwargs), at
        )
        if reply is _STANDS:
            return
        if reply is not None and (private or reply.view is None):
            reply = _with_links(interaction, reply)
        async with _sending(interaction):
            if reply is not None and reply.view is not None:
                await interaction.edit_original_response(view=reply.view, attachments=reply.files())
            elif reply is not None:
                await interaction.followup.send(translated(reply.text or ""), ephemeral=True)
    await _tell_on_return(interaction, at)


async def _tell_on_return(interaction: discord.Interaction[Any], at: datetime) -> None:
    """Send a person who comes back after days what they missed before ``at``; an error leaves a line in the log alone.

    The interaction has been answered.
    """
    if _is_unknown_server(interaction) or is_outside(interaction) or interaction.client.context.in_flight.closed:
        return
    request = request_of(interaction, at)
    try:
        with request.context.in_flight.busy():
            view = await on_return(request)
            if view is not None:
                silent = discord.AllowedMentions.none()
                await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=silent)
    except (*outcome.STORAGE_ERRORS, *_UNREACHABLE) as error:
        log.warning("return not told", interaction=interaction.id, error=repr(error))
    except Exception:
        log.exception("return not told", interaction=interaction.id)


async def refuse_value(interaction: discord.Interaction[Any]) -> None:
    """Tell the sender that an option or menu does not offer what they chose, and do nothing."""

    async def refuse(_request: Request) -> Reply:
        raise Refusal(NOT_OFFERED)

    await answer_privately(interaction, refuse)


async def answer_with_modal(interaction: discord.Interaction[Any], modal: discord.ui.Modal) -> None:
    """Answer by opening a form."""
    try:
        await interaction.response.send_modal(modal)
    except _UNREACHABLE as error:
        log.warning("form not opened", interaction=interaction.id, error=repr(error))


def apology(interaction: discord.Interaction[Any]) -> str:
    """Log the exception being handled and return a sentence with a reference to the entry in the log."""
    return outcome.apology(interaction.id, _control(interaction))


async def _refuse_excess(interaction: discord.Interaction[Any]) -> bool:
    """Tell a person who asks for too much so, in one call and without a wait for their other requests.

    Return whether that was so.
    """
    context, user_id = interaction.client.context, interaction.user.id
    if _is_unknown_server(interaction):
        return False
    refused = refuse_excess(context, user_id, _control(interaction))
    if refused is None:
        return False
    async with _sending(interaction), context.acknowledgement_limit.acquire(user_id):
        await interaction.response.send_message(refused.words, ephemeral=True)
    return True


async def _acknowledge(interaction: discord.Interaction[Any], **options: bool) -> bool:
    with metrics.ACKNOWLEDGEMENT_SECONDS.time():
        try:
            async with interaction.client.context.acknowledgement_limit.acquire(interaction.user.id):
                if interaction.client.is_closed():
                    raise aiohttp.ClientConnectionError("the client is closed")
                interaction.extras[_ACKNOWLEDGED] = await interaction.response.defer(**options)
        except _UNREACHABLE as error:
            if isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED:
                return True
            log.warning("not acknowledged, not carried out", interaction=interaction.id, error=repr(error))
            metrics.ANSWERS.labels(command_of(_control(interaction)), "unacknowledged").inc()
            return False
    return True


async def _reply_to(
    interaction: discord.Interaction[Any],
    work: Callable[[Request], Awaitable[Reply | None]],
    at: datetime | None = None,
) -> Reply | None:
    """Carry an interaction out as a request and return the answer, if there is one. It has been paid for.

    The request counts from when the interaction was received: its acknowledgement may have taken half a minute.

    Outside of servers with the bot, where a person's own installation leads, ``answered_here`` decides where
    it belongs. In a server that has only its commands nothing is carried out or stored.
    """
    if _is_unknown_server(interaction):
        return Reply(_("I'm not in this server. Play me in our direct messages; people who manage it can add me here."))
    if not is_outside(interaction):
        done = await execute(request_of(interaction, at), work, points=0)
    else:

        async def placed(request: Request) -> Reply | None:
            here = await answered_here(request, interaction)
            if here is None:
                await open_direct_messages(interaction)
                here = replace(request, place=place_of(interaction))
            return await work(here)

        done = await execute(request_of(interaction, at), placed, points=0)
    if done.status is Status.REPEATED:
        return _STANDS
    return done.value if done.words is None else Reply(done.words)


def _is_unknown_server(interaction: discord.Interaction[Any]) -> bool:
    here = interaction.guild_id
    return here is not None and interaction.client.get_guild(here) is None and not is_outside(interaction)


def _now(interaction: discord.Interaction[Any]) -> datetime:
    context = interaction.client.context
    assert isinstance(context, BotContext)
    return context.services.clock()


def _with_links(interaction: discord.Interaction[Any], reply: Reply) -> Reply:
    """Turn command names into links if the client language and the length limit allow."""
    links = interaction.client.context.command_links
    if reply.view is None:
        return replace(reply, text=reply.text and links.with_links(translated(reply.text)))
    texts = [item for item in reply.view.walk_children() if isinstance(item, discord.ui.TextDisplay)]
    linked = [links.with_links(item.content) for item in texts]
    if sum(map(len, linked)) <= TEXT_LIMIT:
        for item, content in zip(texts, linked, strict=True):
            item.content = content
    return reply


def _control(interaction: discord.Interaction[Any]) -> str | None:
    """Return the command or custom id that was used, for the log. What people type is private and left out."""
    data: dict[str, Any] = dict(interaction.data or {})
    name = data.get("custom_id") or data.get("name")
    return None if name is None else str(name)


@asynccontextmanager
async def _sending(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """Log that an answer could not be delivered: the request is carried out all the same.

    If Discord rejects the answer itself, that is a mistake in the bot, and the sender is told so.
    """
    try:
        try:
            yield
        except discord.HTTPException as error:
            if error.status != 400:
                raise
            await interaction.followup.send(apology(interaction), ephemeral=True)
    except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
        log.warning("answer not delivered", interaction=interaction.id, error=repr(error))
    except RuntimeError as error:
        # What aiohttp raises once its session is closed, which happens when a stop has waited long enough.
        if not interaction.client.is_closed():
            raise
        log.warning("answer not delivered", interaction=interaction.id, error=repr(error))
