"""The turn of a computer player remembers when a process claimed it."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("computer_turns", sa.Column("claimed_at", sa.DateTime(timezone=True)))
