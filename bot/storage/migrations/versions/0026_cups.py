"""Cups: their players and pairings, the cup and round of a match, and who may start one in a server."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("matches", sa.Column("cup_id", sa.BigInteger()))
    op.add_column("matches", sa.Column("cup_round", sa.SmallInteger()))
    op.add_column("guilds", sa.Column("cups", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "cups",
        sa.Column("id", ID, primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("places", sa.SmallInteger(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.BigInteger(), nullable=False),
        sa.Column("start", sa.Text(), nullable=False),
        sa.Column("starts_at", AT, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("starter_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("again_of", ID, sa.ForeignKey("cups.id", ondelete="SET NULL"), unique=True),
        sa.Column("waiting", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("begun_at", AT),
        sa.Column("ended_at", AT),
        sa.Index("ix_cups_guild_id_state", "guild_id", "state"),
        sa.Index("ix_cups_state_starts_at", "state", "starts_at"),
        sa.Index("ix_cups_starter_id", "starter_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "cup_players",
        sa.Column("cup_id", ID, sa.ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined_at", AT, nullable=False),
        sa.Column("number", sa.SmallInteger()),
        sa.Column("withdrawal", sa.Text()),
        sa.Column("annulled", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("place", sa.SmallInteger()),
        sa.Index("ix_cup_players_user_id", "user_id"),
    )
    op.create_table(
        "cup_pairings",
        sa.Column("cup_id", ID, sa.ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.SmallInteger(), primary_key=True, autoincrement=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("first", sa.SmallInteger(), nullable=False),
        sa.Column("second", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="SET NULL"), unique=True),
    )
