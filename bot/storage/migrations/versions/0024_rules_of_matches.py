"""Matches remember the version of the rules they began under, and since when their clock stands for lack of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("rules", sa.SmallInteger(), nullable=False, server_default="1"))
    op.add_column("matches", sa.Column("stopped_at", sa.DateTime(timezone=True)))
