"""The texts of the page itself, in the current language: the client has none of its own."""

from __future__ import annotations

from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.i18n import translated

GUEST_NAME = _p("player", "You")
"""What the player is called who has no account, to themselves."""
UNKNOWN_YET = _("I can't tell yet whether that went through. Looking again…")

WORDS = {
    "asPicture": _("As a picture"),
    "asText": _("As text"),
    "best": _("Best move"),
    "board": _("Board"),
    "chosen": _p("sign on a text board", "chosen"),
    "crowded": _("You have too many windows of this page open. Close one, and load this one again."),
    "close": _("Close"),
    "closeYes": _("Close the match"),
    "closeQuestion": _("Do you want to close this match? Then it counts for nobody."),
    "ended": _("You are signed out here. **Open board** in Discord gives you a new link, or says why it can't."),
    "earlier": _("Previous move"),
    "first": _("To the beginning"),
    "flip": _("Flip the board"),
    "help": _("Arrow keys lead from square to square, Enter chooses, Escape undoes a choice."),
    "illegalNow": _("What you had chosen is no longer possible."),
    "later": _("Next move"),
    "leave": _("Sign out"),
    "lost": _("No connection. Trying again…"),
    "me": _("you"),
    "minuteLeft": _("You have a minute left."),
    "more": _("More"),
    "moves": _("Moves"),
    "moveOf": _("Move {number} of {moves} · {said}"),
    "newest": _("To the newest position"),
    "nextMatch": _("Next: {match}"),
    "notPlayed": _("That wasn't sent. Please try again."),
    "options": _("Which one?"),
    "outOfTime": _("out of time"),
    "playIt": _("Play it"),
    "possible": _p("sign on a text board", "may be chosen"),
    "resignNo": _("No, play on"),
    "resignYes": _("Yes, resign"),
    "resignQuestion": _("Do you want to resign this match? It counts as a loss."),
    "review": _("Review"),
    "rules": _("Rules"),
    "secondsLeft": _("You have {seconds} seconds left."),
    "shareNo": _("Cancel"),
    "shareQuestion": _("Everybody in the channel will see it. Share it?"),
    "shareYes": _("Share"),
    "sound": _("Sound"),
    "standsUntil": _("the clock stands until {time}"),
    "start": _p("replay", "Start"),
    "toMove": _p("seat", "to move"),
    "turnOf": _("{players} to move."),
    "undo": _("Undo"),
    "unknown": UNKNOWN_YET,
    "yourTurn": _("It's your turn."),
}


def page_words() -> dict[str, str]:
    """Return the texts by the names under which the client knows them."""
    return {name: translated(text) for name, text in WORDS.items()}
