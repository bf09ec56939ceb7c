"""The custom ids of the controls that build a move: of a match, of a plan, of a puzzle.

Like those of ``bot.messages.custom_ids``, a form that was ever posted never changes.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from bot.messages import custom_ids
from bot.messages.custom_id_form import Choices, CustomId, Menu, Place, Ply, StoredId

PuzzleVerb = Literal["play", "back", "cancel", "type", "pick", "idle", "take0", "take1", "file"]
BuilderVerb = PuzzleVerb | Literal["hint", "setup", "aimless", "plan", "post"]


class BuilderButton(NamedTuple):
    verb: BuilderVerb
    of: StoredId
    ply: Ply
    menu: Menu
    choices: Choices


class PuzzleButton(NamedTuple):
    verb: PuzzleVerb
    attempt: StoredId
    ply: Ply
    menu: Menu
    choices: Choices


class BuilderMenu(NamedTuple):
    of: StoredId
    ply: Ply
    menu: Menu
    choices: Choices


class PuzzleMenu(NamedTuple):
    attempt: StoredId
    ply: Ply
    menu: Menu
    choices: Choices


class PlanButton(NamedTuple):
    verb: PuzzleVerb
    of: StoredId
    ply: Ply
    version: Ply
    place: Place
    menu: Menu
    choices: Choices


class PlanMenu(NamedTuple):
    of: StoredId
    ply: Ply
    version: Ply
    place: Place
    menu: Menu
    choices: Choices


class PlanPlace(NamedTuple):
    of: StoredId
    ply: Ply
    version: Ply
    place: Place


class PlanAction(NamedTuple):
    verb: Literal["show", "add", "remove", "clear"]
    of: StoredId
    ply: Ply
    version: Ply
    place: Place


BUILDER = CustomId("b-{verb}:{of}:{ply}:{menu}:{choices}", BuilderButton)
BUILDER_CHOICE = CustomId("b-choose:{of}:{ply}:{menu}:{choices}", BuilderMenu)
BUILDER_PAGE = CustomId("b-page:{of}:{ply}:{menu}:{choices}", BuilderMenu)
PLAN_ACTION = CustomId("plan-{verb}:{of}:{ply}:{version}:{place}", PlanAction)
PLAN_PLACE = CustomId("plan-at:{of}:{ply}:{version}:{place}", PlanPlace)
PLAN_BUILDER = CustomId("n-{verb}:{of}:{ply}:{version}:{place}:{menu}:{choices}", PlanButton)
PLAN_CHOICE = CustomId("n-choose:{of}:{ply}:{version}:{place}:{menu}:{choices}", PlanMenu)
PLAN_PAGE = CustomId("n-page:{of}:{ply}:{version}:{place}:{menu}:{choices}", PlanMenu)
TYPED_PLAN = CustomId("n-typed:{of}:{ply}:{version}:{place}", PlanPlace)
PUZZLE_BUILDER = CustomId("p-{verb}:{attempt}:{ply}:{menu}:{choices}", PuzzleButton)
PUZZLE_CHOICE = CustomId("p-choose:{attempt}:{ply}:{menu}:{choices}", PuzzleMenu)
PUZZLE_PAGE = CustomId("p-page:{attempt}:{ply}:{menu}:{choices}", PuzzleMenu)


class BuilderForms(NamedTuple):
    """The forms of a builder's controls, and of the form to type in. All begin with the same numbers: a place."""

    button: CustomId[..., Any]
    choice: CustomId[..., Any]
    page: CustomId[..., Any]
    typed: CustomId[..., Any]


OF_MATCH = BuilderForms(BUILDER, BUILDER_CHOICE, BUILDER_PAGE, custom_ids.TYPED_MOVE)
OF_PLAN = BuilderForms(PLAN_BUILDER, PLAN_CHOICE, PLAN_PAGE, TYPED_PLAN)
OF_PUZZLE = BuilderForms(PUZZLE_BUILDER, PUZZLE_CHOICE, PUZZLE_PAGE, custom_ids.TYPED_TRY)
