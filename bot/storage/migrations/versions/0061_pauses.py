"""Players of a match agree on a pause, for which its clock stands."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("paused_until", sa.DateTime(timezone=True)))
