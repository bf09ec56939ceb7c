"""Commands in a text as links, which put the command into the reader's message field.

A link shows the default name of its command. So it is for readers whose Discord shows default names; all others read
the name in code, as ``speaking`` puts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from renderers.i18n import ENGLISH, current_language

_COMMAND = re.compile(r"`/([a-z0-9-]+(?: [a-z0-9-]+){0,2})`")


class CommandLinks:
    """The ids of the commands that Discord has told so far. Commands that it has not told stay in code."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, command_id: int, names: Iterable[str]) -> None:
        """Note the id of a registered command, and the whole names of what can be used of it: its subcommands."""
        self._ids.update(dict.fromkeys(names, command_id))

    def linked(self, text: str) -> str:
        """Return a text with its commands as links, if the current language is that of default names."""
        if current_language().commands != ENGLISH.code:
            return text
        return _COMMAND.sub(self._link, text)

    def _link(self, found: re.Match[str]) -> str:
        known = self._ids.get(found[1])
        return found[0] if known is None else f"</{found[1]}:{known}>"
