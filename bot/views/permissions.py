"""The permissions the bot asks a server for, and the refusal where it lacks one that it needs to play."""

from __future__ import annotations

from typing import Any

import discord

from bot.matches.model.refusals import Refusal
from bot.messages.wording import listed
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy
from renderers.i18n import ngettext as _n

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""What the bot asks a server for: the permissions it uses, and no others."""
SCOPES = ("bot", "applications.commands")
_NEEDED = {
    "view_channel": gettext_lazy("View Channel"),
    "attach_files": gettext_lazy("Attach Files"),
    "read_message_history": gettext_lazy("Read Message History"),
}


def invite_link(application_id: int) -> str:
    """Return the address at which a server's manager adds the bot."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def missing_permissions(interaction: discord.Interaction[Any]) -> list[str]:
    """Return the names of the permissions the bot lacks to play where an interaction comes from."""
    allowed = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    sending = (
        {"send_messages_in_threads": _("Send Messages in Threads")}
        if in_thread
        else {"send_messages": _("Send Messages")}
    )
    return [name for key, name in (_NEEDED | sending).items() if not getattr(allowed, key)]


def check_place(interaction: discord.Interaction[Any]) -> None:
    """Raise ``Refusal`` naming the permissions the bot lacks to play where an interaction comes from."""
    missing = missing_permissions(interaction)
    if missing:
        raise Refusal(
            _n(
                "I can't play in this channel without the permission {permissions}. Ask somebody who manages the "
                "server to allow it, or use another channel.",
                "I can't play in this channel without the permissions {permissions}. Ask somebody who manages the "
                "server to allow them, or use another channel.",
                len(missing),
                permissions=listed(missing),
            )
        )
