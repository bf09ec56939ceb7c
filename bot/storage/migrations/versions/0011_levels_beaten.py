"""The levels of computer players that people have beaten."""

import sqlalchemy as sa
from alembic import op

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "levels_beaten",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_levels_beaten_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "game", "level", name=op.f("pk_levels_beaten")),
    )
    op.create_index(op.f("ix_levels_beaten_match_id"), "levels_beaten", ["match_id"])


def downgrade() -> None:
    op.drop_table("levels_beaten")
