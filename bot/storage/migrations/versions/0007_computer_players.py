"""Seats of computer players, which have a level, and the turns these have to play."""

import sqlalchemy as sa
from alembic import op

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("level", sa.SmallInteger(), nullable=True))
    op.create_table(
        "computer_turns",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_computer_turns_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_computer_turns")),
    )


def downgrade() -> None:
    op.drop_table("computer_turns")
    op.drop_column("seats", "level")
