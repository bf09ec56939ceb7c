"""A bar on standard error that shows how far a command has come."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class ProgressBar:
    """A bar while a block runs. Where nobody looks, as in a log, nothing is written."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=None)

    def begin(self, rows: int) -> None:
        """There are so many steps; none is done yet."""
        self._progress.reset(self._task, total=rows)

    def advance(self, what: str, rows: int) -> None:
        """So many steps more are done, of what is named."""
        self._progress.update(self._task, description=what, advance=rows)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
