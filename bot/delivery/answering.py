"""Posts and changes the answers to interactions, by their tokens, in homes where the bot has no access.

An answer exists from the acknowledgement of its interaction on, and Discord takes one acknowledgement each. So posting
is a change, which may be repeated by any process. See ``bot.storage.homes``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

from bot.delivery import attached_files
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import NoResponseError, expected_errors
from bot.delivery.refusals import TOKEN
from bot.messages.layout import Outgoing, file, pictures_in, without_pictures
from bot.messages.pictures import Attachment, Picture
from bot.storage import responses
from bot.storage.responses import Response

log = structlog.get_logger(__name__)

ORIGINAL: Any = "@original"
"""Stands for the answer where discord.py asks for the id of a message. So Discord documents that one is completed."""
_SILENT = discord.AllowedMentions.none()


async def post_by_response(context: DeliveryContext, topic: str, outgoing: Outgoing, *, after: int = 0) -> int:
    """Post a message by the newest answer of a topic whose message came ``after`` one; return the id of its message.

    Earlier ones are of what it has overtaken: they go. Raises ``NoResponseError`` if there is no answer any more,
    ``RejectedError`` or ``UnavailableError``.
    """
    newest_first = await context.services.read(responses.of_topic, topic, after, context.services.clock())
    mentioned = [discord.Object(user_id) for user_id in outgoing.mentions]
    allowed = discord.AllowedMentions(everyone=False, roles=False, users=mentioned)
    posted = None
    for response in newest_first:
        async with _by(context, response) as webhook:
            if posted is not None:
                await webhook.delete_message(ORIGINAL)
            else:
                files = [file(attached) for attached in outgoing.attached]
                message = await webhook.edit_message(
                    ORIGINAL, view=outgoing.view, attachments=files, allowed_mentions=allowed
                )
                attached_files.remember(context.client, message)
                posted = response.message_id
    if posted is None:
        raise NoResponseError(topic)
    return posted


async def edit_response(
    context: DeliveryContext,
    message_id: int,
    view: discord.ui.LayoutView,
    attached: Sequence[Picture | Attachment] | None = None,
) -> bool:
    """Change the text and controls of an answer; its pictures stay unless ``attached`` replaces them.

    Return whether it can still be changed. Raises ``RejectedError`` or ``UnavailableError``.
    """
    response = await context.services.read(responses.of_message, message_id, context.services.clock())
    changed = False
    if response is not None:
        async with _by(context, response) as webhook:
            files: Sequence[Any] = [file(attachment) for attachment in attached or ()]
            if attached is None and (keeps := pictures_in(view)):
                current_files = attached_files.remember(context.client, await webhook.fetch_message(ORIGINAL))
                files = [attachment for attachment in current_files if attachment.filename in keeps]
                view = view if files else without_pictures(view)
            await webhook.edit_message(ORIGINAL, view=view, attachments=files, allowed_mentions=_SILENT)
            changed = True
    return changed


@asynccontextmanager
async def _by(context: DeliveryContext, response: Response) -> AsyncIterator[discord.Webhook]:
    """Give the webhook of an answer; leave the block, and forget the answer, if it can no longer be changed."""
    application = context.client.application_id
    assert application is not None
    async with expected_errors():
        try:
            yield discord.Webhook.partial(application, response.token, client=context.client)
        except discord.HTTPException as error:
            if error.code not in TOKEN:
                raise
            log.info("answer is gone", message=response.message_id, code=error.code)
            async with context.services.database.write() as tx:
                await responses.remove(tx, response.message_id)
