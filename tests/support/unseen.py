"""A progress bar that shows nothing."""

from __future__ import annotations


class Unseen:
    """Receives the progress of a copy, and ignores it."""

    def begin(self, rows: int) -> None:
        """Ignore the amount of work."""

    def advance(self, what: str, rows: int) -> None:
        """Ignore the work done."""
