"""The progress of a copy: what the copy reports, and a bar on standard error that shows it."""

from __future__ import annotations

from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress


class Progress(Protocol):
    """Receives the progress of a copy: first the number of all rows, then each step with the rows it has done."""

    def begin(self, rows: int) -> None:
        """Start a copy of so many rows, those of earlier attempts included; none is done yet."""

    def advance(self, what: str, rows: int) -> None:
        """Count so many more rows as done."""


class ProgressBar:
    """A bar on a terminal while a block runs. Where standard error is no terminal, nothing is written."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._progress = RichProgress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=None)

    def begin(self, rows: int) -> None:
        """Start the bar at none of ``rows``."""
        self._progress.reset(self._task, total=rows)

    def advance(self, what: str, rows: int) -> None:
        """Advance the bar by ``rows``, and name what they belong to."""
        self._progress.update(self._task, description=what, advance=rows)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
