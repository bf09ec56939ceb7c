"""Planned replies: a player says what they answer to moves of their opponent, and keeps it to themselves.

``bot.matches.model.plan`` plays them, as a part of the opponent's turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.game import Position
from bot.matches.game_states import GameStates
from bot.matches.model import plan as model
from bot.matches.model.game_state import GameState
from bot.matches.model.plan import Path
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.turn import in_notation
from bot.matches.service_context import ServiceContext
from bot.matches.services.turn import Turn, step
from bot.storage import matches, plans
from bot.storage.records import Match, Plan, PlanTree
from renderers.i18n import gettext_lazy as _

PLAN_CHANGED = _("Your plan has changed in the meantime. **Plan** shows it now.")


@dataclass(frozen=True, slots=True)
class PlanView:
    """A person's plan in a match as it stands: ``plan`` may have no moves yet, or have ended."""

    match: Match
    game_state: GameState
    seat: int
    plan: Plan

    @property
    def tree(self) -> PlanTree:
        """What is planned from now on."""
        return self.plan.tree if model.holds(self.plan) and self.plan.ply == self.match.ply else {}

    @property
    def ended(self) -> Plan | None:
        """The last plan, if a move or a take-back has ended it and no other was made since."""
        return self.plan if self.plan.met is not None and self.plan.tree else None


@dataclass(frozen=True, slots=True)
class PlannedPosition:
    """A place in a plan: the match state that would stand there, after the moves of ``path``."""

    view: PlanView
    path: Path
    game_state: GameState

    @property
    def own(self) -> bool:
        """Whether the owner would be to move."""
        return self.game_state.position.to_move == self.view.seat

    @property
    def answers(self) -> bool:
        """Whether the owner would be to move in answer to a move: what they plan there can be played by itself."""
        return self.own and self.game_state.last_seat != self.view.seat and self.path != ()

    @property
    def position(self) -> Position:
        return self.game_state.position


@dataclass(frozen=True, slots=True)
class PlannedMoves:
    """What comes of moves to be planned: the plan with them, the path to the last, and one that is to be confirmed."""

    view: PlanView
    path: Path
    question: str | None


class Plans:
    """Shows people their own plans, and changes them."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    @step
    async def view(self, turn: Turn) -> PlanView:
        """Return the plan of the person who asks. Raises ``Refusal``, for people who do not play, too."""
        return await _view(turn)

    async def at(self, view: PlanView, path: Path) -> PlannedPosition:
        """Return a place in a plan. Raises ``Refusal``."""
        now = self._context.clock()
        states = await self._context.compute(model.planned_states, view.match, view.game_state, path, now)
        return PlannedPosition(view, path, states[-1])

    async def places(self, view: PlanView) -> dict[Path, int | None]:
        """Return every place of a plan, in the order in which it is told, and who would be to move there."""
        now = self._context.clock()
        return dict(await self._context.compute(model.places, view.match, view.game_state, view.tree, now))

    @step
    async def add(
        self, turn: Turn, version: int, path: Path, texts: Sequence[str], *, confirmed: bool = False
    ) -> PlannedMoves:
        """Plan moves after a path, in turn: those that are expected, and one's own.

        Unless they are ``confirmed``, those before the first that the game asks about. Raises ``Refusal``, and
        ``Stale`` if the plan is no longer at ``version``.
        """
        view = await _view_at(turn, version, path)
        plan, now = replace(view.plan, tree=view.tree), self._context.clock()
        texts = [in_notation(view.match.game, text) for text in texts]
        tree, path, question = await self._context.compute(
            model.with_moves, plan, view.match, view.game_state, path, texts, now, confirmed=confirmed
        )
        return PlannedMoves(await _stored(turn, view, tree), path, question)

    @step
    async def remove(self, turn: Turn, version: int, path: Path) -> PlanView:
        """Take a move out of a plan with all that follows it; the empty path clears the plan. Raises ``Refusal``."""
        view = await _view_at(turn, version, path)
        return await _stored(turn, view, model.without(view.tree, path) if path else {})


async def _view(turn: Turn) -> PlanView:
    match, seat = turn.match, turn.seat.seat
    if len(match.seats) != 2:
        raise Refusal(_("Plans are for matches of two players: with more, nobody can know who moves in between."))
    none = Plan(seat, match.ply, {}, 0)
    return PlanView(match, turn.state, seat, next((plan for plan in await turn.plans() if plan.seat == seat), none))


async def _view_at(turn: Turn, version: int, path: Path) -> PlanView:
    """Return a plan as its owner saw it. Raises ``Stale`` for one that has changed, or has no such path."""
    view = await _view(turn)
    if view.plan.version != version or path not in model.paths(view.tree):
        raise Stale(PLAN_CHANGED)
    return view


async def _stored(turn: Turn, view: PlanView, tree: PlanTree) -> PlanView:
    if tree == view.tree and view.plan.met is None:
        return view
    plan = replace(view.plan, ply=view.match.ply, tree=tree, met=None)
    async with turn.writing() as tx:
        await matches.lock(tx, view.match.id)
        if not await plans.change(tx, view.match.id, plan):
            raise Stale(PLAN_CHANGED)
    match = replace(view.match, plans_version=view.match.plans_version + 1)
    return replace(view, match=match, plan=replace(plan, version=plan.version + 1))
