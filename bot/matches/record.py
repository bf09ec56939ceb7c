"""The text record of a match: written by the export, read back by the import.

Tags in square brackets, an empty line, then one line a ply, ``1. Blue a1``. Everything needed to play the match again
is in it; reading replays every move, so a record that was tampered with is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.games import GAMES
from bot.games.game import Game, IllegalMove
from bot.matches.positions import AGREES, LEAVING, TAKES_BACK, Standing, first_standing, replay
from bot.storage.records import Match, MatchState, MoveKind, Person, PlayedMove

_TAG = re.compile(r'\[(?P<name>[A-Za-z]+) "(?P<value>.*)"\]')
_PLY = re.compile(r"(?P<ply>\d{1,6})\. (?P<seat>.+?) (?P<text>\S+)(?: \{(?P<at>[^}]*)\})?")
_OTHER = {TAKES_BACK: MoveKind.TAKEBACK, AGREES: MoveKind.DRAW}
LARGEST_RECORD = 200_000
"""Characters; the longest possible match stays far below."""


class RecordError(ValueError):
    """A text that is no record of a match. Its message names the line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as text tells it: who played what, from the first ply to the last."""

    game: str
    variant: str
    number: int
    guild_id: int
    channel_id: int
    rated: bool
    started: datetime
    ended: datetime | None
    people: tuple[Person, ...]
    played: tuple[PlayedMove, ...]
    standing: Standing


def write(match: Match, played: Sequence[PlayedMove]) -> str:
    """Return the record of a match and its list of moves."""
    game = GAMES[match.game]
    winners = [str(seat.seat + 1) for seat in match.seats if seat.won]
    result = "*" if match.state is MatchState.RUNNING else ",".join(winners) or "draw"
    tags = [
        ("Game", game.name),
        ("Variant", match.variant),
        ("Match", str(match.id)),
        ("Server", str(match.guild_id)),
        ("Channel", str(match.channel_id)),
        ("Rated", "yes" if match.rated else "no"),
        ("Started", _time(match.created_at)),
        ("Ended", "" if match.ended_at is None else _time(match.ended_at)),
        *[
            ("Player", f"{game.seat_names[seat.seat]}, {seat.person.id}, {_one_line(seat.person.name)}")
            for seat in match.seats
        ],
        ("Result", result),
        ("Reason", match.reason or ""),
    ]
    lines = [f'[{name} "{value}"]' for name, value in tags]
    plies = [f"{move.ply}. {game.seat_names[move.seat]} {move.text} {{{_time(move.at)}}}" for move in played]
    return "\n".join([*lines, "", *plies, ""])


def read(text: str) -> Record:
    """Return what a record says, every move replayed. Raises ``RecordError``."""
    if len(text) > LARGEST_RECORD:
        raise RecordError(f"the record is longer than {LARGEST_RECORD} characters")
    tags, people, plies = _split(text)
    game = next((game for game in GAMES.values() if game.name == tags.get("Game")), None)
    if game is None:
        raise RecordError(f"the game {tags.get('Game')!r} is not known")
    if tags.get("Variant") not in {variant.key for variant in game.variants}:
        raise RecordError(f"{game.name} has no variant {tags.get('Variant')!r}")
    played, standing = _replayed(game, tags["Variant"], len(people), plies)
    record = Record(
        game.key,
        tags["Variant"],
        _number(tags, "Match"),
        _number(tags, "Server"),
        _number(tags, "Channel"),
        tags.get("Rated") == "yes",
        _instant(tags.get("Started", ""), "Started"),
        _instant(tags["Ended"], "Ended") if tags.get("Ended") else None,
        tuple(people),
        played,
        standing,
    )
    _check_result(record, tags.get("Result", ""))
    return record


def _split(text: str) -> tuple[dict[str, str], list[Person], list[tuple[int, re.Match[str]]]]:
    tags: dict[str, str] = {}
    people: list[Person] = []
    plies: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if (tag := _TAG.fullmatch(line.strip())) is not None:
            if tag["name"] == "Player":
                people.append(_player(tag["value"], number))
            else:
                tags[tag["name"]] = tag["value"]
        elif (ply := _PLY.fullmatch(line.strip())) is not None:
            plies.append((number, ply))
        else:
            raise RecordError(f"line {number}: {line.strip()[:40]!r} is neither a tag nor a move")
    return tags, people, plies


def _player(value: str, line: int) -> Person:
    parts = value.split(", ", 2)
    if len(parts) != 3 or not parts[1].isascii() or not parts[1].isdigit():
        raise RecordError(f"line {line}: a player is written as seat, Discord id, name")
    return Person(int(parts[1]), parts[2])


def _replayed(
    game: Game, variant: str, players: int, plies: Sequence[tuple[int, re.Match[str]]]
) -> tuple[tuple[PlayedMove, ...], Standing]:
    if players not in game.variant(variant).players:
        raise RecordError(f"{game.name} cannot be played by {players}")
    standing = first_standing(game, variant, players)
    played: list[PlayedMove] = []
    for line, ply in plies:
        if int(ply["ply"]) != standing.ply + 1:
            raise RecordError(f"line {line}: ply {standing.ply + 1} is missing")
        if standing.result is not None:
            raise RecordError(f"line {line}: the game was over before")
        try:
            entry = _entry(game, standing, ply)
            taken_back = entry.kind is MoveKind.TAKEBACK
            standing = replay(game, variant, players, [*played, entry]) if taken_back else standing.after(entry)
        except (IllegalMove, ValueError) as reason:
            raise RecordError(f"line {line}: {reason}") from reason
        played.append(entry)
    return tuple(played), standing


def _entry(game: Game, standing: Standing, ply: re.Match[str]) -> PlayedMove:
    if ply["seat"] not in game.seat_names:
        raise ValueError(f"{ply['seat']!r} is no seat of {game.name}")
    seat, at = game.seat_names.index(ply["seat"]), _instant(ply["at"] or "", "time")
    if ply["text"] in LEAVING:
        return PlayedMove(standing.ply + 1, seat, MoveKind.DROP, ply["text"], at)
    if ply["text"] in _OTHER:
        return PlayedMove(standing.ply + 1, seat, _OTHER[ply["text"]], ply["text"], at)
    if seat not in standing.position.to_move:
        raise ValueError(f"{ply['seat']} is not to move")
    forced = standing.position.forced_move()
    kind = MoveKind.FORCED if forced is not None else MoveKind.MOVE
    return PlayedMove(standing.ply + 1, seat, kind, str(standing.position.parse(ply["text"])), at)


def _check_result(record: Record, told: str) -> None:
    result = record.standing.result
    if result is None:
        found = "*"
    elif len(result.winners) == len(record.people):
        found = "draw"
    else:
        found = ",".join(str(seat + 1) for seat in sorted(result.winners))
    if told != found:
        raise RecordError(f"the result is told as {told!r}, but the moves lead to {found!r}")


def _number(tags: dict[str, str], name: str) -> int:
    value = tags.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) < 20):
        raise RecordError(f"the tag {name} is no number")
    return int(value)


def _instant(text: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        raise RecordError(f"{name}: {text!r} is no time") from None


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _one_line(name: str) -> str:
    return " ".join(name.split())
