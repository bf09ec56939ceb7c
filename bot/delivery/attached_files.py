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


_files: WeakKeyDictionary[discord.Client, OrderedDict[int, Sequence[Any]]] = WeakKeyDictionary()
"""For each client, the files of its latest posts by the id of the message."""
_MOST_MESSAGES: Final = 20_000


def remember(client: discord.Client, message: discord.Message) -> Sequence[Any]:
    shown = {
        media.attachment_id: PurePosixPath(urlsplit(media.url).path).name
        for media in _media_of(message.components)
        if media.attachment_id is not None
    }
    files = {attachment.id: attachment.filename for attachment in message.attachments} | shown
    by_message = _files.setdefault(client, OrderedDict())
    by_message[message.id] = [AttachedFile(*item) for item in files.items()]
    if len(by_message) > _MOST_MESSAGES:
        by_message.popitem(last=False)
    return by_message[message.id]


def _media_of(read: Iterable[Any]) -> Iterator[discord.UnfurledMediaItem]:
    """Yield the pictures in components as they are read: to make a view of each post costs more."""
    for component in read:
        if isinstance(component, components.MediaGalleryComponent):
            yield from (picture.media for picture in component.items)
        elif isinstance(component, components.ThumbnailComponent):
            yield component.media
        elif isinstance(component, components.SectionComponent):
            yield from _media_of([component.accessory])
        elif isinstance(component, components.Container):
            yield from _media_of(component.children)


def forget(client: discord.Client, message_id: int) -> None:
    """Forget the files of a message that gets others."""
    if client in _files:
        _files[client].pop(message_id, None)


async def of(client: discord.Client, message: discord.PartialMessage) -> Sequence[Any]:
    """Return the files of a message, in the form that an edit takes. Raises the errors of discord.py."""
    if client in _files and message.id in _files[client]:
        return _files[client][message.id]
    return remember(client, await message.fetch())
