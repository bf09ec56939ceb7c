"""The page ``docs/figures.md``: the questions that readers decide by, each answered by lines of the pages of figures.

It copies lines and measures nothing. Every measurement writes the page again; ``python -m tests.figures questions``
does so without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
FOLDER = PAGE.with_suffix("")
"""Where each section has a page of its own."""
HEAD = """# Figures

What Tavoliere takes, in time and in memory. Commands measure every figure, and write it here and on a page of its own:
`python -m tests.figures` measures all of them. Times depend on the machine and on what else it does.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what a reader has to know about the answer, and the lines that answer it.

    ``answers`` maps the name of a section to how its lines begin; a row of a table brings the head of its table along.
    """

    title: str
    about: str
    answers: Mapping[str, tuple[str, ...]]


_GAMES = ("Gygès", "Rectangles of Distinction", "Redo", "Redtangle", "Yonmoque")
_DEFAULTS = ("gyges | classic", "rectangles | 6x6", "redo | standard", "redtangle | standard", "yonmoque | standard")

QUESTIONS = (
    Question(
        "Is it quick?",
        "Milliseconds from a person's click to the acknowledgement and to the new board, with 200 running matches on\n"
        "SQLite. Then the same while one person floods the bot with requests.",
        {
            "turns": ("| one turn | ack", "| one turn | board", "| a turn in all of them at once | b", "Statements"),
            "fairness": ("| nobody |", "| /match replay |", "| /profile |"),
        },
    ),
    Question(
        "What machine does it need?",
        "Memory is that of the whole process; the simulated Discord of the measurement is part of it.",
        {
            "memory": (
                *("| start, s |", "| started, MB |", "| after the turns, MB |", "| database, MB", "| backup, MB |"),
                "| backup, ms |",
            ),
        },
    ),
    Question(
        "How far does it go?",
        "Turns a second of several processes on one PostgreSQL, and one turn among many matches. Times are in\n"
        "milliseconds, the median and the 99th percentile. The database shares the two cores of the machine.",
        {
            "scale": ("| 1 |", "| 2 |", "| 4 |", "Seconds from"),
            "silence": tuple(f"| shard {number} |" for number in range(5)),
            "million": ("| 1,000 |", "| 100,000 |"),
        },
    ),
    Question(
        "How strong is the bot, and how long does it think?",
        "Level 1 and level 5 against *careful*, a player that takes a win in one move and avoids a loss in one. Then\n"
        "what a move at level 5 and a review take on one core.",
        {
            "ladder": tuple(f"| {game} | level {level} | careful |" for game in _DEFAULTS for level in (1, 5)),
            "players": tuple(f"| {game} | 5 |" for game in _GAMES),
            "review": tuple(f"| {game} |" for game in _GAMES),
        },
    ),
    Question(
        "How many taps does a move take?",
        "In the default variants, from the board in the channel to the move that is played.",
        {
            "clicks": (
                *("| gyges-classic |", "| rectangles-6x6 |", "| redo-standard |", "| redtangle-standard |"),
                "| yonmoque-standard |",
            )
        },
    ),
    Question(
        "Is the board page quick, and how many taps does a move take there?",
        "The first visit, then moves with two pages open, in milliseconds. Then taps from the open page to the move\n"
        "that is played, in the default variants.",
        {
            "board_page": (
                *("| kB until", "| first board on the screen from", "| tap to the next", "| move to confirmed, median"),
                *("| move to shown on another page, 95th", "While these"),
                *("| gyges-classic |", "| rectangles-6x6 |", "| redo-standard |", "| redtangle-standard |"),
                "| yonmoque-standard |",
            )
        },
    ),
    Question(
        "What does a cup take?",
        "Statements of the transaction that ends a match, outside a cup and in one of eight people; then the time to\n"
        "draw the table.",
        {"cups": ("| outside", "| in a cup, 0", "| in a cup, 1", "| that ends", "| 3 | 900", "| 8 | 900")},
    ),
    Question(
        "What do pictures take?",
        "A board 900 pixels wide, in processor time.",
        {"pictures": ("| Yonmoque |", "| Gyges |", "| Redo |", "| Redtangle |", "| Rectangles |", "A replay")},
    ),
    Question(
        "What is translated?",
        "Messages and guides of each language beside English.",
        {
            "languages": (
                "| Deutsch",
                "| Español",
                "| Français",
                "| Italiano",
                "| 日本語",
                "| Português",
                "All languages",
            )
        },
    ),
    Question(
        "Is the demo light, and how soon is a first game over?",
        "The page of `python -m bot demo`, in Chromium; then first games on it, on a phone and against level 1.",
        {
            "demo": (
                "| bytes",
                "| from the command",
                "| click to answer there, median",
                *(f"| {one} |" for one in _GAMES),
            )
        },
    ),
)


def write() -> None:
    """Write the page of questions from the pages of figures as they are now."""
    PAGE.write_text(page(FOLDER), encoding="utf-8")


def page(folder: Path) -> str:
    """Return the page of questions, as the pages of figures in ``folder`` answer them.

    Raises ValueError where a line of an answer is not there.
    """
    titles = {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for file in _files(folder)}
    parts = [HEAD.strip()]
    for question in QUESTIONS:
        parts += [f"## {question.title}", question.about]
        for name, beginnings in question.answers.items():
            lines = (folder / f"{name}.md").read_text(encoding="utf-8").splitlines()
            parts += ["\n".join(answer(lines, beginnings)), f"All of it: [{titles[name]}]({folder.name}/{name}.md)."]
    every = "\n".join(f"- [{title}]({folder.name}/{name}.md)" for name, title in titles.items())
    return "\n\n".join([*parts, "## Everything that is measured", every]) + "\n"


def answer(lines: Iterable[str], beginnings: Sequence[str]) -> Iterator[str]:
    """Yield the lines that begin so, each table with its head and all of them with empty lines between.

    Raises ValueError where no line begins so.
    """
    missing = set(beginnings)
    blocks = []
    for is_table, block in groupby(lines, key=lambda line: line.startswith("|")):
        rows = list(block)
        head = rows[:2] if is_table else []
        chosen = [line for line in rows[len(head) :] if line.startswith(tuple(beginnings))]
        missing -= {one for one in beginnings for line in chosen if line.startswith(one)}
        if chosen:
            blocks.append("\n".join([*head, *chosen]))
    if missing:
        raise ValueError(f"no line begins with {', '.join(sorted(missing))}")
    yield from "\n\n".join(blocks).splitlines()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md"))
