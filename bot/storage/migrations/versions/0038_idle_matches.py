"""A match without a pace between people has an inactivity limit, and a running one gets it now.

Its players are told a week before at least: the limit is 60 days after the last move, or a week from now.
"""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    matches = sa.table(
        "matches",
        *(sa.column(name) for name in ("id", "state", "pace", "to_move")),
        *(sa.column(name, Instant) for name in ("turn_at", "deadline_at", "remind_at")),
    )
    seats = sa.table("seats", *(sa.column(name) for name in ("match_id", "seat", "level")))
    people = matches.join(seats, (seats.c.match_id == matches.c.id) & (seats.c.seat == matches.c.to_move))
    idle = sa.select(matches.c.id, matches.c.turn_at).select_from(people)
    idle = idle.where(matches.c.state == "running", matches.c.pace.is_(None), matches.c.deadline_at.is_(None))
    connection, week, now = op.get_bind(), timedelta(days=7), datetime.now(UTC)
    for match in connection.execute(idle.where(seats.c.level.is_(None))).all():
        ends = max(match.turn_at + timedelta(days=60), now + week)
        clock = sa.update(matches).where(matches.c.id == match.id)
        connection.execute(clock.values(deadline_at=ends, remind_at=ends - week))
