"""A day away may be spent by itself before a loss on time, if the cup or the server wants that; matches count these."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("graces", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("absences", sa.Column("grace", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("cups", sa.Column("grace", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("guilds", sa.Column("grace", sa.Boolean(), nullable=False, server_default=sa.true()))
