"""Processes say which games they know; reviews keep whether a best move is clear."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("judgements", sa.Column("clear", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("processes", sa.Column("games", sa.JSON()))
