"""A table of every control in a situation in which it can be pressed. A new control needs a row here.

``custom_id`` is filled in with the numbers of the situation it is pressed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from bot.storage.tables import plans
from tests.lifecycle import situations as at
from tests.lifecycle.situations import LEVEL_CHOSEN, last_ids
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import with_number

Part = Callable[[SimulatedDiscord], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Case:
    """A control a person may press.

    ``before`` leads to the situation; ``of`` is what another server must not get at by it. Controls that change
    something have an ``overtaken``: what makes them come too late. ``anybody`` may press what is not for one person;
    with what ``begins`` something, it is their own.
    """

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


def situation(case: Case) -> str:
    """Return the situation of a case by name: cases in one are tried in one test, unless time goes by in it."""
    return str(case) if case.before in {at.idle, at.time_up} else case.before.__name__


async def custom_id(sim: SimulatedDiscord, case: Case) -> str:
    """Return the id of a control in the situation the sim is in now."""
    numbers: dict[str, Any] = await last_ids(sim)
    numbers["bob"] = sim.bob.id
    numbers["ply"] = (await with_number(sim, numbers["match"])).ply if numbers["match"] else 0
    async with sim.bot.context.services.database.read() as tx:
        numbers["version"] = (await tx.execute(select(func.coalesce(func.max(plans.c.version), 0)))).scalar_one()
    return case.custom_id.format(**numbers)


AT = "{match}:{ply}"
PLAN_AT = f"{AT}:{{version}}"
CASES = (
    # What changes something.
    Case(f"ask:draw:{AT}", at.accepted, overtaken=at.other_move),
    Case(f"ask:takeback:{AT}", at.first_move, overtaken=at.second_move),
    Case(f"b-play:{AT}:0:c3", at.accepted, overtaken=at.other_move),
    Case(f"b-setup:{AT}:0:", at.set_up, overtaken=at.moved_after_set_up),
    Case(f"b-pick:{AT}:0:c3", at.accepted, overtaken=at.other_move),
    Case(f"b-choose:{AT}:0:", at.accepted, choice="c3", overtaken=at.other_move),
    Case("challenge:accept:{challenge}", at.challenged, "bob", "challenge", at.called_off),
    Case("challenge:accept:{challenge}", at.lobby, "bob", "challenge", at.called_off, anybody=True),
    Case("challenge:decline:{challenge}", at.challenged, "bob", "challenge", at.called_off),
    Case("challenge:leave:{challenge}", at.bob_joined, "bob", "challenge", at.called_off),
    Case("challenge:start:{challenge}", at.bob_joined, "alice", "challenge", at.called_off),
    Case("challenge:cancel:{challenge}", at.challenged, "alice", "challenge", at.taken_up),
    Case(LEVEL_CHOSEN, at.nothing, of=None, overtaken=at.level_chosen, anybody=True, begins=True),
    Case("computers:play:{challenge}:1:", at.open_challenge, "alice", "challenge", at.taken_up),
    Case("computers:seat:{challenge}:1:", at.lobby, "alice", "challenge", at.called_off),
    Case("computers:unseat:{challenge}:1:1", at.computer_seated, "alice", "challenge", at.called_off),
    Case(f"claim:{AT}", at.time_up, "bob", overtaken=at.other_move),
    Case(f"draw:yes:{AT}", at.against_computer, overtaken=at.other_move),
    Case("offer:accept:{offer}", at.draw_offered, "bob", "offer", at.two_moves),
    Case("offer:decline:{offer}", at.draw_offered, "bob", "offer", at.two_moves),
    Case("offer:withdraw:{offer}", at.draw_offered, "alice", "offer", at.two_moves),
    Case("offer:accept:{offer}", at.takeback_asked, "bob", "offer", at.second_move),
    Case("offer:decline:{offer}", at.takeback_asked, "bob", "offer", at.second_move),
    Case("ladder:join", at.nothing, of=None, anybody=True, begins=True),
    Case("ladder:leave", at.ladder_joined, of=None),
    Case("ladder:show", at.ladder_joined, of=None, anybody=True),
    Case("rematch:{match}", at.over, overtaken=at.rematch_asked_and_begun),
    Case("rematch:{match}", at.rematch_offered, "bob", overtaken=at.rematch_begun),
    Case(f"resign:yes:{AT}", at.accepted, "bob", overtaken=at.other_move),
    Case("privacy:erase", at.first_move, of=None, overtaken=at.resigned, anybody=True),
    Case(
        "challenge-person:{bob}",
        at.nothing,
        of=None,
        overtaken=at.alice_blocked,
        anybody=True,
        begins=True,
        choice="yonmoque",
    ),
    Case(
        "against-bot:1:game",
        at.nothing,
        of=None,
        overtaken=at.alice_barred,
        anybody=True,
        begins=True,
        choice="redo",
    ),
    Case("next-level:{match}:2", at.over, overtaken=at.alice_barred, begins=True),
    Case("void:yes:{match}", at.managed, of=None, overtaken=at.void),
    Case("p-play:{attempt}:0:0:stuck", at.puzzle, of=None, overtaken=at.given_up),
    Case("puzzle:show:{attempt}", at.puzzle, of=None, overtaken=at.given_up),
    Case(f"close-answer:yes:{AT}", at.idle, overtaken=at.other_move),
    Case("cup:join:{cup}", at.cup_open, "bob", "cup", at.cup_closed, anybody=True),
    Case("cup:leave:{cup}", at.cup_joined, "bob", "cup", at.cup_closed),
    Case("cup:begin:{cup}", at.cup_with_enough, of="cup", overtaken=at.cup_closed),
    Case("cup:cancel:{cup}", at.cup_open, of="cup", overtaken=at.cup_closed),
    Case("cup:again:{cup}", at.cup_over, of="cup", overtaken=at.cup_again),
    Case("cup-withdraw:yes:{cup}", at.cup_running, "bob", "cup", at.bob_left_cup),
    Case("cup-close:yes:{cup}", at.cup_managed, of=None, overtaken=at.cup_closed),
    Case("cup-remove:yes:{cup}:{bob}", at.cup_managed, of=None, overtaken=at.bob_left_cup),
    # What only shows something, or changes what one person alone sees.
    Case("plan:{match}", at.accepted),
    Case(f"b-plan:{AT}:0:c3", at.accepted),
    Case(f"plan-show:{PLAN_AT}:0", at.planned),
    Case(f"plan-add:{PLAN_AT}:1", at.planned),
    Case(f"plan-remove:{PLAN_AT}:1", at.planned),
    Case(f"plan-clear:{PLAN_AT}:0", at.planned),
    Case(f"plan-at:{PLAN_AT}:0", at.planned, choice="1"),
    Case(f"n-play:{PLAN_AT}:0:0:c3", at.accepted),
    Case(f"n-pick:{PLAN_AT}:0:0:c3", at.accepted),
    Case(f"n-back:{PLAN_AT}:0:0:", at.accepted),
    Case(f"n-idle:{PLAN_AT}:0:0:", at.accepted),
    Case(f"n-file:{PLAN_AT}:0:1:", at.accepted),
    Case(f"n-take0:{PLAN_AT}:0:0:c3", at.accepted),
    Case(f"n-take1:{PLAN_AT}:0:0:c3", at.accepted),
    Case(f"n-type:{PLAN_AT}:0:0:", at.accepted, of=None, anybody=True),
    Case(f"n-cancel:{PLAN_AT}:0:0:", at.accepted, of=None, anybody=True),
    Case(f"n-choose:{PLAN_AT}:0:0:", at.accepted, choice="c3"),
    Case(f"n-page:{PLAN_AT}:0:0:", at.accepted, choice="0"),
    Case(f"close:{AT}", at.idle),
    Case(f"close-answer:no:{AT}", at.idle, of=None, anybody=True),
    Case(f"open:{AT}", at.accepted),
    Case("pause:{match}", at.accepted),
    Case("pause-days:{match}", at.accepted, choice="3"),
    Case("pause-end:{match}", at.accepted),
    Case("news:{match}", at.accepted),
    Case("news-of:{match}", at.accepted, choice="direct"),
    Case("prefer:news", at.nothing, of=None, anybody=True, choice="both"),
    Case("prefer:quiet", at.nothing, of=None, anybody=True),
    Case("prefer:quiet:1", at.nothing, of=None, anybody=True),
    Case("prefer:quiet-from", at.nothing, of=None, anybody=True, choice="22"),
    Case("prefer:quiet-until", at.nothing, of=None, anybody=True, choice="7"),
    Case("prefer:digest", at.nothing, of=None, anybody=True, choice="8"),
    Case("prefer:rest", at.nothing, of=None, anybody=True),
    Case("prefer:rest-choice", at.nothing, of=None, anybody=True, choice="67"),
    Case("prefer:zone", at.nothing, of=None, anybody=True, choice="Europe/Rome"),
    Case("cup:matches:{cup}", at.cup_running, of="cup", anybody=True),
    Case("cup:picture:{cup}", at.cup_running, of="cup", anybody=True),
    Case("cup:text:{cup}", at.cup_running, of="cup", anybody=True),
    Case("cup:export:{cup}", at.cup_running, of="cup", anybody=True),
    Case("cup:withdraw:{cup}", at.cup_running, "bob", "cup"),
    Case("cup-rules", at.nothing, of=None, anybody=True),
    Case("cup:rules:{cup}", at.cup_running, of=None, anybody=True),
    Case("cup-withdraw:no:{cup}", at.cup_running, "bob", of=None, anybody=True),
    Case("cup-close:no:{cup}", at.cup_managed, of=None),
    Case("cup-remove:no:{cup}:{bob}", at.cup_managed, of=None),
    Case("cups:running:0:next", at.nothing, of=None, anybody=True),
    Case("cups:ended:1:back", at.nothing, of=None, anybody=True),
    Case("setting:cups:yes", at.managed, of=None),
    Case("setting:rest:no", at.managed, of=None),
    Case("setting:watching:yes", at.managed, of=None),
    Case(f"b-back:{AT}:0:", at.accepted),
    Case(f"b-file:{AT}:1:", at.accepted),
    Case(f"b-hint:{AT}:0:", at.against_computer),
    Case(f"b-aimless:{AT}:0:", at.accepted),
    Case(f"b-take0:{AT}:0:c3", at.accepted),
    Case(f"b-take1:{AT}:0:c3", at.accepted),
    Case(f"b-type:{AT}:0:", at.accepted, of=None, anybody=True),
    Case(f"b-cancel:{AT}:0:", at.accepted, of=None, anybody=True),
    Case(f"b-idle:{AT}:0:", at.accepted),
    Case(f"b-page:{AT}:0:", at.accepted, choice="0"),
    Case("computer:redo", at.nothing, of=None, anybody=True),
    Case("computers:{challenge}", at.lobby, "alice", "challenge"),
    Case("computer-variant:gyges", at.nothing, of=None, anybody=True, choice="classic"),
    Case(f"draw:no:{AT}", at.against_computer, of=None, anybody=True),
    Case("export:{match}", at.finished, anybody=True),
    Case("ranks:all:rating:0:next", at.over, of=None, anybody=True),
    Case("ranks:yonmoque:month:0:back", at.over, of=None, anybody=True),
    Case("look:{match}:1:picture", at.finished, anybody=True),
    Case("look:{match}:0:text", at.finished, anybody=True),
    Case(f"more:{AT}", at.finished, anybody=True),
    Case("open:{match}", at.accepted),
    Case("watch:{match}", at.accepted, anybody=True),
    Case("watch-end:{match}", at.accepted),
    Case(f"play:{AT}", at.accepted),
    Case(f"play:{AT}:reminder", at.accepted),
    Case("privacy:keep", at.first_move, of=None, anybody=True),
    Case("privacy:export", at.first_move, of=None, anybody=True),
    Case("privacy:sessions", at.nothing, of=None, anybody=True),
    Case("privacy:delete", at.first_move, of=None, anybody=True),
    Case("session:all", at.nothing, of=None, anybody=True),
    Case("session:1", at.nothing, of=None, anybody=True),
    Case("replay:{match}", at.finished, anybody=True),
    Case(f"resign:ask:{AT}", at.accepted, "bob"),
    Case(f"post:board:{AT}", at.accepted, anybody=True),
    Case(f"resign:no:{AT}", at.accepted, "bob", of=None, anybody=True),
    Case("best:{match}:0:0:picture", at.over, anybody=True),
    Case("best:{match}:1:1:text", at.over, anybody=True),
    Case(f"hint:{AT}", at.against_computer),
    Case("review:{match}", at.over, anybody=True),
    Case("finished:all::0:next", at.over, of=None, anybody=True),
    Case("running:all::0:next", at.accepted, of=None, anybody=True),
    Case("running:yonmoque:5:1:back", at.accepted, of=None, anybody=True),
    Case("finished:yonmoque:5:1:back", at.over, of=None, anybody=True),
    Case("steps:{match}:0", at.finished, anybody=True),
    Case("step:{match}:1:0:picture:2", at.finished, anybody=True),
    Case("step:{match}:9:1:text:5", at.finished, anybody=True),
    Case("daily:2026-01-01", at.nothing, of=None, anybody=True),
    Case("next-puzzle:rectangles", at.nothing, of=None, anybody=True, begins=True),
    Case("p-pick:{attempt}:0:0:a1", at.puzzle, of=None),
    Case("p-back:{attempt}:0:0:", at.puzzle, of=None),
    Case("p-file:{attempt}:0:1:", at.puzzle, of=None),
    Case("p-take0:{attempt}:0:0:", at.puzzle, of=None),
    Case("p-take1:{attempt}:0:0:", at.puzzle, of=None),
    Case("p-idle:{attempt}:0:0:", at.puzzle, of=None),
    Case("p-type:{attempt}:0:0:", at.puzzle, of=None, anybody=True),
    Case("p-cancel:{attempt}:0:0:", at.puzzle, of=None, anybody=True),
    Case("p-choose:{attempt}:0:0:", at.puzzle, of=None, choice="stuck"),
    Case("p-page:{attempt}:0:0:", at.puzzle, of=None, choice="0"),
    Case("puzzle:resume:{attempt}", at.puzzle, of=None),
    Case("puzzle:same:{attempt}", at.puzzle, of=None, anybody=True, begins=True),
    Case("puzzle:share:{attempt}", at.puzzle, of=None),
    Case("puzzle:open:{attempt}", at.puzzle, of=None),
    Case("share:replay:{match}", at.over, anybody=True, begins=True),
    Case("share:review:{match}", at.over, anybody=True, begins=True),
    Case("share-post:replay:{match}", at.over, anybody=True, begins=True),
    Case("share-post:review:{match}", at.over, anybody=True, begins=True),
    Case("share-post:notes:{match}", at.noted, begins=True),
    Case("share-post:puzzle:{attempt}", at.puzzle, of=None),
    Case("shared:play:{share}", at.replay_shared, of="share", anybody=True),
    Case("share:notes:{match}", at.noted, begins=True),
    Case("shared:notes:{share}", at.notes_shared, of="share", anybody=True),
    Case("notes:{match}", at.accepted),
    Case("note:{match}:0", at.accepted, of=None, anybody=True),
    Case("note-choose:{match}", at.noted, of=None, anybody=True, choice="0"),
    Case("note-step:{match}:0:0:picture", at.accepted, of=None, anybody=True),
    Case("note-step:{match}:0:1:text", at.accepted, of=None, anybody=True),
    Case("shared:try:{share}", at.puzzle_shared, of="share", anybody=True, begins=True),
    Case("rules-of:yonmoque", at.nothing, of=None, anybody=True),
    Case("games:1:next", at.nothing, of=None, anybody=True),
    Case("help:start", at.nothing, of=None, anybody=True),
    Case("help:more", at.nothing, of=None, anybody=True),
    Case("help:yours", at.nothing, of=None, anybody=True),
    Case("help:about", at.nothing, of=None, anybody=True),
    Case("games:0:back", at.nothing, of=None, anybody=True),
    Case("rules-of:gyges:classic", at.nothing, of=None, anybody=True),
    Case("rules:gyges:classic:1:next", at.nothing, of=None, anybody=True),
    Case("rules:yonmoque:1:next", at.nothing, of=None, anybody=True),
    Case("rules:yonmoque:0:back", at.nothing, of=None, anybody=True),
    Case("rules:gyges:classic:contents:0", at.nothing, of=None, anybody=True, choice="1"),
    Case("against-bot:3:level", at.nothing, of=None, anybody=True),
    Case("setting:allow", at.managed, of=None, choice="#"),
    Case("prefer:away", at.nothing, of=None, anybody=True, choice="3"),
    Case("setting:forbid", at.managed, of=None, choice="7"),
    Case("setting:pace", at.managed, of=None, choice="86400"),
    Case("prefer:coordinates:no", at.nothing, of=None, anybody=True),
    Case("prefer:confirm:yes", at.nothing, of=None, anybody=True),
    Case("prefer:text:yes", at.nothing, of=None, anybody=True),
    Case("prefer:reminders:no", at.nothing, of=None, anybody=True),
    Case("prefer:usual:no", at.nothing, of=None, anybody=True),
    Case("prefer:aims:no", at.nothing, of=None, anybody=True),
    Case("prefer:graces:no", at.nothing, of=None, anybody=True),
    Case("prefer:name:no", at.nothing, of=None, anybody=True),
    Case("prefer-group:boards", at.nothing, of=None, anybody=True),
    Case("prefer-group:news", at.nothing, of=None, anybody=True),
    Case("prefer-group:times", at.nothing, of=None, anybody=True),
    Case("prefer-group:language", at.nothing, of=None, anybody=True),
    Case("setting:threads:no", at.managed, of=None),
    Case("setting:automatic:yes", at.managed, of=None),
    Case("setting:grace:no", at.managed, of=None),
    Case("setting:weekly:no", at.managed, of=None),
    Case("weekly:2026-01-05", at.accepted, of=None, anybody=True),
    Case("prefer:language", at.nothing, of=None, anybody=True, choice="de"),
    Case("setting:language", at.managed, of=None, choice="it"),
    Case("prefer:theme", at.nothing, of=None, anybody=True, choice="light"),
    Case("setting:puzzle-channel", at.managed, of=None, choice="#"),
    Case("setting:puzzle-hour", at.managed, of=None, choice="9"),
    Case("setting:puzzle-zone", at.managed, of=None, choice="Europe/Rome"),
    Case("setting:no-puzzles", at.managed, of=None),
    Case("void:no:{match}", at.managed, of=None),
    Case("voided:{match}", at.voided, anybody=True),
    Case("rules:gyges:variant", at.nothing, of=None, anybody=True, choice="classic"),
    Case("rules:yonmoque:contents:0", at.nothing, of=None, anybody=True, choice="1"),
    Case(f"post:resign:{AT}", at.accepted, "bob", overtaken=at.other_move),
    Case(f"post:close:{AT}", at.idle, overtaken=at.other_move),
    Case(f"b-post:{AT}:0:c3", at.accepted, overtaken=at.other_move),
    Case(f"post:draw:{AT}", at.accepted, overtaken=at.other_move),
    Case(f"post:takeback:{AT}", at.first_move, overtaken=at.second_move),
)
ACTING = tuple(case for case in CASES if case.overtaken is not None)
SHOWING = tuple(case for case in CASES if case.overtaken is None)
