"""A server lives through days in simulated time: people look in by their habits, the bot is restarted and is away.

People decide by what they see: mentions, boards with Play, cards with Accept. Their moves are legal ones at random. All
of it follows from a seed.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice
from random import Random
from typing import Any

import aiosqlite
import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult, ResponseMessage, to_discord_message

import tests.support.settling
import tests.support.shared_database  # noqa: F401 - for its effect
from bot import client
from bot.client import create_bot
from bot.delivery import dispatcher
from bot.games.game import split_text
from bot.matches import background_work
from bot.matches.model import building
from bot.matches.service_context import ServiceContext
from bot.settings import Settings
from bot.storage import challenges, match_lists, puzzles
from bot.storage.records import ChallengeState, Match
from bot.views import builder_ids
from bot.views.permissions import PERMISSIONS
from renderers import image
from tests.crash.bot_process import BLANK
from tests.fortnight.account import Account, controls_of, kept
from tests.fortnight.people import DAY, GAMES, HOUR, PEOPLE, Habits
from tests.fortnight.truth import Truth
from tests.support.acting import answer, build, itself, pressed
from tests.support.simulated_discord import SimulatedDiscord, give_management, let_post, regrant, simulated_discord
from tests.support.unthreaded import connect_unthreaded, execute_unthreaded

HEARTBEAT = 6 * HOUR
"""Heartbeats are stored twelve times as often, and so often the bot looks for news of other processes on PostgreSQL,
of which there are none: more of both would only take time."""
BEGINS_AFTER = 3 * DAY
"""The simulation begins on a Thursday, the fortnight on a Sunday: a day later there is a weekly post."""
RESTART = 3 * HOUR + 41 * 60
"""The time of the daily restart, in seconds from midnight."""
TRIED = 60
"""The legal moves among which a winning one is looked for."""
PLAY = re.compile(r"play:(\d+):(\d+)(?::\w+)?")
Event = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Member:
    """A person in the server: their habits, and what they have taken notice of."""

    habits: Habits
    actor: MemberActor
    done: set[str] = field(default_factory=set)
    """The controls that they have pressed and need only once."""
    coming: bool = False
    """Whether a mention has them look soon."""


@dataclass(frozen=True, slots=True)
class Session:
    """What a person played at once: the matches that waited, and the actions beyond those of the moves."""

    matches: int
    taps: int


@dataclass(frozen=True, slots=True)
class Course:
    """What a life is like: how many days, with an outage on one of them, counted from 0, and how much is played.

    ``seed`` decides on all that is random. No person has more than ``most`` matches running by their own wish.
    """

    seed: int
    days: int
    outage_on: int
    outage: timedelta = timedelta(hours=4)
    most: int = 99
    cup: int = 5


class Life:
    """The days of a server."""

    def __init__(self, sim: SimulatedDiscord, account: Account, course: Course) -> None:
        self.sim, self.account, self.course = sim, account, course
        people = {one.name: one for one in (sim.alice, sim.bob, sim.carol, *sim.more)}
        self.members = {people[name].id: Member(habits, people[name]) for name, habits in PEOPLE.items()}
        self.sessions: list[Session] = []
        self.truth = Truth(sim, account)
        self._events: list[tuple[datetime, int, Event]] = []
        self._order = count()
        self._seen = 0

    async def live(self) -> None:
        """Live all days, with a restart in each."""
        await self.sim.env.advance_time(BEGINS_AFTER)
        self.begun = begun = self.sim.env.now()
        await self._set_up()
        for day in range(self.course.days):
            midnight = begun + timedelta(days=day)
            self._plan(midnight + timedelta(seconds=RESTART), self.sim.restart)
            for member in self.members.values():
                self._plan_looks(member, day, midnight)
            for hour in range(24):
                self._plan(midnight + timedelta(hours=hour, minutes=30), self.truth.check)
        outage = begun + timedelta(days=self.course.outage_on, hours=11)
        self.outage = outage, outage + self.course.outage
        self._plan(outage, self._be_away)
        end = begun + timedelta(days=self.course.days)
        while self._events and self._events[0][0] < end:
            at, _, event = heappop(self._events)
            await self._until(at)
            await event()
            self._plan_answers()
        await self._until(end)
        await self.truth.check()
        self.ended = self.sim.env.now()

    def _plan(self, at: datetime, event: Event) -> None:
        heappush(self._events, (at, next(self._order), event))

    def _plan_looks(self, member: Member, day: int, midnight: datetime) -> None:
        habits = member.habits
        if habits.leaves is not None and day >= habits.leaves:
            return
        for hour in habits.looks:
            minute = self._random(member.actor.name, day, hour).randrange(60)
            at = midnight + timedelta(hours=(hour - habits.zone) % 24, minutes=minute)
            if habits.local(at).weekday() in habits.weekdays:
                self._plan(at, partial(self.look, member))

    def _plan_answers(self) -> None:
        """Have people come whom a new mention calls."""
        now = self.sim.env.now()
        for post in self.account.posts[self._seen :]:
            for person in post.mentioned if post.loud else ():
                member = self.members[person]
                after = member.habits.answers_after
                if after is not None and member.habits.is_awake(now) and not member.coming:
                    member.coming = True
                    self._plan(now + timedelta(minutes=after), partial(self.look, member))
        self._seen = len(self.account.posts)

    async def _until(self, at: datetime) -> None:
        left = (at - self.sim.env.now()).total_seconds()
        if left > 0:
            await self.sim.env.advance_time(left)

    async def _be_away(self) -> None:
        """Stop the bot, and start another one after the time of the outage."""
        sim = self.sim
        another = create_bot(sim.settings)
        another.idle = sim.env.external_wait
        await sim.bot.close()
        await sim.env.advance_time(self.course.outage.total_seconds())
        await sim.env.restart_bot(another)

    async def _set_up(self) -> None:
        """Have Alice, who manages the server, set up the puzzle of the day and start a cup; some join the ladder."""
        # The simulation, unlike Discord, lets only those change a thread who manage channels.
        regrant(self.sim, discord.Permissions(PERMISSIONS.value | discord.Permissions(manage_channels=True).value))
        give_management(self.sim, self.sim.alice)
        await self.sim.alice.slash(self.sim.channel, "settings", puzzle_channel=self.sim.channel)
        await self.sim.alice.slash(self.sim.channel, "cup", game="yonmoque", players=self.course.cup)
        for person in (self.sim.alice, self.sim.carol):
            await person.slash(self.sim.channel, "ladder", game="yonmoque")

    async def look(self, member: Member) -> None:
        """Let a person look in: they play what waits, accept what is offered, and challenge others."""
        member.coming = False
        await self._play(member)
        for stored, control in self._claims(member):
            await self._press(member, stored, control)
        await self._press_posts(member)
        running = await self._running(member)
        wanted = min(member.habits.wanted, self.course.most) - len(running)
        for message, control in await self._offered(member):
            if wanted > 0:
                await self._press(member, message, control)
                wanted -= 1
        if wanted > 0:
            await self._challenge(member)
        await self._play(member)

    async def _play(self, member: Member) -> None:
        """Play all that waits, from where a mention leads, or the list of matches, and on by the button Next."""
        running = await self._running(member)
        waiting = self._waiting(member, running)
        message, control = self._mentioned(member)
        played = taps = 0
        if control is None and member.habits.lists and running:
            listed = answer(await self._noted(member, member.actor.slash(self.sim.channel, "matches")))
            message, control = listed, self._play_control(controls_of(listed._message))
            taps += control is not None
        while control is not None and message is not None:
            message = await self._move(member, message, control)
            played += 1
            await self.sim.env.advance_time(self._random(member.actor.name, control).randint(20, 60))
            control = self._play_control(controls_of(message._message))
        if played:
            # What the buttons do not lead to takes the list and its button.
            missed = waiting & self._waiting(member, await self._running(member))
            self.sessions.append(Session(played, taps + 2 * len(missed)))

    async def _move(self, member: Member, message: Any, control: str) -> ResponseMessage:
        """Have a person open a board by a control and play a move; return what they see then."""
        number, ply = self._turn_of(control)
        builder = answer(await self._noted(member, member.actor.click(message, custom_id=control)))
        view = await self.sim.bot.context.services.queries.match_view(self.sim.guild.id, number)
        assert view.match.ply == ply, f"{control} is on a board that is not the newest: {view.match}"
        move, actor = self._chosen(view.game_state.position, number, ply), member.actor
        if member.habits.types:
            return answer(
                await self._noted(member, actor.slash(self.sim.place(view.match.place_id), "move", move=move))
            )
        if view.match.game == "gyges":
            form = await self._noted(member, actor.click(builder, label="Type"))
            await self._noted(member, actor.submit_modal(form, {"move": move}))
        else:
            await build(actor, builder, move)
            self._note(member)
        return builder

    def _chosen(self, position: Any, number: int, ply: int) -> str:
        """Return a move that wins if one is seen among some legal moves, or else any of them."""
        moves = list(islice(position.legal_moves(), 400))
        self._random("move", number, ply).shuffle(moves)
        for move in moves[:TRIED]:
            result = position.play(move).result
            if result is not None and result.winners == {position.to_move}:
                return str(move)
        return str(moves[0])

    async def _press_posts(self, member: Member) -> None:
        """Have a person press what is in the channel and is for everybody: a cup, a weekly post, a puzzle."""
        habits = member.habits
        for stored in list(self.sim.env.backend.messages[self.sim.channel.id].values())[-40:]:
            for control in controls_of(stored):
                if control in member.done:
                    continue
                wanted = (
                    (habits.cup and control.startswith("cup:join:") and member.actor is not self.sim.alice)
                    or (habits.ladder and control == "ladder:join")
                    or (habits.solves and control.startswith(f"daily:{self.sim.env.now().date()}"))
                )
                if wanted:
                    member.done.add(control)
                    shown = await self._press(member, stored, control)
                    if control.startswith("daily:"):
                        await self._solve(member, answer(shown))

    async def _solve(self, member: Member, shown: ResponseMessage) -> None:
        """Have a person solve the puzzle that they have opened, and share it now and then."""
        async with self.sim.bot.context.services.database.read() as tx:
            attempt = (await puzzles.attempts_of(tx, member.actor.id))[-1]
        view = await self.sim.bot.context.services.puzzles.view(member.actor.id, attempt.id)
        for ply, move in enumerate(view.puzzle.solution):
            if ply % 2 == 0:
                played = builder_ids.PUZZLE_BUILDER("play", attempt.id, ply, 0, split_text(move))
                await pressed(self.sim, member.actor, shown, played)
        if self._random("share", member.actor.name, attempt.id).random() < 0.3:
            await member.actor.click(shown, label="Share")

    async def _offered(self, member: Member) -> list[tuple[Any, str]]:
        """Return the challenges that a person would accept, with the button of each card; theirs first."""
        found = []
        for stored in self.sim.env.backend.messages[self.sim.channel.id].values():
            accept = next((one for one in controls_of(stored) if one.startswith("challenge:accept:")), None)
            if accept is None:
                continue
            async with self.sim.bot.context.services.database.read() as tx:
                challenge = await challenges.get(tx, int(accept.rpartition(":")[2]))
            assert challenge is not None
            assert challenge.state is ChallengeState.OPEN, f"a card with Accept, but it is {challenge.state}"
            mine = challenge.opponent_id == member.actor.id
            open_ = challenge.opponent_id is None and challenge.pace in member.habits.paces
            if challenge.challenger_id != member.actor.id and (mine or open_):
                found.append((not mine, stored.id, stored, accept))
        return [(stored, accept) for _, _, stored, accept in sorted(found, key=lambda one: one[:2])]

    async def _challenge(self, member: Member) -> None:
        random = self._random("challenge", member.actor.name, self.sim.env.now())
        habits, actor = member.habits, member.actor
        if random.random() >= habits.challenges:
            return
        game, variant = random.choice(GAMES)
        given: dict[str, Any] = {"game": game, "pace": str(random.choice(habits.paces)), "players": 2}
        others = [other.actor for other in self.members.values() if other is not member]
        if habits.against_bot and random.random() < 0.5:
            given = {"game": game, "opponent": itself(self.sim), "level": 1}
        elif random.random() < 0.5:
            given["opponent"] = random.choice(others)
        if variant is not None:
            given["variant"] = variant
        await self._noted(member, actor.slash(self.sim.channel, "challenge", **given))

    def _mentioned(self, member: Member) -> tuple[Any, str | None]:
        """Return the newest message with Play that has mentioned a person, and its button."""
        for post in reversed(self.account.posts):
            stored = self.sim.env.backend.messages[post.channel_id].get(post.id)
            if stored is not None and member.actor.id in post.mentioned:
                control = self._play_control(controls_of(stored))
                if control is not None:
                    return to_discord_message(self.sim.env, stored), control
        return None, None

    def _claims(self, member: Member) -> list[tuple[Any, str]]:
        """Return the messages by which a person may claim a win, each with its button."""
        posts = [post for post in self.account.posts if post.kind == "claim" and member.actor.id in post.mentioned]
        found = [self.sim.env.backend.messages[post.channel_id][post.id] for post in posts]
        return [(stored, one) for stored in found for one in controls_of(stored) if one.startswith("claim:")]

    async def _press(self, member: Member, stored: Any, control: str) -> InteractionResult:
        message = to_discord_message(self.sim.env, stored)
        return await self._noted(member, member.actor.click(message, custom_id=control))

    async def _noted(self, member: Member, action: Awaitable[InteractionResult]) -> InteractionResult:
        done = await action
        self._note(member)
        return done

    def _note(self, member: Member) -> None:
        self.account.acts.append((self.sim.env.now(), member.actor.id))

    async def _running(self, member: Member) -> list[Match]:
        async with self.sim.bot.context.services.database.read() as tx:
            return list(await match_lists.running_of(tx, self.sim.guild.id, member.actor.id))

    @staticmethod
    def _waiting(member: Member, running: list[Match]) -> set[tuple[int, int]]:
        """Return the matches in which it is a person's turn, with their plies."""
        return {(match.id, match.ply) for match in running if match.is_turn_of(member.actor.id)}

    @staticmethod
    def _play_control(controls: tuple[str, ...]) -> str | None:
        return next((one for one in controls if PLAY.fullmatch(one)), None)

    @staticmethod
    def _turn_of(control: str) -> tuple[int, int]:
        found = PLAY.fullmatch(control)
        assert found is not None
        return int(found[1]), int(found[2])

    def _random(self, *of: object) -> Random:
        return Random(":".join(map(str, (self.course.seed, *of))))


@asynccontextmanager
async def lived(settings: Settings, course: Course) -> AsyncIterator[Life]:
    """Have a server live on a database, and yield it at the end of its days, while the bot still runs."""

    def prepare(sim: SimulatedDiscord) -> None:
        names = [name for name in PEOPLE if name not in ("alice", "bob", "carol")]
        users = (sim.env.create_user(name, global_name=name.title()) for name in names)
        sim.more = tuple(map(sim.guild.add_member, users))
        let_post(sim.guild, *sim.more)

    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        # Drawing takes time.
        patch.setattr(image, "png", lambda *_scene, **_options: BLANK)
        patch.setattr(aiosqlite, "connect", connect_unthreaded)
        patch.setattr(aiosqlite.Connection, "_execute", execute_unthreaded)
        chance = Random(course.seed)
        patch.setattr(client, "ServiceContext", partial(ServiceContext, random=chance))
        patch.setattr(building, "SystemRandom", lambda: chance)
        for polling in (dispatcher, background_work):
            patch.setattr(polling, "POLLED_EVERY", HEARTBEAT)
        account = stack.enter_context(kept(patch))
        settings = settings.model_copy(update={"heartbeat": HEARTBEAT})
        async with simulated_discord(settings, prepare) as sim:
            life = Life(sim, account, course)
            await life.live()
            yield life
