"""Why something asked for is not done. The message of a refusal is shown to the person as it stands, but for what it
names: how people, channels and what somebody typed are written is up to whoever shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.storage.records import Person


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels a sentence names, by their ids."""

    ids: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.ids))


Named = Person | Channels | str
"""What a sentence names. Text is somebody else's: it is shown letter by letter."""


class Refusal(Exception):
    """A request that cannot be granted; nothing has changed. ``str(refusal)`` is a sentence for the person.

    ``sentence`` holds a ``{}`` for each of what it names, if anything.
    """

    def __init__(self, sentence: str, *named: Named) -> None:
        self._sentence = sentence
        self._named = named
        super().__init__(self.naming(lambda one: one.name if isinstance(one, Person) else str(one)))

    def naming(self, name: Callable[[Named], str]) -> str:
        """Return the sentence with everything it names written as ``name`` returns it."""
        return self._sentence.format(*map(name, self._named)) if self._named else self._sentence


class LimitReached(Refusal):
    """The person has as many of something as they may have."""


class NoSuchMatch(Refusal):
    """There is no match of that number, or it is another server's."""

    def __init__(self) -> None:
        super().__init__("There's no such match in this server.")


class Stale(Refusal):
    """The request came from a control of an earlier turn, or of something that is over."""


class MatchOver(Stale):
    """The match is over."""

    def __init__(self) -> None:
        super().__init__("This match is over.")


class Voided(Stale):
    """The match was voided: nothing can be done in it any more."""

    def __init__(self) -> None:
        super().__init__("This match was voided.")


class SetAside(Refusal):
    """The match cannot be replayed from its moves, so nothing can be done with it until the operator has mended it."""

    def __init__(self) -> None:
        super().__init__("The moves of this match can no longer be read. Please tell the people who run this bot.")


class Unconfirmed(Refusal):
    """The move is legal, but its player is to be asked whether they mean it. ``str()`` is the question."""

    def __init__(self, question: str, text: str, ply: int) -> None:
        super().__init__(question)
        self.text = text
        self.ply = ply


class AlreadyProcessed(Refusal):
    """The same interaction was carried out before: nothing is left to do."""

    def __init__(self) -> None:
        super().__init__("That's already done.")
