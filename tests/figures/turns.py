"""A turn

Two hundred running matches on SQLite, in front of a simulated Discord, which is part of the times. Milliseconds from
the interaction that reaches the bot to its acknowledgement, and to the call that posts the board. Statements are those
that the database executes for a turn, from the command until the board is marked as sent, once both people have moved
since the start and their preferences are known.
"""

from __future__ import annotations

from tests.figures import table
from tests.figures.benchmarks import Benchmark, run

NAMES = {
    "test_a_turn_from_the_click_to_the_board": "one turn",
    "test_a_turn_in_every_match_at_once": "a turn in all of them at once",
    "test_a_turn_late_in_a_match": "one turn",
}


def measure() -> list[str]:
    """Take turns alone, all at once, and late in long matches."""
    found = run("tests/benchmarks/measure_turns.py")
    rows = [row for benchmark in found if benchmark.test in NAMES for row in _rows(benchmark)]
    lines = table(("Turn", "What", "median", "99th percentile"), rows)
    (statements,) = (benchmark.notes["statements"] for benchmark in found if "statements" in benchmark.notes)
    (rate,) = (benchmark.notes["turns a second"] for benchmark in found if "turns a second" in benchmark.notes)
    return [
        *lines,
        "",
        f"Statements a turn: {statements['median']:g} (most: {statements['most']}). Turns a second, in all matches at "
        f"once: {rate}.",
    ]


def _rows(benchmark: Benchmark) -> list[tuple[object, ...]]:
    name = ", ".join(filter(None, (NAMES[benchmark.test], benchmark.parameter)))
    timed = {what: note for what, note in benchmark.notes.items() if isinstance(note, dict)}
    return [(name, what, note["median"], note["p99"]) for what, note in timed.items()]
