"""Servers let anybody watch matches by a link, and players say whether these see their names."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("watching", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("shows_name", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "watch_links",
        sa.Column(
            "match_id", Id, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False, unique=True),
    )
    op.create_index(op.f("ix_watch_links_guild_id"), "watch_links", ["guild_id"])
