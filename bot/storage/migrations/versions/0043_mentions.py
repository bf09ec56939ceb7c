"""Which mention of a person in a server waits for their answer, and when they last acted there.

While one waits, further boards notify the person silently. Turns that were not told because the person had just
acted in the match are told later.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mentions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("match_id", Id),
        sa.Column("ply", sa.Integer()),
        sa.Column("at", Instant),
        sa.Column("acted_at", Instant),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_mentions")),
    )
    op.create_index(op.f("ix_mentions_user_id"), "mentions", ["user_id"])
    op.create_table(
        "held_turns",
        sa.Column("match_id", Id),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_held_turns_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_held_turns")),
    )
    op.create_index(op.f("ix_held_turns_due_at"), "held_turns", ["due_at"])
