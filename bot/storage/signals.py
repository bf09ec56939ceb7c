"""Tells the parts of a process what a transaction has stored, once it has committed.

What the transaction writes says whom it concerns, so its caller tells nobody. Knows none of the parts that listen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import Any

from sqlalchemy import Connection, Executable, FromClause, UpdateBase
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import (
    absences,
    challenges,
    computer_turns,
    cups,
    daily_puzzles,
    departures,
    digests,
    guilds,
    held_turns,
    ladders,
    matches,
    moves,
    offers,
    page_sessions,
    people,
    puzzle_attempts,
    puzzle_channels,
    quiet_turns,
    reratings,
    reviews,
)


class Signal(Enum):
    """A kind of news that a commit brings."""

    DUE = "due"
    """Rows that fall due."""
    WORK = "work"
    """Rows that a runner works on."""
    OUTBOX = "outbox"
    """Messages to post."""
    PAGES = "pages"
    """Something that only open pages show; they look after every other news, too."""


_WRITTEN = {
    "insert": {
        Signal.DUE: {
            absences,
            challenges,
            cups,
            daily_puzzles,
            departures,
            digests,
            held_turns,
            ladders,
            matches,
            puzzle_channels,
            quiet_turns,
        },
        Signal.WORK: {computer_turns, reratings, reviews},
        Signal.PAGES: {moves, offers},
    },
    "update": {Signal.DUE: {absences, cups, daily_puzzles}, Signal.PAGES: {offers, puzzle_attempts}},
    "delete": {Signal.DUE: {departures}, Signal.PAGES: {guilds, page_sessions, people}},
}
"""The news that a statement brings, by its kind and table. ``bot.storage.outbox`` notes messages itself: only it knows
which of them this process begins itself."""
_BY_TABLE: dict[tuple[str, FromClause], Signal] = {
    (kind, table): signal for kind, told in _WRITTEN.items() for signal, some in told.items() for table in some
}
OPTION = "written"
"""The option of a connection that holds the set of signals of its transaction."""


class Signals:
    """The news of one process. A part that waits for a kind of news adds its callback to the list of that kind."""

    def __init__(self) -> None:
        self.on_due: list[Callable[[], None]] = []
        self.on_work: list[Callable[[], None]] = []
        self.on_outbox: list[Callable[[], None]] = []
        self.on_pages: list[Callable[[], None]] = []
        self.on_commit: list[Callable[[], None]] = []
        """Called after a commit that other processes have to know of."""

    def due(self) -> None:
        """Look at what falls due."""
        _call(self.on_due)

    def work(self) -> None:
        """Look for rows to work on."""
        _call(self.on_work)

    def outbox(self) -> None:
        """Look for messages to post."""
        _call(self.on_outbox)

    def pages(self) -> None:
        """Compare what open pages show with what is stored."""
        _call(self.on_pages)

    def committed(self, written: Collection[Signal]) -> None:
        """Pass on what a transaction of this process has written, to other processes, too."""
        if Signal.DUE in written:
            self.due()
        if Signal.WORK in written:
            self.work()
        if Signal.OUTBOX in written:
            self.outbox()
        if written:
            self.pages()
            if {Signal.DUE, Signal.WORK, Signal.OUTBOX}.intersection(written):
                _call(self.on_commit)

    def received(self) -> None:
        """Look at everything: another process has stored something."""
        self.due()
        self.work()
        self.outbox()
        self.pages()


def note(tx: AsyncConnection, signal: Signal) -> None:
    """Have the commit of a write transaction bring some news; other transactions bring none."""
    assert tx.sync_connection is not None
    _note(tx.sync_connection.get_execution_options(), signal)


def note_statement(
    _connection: Connection, statement: Executable, _values: Any, _parameters: Any, options: dict[str, Any]
) -> None:
    """Note what a statement is about to write; called for each statement of a database."""
    if isinstance(statement, UpdateBase) and (signal := _BY_TABLE.get((statement.__visit_name__, statement.table))):
        _note(options, signal)


def _note(options: Any, signal: Signal) -> None:
    written: set[Signal] | None = options.get(OPTION)
    if written is not None:
        written.add(signal)


def _call(listeners: Collection[Callable[[], None]]) -> None:
    for listener in listeners:
        listener()
