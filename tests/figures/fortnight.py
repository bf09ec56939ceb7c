"""A fortnight of a server

Two weeks of a server with eight people in three time zones, played through the real client in simulated time, on the
databases that the columns name. They look in by habits that are values (`tests/fortnight/people.py`): two or three
times a day, in the evening, at weekends, at once; one challenges a lot, one is gone in the second week. They play legal
moves at random. There are a cup for five, the puzzle of the day, the weekly post, the ladder, a restart a day and an
outage of four hours. Habits are assumptions, so ratios count. "Before" is what a first simulation measured, with other
people of the same kind; the other columns are two fortnights on SQLite, and one of these on PostgreSQL. Taps on return
are the actions that it takes to play all that waits, beyond those of the moves. A person knows of a turn by a mention,
silent or not, or because they move. They hear of it by a mention with sound, of this turn or of an earlier one that
they have not answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from bot.settings import Settings
from tests.figures import table
from tests.fortnight.life import Course, lived
from tests.fortnight.people import DAY
from tests.fortnight.verdict import Played, Verdict, check_faultless, verdict
from tests.support.postgresql import new_database, running_server

SEEDS = {"SQLite": (7, 8), "PostgreSQL": (7,)}
"""What the fortnights follow from, by database."""


def measure() -> list[str]:
    """Live the fortnights on both databases."""
    with TemporaryDirectory() as folder, running_server() as server:
        urls: dict[str, Callable[[int], str]] = {
            "SQLite": lambda seed: f"sqlite+aiosqlite:///{Path(folder) / f'{seed}.db'}",
            "PostgreSQL": lambda seed: new_database(server, f"fortnight{seed}"),
        }
        return page(
            {name: [asyncio.run(fortnight(urls[name](seed), seed)) for seed in seeds] for name, seeds in SEEDS.items()}
        )


def page(found: Mapping[str, list[Verdict]]) -> list[str]:
    """Return the lines of the page, of the verdicts on each database."""
    every = [one for lives in found.values() for one in lives]
    kinds = sorted({kind for one in every for kind in one.by_kind})
    people = sorted({name for one in every for name in one.by_person})

    def now(of: Callable[[Verdict], float]) -> Iterator[str]:
        """Yield what was measured on each database."""
        return (_range(map(of, lives)) for lives in found.values())

    return [
        *table(("", "before", *found), [(what, before, *now(of)) for what, before, of in ROWS]),
        "",
        *table(("Mentions with sound", *found), [(kind, *now(_of_kind(kind))) for kind in kinds]),
        "",
        *table(("Mentions with sound of", *found), [(name, *now(_of_person(name))) for name in people]),
    ]


async def fortnight(url: str, seed: int) -> Verdict:
    """Live a fortnight on a database; return what became of it. Raises ``AssertionError`` if anything went wrong."""
    settings = Settings(_env_file=None, database_url=url, picture_workers=0, thinkers=0)
    async with lived(settings, Course(seed, days=14, outage_on=5)) as life:
        found = await verdict(life)
    check_faultless(found)
    return found


def _range(values: Iterable[float]) -> str:
    least, most = min(found := sorted(values)), max(found)
    return f"{least:g}" if least == most else f"{least:g} to {most:g}"


def _share(of: Callable[[Verdict], int]) -> Callable[[Verdict], float]:
    """Return what computes a share of the mentions with sound, in per cent."""
    return lambda found: round(100 * of(found) / max(1, found.loud))


def _on_time(chosen: Callable[[Played], bool]) -> Callable[[Verdict], float]:
    """Return what computes the share of some matches that were decided on time, in per cent."""

    def share(found: Verdict) -> float:
        over = [one for one in found.over if chosen(one)]
        return round(100 * sum(one.on_time for one in over) / max(1, len(over)))

    return share


def _pace(seconds: int) -> Callable[[Played], bool]:
    return lambda one: one.match.pace == seconds and one.match.cup_id is None


def _of_kind(kind: str) -> Callable[[Verdict], float]:
    return lambda found: found.by_kind[kind]


def _of_person(name: str) -> Callable[[Verdict], float]:
    return lambda found: found.by_person.get(name, 0)


def _minutes(at: Callable[[list[float]], float]) -> Callable[[Verdict], float]:
    return lambda found: round(at(sorted(delay.total_seconds() / 60 for delay in found.delays)))


ROWS: list[tuple[str, str, Callable[[Verdict], float]]] = [
    ("matches between people that ended", "36", lambda found: len(found.over)),
    ('in the channel on day 14: lines "started a thread"', "42", lambda found: found.channel["line"]),
    (
        "· cards of challenges and running matches",
        "24",
        lambda found: found.channel["card"] + found.channel["challenge"],
    ),
    ("· results", "0", lambda found: found.channel["result"]),
    ("· puzzles of the day", "14", lambda found: found.channel["daily"]),
    ("· shares", "7", lambda found: found.channel["shared"]),
    ("· of a cup", "2", lambda found: found.channel["cup"]),
    ("· weekly posts, and of the ladder", "0", lambda found: found.channel["weekly"] + found.channel["ladder"]),
    ("mentions with sound", "392 to 501", lambda found: found.loud),
    ("· within two minutes of the person's own act, %", "26 to 34", _share(lambda found: found.just_acted)),
    ("· while an earlier one had no answer, %", "33 to 42", _share(lambda found: found.unanswered.total())),
    ("· at night, %", "18 to 20", _share(lambda found: found.at_night)),
    ("mentions without sound", "0", lambda found: found.silent),
    ("decided on time at a day a move, %", "44 to 58", _on_time(_pace(DAY))),
    ("· at three days, %", "23 to 29", _on_time(_pace(3 * DAY))),
    ("· in the cup, %", "70 to 91", _on_time(lambda one: one.match.cup_id is not None)),
    ("open threads of finished matches", "14 to 19", lambda found: found.threads["over"]),
    ("· of running matches", "6 to 8", lambda found: found.threads["running"]),
    ("taps on return, at most", "", lambda found: max(found.taps)),
    (
        "minutes awake until a person knows of their turn, nine in ten",
        "",
        _minutes(lambda all: quantiles(all, n=10)[-1]),
    ),
    ("· at most", "", _minutes(max)),
    (
        "hours awake until a person hears of a turn or looks in, nine in ten",
        "",
        lambda found: round(quantiles([one.total_seconds() / 3600 for one in found.unheard], n=10)[-1], 1),
    ),
]
