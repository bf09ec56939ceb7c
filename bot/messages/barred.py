"""What somebody is told directly who may no longer play."""

from __future__ import annotations

from bot.messages.wording import plain
from bot.storage.records import EVERYWHERE, Bar


def barred(bar: Bar, server: str | None) -> str:
    """Return the news of a bar; ``server`` is what the server is called, where that is known."""
    goes_on = "Matches you're in go on. To have it lifted, ask them."
    if bar.guild_id == EVERYWHERE:
        return f"The people who run this bot have barred you from playing, in every server. {goes_on}"
    where = "a server" if server is None else f"**{plain(server)}**"
    return f"The people who manage {where} have barred you from playing there. {goes_on}"
