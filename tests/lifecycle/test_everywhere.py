"""Every command in every kind of place, by each kind of installation: it works, or says why it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from simcord.results import InteractionResult
from sqlalchemy import select

from bot.requests.request import NEEDS_SERVER
from bot.storage import tables
from tests.lifecycle.test_guessing import commands
from tests.support.acting import text_of, told
from tests.support.installed import COMMANDS_ALONE, FOREIGN, GROUP, asking_from
from tests.support.simulated_discord import SimulatedDiscord, deny, give_management

pytestmark = pytest.mark.own_bot

SERVER, DIRECT, PAIR = "server", "direct messages with the bot", "direct messages of two people"
BY_SERVER, BY_PERSON, BOTH = "server", "person", "both"
CASES = [
    *((SERVER, by) for by in (BY_SERVER, BOTH)),
    *((DIRECT, by) for by in (BY_SERVER, BY_PERSON, BOTH)),
    *((place, BY_PERSON) for place in (PAIR, GROUP, FOREIGN)),
    *((COMMANDS_ALONE, by) for by in (BY_SERVER, BOTH)),
]
"""Where an installation has commands. A server that has the commands alone has not let the bot in."""
NEED_SERVER = {"cup", "ladder", "leaderboard", "profile"}
FOR_MANAGERS = {"settings", *(f"manage {one}" for one in ("bar", "barred", "close", "remove", "unbar", "void"))}
NOT_OFFERED = {*NEED_SERVER, *FOR_MANAGERS, "block"}
"""What Discord offers in servers that have the bot, and nowhere else: a page that is out of date may still send it."""
VALUES = {"game": "yonmoque", "move": "a1", "match": 1, "cup": 1, "pace": "1 day"}
"""What is given for the options that a command needs, beside people."""


@contextmanager
def installed(sim: SimulatedDiscord, where: str, by: str) -> Iterator[None]:
    """Have interactions come from a kind of place, authorised by an installation."""
    backends = type(sim.env.backend)
    emit = backends.emit

    def emit_from(backend: Any, event: str, payload: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        if event == "INTERACTION_CREATE":
            user = payload.get("user") or payload["member"]["user"]
            servers = {} if by == BY_PERSON else {"0": payload.get("guild_id", "0")}
            people = {} if by == BY_SERVER else {"1": user["id"]}
            payload["authorizing_integration_owners"] = servers | people
            if where == PAIR:
                payload["channel"]["type"] = 1
        return emit(backend, event, payload, *args, **kwargs)

    with patch.object(backends, "emit", emit_from):
        if where in (SERVER, DIRECT):
            yield
        else:
            with asking_from(sim, GROUP if where == PAIR else where):
                yield


@pytest.mark.parametrize(("where", "by"), CASES)
async def test_every_command_works_or_says_why_it_does_not(sim: SimulatedDiscord, where: str, by: str) -> None:
    give_management(sim, sim.alice)
    if where not in (SERVER, DIRECT):
        deny(sim, sim.channel.id, view_channel=True)
    said, offered = dict[str, str](), sim.alice.user.available_commands()
    with installed(sim, where, by):
        for name, command in sorted(commands(sim).items()):
            needed = {one.name: VALUES.get(one.name, sim.bob) for one in command.parameters if one.required}
            needed |= {"game": "yonmoque"} if name == "challenge" else {}
            if where != DIRECT:
                said[name] = words_of(await sim.alice.slash(sim.channel, name, **needed))
            elif name in offered:
                said[name] = words_of(await sim.alice.user.slash(name, **needed))
    assert said.keys() == commands(sim).keys() - (NOT_OFFERED if where == DIRECT else set())
    assert [name for name, words in said.items() if not words or "went wrong" in words] == []
    private = where in (PAIR, GROUP, FOREIGN)
    refused = {
        str(NEEDS_SERVER): {"challenge"} if where == DIRECT else NEED_SERVER if private else set(),
        "Only people who can manage this server": FOR_MANAGERS if private else set(),
        "I'm not in this server.": said.keys() if where == COMMANDS_ALONE else set(),
    }
    for why, names in refused.items():
        assert {name for name, words in said.items() if words.startswith(why)} == names
    if where == COMMANDS_ALONE:
        async with sim.bot.context.services.database.read() as tx:
            for table in (tables.guilds, tables.matches, tables.people):
                assert (await tx.execute(select(table))).all() == []


def words_of(result: InteractionResult) -> str:
    """Return what a command was answered with: in private, or for everybody to see."""
    assert result.acknowledged
    return told(result) or ("" if result.response is None else text_of(result.response.message))
