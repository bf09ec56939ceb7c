"""Reasons to refuse a request, with the sentence that the person reads, and whether a match can be played here.

The layer that shows a sentence decides how it writes the people, channels and typed text in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.games import GAMES
from bot.storage.records import Match, Person
from renderers.i18n import LazyText, translated
from renderers.i18n import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels in a sentence, by their ids."""

    ids: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.ids))


Named = Person | Channels | str
"""A value in a sentence. Text comes from a person, so it is shown without any markup."""


class Refusal(Exception):
    """A refused request; nothing was changed. ``str(refusal)`` is the sentence in English.

    ``sentence`` has a placeholder for each value in ``named``.
    """

    def __init__(self, sentence: str, **named: Named) -> None:
        self._sentence = sentence if isinstance(sentence, LazyText) else LazyText(sentence)
        self._named = named
        english = {key: value.name if isinstance(value, Person) else str(value) for key, value in named.items()}
        super().__init__(str(self._sentence.filled(**english)) if named else str(self._sentence))

    def naming(self, name: Callable[[Named], str]) -> str:
        """Return the sentence in the current language; ``name`` writes the values in it."""
        named = {key: name(value) for key, value in self._named.items()}
        return translated(self._sentence.filled(**named) if named else self._sentence)


class Restarting(Refusal):
    """A request that came while the process stops; another process carries it out when it is sent again."""


class NotComputed(Refusal):
    """The compute queue has no room for the work, or took too long for it."""


class LimitReached(Refusal):
    """The person has reached a limit."""


NO_SUCH_MATCH = _("There's no such match here.")
NOT_PLAYING = _("You're not playing in this match, but you can watch: `/board` shows it.")


class NoSuchMatch(Refusal):
    """The server has no match with that number."""

    def __init__(self) -> None:
        super().__init__(NO_SUCH_MATCH)


class Stale(Refusal):
    """The request came from a control of an earlier turn, or of something that has ended."""


class MatchOver(Stale):
    """The match is over."""

    def __init__(self) -> None:
        super().__init__(_("This match is over."))


class Voided(Stale):
    """The match was voided, so no request in it is possible."""

    def __init__(self) -> None:
        super().__init__(_("This match was voided."))


class Quarantined(Refusal):
    """The moves of the match cannot be replayed: the match is unusable until the operator repairs it."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Something is wrong: I can't read the moves of this match any more. Please tell "
                "the people who run this bot."
            )
        )


class Unavailable(Quarantined):
    """The game of the match is not installed, so the match waits until it is again."""

    def __init__(self, game: str) -> None:
        Refusal.__init__(self, game_missing(game))


class OtherRules(Refusal):
    """The match began under another major version of the rules, so it does not go on."""

    def __init__(self, game: str) -> None:
        super().__init__(rules_changed(game))


def game_missing(game: str) -> LazyText:
    """Return the sentence about a match whose game is not installed."""
    return _(
        "{game} isn't available here at the moment. Its matches wait until the game is back, and their clocks stand "
        "still.",
        game=game,
    )


def rules_changed(game: str) -> LazyText:
    """Return the sentence about a match that began under other rules."""
    return _(
        "The rules of {game} have changed since this match began, so it can't go on. You can still look at it and "
        "export it.",
        game=game,
    )


class Unconfirmed(Refusal):
    """The move is legal, but the player has to confirm it first. ``str()`` is the question."""

    def __init__(self, question: str, text: str, ply: int) -> None:
        super().__init__(question)
        self.text = text
        self.ply = ply


class AlreadyProcessed(Refusal):
    """The interaction was processed before."""

    def __init__(self) -> None:
        super().__init__(_("That's already done."))


def is_playable(match: Match) -> bool:
    """Return whether the bot has the game of ``match`` under the major version of the rules that it began under."""
    return match.game in GAMES and GAMES[match.game].rules_major == match.rules


def out_of_play(match: Match) -> LazyText | None:
    """Return why ``match`` cannot go on, as a sentence for its players; None if it can."""
    if match.game not in GAMES:
        return game_missing(match.game)
    return None if is_playable(match) else rules_changed(GAMES[match.game].name)


def check_playable(match: Match) -> None:
    """Raise ``Unavailable`` if the game of ``match`` is not installed, ``OtherRules`` if its rules are others now."""
    check_installed(match.game)
    if not is_playable(match):
        raise OtherRules(GAMES[match.game].name)


def check_installed(game: str) -> None:
    """Raise ``Unavailable`` if the game with this key is not installed."""
    if game not in GAMES:
        raise Unavailable(game)
