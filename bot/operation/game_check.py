"""``game check``: says in sentences what a game lacks or has wrong. For authors of games; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from babel.messages.catalog import Catalog

from bot.contract.findings import findings
from bot.games import GAMES, OWN, Game
from bot.games.guides import read_like
from bot.games.puzzles import puzzles
from bot.languages.catalogues import broken, catalogue, guide_file
from bot.translating.extraction import TRANSLATED, languages_without

TESTS = "python -m pytest --pyargs bot.contract --game {key}"


def check_game(key: str, say: Callable[[str], None]) -> bool:
    """Say everything there is to say about the game with this key; return whether nothing has to be done."""
    game = GAMES.get(key)
    if game is None:
        rejected = [one for one in GAMES.rejected if one.entry_point == key]
        for one in rejected:
            say(f"{str(one)[0].upper()}{str(one)[1:]}.")
        if not rejected:
            say(f"No game has the key {key!r}. There are {', '.join(GAMES)}.")
        return False
    found = [*findings(game), *_translations(game)]
    for finding in found:
        say(finding)
    for remark in _remarks(game):
        say(f"Remark: {remark}")
    missing = "1 thing is" if len(found) == 1 else f"{len(found)} things are"
    say(f"{game.name}: {f'{missing} missing or wrong' if found else 'nothing is missing'}. Its tests, from any folder:")
    say(TESTS.format(key=key))
    return not found


def _translations(game: Game) -> Iterator[str]:
    """Yield why a guide or messages in another language are shown in English."""
    for code in TRANSLATED:
        file = guide_file(code, game)
        try:
            yield from (f"The braces are wrong in {one.string!r}." for one in broken(_messages(code, game)))
            for variant in game.variants if file.is_file() else ():
                read_like(file.read_text(encoding="utf-8"), game, f"{code}/guide.md", variant)
        except (OSError, ValueError) as error:
            yield f"In {code}: {error}."


def _messages(code: str, game: Game) -> Catalog:
    """Return the messages of a language that say those of a game: the bot's, or those that its package brings.

    Raises ``OSError`` or ``ValueError`` where they cannot be read.
    """
    return catalogue(code, game=None if game in OWN else game, strict=True)


def _remarks(game: Game) -> Iterator[str]:
    """Yield what a game may do without."""
    if not puzzles(game):
        yield "it has no puzzles."
    if missing := languages_without(game):
        yield f"it is shown in English, wholly or in part, in {', '.join(missing)}."
