"""Who voided a match, so that it counts for nobody: a person's id, or 0 for whoever runs the bot."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("voided_by", sa.BigInteger(), nullable=True))
    op.create_index(op.f("ix_matches_voided_by"), "matches", ["voided_by"])


def downgrade() -> None:
    op.drop_index(op.f("ix_matches_voided_by"), "matches")
    op.drop_column("matches", "voided_by")
