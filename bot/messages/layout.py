"""The parts of a message: text, pictures, rows of controls and boxes around them. Knows nothing of matches.

Lazy texts are translated here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.messages.pictures import FILENAME, Attachment, Picture
from bot.storage.homes import in_address
from renderers.i18n import translated

ACCENT = discord.Colour(0x3E7CB1)
LABEL_LIMIT = 80
PLACEHOLDER_LIMIT = 150
OPTIONS = 25
"""Discord's limit for the options of a menu."""
_ROW = 5
"""Discord's limit for the buttons of a row."""
OPTION_LIMIT = 100
"""Discord's limit for the label of an option."""
ATTACHED = "attachment://"
"""How the address of a picture begins that is a file of its message; the name of the file follows."""

Part = discord.ui.Item[Any] | str
"""A component, or the Markdown of a text."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that is ready to be posted, as often as it takes.

    ``marker`` is the custom id of a control by which it is recognised later; ``mentions`` are the people notified,
    without a sound if it is ``silent``.
    """

    view: discord.ui.LayoutView
    marker: str
    attached: tuple[Picture | Attachment, ...] = ()
    mentions: tuple[int, ...] = ()
    silent: bool = False


def layout(*parts: Part) -> discord.ui.LayoutView:
    """Return a message of these parts, one below the other.

    The view is stopped, so that the client does not keep it in memory: controls are recognised by their custom ids
    alone, also after a restart.
    """
    view = discord.ui.LayoutView(timeout=None)
    for item in _items(parts):
        view.add_item(item)
    view.stop()
    return view


def box(*parts: Part, accent: discord.Colour | None = None) -> discord.ui.Container[discord.ui.LayoutView]:
    """Return parts of a message with a frame around them."""
    return discord.ui.Container(*_items(parts), accent_colour=accent)


def row(*items: discord.ui.Item[Any]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    """Return controls side by side: up to five buttons, or one select."""
    return discord.ui.ActionRow(*items)


def rows(buttons: Sequence[discord.ui.Button[Any]]) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    """Return any number of buttons in rows of much the same length, as few as they can be."""
    length = -(-len(buttons) // -(-len(buttons) // _ROW))
    return [row(*buttons[first : first + length]) for first in range(0, len(buttons), length)]


def button(
    custom_id: str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button; a label that is too long is cut."""
    return discord.ui.Button(label=translated(label)[:LABEL_LIMIT], style=style, custom_id=custom_id, disabled=disabled)


def line(text: str, accessory: discord.ui.Button[discord.ui.LayoutView]) -> discord.ui.Section[discord.ui.LayoutView]:
    return discord.ui.Section(translated(text), accessory=accessory)


def message_link(guild_id: int, channel_id: int, message_id: int | None) -> str:
    """Return the address of a message in a home (``bot.storage.homes``)."""
    return f"https://discord.com/channels/{in_address(guild_id)}/{channel_id}/{message_id}"


def link(url: str, label: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button that leads to a page or message."""
    return discord.ui.Button(label=translated(label)[:LABEL_LIMIT], url=url)


def select(
    custom_id: str, placeholder: str, options: list[discord.SelectOption]
) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return a menu that takes exactly one of at most 25 options."""
    return discord.ui.Select(
        custom_id=custom_id, placeholder=translated(placeholder)[:PLACEHOLDER_LIMIT], options=options
    )


def channel_select(
    custom_id: str, placeholder: str, kinds: Sequence[discord.ChannelType]
) -> discord.ui.ChannelSelect[discord.ui.LayoutView]:
    """Return a menu that takes exactly one of the server's channels of some kinds."""
    return discord.ui.ChannelSelect(
        custom_id=custom_id, placeholder=translated(placeholder)[:PLACEHOLDER_LIMIT], channel_types=list(kinds)
    )


def file(attachment: Picture | Attachment) -> discord.File:
    """Return an attachment as Discord takes it, anew each time: a file can be sent once."""
    description = attachment.description if isinstance(attachment, Picture) else None
    return discord.File(io.BytesIO(attachment.data), attachment.filename, description=description)


def gallery(*pictures: Picture) -> discord.ui.MediaGallery[discord.ui.LayoutView]:
    """Return the component that shows pictures side by side; they are attached to the same message."""
    return discord.ui.MediaGallery(*(_media_item(picture.description, picture.filename) for picture in pictures))


def gallery_of_attached(description: str) -> discord.ui.MediaGallery[discord.ui.LayoutView]:
    """Return the component that shows the board which is attached to a message already."""
    return discord.ui.MediaGallery(_media_item(description, FILENAME))


def beside(words: str, picture: Picture) -> discord.ui.Section[discord.ui.LayoutView]:
    """Return words with an attached picture in small beside them."""
    thumbnail: discord.ui.Thumbnail[discord.ui.LayoutView] = discord.ui.Thumbnail(
        f"{ATTACHED}{picture.filename}", description=picture.description
    )
    return discord.ui.Section(words, accessory=thumbnail)


def pictures_in(view: discord.ui.LayoutView) -> list[str]:
    """Return the names of the attached files that a message shows."""
    urls = []
    for item in view.walk_children():
        if isinstance(item, discord.ui.MediaGallery):
            urls += [picture.media.url for picture in item.items]
        elif isinstance(item, discord.ui.Thumbnail):
            urls.append(item.media.url)
    return [url.removeprefix(ATTACHED) for url in urls if url.startswith(ATTACHED)]


def without_pictures(view: discord.ui.LayoutView) -> discord.ui.LayoutView:
    """Return a message without its pictures; words beside one stay."""

    def rest(items: Sequence[discord.ui.Item[Any]]) -> Iterator[discord.ui.Item[Any]]:
        for item in items:
            if isinstance(item, discord.ui.Container):
                yield box(*rest(item.children), accent=cast("discord.Colour | None", item.accent_colour))
            elif isinstance(item, discord.ui.Section) and isinstance(item.accessory, discord.ui.Thumbnail):
                yield from item.children
            elif not isinstance(item, discord.ui.MediaGallery):
                yield item

    return layout(*rest(view.children))


def _media_item(description: str, filename: str) -> discord.MediaGalleryItem:
    return discord.MediaGalleryItem(f"{ATTACHED}{filename}", description=description)


def _items(parts: Sequence[Part]) -> list[discord.ui.Item[Any]]:
    return [discord.ui.TextDisplay(translated(part)) if isinstance(part, str) else part for part in parts]
