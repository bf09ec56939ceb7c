"""The names of commands and options, marked for translation: Discord shows each in the language of whoever types.

The program names them in its own code; this lists them where Babel finds them. The words of ``match replay`` are two.
"""

from __future__ import annotations

from renderers.i18n import pgettext_lazy as _p

COMMANDS = frozenset(
    {
        _p("command", "about"),
        _p("command", "bar"),
        _p("command", "barred"),
        _p("command", "block"),
        _p("command", "board"),
        _p("command", "challenge"),
        _p("command", "claim"),
        _p("command", "delete"),
        _p("command", "draw"),
        _p("command", "export"),
        _p("command", "games"),
        _p("command", "help"),
        _p("command", "hint"),
        _p("command", "leaderboard"),
        _p("command", "manage"),
        _p("command", "match"),
        _p("command", "matches"),
        _p("command", "move"),
        _p("command", "preferences"),
        _p("command", "privacy"),
        _p("command", "profile"),
        _p("command", "puzzle"),
        _p("command", "replay"),
        _p("command", "resign"),
        _p("command", "review"),
        _p("command", "rules"),
        _p("command", "settings"),
        _p("command", "takeback"),
        _p("command", "unbar"),
        _p("command", "void"),
    }
)
OPTIONS = frozenset(
    {
        _p("option", "allow_channel"),
        _p("option", "automatic"),
        _p("option", "away_days"),
        _p("option", "blocked"),
        _p("option", "by"),
        _p("option", "confirm"),
        _p("option", "coordinates"),
        _p("option", "daily_puzzle"),
        _p("option", "finished"),
        _p("option", "first"),
        _p("option", "forbid_channel"),
        _p("option", "game"),
        _p("option", "language"),
        _p("option", "level"),
        _p("option", "match"),
        _p("option", "move"),
        _p("option", "opponent"),
        _p("option", "pace"),
        _p("option", "person"),
        _p("option", "players"),
        _p("option", "puzzle_channel"),
        _p("option", "puzzle_hour"),
        _p("option", "puzzle_zone"),
        _p("option", "rated"),
        _p("option", "reminders"),
        _p("option", "text"),
        _p("option", "text_boards"),
        _p("option", "theme"),
        _p("option", "threads"),
        _p("option", "variant"),
    }
)
