"""The real bot in a simulated Discord, on a real database file, for every test that asks for a ``town``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import discord
import pytest
import pytest_asyncio
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env

from bot.client import Tavoliere, create_bot
from bot.invitation import PERMISSIONS
from bot.settings import Settings

# Property tests take the time they take: a busy machine is no reason to fail.
hypothesis_settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("unhurried")

# Settlement polls every 50 ms by default, which is most of a test's time; there is no public way to say so.
Env._settle_internal.__kwdefaults__["idle"] = 0.002  # type: ignore[index]


@pytest.fixture(autouse=True)
def no_swallowed_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which discord.py swallowed an error raised by a control."""
    yield
    swallowed = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    swallowed = [record for record in swallowed if record.name.startswith("discord.ui")]
    assert not swallowed, swallowed[0].getMessage()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a database file of the test's own."""
    return Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}", heartbeat=864000)  # type: ignore[call-arg]


def grant(guild: GuildHandle, permissions: discord.Permissions) -> None:
    """Give the bot these permissions in a server and no others; the simulation gives it nearly all."""
    stored = guild._env.backend.guilds[guild.id]
    for role in stored.roles.values():
        if role.managed:
            role.permissions = permissions.value
    stored.roles[guild.id].permissions &= ~PERMISSIONS.value | discord.Permissions(view_channel=True).value


@dataclass
class Town:
    """A server with the bot, three people and a channel."""

    env: Env
    bot: Tavoliere
    settings: Settings
    guild: GuildHandle
    channel: ChannelHandle
    alice: MemberActor
    bob: MemberActor
    carol: MemberActor

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
        old = self.bot
        self.bot = create_bot(self.settings)
        self.bot.idle = self.env.external_wait
        await old.close()
        await self.env.restart_bot(self.bot)


@pytest_asyncio.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    """The bot, ready, in a server with Alice, Bob and Carol."""
    bot = create_bot(settings)
    env = Env(bot)
    bot.idle = env.external_wait
    guild = env.create_guild("Friends of the board")
    grant(guild, PERMISSIONS)
    channel = guild.create_text_channel("games")
    people = [guild.add_member(env.create_user(name, global_name=name.title())) for name in ("alice", "bob", "carol")]
    try:
        await env.start()
        yield Town(env, bot, settings, guild, channel, *people)
    finally:
        await env.bot.close()
        await env.shutdown()
    env.raise_errors()
