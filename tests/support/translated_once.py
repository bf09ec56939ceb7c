"""Names of commands in all languages, looked up once in a process for all bots that register them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from discord import app_commands
from discord.ext import commands

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language

_known: dict[tuple[object, ...], bytes] = {}


class _Payload(dict[str, Any]):
    """The data of a command for Discord; the simulation's log copies it in the same way."""

    def __deepcopy__(self, _memo: object) -> _Payload:
        copied: _Payload = pickle.loads(pickle.dumps(self))
        return copied


def _looked_up_once(translate: Callable[..., Any]) -> Callable[..., Any]:
    async def payload(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        # The same words in the same languages: a test may speak another one, or offer other games.
        key = (type(translator), json.dumps(command.to_dict(tree)), *map(language, OFFERED))
        if key not in _known:
            _known[key] = pickle.dumps(_Payload(await translate(command, tree, translator)))
        found: _Payload = pickle.loads(_known[key])
        return found

    return payload


_once: dict[Any, Callable[..., Any]] = {
    kind: _looked_up_once(kind.get_translated_payload)
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu)
}


def translate_once(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Register equal commands in equal languages with the same words."""
    for kind, payload in _once.items():
        replace(kind, "get_translated_payload", payload)


async def look_up(bot: commands.AutoShardedBot) -> None:
    """Look the commands of a bot up for all that are registered later."""
    translator = bot.tree.translator
    assert translator is not None
    for command in bot.tree.get_commands():
        await _once[type(command)](command, bot.tree, translator)


@pytest.fixture
def translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reuse the names of another bot's commands for this test's bot."""
    translate_once(monkeypatch.setattr)
