"""The first tables: challenges, matches, moves, ratings and the outbox."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "interactions",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interactions")),
    )
    op.create_index(op.f("ix_interactions_at"), "interactions", ["at"], unique=False)

    op.create_table(
        "matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("board_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("board_message_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("turn_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_matches_channel_id"), "matches", ["channel_id"], unique=False)
    op.create_index(op.f("ix_matches_guild_id_ended_at"), "matches", ["guild_id", "ended_at"], unique=False)
    op.create_index(op.f("ix_matches_guild_id_state"), "matches", ["guild_id", "state"], unique=False)
    op.create_index(op.f("ix_matches_thread_id"), "matches", ["thread_id"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("done_at", Instant(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_outbox_state_due_at"), "outbox", ["state", "due_at"], unique=False)
    op.create_index(op.f("ix_outbox_topic_state"), "outbox", ["topic", "state"], unique=False)

    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_ratings")),
    )
    op.create_table(
        "challenges",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=True),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("rematch_of", ID, nullable=True),
        sa.Column("match_id", ID, nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_challenges_match_id_matches")),
        sa.ForeignKeyConstraint(["rematch_of"], ["matches.id"], name=op.f("fk_challenges_rematch_of_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sa.UniqueConstraint("rematch_of", name=op.f("uq_challenges_rematch_of")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_challenges_guild_id_challenger_id_state"),
        "challenges",
        ["guild_id", "challenger_id", "state"],
        unique=False,
    )
    op.create_index(op.f("ix_challenges_match_id"), "challenges", ["match_id"], unique=False)
    op.create_index(op.f("ix_challenges_state_expires_at"), "challenges", ["state", "expires_at"], unique=False)

    op.create_table(
        "moves",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_moves_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", name=op.f("pk_moves")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu_after", sa.Float(), nullable=False),
        sa.Column("sigma_after", sa.Float(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_rating_changes_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "game", "user_id", name=op.f("pk_rating_changes")),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("to_move", sa.Boolean(), nullable=False),
        sa.Column("dropped", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_seats_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("match_id", "user_id", name=op.f("uq_seats_match_id_user_id")),
    )
    op.create_index(op.f("ix_seats_user_id_match_id"), "seats", ["user_id", "match_id"], unique=False)

    op.create_table(
        "challenge_players",
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenge_id"],
            ["challenges.id"],
            name=op.f("fk_challenge_players_challenge_id_challenges"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("challenge_id", "user_id", name=op.f("pk_challenge_players")),
    )


def downgrade() -> None:
    op.drop_table("challenge_players")
    op.drop_index(op.f("ix_seats_user_id_match_id"), table_name="seats")

    op.drop_table("seats")
    op.drop_table("rating_changes")
    op.drop_table("moves")
    op.drop_index(op.f("ix_challenges_state_expires_at"), table_name="challenges")
    op.drop_index(op.f("ix_challenges_match_id"), table_name="challenges")
    op.drop_index(op.f("ix_challenges_guild_id_challenger_id_state"), table_name="challenges")

    op.drop_table("challenges")
    op.drop_table("ratings")
    op.drop_index(op.f("ix_outbox_topic_state"), table_name="outbox")
    op.drop_index(op.f("ix_outbox_state_due_at"), table_name="outbox")

    op.drop_table("outbox")
    op.drop_index(op.f("ix_matches_thread_id"), table_name="matches")
    op.drop_index(op.f("ix_matches_guild_id_state"), table_name="matches")
    op.drop_index(op.f("ix_matches_guild_id_ended_at"), table_name="matches")
    op.drop_index(op.f("ix_matches_channel_id"), table_name="matches")

    op.drop_table("matches")
    op.drop_index(op.f("ix_interactions_at"), table_name="interactions")

    op.drop_table("interactions")
