"""The questions of ``check --online`` to Discord: whether it knows the token, and whether this bot may connect and can
serve all.

It begins no connection to the gateway, so it uses none of the day's connections.
"""

from __future__ import annotations

from dataclasses import dataclass

import aiohttp
import discord

from bot.cluster.gateway import RESERVE, Gateway, warnings
from bot.settings import Settings
from bot.views.permissions import install_link, invite_link

INTENTS = {
    "presences": ("gateway_presence", "gateway_presence_limited"),
    "members": ("gateway_guild_members", "gateway_guild_members_limited"),
    "message_content": ("gateway_message_content", "gateway_message_content_limited"),
}
"""The intents that have to be switched on, and the flags of an application that has them."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was asked, the problem found, or the line to print if there is none."""

    subject: str
    problem: str | None = None
    praise: str = "fine"


async def ask_discord(settings: Settings, token: str, intents: discord.Intents, commands: set[str]) -> list[Told]:
    """Ask about the token, connections, servers, intents and commands. ``commands`` are the names the bot has."""
    async with discord.Client(intents=discord.Intents.none()) as client:
        try:
            await client.login(token)
            return await _findings(settings, client, intents, commands)
        except discord.LoginFailure:
            return [Told("token", "Discord does not accept this DISCORD_TOKEN: copy it anew from the developer portal")]
        except discord.HTTPException as error:
            return [Told("Discord", f"it refuses to let the bot in: {error}")]
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            return [Told("Discord", f"it cannot be reached: {error or type(error).__name__}")]


async def _findings(
    settings: Settings, client: discord.Client, intents: discord.Intents, commands: set[str]
) -> list[Told]:
    application = await client.application_info()
    limits = await Gateway(client.http).ask()
    shards = settings.shards or limits.shards
    few = limits.remaining < RESERVE + shards
    fullest = -(-application.approximate_guild_count // shards)
    crowded = "; ".join(warnings(fullest, shards, limits)) if not few else None
    off = [
        intent
        for intent, flags in INTENTS.items()
        if getattr(intents, intent) and not any(getattr(application.flags, flag) for flag in flags)
    ]
    registered = {str(command["name"]) for command in await client.http.get_global_commands(application.id)}
    missing = commands - registered
    elsewhere = application.interactions_endpoint_url
    counted = "1 shard" if shards == 1 else f"{shards} shards"
    return [
        Told("token", praise=f"that of {client.user}"),
        Told(
            "connections",
            f"only {limits.remaining} left today: `run` waits until there are {RESERVE + shards}" if few else None,
            f"{limits.remaining} left today",
        ),
        Told("servers", crowded or None, f"about {application.approximate_guild_count} in {counted}"),
        Told(
            "intents",
            f"{', '.join(off)} must be switched on in the developer portal" if off else None,
            "none has to be switched on",
        ),
        Told(
            "interactions",
            f"the Interactions Endpoint URL in the developer portal is {elsewhere}: Discord sends all commands and "
            "buttons there, and none to this bot. Clear it"
            if elsewhere
            else None,
            "sent to this bot",
        ),
        Told(
            "installation",
            praise="in servers"
            if application.user_integration_config is None
            else f"in servers, and by people for themselves: {install_link(application.id)}",
        ),
        Told("commands at Discord", praise=_registered(missing, commands)),
        Told("invite link", praise=invite_link(application.id)),
    ]


def _registered(missing: set[str], commands: set[str]) -> str:
    """Say which commands Discord does not have; before the bot has run, it has none."""
    if not missing:
        return "all there"
    if missing == commands:
        return f"{len(missing)} of {len(commands)} not there yet, `run` registers them"
    return (
        f"{len(missing)} of {len(commands)} not there yet ({', '.join(sorted(missing))}): `run` registers them, and if "
        "Discord refuses them, its `/ready` and its log say why"
    )
