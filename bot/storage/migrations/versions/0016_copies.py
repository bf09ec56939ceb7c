"""Whether a database is a copy that is not finished yet."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unfinished_copy",
        sa.Column("source", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_unfinished_copy")),
    )


def downgrade() -> None:
    op.drop_table("unfinished_copy")
