"""A review goes on in the next bot where the last one was killed."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import threading
from functools import partial
from pathlib import Path

import pytest
import structlog

from bot.matches.model import judging
from bot.matches.model.judging import PositionToJudge
from bot.storage.records import Judgement
from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running

pytestmark = pytest.mark.slow

POSITIONS = list(reversed(range(len(FINISHED))))
"""In the order they are judged: from the end on."""


def telling(never_done: int | None) -> None:
    """Have this process tell which positions it begins to judge, and never come to the end of one of them."""
    judging.MOST_NODES, judging.LEAST_NODES = 60, 20  # how well a position is judged is not the question here
    judge = judging.judgement
    log = structlog.get_logger()

    def told(question: PositionToJudge, nodes: int) -> Judgement:
        log.info("judging", number=question.number)
        if question.number == never_done:
            log.info("lost in thought")
            threading.Event().wait()
        return judge(question, nodes)

    judging.judgement = told


def judged_by(running: Running) -> list[int]:
    """Return the positions a bot has begun to judge."""
    return [line["number"] for line in running.told(lambda line: line["event"] == "judging")]


def stored(file: Path) -> list[tuple[object, ...]]:
    """Return what is known of the positions of the only match, in the order they are judged."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT * FROM judgements ORDER BY number DESC").fetchall()


async def test_a_review_killed_with_its_bot_again_and_again_is_finished_and_judges_nothing_twice(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start(bound=partial(telling, POSITIONS[2]))).ready()
    thread = await begun(discord)
    await played(discord, thread, *FINISHED)
    button = "review:1"
    await discord.control(thread, button)
    await discord.answered(discord.press(discord.alice, thread, button))
    known: list[tuple[object, ...]] = []
    for first, lost, next_lost in ((0, 2, POSITIONS[6]), (2, 6, None)):
        await running.logged("lost in thought")
        assert judged_by(running) == POSITIONS[first : lost + 1]
        assert stored(file)[: len(known)] == known
        known = stored(file)
        assert len(known) == lost
        await running.end(signal.SIGKILL)
        running = await start(bound=partial(telling, next_lost))
    await running.logged("review finished")
    assert judged_by(running) == POSITIONS[6:]
    assert stored(file)[: len(known)] == known
    assert len(stored(file)) == len(POSITIONS)
    await running.ready()
    shown = await discord.answered(discord.press(discord.bob, thread, button))
    assert "### Review of Yonmoque" in shown
