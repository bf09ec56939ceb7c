"""A heartbeat tells how many servers the fullest shard of its slot has."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("heartbeats", sa.Column("servers", sa.Integer()))
