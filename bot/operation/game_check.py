"""``game check``: says in sentences what a game lacks or has wrong. For authors of games; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.contract.findings import findings
from bot.games import GAMES, Game
from bot.games.guides import read_like
from bot.games.puzzles import puzzles
from bot.languages.catalogues import guide_file
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
    found = [*findings(game), *_translated_guides(game)]
    for finding in found:
        say(finding)
    for remark in _remarks(game):
        say(f"Remark: {remark}")
    missing = "1 thing is" if len(found) == 1 else f"{len(found)} things are"
    say(f"{game.name}: {f'{missing} missing or wrong' if found else 'nothing is missing'}. Its tests, from any folder:")
    say(TESTS.format(key=key))
    return not found


def _translated_guides(game: Game) -> Iterator[str]:
    """Yield why a guide in another language is shown in English."""
    for code in TRANSLATED:
        file = guide_file(code, game)
        try:
            for variant in game.variants if file.is_file() else ():
                read_like(file.read_text(encoding="utf-8"), game, f"the guide in {code}", variant)
        except (OSError, ValueError) as error:
            yield f"{str(error)[0].upper()}{str(error)[1:]}."


def _remarks(game: Game) -> Iterator[str]:
    """Yield what a game may do without."""
    if not puzzles(game):
        yield "it has no puzzles."
    if missing := languages_without(game):
        yield f"it is shown in English, wholly or in part, in {', '.join(missing)}."
