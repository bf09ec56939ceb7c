"""The page ``docs/figures.md``: one section a module of this package, each measured and written by one command.

    python -m tests.figures                 every section
    python -m tests.figures turns lists     these sections; the others stay as they are

A section is a module with a docstring, whose first line is its title and whose rest explains it, and a function
``measure() -> list[str]`` that returns the lines of the figures in Markdown.
"""

from __future__ import annotations

import os
import pkgutil
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from platform import python_implementation, python_version

from bot.games import GAMES
from bot.games.game import Game

PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
HEAD = """# Figures

What Tavoliere takes, in time and in memory. Every section is written by the command that stands under it, not by hand,
so each can be measured again: `python -m tests.figures` measures all of them. Times depend on the machine and on what
else it does.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its name on the command line, its title, what it is about, and what measures it."""

    name: str
    title: str
    about: str
    measure: Callable[[], list[str]]

    def text(self, lines: Iterable[str], day: date) -> str:
        """Return the section as it stands on the page, with its figures and where they come from."""
        python = python_implementation().replace("CPython", "Python")
        origin = f"`python -m tests.figures {self.name}` on {os.cpu_count()} cores, {python} {python_version()}, {day}."
        return "\n\n".join([f"## {self.title}", self.about, "\n".join(lines), origin])


def sections() -> dict[str, Section]:
    """Return every section there is, by name."""
    found = {}
    for module in map(import_module, (f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__))):
        if hasattr(module, "measure"):
            title, _, about = cleandoc(module.__doc__ or "").partition("\n")
            name = module.__name__.rpartition(".")[2]
            found[name] = Section(name, title.rstrip("."), about.strip(), module.measure)
    return found


def replaced(page: str, name: str, text: str) -> str:
    """Return ``page`` with ``text`` for the section of that name; the last one where it was not there."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    section = f"{begin}\n{text}\n{end}"
    written, count = re.subn(rf"{re.escape(begin)}.*?{re.escape(end)}", lambda _: section, page, flags=re.DOTALL)
    return written if count else f"{page.rstrip()}\n\n{section}\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table, the first column to the left and the others to the right."""
    marks = ["---", *["---:"] * (len(heads) - 1)]
    return [f"| {' | '.join(map(str, row))} |" for row in (heads, marks, *rows)]


def shipped_games() -> list[Game]:
    """Return the games of the bot, without those that tests bring."""
    return [game for game in GAMES.values() if type(game).__module__.startswith("bot.")]
