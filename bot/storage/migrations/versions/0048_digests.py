"""People ask for a daily digest at an hour of their day."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("digest_hour", sa.SmallInteger()))
    op.create_table(
        "digests",
        sa.Column("id", Id, primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("due_at", Instant, nullable=False),
        sa.Column("told_at", Instant),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_digests")),
        sa.UniqueConstraint("user_id", name=op.f("uq_digests_user_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_digests_due_at"), "digests", ["due_at"])
