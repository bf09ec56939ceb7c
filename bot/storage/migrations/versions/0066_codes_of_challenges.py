"""Challenges have a code, by which a link leads to them."""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0065"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("challenges", sa.Column("code", sa.Text()))
    op.create_index(op.f("ix_challenges_code"), "challenges", ["code"], unique=True)
