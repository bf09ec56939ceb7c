"""People say where they are told of their turns, in all matches and in single ones, and when they are told of none.

What falls into their quiet hours is told in one message when these end.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("news", sa.Text()))
    op.add_column("people", sa.Column("news", sa.Text(), nullable=False, server_default="channel"))
    op.add_column("people", sa.Column("quiet_from", sa.SmallInteger()))
    op.add_column("people", sa.Column("quiet_until", sa.SmallInteger()))
    op.add_column("people", sa.Column("zone", sa.Text()))
    op.create_table(
        "quiet_turns",
        sa.Column("id", Id, primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("since", Instant, nullable=False),
        sa.Column("due_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quiet_turns")),
        sa.UniqueConstraint("user_id", name=op.f("uq_quiet_turns_user_id")),
        sqlite_autoincrement=True,
    )
