"""The language of challenges and matches, the one people and servers choose, and why a match ended as a message."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("language", sa.Text(), nullable=False, server_default="en"))
    op.add_column("people", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("people", sa.Column("locale", sa.Text(), nullable=False, server_default="en"))
    op.add_column("guilds", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("reason_message", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "reason_message")
    for table, column in (("guilds", "language"), ("people", "locale"), ("people", "language")):
        op.drop_column(table, column)
    for table in ("matches", "challenges"):
        op.drop_column(table, "language")
