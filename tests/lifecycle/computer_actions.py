"""Actions of people with computer players: play one at once, have one take up a challenge, seat some beside people."""

from __future__ import annotations

from dataclasses import dataclass

from bot.matches.services.eligibility import Terms
from bot.opponents import LEVELS
from bot.storage.records import First
from tests.lifecycle.actions import Action, Outcome, Pace, Plan, Seating, unless_closed
from tests.lifecycle.world import Player, Ref, Who, World

LOWEST = LEVELS[0]
"""The level that thinks for the shortest time."""


@dataclass(frozen=True, slots=True)
class PlayComputer(Action):
    """A person begins a match against a computer player of the lowest level."""

    who: Player
    seating: Seating
    first: First
    pace: Pace
    of_server = False

    async def plan(self, world: World) -> Plan:
        terms = Terms(self.seating.game, self.seating.variant, 2, self.first, rated=False, pace=self.pace.value)
        person, play = world.person(self.who), world.harness.services.computer_opponents.play
        return Plan(lambda by: play(world.actor(person, by), LOWEST, terms))


@dataclass(frozen=True, slots=True)
class TakeUp(Action):
    """A person has a computer player take an open challenge."""

    challenge: Ref
    who: Who

    async def plan(self, world: World) -> Plan:
        challenge = await world.challenge(self.challenge)
        person, take_up = world.in_challenge(self.who, challenge), world.harness.services.computer_opponents.take_up
        return Plan(
            lambda by: take_up(world.actor(person, by), challenge.id, LOWEST),
            unless_closed(world, challenge),
        )


@dataclass(frozen=True, slots=True)
class Reseat(Action):
    """A person gives a computer player a seat in a lobby, or takes one away; ``late`` when the seats have changed."""

    challenge: Ref
    who: Who
    seats: bool
    late: bool

    async def plan(self, world: World) -> Plan:
        challenge = await world.challenge(self.challenge)
        person, service = world.in_challenge(self.who, challenge), world.harness.services.computer_opponents
        seated = (*challenge.levels, LOWEST) if self.late else challenge.levels
        act = service.seat if self.seats else service.unseat
        return Plan(
            lambda by: act(world.actor(person, by), challenge.id, LOWEST, seated),
            Outcome.REFUSED if self.late else unless_closed(world, challenge),
        )
