"""Whether a person is shown how a game is won."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("aims", sa.Boolean(), nullable=False, server_default=sa.true()))
