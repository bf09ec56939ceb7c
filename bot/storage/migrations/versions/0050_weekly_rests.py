"""People rest on some days or hours; servers and cups say whether that counts; a turn keeps the rest it began with."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("rest", sa.Text()))
    op.add_column("people", sa.Column("rest_from", Instant))
    for table in ("guilds", "cups", "matches"):
        op.add_column(table, sa.Column("rest_counts", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("matches", sa.Column("rest", sa.Text()))
