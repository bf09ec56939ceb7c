"""Why something asked for is not done. The message of a refusal is shown to the person as it stands, but for what it
names: how people, channels and what somebody typed are written is up to whoever shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.storage.records import Person
from renderers.i18n import LazyText, translated
from renderers.i18n import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels a sentence names, by their ids."""

    ids: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.ids))


@dataclass(frozen=True, slots=True)
class Either:
    """People of whom a sentence means one or another."""

    people: tuple[Person, ...]

    def __str__(self) -> str:
        return " or ".join(person.name for person in self.people)


Named = Person | Channels | Either | str
"""What a sentence names. Text is somebody else's: it is shown letter by letter."""


class Refusal(Exception):
    """A request that cannot be granted; nothing has changed. ``str(refusal)`` is the sentence in English.

    ``sentence`` has a placeholder for each of what it names, if anything.
    """

    def __init__(self, sentence: str, **named: Named) -> None:
        self._sentence = sentence if isinstance(sentence, LazyText) else LazyText(sentence)
        self._named = named
        english = {key: one.name if isinstance(one, Person) else str(one) for key, one in named.items()}
        super().__init__(str(self._sentence.filled(**english)) if named else str(self._sentence))

    def naming(self, name: Callable[[Named], str]) -> str:
        """Return the sentence in the language of the moment, with everything it names as ``name`` writes it."""
        named = {key: name(one) for key, one in self._named.items()}
        return translated(self._sentence.filled(**named) if named else self._sentence)


class LimitReached(Refusal):
    """The person has as many of something as they may have."""


class NoSuchMatch(Refusal):
    """There is no match of that number, or it is another server's."""

    def __init__(self) -> None:
        super().__init__(_("There's no such match in this server."))


class Stale(Refusal):
    """The request came from a control of an earlier turn, or of something that is over."""


class MatchOver(Stale):
    """The match is over."""

    def __init__(self) -> None:
        super().__init__(_("This match is over."))


class Voided(Stale):
    """The match was voided: nothing can be done in it any more."""

    def __init__(self) -> None:
        super().__init__(_("This match was voided."))


class Quarantined(Refusal):
    """The match cannot be replayed from its moves, so nothing can be done with it until the operator has mended it."""

    def __init__(self) -> None:
        super().__init__(_("The moves of this match can no longer be read. Please tell the people who run this bot."))


class Unconfirmed(Refusal):
    """The move is legal, but its player is to be asked whether they mean it. ``str()`` is the question."""

    def __init__(self, question: str, text: str, ply: int) -> None:
        super().__init__(question)
        self.text = text
        self.ply = ply


class AlreadyProcessed(Refusal):
    """The same interaction was carried out before: nothing is left to do."""

    def __init__(self) -> None:
        super().__init__(_("That's already done."))
