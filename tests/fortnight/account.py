"""What happens in Discord during the fortnight, noted as it happens: posts as they were posted, and what people do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from simcord.backend import Backend

SILENT, EPHEMERAL = 1 << 12, 1 << 6
"""Discord's flags of messages that make no sound, and of those for one person."""
LINE = 18
"""Discord's type of the lines that say that a thread was started."""


def parts(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the components of a message, nested ones included."""
    for one in components:
        yield one
        yield from parts(one.get("components") or [])
        if accessory := one.get("accessory"):
            yield from parts([accessory])


def controls_of(message: Any) -> tuple[str, ...]:
    """Return the custom ids of the controls of a message, in order."""
    return tuple(one["custom_id"] for one in parts(message.components) if one.get("custom_id"))


def words_of(message: Any) -> str:
    """Return all that a message says."""
    return "\n".join([message.content, *(one["content"] for one in parts(message.components) if one["type"] == 10)])


@dataclass(frozen=True, slots=True)
class Post:
    """A message for several people, as it was posted."""

    at: datetime
    id: int
    channel_id: int
    type: int
    mentioned: tuple[int, ...]
    loud: bool
    controls: tuple[str, ...]
    words: str

    @property
    def marker(self) -> str:
        """The control by which it is recognised."""
        own = [
            one for one in self.controls if re.match(r"play:|rematch:|challenge:accept:|claim:|cup:again:|offer:", one)
        ]
        return (own or list(self.controls) or [f"message {self.id}"])[0]

    @property
    def kind(self) -> str:
        """What it tells: ``turn``, ``reminder``, the end of a match (``rematch``) and so on."""
        if self.marker.startswith("play:"):
            return "reminder" if self.marker.endswith(":reminder") else "turn"
        return self.marker.partition(":")[0]

    @property
    def turn(self) -> tuple[int, int] | None:
        """The match and the ply whose turn it tells of."""
        found = re.match(r"play:(\d+):(\d+)(:turn)?$", self.marker)
        return None if found is None else (int(found[1]), int(found[2]))

    @property
    def reminds(self) -> frozenset[int]:
        """The matches that it reminds of."""
        if not self.marker.endswith(":reminder"):
            return frozenset()
        return frozenset(map(int, re.findall(r"match (\d+)\b", self.words)))


@dataclass(slots=True)
class Account:
    """All posts of the bot, and when each person did something, oldest first."""

    posts: list[Post] = field(default_factory=list)
    acts: list[tuple[datetime, int]] = field(default_factory=list)

    def mentions(self, *, loud: bool = True) -> list[tuple[Post, int]]:
        """Return every mention in the server with the person who is mentioned; those with sound, or those without."""
        return [(post, person) for post in self.posts if post.loud is loud for person in post.mentioned]


@contextmanager
def kept(patch: pytest.MonkeyPatch) -> Iterator[Account]:
    """Keep an account of what is posted in the block."""
    account, commit = Account(), Backend.commit_message

    def commit_and_note(backend: Any, message: Any, **options: Any) -> Any:
        committed = commit(backend, message, **options)
        public = backend.get_channel(committed.channel_id).guild_id is not None
        if committed.author_id == backend.bot_user.id and public and not committed.flags & EPHEMERAL:
            account.posts.append(
                Post(
                    backend.clock.now(),
                    committed.id,
                    committed.channel_id,
                    int(committed.type),
                    tuple(committed.ping_user_ids),
                    not committed.flags & SILENT,
                    controls_of(committed),
                    words_of(committed),
                )
            )
        return committed

    patch.setattr(Backend, "commit_message", commit_and_note)
    yield account
