"""Finds what is missing or wrong beside a game's code, in sentences for its author: facts, guide, exact rules, golden
games, questions and puzzles. ``python -m bot game check`` prints them, and the tests want none. Names no game.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path
from typing import Final

from bot.contract import golden
from bot.contract.questions import questions
from bot.games.game import Game
from bot.games.guides import Page, differs_by_variant, guide
from bot.games.puzzles import puzzles
from bot.games.trial import problems

SUMMARY: Final = 100
"""The most characters of a summary."""
MENU_OPTIONS: Final = 25
"""The most options of a menu of Discord; the table of contents of a guide is one."""
PHONE: Final = 48
"""Characters in a line of a message on a phone, some 400 pixels wide."""
LINES: Final = 20
LINES_BELOW_A_PICTURE: Final = 16
"""The most lines of a guide's page on a phone."""
HEADINGS: Final = ("Source", "Board", "Notation", "Check")
"""Headings of every ``RULES.md``, beside the first one, "<name of the game>, exactly"."""
GOLDEN_GAMES: Final = 5
"""The fewest golden games of each variant."""
DEMO_PLIES: Final = 30
DEMO_PLAYERS: Final = 3
"""The most plies and players of the golden game ``demo``."""
QUESTIONS: Final = 10


def facts(game: Game) -> Iterator[str]:
    """Yield the problems of key, summary, seats and variants."""
    yield from (f"{problem[0].upper()}{problem[1:]}." for problem in problems(game))
    if not game.summary.endswith("."):
        yield "The summary does not end with a full stop."
    if len(game.summary) > SUMMARY:
        yield f"The summary has {len(game.summary)} characters, more than {SUMMARY}."
    for variant in game.variants:
        if len(variant.description) > 100:
            yield f"The description of the variant {variant.key} has more than 100 characters."


def guide_pages(game: Game) -> Iterator[str]:
    """Yield the problems of ``guide.md``."""
    if not _beside(game, "guide.md").is_file():
        yield "guide.md is missing: the rules for players, in pages with diagrams."
        return
    for variant in game.variants if differs_by_variant(game) else game.variants[:1]:
        pages = guide(game, variant)
        if not 3 <= len(pages) <= MENU_OPTIONS:
            yield f"guide.md has {len(pages)} pages for {variant.key}; it has from 3 to {MENU_OPTIONS}."
        if len({page.title for page in pages}) < len(pages):
            yield f"guide.md has two pages of the same title for {variant.key}."
        if [page for page in pages if page.aside] != [pages[-1]]:
            yield 'guide.md does not end with the page "Where the original rules are silent".'
        if not any(page.diagrams for page in pages):
            yield f"guide.md has no diagram for {variant.key}."
        for page in pages:
            yield from (f"guide.md, {page.title}: {problem}" for problem in _page(page))


def _page(page: Page) -> Iterator[str]:
    captions = [diagram.caption for diagram in page.diagrams]
    if not 0 < len(page.title) <= 80:
        yield "the title has more than 80 characters."
    if not 0 < len(page.text) <= 1600:
        yield f"the text has {len(page.text)} characters, and a page has from 1 to 1600."
    if len(captions) > 1 and not page.aside:
        yield f"{len(captions)} diagrams, more than one."
    lines = sum(max(1, ceil(len(line) / PHONE)) for text in (page.text, *captions) for line in text.splitlines())
    most = LINES_BELOW_A_PICTURE if captions else LINES
    if lines > most and not page.aside:
        yield f"{lines} lines on a phone, more than {most}."
    said = re.sub('"[^"]*"', "", " ".join([page.text, *captions]))
    if gendered := re.search(r"\b(he|him|his|she|her|hers)\b", said, re.IGNORECASE):
        yield f"a player is they, not {gendered[0]}."


def rules_page(game: Game) -> Iterator[str]:
    """Yield the problems of ``RULES.md``."""
    file = _beside(game, "RULES.md")
    if not file.is_file():
        yield "RULES.md is missing: the exact rules, and what was decided where the source is silent."
        return
    text = file.read_text(encoding="utf-8")
    headings = set(re.findall(r"^#+ (.+)$", text, re.MULTILINE))
    for heading in (f"{game.name}, exactly", *HEADINGS):
        if heading not in headings:
            yield f'RULES.md has no heading "{heading}".'
    marks = set(re.findall(r"\[(\w+)[\]:]", text))
    if not marks:
        yield "RULES.md marks no rule as [decided] or [sourced: where]."
    for mark in sorted(marks - {"decided", "sourced"}):
        yield f"RULES.md marks a rule as [{mark}]; marks are [decided] and [sourced: where]."
    if gendered := re.search(r"\b(he|him|his|she|her)\b", text, re.IGNORECASE):
        yield f"RULES.md: a player is they, not {gendered[0]}."


def golden_games(game: Game) -> Iterator[str]:
    """Yield what is missing among the golden games, and wrong with the one for the demo page."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in golden.files(game.key)}
    for variant in game.variants:
        count = sum(f"\nvariant: {variant.key}\n" in text for text in texts.values())
        if count < GOLDEN_GAMES:
            yield f"golden has {count} games of the variant {variant.key}; at least {GOLDEN_GAMES} are wanted."
    for name, text in texts.items():
        if not text.startswith(f"game: {game.key}\n"):
            yield f"golden/{name}.txt is no game of {game.key}."
        if "result: none yet" in text:
            yield f"golden/{name}.txt does not come to an end."
    if "demo" not in texts:
        yield "golden/demo.txt is missing: a short game that is played on the demo page."
        return
    case, _, moves = golden.game_in(texts["demo"])
    if len(moves) > DEMO_PLIES:
        yield f"golden/demo.txt has {len(moves)} plies, more than {DEMO_PLIES}."
    if case.players > DEMO_PLAYERS:
        yield f"golden/demo.txt has {case.players} players, more than {DEMO_PLAYERS}."


def asked_questions(game: Game) -> Iterator[str]:
    """Yield the problems of ``questions.toml``."""
    if not _beside(game, "questions.toml").is_file():
        yield f"questions.toml is missing: {QUESTIONS} questions that a reader of the guide can answer."
        return
    every = questions(game)
    if len(every) < QUESTIONS:
        yield f"questions.toml has {len(every)} questions; at least {QUESTIONS} are wanted."
    if len({(question.ask, question.variant) for question in every}) < len(every):
        yield "questions.toml asks the same question twice."
    for question in every:
        if not question.ask.endswith("?") or not question.answer.endswith("."):
            yield f"questions.toml, {question.ask}: ask ends with a question mark, answer with a full stop."
        if not (question.legal or question.illegal or question.exactly or question.then or question.outcome):
            yield f"questions.toml, {question.ask}: the answer is not said in terms of the rules."
        yield from (f"questions.toml, {question.ask}: {wrong}." for wrong in question.contradictions())


def puzzle_file(game: Game) -> Iterator[str]:
    """Yield the problems of ``puzzles.txt``; a game may have none."""
    every = puzzles(game)
    if len({puzzle.key for puzzle in every}) < len(every):
        yield "puzzles.txt has the same puzzle twice."


LOOKS: Final[tuple[Callable[[Game], Iterator[str]], ...]] = (
    facts,
    guide_pages,
    rules_page,
    golden_games,
    asked_questions,
    puzzle_file,
)
"""Everything that is looked at."""


def findings(game: Game) -> Iterator[str]:
    """Yield everything that is missing or wrong, in sentences. A file that cannot be read is a finding, too."""
    for look in LOOKS:
        try:
            yield from look(game)
        except Exception as error:
            yield f"{look.__name__.replace('_', ' ').capitalize()}: {error or type(error).__name__}"


def _beside(game: Game, name: str) -> Path:
    return Path(inspect.getfile(type(game))).with_name(name)
