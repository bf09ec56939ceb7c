"""Boards say who is away, and no longer do when the absence ends."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("absences", sa.Column("due_at", Instant))
    op.create_index("ix_absences_due_at", "absences", ["due_at"])
    absences = sa.table(
        "absences", sa.column("ends_at", Instant), sa.column("grace", sa.Boolean()), sa.column("due_at", Instant)
    )
    running = absences.c.ends_at > datetime.now(UTC), absences.c.grace.is_(False)
    op.execute(absences.update().where(*running).values(due_at=absences.c.ends_at))
