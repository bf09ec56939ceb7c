"""Current language and lazily translated messages.

Messages are written in English, as whole sentences with named placeholders (``{name}``), and are found by Babel where
they stand: ``_("...")``, ``_n("one ...", "{n} ...", n)`` for what depends on a number, and ``_p("context", "...")`` for
a word that means several things. A module takes these names from here, in one of two kinds:

- ``gettext``, ``ngettext`` and ``pgettext`` translate at once, into the current language. They are for text that goes
to a person at once.
- ``gettext_lazy``, ``ngettext_lazy`` and ``pgettext_lazy`` return the message in English as a ``LazyText``, which
  the code that speaks hands to ``translated`` later. They are for rules, stored values and constants.

The current language belongs to the task or thread (``speaking``). This module knows no catalogue: a ``Language``
brings its own.
"""

from __future__ import annotations

import gettext as catalogues
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Self
from unicodedata import normalize

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its tag (BCP 47, such as ``pt-BR``), its messages, and its customs with numbers and lists (CLDR)."""

    code: str
    messages: catalogues.NullTranslations
    locale: Locale
    commands: str = "en"
    """The tag of the language in which its messages call commands: that of the reader's Discord, which shows them."""


_REWORDED = {
    "third repetition": "the same position for the third time",
    "200 turns after the set-up": "200 turns since the set-up",
}


class _English(catalogues.NullTranslations):
    """The messages of the source as they are; of those stored with matches, old wordings are replaced by the present
    ones.
    """

    def gettext(self, message: str) -> str:
        return _REWORDED.get(message, message)


ENGLISH = Language("en", _English(), Locale("en"))
"""The language of the messages in the source."""
_ENDS = (*".!?…。！？", "")
_GROUPED_FROM_FIVE = frozenset({"bg", "es", "hu", "it", "pl"})
"""The languages of Discord that write 1234, but 12.345: CLDR's "minimumGroupingDigits", which Babel does not read."""
_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def current_language() -> Language:
    return _current.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use a language for all text that is made in the block."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def speak(language: Language) -> None:
    """Use a language for all text that this task makes from now on."""
    _current.set(language)


class LazyText(str):
    """A message in English that can still be translated: ``translated`` does that.

    It is the English text, equal to it and hashed like it. ``values`` fill the placeholders; those that are lazy, too,
    are translated along. A placeholder without a value stays as it is, for ``filled``. Joining it with other text makes
    plain English of it: a message that holds others has placeholders for them.
    """

    __slots__ = ("_context", "_count", "_message", "_plural", "_values")

    _message: str
    _plural: str | None
    _count: int
    _context: str | None
    _values: Mapping[str, Any]

    def __new__(
        cls,
        message: str,
        values: Mapping[str, Any] | None = None,
        *,
        plural: str | None = None,
        count: int = 1,
        context: str | None = None,
    ) -> Self:
        english = message if plural is None or count == 1 else plural
        filled = values or {} if plural is None else {**(values or {}), "n": _written(count, 0, ENGLISH.locale)}
        text = super().__new__(cls, _format(english, filled, str))
        text._message, text._plural, text._count = message, plural, count
        text._context, text._values = context, values or {}
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(type(self), plural=self._plural, count=self._count, context=self._context)
        return make, (self._message, dict(self._values))

    def filled(self, **values: Any) -> LazyText:
        """Return the message with these values, too."""
        return LazyText(
            self._message,
            {**self._values, **values},
            plural=self._plural,
            count=self._count,
            context=self._context,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the message as JSON takes it, for ``from_data``. Its values are text, numbers or messages."""
        values = {name: _as_data(value) for name, value in self._values.items()}
        data = {"message": self._message, "plural": self._plural, "count": self._count, "context": self._context}
        return {**data, "values": values}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> LazyText:
        """Return the message that ``as_data`` wrote down."""
        for kind in (LazyList, LazyJoin, LazyNumber):
            if kind.__name__ in data:
                return kind(*map(_from_data, data[kind.__name__]))
        values = {name: _from_data(value) for name, value in data["values"].items()}
        return LazyText(data["message"], values, plural=data["plural"], count=data["count"], context=data["context"])

    def translation(self) -> str:
        messages = _current.get().messages
        if self._plural is not None:
            message = messages.ngettext(self._message, self._plural, self._count)
            return _format(message, {**self._values, "n": number(self._count)}, translated)
        if self._context is not None:
            message = messages.pgettext(self._context, self._message)
        else:
            message = messages.gettext(self._message)
        return _format(message, self._values, translated)


class LazyList(LazyText):
    """Words that can still be joined as a language does it: ``a, b and c``."""

    __slots__ = ("_words",)

    _words: tuple[str, ...]

    def __new__(cls, words: Iterable[str]) -> Self:
        every = tuple(words)
        text = super().__new__(cls, _joined(every, ENGLISH))
        text._words = every
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyList, (self._words,)

    def filled(self, **_values: Any) -> LazyText:
        """Return the list as it is: it has no placeholders."""
        return self

    def as_data(self) -> dict[str, Any]:
        return {"LazyList": _as_data((self._words,))}

    def translation(self) -> str:
        """Return the words, each translated, joined as the current language does it."""
        return listed(self._words)


class LazyJoin(LazyText):
    """Texts joined by the same separator, such as ", ", that can still be translated."""

    __slots__ = ("_between", "_texts")

    _between: str
    _texts: tuple[str, ...]

    def __new__(cls, between: str, texts: Iterable[str]) -> Self:
        every = tuple(texts)
        text = super().__new__(cls, str(between).join(map(str, every)))
        text._between, text._texts = between, every
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyJoin, (self._between, self._texts)

    def filled(self, **_values: Any) -> LazyText:
        """Return the texts as they are: together they have no placeholders."""
        return self

    def as_data(self) -> dict[str, Any]:
        return {"LazyJoin": _as_data((self._between, self._texts))}

    def translation(self) -> str:
        return translated(self._between).join(map(translated, self._texts))


class LazyNumber(LazyText):
    """A number that can still be written as a language does it, rounded to so many digits."""

    __slots__ = ("_digits", "_number")

    _number: float
    _digits: int

    def __new__(cls, value: float, digits: int = 0) -> Self:
        text = super().__new__(cls, _written(value, digits, ENGLISH.locale))
        text._number, text._digits = value, digits
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyNumber, (self._number, self._digits)

    def filled(self, **_values: Any) -> LazyText:
        """Return the number as it is: it has no placeholders."""
        return self

    def as_data(self) -> dict[str, Any]:
        return {"LazyNumber": _as_data((self._number, self._digits))}

    def translation(self) -> str:
        return number(self._number, self._digits)


def _as_data(value: Any) -> Any:
    if isinstance(value, LazyText):
        return value.as_data()
    return list(map(_as_data, value)) if isinstance(value, tuple) else value


def _from_data(value: Any) -> Any:
    if isinstance(value, Mapping):
        return LazyText.from_data(value)
    return list(map(_from_data, value)) if isinstance(value, list) else value


def translated(value: Any) -> str:
    """Return a message in the current language, and any other value as text."""
    return value.translation() if isinstance(value, LazyText) else str(value)


def gettext(message: str, /, **values: Any) -> str:
    """Return a message in the current language."""
    return _format(_current.get().messages.gettext(message), values, translated)


def ngettext(one: str, many: str, n: int, /, **values: Any) -> str:
    """Return the message for a number, ``{n}``, in the current language."""
    return _format(_current.get().messages.ngettext(one, many, n), {"n": number(n), **values}, translated)


def pgettext(context: str, message: str, /, **values: Any) -> str:
    """Return a message that means something else in another context, in the current language."""
    return _format(_current.get().messages.pgettext(context, message), values, translated)


def gettext_lazy(message: str, /, **values: Any) -> LazyText:
    """Return a message to be translated later."""
    return LazyText(message, values)


def ngettext_lazy(one: str, many: str, n: int, /, **values: Any) -> LazyText:
    """Return the message for a number, ``{n}``, to be translated later."""
    return LazyText(one, {"n": n, **values}, plural=many, count=n)


def pgettext_lazy(context: str, message: str, /, **values: Any) -> LazyText:
    """Return a message that means something else in another context, to be translated later."""
    return LazyText(message, values, context=context)


def folded(text: str) -> str:
    """Return a text as it is compared with what people type: full-width and capital letters are like the others."""
    return normalize("NFKC", text).casefold().strip()


def listed(words: Iterable[str]) -> str:
    """Join words as the current language does it: ``a, b and c``."""
    return _joined([translated(word) for word in words], _current.get())


def day_names(language: str | None = None) -> list[str]:
    """Return the names of the days of the week, Monday first; in the current language, or that of a tag."""
    locale = current_language().locale if language is None else Locale(language)
    return [str(locale.days["stand-alone"]["wide"][day]) for day in range(7)]


def enumerated(words: Iterable[str]) -> str:
    """Put words beside each other as the current language does it, without an "and": ``a, b, c``."""
    between = _current.get().locale.list_patterns["standard"]["middle"]
    return str(between).format("", "").join(map(translated, words))


def headed(head: str, text: str) -> str:
    """Put a word and a colon before a text as the current language does it: ``Blue: b5-d3``."""
    # Translators: only the colon as your language writes it: "Blue: b5-d3", "Free dots: a1".
    return gettext("{head}: {text}", head=head, text=text)


def bracketed(text: str, aside: str) -> str:
    """Put something in brackets behind a text as the current language does it: ``Alice (Blue)``."""
    # Translators: only the brackets as your language writes them: "Alice (Blue)", "Gygès (Classic)".
    return gettext("{text} ({aside})", text=text, aside=aside)


def prose(sentences: Iterable[str]) -> str:
    """Put sentences one behind the other with what the current language has between them, such as a space."""
    # Translators: only what stands between two sentences in your language: a space, or nothing.
    between = gettext("{sentence} {next}", sentence="", next="")
    return between.join(map(translated, sentences))


def capitalised(text: str) -> str:
    """Return a text that begins with a capital, unless it begins with a move or square, such as ``a1``."""
    head = re.match(r"\w+", text)
    return text[:1].upper() + text[1:] if head and head[0].isalpha() else text


def sentence(text: str) -> str:
    """Return a text with the full stop of the current language behind it, unless it has an end already."""
    # Translators: only the full stop that your language puts behind a sentence.
    return text if text[-1:] in _ENDS else gettext("{text}.", text=text)


def number(value: float, digits: int = 0) -> str:
    """Write a number as the current language does it, rounded to so many digits: ``1,234.5``."""
    return _written(value, digits, _current.get().locale)


def ungrouped(value: float, digits: int = 0) -> str:
    """Write a number without anything between its thousands, as ratings and matches' numbers are everywhere."""
    return str(format_decimal(value, format=_pattern("0", digits), locale=_current.get().locale))


def percent(share: float, digits: int = 0) -> str:
    """Write a share, from 0 to 1, as per cent in the way of the current language: ``66.7%``."""
    locale = _current.get().locale
    return format_percent(share, format=_pattern(locale.percent_formats[None].pattern, digits), locale=locale)


def _written(value: float, digits: int, locale: Locale) -> str:
    grouped = locale.language not in _GROUPED_FROM_FIVE or abs(round(value, digits)) >= 10_000
    return format_decimal(value, format=_pattern("#,##0" if grouped else "0", digits), locale=locale)


def _pattern(pattern: str, digits: int) -> str:
    """Return a pattern of CLDR with so many digits after its only zero."""
    return pattern.replace("0", f"0.{'0' * digits}") if digits else pattern


def _joined(words: Iterable[str], language: Language) -> str:
    every = list(words)
    if not every:
        return ""
    if language.locale.language == "en":  # CLDR's English is American: a, b, and c
        return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"
    return format_list(every, locale=language.locale)


def _format(message: str, values: Mapping[str, Any], shown: Any) -> str:
    if not values:
        return message
    return message.format_map(_Values({name: shown(value) for name, value in values.items()}))


class _Values(dict[str, Any]):
    """The values of a message; a placeholder without a value stays as it is."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


# Translators: only what your language puts between two words of a list: "a1, b2".
COMMA = gettext_lazy("{text}, {next}", text="", next="")
"""The separator of words that can still be translated."""

# Translators: only what your language puts between two lists: "2 discs on a1, b2; 1 tower on c3".
SEMICOLON = gettext_lazy("{text}; {next}", text="", next="")
"""The separator of texts that have commas of their own."""
