"""The text record of a match: the export writes it, the import reads it.

Tags in square brackets, an empty line, then one line per ply, such as ``1. Blue a1``. A record is complete: the match
can be played again from it. Reading replays every move, so a falsified record is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from bot.games import GAMES, game_named
from bot.games.faults import of_each
from bot.games.game import Game, IllegalMove, Move
from bot.games.packages import UnavailableGame
from bot.matches.model.game_state import (
    ABANDONED,
    AGREES,
    FORFEITS,
    TAKES_BACK,
    GameState,
    first_game_state,
    replay,
)
from bot.opponents import LEVELS
from bot.storage.homes import private_home
from bot.storage.records import Entry, EntryKind, Match, MatchState, Person, computer_player

_TAG = re.compile(r'\[(?P<name>[A-Za-z]+) "(?P<value>.*)"\]')
_PLY = re.compile(r"(?P<ply>\d{1,6})\. (?P<seat>.+?) (?P<text>\S+)(?: \{(?P<at>[^}]*)\})?(?: \([^()]*\))?")
_OTHER = {TAKES_BACK: EntryKind.TAKEBACK, AGREES: EntryKind.DRAW, ABANDONED: EntryKind.CLOSED}
_LEVELS = {f"level {level}": level for level in LEVELS}
_VOIDED = "void"
"""The result tag of a voided match, whatever its moves lead to."""
_DIRECT = "direct messages"
"""The server tag of a match in direct messages with the bot."""
_NO_BRACKETS = str.maketrans("()", "[]")
LARGEST_RECORD = 1_000_000
"""Characters; the longest possible match needs far fewer, and some notes are in it."""
LARGEST_ID = 2**63 - 1
"""The largest integer a database stores; ids of Discord are far smaller."""


@dataclass(frozen=True, slots=True)
class _Tag:
    """The value of a tag, and the number of its line."""

    line: int
    value: str


class RecordError(ValueError):
    """A text is no record of a match. The message names the line and the fault."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match as its record tells it, replayed."""

    game: str
    variant: str
    number: int
    guild_id: int
    channel_id: int
    rated: bool
    started: datetime
    ended: datetime | None
    people: tuple[Person, ...]
    played: tuple[Entry, ...]
    game_state: GameState
    voided: bool = False
    rules: int = 1
    """The major version of the rules that it began under; a record says it unless it is 1."""


def write(
    match: Match,
    played: Sequence[Entry],
    remarks: Mapping[int, str] = MappingProxyType({}),
    notes: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Return the record of a match and its list of moves, with remarks and notes on some plies in brackets.

    Remarks contain no brackets. ``read`` skips them, the notes (that of ply 0 is a tag), and the tags that name a cup:
    its table is not in the record. The record of a game that is not installed names the game by its key and the seats
    by their numbers.
    """
    game = game_named(match.game)
    players = []
    for seat in match.seats:
        person = seat.person
        number = f"level {person.level}" if person.computer else str(person.id)
        players.append(("Player", f"{game.seat_names[seat.seat]}, {number}, {' '.join(person.name.split())}"))
    result = "*" if match.state is MatchState.RUNNING else _winners([seat.won for seat in match.seats])
    tags = [
        ("Game", game.name),
        ("Variant", match.variant),
        *([("Rules", str(match.rules))] if match.rules != 1 else []),
        ("Match", str(match.id)),
        ("Server", _DIRECT if match.direct else str(match.guild_id)),
        ("Channel", str(match.channel_id)),
        ("Rated", "yes" if match.rated else "no"),
        *([] if match.cup_id is None else [("Cup", str(match.cup_id)), ("Round", str(match.cup_round))]),
        ("Started", _time(match.created_at)),
        ("Ended", "" if match.ended_at is None else _time(match.ended_at)),
        *players,
        ("Result", _VOIDED if match.voided else result),
        ("Reason", match.reason or ""),
    ]
    lines = [f'[{name} "{value}"]' for name, value in tags]
    told = {ply: " ".join(note.translate(_NO_BRACKETS).split()) for ply, note in notes.items()}
    lines += [f'[Note "{told[0]}"]'] if 0 in told else []
    both = {ply: filter(None, (remarks.get(ply), told.get(ply))) for ply in remarks.keys() | told.keys()}
    said = {ply: f" ({'; '.join(words)})" for ply, words in both.items()}
    plies = [
        f"{move.ply}. {game.seat_names[move.seat]} {move.text} {{{_time(move.at)}}}{said.get(move.ply, '')}"
        for move in played
    ]
    return "\n".join([*lines, "", *plies, ""])


def read(text: str) -> MatchRecord:
    """Return the match of a record, with every move replayed. Raises ``RecordError``."""
    if len(text) > LARGEST_RECORD:
        raise RecordError(f"the record is longer than {LARGEST_RECORD} characters")
    tags, people, plies = _parse_lines(text)
    name, variant = _tag(tags, "Game"), _tag(tags, "Variant")
    named = of_each(lambda game: (game, name.value in (game.name, game.key)), GAMES.values())
    game = next((game for game, meant in named if meant), None)
    if game is None:
        raise RecordError(f"line {name.line}: there is no game {name.value!r} here")
    if variant.value not in {offered.key for offered in game.variants}:
        raise RecordError(f"line {variant.line}: {game.name} has no variant {variant.value!r}")
    ids = [person.id for person in people if not person.computer]
    if len(set(ids)) < len(ids):
        raise RecordError("the same player has two seats")
    played, game_state = _replay_plies(game, variant.value, people, plies)
    ended, told = _tag(tags, "Ended"), _tag(tags, "Result")
    server, channel_id = _tag(tags, "Server"), _number(_tag(tags, "Channel"))
    record = MatchRecord(
        game.key,
        variant.value,
        _number(_tag(tags, "Match")),
        private_home(channel_id) if server.value == _DIRECT else _number(server),
        channel_id,
        _tag(tags, "Rated").value == "yes",
        _moment(_tag(tags, "Started")),
        _moment(ended) if ended.value else None,
        tuple(people),
        played,
        game_state,
        told.value == _VOIDED,
        _number(tags["Rules"]) if "Rules" in tags else 1,
    )
    if not record.voided:
        result, seats = record.game_state.result, len(record.people)
        from_moves = "*" if result is None else _winners([result.won(seat, seats) for seat in range(seats)])
        if told.value != from_moves:
            raise RecordError(
                f"line {told.line}: the result is told as {told.value!r}, but the moves lead to {from_moves!r}"
            )
    return record


def _parse_lines(text: str) -> tuple[dict[str, _Tag], list[Person], list[tuple[int, re.Match[str]]]]:
    tags: dict[str, _Tag] = {}
    people: list[Person] = []
    plies: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if (tag := _TAG.fullmatch(line.strip())) is not None:
            if tag["name"] == "Player":
                people.append(_player(tag["value"], number))
            else:
                tags[tag["name"]] = _Tag(number, tag["value"])
        elif (ply := _PLY.fullmatch(line.strip())) is not None:
            plies.append((number, ply))
        else:
            raise RecordError(f"line {number}: {line.strip()[:40]!r} is neither a tag nor a move")
    return tags, people, plies


def _tag(tags: dict[str, _Tag], name: str) -> _Tag:
    if name not in tags:
        raise RecordError(f"this is not a record of a match: the tag {name} is missing")
    return tags[name]


def _player(value: str, line: int) -> Person:
    parts = value.split(", ", 2)
    if len(parts) == 3 and parts[1] in _LEVELS:
        return computer_player(_LEVELS[parts[1]])
    # People who had themselves deleted go on under a negative number.
    if len(parts) != 3 or not re.fullmatch(r"-?[0-9]{1,19}", parts[1]) or abs(int(parts[1])) > LARGEST_ID:
        raise RecordError(f"line {line}: a player is written as seat, Discord id or level, name")
    return Person(int(parts[1]), parts[2])


def _replay_plies(
    game: Game, variant: str, people: Sequence[Person], plies: Sequence[tuple[int, re.Match[str]]]
) -> tuple[tuple[Entry, ...], GameState]:
    players, solo = len(people), any(person.computer for person in people)
    if players not in game.variant(variant).players:
        raise RecordError(f"{game.name} cannot be played by {players}")
    game_state = first_game_state(game, variant, players)
    played: list[Entry] = []
    for line, ply in plies:
        if int(ply["ply"]) != game_state.ply + 1:
            raise RecordError(f"line {line}: ply {game_state.ply + 1} is missing")
        if game_state.result is not None:
            raise RecordError(f"line {line}: the game was over before")
        try:
            entry, move = _entry(game, game_state, ply, solo=solo)
            if move is not None:
                game_state = game_state.moved(entry, move)
            elif entry.kind is EntryKind.TAKEBACK:
                game_state = replay(game, variant, players, [*played, entry])
            else:
                game_state = game_state.after(entry)
        except (IllegalMove, ValueError) as reason:
            raise RecordError(f"line {line}: {reason}") from reason
        played.append(entry)
    return tuple(played), game_state


def _entry(game: Game, game_state: GameState, ply: re.Match[str], *, solo: bool) -> tuple[Entry, Move | None]:
    """Return the entry of a line, and its move if it is one on the board.

    ``solo``: against computer players alone, a person may take a move back even after the reply.
    """
    # A record that was written without the game names the seats by their numbers.
    namings = (game.seat_names[: game_state.players], UnavailableGame.seat_names[: game_state.players])
    seat = next((names.index(ply["seat"]) for names in namings if ply["seat"] in names), None)
    if seat is None:
        raise ValueError(f"{ply['seat']!r} has no seat in this match")
    at = _instant(ply["at"] or "")
    if ply["text"] in FORFEITS:
        return Entry(game_state.ply + 1, seat, EntryKind.DROP, ply["text"], at), None
    if ply["text"] == TAKES_BACK and (game_state.last is None or not (solo or game_state.last_seat == seat)):
        raise ValueError(f"{ply['seat']} has no move to take back")
    if ply["text"] in _OTHER:
        return Entry(game_state.ply + 1, seat, _OTHER[ply["text"]], ply["text"], at), None
    if seat != game_state.position.to_move:
        raise ValueError(f"{ply['seat']} is not to move")
    forced = game_state.position.forced_move()
    kind = EntryKind.FORCED if forced is not None else EntryKind.MOVE
    move = game_state.position.parse(ply["text"])
    return Entry(game_state.ply + 1, seat, kind, str(move), at), move


def _winners(won: Sequence[bool | None]) -> str:
    """Return the text of the result tag for the seats that have won."""
    return ",".join(str(seat) for seat, has_won in enumerate(won, 1) if has_won) or "draw"


def _number(tag: _Tag) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", tag.value):
        raise RecordError(f"line {tag.line}: {tag.value!r} is not a number")
    if int(tag.value) > LARGEST_ID:
        raise RecordError(f"line {tag.line}: {tag.value} is larger than any id can be")
    return int(tag.value)


def _moment(tag: _Tag) -> datetime:
    try:
        return _instant(tag.value)
    except ValueError as error:
        raise RecordError(f"line {tag.line}: {error}") from None


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time") from None


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
