"""The file with everything stored about a person: one JSON object, with one line per match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from bot.storage.records import Match, PlayedMove


def match_line(user_id: int, match: Match, played: Sequence[PlayedMove]) -> str:
    """Return a match of a person as one line of JSON, without other names; indenting takes ten times as long."""
    return _line({**_match(match, user_id), "moves": [_move(move) for move in played]})


def whole(kept: dict[str, Any], matches: Sequence[str]) -> bytes:
    """Return the whole file in UTF-8: ``kept``, and the lines of ``matches``."""
    return (_line(kept)[:-1] + ', "matches": [\n' + ",\n".join(matches) + "\n]}").encode()


def zipped(content: bytes, name: str) -> bytes:
    """Return a ZIP file that contains one file."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def _line(kept: dict[str, Any]) -> str:
    return json.dumps(kept, ensure_ascii=False, default=_as_text)


def _match(match: Match, user_id: int) -> dict[str, Any]:
    kept = asdict(match)
    for seat in kept["seats"]:
        if seat["person"]["level"] is None:
            del seat["person"]["level"]
        if seat["person"]["id"] != user_id:
            del seat["person"]["name"]
    return kept


def _move(move: PlayedMove) -> dict[str, Any]:
    return {"ply": move.ply, "seat": move.seat, "kind": move.kind, "text": move.text, "at": move.at}


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
