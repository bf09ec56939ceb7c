"""The rules of cups, as people read them in Discord. ``docs/cups.md`` tells the same."""

from __future__ import annotations

from bot.matches.model.cups import BOARDS, FEWEST, LATE, MOST
from renderers.i18n import gettext as _


def cup_rules() -> str:
    """Return the rules of cups."""
    paragraphs = [
        _("### Rules of cups"),
        _(
            "**Who** {fewest} to {most} people. Everybody meets everybody once; up to four people meet twice, with the "
            "seats swapped. The order is drawn by lot, and first moves are balanced.",
            fewest=FEWEST,
            most=MOST,
        ),
        _(
            "**Play** You have at most {boards} matches of a cup at once; when one ends, the next begins by itself. A "
            "match is lost as soon as its time is up.",
            boards=BOARDS,
        ),
        _(
            "**Points** 2 for a win, 1 for a draw. Ties are decided by the points among the tied, then by "
            "Sonneborn-Berger (the points of those you beat, and half those of those you drew with), then by wins. "
            "After that, they are equal."
        ),
        _(
            "**Withdrawing** `/cup leave`, {late} losses on time, leaving the server, a bar, removal by a manager, or "
            "deleting your data take you out of the cup. With less than half of your matches played, all your results "
            "are annulled; otherwise you forfeit the rest. Matches that are running go on, but no longer count for the "
            "cup. I notice that you have left the server when a match of yours begins, when your time runs short or is "
            "up, and when an opponent claims a win for it. Those who are out stand below all others, and win nothing.",
            late=LATE,
        ),
        _(
            "**Trouble** A voided match counts for nobody and is not played again; after the end of a cup its table "
            "stays. If the bot is removed from the server, clocks stand still until it is back. If the channel is "
            "deleted, `/cup show` takes the cup to another one, and `/board` its matches. If a game isn't available, "
            "its matches wait. If all but one are annulled, or a manager closes the cup, there are no results."
        ),
    ]
    return "\n".join(paragraphs)
