"""Discord's request bodies for the routes that the bot uses, as its documentation describes them, and the documented
limits of a whole message. What is not described here is not to be sent.

Ids may be numbers: discord.py sends some so, and Discord takes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

COMPONENTS, TEXT = 40, 4000
"""The most components and characters of a message."""
COMPONENTS_V2 = 1 << 15
ATTACHED = "attachment://"
Snowflake = Annotated[int, Field(ge=0)] | Annotated[str, Field(pattern=r"^(0|[1-9][0-9]*)$")]


Description = Annotated[str, Field(min_length=1, max_length=100)]


class Body(BaseModel):
    """A part of a request, without anything that is not described."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Component(Body):
    id: int | None = None


class TextDisplay(Component):
    type: Literal[10]
    content: str = Field(min_length=1, max_length=TEXT)


class Button(Component):
    type: Literal[2]
    style: Literal[1, 2, 3, 4, 5]
    label: str = Field(min_length=1, max_length=80)
    custom_id: str | None = Field(None, min_length=1, max_length=100)
    url: str | None = Field(None, min_length=1, max_length=512)
    disabled: bool = False

    @model_validator(mode="after")
    def leads_somewhere(self) -> Self:
        """A link has an address, and every other button a custom id."""
        assert (self.style == 5) == (self.url is not None) == (self.custom_id is None), "custom_id or url"
        return self


class Option(Body):
    label: str = Field(min_length=1, max_length=100)
    value: str = Field(min_length=1, max_length=100)
    description: str | None = Field(None, min_length=1, max_length=100)
    default: bool = False


class Select(Component):
    custom_id: str = Field(min_length=1, max_length=100)
    placeholder: str | None = Field(None, min_length=1, max_length=150)
    min_values: Annotated[int, Field(ge=0, le=25)] = 1
    max_values: Annotated[int, Field(ge=1, le=25)] = 1
    disabled: bool = False
    required: bool | None = None


class StringSelect(Select):
    type: Literal[3]
    options: Annotated[list[Option], Field(min_length=1, max_length=25)]

    @model_validator(mode="after")
    def offers_each_once(self) -> Self:
        """No value twice, no more defaults than can be chosen, and enough to choose from."""
        values = [option.value for option in self.options]
        assert len(set(values)) == len(values), "a value twice"
        assert sum(option.default for option in self.options) <= self.max_values <= len(values), "max_values"
        assert self.min_values <= self.max_values, "min_values"
        return self


class ChannelSelect(Select):
    type: Literal[8]
    channel_types: list[Literal[0, 2, 4, 5, 10, 11, 12, 13, 15]] = []
    default_values: list[Any] = []


class ActionRow(Component):
    type: Literal[1]
    components: (
        Annotated[list[Button], Field(min_length=1, max_length=5)]
        | Annotated[list[StringSelect | ChannelSelect], Field(min_length=1, max_length=1)]
    )


class Media(Body):
    url: str = Field(min_length=1, max_length=2048)


class Thumbnail(Component):
    type: Literal[11]
    media: Media
    description: str | None = Field(None, min_length=1, max_length=1024)
    spoiler: bool = False


class Section(Component):
    type: Literal[9]
    components: Annotated[list[TextDisplay], Field(min_length=1, max_length=3)]
    accessory: Annotated[Button | Thumbnail, Field(discriminator="type")]


class GalleryItem(Body):
    media: Media
    description: str | None = Field(None, min_length=1, max_length=1024)
    spoiler: bool = False


class Gallery(Component):
    type: Literal[12]
    items: Annotated[list[GalleryItem], Field(min_length=1, max_length=10)]


class Separator(Component):
    type: Literal[14]
    divider: bool = True
    spacing: Literal[1, 2] = 1


class Container(Component):
    type: Literal[17]
    components: Annotated[
        list[Annotated[ActionRow | TextDisplay | Section | Gallery | Separator, Field(discriminator="type")]],
        Field(min_length=1),
    ]
    accent_color: Annotated[int, Field(ge=0, le=0xFFFFFF)] | None = None
    spoiler: bool = False


Layout = list[
    Annotated[ActionRow | TextDisplay | Section | Gallery | Separator | Container, Field(discriminator="type")]
]


class Attachment(Body):
    id: Snowflake
    filename: str | None = Field(None, min_length=1, max_length=1024)
    description: str | None = Field(None, max_length=1024)


class AllowedMentions(Body):
    parse: list[Literal["users", "roles", "everyone"]] = []
    users: Annotated[list[Snowflake], Field(max_length=100)] = []
    roles: Annotated[list[Snowflake], Field(max_length=100)] = []
    replied_user: bool = False

    @model_validator(mode="after")
    def says_each_once(self) -> Self:
        """Whoever is named must not be covered by ``parse`` as well."""
        assert not (self.users and "users" in self.parse), "users twice"
        assert not (self.roles and "roles" in self.parse), "roles twice"
        return self


class Message(Body):
    """A message as it is posted or changed; a form that is changed may leave out everything."""

    content: str | None = Field(None, max_length=2000)
    components: Layout | None = None
    attachments: Annotated[list[Attachment], Field(max_length=10)] | None = None
    allowed_mentions: AllowedMentions | None = None
    flags: int | None = None
    tts: bool = False
    nonce: str | None = Field(None, min_length=1, max_length=25)
    enforce_nonce: bool | None = None

    @model_validator(mode="after")
    def is_one_kind(self) -> Self:
        """A message has components or content, and says which."""
        if self.components:
            assert (self.flags or 0) & COMPONENTS_V2, "components without their flag"
            assert not self.content, "content beside components"
            exceeded = _whole_message(self.model_dump(exclude_none=True)["components"])
            assert not exceeded, "; ".join(exceeded)
        return self


class Choice(Body):
    name: str = Field(min_length=1, max_length=100)
    value: Annotated[str, Field(min_length=1, max_length=100)] | int | float
    name_localizations: dict[str, Description] | None = None


class Choices(Body):
    choices: Annotated[list[Choice], Field(max_length=25)]


class TextInput(Component):
    type: Literal[4]
    custom_id: str = Field(min_length=1, max_length=100)
    style: Literal[1, 2]
    label: str | None = Field(None, min_length=1, max_length=45)
    min_length: Annotated[int, Field(ge=0, le=4000)] | None = None
    max_length: Annotated[int, Field(ge=1, le=4000)] | None = None
    required: bool = True
    value: str | None = Field(None, max_length=4000)
    placeholder: str | None = Field(None, min_length=1, max_length=100)


class FormRow(Component):
    type: Literal[1]
    components: Annotated[list[TextInput], Field(min_length=1, max_length=1)]


class Label(Component):
    type: Literal[18]
    label: str = Field(min_length=1, max_length=45)
    description: str | None = Field(None, min_length=1, max_length=100)
    component: TextInput


class Form(Body):
    custom_id: str = Field(min_length=1, max_length=100)
    title: str = Field(min_length=1, max_length=45)
    components: Annotated[
        list[Annotated[FormRow | Label | TextDisplay, Field(discriminator="type")]], Field(min_length=1, max_length=5)
    ]


class Callback(Body):
    type: Literal[4, 5, 6, 7, 8, 9]
    data: Any = None

    @model_validator(mode="after")
    def has_its_data(self) -> Self:
        """Each kind of answer has its own form."""
        if self.data is not None or self.type in (4, 8, 9):
            (Choices if self.type == 8 else Form if self.type == 9 else Message).model_validate(self.data)
        return self


class Thread(Body):
    name: str = Field(min_length=1, max_length=100)
    auto_archive_duration: Literal[60, 1440, 4320, 10080] | None = None
    rate_limit_per_user: int | None = None


class ThreadAlone(Thread):
    type: Literal[10, 11, 12]
    invitable: bool | None = None


class ChannelChange(Body):
    archived: bool | None = None
    auto_archive_duration: Literal[60, 1440, 4320, 10080] | None = None


class DirectMessages(Body):
    recipient_id: Snowflake


def _inside(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield every component of a message, nested ones included."""
    for component in components:
        yield component
        yield from _inside(component.get("components", ()))
        if "accessory" in component:
            yield component["accessory"]


def _whole_message(components: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return which limits of a whole message its components exceed."""
    every = list(_inside(components))
    found = [f"{len(every)} components"] if len(every) > COMPONENTS else []
    length = sum(len(component.get("content", "")) for component in every)
    found += [f"{length} characters"] if length > TEXT else []
    for name in ("custom_id", "id"):
        once = Counter(component[name] for component in every if component.get(name) is not None)
        found += [f"{name} {value!r} twice" for value, times in once.items() if times > 1]
    return found


def unresolved_pictures(body: Mapping[str, Any], files: Sequence[str]) -> list[str]:
    """Return the pictures that a message shows, but neither brings along nor keeps."""
    listed = body.get("attachments")
    new = {str(at) for at in range(len(files))}
    sent = [one for one in listed or () if str(one["id"]) in new]
    kept = {one.get("filename") for one in listed or () if str(one["id"]) not in new}
    there = kept | ({files[int(one["id"])] for one in sent} if listed is not None else set(files))
    shown = [
        media["url"].removeprefix(ATTACHED)
        for component in _inside(body.get("components") or ())
        for media in (component.get("media"), *(item["media"] for item in component.get("items", ())))
        if media is not None and media["url"].startswith(ATTACHED)
    ]
    found = [f"{name} is shown, but neither sent nor kept" for name in shown if name not in there]
    return found + ([f"{len(files)} files sent, {len(sent)} of them listed"] if len(sent) < len(files) else [])
