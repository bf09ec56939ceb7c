"""The real bot in a simulated Discord, in a server with three people."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import discord
import pytest
import pytest_asyncio
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import OverwriteType
from simcord.env import Env

from bot.client import Tavoliere, create_bot
from bot.matches.model import judging
from bot.settings import Settings
from bot.views.permissions import PERMISSIONS


@pytest.fixture(scope="session")
def usual_settings() -> Settings:
    """The settings of all tests."""
    return Settings(_env_file=None, heartbeat=864000, picture_workers=0, thinkers=0)


@pytest.fixture
def settings(usual_settings: Settings, tmp_path: Path, empty_database: Path) -> Settings:
    """Settings with a database file of the test's own."""
    url = f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}"
    return usual_settings.model_copy(update={"database_url": url})


def grant(guild: GuildHandle, permissions: discord.Permissions) -> None:
    """Give the bot these permissions in a server and no others; the simulation gives it nearly all."""
    stored = guild._env.backend.guilds[guild.id]
    for role in stored.roles.values():
        if role.managed:
            role.permissions = permissions.value
    stored.roles[guild.id].permissions &= ~PERMISSIONS.value | discord.Permissions(view_channel=True).value


def let_post(guild: GuildHandle, *people: MemberActor) -> None:
    """Let people post messages with pictures, which ``grant`` has taken from the role of all."""
    allowed = discord.Permissions(send_messages=True, send_messages_in_threads=True, attach_files=True)
    role = guild.create_role("Friends", permissions=allowed)
    for person in people:
        guild._env.backend.guilds[guild.id].members[person.id].role_ids.append(role.id)


def give_management(sim: SimulatedDiscord, person: MemberActor) -> None:
    """Let a person manage the server from now on."""
    manager = sim.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    sim.env.backend.guilds[sim.guild.id].members[person.id].role_ids.append(manager.id)


@dataclass
class SimulatedDiscord:
    """A server with the bot, three people and a channel."""

    env: Env
    settings: Settings
    guild: GuildHandle
    channel: ChannelHandle
    alice: MemberActor
    bob: MemberActor
    carol: MemberActor
    more: tuple[MemberActor, ...] = ()
    """Further people, where a test needs them."""

    @property
    def bot(self) -> Tavoliere:
        """The bot; after a restart, the one that was started then."""
        return cast(Tavoliere, self.env.bot)

    def messages(self, place: ChannelHandle | int | None = None) -> list[discord.Message]:
        """Return the messages of a channel or thread, oldest first."""
        from simcord.results import to_discord_message

        place_id = self.channel.id if place is None else place if isinstance(place, int) else place.id
        stored = self.env.backend.messages[place_id].values()
        return [to_discord_message(self.env, message) for message in stored if not message.is_ephemeral]

    def place(self, place_id: int) -> ChannelHandle:
        """Return a channel or thread by its id."""
        return ChannelHandle(self.env, self.guild, self.env.backend.get_channel(place_id))

    async def restart(self) -> None:
        """Stop the bot and start another one on the same database."""
        another = create_bot(self.settings)
        another.idle = self.env.external_wait
        await self.bot.close()
        await self.env.restart_bot(another)


def without(*names: str) -> discord.Permissions:
    """Return the invited permissions less some."""
    return discord.Permissions(PERMISSIONS.value & ~discord.Permissions(**dict.fromkeys(names, True)).value)


def regrant(sim: SimulatedDiscord, permissions: discord.Permissions) -> None:
    """Give the bot these permissions in the whole server from now on, and no others."""
    grant(sim.guild, permissions)
    sim.env.backend.announce_role_updates(sim.guild.id, sim.env.backend.guilds[sim.guild.id].roles.values())


def deny(sim: SimulatedDiscord, place_id: int, **permissions: bool) -> None:
    """Take permissions away from the bot in one channel."""
    denied = discord.Permissions(**permissions).value
    bot_id = sim.env.backend.bot_user.id
    sim.env.backend.set_overwrite(
        place_id, Overwrite(target_id=bot_id, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


def _server(env: Env) -> tuple[GuildHandle, ChannelHandle, MemberActor, MemberActor, MemberActor]:
    """Return a new server, its channel and the people in it."""
    guild = env.create_guild("Friends of the board")
    grant(guild, PERMISSIONS)
    channel = guild.create_text_channel("games")
    people = (guild.add_member(env.create_user(name, global_name=name.title())) for name in ("alice", "bob", "carol"))
    alice, bob, carol = people
    let_post(guild, alice, bob, carol)
    return guild, channel, alice, bob, carol


async def in_new_server(sim: SimulatedDiscord) -> SimulatedDiscord:
    """Return the same bot in another server, which it has just joined, with other people of the same names.

    Neither they nor the server have any past: it is as good as a bot of its own, and made in a hundredth of the time.
    """
    guild, channel, alice, bob, carol = _server(sim.env)
    sim.env.backend.announce_role_updates(guild.id, sim.env.backend.guilds[guild.id].roles.values())
    await sim.env.settle()
    return replace(sim, guild=guild, channel=channel, alice=alice, bob=bob, carol=carol, more=())


class SharedBot:
    """One bot for the tests of a module, which begins when the first of them asks for it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sim: SimulatedDiscord | None = None
        self._until = AsyncExitStack()

    async def in_new_server(self) -> SimulatedDiscord:
        """Return the bot in a server of its own for one test."""
        if self._sim is None:
            self._sim = await self._until.enter_async_context(simulated_discord(self._settings))
        return await in_new_server(self._sim)

    async def close(self) -> None:
        """Stop the bot. The next test that asks for it begins another one."""
        self._sim = None
        await self._until.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_bot(
    usual_settings: Settings, tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> AsyncIterator[SharedBot]:
    """The bot of a module."""
    file = shutil.copy(empty_database, tmp_path_factory.mktemp("shared"))
    with closing(sqlite3.connect(file)) as database:
        # No test can take its match for the first one there is.
        database.executemany("INSERT INTO sqlite_sequence VALUES (?, 1000)", [("matches",), ("challenges",)])
        database.commit()
    shared = SharedBot(usual_settings.model_copy(update={"database_url": f"sqlite+aiosqlite:///{file}"}))
    yield shared
    await shared.close()


@pytest_asyncio.fixture
async def sim(
    request: pytest.FixtureRequest,
    shared_bot: SharedBot,
    drawn_once: None,
) -> AsyncIterator[SimulatedDiscord]:
    """The ready bot in a server with Alice, Bob and Carol.

    The tests of a module share a bot, in a server each. A test that restarts the bot, moves its time or replaces a part
    of it asks for another one: ``@pytest.mark.own_bot``.
    """
    if request.node.get_closest_marker("own_bot") is not None:
        # A loop has one simulated Discord at a time.
        await shared_bot.close()
        async with simulated_discord(request.getfixturevalue("settings")) as sim:
            yield sim
        return
    sim = await shared_bot.in_new_server()
    backend, begun = sim.env.backend, sim.env.error_cursor
    backend.posted = []  # type: ignore[attr-defined]
    with _untouched(sim):
        yield sim
    backend.faults.clear()
    if errors := sim.env.errors_since(begun):
        await shared_bot.close()
        raise BaseExceptionGroup("the bot raised errors during the test", errors)


@contextmanager
def _untouched(sim: SimulatedDiscord) -> Iterator[None]:
    """Refuse what others with the same bot would notice."""

    async def refused(*_arguments: Any) -> None:
        raise AssertionError("this test needs a bot of its own: @pytest.mark.own_bot")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim.env, "advance_time", refused)
        patch.setattr(sim, "restart", refused)
        yield


@asynccontextmanager
async def simulated_discord(
    settings: Settings, prepare: Callable[[SimulatedDiscord], None] = lambda sim: None
) -> AsyncIterator[SimulatedDiscord]:
    """Yield the ready bot in a server with Alice, Bob and Carol; ``prepare`` is called before the bot starts."""
    bot = create_bot(settings)
    env = Env(bot)
    bot.idle = env.external_wait
    sim = SimulatedDiscord(env, settings, *_server(env))
    prepare(sim)
    with pytest.MonkeyPatch.context() as patch:
        # How well a position is judged is not the question here.
        patch.setattr(judging, "MOST_NODES", 60)
        patch.setattr(judging, "LEAST_NODES", 20)
        try:
            await env.start()
            yield sim
        finally:
            await env.bot.close()
            await env.shutdown()
    env.raise_errors()
