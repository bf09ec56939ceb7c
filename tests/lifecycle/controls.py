"""A table of every control in a situation in which it can be pressed. A new control needs a row here.

A control is a class and its verbs; ``custom_id`` is filled in with the numbers of the situation it is pressed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bot.views.against_computer import (
    BotGameChoice,
    BotLevelButton,
    ComputerLevelsButton,
    ComputerMatchButton,
    ComputerSeatButton,
    ComputerSeatsButton,
    ComputerVariantChoice,
)
from bot.views.challenges import ChallengeButton, PersonGameChoice, RematchButton
from bot.views.controls import ChannelChoice, Choice, Control
from bot.views.cups import CloseCupButton, CupButton, CupsPageButton, RemoveFromCupButton, WithdrawButton
from bot.views.helping import HelpButton
from bot.views.leaderboards import LeaderboardButton
from bot.views.match_board import ExportButton, LookButton, MoreButton, ReplayButton, ResignButton, VoidedReplayButton
from bot.views.match_lists import FinishedButton
from bot.views.moderation import VoidButton
from bot.views.move_builder import BuilderButton, BuilderChoice, BuilderPage, PlayButton
from bot.views.offers import AskButton, ClaimButton, DrawButton, OfferButton
from bot.views.open_board import OpenButton
from bot.views.preferences import AwayChoice, LanguageChoice, PreferenceButton, ThemeChoice
from bot.views.privacy import PrivacyButton, SessionButton
from bot.views.puzzles import (
    DailyButton,
    NextPuzzleButton,
    PuzzleBuilderButton,
    PuzzleBuilderChoice,
    PuzzleBuilderPage,
    PuzzleButton,
)
from bot.views.reference import GamesPageButton, RulesButton, RulesPageButton, RulesPageChoice, RulesVariantChoice
from bot.views.review import ReviewButton
from bot.views.server_settings import (
    AllowChannelChoice,
    ForbidChannelChoice,
    NoPuzzlesButton,
    PaceChoice,
    PuzzleChannelChoice,
    PuzzleHourChoice,
    PuzzleZoneChoice,
    SettingButton,
)
from bot.views.server_settings import LanguageChoice as ServerLanguageChoice
from bot.views.sharing import ShareButton, SharedButton
from bot.views.stepping import BestButton, HintButton, StepButton, StepsButton
from tests.lifecycle.situations import (
    LEVEL_CHOSEN,
    accepted,
    against_computer,
    alice_barred,
    alice_blocked,
    bob_joined,
    bob_left_cup,
    called_off,
    challenged,
    computer_seated,
    cup_again,
    cup_closed,
    cup_joined,
    cup_managed,
    cup_open,
    cup_over,
    cup_running,
    cup_with_enough,
    draw_offered,
    finished,
    first_move,
    given_up,
    last_ids,
    level_chosen,
    lobby,
    managed,
    moved_after_set_up,
    nothing,
    open_challenge,
    other_move,
    over,
    puzzle,
    puzzle_shared,
    rematch_asked_and_begun,
    rematch_begun,
    rematch_offered,
    replay_shared,
    resigned,
    second_move,
    set_up,
    takeback_asked,
    taken_up,
    time_up,
    void,
    voided,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored

Part = Callable[[SimulatedDiscord], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Case:
    """A control a person may press.

    ``before`` leads to the situation; ``of`` is what another server must not get at by it. Controls that change
    something have an ``overtaken``: what makes them come too late. ``anybody`` may press what is not for one person;
    with what ``begins`` something, it is their own.
    """

    control: type[Control] | type[Choice] | type[ChannelChoice]
    custom_id: str
    before: Part
    who: str = "alice"
    of: str | None = "match"
    overtaken: Part | None = None
    anybody: bool = False
    begins: bool = False
    choice: str | None = None

    def __str__(self) -> str:
        return self.custom_id.split("{")[0].strip(":") + f" after {self.before.__name__}"


async def custom_id(sim: SimulatedDiscord, case: Case) -> str:
    """Return the id of a control in the situation the sim is in now."""
    numbers: dict[str, Any] = await last_ids(sim)
    numbers["bob"] = sim.bob.id
    numbers["ply"] = (await stored(sim, numbers["match"])).ply if numbers["match"] else 0
    return case.custom_id.format(**numbers)


AT = "{match}:{ply}"
CASES = (
    # What changes something.
    Case(AskButton, f"ask:draw:{AT}", accepted, overtaken=other_move),
    Case(AskButton, f"ask:takeback:{AT}", first_move, overtaken=second_move),
    Case(BuilderButton, f"b-play:{AT}:0:c3", accepted, overtaken=other_move),
    Case(BuilderButton, f"b-setup:{AT}:0:", set_up, overtaken=moved_after_set_up),
    Case(BuilderButton, f"b-pick:{AT}:0:c3", accepted, overtaken=other_move),
    Case(BuilderChoice, f"b-choose:{AT}:0:", accepted, choice="c3", overtaken=other_move),
    Case(ChallengeButton, "challenge:accept:{challenge}", challenged, "bob", "challenge", called_off),
    Case(ChallengeButton, "challenge:accept:{challenge}", lobby, "bob", "challenge", called_off, anybody=True),
    Case(ChallengeButton, "challenge:decline:{challenge}", challenged, "bob", "challenge", called_off),
    Case(ChallengeButton, "challenge:leave:{challenge}", bob_joined, "bob", "challenge", called_off),
    Case(ChallengeButton, "challenge:start:{challenge}", bob_joined, "alice", "challenge", called_off),
    Case(ChallengeButton, "challenge:cancel:{challenge}", challenged, "alice", "challenge", taken_up),
    Case(ComputerMatchButton, LEVEL_CHOSEN, nothing, of=None, overtaken=level_chosen, anybody=True, begins=True),
    Case(ComputerSeatButton, "computers:play:{challenge}:1:", open_challenge, "alice", "challenge", taken_up),
    Case(ComputerSeatButton, "computers:seat:{challenge}:1:", lobby, "alice", "challenge", called_off),
    Case(ComputerSeatButton, "computers:unseat:{challenge}:1:1", computer_seated, "alice", "challenge", called_off),
    Case(ClaimButton, f"claim:{AT}", time_up, "bob", overtaken=other_move),
    Case(DrawButton, f"draw:yes:{AT}", against_computer, overtaken=other_move),
    Case(OfferButton, "offer:accept:{offer}", draw_offered, "bob", "offer", other_move),
    Case(OfferButton, "offer:decline:{offer}", draw_offered, "bob", "offer", other_move),
    Case(OfferButton, "offer:withdraw:{offer}", draw_offered, "alice", "offer", other_move),
    Case(OfferButton, "offer:accept:{offer}", takeback_asked, "bob", "offer", second_move),
    Case(OfferButton, "offer:decline:{offer}", takeback_asked, "bob", "offer", second_move),
    Case(RematchButton, "rematch:{match}", over, overtaken=rematch_asked_and_begun),
    Case(RematchButton, "rematch:{match}", rematch_offered, "bob", overtaken=rematch_begun),
    Case(ResignButton, f"resign:yes:{AT}", accepted, "bob", overtaken=other_move),
    Case(PrivacyButton, "privacy:erase", first_move, of=None, overtaken=resigned, anybody=True),
    Case(
        PersonGameChoice,
        "challenge-person:{bob}",
        nothing,
        of=None,
        overtaken=alice_blocked,
        anybody=True,
        begins=True,
        choice="yonmoque",
    ),
    Case(
        BotGameChoice,
        "against-bot:1:game",
        nothing,
        of=None,
        overtaken=alice_barred,
        anybody=True,
        begins=True,
        choice="redo",
    ),
    Case(VoidButton, "void:yes:{match}", managed, of=None, overtaken=void),
    Case(PuzzleBuilderButton, "p-play:{attempt}:0:0:stuck", puzzle, of=None, overtaken=given_up),
    Case(PuzzleButton, "puzzle:show:{attempt}", puzzle, of=None, overtaken=given_up),
    Case(CupButton, "cup:join:{cup}", cup_open, "bob", "cup", cup_closed, anybody=True),
    Case(CupButton, "cup:leave:{cup}", cup_joined, "bob", "cup", cup_closed),
    Case(CupButton, "cup:begin:{cup}", cup_with_enough, of="cup", overtaken=cup_closed),
    Case(CupButton, "cup:cancel:{cup}", cup_open, of="cup", overtaken=cup_closed),
    Case(CupButton, "cup:again:{cup}", cup_over, of="cup", overtaken=cup_again),
    Case(WithdrawButton, "cup-withdraw:yes:{cup}", cup_running, "bob", "cup", bob_left_cup),
    Case(CloseCupButton, "cup-close:yes:{cup}", cup_managed, of=None, overtaken=cup_closed),
    Case(RemoveFromCupButton, "cup-remove:yes:{cup}:{bob}", cup_managed, of=None, overtaken=bob_left_cup),
    # What only shows something.
    Case(CupButton, "cup:matches:{cup}", cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:picture:{cup}", cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:text:{cup}", cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:rules:{cup}", cup_running, of=None, anybody=True),
    Case(WithdrawButton, "cup-withdraw:no:{cup}", cup_running, "bob", of=None, anybody=True),
    Case(CloseCupButton, "cup-close:no:{cup}", cup_managed, of=None),
    Case(RemoveFromCupButton, "cup-remove:no:{cup}:{bob}", cup_managed, of=None),
    Case(CupsPageButton, "cups:running:0:next", nothing, of=None, anybody=True),
    Case(CupsPageButton, "cups:ended:1:back", nothing, of=None, anybody=True),
    Case(SettingButton, "setting:cups:yes", managed, of=None),
    Case(BuilderButton, f"b-back:{AT}:0:", accepted),
    Case(BuilderButton, f"b-file:{AT}:1:", accepted),
    Case(BuilderButton, f"b-hint:{AT}:0:", against_computer),
    Case(BuilderButton, f"b-aimless:{AT}:0:", accepted),
    Case(BuilderButton, f"b-take0:{AT}:0:c3", accepted),
    Case(BuilderButton, f"b-type:{AT}:0:", accepted, of=None, anybody=True),
    Case(BuilderButton, f"b-cancel:{AT}:0:", accepted, of=None, anybody=True),
    Case(BuilderButton, f"b-idle:{AT}:0:", accepted),
    Case(BuilderPage, f"b-page:{AT}:0:", accepted, choice="0"),
    Case(ComputerLevelsButton, "computer:redo", nothing, of=None, anybody=True),
    Case(ComputerSeatsButton, "computers:{challenge}", lobby, "alice", "challenge"),
    Case(ComputerVariantChoice, "computer-variant:gyges", nothing, of=None, anybody=True, choice="classic"),
    Case(DrawButton, f"draw:no:{AT}", against_computer, of=None, anybody=True),
    Case(ExportButton, "export:{match}", finished, anybody=True),
    Case(LeaderboardButton, "ranks:all:rating:0:next", over, of=None, anybody=True),
    Case(LeaderboardButton, "ranks:yonmoque:month:0:back", over, of=None, anybody=True),
    Case(LookButton, "look:{match}:1:picture", finished, anybody=True),
    Case(LookButton, "look:{match}:0:text", finished, anybody=True),
    Case(MoreButton, f"more:{AT}", finished, anybody=True),
    Case(OpenButton, "open:{match}", accepted),
    Case(PlayButton, f"play:{AT}", accepted),
    Case(PlayButton, f"play:{AT}:reminder", accepted),
    Case(PrivacyButton, "privacy:keep", first_move, of=None, anybody=True),
    Case(SessionButton, "session:all", nothing, of=None, anybody=True),
    Case(SessionButton, "session:1", nothing, of=None, anybody=True),
    Case(ReplayButton, "replay:{match}", finished, anybody=True),
    Case(ResignButton, f"resign:ask:{AT}", accepted, "bob"),
    Case(ResignButton, f"resign:no:{AT}", accepted, "bob", of=None, anybody=True),
    Case(BestButton, "best:{match}:0:0:picture", over, anybody=True),
    Case(BestButton, "best:{match}:1:1:text", over, anybody=True),
    Case(HintButton, f"hint:{AT}", against_computer),
    Case(ReviewButton, "review:{match}", over, anybody=True),
    Case(FinishedButton, "finished:all::0:next", over, of=None, anybody=True),
    Case(FinishedButton, "finished:yonmoque:5:1:back", over, of=None, anybody=True),
    Case(StepsButton, "steps:{match}:0", finished, anybody=True),
    Case(StepButton, "step:{match}:1:0:picture:2", finished, anybody=True),
    Case(StepButton, "step:{match}:9:1:text:5", finished, anybody=True),
    Case(DailyButton, "daily:2026-01-01", nothing, of=None, anybody=True),
    Case(NextPuzzleButton, "next-puzzle:rectangles", nothing, of=None, anybody=True, begins=True),
    Case(PuzzleBuilderButton, "p-pick:{attempt}:0:0:a1", puzzle, of=None),
    Case(PuzzleBuilderButton, "p-back:{attempt}:0:0:", puzzle, of=None),
    Case(PuzzleBuilderButton, "p-file:{attempt}:0:1:", puzzle, of=None),
    Case(PuzzleBuilderButton, "p-take0:{attempt}:0:0:", puzzle, of=None),
    Case(PuzzleBuilderButton, "p-idle:{attempt}:0:0:", puzzle, of=None),
    Case(PuzzleBuilderButton, "p-type:{attempt}:0:0:", puzzle, of=None, anybody=True),
    Case(PuzzleBuilderButton, "p-cancel:{attempt}:0:0:", puzzle, of=None, anybody=True),
    Case(PuzzleBuilderChoice, "p-choose:{attempt}:0:0:", puzzle, of=None, choice="stuck"),
    Case(PuzzleBuilderPage, "p-page:{attempt}:0:0:", puzzle, of=None, choice="0"),
    Case(PuzzleButton, "puzzle:resume:{attempt}", puzzle, of=None),
    Case(PuzzleButton, "puzzle:same:{attempt}", puzzle, of=None, anybody=True, begins=True),
    Case(PuzzleButton, "puzzle:share:{attempt}", puzzle, of=None),
    Case(PuzzleButton, "puzzle:open:{attempt}", puzzle, of=None),
    Case(ShareButton, "share:replay:{match}", over, anybody=True, begins=True),
    Case(ShareButton, "share:review:{match}", over, anybody=True, begins=True),
    Case(SharedButton, "shared:play:{share}", replay_shared, of="share", anybody=True),
    Case(SharedButton, "shared:try:{share}", puzzle_shared, of="share", anybody=True, begins=True),
    Case(RulesButton, "rules-of:yonmoque", nothing, of=None, anybody=True),
    Case(GamesPageButton, "games:1:next", nothing, of=None, anybody=True),
    Case(HelpButton, "help:start", nothing, of=None, anybody=True),
    Case(HelpButton, "help:more", nothing, of=None, anybody=True),
    Case(HelpButton, "help:yours", nothing, of=None, anybody=True),
    Case(GamesPageButton, "games:0:back", nothing, of=None, anybody=True),
    Case(RulesButton, "rules-of:gyges:classic", nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:gyges:classic:1:next", nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:1:next", nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:0:back", nothing, of=None, anybody=True),
    Case(RulesPageChoice, "rules:gyges:classic:contents:0", nothing, of=None, anybody=True, choice="1"),
    Case(BotLevelButton, "against-bot:3:level", nothing, of=None, anybody=True),
    Case(AllowChannelChoice, "setting:allow", managed, of=None, choice="#"),
    Case(AwayChoice, "prefer:away", nothing, of=None, anybody=True, choice="3"),
    Case(ForbidChannelChoice, "setting:forbid", managed, of=None, choice="7"),
    Case(PaceChoice, "setting:pace", managed, of=None, choice="86400"),
    Case(PreferenceButton, "prefer:coordinates:no", nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:confirm:yes", nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:text:yes", nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:reminders:no", nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:aims:no", nothing, of=None, anybody=True),
    Case(SettingButton, "setting:threads:no", managed, of=None),
    Case(SettingButton, "setting:automatic:yes", managed, of=None),
    Case(LanguageChoice, "prefer:language", nothing, of=None, anybody=True, choice="de"),
    Case(ServerLanguageChoice, "setting:language", managed, of=None, choice="it"),
    Case(ThemeChoice, "prefer:theme", nothing, of=None, anybody=True, choice="light"),
    Case(PuzzleChannelChoice, "setting:puzzle-channel", managed, of=None, choice="#"),
    Case(PuzzleHourChoice, "setting:puzzle-hour", managed, of=None, choice="9"),
    Case(PuzzleZoneChoice, "setting:puzzle-zone", managed, of=None, choice="Europe/Rome"),
    Case(NoPuzzlesButton, "setting:no-puzzles", managed, of=None),
    Case(VoidButton, "void:no:{match}", managed, of=None),
    Case(VoidedReplayButton, "voided:{match}", voided, anybody=True),
    Case(RulesVariantChoice, "rules:gyges:variant", nothing, of=None, anybody=True, choice="classic"),
    Case(RulesPageChoice, "rules:yonmoque:contents:0", nothing, of=None, anybody=True, choice="1"),
)
ACTING = tuple(case for case in CASES if case.overtaken is not None)
SHOWING = tuple(case for case in CASES if case.overtaken is None)
