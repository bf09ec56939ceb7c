"""Ladders pair the people of a server for a match each week."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant, Tuple

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ladders",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("due_at", Instant, nullable=False),
        sa.Column("week", Instant),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_ladders")),
    )
    op.create_index(op.f("ix_ladders_due_at"), "ladders", ["due_at"])
    op.create_table(
        "ladder_players",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("games", Tuple, nullable=False),
        sa.Column("pace", sa.Integer(), nullable=False),
        sa.Column("joined_at", Instant, nullable=False),
        sa.Column("left_out_at", Instant),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_ladder_players")),
    )
    op.create_index(op.f("ix_ladder_players_user_id"), "ladder_players", ["user_id"])
    op.create_table(
        "ladder_matches",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("week", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_ladder_matches_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_ladder_matches")),
    )
    op.create_index(op.f("ix_ladder_matches_guild_id_week"), "ladder_matches", ["guild_id", "week"])
