"""A server with a puzzle of the day has a weekly post, in the same channel or in one that its managers choose."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("weekly", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("guilds", sa.Column("weekly_channel", sa.BigInteger()))
