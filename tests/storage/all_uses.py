"""Does once each thing that people can do or that falls due, in a server with many matches.

Tests watch the statements that reach the database meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

from bot.matches.model.actor import Actor
from bot.matches.model.policies import clocks
from bot.matches.model.refusals import Refusal
from bot.matches.services import Services
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.storage import bars, blocks, match_lists
from bot.storage.leaderboards import Part
from bot.storage.records import First, Person
from tests.lifecycle.harness import Harness
from tests.support.acting import FINISHED
from tests.support.crowds.asker import Asker

T = TypeVar("T")

UNLIMITED = Terms("yonmoque", "standard", 2, First.CHALLENGER)
TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)
GUEST, OTHER = Person(7, "Guest"), Person(8, "Other")
TRIO = Terms("rectangles", "6x6", 3, First.CHALLENGER)


@dataclass
class Uses:
    """A person with many matches, and two guests without any."""

    harness: Harness
    asker: Asker

    def __post_init__(self) -> None:
        self.player = Person(self.asker.user, "A player")
        self.guild, self.channel = self.asker.guild, self.asker.channel
        self._interactions = count(1)

    @property
    def services(self) -> Services:
        """The services."""
        return self.harness.services

    def run(self, action: Awaitable[T]) -> T:
        """Run ``action`` to its end."""
        return self.harness.run(action)

    def interaction(self) -> int:
        """Return the id of another interaction."""
        return next(self._interactions)

    def actor(self, person: Person) -> Actor:
        """Return a person who asks for something now."""
        return Actor(self.guild, person, self.interaction(), self.harness.now, self.channel)

    def request(self, match_id: int, person: Person) -> tuple[Actor, int, int | None]:
        """Return a person's request in a match, made now."""
        return (Actor(self.guild, person, self.interaction(), self.harness.now), match_id, None)

    def turn(self) -> None:
        """Take a turn in one match among thousands, until its board is marked as posted."""
        view = self.run(self.services.queries.match_view(self.guild, self.asker.running))
        position = view.game_state.position
        move = next(str(move) for move in position.legal_moves() if position.question(move) is None)
        mover = view.match.mover.person
        self.run(self.services.turns.play(*self.request(self.asker.running, mover), move))
        self.harness.deliver()

    def everything(self) -> None:
        """Do each thing once."""
        self.harness.keep_time()
        self.turn()
        over = self._match()
        self._agreements()
        self._challenges()
        self._computers()
        self._looks()
        self._people()
        self._review(over)
        self._puzzles()
        self._time()
        self._server(over)
        self.harness.deliver()
        self.run(self.services.privacy.export(self.player.id))
        self.run(self.services.privacy.erase(self.player, self.interaction()))
        self.harness.deliver()

    def _offered(self, terms: Terms = UNLIMITED, to: Person | None = None, by: Person = GUEST) -> int:
        offer = self.services.challenges.offer
        return self.run(offer(self.actor(by), to, terms))

    def _begun(self, terms: Terms = UNLIMITED) -> int:
        accept = self.services.challenges.accept
        begun = self.run(accept(self.actor(OTHER), self._offered(terms)))
        assert begun is not None
        self.harness.deliver()
        return begun

    def _match(self) -> int:
        number = self._begun()
        for ply, move in enumerate(FINISHED):
            self.run(self.services.turns.play(*self.request(number, (GUEST, OTHER)[ply % 2]), move))
            self.harness.deliver()
        self.run(self.services.rematches.ask(self.actor(OTHER), number))
        self.run(self.services.forfeits.resign(*self.request(self._begun(), OTHER)))
        return number

    def _agreements(self) -> None:
        agreements, number = self.services.agreements, self._begun()
        for ply, move in enumerate(FINISHED[:2]):
            self.run(self.services.turns.play(*self.request(number, (GUEST, OTHER)[ply % 2]), move))
        for ask, answer in ((agreements.ask_takeback, Answer.ACCEPT), (agreements.offer_draw, Answer.ACCEPT)):
            self.run(ask(*self.request(number, OTHER)))
            self.harness.deliver()
            (offer,) = self.harness.select("SELECT id FROM offers WHERE match_id = ? AND state = 'open'", number)
            self.run(agreements.answer(self.actor(GUEST), offer, answer))
            self.harness.deliver()

    def _challenges(self) -> None:
        challenges, lobby = self.services.challenges, self._offered(TRIO)
        self.run(challenges.accept(self.actor(OTHER), lobby))
        self.run(challenges.leave(self.actor(OTHER), lobby))
        self.run(challenges.accept(self.actor(OTHER), lobby))
        self.run(challenges.start(self.actor(GUEST), lobby))
        self.run(challenges.cancel(self.actor(GUEST), self._offered()))
        self.run(challenges.decline(self.actor(OTHER), self._offered(to=OTHER)))
        self.harness.deliver()

    def _computers(self) -> None:
        play = self.services.computer_opponents.play
        number = self.run(play(self.actor(GUEST), 1, UNLIMITED))
        self.run(self.services.turns.play(*self.request(number, GUEST), FINISHED[0]))
        self.run(self.harness.let_computers_move())
        self.harness.deliver()

    def _looks(self) -> None:
        queries, player, guild = self.services.queries, self.player.id, self.guild
        opponent = self.harness.select("SELECT user_id FROM seats WHERE match_id = ?", self.asker.over)[0]
        read = self.services.read
        looks: tuple[Awaitable[Any], ...] = (
            read(match_lists.running_of, guild, player),
            read(match_lists.finished_of, guild, player, offset=0, limit=9),
            read(match_lists.finished_of, guild, player, opponent_id=opponent, game="redo", offset=0, limit=9),
            read(match_lists.next_for, guild, player, self.asker.running),
            queries.candidates(guild, self.channel, player, finished=True),
            queries.candidates(guild, self.asker.thread, player, finished=False),
            queries.review_candidates(guild, self.channel, player),
            read(match_lists.in_place, guild, self.channel, player),
            queries.leaderboard(guild, "redo", Part(0, 10, 0)),
            queries.leaderboard(guild, "", Part(0, 10, 0)),
            queries.winners(guild, "redo", Part(0, 10, 0)),
            read(match_lists.names, guild, [player, opponent]),
            queries.profile(guild, player, opponent),
            queries.earlier_turn(self.asker.over, 1),
            queries.match_and_entries(guild, self.asker.over),
        )
        for look in looks:
            self.run(look)

    def _people(self) -> None:
        settings, absences, player = self.services.personal_settings, self.services.absences, self.player.id
        self.run(settings.prefer(player, lambda before: before))
        self.run(settings.block(player, GUEST.id, blocked=True))
        self.run(settings.block(player, GUEST.id, blocked=False))
        self.run(self.services.read(blocks.blocked_by, player))
        self.run(absences.leave_until(player, self.harness.now + timedelta(days=3)))
        self.run(absences.absence(player))
        self.run(absences.come_back(player))

    def _review(self, over: int) -> None:
        reviews = self.services.reviews
        self.run(reviews.ask(self.guild, over, GUEST.id))
        for number in self.run(reviews.take(8)):
            self.run(reviews.judge(number))
        self.run(reviews.review_for(self.guild, over, GUEST.id))
        self.run(self.services.hints.best(self.guild, over, 0, GUEST.id))

    def _puzzles(self) -> None:
        puzzles, daily = self.services.puzzles, self.services.daily_puzzles
        view = self.run(puzzles.begin(self.player.id, "rectangles"))
        move = view.puzzle.solution[0]
        self.run(puzzles.try_move(self.player.id, view.attempt.id, 0, move, self.interaction()))
        self.run(puzzles.rating_of(self.player.id))
        self.run(daily.announce(self.guild, self.channel, 12, "UTC"))
        self.harness.pass_time(timedelta(days=1, minutes=5))
        day = self.harness.now.date()
        if self.run(daily.view(self.guild, day)) is not None:
            self.run(puzzles.begin_daily(self.player.id, self.guild, day))
        self.run(daily.stop(self.guild))

    def _time(self) -> None:
        number = self._begun(TIMED)
        # Where days away are left, the first ones are spent before the claim.
        for _day in range(clocks.MOST_GRACES + 1):
            self.harness.pass_time(timedelta(days=1, hours=1))
            self.harness.deliver()
            with suppress(Refusal):
                self.run(self.services.forfeits.claim_win(*self.request(number, OTHER)))
        self.run(self.harness.downtime.credit_downtime())
        self.run(self.harness.downtime.beat())

    def _server(self, over: int) -> None:
        self.run(self.services.server_settings.change(self.guild, lambda before: before))
        self.run(self.services.voiding.void(self.guild, over, self.player.id, self.interaction()))
        self.run(self.services.bars.bar(self.guild, OTHER.id, self.interaction()))
        self.run(self.services.read(bars.in_server, self.guild))
        self.run(self.services.bars.unbar(self.guild, OTHER.id))
        self.run(self.services.departures.bot_left(self.guild))
        self.run(self.services.departures.bot_returned(self.guild))
        self.run(self.services.departures.compare([self.guild]))
