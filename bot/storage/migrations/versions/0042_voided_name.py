"""A voided match keeps the name of the manager who voided it, for pages that cannot ask Discord for it."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("voided_name", sa.Text()))
