"""The custom ids of all controls: the values in each, and the form in which they are written.

A posted control carries everything it needs in its custom id, for as long as its message exists. So a form that was
ever posted never changes; new forms are added. This file does not know what a control does.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.messages.custom_id_form import (
    CustomId,
    Day,
    Digit,
    DiscordId,
    DiscordIdOrNone,
    Game,
    Level,
    Levels,
    PageNumber,
    Ply,
    Seat,
    StoredId,
    StoredIdOrAll,
    Variant,
    YesNo,
)

LIMIT = 100
"""Discord's limit for a custom id, in characters."""

Side = Literal["back", "next"]
Form = Literal["picture", "text"]
ChallengeVerb = Literal["accept", "decline", "leave", "start", "cancel"]
CupVerb = Literal[
    "join", "leave", "begin", "cancel", "matches", "rules", "again", "picture", "text", "export", "withdraw"
]
Order = Literal["rating", "month"]
PreferenceName = Literal["coordinates", "confirm", "text", "reminders", "usual", "aims", "graces", "name"]
SettingName = Literal["threads", "automatic", "grace", "cups", "weekly", "rest", "watching"]


class NoIds(NamedTuple):
    pass


class OfMatch(NamedTuple):
    match: StoredId


class OfTurn(NamedTuple):
    match: StoredId
    ply: Ply


class OfGame(NamedTuple):
    game: Game


class OfVariant(NamedTuple):
    game: Game
    variant: Variant


class OfChallenge(NamedTuple):
    challenge: StoredId


class OfLevel(NamedTuple):
    level: Level


class OfPerson(NamedTuple):
    person: DiscordId


class OfDay(NamedTuple):
    day: Day


class OfDigest(NamedTuple):
    digest: StoredId
    """The number of the message in the outbox, so that each digest is recognised."""


class OfSession(NamedTuple):
    session: StoredIdOrAll


class ChallengeAnswer(NamedTuple):
    verb: ChallengeVerb
    challenge: StoredId


class ComputerSeat(NamedTuple):
    verb: Literal["play", "seat", "unseat"]
    challenge: StoredId
    level: Level
    seated: Levels


class ComputerMatch(NamedTuple):
    level: Level
    game: Game
    variant: Variant
    asked: DiscordId


class NextLevel(NamedTuple):
    match: StoredId
    level: Level


class Play(NamedTuple):
    match: StoredId
    ply: Ply
    origin: Literal["", ":reminder", ":turn"] = ""


class Look(NamedTuple):
    match: StoredId
    seat: Seat
    form: Form


class Position(NamedTuple):
    match: StoredId
    number: Ply


class Step(NamedTuple):
    match: StoredId
    number: Ply
    seat: Seat
    form: Form
    button: Digit


class NoteOnStep(NamedTuple):
    match: StoredId
    ply: Ply
    seat: Seat
    form: Form


class Best(NamedTuple):
    match: StoredId
    number: Ply
    seat: Seat
    form: Form


class MatchAnswer(NamedTuple):
    sure: YesNo
    match: StoredId


class TurnAnswer(NamedTuple):
    sure: YesNo
    match: StoredId
    ply: Ply


class Resignation(NamedTuple):
    verb: Literal["ask", "yes", "no"]
    match: StoredId
    ply: Ply


class Posting(NamedTuple):
    verb: Literal["board", "draw", "takeback", "resign", "close"]
    match: StoredId
    ply: Ply


class OfferAnswer(NamedTuple):
    verb: Literal["accept", "decline", "withdraw"]
    offer: StoredId


class Ask(NamedTuple):
    verb: Literal["draw", "takeback"]
    match: StoredId
    ply: Ply


class Help(NamedTuple):
    page: Literal["start", "more", "yours", "about"]


class GamesPage(NamedTuple):
    page: PageNumber
    side: Side


class RulesPage(NamedTuple):
    game: Game
    variant: Variant
    page: PageNumber
    side: Side


class RulesContents(NamedTuple):
    game: Game
    variant: Variant
    page: PageNumber


class MatchesPage(NamedTuple):
    game: Game
    opponent: DiscordIdOrNone
    page: PageNumber
    side: Side


class LeaderboardPage(NamedTuple):
    game: Game
    by: Order
    page: PageNumber
    side: Side


class PrivacyVerb(NamedTuple):
    verb: Literal["erase", "keep", "export", "sessions", "delete"]


PreferenceGroup = Literal["boards", "news", "times", "language"]


class OfGroup(NamedTuple):
    group: PreferenceGroup


class Preference(NamedTuple):
    name: PreferenceName
    on: YesNo


class Setting(NamedTuple):
    name: SettingName
    on: YesNo


class Puzzle(NamedTuple):
    verb: Literal["show", "resume", "share", "same", "open"]
    attempt: StoredId


class Try(NamedTuple):
    attempt: StoredId
    ply: Ply


class Share(NamedTuple):
    what: Literal["replay", "review", "notes"]
    match: StoredId


class Sharing(NamedTuple):
    what: Literal["replay", "review", "notes", "puzzle"]
    thing: StoredId


class Shared(NamedTuple):
    verb: Literal["play", "try", "notes"]
    share: StoredId


class Cup(NamedTuple):
    verb: CupVerb
    cup: StoredId


class Ladder(NamedTuple):
    verb: Literal["join", "leave", "show"]


class CupAnswer(NamedTuple):
    sure: YesNo
    cup: StoredId


class CupRemoval(NamedTuple):
    sure: YesNo
    cup: StoredId
    person: DiscordId


class CupsPage(NamedTuple):
    listed: Literal["running", "ended"]
    page: PageNumber
    side: Side


CHALLENGE = CustomId("challenge:{verb}:{challenge}", ChallengeAnswer)
COMPUTER_SEATS = CustomId("computers:{challenge}", OfChallenge)
COMPUTER_SEAT = CustomId("computers:{verb}:{challenge}:{level}:{seated}", ComputerSeat)
COMPUTER_LEVELS = CustomId("computer:{game}{variant}", OfVariant)
COMPUTER_VARIANT = CustomId("computer-variant:{game}", OfGame)
COMPUTER_MATCH = CustomId("computer-level:{level}:{game}{variant}:{asked}", ComputerMatch)
REMATCH = CustomId("rematch:{match}", OfMatch)
PLAY = CustomId("play:{match}:{ply}{origin}", Play)
MORE = CustomId("more:{match}:{ply}", OfTurn)
LOOK = CustomId("look:{match}:{seat}:{form}", Look)
REPLAY = CustomId("replay:{match}", OfMatch)
STEPS = CustomId("steps:{match}:{number}", Position)
STEP = CustomId("step:{match}:{number}:{seat}:{form}:{button}", Step)
OPEN = CustomId("open:{match}", OfMatch)
OPEN_TURN = CustomId("open:{match}:{ply}", OfTurn)
WATCH = CustomId("watch:{match}", OfMatch)
WATCH_END = CustomId("watch-end:{match}", OfMatch)
VOIDED = CustomId("voided:{match}", OfMatch)
VOID = CustomId("void:{sure}:{match}", MatchAnswer)
BEST = CustomId("best:{match}:{number}:{seat}:{form}", Best)
HINT = CustomId("hint:{match}:{ply}", OfTurn)
REVIEW = CustomId("review:{match}", OfMatch)
EXPORT = CustomId("export:{match}", OfMatch)
POST = CustomId("post:{verb}:{match}:{ply}", Posting)
RESIGN = CustomId("resign:{verb}:{match}:{ply}", Resignation)
OFFER = CustomId("offer:{verb}:{offer}", OfferAnswer)
ASK = CustomId("ask:{verb}:{match}:{ply}", Ask)
DRAW = CustomId("draw:{sure}:{match}:{ply}", TurnAnswer)
CLAIM = CustomId("claim:{match}:{ply}", OfTurn)
CLOSE = CustomId("close:{match}:{ply}", OfTurn)
CLOSE_ANSWER = CustomId("close-answer:{sure}:{match}:{ply}", TurnAnswer)
PLAN = CustomId("plan:{match}", OfMatch)
NOTES = CustomId("notes:{match}", OfMatch)
NOTE = CustomId("note:{match}:{ply}", OfTurn)
NOTE_CHOICE = CustomId("note-choose:{match}", OfMatch)
TYPED_NOTE = CustomId("note-typed:{match}:{ply}", OfTurn)
NOTE_ON_STEP = CustomId("note-step:{match}:{ply}:{seat}:{form}", NoteOnStep)
TYPED_NOTE_ON_STEP = CustomId("note-stepped:{match}:{ply}:{seat}:{form}", NoteOnStep)
PREFERRED_LANGUAGE = CustomId("prefer:language", NoIds)
SERVER_LANGUAGE = CustomId("setting:language", NoIds)
TYPED_MOVE = CustomId("type:{match}:{ply}", OfTurn)
HELP = CustomId("help:{page}", Help)
GAMES_PAGE = CustomId("games:{page}:{side}", GamesPage)
RULES = CustomId("rules-of:{game}{variant}", OfVariant)
RULES_PAGE = CustomId("rules:{game}{variant}:{page}:{side}", RulesPage)
RULES_CONTENTS = CustomId("rules:{game}{variant}:contents:{page}", RulesContents)
RULES_VARIANT = CustomId("rules:{game}:variant", OfGame)
FINISHED = CustomId("finished:{game}:{opponent}:{page}:{side}", MatchesPage)
RUNNING = CustomId("running:{game}:{opponent}:{page}:{side}", MatchesPage)
LEADERBOARD = CustomId("ranks:{game}:{by}:{page}:{side}", LeaderboardPage)
SESSION = CustomId("session:{session}", OfSession)
PRIVACY = CustomId("privacy:{verb}", PrivacyVerb)
PREFERENCE = CustomId("prefer:{name}:{on}", Preference)
PREFERENCE_GROUP = CustomId("prefer-group:{group}", OfGroup)
PREFERRED_THEME = CustomId("prefer:theme", NoIds)
PREFERRED_NEWS = CustomId("prefer:news", NoIds)
QUIET_HOURS = CustomId("prefer:quiet", NoIds)
DIGEST = CustomId("prefer:quiet:{digest}", OfDigest)
QUIET_FROM = CustomId("prefer:quiet-from", NoIds)
QUIET_UNTIL = CustomId("prefer:quiet-until", NoIds)
QUIET_ZONE = CustomId("prefer:zone", NoIds)
WEEKLY_REST = CustomId("prefer:rest", NoIds)
WEEKLY_REST_CHOICE = CustomId("prefer:rest-choice", NoIds)
DIGEST_HOUR = CustomId("prefer:digest", NoIds)
PAUSE = CustomId("pause:{match}", OfMatch)
PAUSE_DAYS = CustomId("pause-days:{match}", OfMatch)
PAUSE_END = CustomId("pause-end:{match}", OfMatch)
MATCH_NEWS = CustomId("news:{match}", OfMatch)
MATCH_NEWS_CHOICE = CustomId("news-of:{match}", OfMatch)
AWAY = CustomId("prefer:away", NoIds)
SETTING = CustomId("setting:{name}:{on}", Setting)
USUAL_PACE = CustomId("setting:pace", NoIds)
ALLOW_CHANNEL = CustomId("setting:allow", NoIds)
FORBID_CHANNEL = CustomId("setting:forbid", NoIds)
PUZZLE_CHANNEL = CustomId("setting:puzzle-channel", NoIds)
PUZZLE_HOUR = CustomId("setting:puzzle-hour", NoIds)
PUZZLE_ZONE = CustomId("setting:puzzle-zone", NoIds)
NO_PUZZLES = CustomId("setting:no-puzzles", NoIds)
CHALLENGE_PERSON = CustomId("challenge-person:{person}", OfPerson)
AGAINST_BOT = CustomId("against-bot:{level}:game", OfLevel)
AGAINST_BOT_LEVEL = CustomId("against-bot:{level}:level", OfLevel)
DAILY = CustomId("daily:{day}", OfDay)
WEEKLY = CustomId("weekly:{day}", OfDay)
PUZZLE = CustomId("puzzle:{verb}:{attempt}", Puzzle)
SHARE = CustomId("share:{what}:{match}", Share)
SHARE_POST = CustomId("share-post:{what}:{thing}", Sharing)
SHARED = CustomId("shared:{verb}:{share}", Shared)
NEXT_PUZZLE = CustomId("next-puzzle:{game}", OfGame)
CUP = CustomId("cup:{verb}:{cup}", Cup)
LADDER = CustomId("ladder:{verb}", Ladder)
CUP_WITHDRAW = CustomId("cup-withdraw:{sure}:{cup}", CupAnswer)
CUP_CLOSE = CustomId("cup-close:{sure}:{cup}", CupAnswer)
CUP_REMOVE = CustomId("cup-remove:{sure}:{cup}:{person}", CupRemoval)
CUP_RULES = CustomId("cup-rules", NoIds)
CUPS = CustomId("cups:{listed}:{page}:{side}", CupsPage)
NEXT_LEVEL = CustomId("next-level:{match}:{level}", NextLevel)
TYPED_TRY = CustomId("p-typed:{attempt}:{ply}", Try)
