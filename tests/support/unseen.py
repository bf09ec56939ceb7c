"""Progress that is not shown."""

from __future__ import annotations


class Unseen:
    """Is told how far a copy has come, and forgets it."""

    def begin(self, rows: int) -> None:
        """Forget how much there is to do."""

    def advance(self, what: str, rows: int) -> None:
        """Forget what is done."""
