"""The bot notes when people use it, to tell those who come back after days what they missed."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seen_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_visits"),
    )
