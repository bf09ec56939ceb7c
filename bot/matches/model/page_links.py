"""A link to the board page as text: who may open which page until when, signed. Pure.

A link is ``<payload>.<signature>``, both in the alphabet of base64 that is safe in addresses. The signature is
HMAC-SHA256 of the payload, with a key that only the database has.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256

LONGEST = 1000
"""Characters of a link; longer texts are not looked at."""
_LARGEST = 2**63 - 1
"""The largest number that the database has room for."""
_HOME = 3
"""The place of the home in a link: it alone may be below zero (``bot.storage.homes``)."""


class Purpose(StrEnum):
    """The kinds of targets of a link."""

    MATCH = "match"
    PUZZLE = "puzzle"


@dataclass(frozen=True, slots=True)
class PageLink:
    """The content of a link: the person, under the name and language that Discord gave, the server, and the target.

    ``subject_id`` is the number of the match, or of the attempt at a puzzle. ``id`` is random, so that a link can be
    used once. ``expires`` is in seconds since 1970.
    """

    key_id: int
    id: str
    user_id: int
    guild_id: int
    purpose: str
    subject_id: int
    expires: int
    name: str
    locale: str

    @property
    def expires_at(self) -> datetime:
        """Until when the link may be used."""
        return datetime.fromtimestamp(self.expires, UTC)


def sign(link: PageLink, secret: str) -> str:
    """Return a link as text, signed with a key."""
    payload = _encoded(json.dumps(astuple(link), separators=(",", ":"), ensure_ascii=False).encode())
    return f"{payload}.{_encoded(_signature(payload, secret))}"


def parse_unverified(text: str) -> PageLink | None:
    """Return what a link says, before its signature is checked; None if it says nothing that a link can say."""
    payload = text.partition(".")[0]
    try:
        decoded = urlsafe_b64decode(payload + "=" * (-len(payload) % 4)) if len(text) <= LONGEST else b"null"
        fields = json.loads(decoded)
        kinds = [int, str, int, int, str, int, int, str, str]
        if not isinstance(fields, list) or [type(field) for field in fields] != kinds:
            return None
        numbers = [(at, field) for at, field in enumerate(fields) if type(field) is int]
        if not all((at == _HOME or field >= 0) and abs(field) <= _LARGEST for at, field in numbers):
            return None
        "".join(field for field in fields if type(field) is str).encode()
        link = PageLink(*fields)
        Purpose(link.purpose)
        assert link.expires_at
    except (ValueError, NotBase64, RecursionError, OverflowError, OSError):
        return None
    return link


def is_genuine(text: str, secret: str) -> bool:
    """Return whether a link was signed with a key. Takes as long for any wrong signature."""
    payload, _dot, signature = text.partition(".")
    return hmac.compare_digest(signature.encode(), _encoded(_signature(payload, secret)).encode())


def _signature(payload: str, secret: str) -> bytes:
    return hmac.new(bytes.fromhex(secret), payload.encode(), sha256).digest()


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
