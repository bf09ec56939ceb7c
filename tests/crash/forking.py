"""Has lives lived, one process each, and tells what became of them."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import signal
import threading
import traceback
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from tests.crash.bot_process import ACCOUNT, CRASH_POINT_FILE, DATABASE, LOG, Chapter, Life, live, warm_up
from tests.crash.crash_points import Moment, Point
from tests.crash.final_state import Account
from tests.support.forkserver import forkserver

EXIT_SECONDS = 600.0
"""Seconds a life may take."""

_alone = threading.Lock()
"""``multiprocessing`` looks after all processes whenever one is started, and does so for one thread at a time only."""


class ForkServer:
    """A process from which lives are forked, one at a time. It has warmed up: its caches are filled."""

    def __init__(self) -> None:
        self._orders, theirs = Pipe()
        self._process = forkserver.Process(target=_fork_lives, args=(theirs,), daemon=True)
        with _alone:
            self._process.start()
        theirs.close()

    def lived(self, life: Life) -> int:
        """Have a life lived and return how it ended."""
        self._orders.send(life)
        if not self._orders.poll(EXIT_SECONDS):
            assert self._process.pid is not None
            os.killpg(self._process.pid, signal.SIGKILL)
            raise AssertionError(f"{life} hangs\n{chronicle(life.folder)}")
        code: int = self._orders.recv()
        return code


_idle: list[ForkServer] = []
"""Fork servers of which no life runs."""


def lived(life: Life) -> int:
    """Have a life lived and return how it ended: 0 in peace, ``-SIGKILL`` by the killer."""
    try:
        server = _idle.pop()
    except IndexError:
        server = ForkServer()
    code = server.lived(life)
    _idle.append(server)
    return code


def _fork_lives(orders: Connection) -> None:
    os.setpgid(0, 0)
    asyncio.run(warm_up())
    gc.collect()
    gc.freeze()
    while True:
        try:
            life = orders.recv()
        except EOFError:
            return
        child = os.fork()
        if not child:
            _live_and_end(life)
        orders.send(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _live_and_end(life: Life) -> None:
    code = 1
    try:
        live(life)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def peacefully(life: Life) -> None:
    """Have a life lived that has nothing to die of."""
    ended = lived(life)
    assert ended == 0, f"{life} ended with {ended}\n{chronicle(life.folder)}"


def prepared(scenario: str, folder: Path, empty_database: Path) -> None:
    """Live up to the action, from an empty database on, and leave that in ``folder``."""
    folder.mkdir()
    shutil.copy(empty_database, folder / DATABASE)
    peacefully(Life(scenario, Chapter.BEFORE, folder))


def undisturbed(scenario: str, folder: Path) -> tuple[Account, dict[Moment, int]]:
    """Return the account of a scenario in which nothing goes wrong, and how often each moment comes in its action."""
    quiet = _copy(folder, "undisturbed")
    peacefully(Life(scenario, Chapter.AFTER, quiet))
    return told(quiet), _moments(quiet, Chapter.AFTER)


def first_start(folder: Path) -> dict[Moment, int]:
    """Leave a ``folder`` without a past; return how many moments of each kind the first start has."""
    folder.mkdir()
    rehearsal = _copy(folder, "rehearsal")
    peacefully(Life("a challenge", Chapter.RECOVERY, rehearsal))
    return _moments(rehearsal, Chapter.RECOVERY)


def disturbed(scenario: str, folder: Path, *points: Point, first: Chapter = Chapter.ACTION) -> tuple[Account, str]:
    """Die at each point, the first in the ``first`` chapter, the others in recovering; return the account and how."""
    place = _copy(folder, "-".join(f"{point.moment.name}{point.number}" for point in points))
    for number, point in enumerate(points):
        chapter = Chapter.RECOVERY if number else first
        ended = lived(Life(scenario, chapter, place, point))
        assert ended in (0, -signal.SIGKILL), f"ended with {ended} at {point}\n{chronicle(place)}"
    peacefully(Life(scenario, Chapter.AFTER, place))
    account, ends = told(place), chronicle(place)
    shutil.rmtree(place)
    return account, ends


def hasty(scenario: str, folder: Path, lost: Point) -> tuple[Account, str]:
    """Lose an answer and go on before the bot has noticed; return the account and what was lost."""
    place = _copy(folder, f"hasty{lost.number}")
    peacefully(Life(scenario, Chapter.HASTE, place, lost))
    return told(place), chronicle(place)


def told(folder: Path) -> Account:
    """Return the account a life has left."""
    account: Account = json.loads((folder / ACCOUNT).read_text())
    return account


def chronicle(folder: Path) -> str:
    """Return where the lives of a folder ended and what they logged."""
    files = [folder / CRASH_POINT_FILE, folder / LOG]
    return "\n".join(file.read_text()[-4000:] for file in files if file.exists())


def _moments(folder: Path, chapter: Chapter) -> dict[Moment, int]:
    counted = json.loads((folder / f"{chapter}.json").read_text())
    return {Moment(moment): count for moment, count in counted.items()}


def _copy(folder: Path, name: str) -> Path:
    place = folder.with_name(f"{folder.name}-{name}")
    shutil.copytree(folder, place)
    return place
