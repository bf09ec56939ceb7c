"""Whose set-up is taken without asking."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("ready_made", sa.Boolean(), nullable=False, server_default=sa.false()))
