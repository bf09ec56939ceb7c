"""The files of posted messages: an edit names those that stay, by their ids.

Discord says the id of a file that a component shows only in that component. The ids of recent posts are remembered;
those of others are looked up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import discord
from discord import components


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of a posted message."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, str]:
        """Return how an edit names a file that stays. discord.py calls this."""
        return {"id": str(self.id), "filename": self.filename}


_known: WeakKeyDictionary[discord.Client, OrderedDict[int, Sequence[Any]]] = WeakKeyDictionary()
"""For each client, the files of its latest posts by the id of the message."""
_MOST_KNOWN: Final = 20_000


def remember(client: discord.Client, message: discord.Message) -> Sequence[Any]:
    shown = {
        media.attachment_id: PurePosixPath(urlsplit(media.url).path).name
        for media in _media_of(message.components)
        if media.attachment_id is not None
    }
    files = {attachment.id: attachment.filename for attachment in message.attachments} | shown
    known = _known.setdefault(client, OrderedDict())
    known[message.id] = [AttachedFile(*one) for one in files.items()]
    if len(known) > _MOST_KNOWN:
        known.popitem(last=False)
    return known[message.id]


def _media_of(read: Iterable[Any]) -> Iterator[discord.UnfurledMediaItem]:
    """Yield the pictures in components as they are read: to make a view of each post costs more."""
    for one in read:
        if isinstance(one, components.MediaGalleryComponent):
            yield from (picture.media for picture in one.items)
        elif isinstance(one, components.ThumbnailComponent):
            yield one.media
        elif isinstance(one, components.SectionComponent):
            yield from _media_of([one.accessory])
        elif isinstance(one, components.Container):
            yield from _media_of(one.children)


def forget(client: discord.Client, message_id: int) -> None:
    """Forget the files of a message that gets others."""
    if client in _known:
        _known[client].pop(message_id, None)


async def of(client: discord.Client, message: discord.PartialMessage) -> Sequence[Any]:
    """Return the files of a message, in the form that an edit takes. Raises the errors of discord.py."""
    if client in _known and message.id in _known[client]:
        return _known[client][message.id]
    return remember(client, await message.fetch())
