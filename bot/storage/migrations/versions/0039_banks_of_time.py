"""A pace may be a bank of time, to which moves add; seats store what is left of it, and offers another pace."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("matches", "challenges", "cups", "guilds"):
        op.add_column(table, sa.Column("increment", sa.Integer()))
    op.add_column("offers", sa.Column("pace", sa.Integer()))
    op.add_column("offers", sa.Column("increment", sa.Integer()))
    op.add_column("seats", sa.Column("bank", sa.Float()))
