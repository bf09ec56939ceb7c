"""Where and when servers have their puzzle of the day posted, and what was posted."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_channels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("hour", sa.SmallInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_puzzle_channels")),
    )
    op.create_index(op.f("ix_puzzle_channels_due_at"), "puzzle_channels", ["due_at"])
    op.create_table(
        "daily_puzzles",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("count_due_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_daily_puzzles")),
    )
    op.create_index(op.f("ix_daily_puzzles_count_due_at"), "daily_puzzles", ["count_due_at"])


def downgrade() -> None:
    op.drop_table("daily_puzzles")
    op.drop_table("puzzle_channels")
