"""Clocks, offers, preferences, absences, blocks and the settings of servers."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("challenges", sa.Column("pace", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("finish", sa.Integer(), nullable=True))
    op.execute("UPDATE matches SET finish = id WHERE ended_at IS NOT NULL")
    op.create_index(op.f("ix_matches_finish"), "matches", ["finish"])
    op.add_column("matches", sa.Column("pace", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("deadline_at", Instant(), nullable=True))
    op.add_column("matches", sa.Column("remind_at", Instant(), nullable=True))
    op.add_column("matches", sa.Column("flagged", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(op.f("ix_matches_state_deadline_at"), "matches", ["state", "deadline_at"])
    op.create_index(op.f("ix_matches_state_remind_at"), "matches", ["state", "remind_at"])
    op.create_table(
        "offers",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_offers_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_offers_match_id_state"), "offers", ["match_id", "state"])
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("theme", sa.Text(), nullable=False),
        sa.Column("coordinates", sa.Boolean(), nullable=False),
        sa.Column("confirm", sa.Boolean(), nullable=False),
        sa.Column("text_boards", sa.Boolean(), nullable=False),
        sa.Column("reminders", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_table(
        "absences",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("begins_at", Instant(), nullable=False),
        sa.Column("ends_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_user_id_ends_at"), "absences", ["user_id", "ends_at"])
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channels", sa.JSON(), nullable=False),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.Integer(), nullable=True),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )


def downgrade() -> None:
    for table in ("heartbeats", "guilds", "blocks", "absences", "people", "offers"):
        op.drop_table(table)
    op.drop_index(op.f("ix_matches_state_remind_at"), table_name="matches")
    op.drop_index(op.f("ix_matches_state_deadline_at"), table_name="matches")
    op.drop_index(op.f("ix_matches_finish"), table_name="matches")
    for column in ("flagged", "remind_at", "deadline_at", "pace", "finish"):
        op.drop_column("matches", column)
    op.drop_column("challenges", "pace")
