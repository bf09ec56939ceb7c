"""Downtime is given back to clocks in parts."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clock_credits",
        sa.Column("id", Id, nullable=False),
        sa.Column("since", Instant, nullable=False),
        sa.Column("until", Instant, nullable=False),
        sa.Column("shard", sa.Integer()),
        sa.Column("shards", sa.Integer()),
        sa.Column("last_match", Id, nullable=False),
        sa.Column("up_to", Id, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clock_credits")),
        sqlite_autoincrement=True,
    )
    rows = "state = 'running' AND deadline_at IS NOT NULL AND flagged IS {}"
    op.create_index(
        "ix_matches_clocks",
        "matches",
        ["state", "id"],
        sqlite_where=sa.text(rows.format(0)),
        postgresql_where=sa.text(rows.format("false")),
    )
