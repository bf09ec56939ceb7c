"""A match knows whether its thread is private."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("private", sa.Boolean(), nullable=False, server_default=sa.false()))
