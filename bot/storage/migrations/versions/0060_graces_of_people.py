"""People say whether days away are spent for them before they lose on time."""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("graces", sa.Boolean(), nullable=False, server_default=sa.true()))
