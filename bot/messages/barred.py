"""What somebody is told directly who may no longer play."""

from __future__ import annotations

from bot.messages.wording import plain
from bot.storage.people import Bar
from bot.storage.records import EVERYWHERE
from renderers.i18n import gettext as _
from renderers.i18n import prose


def barred(bar: Bar, server: str | None) -> str:
    """Return the news of a bar; ``server`` is what the server is called, where that is known."""
    if bar.guild_id == EVERYWHERE:
        news = _("The people who run this bot have barred you from playing, in every server.")
    elif server is None:
        news = _("The people who manage a server have barred you from playing there.")
    else:
        news = _("The people who manage {server} have barred you from playing there.", server=f"**{plain(server)}**")
    goes_on = _("Matches you're in go on. To have the bar lifted, ask them.")
    return prose([news, goes_on])
