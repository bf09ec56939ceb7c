"""Voiding a match is a row of work: the ratings of later matches are computed again in parts."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "voids",
        sa.Column("id", ID, primary_key=True),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, unique=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("voided_by", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_by", sa.BigInteger()),
        sa.Index("ix_voids_guild_id_id", "guild_id", "id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_guild_id_finish", "matches", ["guild_id", "finish"])
