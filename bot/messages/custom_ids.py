"""The custom ids of all controls: how each is built, and the pattern by which it is recognised.

A posted control carries everything it needs in its custom id, for as long as its message exists. So a form that was
ever posted never changes; new forms are added. This file does not know what a control does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.games.game import KEY_PATTERN, VARIANT_PATTERN

LIMIT = 100
"""Discord's limit for a custom id, in characters."""

_DISCORD_ID = r"[0-8]?\d{1,18}"
"""An id of Discord, which the database can store: it is less than 2 ** 63."""
_FIELD = re.compile(r"\{(\w+)\}")
_PATTERNS = {
    "match": r"\d{1,18}",
    "challenge": r"\d{1,18}",
    "offer": r"\d{1,18}",
    "share": r"\d{1,18}",
    "attempt": r"\d{1,18}",
    "cup": r"\d{1,18}",
    "session": r"all|\d{1,18}",
    "day": r"\d{4}-\d\d-\d\d",
    "ply": r"\d{1,6}",
    "seat": r"\d{1,2}",
    "game": KEY_PATTERN,
    "variant": rf"|:{VARIANT_PATTERN}",
    "page": r"\d{1,5}",
    "on": "yes|no",
    "person": _DISCORD_ID,
    "level": r"\d",
    "menu": r"\d{1,2}",
    "number": r"\d{1,6}",
    "button": r"\d",
    "opponent": f"|{_DISCORD_ID}",
    "prefix": r".*",
    "side": "back|next",
    "origin": "|:reminder",
    "asked": _DISCORD_ID,
    "seated": r"\d{0,9}",
}


@dataclass(frozen=True, slots=True)
class CustomId:
    """A form of custom ids, such as ``rematch:{match}``; ``verbs`` is the pattern of the field ``{verb}``."""

    form: str
    verbs: str = ""

    def __call__(self, **fields: object) -> str:
        """Return the custom id with these values of its fields."""
        return self.form.format(**fields)

    @property
    def pattern(self) -> str:
        """The regular expression that recognises the whole of such a custom id, a group for each field."""
        patterns = _PATTERNS | {"verb": self.verbs}
        return _FIELD.sub(lambda field: f"(?P<{field[1]}>{patterns[field[1]]})", self.form)


CHALLENGE = CustomId("challenge:{verb}:{challenge}", "accept|decline|leave|start|cancel")
COMPUTER_SEATS = CustomId("computers:{challenge}")
COMPUTER_SEAT = CustomId("computers:{verb}:{challenge}:{level}:{seated}", "play|seat|unseat")
COMPUTER_LEVELS = CustomId("computer:{game}{variant}")
COMPUTER_VARIANT = CustomId("computer-variant:{game}")
COMPUTER_MATCH = CustomId("computer-level:{level}:{game}{variant}:{asked}")
REMATCH = CustomId("rematch:{match}")
PLAY = CustomId("play:{match}:{ply}{origin}")
MORE = CustomId("more:{match}:{ply}")
LOOK = CustomId("look:{match}:{seat}:{verb}", "picture|text")
REPLAY = CustomId("replay:{match}")
STEPS = CustomId("steps:{match}:{number}")
STEP = CustomId("step:{match}:{number}:{seat}:{verb}:{button}", "picture|text")
OPEN = CustomId("open:{match}")
VOIDED = CustomId("voided:{match}")
VOID = CustomId("void:{verb}:{match}", "yes|no")
BEST = CustomId("best:{match}:{number}:{seat}:{verb}", "picture|text")
HINT = CustomId("hint:{match}:{ply}")
REVIEW = CustomId("review:{match}")
EXPORT = CustomId("export:{match}")
RESIGN = CustomId("resign:{verb}:{match}:{ply}", "ask|yes|no")
OFFER = CustomId("offer:{verb}:{offer}", "accept|decline|withdraw")
ASK = CustomId("ask:{verb}:{match}:{ply}", "draw|takeback")
DRAW = CustomId("draw:{verb}:{match}:{ply}", "yes|no")
CLAIM = CustomId("claim:{match}:{ply}")
BUILDER = CustomId(
    "b-{verb}:{match}:{ply}:{menu}:{prefix}", r"play|back|cancel|type|pick|idle|take\d|file|hint|setup|aimless"
)
BUILDER_CHOICE = CustomId("b-choose:{match}:{ply}:{menu}:{prefix}")
BUILDER_PAGE = CustomId("b-page:{match}:{ply}:{menu}:{prefix}")
PREFERRED_LANGUAGE = CustomId("prefer:language")
SERVER_LANGUAGE = CustomId("setting:language")
TYPED_MOVE = CustomId("type:{match}:{ply}")
HELP = CustomId("help:{verb}", "start|more|yours")
GAMES_PAGE = CustomId("games:{page}:{side}")
RULES = CustomId("rules-of:{game}{variant}")
RULES_PAGE = CustomId("rules:{game}{variant}:{page}:{side}")
RULES_CONTENTS = CustomId("rules:{game}{variant}:contents:{page}")
RULES_VARIANT = CustomId("rules:{game}:variant")
FINISHED = CustomId("finished:{game}:{opponent}:{page}:{side}")
LEADERBOARD = CustomId("ranks:{game}:{verb}:{page}:{side}", "rating|month")
SESSION = CustomId("session:{session}")
PRIVACY = CustomId("privacy:{verb}", "erase|keep")
PREFERENCE = CustomId("prefer:{verb}:{on}", "coordinates|confirm|text|reminders|aims")
PREFERRED_THEME = CustomId("prefer:theme")
AWAY = CustomId("prefer:away")
SETTING = CustomId("setting:{verb}:{on}", "threads|automatic|cups")
USUAL_PACE = CustomId("setting:pace")
ALLOW_CHANNEL = CustomId("setting:allow")
FORBID_CHANNEL = CustomId("setting:forbid")
PUZZLE_CHANNEL = CustomId("setting:puzzle-channel")
PUZZLE_HOUR = CustomId("setting:puzzle-hour")
PUZZLE_ZONE = CustomId("setting:puzzle-zone")
NO_PUZZLES = CustomId("setting:no-puzzles")
CHALLENGE_PERSON = CustomId("challenge-person:{person}")
AGAINST_BOT = CustomId("against-bot:{level}:game")
AGAINST_BOT_LEVEL = CustomId("against-bot:{level}:level")
DAILY = CustomId("daily:{day}")
PUZZLE = CustomId("puzzle:{verb}:{attempt}", "show|resume|share|same|open")
SHARE = CustomId("share:{verb}:{match}", "replay|review")
SHARED = CustomId("shared:{verb}:{share}", "play|try")
NEXT_PUZZLE = CustomId("next-puzzle:{game}")
PUZZLE_BUILDER = CustomId("p-{verb}:{attempt}:{ply}:{menu}:{prefix}", r"play|back|cancel|type|pick|idle|take\d|file")
PUZZLE_CHOICE = CustomId("p-choose:{attempt}:{ply}:{menu}:{prefix}")
PUZZLE_PAGE = CustomId("p-page:{attempt}:{ply}:{menu}:{prefix}")
CUP = CustomId("cup:{verb}:{cup}", "join|leave|begin|cancel|matches|rules|again|picture|text")
CUP_WITHDRAW = CustomId("cup-withdraw:{verb}:{cup}", "yes|no")
CUP_CLOSE = CustomId("cup-close:{verb}:{cup}", "yes|no")
CUP_REMOVE = CustomId("cup-remove:{verb}:{cup}:{person}", "yes|no")
CUPS = CustomId("cups:{verb}:{page}:{side}", "running|ended")
TYPED_TRY = CustomId("p-typed:{attempt}:{ply}")
