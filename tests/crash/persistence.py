"""The simulated Discord, made to outlive the process it is simulated in: kept in a file, taken up by the next life."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

from simcord.actors import MemberActor
from simcord.backend import Backend
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.env import Env

import tests.support.settling  # noqa: F401 - for its effect
from bot.client import create_bot
from bot.settings import Settings
from bot.views.permissions import PERMISSIONS
from tests.support.simulated_discord import SimulatedDiscord, grant

NAMES = ("alice", "bob", "carol")


def keep(backend: Backend, file: Path) -> None:
    """Store a harness as it is now; a reader finds either the one before or this one."""
    kept = copy.copy(backend)
    kept.subscribers, kept.http_requests, kept.transcript = [], [], []
    fresh = file.with_suffix(".new")
    fresh.write_bytes(pickle.dumps(kept))
    fresh.replace(file)


def enter(settings: Settings, file: Path) -> SimulatedDiscord:
    """Put a bot that has not been started yet into the harness kept in ``file``, or into a new one."""
    bot = create_bot(settings)
    env = Env(bot)
    bot.idle = env.external_wait
    if not file.exists():
        return _found(env, settings)
    env.backend = pickle.loads(file.read_bytes())
    guild = GuildHandle(env, next(iter(env.backend.guilds.values())))
    env._guilds.append(guild)
    channel = next(channel for channel in env.backend.channels.values() if channel.name == "games")
    users = {user.name: user for user in env.backend.users.values()}
    alice, bob, carol = (MemberActor(env, guild, UserHandle(env, users[name])) for name in NAMES)
    place = ChannelHandle(env, guild, channel)
    return SimulatedDiscord(env, settings, guild, place, alice, bob, carol)


def _found(env: Env, settings: Settings) -> SimulatedDiscord:
    guild = env.create_guild("Friends of the board")
    grant(guild, PERMISSIONS)
    channel = guild.create_text_channel("games")
    alice, bob, carol = (guild.add_member(env.create_user(name, global_name=name.title())) for name in NAMES)
    return SimulatedDiscord(env, settings, guild, channel, alice, bob, carol)
