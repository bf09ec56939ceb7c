"""A table of every control in a situation in which it can be pressed. A new control needs a row here.

``custom_id`` is filled in with the numbers of the situation it is pressed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from bot.storage.tables import plans
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
    idle,
    ladder_joined,
    last_ids,
    level_chosen,
    lobby,
    managed,
    moved_after_set_up,
    noted,
    notes_shared,
    nothing,
    open_challenge,
    other_move,
    over,
    planned,
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
    two_moves,
    void,
    voided,
)
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
    return str(case) if case.before in {idle, time_up} else case.before.__name__


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
    Case(f"ask:draw:{AT}", accepted, overtaken=other_move),
    Case(f"ask:takeback:{AT}", first_move, overtaken=second_move),
    Case(f"b-play:{AT}:0:c3", accepted, overtaken=other_move),
    Case(f"b-setup:{AT}:0:", set_up, overtaken=moved_after_set_up),
    Case(f"b-pick:{AT}:0:c3", accepted, overtaken=other_move),
    Case(f"b-choose:{AT}:0:", accepted, choice="c3", overtaken=other_move),
    Case("challenge:accept:{challenge}", challenged, "bob", "challenge", called_off),
    Case("challenge:accept:{challenge}", lobby, "bob", "challenge", called_off, anybody=True),
    Case("challenge:decline:{challenge}", challenged, "bob", "challenge", called_off),
    Case("challenge:leave:{challenge}", bob_joined, "bob", "challenge", called_off),
    Case("challenge:start:{challenge}", bob_joined, "alice", "challenge", called_off),
    Case("challenge:cancel:{challenge}", challenged, "alice", "challenge", taken_up),
    Case(LEVEL_CHOSEN, nothing, of=None, overtaken=level_chosen, anybody=True, begins=True),
    Case("computers:play:{challenge}:1:", open_challenge, "alice", "challenge", taken_up),
    Case("computers:seat:{challenge}:1:", lobby, "alice", "challenge", called_off),
    Case("computers:unseat:{challenge}:1:1", computer_seated, "alice", "challenge", called_off),
    Case(f"claim:{AT}", time_up, "bob", overtaken=other_move),
    Case(f"draw:yes:{AT}", against_computer, overtaken=other_move),
    Case("offer:accept:{offer}", draw_offered, "bob", "offer", two_moves),
    Case("offer:decline:{offer}", draw_offered, "bob", "offer", two_moves),
    Case("offer:withdraw:{offer}", draw_offered, "alice", "offer", two_moves),
    Case("offer:accept:{offer}", takeback_asked, "bob", "offer", second_move),
    Case("offer:decline:{offer}", takeback_asked, "bob", "offer", second_move),
    Case("ladder:join", nothing, of=None, anybody=True, begins=True),
    Case("ladder:leave", ladder_joined, of=None),
    Case("ladder:show", ladder_joined, of=None, anybody=True),
    Case("rematch:{match}", over, overtaken=rematch_asked_and_begun),
    Case("rematch:{match}", rematch_offered, "bob", overtaken=rematch_begun),
    Case(f"resign:yes:{AT}", accepted, "bob", overtaken=other_move),
    Case("privacy:erase", first_move, of=None, overtaken=resigned, anybody=True),
    Case(
        "challenge-person:{bob}",
        nothing,
        of=None,
        overtaken=alice_blocked,
        anybody=True,
        begins=True,
        choice="yonmoque",
    ),
    Case(
        "against-bot:1:game",
        nothing,
        of=None,
        overtaken=alice_barred,
        anybody=True,
        begins=True,
        choice="redo",
    ),
    Case("next-level:{match}:2", over, overtaken=alice_barred, begins=True),
    Case("void:yes:{match}", managed, of=None, overtaken=void),
    Case("p-play:{attempt}:0:0:stuck", puzzle, of=None, overtaken=given_up),
    Case("puzzle:show:{attempt}", puzzle, of=None, overtaken=given_up),
    Case(f"close-answer:yes:{AT}", idle, overtaken=other_move),
    Case("cup:join:{cup}", cup_open, "bob", "cup", cup_closed, anybody=True),
    Case("cup:leave:{cup}", cup_joined, "bob", "cup", cup_closed),
    Case("cup:begin:{cup}", cup_with_enough, of="cup", overtaken=cup_closed),
    Case("cup:cancel:{cup}", cup_open, of="cup", overtaken=cup_closed),
    Case("cup:again:{cup}", cup_over, of="cup", overtaken=cup_again),
    Case("cup-withdraw:yes:{cup}", cup_running, "bob", "cup", bob_left_cup),
    Case("cup-close:yes:{cup}", cup_managed, of=None, overtaken=cup_closed),
    Case("cup-remove:yes:{cup}:{bob}", cup_managed, of=None, overtaken=bob_left_cup),
    # What only shows something, or changes what one person alone sees.
    Case("plan:{match}", accepted),
    Case(f"b-plan:{AT}:0:c3", accepted),
    Case(f"plan-show:{PLAN_AT}:0", planned),
    Case(f"plan-add:{PLAN_AT}:1", planned),
    Case(f"plan-remove:{PLAN_AT}:1", planned),
    Case(f"plan-clear:{PLAN_AT}:0", planned),
    Case(f"plan-at:{PLAN_AT}:0", planned, choice="1"),
    Case(f"n-play:{PLAN_AT}:0:0:c3", accepted),
    Case(f"n-pick:{PLAN_AT}:0:0:c3", accepted),
    Case(f"n-back:{PLAN_AT}:0:0:", accepted),
    Case(f"n-idle:{PLAN_AT}:0:0:", accepted),
    Case(f"n-file:{PLAN_AT}:0:1:", accepted),
    Case(f"n-take0:{PLAN_AT}:0:0:c3", accepted),
    Case(f"n-take1:{PLAN_AT}:0:0:c3", accepted),
    Case(f"n-type:{PLAN_AT}:0:0:", accepted, of=None, anybody=True),
    Case(f"n-cancel:{PLAN_AT}:0:0:", accepted, of=None, anybody=True),
    Case(f"n-choose:{PLAN_AT}:0:0:", accepted, choice="c3"),
    Case(f"n-page:{PLAN_AT}:0:0:", accepted, choice="0"),
    Case(f"close:{AT}", idle),
    Case(f"close-answer:no:{AT}", idle, of=None, anybody=True),
    Case(f"open:{AT}", accepted),
    Case("pause:{match}", accepted),
    Case("pause-days:{match}", accepted, choice="3"),
    Case("pause-end:{match}", accepted),
    Case("news:{match}", accepted),
    Case("news-of:{match}", accepted, choice="direct"),
    Case("prefer:news", nothing, of=None, anybody=True, choice="both"),
    Case("prefer:quiet", nothing, of=None, anybody=True),
    Case("prefer:quiet:1", nothing, of=None, anybody=True),
    Case("prefer:quiet-from", nothing, of=None, anybody=True, choice="22"),
    Case("prefer:quiet-until", nothing, of=None, anybody=True, choice="7"),
    Case("prefer:digest", nothing, of=None, anybody=True, choice="8"),
    Case("prefer:rest", nothing, of=None, anybody=True),
    Case("prefer:rest-choice", nothing, of=None, anybody=True, choice="67"),
    Case("prefer:zone", nothing, of=None, anybody=True, choice="Europe/Rome"),
    Case("cup:matches:{cup}", cup_running, of="cup", anybody=True),
    Case("cup:picture:{cup}", cup_running, of="cup", anybody=True),
    Case("cup:text:{cup}", cup_running, of="cup", anybody=True),
    Case("cup:export:{cup}", cup_running, of="cup", anybody=True),
    Case("cup:withdraw:{cup}", cup_running, "bob", "cup"),
    Case("cup-rules", nothing, of=None, anybody=True),
    Case("cup:rules:{cup}", cup_running, of=None, anybody=True),
    Case("cup-withdraw:no:{cup}", cup_running, "bob", of=None, anybody=True),
    Case("cup-close:no:{cup}", cup_managed, of=None),
    Case("cup-remove:no:{cup}:{bob}", cup_managed, of=None),
    Case("cups:running:0:next", nothing, of=None, anybody=True),
    Case("cups:ended:1:back", nothing, of=None, anybody=True),
    Case("setting:cups:yes", managed, of=None),
    Case("setting:rest:no", managed, of=None),
    Case("setting:watching:yes", managed, of=None),
    Case(f"b-back:{AT}:0:", accepted),
    Case(f"b-file:{AT}:1:", accepted),
    Case(f"b-hint:{AT}:0:", against_computer),
    Case(f"b-aimless:{AT}:0:", accepted),
    Case(f"b-take0:{AT}:0:c3", accepted),
    Case(f"b-take1:{AT}:0:c3", accepted),
    Case(f"b-type:{AT}:0:", accepted, of=None, anybody=True),
    Case(f"b-cancel:{AT}:0:", accepted, of=None, anybody=True),
    Case(f"b-idle:{AT}:0:", accepted),
    Case(f"b-page:{AT}:0:", accepted, choice="0"),
    Case("computer:redo", nothing, of=None, anybody=True),
    Case("computers:{challenge}", lobby, "alice", "challenge"),
    Case("computer-variant:gyges", nothing, of=None, anybody=True, choice="classic"),
    Case(f"draw:no:{AT}", against_computer, of=None, anybody=True),
    Case("export:{match}", finished, anybody=True),
    Case("ranks:all:rating:0:next", over, of=None, anybody=True),
    Case("ranks:yonmoque:month:0:back", over, of=None, anybody=True),
    Case("look:{match}:1:picture", finished, anybody=True),
    Case("look:{match}:0:text", finished, anybody=True),
    Case(f"more:{AT}", finished, anybody=True),
    Case("open:{match}", accepted),
    Case("watch:{match}", accepted, anybody=True),
    Case(f"play:{AT}", accepted),
    Case(f"play:{AT}:reminder", accepted),
    Case("privacy:keep", first_move, of=None, anybody=True),
    Case("privacy:export", first_move, of=None, anybody=True),
    Case("privacy:sessions", nothing, of=None, anybody=True),
    Case("privacy:delete", first_move, of=None, anybody=True),
    Case("session:all", nothing, of=None, anybody=True),
    Case("session:1", nothing, of=None, anybody=True),
    Case("replay:{match}", finished, anybody=True),
    Case(f"resign:ask:{AT}", accepted, "bob"),
    Case(f"resign:no:{AT}", accepted, "bob", of=None, anybody=True),
    Case("best:{match}:0:0:picture", over, anybody=True),
    Case("best:{match}:1:1:text", over, anybody=True),
    Case(f"hint:{AT}", against_computer),
    Case("review:{match}", over, anybody=True),
    Case("finished:all::0:next", over, of=None, anybody=True),
    Case("running:all::0:next", accepted, of=None, anybody=True),
    Case("running:yonmoque:5:1:back", accepted, of=None, anybody=True),
    Case("finished:yonmoque:5:1:back", over, of=None, anybody=True),
    Case("steps:{match}:0", finished, anybody=True),
    Case("step:{match}:1:0:picture:2", finished, anybody=True),
    Case("step:{match}:9:1:text:5", finished, anybody=True),
    Case("daily:2026-01-01", nothing, of=None, anybody=True),
    Case("next-puzzle:rectangles", nothing, of=None, anybody=True, begins=True),
    Case("p-pick:{attempt}:0:0:a1", puzzle, of=None),
    Case("p-back:{attempt}:0:0:", puzzle, of=None),
    Case("p-file:{attempt}:0:1:", puzzle, of=None),
    Case("p-take0:{attempt}:0:0:", puzzle, of=None),
    Case("p-take1:{attempt}:0:0:", puzzle, of=None),
    Case("p-idle:{attempt}:0:0:", puzzle, of=None),
    Case("p-type:{attempt}:0:0:", puzzle, of=None, anybody=True),
    Case("p-cancel:{attempt}:0:0:", puzzle, of=None, anybody=True),
    Case("p-choose:{attempt}:0:0:", puzzle, of=None, choice="stuck"),
    Case("p-page:{attempt}:0:0:", puzzle, of=None, choice="0"),
    Case("puzzle:resume:{attempt}", puzzle, of=None),
    Case("puzzle:same:{attempt}", puzzle, of=None, anybody=True, begins=True),
    Case("puzzle:share:{attempt}", puzzle, of=None),
    Case("puzzle:open:{attempt}", puzzle, of=None),
    Case("share:replay:{match}", over, anybody=True, begins=True),
    Case("share:review:{match}", over, anybody=True, begins=True),
    Case("share-post:replay:{match}", over, anybody=True, begins=True),
    Case("share-post:review:{match}", over, anybody=True, begins=True),
    Case("share-post:notes:{match}", noted, begins=True),
    Case("share-post:puzzle:{attempt}", puzzle, of=None),
    Case("shared:play:{share}", replay_shared, of="share", anybody=True),
    Case("share:notes:{match}", noted, begins=True),
    Case("shared:notes:{share}", notes_shared, of="share", anybody=True),
    Case("notes:{match}", accepted),
    Case("note:{match}:0", accepted, of=None, anybody=True),
    Case("note-choose:{match}", noted, of=None, anybody=True, choice="0"),
    Case("note-step:{match}:0:0:picture", accepted, of=None, anybody=True),
    Case("note-step:{match}:0:1:text", accepted, of=None, anybody=True),
    Case("shared:try:{share}", puzzle_shared, of="share", anybody=True, begins=True),
    Case("rules-of:yonmoque", nothing, of=None, anybody=True),
    Case("games:1:next", nothing, of=None, anybody=True),
    Case("help:start", nothing, of=None, anybody=True),
    Case("help:more", nothing, of=None, anybody=True),
    Case("help:yours", nothing, of=None, anybody=True),
    Case("help:about", nothing, of=None, anybody=True),
    Case("games:0:back", nothing, of=None, anybody=True),
    Case("rules-of:gyges:classic", nothing, of=None, anybody=True),
    Case("rules:gyges:classic:1:next", nothing, of=None, anybody=True),
    Case("rules:yonmoque:1:next", nothing, of=None, anybody=True),
    Case("rules:yonmoque:0:back", nothing, of=None, anybody=True),
    Case("rules:gyges:classic:contents:0", nothing, of=None, anybody=True, choice="1"),
    Case("against-bot:3:level", nothing, of=None, anybody=True),
    Case("setting:allow", managed, of=None, choice="#"),
    Case("prefer:away", nothing, of=None, anybody=True, choice="3"),
    Case("setting:forbid", managed, of=None, choice="7"),
    Case("setting:pace", managed, of=None, choice="86400"),
    Case("prefer:coordinates:no", nothing, of=None, anybody=True),
    Case("prefer:confirm:yes", nothing, of=None, anybody=True),
    Case("prefer:text:yes", nothing, of=None, anybody=True),
    Case("prefer:reminders:no", nothing, of=None, anybody=True),
    Case("prefer:usual:no", nothing, of=None, anybody=True),
    Case("prefer:aims:no", nothing, of=None, anybody=True),
    Case("prefer:graces:no", nothing, of=None, anybody=True),
    Case("prefer:name:no", nothing, of=None, anybody=True),
    Case("prefer-group:boards", nothing, of=None, anybody=True),
    Case("prefer-group:news", nothing, of=None, anybody=True),
    Case("prefer-group:times", nothing, of=None, anybody=True),
    Case("prefer-group:language", nothing, of=None, anybody=True),
    Case("setting:threads:no", managed, of=None),
    Case("setting:automatic:yes", managed, of=None),
    Case("setting:grace:no", managed, of=None),
    Case("setting:weekly:no", managed, of=None),
    Case("weekly:2026-01-05", accepted, of=None, anybody=True),
    Case("prefer:language", nothing, of=None, anybody=True, choice="de"),
    Case("setting:language", managed, of=None, choice="it"),
    Case("prefer:theme", nothing, of=None, anybody=True, choice="light"),
    Case("setting:puzzle-channel", managed, of=None, choice="#"),
    Case("setting:puzzle-hour", managed, of=None, choice="9"),
    Case("setting:puzzle-zone", managed, of=None, choice="Europe/Rome"),
    Case("setting:no-puzzles", managed, of=None),
    Case("void:no:{match}", managed, of=None),
    Case("voided:{match}", voided, anybody=True),
    Case("rules:gyges:variant", nothing, of=None, anybody=True, choice="classic"),
    Case("rules:yonmoque:contents:0", nothing, of=None, anybody=True, choice="1"),
)
ACTING = tuple(case for case in CASES if case.overtaken is not None)
SHOWING = tuple(case for case in CASES if case.overtaken is None)
