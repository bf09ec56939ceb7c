"""``game check``: says in sentences what a game lacks or has wrong. For authors of games; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.contract.findings import findings
from bot.games import GAMES, OWN, Game
from bot.games.faults import FAULTS, of_each
from bot.games.guides import read_like
from bot.games.puzzles import puzzles
from bot.games.trial import problems
from bot.languages.catalogues import broken, catalogue, guide_file
from bot.messages import drawing
from bot.translating.extraction import TRANSLATED, languages_without

TESTS = "python -m pytest --pyargs bot.contract --game {key}"


def check_game(key: str, say: Callable[[str], None]) -> bool:
    """Say everything there is to say about the game with this key; return whether nothing has to be done."""
    game = GAMES.get(key)
    if game is None:
        rejected = [reason for reason in GAMES.rejected if reason.entry_point == key]
        for reason in rejected:
            say(f"{str(reason)[0].upper()}{str(reason)[1:]}.")
        if not rejected:
            say(f"No game has the key {key!r}. There are {', '.join(GAMES)}.")
        return False
    wrong = [*findings(game), *_translations(game)]
    for finding in wrong:
        say(finding)
    if not puzzles(game):
        say("Remark: it has no puzzles.")
    if missing_in := languages_without(game):
        say(f"Remark: it is shown in English, wholly or in part, in {', '.join(missing_in)}.")
    missing = "1 thing is" if len(wrong) == 1 else f"{len(wrong)} things are"
    say(f"{game.name}: {f'{missing} missing or wrong' if wrong else 'nothing is missing'}. Its tests, from any folder:")
    say(TESTS.format(key=key))
    return not wrong


def left_out() -> list[str]:
    """Return a sentence about each game that is left out, wholly or where it fails, after trying to show them all."""
    of_each(_try, GAMES.values())
    faults = (f"the game {key} is left out where it fails: {fault}" for key, fault in FAULTS.items())
    return [*map(str, GAMES.rejected), *faults]


def _try(game: Game) -> None:
    drawing.showpiece(game, "dark")
    if game not in OWN and (problem := next(problems(game), None)):
        raise ValueError(problem)


def _translations(game: Game) -> Iterator[str]:
    """Yield why a guide or messages in another language are shown in English."""
    for code in TRANSLATED:
        file = guide_file(code, game)
        try:
            yield from (
                f"The braces are wrong in {message.string!r}."
                for message in broken(catalogue(code, game=None if game in OWN else game, strict=True))
            )
            for variant in game.variants if file.is_file() else ():
                read_like(file.read_text(encoding="utf-8"), game, f"{code}/guide.md", variant)
        except (OSError, ValueError) as error:
            yield f"In {code}: {error}."
