"""A turn among many matches

Turns one after the other, in matches from all over a PostgreSQL database that `COPY` has filled. The first read of each
match is not counted. Times are in milliseconds, the median and the 99th percentile, until a turn is stored and until
its board is posted. PostgreSQL has 512 MB of buffers: the smaller database fits into them, the larger does not, so a
turn there waits for pages from the disk.
"""

from __future__ import annotations

MANY = 100_000
"""As many as a few minutes and gigabytes allow."""


def measure() -> list[str]:
    """Fill a database with matches, and take turns in some of them."""
    # Here, because it writes this section, too.
    from tests.scale.million import measured

    return measured(MANY)
