"""The file with everything stored about a person: one JSON object, with one line per challenge and match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from bot.storage.records import Match


def match_lines(user_id: int, played: Sequence[tuple[Match, str]]) -> list[str]:
    """Return each match of a person as one line of JSON, without other names; indenting takes ten times as long.

    The entries come as JSON, too: lists of ply, seat, kind, text, time, and whether one was planned.
    """
    lines = []
    for match, entries in played:
        kept = asdict(match)
        del kept["plans_version"]  # it would tell of the opponent's plan
        own_seat = None
        for seat in kept["seats"]:
            if seat["person"]["level"] is None:
                del seat["person"]["level"]
            if seat["person"]["id"] != user_id:
                del seat["person"]["name"], seat["news"]
            else:
                own_seat = seat["seat"]
        kept["moves"] = [
            {"ply": ply, "seat": seat, "kind": kind, "text": text, "at": _moment(at)}
            | ({"planned": True} if planned and seat == own_seat else {})
            for ply, seat, kind, text, at, planned in sorted(json.loads(entries))
        ]
        lines.append(_line(kept))
    return lines


def challenge_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return each challenge as one line of JSON."""
    return [_line(row) for row in rows]


def whole(kept: dict[str, Any], **lists: Sequence[str]) -> bytes:
    """Return the whole file in UTF-8: ``kept``, and lists by their names, with a line per entry."""
    parts = [f'"{name}": [\n' + ",\n".join(lines) + "\n]" for name, lines in lists.items()]
    return f"{_line(kept)[:-1]}, {', '.join(parts)}}}".encode()


def zip_archive(content: bytes, name: str) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def _moment(text: str) -> datetime:
    """Return the moment that a database has written, in UTC where it says nothing else."""
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _line(kept: dict[str, Any]) -> str:
    def as_text(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    return json.dumps(kept, ensure_ascii=False, default=as_text)
