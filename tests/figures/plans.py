"""Planned replies

A turn from the request until its commit, on SQLite in a file of its own, in milliseconds: without a plan, with a plan
of fifty expected moves that another move ends, and with one whose reply is played in the same turn. They alternate.
The statements are those between the beginnings and ends of transactions. Then a turn that sets off the longest chain,
twenty planned replies of both players. Pictures and Discord are not part of it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from sqlalchemy import func, select

from bot.matches.model.plan import LONGEST_CHAIN
from bot.matches.services.eligibility import Terms
from bot.storage import plans, tables
from bot.storage.database import Database
from bot.storage.records import First, Person, Plan, PlanTree
from tests.figures import table
from tests.matches.conftest import Crowd, crowd_at
from tests.matches.planning import game_at_random
from tests.support.statements import statements_of

TURNS, CHAINS, WARM = 600, 20, 20
"""Turns of each kind, turns that set off a chain, and turns before them that do not count."""
REDO = Terms("redo", "standard", 2, First.CHALLENGER)
LINE = game_at_random("redo", 40)
_PEOPLE = count(1_000)


@dataclass(slots=True)
class _Found:
    times: list[float] = field(default_factory=list)
    statements: int = 0
    boards: int = 0


def measure() -> list[str]:
    """Measure turns with and without plans, and chains."""
    load = os.getloadavg()[0]
    found = asyncio.run(_measured())
    rows = [
        (
            kind,
            f"{median(one.times):.1f}",
            f"{quantiles(one.times, n=20)[-1]:.1f}",
            f"{quantiles(one.times, n=100)[-1]:.1f}",
            one.statements,
            one.boards,
        )
        for kind, one in found.items()
    ]
    heads = ("A turn", "median", "95th percentile", "99th percentile", "statements", "boards posted")
    fair = "A turn that a plan answers plays two moves: two turns without a plan are what it is compared with."
    return [*table(heads, rows), "", fair, f"The load of the machine was {load:.1f} at the beginning."]


async def _measured() -> dict[str, _Found]:
    wide: PlanTree = {f"x{number}": {f"y{number}": {}} for number in range(48)}
    unmet: list[PlanTree] = [{}, {"a": {"b": {"c": {"d": wide}}}}]
    met: list[PlanTree] = [{}, {LINE[0]: {LINE[1]: {"c": {"d": wide}}}}]
    chain = _line(LINE[: LONGEST_CHAIN + 1])
    kinds: dict[str, tuple[list[PlanTree], int]] = {
        "without a plan": ([{}, {}], 1),
        "with a plan of fifty that it ends": (unmet, 1),
        "two turns without a plan": ([{}, {}], 2),
        "with a plan of fifty that answers it": (met, 1),
    }
    order, random = list(kinds), Random(1)
    found = {kind: _Found() for kind in (*kinds, f"with a chain of {LONGEST_CHAIN} replies")}
    with TemporaryDirectory() as folder:
        async with crowd_at(f"sqlite+aiosqlite:///{Path(folder) / 'plans.db'}") as crowd:
            for _ in range(WARM + TURNS):
                random.shuffle(order)
                for kind in order:
                    trees, turns = kinds[kind]
                    await _turns(crowd, trees, found[kind], LINE[:turns])
            for _ in range(CHAINS):
                await _turns(crowd, [chain, chain], found[f"with a chain of {LONGEST_CHAIN} replies"], LINE[:1])
    for kind in kinds:
        del found[kind].times[:WARM]
    return found


async def _turns(crowd: Crowd, trees: list[PlanTree], found: _Found, typed: Sequence[str]) -> None:
    """Type the first moves of a match of two people in which these plans are made, and note what they take."""
    people = [Person(next(_PEOPLE), name) for name in ("Alice", "Bob")]
    match_id = await crowd.begin(by=people[0], to=people[1], terms=REDO)
    for seat, tree in enumerate(trees):
        if tree:
            async with crowd.database.write() as tx:
                await plans.change(tx, match_id, Plan(seat, 0, tree, 0))
    await crowd.services.game_states.of(await crowd.match(match_id))
    seats = (await crowd.match(match_id)).seats
    before = await _boards(crowd.database, match_id)
    with statements_of(crowd.database) as statements:
        began = perf_counter()
        for mover, text in zip(seats, typed, strict=False):
            await crowd.services.turns.play(crowd.request(match_id, mover.person), text)
        found.times.append(1000 * (perf_counter() - began))
    found.statements = max(found.statements, len([one for one in statements if not one.startswith("BEGIN")]))
    found.boards = await _boards(crowd.database, match_id) - before


async def _boards(database: Database, match_id: int) -> int:
    """Return how many boards of a match are to be posted."""
    query = select(func.count()).where(tables.outbox.c.topic == f"match:{match_id}", tables.outbox.c.kind == "board")
    async with database.read() as tx:
        return int((await tx.execute(query)).scalar_one())


def _line(moves: list[str]) -> PlanTree:
    """Return a plan of moves in turn."""
    tree: PlanTree = {}
    for move in reversed(moves):
        tree = {move: tree}
    return tree
