"""Plans in words, for their owners: what is planned, what became of the last plan, and what is asked in planning."""

from __future__ import annotations

from bot.matches.model import plan as model
from bot.matches.model.game_state import TAKES_BACK
from bot.matches.model.plan import Path
from bot.matches.services.plans import PlannedPosition, PlanView
from bot.messages.wording import LIST_LIMIT, that_fit
from renderers.i18n import enumerated
from renderers.i18n import gettext as _


def outline(view: PlanView, movers: dict[Path, int | None]) -> list[str]:
    """Return a plan in words, a line for each move that is expected, indented by what has to be played before."""
    lines = []
    for path in list(movers)[1:]:
        own = movers[path[:-1]] == view.seat
        reply = next(iter(model.subtree(view.tree, path)), None) if movers[path] == view.seat else None
        item = "  " * (sum(movers[path[:end]] != view.seat for end in range(len(path))) - 1) + "- "
        if own and len(path) == 1:
            lines.append(_("After your **{move}**:", move=path[-1]))
        elif not own and reply is None:
            lines.append(item + _("If **{move}**: nothing yet", move=path[-1]))
        elif not own:
            lines.append(item + _("If **{move}**, then **{reply}**", move=path[-1], reply=reply))
    shown = that_fit(lines, LIST_LIMIT)
    return [*shown, *(["…"] if len(shown) < len(lines) else [])]


def ended_words(view: PlanView) -> str:
    """Return what became of the last plan, with a copy of it, if it has ended and no other was made since."""
    plan = view.ended
    if plan is None:
        return ""
    leaves = [path for path in model.paths(plan.tree) if path and not model.subtree(plan.tree, path)]
    planned = "; ".join(that_fit([", ".join(path) for path in leaves], LIST_LIMIT // 3))
    if plan.met == TAKES_BACK:
        return _("Your plan ended, because a move was taken back. It was: {moves}.", moves=planned)
    if not plan.met:
        return _("Your plan ended, because its reply was no longer possible. It was: {moves}.", moves=planned)
    return _("You had planned: {moves}. But **{move}** was played.", moves=planned, move=plan.met)


def asks(place: PlannedPosition) -> str:
    """Return what is asked when a move after a path is planned."""
    if place.own and not place.path:
        return _("**Plan:** first the move you are about to make. It isn't played yet.")
    if place.own:
        return _("**Plan:** your reply after {moves}.", moves=in_turn(place.path))
    if place.path:
        return _("**Plan:** which move do you expect after {moves}?", moves=in_turn(place.path))
    return _("**Plan:** which move do you expect?")


def in_turn(path: Path) -> str:
    return enumerated(f"**{move}**" for move in path)
