"""A turn among many matches

Turns one after the other in matches from everywhere in the database, on a PostgreSQL filled by `COPY`: what the first
look at a match takes is left out. Times are in milliseconds, the median and the 99th percentile, until a turn
is stored and until its board is posted. PostgreSQL has 512 MB of buffers, in which the smaller database has
room and the larger has not: there a turn waits for what it reads and is the first to change.
"""

from __future__ import annotations

MANY = 100_000
"""As many as a few minutes and gigabytes allow."""


def measure() -> list[str]:
    """Fill a database with matches, and take turns in some of them."""
    # Here, because it writes this section, too.
    from tests.scale.million import measured

    return measured(MANY)
