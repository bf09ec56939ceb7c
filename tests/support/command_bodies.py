"""Commands as Discord's documentation describes them, with the limits of a whole command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, TypeAdapter, model_validator

from tests.support.message_bodies import Body, Choice, Description, Snowflake

COMMAND_TEXT = 8000
"""Characters of a command."""
COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
Name = Annotated[str, Field(min_length=1, max_length=32)]


class CommandOption(Body):
    type: Annotated[int, Field(ge=1, le=11)]
    name: str = Field(min_length=1, max_length=32)
    description: str = Field(min_length=1, max_length=100)
    name_localizations: dict[str, Name] | None = None
    description_localizations: dict[str, Description] | None = None
    required: bool = False
    autocomplete: bool = False
    choices: list[dict[str, Any]] = Field(default_factory=list, max_length=25)
    options: list[CommandOption] = Field(default_factory=list, max_length=25)
    min_value: int | None = None
    max_value: int | None = None
    min_length: Annotated[int, Field(ge=0, le=6000)] | None = None
    max_length: Annotated[int, Field(ge=1, le=6000)] | None = None
    channel_types: list[Literal[0, 2, 4, 5, 10, 11, 12, 13, 15]] = Field(default_factory=list)

    @model_validator(mode="after")
    def is_well_ordered(self) -> Self:
        """Names are small, no name comes twice, and what is required comes first."""
        _check_names(self)
        _check_options(self.options)
        values = [choice["value"] for choice in self.choices]
        assert len(set(values)) == len(values), "a choice twice"
        for choice in self.choices:
            if isinstance(choice["value"], str):
                TypeAdapter(Choice).validate_python(choice)
        assert not (self.choices and self.autocomplete), "choices and suggestions"
        return self


class Command(Body):
    type: Literal[1, 2, 3]
    name: str = Field(min_length=1, max_length=32)
    description: str = Field("", max_length=100)
    name_localizations: dict[str, Name] | None = None
    description_localizations: dict[str, Description] | None = None
    options: list[CommandOption] = Field(default_factory=list, max_length=25)
    default_member_permissions: int | None = None
    dm_permission: bool | None = None
    nsfw: bool = False
    integration_types: Annotated[list[Literal[0, 1]], Field(min_length=1)]
    contexts: Annotated[list[Literal[0, 1, 2]], Field(min_length=1)]

    @model_validator(mode="after")
    def is_short_enough(self) -> Self:
        """A slash command has small names and a description; all its words together have a limit."""
        if self.type == 1:
            _check_names(self)
            assert self.description, "no description"
        _check_options(self.options)
        assert (length := _words(self.model_dump())) <= COMMAND_TEXT, f"{length} characters"
        return self


class EntryPoint(BaseModel):
    """The command that starts an Activity; a bulk overwrite sends it as it was received."""

    type: Literal[4]
    id: Snowflake


def _check_names(part: CommandOption | Command) -> None:
    for name in (part.name, *(part.name_localizations or {}).values()):
        assert COMMAND_NAME.fullmatch(name), f"name {name!r}"
        assert name == name.lower(), f"name {name!r}"


def _check_options(options: Sequence[CommandOption]) -> None:
    required = [option.required for option in options]
    assert required == sorted(required, reverse=True), "an optional option before a required one"
    assert len({option.name for option in options}) == len(options), "an option twice"
    for locale in {locale for option in options for locale in option.name_localizations or {}}:
        names = [(option.name_localizations or {}).get(locale, option.name) for option in options]
        assert len(set(names)) == len(names), f"an option twice in {locale}"


def _words(part: Mapping[str, Any]) -> int:
    """Count the characters of a command with all inside it; of a localized text the longest counts."""
    own = 0
    for name in ("name", "description"):
        localized = (part.get(f"{name}_localizations") or {}).values()
        own += max(len(one) for one in (part.get(name) or "", *localized))
    own += len(str(part.get("value", "")))
    return own + sum(_words(inner) for kind in ("options", "choices") for inner in part.get(kind) or ())
