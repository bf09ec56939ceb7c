"""The Discord client: opens database, services, outbox and commands in order, and closes them in reverse order."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from typing import Any

import discord
import structlog
from discord.app_commands import AppCommandContext, AppInstallationType
from discord.ext import commands

from bot.calls import CallLimits
from bot.cluster import gateway_events
from bot.cluster.gateway import Gateway, fullest_shard
from bot.cluster.health import HealthPage
from bot.cluster.membership import Member, OnlyBot
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
from bot.matches.services import Services, create_services
from bot.messages.pictures import BoardRenderer
from bot.requests.context import BotContext, InFlightTracker
from bot.settings import Settings
from bot.storage import commits
from bot.storage.database import Database
from bot.storage.database_checks import look_at_pages
from bot.storage.processes import THINKER
from bot.views import controls
from bot.views.discord_servers import ClientLookup
from bot.views.permissions import install_link
from bot.web.server import WebPortError, WebServer, why_not_served
from bot.web.visitors import check_members

log = structlog.get_logger(__name__)

# The bot has no voice; discord.py would log two warnings about that at every start.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
gateway_events.install()

SHUTDOWN_TIMEOUT = 10.0
"""Seconds a stop waits for requests that people have just made."""
PAGE_TRIED_EVERY = 1.0
"""Seconds between two attempts to serve the board page on a port that another bot has."""
RECEIVED_WITHIN = 1.0
"""Seconds for which the end of a match waits for moves that were received before its time was up."""


class Tavoliere(commands.AutoShardedBot):
    """The bot. ``login`` opens the database and the page for machines, ``setup_hook`` everything else, ``close`` closes
    it all.
    """

    database: Database
    context: BotContext
    _membership: OnlyBot
    _queue: ComputeQueue
    _dispatcher: OutboxDispatcher
    _downtime: Downtime
    _scheduler: DueScheduler
    _page: WebServer
    """The board page, where this bot serves one."""

    def __init__(self, settings: Settings) -> None:
        self.calls = CallLimits(proxied=bool(settings.discord_api_url))
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
        self.lost = asyncio.Event()
        """Set when other processes have taken over from this bot, which then begins to close."""
        self.turned_away = asyncio.Event()
        """Set when Discord has closed a connection for good with ``close_code`` while other shards still connect."""
        self.close_code: int | None = None
        self._opened = AsyncExitStack()
        """Closes what is open, the last thing that was opened first."""
        self._closing = asyncio.Lock()
        self._stopping: set[asyncio.Task[None]] = set()
        self._rate_limit = RateLimit()
        self._workers = BackgroundTasks()
        self._registration = CommandRegistration(self.tree, lambda: self.idle)
        self._shards = Shards(self, self.gateway, lambda: self.idle, lambda: self._membership.warning)
        self._is_open = self._page_served = self._was_ready = False

    async def login(self, token: str) -> None:
        """Open the database, and only then call Discord. Raises ``StorageError`` or ``PortError``."""
        await self._open()
        # A client cannot be closed before it has begun.
        self._opened.push_async_callback(super().close)
        await super().login(token)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect the shards, as many as Discord recommends unless the settings name another number."""
        limits = await self.gateway.learn()
        self.shard_count = self.settings.shards or limits.shards
        self.shard_ids = list(range(self.shard_count))
        await self.gateway.wait_for_connections(self.shard_count)
        self._workers.start(self._shards.watch(), "limits")
        await super().connect(reconnect=reconnect)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord lets one more connection identify itself."""
        await self.gateway.wait_to_identify(shard_id or 0)
        self.close_code = self._shards.close_code()
        if self.close_code is not None:
            # Discord will not let this shard in either. ``launch_shards`` would go on to the last one.
            self.turned_away.set()
            await asyncio.Event().wait()
        self.gateway.identified()

    async def _open(self) -> None:
        """Open the page for machines and the database, once a server of PostgreSQL answers."""
        if self._is_open:
            return
        self._is_open = True
        settings = self.settings
        database = self.database = Database(settings.database_url, settings.database_direct_url, limited=True)
        self._opened.callback(log.info, "stopped")
        self._opened.push_async_callback(database.close)
        if database.sqlite:
            self._membership = OnlyBot(database)
        else:
            member = self._membership = Member(database, self.gateway, settings.shards, self._lose)
            self.calls.lease_expired = member.registration.has_lapsed
        self._opened.push_async_callback(self._membership.close)
        self._queue = ComputeQueue(
            settings.workers, settings.picture_workers, settings.thinkers, charge=self._rate_limit.charge_seconds
        )
        self._opened.push_async_callback(self._queue.close)
        if settings.metrics_port is not None:
            await self._serve_health_page(settings.metrics_port)
        if (why := self._why_no_page()) is not None:
            log.warning(why)
        await self._membership.open()

    async def _serve_health_page(self, port: int) -> None:
        """Serve the page for machines until this bot is closed. Raises ``PortError``."""
        heartbeat = timedelta(seconds=self.settings.heartbeat)
        page = HealthPage(
            self.database, port, discord.utils.utcnow, heartbeat, self._queue.longest_wait, self.settings.metrics_host
        )
        page.active = lambda: self._membership.active
        page.connected = lambda: self._was_ready and not self._shards.out_of_reach
        page.connecting = lambda: self.gateway.waiting
        page.ended, page.trouble = self._workers.ended, self._workers.failing
        page.refresh = self._shards.refresh_metrics
        page.warnings = self._warnings
        await page.open()
        self._opened.push_async_callback(page.close)

    def _warnings(self) -> list[str]:
        return [*self._shards.warnings(), *filter(None, [self._registration.problem, self._why_no_page()])]

    def _why_no_page(self) -> str | None:
        """Return why this process cannot serve the board page, or could not if it had to; None if nothing is known."""
        host, port = self.settings.web_host, self.settings.web_port
        if self._page_served or port is None or (why := why_not_served(host, port)) is None:
            return None
        return (
            f"WEB_PORT {port} on {host} cannot be used: {why}. A bot that takes over serves the page once it is free; "
            "give bots on one machine different ones"
        )

    async def setup_hook(self) -> None:
        """Build everything and start the workers. Raises ``StorageError`` or ``PortError``.

        Where another bot on the database is active, this lasts until that one is gone or names this one its successor.
        """
        await self._open()
        await self._membership.join()
        services = self._build()
        await self.tree.set_translator(command_tree.CommandTranslator())
        await self.add_commands()
        if self.context.install_url:
            command_tree.offer_to_persons(self.tree)
        await self.add_cog(GuildEvents(self, services, lambda: self.idle))
        controls.register(self)
        self._scheduler.disconnected()
        if self.settings.web_port is not None:
            self._page = WebServer(self.context, lambda: self.idle)
            self._opened.push_async_callback(self._page.close)
        self._opened.push_async_callback(self._workers.close)
        self._opened.push_async_callback(self._dispatcher.close)
        self._opened.push_async_callback(self.context.in_flight.close, SHUTDOWN_TIMEOUT)
        self._opened.callback(log.info, "stopping, what was begun is finished")
        if not self._membership.succeeding:
            await self._register_commands()
            await self._membership.serve(self._begin_work)
        if self.database.sqlite:
            self._workers.start(look_at_pages(self.database), "quick check")
        if self.settings.web_port is not None:
            await self._serve_page()

    def _build(self) -> Services:
        """Build the services and workers, and return the services."""
        settings, database = self.settings, self.database
        heartbeat = timedelta(seconds=settings.heartbeat)
        handlers: dict[str, Handler] = {}
        self._dispatcher = OutboxDispatcher(
            database, handlers, discord.utils.utcnow, lambda: self.idle, time.monotonic, GAMES.rules
        )
        in_flight, lookup = InFlightTracker(), ClientLookup(self)
        context = ServiceContext(
            database,
            discord.utils.utcnow,
            self._queue,
            PlayLimits(
                matches=settings.max_matches,
                challenges=settings.max_challenges,
                challenge_days=settings.challenge_days,
            ),
            credit_missed=self._credit_missed,
            requests_done=partial(in_flight.wait_until_idle, RECEIVED_WITHIN),
            has_left=lookup.has_left,
            departed_kept=timedelta(days=settings.departed_server_days),
            outbox=self._dispatcher,
        )
        self._downtime = Downtime(
            context, max(timedelta(seconds=1), heartbeat / BEATS), servers=lambda: fullest_shard(self.guilds)
        )
        services = create_services(context)
        renderer = BoardRenderer(context)
        application = self.application
        may_install = application is not None and application.user_integration_config is not None
        install_url = install_link(application.id) if application is not None and may_install else ""
        self.context = BotContext(services, renderer, settings, self._rate_limit, lookup, in_flight, install_url)
        page = bool(settings.page_url)
        shown = DeliveryContext(self, services, renderer, settings.threads, page, settings.watched_url)
        handlers |= create_handlers(shown)
        self._scheduler = DueScheduler(services, lambda: self.idle, self._downtime, heartbeat)
        thinkers = settings.thinkers
        leave_to = None if thinkers else THINKER
        self._workers.runners = {
            "computer turns": ComputerTurnRunner(services, lambda: self.idle, 2 * max(1, thinkers), leave_to),
            "reviews": ReviewRunner(services, lambda: self.idle, leave_to),
            "reratings": RatingRunner(services, lambda: self.idle),
        }
        return services

    async def _register_commands(self) -> None:
        if not await self._registration.register():
            self._workers.start(self._registration.retry(), "commands")

    async def _serve_page(self) -> None:
        """Serve the board page. Raises ``WebPortError``, unless another bot may still have the port."""
        try:
            await self._page.open()
            self._page_served = True
        except WebPortError as error:
            if not self._membership.stood_by:
                raise
            if "page" not in self._workers:
                log.warning("no board page yet", error=str(error))
                self._workers.start(self._serve_page_later(), "page")

    async def _serve_page_later(self) -> None:
        while not self._page_served:
            await self.idle(asyncio.sleep(PAGE_TRIED_EVERY), reason="another bot has the port of the page")
            await self._serve_page()

    async def _begin_work(self) -> None:
        """Credit the downtime to all clocks, and start the background workers."""
        await self._downtime.credit_downtime()
        self._workers.start(self._scheduler.run(), "scheduler")
        for name, runner in self._workers.runners.items():
            self._workers.start(runner.run(), name)
        if self.settings.page_url:
            self._workers.start(check_members(self.context, lambda: self.idle), "members")

    async def answers(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether an interaction is this bot's to answer."""
        return await self._membership.answers(interaction)

    async def hand_over(self, at_once: asyncio.Event) -> None:
        """Let a bot that stands by take over before this one stops; ``at_once`` ends the waiting.

        What this bot has reserved by then, it still answers.
        """
        if not hasattr(self, "context"):
            return  # what it has to hand over is not built yet
        shards = self.shard_count or 1
        if await self._membership.hand_over(shards, self._downtime.beat, self._finish_work, at_once):
            await self.context.in_flight.wait_until_idle(SHUTDOWN_TIMEOUT)

    async def _finish_work(self) -> None:
        """Finish what is being sent and worked on; requests of people go on."""
        await self._dispatcher.close()
        await self._workers.close()

    async def add_commands(self) -> None:
        await command_tree.add_commands(self)

    async def on_ready(self) -> None:
        """Send what is in the outbox, now that Discord's channels are known; a successor becomes active first."""
        succeeded = await self._membership.succeed(self._begin_work)
        if succeeded is False:
            self._lose()
            return
        self._was_ready = True
        self._tell_scheduler()
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        if "dispatcher" not in self._workers:
            self._workers.start(self._dispatcher.run(), "dispatcher")
            if self.settings.picture_workers:
                self._workers.start(self.context.renderer.warm_up(), "warm-up")
        if succeeded:
            # Only now: Discord would have sent commands of a new version to a predecessor that does not know them.
            await self._register_commands()
        self._shards.warn()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Let nothing fall due in the servers of a shard that is out of reach."""
        self._shards.disconnected(shard_id)
        self._tell_scheduler()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Go on in the servers of a shard that is connected again."""
        if self._shards.connected(shard_id):
            self._tell_scheduler()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on like ``on_shard_ready``."""
        await self.on_shard_ready(shard_id)

    def _tell_scheduler(self) -> None:
        if self._shards.all_out_of_reach:
            self._scheduler.disconnected()
        else:
            self._scheduler.connected(self._shards.out_of_reach)

    async def close(self) -> None:
        """Finish what is being sent, then close everything. May be called twice, and after half an opening."""
        async with self._closing:
            await self._opened.aclose()

    async def _credit_missed(self, match_id: int | None = None) -> None:
        with commits.untracked():
            await self._downtime.credit_missed(match_id)

    def _lose(self) -> None:
        """Stop: others have taken over from this bot, because its lease was not renewed in time."""
        if not self.lost.is_set():
            self.lost.set()
            self._stopping.add(asyncio.create_task(self.close()))


def create_bot(settings: Settings) -> Tavoliere:
    """Return a bot for these settings; start it with its token, or attach it to a simulated Discord."""
    if settings.discord_api_url:
        # All HTTP calls go there, with answers to interactions; the gateway does not.
        discord.http.Route.BASE = settings.discord_api_url
    return Tavoliere(settings)
