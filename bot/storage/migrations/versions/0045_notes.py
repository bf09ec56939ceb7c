"""Players write private notes on positions of their matches, and share them as they stand."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notes",
        sa.Column("match_id", Id, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_index(op.f("ix_notes_user_id"), "notes", ["user_id"])
    op.add_column("shares", sa.Column("notes", sa.JSON()))
