"""What the layers above call: each call opens its own transactions. Here all services are built on one database.

``bot.matches.writing`` holds what several of them do inside a transaction that is open.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from bot.matches.game_states import GameStates
from bot.matches.service_context import ServiceContext
from bot.matches.services.absences import Absences
from bot.matches.services.agreements import Agreements
from bot.matches.services.challenge_steps import ChallengeSteps
from bot.matches.services.challenges import Challenges
from bot.matches.services.computer_opponents import ComputerOpponents
from bot.matches.services.computer_players import ComputerPlayers
from bot.matches.services.cup_queries import CupQueries
from bot.matches.services.cups import Cups
from bot.matches.services.daily_puzzles import DailyPuzzles
from bot.matches.services.departures import Departures
from bot.matches.services.digests import Digests
from bot.matches.services.eligibility import Bars, Eligibility
from bot.matches.services.fair_play import FairPlay
from bot.matches.services.forfeits import Forfeits
from bot.matches.services.hints import Hints
from bot.matches.services.ladders import Ladders
from bot.matches.services.match_queries import MatchQueries
from bot.matches.services.notes import Notes
from bot.matches.services.page_access import PageAccess
from bot.matches.services.plans import Plans
from bot.matches.services.preferences import PersonalSettings, ServerSettings
from bot.matches.services.privacy import Privacy
from bot.matches.services.puzzles import Puzzles
from bot.matches.services.rematches import Rematches
from bot.matches.services.returns import Returns
from bot.matches.services.reviews import Reviews
from bot.matches.services.shares import Shares
from bot.matches.services.turns import Turns
from bot.matches.services.voiding import Voiding
from bot.matches.services.watching import Watching
from bot.matches.services.weekly_posts import WeeklyPosts


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(ServiceContext):
    """Everything that people can do or look at, and what that is built on."""

    challenges: Challenges
    rematches: Rematches
    computer_opponents: ComputerOpponents
    turns: Turns
    forfeits: Forfeits
    agreements: Agreements
    computer_players: ComputerPlayers
    personal_settings: PersonalSettings
    absences: Absences
    digests: Digests
    returns: Returns
    plans: Plans
    notes: Notes
    privacy: Privacy
    page_access: PageAccess
    watching: Watching
    server_settings: ServerSettings
    queries: MatchQueries
    reviews: Reviews
    hints: Hints
    departures: Departures
    voiding: Voiding
    bars: Bars
    game_states: GameStates
    puzzles: Puzzles
    daily_puzzles: DailyPuzzles
    cups: Cups
    cup_queries: CupQueries
    shares: Shares
    weekly_posts: WeeklyPosts
    ladders: Ladders

    @property
    def quarantined(self) -> frozenset[int]:
        """The ids of matches whose moves cannot be replayed."""
        return self.game_states.quarantined


def create_services(context: ServiceContext) -> Services:
    """Build the services around one cache of game states."""
    game_states = GameStates(context)
    forfeits = Forfeits(context, game_states)
    fair_play = FairPlay(context, game_states)
    computer_players = ComputerPlayers(context, game_states)
    eligibility = Eligibility(context)
    challenge_steps = ChallengeSteps(context, eligibility)
    reviews = Reviews(context, game_states, fair_play)
    personal_settings = PersonalSettings(context)
    return Services(
        **{each.name: getattr(context, each.name) for each in fields(ServiceContext)},
        challenges=Challenges(context, eligibility, challenge_steps),
        rematches=Rematches(context, eligibility, challenge_steps),
        computer_opponents=ComputerOpponents(context, eligibility, challenge_steps),
        turns=Turns(context, game_states, forfeits),
        forfeits=forfeits,
        agreements=Agreements(context, game_states, computer_players),
        computer_players=computer_players,
        personal_settings=personal_settings,
        absences=Absences(context),
        digests=Digests(context, personal_settings),
        returns=Returns(context),
        plans=Plans(context, game_states),
        notes=Notes(context),
        privacy=Privacy(context, forfeits),
        page_access=PageAccess(context, eligibility),
        watching=Watching(context),
        server_settings=ServerSettings(context),
        queries=MatchQueries(context, game_states),
        reviews=reviews,
        hints=Hints(context, game_states, fair_play),
        departures=Departures(context),
        voiding=Voiding(context),
        bars=Bars(context, challenge_steps.end),
        game_states=game_states,
        puzzles=Puzzles(context, fair_play),
        daily_puzzles=DailyPuzzles(context),
        cups=Cups(context, eligibility),
        cup_queries=CupQueries(context),
        shares=Shares(context, eligibility, reviews),
        weekly_posts=WeeklyPosts(context, reviews),
        ladders=Ladders(context, eligibility),
    )
