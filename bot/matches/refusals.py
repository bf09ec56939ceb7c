"""Why something asked for is not done. The message of a refusal is shown to the person as it stands."""

from __future__ import annotations

from collections.abc import Callable

from bot.storage.records import Person


class Refusal(Exception):
    """A request that cannot be granted; nothing has changed. ``str(refusal)`` is a sentence for the person.

    ``sentence`` holds a ``{}`` for each of the ``people`` it names, if any.
    """

    def __init__(self, sentence: str, *people: Person) -> None:
        super().__init__(sentence.format(*(person.name for person in people)) if people else sentence)
        self._sentence = sentence
        self._people = people

    def naming(self, name: Callable[[Person], str]) -> str:
        """Return the sentence with everybody in it called what ``name`` returns."""
        return self._sentence.format(*map(name, self._people)) if self._people else self._sentence


class Stale(Refusal):
    """The request came from a control of an earlier turn, or of something that is over."""


class Unconfirmed(Refusal):
    """The move is legal, but its player is to be asked whether he means it. ``str()`` is the question."""

    def __init__(self, question: str, text: str, ply: int) -> None:
        super().__init__(question)
        self.text = text
        self.ply = ply


class Repeated(Refusal):
    """The same interaction was carried out before: nothing is left to do or to say."""

    def __init__(self) -> None:
        super().__init__("That was done already.")
