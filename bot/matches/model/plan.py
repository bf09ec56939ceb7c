"""Planned replies: the tree of moves that a player expects of the opponent, and of their answers. Pure.

Runs in worker processes, so it imports no database. A place in a tree is the path of moves that leads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from bot.games.game import IllegalMove
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import Refusal, Unconfirmed
from bot.matches.model.turn import PlayedTurn, automatic_entries, played_turn
from bot.storage.records import Entry, EntryKind, Match, Plan, PlanTree
from renderers.i18n import gettext_lazy as _

Path = tuple[str, ...]

MOST_EXPECTED = 3
"""The moves that may be expected at one place."""
MOST_REPLIES = 8
"""The replies on one path."""
MOST_PLANNED = 50
"""The moves that may be expected in a whole plan."""
NOTHING_TO_PLAN = _("The match would be over there, so there is nothing to plan.")


def holds(plan: Plan) -> bool:
    """Return whether a plan expects anything yet."""
    return plan.met is None and bool(plan.tree)


def turn_with_replies(
    match: Match,
    before: GameState,
    seat: int,
    text: str,
    at: datetime,
    plans: Sequence[Plan],
    *,
    confirmed: bool = False,
) -> PlayedTurn:
    """Return the turn of a typed move like ``played_turn``, with the replies to it that are planned.

    The replies take no time. Raises ``Refusal``.
    """
    turn = played_turn(match, before, seat, text, at, confirmed=confirmed)
    followed = [plan for plan in plans if holds(plan) and plan.ply == before.ply]
    if not followed:
        return turn
    entries, state = list(turn.entries), turn.after
    ready_made = frozenset(each.seat for each in match.seats if each.ready_made)
    followed = [_after(plan, turn.text) for plan in followed]
    while True:  # Each reply uses up a move of its plan, so two plans give ``2 * MOST_REPLIES`` at most.
        mover = state.position.to_move
        plan = next((plan for plan in followed if plan.seat == mover and holds(plan)), None)
        # A player who is to move again after their own move, because the other had to pass, answers nothing.
        if plan is None or state.result is not None or state.last_seat == mover:
            break
        reply = next(iter(plan.tree))
        try:
            move = state.position.parse(reply)
        except IllegalMove:
            followed = [replace(each, met="") if each is plan else each for each in followed]
            break
        entry = Entry(state.ply + 1, plan.seat, EntryKind.MOVE, reply, at, planned=True)
        following, state = automatic_entries(state.moved(entry, move), ready_made, at)
        entries += [entry, *following]
        followed = [_after(each, reply) if holds(each) else each for each in followed]
    return replace(
        turn, entries=tuple(entries), after=state, plans=tuple(replace(plan, ply=state.ply) for plan in followed)
    )


def _after(plan: Plan, move: str) -> Plan:
    """Return a plan after a move of either player: what follows that move, or the plan as it was, ended by the move."""
    return replace(plan, met=move) if move not in plan.tree else replace(plan, tree=plan.tree[move])


def paths(tree: PlanTree) -> Iterator[Path]:
    """Yield every place of a tree, each before the places that follow it; the first is the beginning."""
    yield ()
    for move, after in tree.items():
        for path in paths(after):
            yield (move, *path)


def subtree(tree: PlanTree, path: Path) -> PlanTree:
    """Return what is planned after a path. Raises ``KeyError`` for a path that is not planned."""
    for move in path:
        tree = tree[move]
    return tree


def planned_states(match: Match, state: GameState, path: Path, at: datetime) -> list[GameState]:
    """Return ``state`` and the state after each move of a path from it. Raises ``Refusal`` for an illegal move."""
    states = [state]
    for text in path:
        seat = check_goes_on(state)
        state = played_turn(match, state, seat, text, at, confirmed=True).after
        states.append(state)
    return states


def check_goes_on(state: GameState) -> int:
    """Return the seat to move. Raises ``Refusal`` where the match would be over."""
    if state.result is not None or state.position.to_move is None:
        raise Refusal(NOTHING_TO_PLAN)
    return state.position.to_move


def with_moves(
    plan: Plan, match: Match, state: GameState, path: Path, texts: Sequence[str], at: datetime, *, confirmed: bool
) -> tuple[PlanTree, Path, str | None]:
    """Return the tree of a plan that begins at ``state`` with typed moves after a path, and the path with them.

    A move of the owner takes the place of an earlier one. Unless the moves are ``confirmed``, one that the game asks
    about is returned as the last value, and neither it nor what follows it is in the tree. Raises ``Refusal`` for an
    illegal move and beyond the limits.
    """
    tree, states = plan.tree, planned_states(match, state, path, at)
    for text in texts:
        try:
            turn = played_turn(match, states[-1], check_goes_on(states[-1]), text, at, confirmed=confirmed)
        except Unconfirmed as question:
            return tree, path, question.text
        planned, movers = subtree(tree, path), [state.position.to_move for state in states]
        if turn.text not in planned:
            # The owner's move at the beginning is no reply: the plan begins after it.
            replies, own = movers[1:].count(plan.seat), movers[-1] == plan.seat
            if replies == MOST_REPLIES + (own and len(path) > 0):
                raise Refusal(_("A plan goes no deeper than 8 of your replies."))
            if not own and len(planned) == MOST_EXPECTED:
                raise Refusal(_("At any one point, a plan takes 3 moves of your opponent. Remove one there first."))
            if not own and _expected(tree, own=movers[0] == plan.seat) >= MOST_PLANNED:
                raise Refusal(_("In all, a plan takes 50 moves of your opponent. Remove some first."))
            tree = _replaced(tree, path, {turn.text: {}} if own else {**planned, turn.text: {}})
        path, states = (*path, turn.text), [*states, turn.after]
    return tree, path, None


def places(match: Match, state: GameState, tree: PlanTree, at: datetime) -> list[tuple[Path, int | None]]:
    """Return every place of a tree that begins at ``state``, each before those that follow it, with the seat to move.

    None stands for a match that would be over.
    """
    reached_places: list[tuple[Path, int | None]] = []

    def visit(path: Path, reached: GameState, after: PlanTree) -> None:
        reached_places.append((path, None if reached.result is not None else reached.position.to_move))
        for move, following in after.items():
            visit((*path, move), planned_states(match, reached, (move,), at)[-1], following)

    visit((), state, tree)
    return reached_places


def without(tree: PlanTree, path: Path) -> PlanTree:
    """Return a tree without the last move of a path, and all that follows it."""
    *before, last = path
    return _replaced(
        tree, tuple(before), {move: after for move, after in subtree(tree, tuple(before)).items() if move != last}
    )


def _replaced(tree: PlanTree, path: Path, after: PlanTree) -> PlanTree:
    """Return a tree with other moves after a path."""
    if not path:
        return after
    return {move: _replaced(rest, path[1:], after) if move == path[0] else rest for move, rest in tree.items()}


def _expected(tree: PlanTree, *, own: bool) -> int:
    """Count the moves expected of the opponent; ``own`` says whether the first move of the tree is one's own."""
    return sum((not own) + _expected(after, own=not own) for after in tree.values())
