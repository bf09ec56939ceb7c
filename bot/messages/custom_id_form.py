"""What a form of custom ids is, and how the values of each type are written in it and read from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_lowercase, digits
from typing import Annotated, Any, Generic, ParamSpec, TypeVar, cast, get_args, get_type_hints

from bot.games.game import KEY_PATTERN, VARIANT_PATTERN, split_text

P = ParamSpec("P")
Ids = TypeVar("Ids")

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Notation:
    """How the values of a type are written: the pattern of the text, and what reads and writes it."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


class CustomId(Generic[P, Ids]):
    """A form of custom ids, such as ``rematch:{match}``, and the class of the values in it.

    A call with these values returns the custom id. How each is written follows from its type.
    """

    def __init__(self, form: str, ids: Callable[P, Ids]) -> None:
        self.form = form
        self.ids = ids
        types = get_type_hints(ids, include_extras=True)
        self._notations = {name: _notation(types[name]) for name in _FIELD.findall(form)}
        self.pattern = _FIELD.sub(lambda field: f"(?P<{field[1]}>{self._notations[field[1]].pattern})", form)
        """The regular expression that recognises the whole of such a custom id, a group for each field."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> str:
        return self.write(self.ids(*args, **kwargs))

    def write(self, ids: Ids) -> str:
        return self.form.format(
            **{name: notation.write(getattr(ids, name)) for name, notation in self._notations.items()}
        )

    def read(self, custom_id: str) -> Ids | None:
        """Return the values in a custom id, or None for one of another form."""
        match = re.fullmatch(self.pattern, custom_id)
        if match is None:
            return None
        values = {name: notation.read(match[name]) for name, notation in self._notations.items()}
        return cast(Callable[..., Ids], self.ids)(**values)


def _notation(annotation: Any) -> Notation:
    """Return the notation that a type is annotated with; literals stand for themselves."""
    if isinstance(noted := get_args(annotation)[-1], Notation):
        return noted
    return Notation("|".join(_words(annotation)))


def _words(literal: Any) -> list[str]:
    return [word for part in get_args(literal) for word in ([part] if isinstance(part, str) else _words(part))]


def read_choices(text: str) -> tuple[str, ...]:
    """Return the choices that ``write_choices`` wrote."""
    return tuple(text[1:].split("/")) if text.startswith("/") else split_text(text)


def write_choices(choices: tuple[str, ...]) -> str:
    """Write choices as the text of the move where it can be split again, else one by one."""
    text = "".join(choices)
    return text if split_text(text) == choices or not choices else "/" + "/".join(choices)


def _or_none(number: Notation, nothing: str) -> Notation:
    """Return the notation of a number, or of None as the word ``nothing``."""
    return Notation(
        f"{nothing}|{number.pattern}",
        lambda text: None if text == nothing else number.read(text),
        lambda value: nothing if value is None else number.write(value),
    )


_STORED = Notation(r"\d{1,18}", int)
_OF_DISCORD = Notation(r"[0-8]?\d{1,18}", int)

StoredId = Annotated[int, _STORED]
"""The number of something that the database holds."""
StoredIdOrAll = Annotated[int | None, _or_none(_STORED, "all")]
DiscordId = Annotated[int, _OF_DISCORD]
"""An id of Discord, which the database can store: it is less than 2 ** 63."""
DiscordIdOrNone = Annotated[int | None, _or_none(_OF_DISCORD, "")]
Ply = Annotated[int, Notation(r"\d{1,6}", int)]
Seat = Annotated[int, Notation(r"\d{1,2}", int)]
PageNumber = Annotated[int, Notation(r"\d{1,5}", int)]
Digit = Annotated[int, Notation(r"\d", int)]
_LEVELS = digits + ascii_lowercase
Level = Annotated[int, Notation("[0-9a-z]", _LEVELS.index, lambda level: _LEVELS[level : level + 1] or str(level))]
"""A level of computer players in one character: from the tenth on, a letter."""
Menu = Annotated[int, Notation(r"\d{1,2}", int)]
Place = Annotated[int, Notation(r"\d{1,3}", int)]
"""The number of a place in a plan, in the order in which the plan is told."""
Levels = Annotated[
    tuple[int, ...],
    Notation(
        "[0-9a-z]{0,9}",
        lambda text: tuple(map(_LEVELS.index, text)),
        lambda levels: "".join(_LEVELS[n] for n in levels),
    ),
]
Game = Annotated[str, Notation(KEY_PATTERN)]
Variant = Annotated[
    str,
    Notation(rf"|:{VARIANT_PATTERN}", lambda text: text.removeprefix(":"), lambda key: f":{key}" if key else ""),
]
"""The key of a variant; empty for the first one of a game."""
Day = Annotated[str, Notation(r"\d{4}-\d\d-\d\d")]
YesNo = Annotated[bool, Notation("yes|no", lambda text: text == "yes", lambda value: "yes" if value else "no")]
Choices = Annotated[tuple[str, ...], Notation(r".*", read_choices, write_choices)]
"""The choices that make a move, or a part of it."""
