"""A match knows the deadline that its messages last told."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("told_deadline_at", Instant))
