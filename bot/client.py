"""The Discord client: opens database, services, outbox and commands in order, and closes them in reverse order."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from functools import partial
from typing import Any

import discord
import structlog
from discord.app_commands import AppCommandContext, AppInstallationType
from discord.ext import commands

from bot.calls import CallLimits
from bot.cluster import gateway_events
from bot.cluster.cluster_member import ClusterMember
from bot.cluster.gateway import Gateway, fullest_shard
from bot.cluster.health import HealthPage
from bot.cluster.shards import Shards
from bot.cogs import command_tree
from bot.cogs.guild_events import GuildEvents
from bot.cogs.registration import CommandRegistration
from bot.compute.queue import ComputeQueue
from bot.compute.rate_limit import RateLimit
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Handler, OutboxDispatcher
from bot.delivery.handlers import create_handlers
from bot.games import GAMES
from bot.matches.background_work import BackgroundTasks, ComputerTurnRunner, RatingRunner, ReviewRunner
from bot.matches.downtime import BEATS, Downtime
from bot.matches.due_scheduler import DueScheduler
from bot.matches.service_context import Idle, PlayLimits, ServiceContext, plain_idle
from bot.matches.services import create_services
from bot.messages.pictures import BoardRenderer
from bot.requests.context import BotContext, InFlightTracker
from bot.settings import Settings
from bot.storage import commits
from bot.storage.database import Database
from bot.storage.database_checks import look_at_pages
from bot.storage.errors import ImpossibleSetting, explain_errors
from bot.storage.exclusive_use import Use
from bot.storage.registration import THINKER
from bot.storage.slots import Partition
from bot.storage.transactions import retry_until_stored
from bot.views import controls
from bot.views.discord_servers import ClientLookup
from bot.web.server import WebServer, why_not_served
from bot.web.visitors import check_members

log = structlog.get_logger(__name__)

# The bot has no voice; discord.py would log two warnings about that at every start.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
gateway_events.install()

SHUTDOWN_TIMEOUT = 10.0
"""Seconds a stop waits for requests that people have just made."""
RECEIVED_WITHIN = 1.0
"""Seconds for which the end of a match waits for moves that were received before its time was up."""


class Tavoliere(commands.AutoShardedBot):
    """The bot. ``setup_hook`` opens everything, ``close`` closes it."""

    context: BotContext

    def __init__(self, settings: Settings) -> None:
        self.calls = CallLimits(settings.slots, proxied=bool(settings.discord_api_url))
        super().__init__(
            shard_count=settings.shards or 1,
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=command_tree.CommandTree,
            allowed_installs=AppInstallationType(guild=True, user=False),
            allowed_contexts=AppCommandContext(guild=True, dm_channel=False, private_channel=False),
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
        self.turned_away = asyncio.Event()
        """Set when Discord has closed a connection for good with ``close_code`` while other shards still connect."""
        self.close_code: int | None = None
        self._membership: ClusterMember | None = None
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
        self._workers = BackgroundTasks()
        self._registration = CommandRegistration(self.tree, lambda: self.idle)
        self._shards = Shards(
            self,
            self.gateway,
            lambda: self.idle,
            lambda: None if self._membership is None else self._membership.warning,
        )

    async def login(self, token: str) -> None:
        """Open the database, and only then call Discord. Raises ``StorageError`` or ``PortError``."""
        await self._open()
        self._logs_in = True
        await super().login(token)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect the shards of this bot. The only bot of a database asks Discord how many its servers need."""
        if self._membership is None:
            limits = await self.gateway.learn()
            self.shard_count = self.settings.shards or limits.shards
            self.shard_ids = list(range(self.shard_count))
            await self.gateway.wait_for_connections(self.shard_count)
        self._workers.start(self._shards.watch(), "limits")
        await super().connect(reconnect=reconnect)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord lets one more connection identify itself, counted over all processes."""
        if self._membership is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._membership.wait_to_identify(shard_id)
        self.close_code = self._shards.close_code()
        if self.close_code is not None:
            # Discord will not let this shard in either. ``launch_shards`` would go on to the last one.
            self.turned_away.set()
            await asyncio.Event().wait()
        self.gateway.identified()

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
            self._health.connecting = self._why_not_serving
            self._health.refresh = self._shards.refresh_metrics
            self._health.warnings = lambda: [*self._shards.warnings(), *filter(None, [self._registration.problem])]
            await self._health.open()
        if (why := self._why_not_serving()) is not None:
            log.warning(why)
        if database.sqlite:
            await database.open(Use.BOT)
        else:
            # Bots on PostgreSQL register instead.
            await retry_until_stored(database.open)
        return database

    def _why_not_serving(self) -> str | None:
        """Return why this process does not connect, or could not serve if it had to; None if nothing is known."""
        host, port = self.settings.web_host, self.settings.web_port
        if self.gateway.waiting is None and self._web is None and port is not None:
            why = why_not_served(host, port)
            return why and f"WEB_PORT {port} on {host} cannot be used: {why}. Bots on one machine need different ones"
        return self.gateway.waiting

    async def setup_hook(self) -> None:
        """Build everything and start the workers. Raises ``StorageError`` or ``PortError``.

        Where several bots share the database and enough of them serve, this lasts until one of them is gone.
        """
        database = await self._open()
        assert self._queue is not None
        heartbeat = timedelta(seconds=self.settings.heartbeat)
        partition = await self._take_partition(database)
        limits = PlayLimits(
            matches=self.settings.max_matches,
            challenges=self.settings.max_challenges,
            challenge_days=self.settings.challenge_days,
        )
        handlers: dict[str, Handler] = {}
        self._dispatcher = OutboxDispatcher(
            database, handlers, discord.utils.utcnow, lambda: self.idle, time.monotonic, partition, GAMES.rules
        )
        in_flight = InFlightTracker()
        lookup = ClientLookup(self)
        context = ServiceContext(
            database,
            discord.utils.utcnow,
            self._queue,
            limits,
            credit_missed=self._credit_missed,
            requests_done=partial(in_flight.wait_until_idle, RECEIVED_WITHIN),
            partition=partition,
            has_left=lookup.has_left,
            departed_kept=timedelta(days=self.settings.departed_server_days),
            outbox=self._dispatcher,
        )
        self._downtime = Downtime(
            context, max(timedelta(seconds=1), heartbeat / BEATS), servers=lambda: fullest_shard(self.guilds)
        )
        services = create_services(context)
        renderer = BoardRenderer(context)
        self.context = BotContext(services, renderer, self.settings, self._rate_limit, lookup, in_flight)
        if self.settings.web_port is not None:
            self._web = WebServer(self.context, lambda: self.idle)
        page = database.signals.pages_elsewhere = bool(self.settings.page_url)
        handlers |= create_handlers(DeliveryContext(self, services, renderer, self.settings.threads, page))
        self._scheduler = DueScheduler(services, lambda: self.idle, self._downtime, heartbeat)
        thinkers = self.settings.thinkers
        leave_to = None if thinkers else THINKER
        self._workers.runners = {
            "computer turns": ComputerTurnRunner(services, lambda: self.idle, 2 * max(1, thinkers), leave_to),
            "reviews": ReviewRunner(services, lambda: self.idle, leave_to),
            "reratings": RatingRunner(services, lambda: self.idle),
        }
        await self.tree.set_translator(command_tree.CommandTranslator())
        await self.add_commands()
        await self.add_cog(GuildEvents(self, services, lambda: self.idle))
        controls.register(self)
        self._scheduler.disconnected()
        if self._membership is None or not self._membership.succeeding:
            await self._register_commands()
            if database.sqlite:
                with explain_errors(database.url):
                    await self._begin_work()
            else:
                await retry_until_stored(self._begin_work)
        if database.sqlite:
            self._workers.start(look_at_pages(database), "quick check")
        if self._web is not None:
            await self._web.open()

    async def _register_commands(self) -> None:
        if not await self._registration.register():
            self._workers.start(self._registration.retry(), "commands")

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
            await self.context.in_flight.wait_until_idle(SHUTDOWN_TIMEOUT)

    async def _take_partition(self, database: Database) -> Partition:
        """Return which servers this bot serves, once it may. Raises ``StorageError``."""
        if database.sqlite:
            if self.settings.slots > 1:
                raise ImpossibleSetting(
                    f"SLOTS is {self.settings.slots}, but an SQLite database is for one bot: "
                    "let DATABASE_URL name a PostgreSQL database, or leave SLOTS out."
                )
            return Partition()
        if self._health is not None:
            self._health.partition = None
        self._membership = ClusterMember(database, self.gateway, self.settings, self.calls, self._lose)
        partition = await self._membership.join()
        if self._health is not None and not self._membership.succeeding:
            # From here on it is to be served, and is not yet.
            self._health.partition = partition
        self.shard_count, self.shard_ids = partition.shards, partition.shard_ids
        await self.gateway.wait_for_connections(len(partition.shard_ids))
        return partition

    async def add_commands(self) -> None:
        await command_tree.add_commands(self)

    async def on_ready(self) -> None:
        """Send what is in the outbox, now that Discord's channels are known; a successor takes its slot first."""
        succeeded = None if self._membership is None else await self._membership.succeed(self._begin_work)
        if succeeded is False:
            self._lose()
            return
        if succeeded and self._health is not None:
            self._health.partition = self.context.services.partition
        self._on_connection()
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        if self._dispatcher is not None and "dispatcher" not in self._workers:
            self._workers.start(self._dispatcher.run(), "dispatcher")
            if self.settings.picture_workers:
                self._workers.start(self.context.renderer.warm_up(), "warm-up")
        if succeeded:
            # Only now: Discord would have sent commands of a new version to a predecessor that does not know them.
            await self._register_commands()
        self._shards.warn()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Report on the health page that Discord is out of reach, and let nothing fall due in the shard's servers."""
        self._shards.disconnected(shard_id)
        self._tell_scheduler()
        if self._health is not None:
            self._health.ready = False

    async def on_shard_ready(self, shard_id: int) -> None:
        """Go on in the shard's servers, and report once all shards are connected again."""
        if self._shards.connected(shard_id):
            self._on_connection()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on like ``on_shard_ready``."""
        await self.on_shard_ready(shard_id)

    def _on_connection(self) -> None:
        self._tell_scheduler()
        if self._health is not None:
            self._health.ready = not self._shards.out_of_reach

    def _tell_scheduler(self) -> None:
        if self._scheduler is None:
            return
        if self._shards.all_out_of_reach:
            self._scheduler.disconnected()
        else:
            self._scheduler.connected(self._shards.out_of_reach)

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
        if self._logs_in:
            # A client cannot be closed before it has begun.
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
            with commits.untracked():
                await self._downtime.credit_missed()

    def _lose(self) -> None:
        """Stop: others have taken over from this bot, because its lease was not renewed in time."""
        if not self.lost.is_set():
            self.lost.set()
            self._stopping = asyncio.create_task(self.close())


def create_bot(settings: Settings) -> Tavoliere:
    """Return a bot for these settings; start it with its token, or attach it to a simulated Discord."""
    if settings.discord_api_url:
        # All HTTP calls go there, with answers to interactions; the gateway does not.
        discord.http.Route.BASE = settings.discord_api_url
    return Tavoliere(settings)
