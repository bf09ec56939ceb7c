"""Every control there is, in a situation in which it can be pressed: a table that a new control has to be entered in.

A control is a class and its verbs; ``custom_id`` is filled in with the numbers of the situation it is pressed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from simcord.actors import MemberActor
from sqlalchemy import func, select

from bot.storage import tables
from bot.storage.guilds import GuildSettings
from bot.storage.records import CupState, PairingState, Person
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
from tests.support.acting import answer, board_of, cards, challenge, challenge_accepted, itself, play, pressed
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import DAY, stored

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
        return self.custom_id.split("{")[0].strip(":") + f" after {self.before.__name__.strip('_')}"


async def _alice_blocked(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "block", person=sim.alice)


async def _alice_barred(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.bars.bar(sim.guild.id, sim.alice.id)


async def last_ids(sim: SimulatedDiscord) -> dict[str, int]:
    """Return the newest number of everything that has one."""
    numbered = {
        "challenge": tables.challenges,
        "match": tables.matches,
        "offer": tables.offers,
        "outbox_message": tables.outbox,
        "attempt": tables.puzzle_attempts,
        "cup": tables.cups,
        "share": tables.shares,
    }
    async with sim.bot.context.services.context.database.read() as tx:
        return {
            name: int((await tx.execute(select(func.coalesce(func.max(table.c.id), 0)))).scalar_one())
            for name, table in numbered.items()
        }


async def custom_id(sim: SimulatedDiscord, case: Case) -> str:
    """Return the id of a control in the situation the sim is in now."""
    numbers: dict[str, Any] = await last_ids(sim)
    numbers["bob"] = sim.bob.id
    numbers["ply"] = (await stored(sim, numbers["match"])).ply if numbers["match"] else 0
    return case.custom_id.format(**numbers)


async def _thread(sim: SimulatedDiscord) -> int:
    return (await stored(sim, (await last_ids(sim))["match"])).place_id


async def _in_match(sim: SimulatedDiscord, who: str, command: str, **options: Any) -> None:
    match_id = (await last_ids(sim))["match"]
    await getattr(sim, who).slash(sim.place(await _thread(sim)), command, match=match_id, **options)


async def _nothing(_town: SimulatedDiscord) -> None:
    pass


async def _accepted(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim, pace=DAY)


async def _set_up(sim: SimulatedDiscord) -> None:
    """Begin a match in which ready-made set-ups are taken without asking, as always against a low level."""
    await sim.alice.slash(sim.channel, "challenge", game="gyges", opponent=itself(sim), level=1, first="challenger")


async def _moved_after_set_up(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "alice", "move", move="a1-b3")


async def _managed(sim: SimulatedDiscord) -> None:
    """Let Alice manage a server in which others play."""
    await sim.bob.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.carol, first="challenger", pace=DAY)
    await sim.carol.click(cards(sim)[-1], label="Accept")
    give_management(sim, sim.alice)


async def _cup_open(sim: SimulatedDiscord, **options: Any) -> None:
    """Let Alice start a cup for three that she does not manage."""
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: GuildSettings(cups=True))
    await sim.alice.slash(sim.channel, "cup start", **({"game": "yonmoque", "players": 3} | options))


async def _cup_joined(sim: SimulatedDiscord) -> None:
    await _cup_open(sim)
    await _join_cup(sim, sim.bob)


async def _cup_with_enough(sim: SimulatedDiscord) -> None:
    await _cup_open(sim, begins="button")
    await _join_cup(sim, sim.bob)
    await _join_cup(sim, _dave(sim))


async def _cup_running(sim: SimulatedDiscord) -> None:
    await _cup_joined(sim)
    await _join_cup(sim, _dave(sim))


async def _cup_managed(sim: SimulatedDiscord) -> None:
    await _cup_running(sim)
    give_management(sim, sim.alice)


async def _cup_over(sim: SimulatedDiscord) -> None:
    await _cup_running(sim)
    services, cup_id = sim.bot.context.services, (await last_ids(sim))["cup"]
    while (view := await services.cup_queries.view(sim.guild.id, cup_id)).cup.state is CupState.RUNNING:
        assert view.table is not None
        for pairing in view.table.pairings:
            if pairing.state is PairingState.RUNNING and pairing.match_id is not None:
                await services.forfeits.give_up(pairing.match_id, 0)
    await sim.env.settle()


async def _cup_closed(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.cups.close(sim.guild.id, (await last_ids(sim))["cup"], 1)
    await sim.env.settle()


async def _bob_left_cup(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.cups.remove(sim.guild.id, (await last_ids(sim))["cup"], sim.bob.id, 1)
    await sim.env.settle()


async def _cup_again(sim: SimulatedDiscord) -> None:
    bob = Person(sim.bob.id, "Bob")
    await sim.bot.context.services.cups.again(sim.guild.id, (await last_ids(sim))["cup"], bob, 1)
    await sim.env.settle()


async def _join_cup(sim: SimulatedDiscord, member: MemberActor) -> None:
    person, cup_id = Person(member.id, member.name.title()), (await last_ids(sim))["cup"]
    await sim.bot.context.services.cups.join(sim.guild.id, cup_id, person, 10**6 * cup_id + member.id % 10**6)
    await sim.env.settle()


def _dave(sim: SimulatedDiscord) -> MemberActor:
    """Return a fourth person."""
    if not sim.more:
        sim.more = (sim.guild.add_member(sim.env.create_user("dave", global_name="Dave")),)
    return sim.more[0]


async def _voided(sim: SimulatedDiscord) -> None:
    await _accepted(sim)
    await _void(sim)


async def _void(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.voiding.void(None, (await last_ids(sim))["match"])


async def _first_move(sim: SimulatedDiscord) -> None:
    await _accepted(sim)
    await _in_match(sim, "alice", "move", move="a1")


async def _second_move(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "bob", "move", move="a5")


async def _other_move(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "alice", "move", move="e5")


async def _draw_offered(sim: SimulatedDiscord) -> None:
    await _accepted(sim)
    await _in_match(sim, "alice", "match draw")


async def _takeback_asked(sim: SimulatedDiscord) -> None:
    await _first_move(sim)
    await _in_match(sim, "alice", "match takeback")


async def _time_up(sim: SimulatedDiscord) -> None:
    await _accepted(sim)
    await sim.env.advance_time(DAY + 60)


async def _resigned(sim: SimulatedDiscord) -> None:
    match_id = (await last_ids(sim))["match"]
    question = answer(await sim.bob.slash(sim.channel, "match resign", match=match_id))
    await sim.bob.click(question, label="Yes, resign")


async def _over(sim: SimulatedDiscord) -> None:
    await _accepted(sim)
    await _resigned(sim)


async def _replay_shared(sim: SimulatedDiscord) -> None:
    await _over(sim)
    replay = answer(await sim.alice.slash(sim.channel, "match replay", match=(await last_ids(sim))["match"]))
    await sim.alice.click(replay, label="Share")


async def _puzzle_shared(sim: SimulatedDiscord) -> None:
    await _puzzle(sim)
    await solved(sim, (await last_ids(sim))["attempt"])
    shown = answer(await sim.alice.slash(sim.channel, "help"))
    await pressed(sim, sim.alice, shown, "puzzle:share:{attempt}".format(**await last_ids(sim)))


async def _rematch_offered(sim: SimulatedDiscord) -> None:
    await _over(sim)
    await sim.alice.click(board_of(sim, await _thread(sim)), label="Rematch")


async def _rematch_begun(sim: SimulatedDiscord) -> None:
    await sim.bob.click(cards(sim)[-1], label="Accept")


async def _rematch_asked_and_begun(sim: SimulatedDiscord) -> None:
    await sim.alice.click(board_of(sim, await _thread(sim)), label="Rematch")
    await _rematch_begun(sim)


async def _challenged(sim: SimulatedDiscord) -> None:
    await challenge(sim)


async def _lobby(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")


async def _bob_joined(sim: SimulatedDiscord) -> None:
    await _lobby(sim)
    await sim.bob.click(cards(sim)[-1], label="Join")


async def _called_off(sim: SimulatedDiscord) -> None:
    await sim.alice.click(cards(sim)[-1], label="Cancel")


async def _taken_up(sim: SimulatedDiscord) -> None:
    await sim.bob.click(cards(sim)[-1], label="Accept")


async def _finished(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5")


async def _open_challenge(sim: SimulatedDiscord) -> None:
    await challenge(sim, opponent=None)


async def _computer_seated(sim: SimulatedDiscord) -> None:
    await _lobby(sim)
    menu = answer(await sim.alice.click(cards(sim)[-1], label="Add the bot"))
    await sim.alice.click(menu, label="Seat level 1")


async def _level_chosen(sim: SimulatedDiscord) -> None:
    message = answer(await sim.alice.slash(sim.channel, "help"))
    await pressed(sim, sim.alice, message, LEVEL_CHOSEN.format(**await last_ids(sim)))


async def _against_computer(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")


async def _puzzle(sim: SimulatedDiscord) -> None:
    if (await last_ids(sim))["attempt"]:
        await _given_up(sim)
    await sim.alice.slash(sim.channel, "puzzle", game="rectangles")


async def solved(sim: SimulatedDiscord, attempt_id: int) -> None:
    """Solve a puzzle for Alice."""
    puzzles = sim.bot.context.services.puzzles
    solution = (await puzzles.view(sim.alice.id, attempt_id)).puzzle.solution
    for ply, move in list(enumerate(solution))[::2]:
        await puzzles.try_move(sim.alice.id, attempt_id, ply, move, attempt_id * 100 + ply)


async def _given_up(sim: SimulatedDiscord) -> None:
    attempt_id = (await last_ids(sim))["attempt"]
    await sim.bot.context.services.puzzles.show(sim.alice.id, attempt_id, attempt_id)


AT = "{match}:{ply}"
LEVEL_CHOSEN = "computer-level:1:yonmoque:{outbox_message}"
CASES = (
    # What changes something.
    Case(AskButton, f"ask:draw:{AT}", _accepted, overtaken=_other_move),
    Case(AskButton, f"ask:takeback:{AT}", _first_move, overtaken=_second_move),
    Case(BuilderButton, f"b-play:{AT}:0:c3", _accepted, overtaken=_other_move),
    Case(BuilderButton, f"b-setup:{AT}:0:", _set_up, overtaken=_moved_after_set_up),
    Case(BuilderButton, f"b-pick:{AT}:0:c3", _accepted, overtaken=_other_move),
    Case(BuilderChoice, f"b-choose:{AT}:0:", _accepted, choice="c3", overtaken=_other_move),
    Case(ChallengeButton, "challenge:accept:{challenge}", _challenged, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:accept:{challenge}", _lobby, "bob", "challenge", _called_off, anybody=True),
    Case(ChallengeButton, "challenge:decline:{challenge}", _challenged, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:leave:{challenge}", _bob_joined, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:start:{challenge}", _bob_joined, "alice", "challenge", _called_off),
    Case(ChallengeButton, "challenge:cancel:{challenge}", _challenged, "alice", "challenge", _taken_up),
    Case(ComputerMatchButton, LEVEL_CHOSEN, _nothing, of=None, overtaken=_level_chosen, anybody=True, begins=True),
    Case(ComputerSeatButton, "computers:play:{challenge}:1:", _open_challenge, "alice", "challenge", _taken_up),
    Case(ComputerSeatButton, "computers:seat:{challenge}:1:", _lobby, "alice", "challenge", _called_off),
    Case(ComputerSeatButton, "computers:unseat:{challenge}:1:1", _computer_seated, "alice", "challenge", _called_off),
    Case(ClaimButton, f"claim:{AT}", _time_up, "bob", overtaken=_other_move),
    Case(DrawButton, f"draw:yes:{AT}", _against_computer, overtaken=_other_move),
    Case(OfferButton, "offer:accept:{offer}", _draw_offered, "bob", "offer", _other_move),
    Case(OfferButton, "offer:decline:{offer}", _draw_offered, "bob", "offer", _other_move),
    Case(OfferButton, "offer:withdraw:{offer}", _draw_offered, "alice", "offer", _other_move),
    Case(OfferButton, "offer:accept:{offer}", _takeback_asked, "bob", "offer", _second_move),
    Case(OfferButton, "offer:decline:{offer}", _takeback_asked, "bob", "offer", _second_move),
    Case(RematchButton, "rematch:{match}", _over, overtaken=_rematch_asked_and_begun),
    Case(RematchButton, "rematch:{match}", _rematch_offered, "bob", overtaken=_rematch_begun),
    Case(ResignButton, f"resign:yes:{AT}", _accepted, "bob", overtaken=_other_move),
    Case(PrivacyButton, "privacy:erase", _first_move, of=None, overtaken=_resigned, anybody=True),
    Case(
        PersonGameChoice,
        "challenge-person:{bob}",
        _nothing,
        of=None,
        overtaken=_alice_blocked,
        anybody=True,
        begins=True,
        choice="yonmoque",
    ),
    Case(
        BotGameChoice,
        "against-bot:1:game",
        _nothing,
        of=None,
        overtaken=_alice_barred,
        anybody=True,
        begins=True,
        choice="redo",
    ),
    Case(VoidButton, "void:yes:{match}", _managed, of=None, overtaken=_void),
    Case(PuzzleBuilderButton, "p-play:{attempt}:0:0:stuck", _puzzle, of=None, overtaken=_given_up),
    Case(PuzzleButton, "puzzle:show:{attempt}", _puzzle, of=None, overtaken=_given_up),
    Case(CupButton, "cup:join:{cup}", _cup_open, "bob", "cup", _cup_closed, anybody=True),
    Case(CupButton, "cup:leave:{cup}", _cup_joined, "bob", "cup", _cup_closed),
    Case(CupButton, "cup:begin:{cup}", _cup_with_enough, of="cup", overtaken=_cup_closed),
    Case(CupButton, "cup:cancel:{cup}", _cup_open, of="cup", overtaken=_cup_closed),
    Case(CupButton, "cup:again:{cup}", _cup_over, of="cup", overtaken=_cup_again),
    Case(WithdrawButton, "cup-withdraw:yes:{cup}", _cup_running, "bob", "cup", _bob_left_cup),
    Case(CloseCupButton, "cup-close:yes:{cup}", _cup_managed, of=None, overtaken=_cup_closed),
    Case(RemoveFromCupButton, "cup-remove:yes:{cup}:{bob}", _cup_managed, of=None, overtaken=_bob_left_cup),
    # What only shows something.
    Case(CupButton, "cup:matches:{cup}", _cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:picture:{cup}", _cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:text:{cup}", _cup_running, of="cup", anybody=True),
    Case(CupButton, "cup:rules:{cup}", _cup_running, of=None, anybody=True),
    Case(WithdrawButton, "cup-withdraw:no:{cup}", _cup_running, "bob", of=None, anybody=True),
    Case(CloseCupButton, "cup-close:no:{cup}", _cup_managed, of=None),
    Case(RemoveFromCupButton, "cup-remove:no:{cup}:{bob}", _cup_managed, of=None),
    Case(CupsPageButton, "cups:running:0:next", _nothing, of=None, anybody=True),
    Case(CupsPageButton, "cups:ended:1:back", _nothing, of=None, anybody=True),
    Case(SettingButton, "setting:cups:yes", _managed, of=None),
    Case(BuilderButton, f"b-back:{AT}:0:", _accepted),
    Case(BuilderButton, f"b-file:{AT}:1:", _accepted),
    Case(BuilderButton, f"b-hint:{AT}:0:", _against_computer),
    Case(BuilderButton, f"b-aimless:{AT}:0:", _accepted),
    Case(BuilderButton, f"b-take0:{AT}:0:c3", _accepted),
    Case(BuilderButton, f"b-type:{AT}:0:", _accepted, of=None, anybody=True),
    Case(BuilderButton, f"b-cancel:{AT}:0:", _accepted, of=None, anybody=True),
    Case(BuilderButton, f"b-idle:{AT}:0:", _accepted),
    Case(BuilderPage, f"b-page:{AT}:0:", _accepted, choice="0"),
    Case(ComputerLevelsButton, "computer:redo", _nothing, of=None, anybody=True),
    Case(ComputerSeatsButton, "computers:{challenge}", _lobby, "alice", "challenge"),
    Case(ComputerVariantChoice, "computer-variant:gyges", _nothing, of=None, anybody=True, choice="classic"),
    Case(DrawButton, f"draw:no:{AT}", _against_computer, of=None, anybody=True),
    Case(ExportButton, "export:{match}", _finished, anybody=True),
    Case(LeaderboardButton, "ranks:all:rating:0:next", _over, of=None, anybody=True),
    Case(LeaderboardButton, "ranks:yonmoque:month:0:back", _over, of=None, anybody=True),
    Case(LookButton, "look:{match}:1:picture", _finished, anybody=True),
    Case(LookButton, "look:{match}:0:text", _finished, anybody=True),
    Case(MoreButton, f"more:{AT}", _finished, anybody=True),
    Case(OpenButton, "open:{match}", _accepted),
    Case(PlayButton, f"play:{AT}", _accepted),
    Case(PlayButton, f"play:{AT}:reminder", _accepted),
    Case(PrivacyButton, "privacy:keep", _first_move, of=None, anybody=True),
    Case(SessionButton, "session:all", _nothing, of=None, anybody=True),
    Case(SessionButton, "session:1", _nothing, of=None, anybody=True),
    Case(ReplayButton, "replay:{match}", _finished, anybody=True),
    Case(ResignButton, f"resign:ask:{AT}", _accepted, "bob"),
    Case(ResignButton, f"resign:no:{AT}", _accepted, "bob", of=None, anybody=True),
    Case(BestButton, "best:{match}:0:0:picture", _over, anybody=True),
    Case(BestButton, "best:{match}:1:1:text", _over, anybody=True),
    Case(HintButton, f"hint:{AT}", _against_computer),
    Case(ReviewButton, "review:{match}", _over, anybody=True),
    Case(FinishedButton, "finished:all::0:next", _over, of=None, anybody=True),
    Case(FinishedButton, "finished:yonmoque:5:1:back", _over, of=None, anybody=True),
    Case(StepsButton, "steps:{match}:0", _finished, anybody=True),
    Case(StepButton, "step:{match}:1:0:picture:2", _finished, anybody=True),
    Case(StepButton, "step:{match}:9:1:text:5", _finished, anybody=True),
    Case(DailyButton, "daily:2026-01-01", _nothing, of=None, anybody=True),
    Case(NextPuzzleButton, "next-puzzle:rectangles", _nothing, of=None, anybody=True, begins=True),
    Case(PuzzleBuilderButton, "p-pick:{attempt}:0:0:a1", _puzzle, of=None),
    Case(PuzzleBuilderButton, "p-back:{attempt}:0:0:", _puzzle, of=None),
    Case(PuzzleBuilderButton, "p-file:{attempt}:0:1:", _puzzle, of=None),
    Case(PuzzleBuilderButton, "p-take0:{attempt}:0:0:", _puzzle, of=None),
    Case(PuzzleBuilderButton, "p-idle:{attempt}:0:0:", _puzzle, of=None),
    Case(PuzzleBuilderButton, "p-type:{attempt}:0:0:", _puzzle, of=None, anybody=True),
    Case(PuzzleBuilderButton, "p-cancel:{attempt}:0:0:", _puzzle, of=None, anybody=True),
    Case(PuzzleBuilderChoice, "p-choose:{attempt}:0:0:", _puzzle, of=None, choice="stuck"),
    Case(PuzzleBuilderPage, "p-page:{attempt}:0:0:", _puzzle, of=None, choice="0"),
    Case(PuzzleButton, "puzzle:resume:{attempt}", _puzzle, of=None),
    Case(PuzzleButton, "puzzle:same:{attempt}", _puzzle, of=None, anybody=True, begins=True),
    Case(PuzzleButton, "puzzle:share:{attempt}", _puzzle, of=None),
    Case(ShareButton, "share:replay:{match}", _over, anybody=True, begins=True),
    Case(ShareButton, "share:review:{match}", _over, anybody=True, begins=True),
    Case(SharedButton, "shared:play:{share}", _replay_shared, of="share", anybody=True),
    Case(SharedButton, "shared:try:{share}", _puzzle_shared, of="share", anybody=True, begins=True),
    Case(RulesButton, "rules-of:yonmoque", _nothing, of=None, anybody=True),
    Case(GamesPageButton, "games:1:next", _nothing, of=None, anybody=True),
    Case(HelpButton, "help:start", _nothing, of=None, anybody=True),
    Case(HelpButton, "help:more", _nothing, of=None, anybody=True),
    Case(HelpButton, "help:yours", _nothing, of=None, anybody=True),
    Case(GamesPageButton, "games:0:back", _nothing, of=None, anybody=True),
    Case(RulesButton, "rules-of:gyges:classic", _nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:gyges:classic:1:next", _nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:1:next", _nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:0:back", _nothing, of=None, anybody=True),
    Case(RulesPageChoice, "rules:gyges:classic:contents:0", _nothing, of=None, anybody=True, choice="1"),
    Case(BotLevelButton, "against-bot:3:level", _nothing, of=None, anybody=True),
    Case(AllowChannelChoice, "setting:allow", _managed, of=None, choice="#"),
    Case(AwayChoice, "prefer:away", _nothing, of=None, anybody=True, choice="3"),
    Case(ForbidChannelChoice, "setting:forbid", _managed, of=None, choice="7"),
    Case(PaceChoice, "setting:pace", _managed, of=None, choice="86400"),
    Case(PreferenceButton, "prefer:coordinates:no", _nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:confirm:yes", _nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:text:yes", _nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:reminders:no", _nothing, of=None, anybody=True),
    Case(PreferenceButton, "prefer:aims:no", _nothing, of=None, anybody=True),
    Case(SettingButton, "setting:threads:no", _managed, of=None),
    Case(SettingButton, "setting:automatic:yes", _managed, of=None),
    Case(LanguageChoice, "prefer:language", _nothing, of=None, anybody=True, choice="de"),
    Case(ServerLanguageChoice, "setting:language", _managed, of=None, choice="it"),
    Case(ThemeChoice, "prefer:theme", _nothing, of=None, anybody=True, choice="light"),
    Case(PuzzleChannelChoice, "setting:puzzle-channel", _managed, of=None, choice="#"),
    Case(PuzzleHourChoice, "setting:puzzle-hour", _managed, of=None, choice="9"),
    Case(PuzzleZoneChoice, "setting:puzzle-zone", _managed, of=None, choice="Europe/Rome"),
    Case(NoPuzzlesButton, "setting:no-puzzles", _managed, of=None),
    Case(VoidButton, "void:no:{match}", _managed, of=None),
    Case(VoidedReplayButton, "voided:{match}", _voided, anybody=True),
    Case(RulesVariantChoice, "rules:gyges:variant", _nothing, of=None, anybody=True, choice="classic"),
    Case(RulesPageChoice, "rules:yonmoque:contents:0", _nothing, of=None, anybody=True, choice="1"),
)
ACTING = tuple(case for case in CASES if case.overtaken is not None)
SHOWING = tuple(case for case in CASES if case.overtaken is None)
