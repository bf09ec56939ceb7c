"""The services of this layer put together around one database."""

from __future__ import annotations

from dataclasses import dataclass

from bot.matches.agreements import Agreements
from bot.matches.challenges import Challenges
from bot.matches.context import Context
from bot.matches.leaving import Leaving
from bot.matches.overview import Overview
from bot.matches.personal import Personal
from bot.matches.positions import Positions
from bot.matches.presence import Presence
from bot.matches.turns import Turns


@dataclass(frozen=True, slots=True)
class Services:
    """Everything people can do and look at."""

    context: Context
    challenges: Challenges
    turns: Turns
    leaving: Leaving
    agreements: Agreements
    personal: Personal
    overview: Overview
    presence: Presence


def create_services(context: Context) -> Services:
    """Build the services; they share one cache of positions."""
    positions = Positions(context)
    leaving = Leaving(context, positions)
    return Services(
        context,
        Challenges(context),
        Turns(context, positions, leaving),
        leaving,
        Agreements(context, positions),
        Personal(context, leaving),
        Overview(context, positions),
        Presence(context),
    )
