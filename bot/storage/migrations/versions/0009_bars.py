"""Who may not play in a server, or with guild 0 in any."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bars",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bars")),
        sa.UniqueConstraint("user_id", "guild_id", name=op.f("uq_bars_user_id_guild_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_bars_guild_id"), "bars", ["guild_id"])


def downgrade() -> None:
    op.drop_table("bars")
