"""The pages of ``docs/figures``: one section a module of this package, each measured and written by one command.

    python -m tests.figures                 every section
    python -m tests.figures turn memory     these sections; the others stay as they are

A section is a module with a docstring, whose first line is its title and whose rest explains it, and a function
``measure() -> list[str]`` that returns the lines of the figures in Markdown. ``docs/figures.md`` names the question
that each page answers.
"""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from platform import python_implementation, python_version

from bot.games import GAMES
from bot.games.game import Game

FOLDER = Path(__file__).parents[2] / "docs" / "figures"


@dataclass(frozen=True, slots=True)
class Section:
    """A page of figures: its name on the command line, its title, what it is about, and what measures it."""

    name: str
    title: str
    about: str
    measure: Callable[[], list[str]]

    def text(self, lines: Iterable[str], day: date) -> str:
        """Return the whole page, with its figures and where they come from."""
        python = python_implementation().replace("CPython", "Python")
        origin = f"`python -m tests.figures {self.name}` on {os.cpu_count()} cores, {python} {python_version()}, {day}."
        return "\n\n".join([f"# {self.title}", self.about, "\n".join(lines), origin]) + "\n"

    def write(self, lines: Iterable[str]) -> str:
        """Write the page with figures measured today; return its text."""
        text = self.text(lines, datetime.now(UTC).date())
        (FOLDER / f"{self.name}.md").write_text(text, encoding="utf-8")
        return text


def sections() -> dict[str, Section]:
    """Return every section there is, by name."""
    found = {}
    for module in map(import_module, (f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__))):
        if hasattr(module, "measure"):
            title, _, about = cleandoc(module.__doc__ or "").partition("\n")
            name = module.__name__.rpartition(".")[2]
            found[name] = Section(name, title.rstrip("."), about.strip(), module.measure)
    return found


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table, the first column to the left and the others to the right."""
    marks = ["---", *["---:"] * (len(heads) - 1)]
    return [f"| {' | '.join(map(str, row))} |" for row in (heads, marks, *rows)]


def shipped_games() -> list[Game]:
    """Return the games of the bot, without those that tests bring."""
    return [game for game in GAMES.values() if type(game).__module__.startswith("bot.")]
