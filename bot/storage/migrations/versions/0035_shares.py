"""What people share in channels is stored, so that it is shared once, and their names can be removed."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("id", ID, primary_key=True),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("name", sa.Text()),
        sa.Column("thing", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE")),
        sa.Column("number", sa.Integer()),
        sa.Column("puzzle", sa.Text()),
        sa.Column("day", sa.Date()),
        sa.Column("found", sa.Text()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("user_id", "thing", name="uq_shares_user_id_thing"),
        sa.Index("ix_shares_guild_id", "guild_id"),
        sa.Index("ix_shares_match_id", "match_id"),
        sqlite_autoincrement=True,
    )
