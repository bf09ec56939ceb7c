"""What processes share of the calls to Discord: their weights, how many were refused, and until when none is wanted."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("processes", sa.Column("weight", sa.Float(), nullable=False, server_default=sa.text("0")))
    op.create_table(
        "invalid_responses",
        sa.Column("minute", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("minute", name=op.f("pk_invalid_responses")),
    )
    op.create_table(
        "call_holds",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_holds")),
    )


def downgrade() -> None:
    op.drop_table("call_holds")
    op.drop_table("invalid_responses")
    op.drop_column("processes", "weight")
