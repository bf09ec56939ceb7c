"""The permissions the bot asks a server for, and those it lacks to play in a place."""

from __future__ import annotations

from typing import Any

import discord

from renderers.i18n import LazyText, gettext_lazy

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""The permissions that the bot asks a server for: those it uses, and no others.

It also uses *Create Private Threads* where it has that anyway, as everyone has in a new server.
"""
SCOPES = ("bot", "applications.commands")
_NEEDED = {
    "view_channel": gettext_lazy("View Channel"),
    "attach_files": gettext_lazy("Attach Files"),
    "read_message_history": gettext_lazy("Read Message History"),
}
_SEND = {"send_messages": gettext_lazy("Send Messages")}
_SEND_IN_THREADS = {"send_messages_in_threads": gettext_lazy("Send Messages in Threads")}


def invite_link(application_id: int) -> str:
    """Return the address at which a server's manager adds the bot."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def install_link(application_id: int) -> str:
    """Return the address at which a person installs the bot for themselves."""
    return discord.utils.oauth_url(application_id, scopes=["applications.commands"]) + "&integration_type=1"


def may_post(interaction: discord.Interaction[Any]) -> bool:
    """Return whether a person may post pictures in the place where their interaction comes from."""
    return posts(interaction.permissions, interaction.channel)


def posts(allowed: discord.Permissions, place: object) -> bool:
    """Return whether permissions let a person post pictures in a channel or thread."""
    return allowed.view_channel and allowed.attach_files and all(getattr(allowed, key) for key in _sending(place))


def needs_mention(interaction: discord.Interaction[Any]) -> bool:
    """Return whether an interaction comes from a private thread that the bot is not in.

    Discord shows the bot no such thread, and lets it post there only after a person has mentioned it.
    """
    place, guild = interaction.channel, interaction.guild
    if guild is None or not isinstance(place, discord.Thread) or not place.is_private():
        return False
    return guild.get_thread(place.id) is None and not interaction.app_permissions.manage_threads


def is_private_thread(place: object) -> bool:
    return isinstance(place, discord.Thread) and place.is_private()


def is_own_thread(place: object, client: discord.Client) -> bool:
    """Return whether a place is a thread that the bot has opened."""
    return isinstance(place, discord.Thread) and client.user is not None and place.owner_id == client.user.id


def missing_permissions(allowed: discord.Permissions, place: object) -> tuple[str, ...]:
    """Return the names of the permissions that the bot lacks to play in a channel or thread."""
    return tuple(name for key, name in (_NEEDED | _sending(place)).items() if not getattr(allowed, key))


def _sending(place: object) -> dict[str, LazyText]:
    return _SEND_IN_THREADS if isinstance(place, discord.Thread) else _SEND
