"""The board page: keys that sign links, links that were used, sessions, and requests that were processed."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "page_keys",
        sa.Column("id", ID, primary_key=True),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("made_at", AT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "page_links",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("expires_at", AT, nullable=False),
        sa.Index("ix_page_links_expires_at", "expires_at"),
    )
    op.create_table(
        "page_sessions",
        sa.Column("id", ID, primary_key=True),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("begun_at", AT, nullable=False),
        sa.Column("expires_at", AT, nullable=False),
        sa.Column("checked_at", AT, nullable=False),
        sa.UniqueConstraint("token_hash"),
        sa.Index("ix_page_sessions_expires_at", "expires_at"),
        sa.Index("ix_page_sessions_checked_at", "checked_at"),
        sa.Index("ix_page_sessions_user_id_guild_id", "user_id", "guild_id"),
        sa.Index("ix_page_sessions_guild_id", "guild_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "page_requests",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("at", AT, nullable=False),
        sa.Index("ix_page_requests_at", "at"),
    )
