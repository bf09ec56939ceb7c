"""Which ply the board posted last shows, so that it can be told apart from where the match stands."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("board_ply", sa.Integer(), nullable=True))
    op.execute("UPDATE matches SET board_ply = ply WHERE board_message_id IS NOT NULL")


def downgrade() -> None:
    # Not in batch mode: that copies the table and drops it, which takes every row along that refers to it.
    op.drop_column("matches", "board_ply")
