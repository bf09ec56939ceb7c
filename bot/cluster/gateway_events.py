"""Reads Discord's gateway so that no event can end the process.

discord.py parses an event before it calls any handler; an error there ends the connection, and with it the process.
Here the event is left out. Of events without which the bot would not work, the parts that can be read are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, Self

import aiohttp
import discord
import structlog
from discord import InteractionType, app_commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.user import ClientUser
from pydantic import BaseModel, model_validator

from bot.telemetry import metrics
from bot.views.controls import submitted_text

log = structlog.get_logger(__name__)

_CONNECTION_ERRORS = (ReconnectWebSocket, discord.ConnectionClosed, aiohttp.ClientError, OSError)
"""What discord.py answers by connecting again."""
SHAPE_LIMIT: Final = 1000
"""Characters of an event's shape in the log."""


class _User(BaseModel):
    id: int
    username: str
    global_name: str | None = None


class _Member(BaseModel):
    user: _User
    nick: str | None = None


class _Interaction(BaseModel):
    """What the bot reads of every interaction: in a server it has a member, elsewhere a user."""

    token: str
    guild_id: int | None = None
    guild_locale: str | None = None
    locale: str | None = None
    member: _Member | None = None
    user: _User | None = None

    @model_validator(mode="after")
    def _has_person(self) -> Self:
        if (self.user if self.guild_id is None else self.member) is None:
            raise ValueError("it has no person")
        return self


class EventSocket(DiscordWebSocket):
    """A connection to the gateway that leaves out what it cannot read. ``install`` makes every client use it."""

    _user: ClientUser | None = None
    """The bot's own user, as it was known before READY."""
    _received: str | bytes = ""
    """The message being read, decompressed; nothing if it cannot be decompressed."""
    _logged: Final[set[tuple[str, str]]] = set()
    """The events that were logged, with where reading them failed: each is logged once in a process."""

    @property
    def _discord_parsers(self) -> dict[str, Callable[[Any], None]]:
        """What parses each event, as discord.py looks it up."""
        return self._parsers

    @_discord_parsers.setter
    def _discord_parsers(self, parsers: dict[str, Callable[[Any], None]]) -> None:
        parse = partial(self._parse_interaction, parsers["INTERACTION_CREATE"])
        self._parsers = parsers | {"INTERACTION_CREATE": parse}

    def _parse_interaction(self, parse: Callable[[Any], None], data: Any) -> None:
        """Parse an interaction. Raises at once what discord.py and the bot would raise later, in tasks of their own."""
        _Interaction.model_validate(data)
        kind, used = InteractionType(data["type"]), data["data"]
        tree = self._connection._command_tree
        if kind in (InteractionType.application_command, InteractionType.autocomplete) and tree is not None:
            discord.AppCommandType(used.get("type", 1))
            with suppress(app_commands.AppCommandError):  # a command that is not known is answered
                _command, options = tree._get_app_command_options(used)
                if kind is InteractionType.autocomplete and not any(option.get("focused") for option in options):
                    raise KeyError("focused")
        elif kind is InteractionType.modal_submit:
            submitted_text(used)
        # Of a locale that is null, discord.py makes what cannot be written.
        parse(data | {"locale": data.get("locale") or "en-US"})

    async def identify(self) -> None:
        """Begin a session."""
        self._user = self._connection.user or self._user
        await super().identify()

    def log_receive(self, received: Any, /) -> None:
        """Keep the message that is about to be read."""
        self._received = received

    async def received_message(self, msg: Any, /) -> None:
        """Read a message. Raises ``ConnectionError`` if it is no event, or a READY of which nothing can be read.

        Then discord.py connects again, after a while that grows.
        """
        self._received = ""
        try:
            await super().received_message(msg)
        except _CONNECTION_ERRORS:
            raise
        except Exception as error:
            try:
                message = json.loads(self._received)
                event, data = message["t"], message["d"]
            except Exception:
                message, event, data = {}, None, None
            if not isinstance(event, str) or message.get("op") != self.DISPATCH:
                await self.close()
                raise ConnectionError("the gateway has sent what is no event") from error
            self._left_out(event, data, error)
            parts = _PARTS.get(event)
            if parts is not None:
                try:
                    self._discord_parsers[event](parts(self, data))
                except Exception as again:
                    self._left_out(event, data, again)
                    if event == "READY":
                        await self.close()
                        raise ConnectionError("READY cannot be read") from again

    def _left_out(self, event: str, data: Any, error: Exception) -> None:
        """Count an event that cannot be read, and log where and of what shape it is, but nothing of its content."""
        metrics.GATEWAY_EVENTS_UNREADABLE.labels(event).inc()
        last = extract_tb(error.__traceback__)[-1]
        at = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno} {last.name}"
        if (event, at) not in self._logged:
            self._logged.add((event, at))
            shape = json.dumps(_shape(data, 3))[:SHAPE_LIMIT]
            log.error("event of the gateway cannot be read", gateway_event=event, error=at, shape=shape)


def install() -> None:
    """Make all clients read the gateway by ``EventSocket``. discord.py has no option for that."""
    discord.client.DiscordWebSocket = EventSocket  # type: ignore[misc]
    discord.shard.DiscordWebSocket = EventSocket  # type: ignore[misc]


def _shape(data: Any, depth: int) -> Any:
    """Return the names and types of fields; of a list its length and the shapes that occur in it."""
    if isinstance(data, dict) and depth:
        return {key: _shape(value, depth - 1) for key, value in data.items()}
    if isinstance(data, list) and depth:
        return [len(data), *{json.dumps(shape): shape for shape in (_shape(item, depth - 1) for item in data)}.values()]
    return "null" if data is None else type(data).__name__


def _ready(socket: EventSocket, data: dict[str, Any]) -> dict[str, Any]:
    """Return what is needed of READY: the session, and the servers whose ids can be read."""
    session, gateway_url = data.get("session_id"), data.get("resume_gateway_url")
    if isinstance(session, str):
        socket.session_id = session
    if isinstance(gateway_url, str):
        socket.gateway = type(socket.gateway)(gateway_url)
    user = data.get("user")
    if socket._user is not None and not _reads(lambda: ClientUser(state=socket._connection, data=user)):  # type: ignore[arg-type]
        user = socket._user._to_minimal_user_json()
    guilds = data.get("guilds")
    ids = [entry.get("id") for entry in guilds if isinstance(entry, dict)] if isinstance(guilds, list) else []
    readable = [guild_id for guild_id in ids if isinstance(guild_id, str) and guild_id.isdecimal()]
    return {
        "user": user,
        "guilds": [{"id": guild_id, "unavailable": True} for guild_id in readable],
        "shard": [socket.shard_id or 0, socket.shard_count or 1],
    }


def _resumed(socket: EventSocket, _data: Any) -> dict[str, Any]:
    return {"__shard_id__": socket.shard_id}


def _guild(socket: EventSocket, data: dict[str, Any]) -> dict[str, Any]:
    """Return a server without the fields, and the entries of its lists, that cannot be read; each is tried alone."""
    alone = {"id": data["id"]}

    def reads(part: Mapping[str, Any]) -> bool:
        return _reads(lambda: discord.Guild(state=socket._connection, data={**alone, **part}))  # type: ignore[typeddict-item]

    kept = {}
    for name, value in data.items():
        if reads({name: value}):
            kept[name] = value
        elif isinstance(value, list):
            kept[name] = [entry for entry in value if reads({name: [entry]})]
    return kept


def _reads(parse: Callable[[], object]) -> bool:
    try:
        parse()
    except Exception:
        return False
    return True


_PARTS: Mapping[str, Callable[[EventSocket, Any], dict[str, Any]]] = {
    "READY": _ready,
    "RESUMED": _resumed,
    "GUILD_CREATE": _guild,
    "GUILD_UPDATE": _guild,
}
"""For events that the bot needs: what of them can be read."""
