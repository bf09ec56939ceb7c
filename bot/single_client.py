"""The Discord client: opens database, services, outbox and commands in order, and closes them in reverse order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import structlog
from discord.ext import commands

from bot import __version__
from bot.calls.budget import CallBudget
from bot.cluster.gateway import Gateway, fullest_shard
from bot.cluster.health import HealthPage
from bot.cluster.membership import Membership
from bot.cogs import command_tree
from bot.cogs.guild_membership import GuildMembership
from bot.compute.queue import ComputeQueue
from bot.compute.rate_limit import RateLimit
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import OutboxDispatcher
from bot.delivery.handlers import create_handlers
from bot.matches.background_work import ComputerTurnRunner, ReviewRunner, VoidRunner, Workers
from bot.matches.downtime import Downtime
from bot.matches.due_scheduler import DueScheduler
from bot.matches.service_context import Idle, Limits, ServiceContext, plain_idle
from bot.matches.services import create_services
from bot.messages.pictures import BoardRenderer
from bot.requests.context import BotContext
from bot.settings import Settings
from bot.storage import commits
from bot.storage.database import Database, in_sqlite
from bot.storage.database_checks import look_at_pages
from bot.storage.errors import ImpossibleSetting, explained
from bot.storage.exclusive_use import Use
from bot.storage.registration import THINKER
from bot.storage.slots import Partition
from bot.storage.transactions import retry_until_stored
from bot.telemetry import metrics
from bot.views import move_builder, puzzles
from bot.views.answers import greet
from bot.views.controls import every_control
from bot.views.discord_servers import DiscordServers
from bot.web.server import WebServer
from bot.web.visitors import check_members

log = structlog.get_logger(__name__)

# The bot has no voice; discord.py would log two warnings about that at every start.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_TYPED = ((move_builder.TYPED, move_builder.typed), (puzzles.TYPED, puzzles.typed))
"""The forms for typed moves, and the function that takes each."""

SHUTDOWN_TIMEOUT = 10.0
"""Seconds a stop waits for requests that people have just made."""


class Tavoliere(commands.Bot):
    """The bot with one connection to Discord. ``setup_hook`` opens everything, ``close`` closes it."""

    context: BotContext

    def __init__(self, settings: Settings) -> None:
        self.calls = CallBudget(alone=in_sqlite(settings.database_url), proxied=bool(settings.discord_api_url))
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=command_tree.Tree,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            # The shortest that discord.py takes: a call that has to wait for longer fails, and frees its place.
            max_ratelimit_timeout=30.0,
            http_trace=self.calls.trace(),
        )
        self.settings = settings
        self.gateway = Gateway(self.http)
        self.idle: Idle = plain_idle
        self.database: Database | None = None
        self.lost = asyncio.Event()
        """Set when others have taken over from this bot; then it has to close."""
        self._membership: Membership | None = None
        """The place among other bots; None for the only bot of an SQLite database."""
        self._logs_in = False
        """Whether discord.py has anything to close."""
        self._stopping: asyncio.Task[None] | None = None
        self._rate_limit = RateLimit()
        self._queue: ComputeQueue | None = None
        self._dispatcher: OutboxDispatcher | None = None
        self._downtime: Downtime | None = None
        self._scheduler: DueScheduler | None = None
        self._health: HealthPage | None = None
        self._web: WebServer | None = None
        self.on_stored: Callable[[], None] | None = None
        """Called whenever something may have been stored, also by another process. Set before the login."""
        self._workers = Workers()

    async def login(self, token: str) -> None:
        """Open the database, and only then call Discord. Raises ``StorageError`` or ``PortError``."""
        await self._open()
        self._logs_in = True
        await super().login(token)

    async def _open(self) -> Database:
        """Open the page for machines and the database, once a server of PostgreSQL answers."""
        if self.database is not None:
            return self.database
        database = self.database = Database(self.settings.database_url, self.settings.database_direct_url, limited=True)
        self._queue = ComputeQueue(
            self.settings.workers,
            self.settings.picture_workers,
            self.settings.thinkers,
            charge=self._rate_limit.charge_seconds,
        )
        if self.settings.metrics_port is not None:
            self._health = HealthPage(
                database,
                self.settings.metrics_port,
                discord.utils.utcnow,
                timedelta(seconds=self.settings.heartbeat),
                self._queue.longest_wait,
                self.settings.metrics_host,
            )
            self._health.ended, self._health.trouble = self._workers.ended, self._workers.failing
            self._health.connecting = lambda: self.gateway.waiting
            metrics.BUILD.info({"version": __version__})
            await self._health.open()
        if database.sqlite:
            await database.open(Use.BOT)
        else:
            # Bots on PostgreSQL register instead.
            await retry_until_stored(database.open)
        return database

    async def setup_hook(self) -> None:
        """Build everything and start the workers. Raises ``StorageError`` or ``PortError``.

        Where several bots share the database and enough of them serve, this lasts until one of them is gone.
        """
        database = await self._open()
        assert self._queue is not None
        heartbeat = timedelta(seconds=self.settings.heartbeat)
        partition = await self._take_partition(database)
        limits = Limits(
            matches=self.settings.max_matches,
            challenges=self.settings.max_challenges,
            challenge_days=self.settings.challenge_days,
        )
        context = ServiceContext(
            database,
            discord.utils.utcnow,
            self._queue,
            self._wake,
            limits,
            credit_missed=self._credit_missed,
            partition=partition,
            departed_kept=timedelta(days=self.settings.departed_server_days),
            wake_dispatcher=self._wake_dispatcher,
            on_news=self._tell_pages if self.settings.page_url or self.on_stored else None,
        )
        self._downtime = Downtime(context, heartbeat, servers=lambda: fullest_shard(self.guilds))
        services = create_services(context)
        renderer = BoardRenderer(context)
        self.context = BotContext(services, renderer, self.settings, self._rate_limit, DiscordServers(self))
        if self.settings.web_port is not None:
            self._web = WebServer(self.context, lambda: self.idle)
            self.on_stored = self._web.wake
        page = bool(self.settings.page_url)
        handlers = create_handlers(DeliveryContext(self, services, renderer, self.settings.threads, page))
        self._dispatcher = context.outlet.dispatcher = OutboxDispatcher(
            database, handlers, discord.utils.utcnow, lambda: self.idle, time.monotonic, partition, context.rules
        )
        self._scheduler = DueScheduler(services, lambda: self.idle, self._downtime)
        thinkers = self.settings.thinkers
        leave_to = None if thinkers else THINKER
        self._workers.runners = {
            "computer turns": ComputerTurnRunner(services, lambda: self.idle, 2 * max(1, thinkers), leave_to),
            "reviews": ReviewRunner(services, lambda: self.idle, leave_to),
            "voids": VoidRunner(services, lambda: self.idle),
        }
        await self.tree.set_translator(command_tree.CommandTranslator())
        await self.add_commands()
        await self.add_cog(GuildMembership(self, services, lambda: self.idle))
        self.add_dynamic_items(*every_control())
        self._scheduler.disconnected()
        if self._membership is None or not self._membership.succeeding:
            await self._register_commands()
            if database.sqlite:
                with explained(database.url):
                    await self._begin_work()
            else:
                await retry_until_stored(self._begin_work)
        if database.sqlite:
            self._workers.start(look_at_pages(database), "quick check")
        if self._web is not None:
            await self._web.open()

    async def _register_commands(self) -> None:
        try:
            for registered in await self.tree.sync():
                command_tree.learn(self.context.command_links, self.tree, registered.name, registered.id)
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError) as error:
            log.warning("commands not registered with Discord; the ones registered before stay", error=repr(error))

    async def _begin_work(self) -> None:
        """Credit the downtime to all clocks, and start the background workers."""
        assert self._downtime is not None
        await self._downtime.credit_downtime()
        assert self._scheduler is not None
        self._workers.start(self._scheduler.run(), "scheduler")
        for name, runner in self._workers.runners.items():
            self._workers.start(runner.run(), name)
        if self.settings.page_url:
            self._workers.start(check_members(self.context, lambda: self.idle), "members")

    async def claim(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether an interaction is this bot's to answer."""
        return self._membership is None or await self._membership.claim(interaction)

    async def hand_over(self, at_once: asyncio.Event) -> None:
        """Let a bot that stands by take over before this one stops; ``at_once`` ends the waiting.

        What this bot has claimed by then, it still answers.
        """
        if self._membership is None or self._downtime is None:
            return
        if await self._membership.hand_over(self._downtime.beat, at_once):
            await self.context.in_flight.finished(SHUTDOWN_TIMEOUT)

    async def _take_partition(self, database: Database) -> Partition:
        """Return which servers this bot serves, once it may. Raises ``StorageError``."""
        if database.sqlite:
            if self.settings.slots > 1:
                raise ImpossibleSetting(
                    f"SLOTS is {self.settings.slots}, but an SQLite database is for one bot: "
                    "let DATABASE_URL name a PostgreSQL database, or leave SLOTS out."
                )
            return Partition(shards=self.settings.shards or 1)
        if self._health is not None:
            self._health.partition = None
        self._membership = Membership(database, self.gateway, self.settings, self.calls, self._wake_here, self._lose)
        partition = await self._membership.join()
        if self._health is not None and not self._membership.succeeding:
            # From here on it is to be served, and is not yet.
            self._health.partition = partition
        await self.gateway.wait_for_connections(len(partition.shard_ids))
        return partition

    async def add_commands(self) -> None:
        """Build the slash commands, for the games there are now."""
        await command_tree.add_commands(self)

    async def on_ready(self) -> None:
        """Send what is in the outbox, now that Discord's channels are known; a successor takes its slot first."""
        succeeded = None if self._membership is None else await self._membership.succeed(self._begin_work)
        if succeeded is False:
            self._lose()
            return
        if succeeded and self._health is not None:
            self._health.partition = self.context.services.context.partition
        self._connected()
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        if self._dispatcher is not None and "dispatcher" not in self._workers:
            self._workers.start(self._dispatcher.run(), "dispatcher")
            if self.settings.picture_workers:
                self._workers.start(self.context.renderer.warm_up(), "warm-up")
        if succeeded:
            # Only now: Discord would have sent commands of a new version to a predecessor that does not know them.
            await self._register_commands()

    async def on_disconnect(self) -> None:
        """Report on the health page that Discord is out of reach, and let nothing fall due."""
        self._disconnected()

    async def on_resumed(self) -> None:
        """Report on the health page that Discord is back, and go on."""
        self._connected()

    def _connected(self) -> None:
        if self._scheduler is not None:
            self._scheduler.connected()
        if self._health is not None:
            self._health.ready = True

    def _disconnected(self) -> None:
        if self._scheduler is not None:
            self._scheduler.disconnected()
        if self._health is not None:
            self._health.ready = False

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take moves typed into a form; discord.py handles every other interaction."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return
        greet(interaction)
        for pattern, typed in _TYPED:
            match = pattern.fullmatch(str(interaction.data.get("custom_id")))
            if match is not None and await self.claim(interaction):
                await typed(interaction, match, move_builder.submitted_text(interaction))

    async def close(self) -> None:
        """Finish what is being sent, then close everything. May be called twice, and after half an opening."""
        if self._stopping is not None and self._stopping is not asyncio.current_task():
            await asyncio.gather(self._stopping, return_exceptions=True)
        if hasattr(self, "context") and self.database is not None:
            log.info("stopping, what was begun is finished")
            await self.context.in_flight.close(SHUTDOWN_TIMEOUT)
        dispatcher, self._dispatcher = self._dispatcher, None
        if dispatcher is not None:
            await dispatcher.close()
        await self._workers.close()
        page, self._web = self._web, None
        if page is not None:
            await page.close()
        health, self._health = self._health, None
        if health is not None:
            await health.close()
        if self._logs_in or not isinstance(self, commands.AutoShardedBot):
            # A client with shards cannot be closed before it has begun.
            await super().close()
        queue, self._queue = self._queue, None
        if queue is not None:
            await queue.close()
        if self._membership is not None:
            await self._membership.close()
        database, self.database = self.database, None
        if database is not None:
            await database.close()
            log.info("stopped")

    async def _credit_missed(self) -> None:
        if self._downtime is not None:
            with commits.aside():
                await self._downtime.credit_missed()

    def _wake(self) -> None:
        self._wake_here()
        if self._membership is not None:
            self._membership.tell()

    def _wake_dispatcher(self) -> None:
        if self._dispatcher is not None:
            self._dispatcher.wake()
        self._tell_pages()

    def _tell_pages(self) -> None:
        """Tell open board pages of what has changed, also those of other processes."""
        self._wake_pages()
        if self._membership is not None:
            self._membership.tell()

    def _wake_pages(self) -> None:
        if self.on_stored is not None:
            self.on_stored()

    def _wake_here(self) -> None:
        self._wake_pages()
        if self._dispatcher is not None:
            self._dispatcher.wake()
        if self._scheduler is not None:
            self._scheduler.wake()
        self._workers.wake()

    def _lose(self) -> None:
        """Stop: others have taken over from this bot, because its lease was not renewed in time."""
        if not self.lost.is_set():
            self.lost.set()
            self._stopping = asyncio.create_task(self.close())
