"""People choose whether turns make a sound only in their usual hours; a held turn knows if its board mentions them."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("usual_hours", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("held_turns", sa.Column("mentioned", sa.Boolean(), nullable=False, server_default=sa.false()))
