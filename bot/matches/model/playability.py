"""Whether a match can be played by the rules that this process has. Pure."""

from __future__ import annotations

from bot.games import GAMES
from bot.matches.model.refusals import OtherRules, Unavailable, game_missing, rules_changed
from bot.storage.records import Match
from renderers.i18n import LazyText


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
