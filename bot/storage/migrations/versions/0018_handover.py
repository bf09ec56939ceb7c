"""The successor of a slot's holder, and which interactions were claimed while both are connected."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("slots", sa.Column("successor", sa.BigInteger(), nullable=True))
    op.create_table(
        "interaction_claims",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interaction_claims")),
    )


def downgrade() -> None:
    op.drop_table("interaction_claims")
    op.drop_column("slots", "successor")
