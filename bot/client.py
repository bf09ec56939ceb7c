"""The Discord client: puts database, services, outbox and commands together, and takes them apart again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.cogs.challenging import Challenging
from bot.cogs.governing import Governing
from bot.cogs.personal import Personal, PrivacyButton
from bot.cogs.playing import Playing
from bot.cogs.presence import Presence
from bot.cogs.ranking import Ranking
from bot.cogs.reading import Reading
from bot.delivery.courier import Courier
from bot.delivery.errands import DiscordErrands
from bot.health import HealthPage
from bot.matches.context import Context, Limits
from bot.matches.idle import Idle, plain_idle
from bot.matches.services import create_services
from bot.matches.timekeeper import Timekeeper
from bot.settings import Settings
from bot.storage.database import Database
from bot.views import move_builder
from bot.views.answers import apology
from bot.views.challenge_card import ChallengeButton, RematchButton, RulesButton
from bot.views.host import Host
from bot.views.match_board import ExportButton, LookButton, MoreButton, PlayButton, ReplayButton, ResignButton
from bot.views.messages import Composer
from bot.views.move_builder import BuilderButton, BuilderChoice, BuilderPage
from bot.views.offers import AskButton, ClaimButton, OfferButton
from bot.views.pictures import Studio
from bot.views.rules_pages import RulesPageButton, RulesPageChoice
from bot.views.standings import LeaderboardButton

log = structlog.get_logger(__name__)

# Nobody speaks here; the library would say so in two warnings at every start.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

CONTROLS = (
    AskButton,
    BuilderButton,
    BuilderChoice,
    BuilderPage,
    ChallengeButton,
    ClaimButton,
    ExportButton,
    LeaderboardButton,
    LookButton,
    MoreButton,
    OfferButton,
    PlayButton,
    PrivacyButton,
    RematchButton,
    ReplayButton,
    ResignButton,
    RulesButton,
    RulesPageButton,
    RulesPageChoice,
)
COGS = (Challenging, Governing, Personal, Playing, Ranking, Reading)

PATIENCE = 10.0
"""Seconds a stop waits for what people have just asked for."""


class Tree(app_commands.CommandTree["Tavoliere"]):
    """The slash commands. What goes wrong unexpectedly is answered with a reference that is in the log."""

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Answer an unexpected error."""
        try:
            raise error
        except app_commands.AppCommandError:
            text = apology(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            return
        with contextlib.suppress(discord.HTTPException):
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True)
            else:
                await interaction.response.send_message(text, ephemeral=True)


class Tavoliere(commands.Bot):
    """The bot. ``setup_hook`` opens everything, ``close`` closes it; both leave nothing half done."""

    host: Host

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=Tree,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )
        self.settings = settings
        self.idle: Idle = plain_idle
        self.database: Database | None = None
        self._executor: ThreadPoolExecutor | None = None
        self._courier: Courier | None = None
        self._health: HealthPage | None = None
        self._workers: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        """Open the database, build everything and start the workers. Raises ``StorageError`` or ``PortError``."""
        self.database = Database(self.settings.database_url)
        await self.database.open()
        await self.database.occupy()
        heartbeat = timedelta(seconds=self.settings.heartbeat)
        self._executor = ThreadPoolExecutor(self.settings.workers, thread_name_prefix="studio")
        limits = Limits(self.settings.max_matches, self.settings.max_challenges, self.settings.challenge_days)
        context = Context(self.database, discord.utils.utcnow, self._executor, self._wake, limits)
        services = create_services(context)
        studio = Studio(context)
        self.host = Host(services, studio, self.settings)
        errands = DiscordErrands(self, services, Composer(studio), threads=self.settings.threads)
        self._courier = Courier(self.database, errands, discord.utils.utcnow, lambda: self.idle)
        self._timekeeper = Timekeeper(services, lambda: self.idle, heartbeat)
        for cog in COGS:
            await self.add_cog(cog())
        await self.add_cog(Presence(self, services))
        self.add_dynamic_items(*CONTROLS)
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            log.warning("commands not registered with Discord; the ones registered before stay", error=repr(error))
        if self.settings.metrics_port is not None:
            self._health = HealthPage(self.database, self.settings.metrics_port, discord.utils.utcnow, heartbeat)
            await self._health.open()
        await self._timekeeper.credit_downtime()
        self._work(self._timekeeper.run(), "timekeeper")

    async def on_ready(self) -> None:
        """Begin to say what is in the outbox, now that Discord's channels are known."""
        if self._health is not None:
            self._health.ready = True
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        if self._courier is not None and not any(task.get_name() == "courier" for task in self._workers):
            self._work(self._courier.run(), "courier")

    async def on_disconnect(self) -> None:
        """Tell those who watch that Discord is out of reach for now."""
        if self._health is not None:
            self._health.ready = False

    async def on_resumed(self) -> None:
        """Tell those who watch that Discord is back."""
        if self._health is not None:
            self._health.ready = True

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take moves typed into a modal; everything else finds its own way."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return
        match = move_builder.TYPED.fullmatch(str(interaction.data.get("custom_id")))
        if match is not None:
            await move_builder.typed(interaction, match, move_builder.submitted_text(interaction))

    async def close(self) -> None:
        """Let what is being said be finished, then close everything. May be called twice and half way."""
        if hasattr(self, "host") and self.database is not None:
            log.info("stopping, what was begun is finished")
            await self.host.desk.close(PATIENCE)
        courier, self._courier = self._courier, None
        if courier is not None:
            await courier.close()
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        health, self._health = self._health, None
        if health is not None:
            await health.close()
        await super().close()
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True)
        database, self.database = self.database, None
        if database is not None:
            await database.close()
            log.info("stopped")

    def _wake(self) -> None:
        if self._courier is not None:
            self._courier.wake()
        self._timekeeper.wake()

    def _work(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._workers.append(asyncio.create_task(work, name=name))


def create_bot(settings: Settings) -> Tavoliere:
    """Return a bot for these settings; start it with its token, or attach it to a simulated Discord."""
    return Tavoliere(settings)
