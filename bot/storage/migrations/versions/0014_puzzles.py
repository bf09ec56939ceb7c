"""Who has solved which puzzles, and how well they do."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_attempts",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("day", sa.Date(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.JSON(), nullable=False),
        sa.Column("begun_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_attempts")),
        sa.UniqueConstraint("user_id", "puzzle", name=op.f("uq_puzzle_attempts_user_id_puzzle")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_puzzle_attempts_guild_id_day"), "puzzle_attempts", ["guild_id", "day"])
    op.create_table(
        "puzzle_ratings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("first_try", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest_streak", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_puzzle_ratings")),
    )


def downgrade() -> None:
    op.drop_table("puzzle_ratings")
    op.drop_table("puzzle_attempts")
