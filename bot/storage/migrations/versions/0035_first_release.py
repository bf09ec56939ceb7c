"""The tables of the first release. Nothing before it was ever released, so there is no older revision."""

from secrets import randbits

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def partial(name: str, *columns: str, rows: str, unique: bool = False) -> sa.Index:
    """Return an index of the rows that fulfil a condition."""
    sqlite, postgresql = sa.text(rows.format(false="0")), sa.text(rows.format(false="false"))
    return sa.Index(name, *columns, unique=unique, sqlite_where=sqlite, postgresql_where=postgresql)


def upgrade() -> None:
    op.create_table(
        "absences",
        sa.Column("id", ID, primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("begins_at", AT, nullable=False),
        sa.Column("ends_at", AT, nullable=False),
        sa.Index("ix_absences_user_id_ends_at", "user_id", "ends_at"),
    )
    op.create_table(
        "bars",
        sa.Column("id", ID, primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", AT, nullable=False),
        sa.UniqueConstraint("user_id", "guild_id"),
        sa.Index("ix_bars_guild_id", "guild_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("blocked_id", sa.BigInteger(), primary_key=True, autoincrement=False),
    )
    op.create_table(
        "brakes",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("at", AT, nullable=False),
        sa.Index("ix_brakes_person_kind", "person", "kind"),
    )
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
        sa.Index("ix_cups_starter_id", "starter_id"),
        sa.Index("ix_cups_state_starts_at", "state", "starts_at"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "daily_puzzles",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("at", AT, nullable=False),
        sa.Column("count_due_at", AT),
        sa.Index("ix_daily_puzzles_count_due_at", "count_due_at"),
    )
    op.create_table(
        "deletions",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("last_match", sa.BigInteger(), nullable=False),
        sa.Column("last_challenge", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("at", AT, nullable=False),
    )
    op.create_table(
        "generation",
        sa.Column("value", sa.BigInteger(), primary_key=True, autoincrement=False),
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("channels", sa.JSON(), nullable=False),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.Integer()),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("cups", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("at", AT, nullable=False),
        sa.Column("servers", sa.Integer()),
    )
    op.create_table(
        "identifications",
        sa.Column("bucket", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("next_at", AT, nullable=False),
    )
    op.create_table(
        "interaction_claims",
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("claimed_at", AT, nullable=False),
    )
    op.create_table(
        "interactions",
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("at", AT, nullable=False),
        sa.Index("ix_interactions_at", "at"),
    )
    op.create_table(
        "matches",
        sa.Column("id", ID, primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("reason_message", sa.JSON()),
        sa.Column("board_channel_id", sa.BigInteger()),
        sa.Column("board_message_id", sa.BigInteger()),
        sa.Column("board_ply", sa.Integer()),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("turn_at", AT, nullable=False),
        sa.Column("ended_at", AT),
        sa.Column("finish", sa.Integer()),
        sa.Column("pace", sa.Integer()),
        sa.Column("deadline_at", AT),
        sa.Column("remind_at", AT),
        sa.Column("flagged", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("voided_by", sa.BigInteger()),
        sa.Column("language", sa.Text(), nullable=False, server_default="en"),
        sa.Column("rules", sa.SmallInteger(), nullable=False, server_default="1"),
        sa.Column("stopped_at", AT),
        sa.Column("cup_id", sa.BigInteger()),
        sa.Column("cup_round", sa.SmallInteger()),
        sa.Index("ix_matches_channel_id_state_id", "channel_id", "state", "id"),
        sa.Index("ix_matches_finish", "finish"),
        sa.Index("ix_matches_guild_id_ended_at", "guild_id", "ended_at"),
        sa.Index("ix_matches_guild_id_finish", "guild_id", "finish"),
        sa.Index("ix_matches_guild_id_state", "guild_id", "state"),
        partial("ix_matches_reminding", "state", "remind_at", rows="state = 'running' AND remind_at IS NOT NULL"),
        sa.Index("ix_matches_state_deadline_at", "state", "deadline_at"),
        sa.Index("ix_matches_thread_id", "thread_id"),
        partial(
            "ix_matches_timed",
            "state",
            "deadline_at",
            rows="state = 'running' AND deadline_at IS NOT NULL AND flagged IS {false}",
        ),
        sa.Index("ix_matches_voided_by", "voided_by"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox",
        sa.Column("id", ID, primary_key=True),
        sa.Column("key", sa.Text(), nullable=False, unique=True),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("due_at", AT, nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("begun_at", AT),
        sa.Column("done_at", AT),
        sa.Column("error", sa.Text()),
        sa.Column("claimed_by", sa.BigInteger()),
        partial("ix_outbox_done", "done_at", rows="done_at IS NOT NULL"),
        partial("ix_outbox_dropped", "id", rows="state = 'dropped'"),
        sa.Index("ix_outbox_guild_id", "guild_id"),
        partial("ix_outbox_unsent", "due_at", "id", rows="done_at IS NULL"),
        partial("ix_outbox_unsent_of_topic", "topic", "id", rows="state IN ('pending', 'sending')"),
        sqlite_autoincrement=True,
    )
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
        "page_requests",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("at", AT, nullable=False),
        sa.Index("ix_page_requests_at", "at"),
    )
    op.create_table(
        "page_sessions",
        sa.Column("id", ID, primary_key=True),
        sa.Column("token_hash", sa.Text(), nullable=False, unique=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("begun_at", AT, nullable=False),
        sa.Column("expires_at", AT, nullable=False),
        sa.Column("checked_at", AT, nullable=False),
        sa.Index("ix_page_sessions_checked_at", "checked_at"),
        sa.Index("ix_page_sessions_expires_at", "expires_at"),
        sa.Index("ix_page_sessions_guild_id", "guild_id"),
        sa.Index("ix_page_sessions_user_id_guild_id", "user_id", "guild_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("theme", sa.Text(), nullable=False),
        sa.Column("coordinates", sa.Boolean(), nullable=False),
        sa.Column("confirm", sa.Boolean(), nullable=False),
        sa.Column("text_boards", sa.Boolean(), nullable=False),
        sa.Column("reminders", sa.Boolean(), nullable=False),
        sa.Column("aims", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("language", sa.Text()),
        sa.Column("locale", sa.Text()),
    )
    op.create_table(
        "processes",
        sa.Column("id", ID, primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("begun_at", AT, nullable=False),
        sa.Column("alive_until", AT, nullable=False),
        sa.Column("games", sa.JSON()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "puzzle_attempts",
        sa.Column("id", ID, primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("day", sa.Date()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.JSON(), nullable=False),
        sa.Column("begun_at", AT, nullable=False),
        sa.Column("ended_at", AT),
        sa.UniqueConstraint("user_id", "puzzle"),
        sa.Index("ix_puzzle_attempts_guild_id_day", "guild_id", "day"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "puzzle_channels",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("hour", sa.SmallInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("due_at", AT, nullable=False),
        sa.Index("ix_puzzle_channels_due_at", "due_at"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("first_try", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest_streak", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Date()),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text(), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("updated_at", AT, nullable=False),
        sa.Index("ix_ratings_user_id_guild_id", "user_id", "guild_id"),
    )
    op.create_table(
        "reratings",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("asked_at", AT, nullable=False),
        sa.Column("claimed_by", sa.BigInteger()),
    )
    op.create_table(
        "slots",
        sa.Column("slot", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("held_by", sa.BigInteger()),
        sa.Column("successor", sa.BigInteger()),
    )
    op.create_table(
        "unfinished_copy",
        sa.Column("source", sa.BigInteger(), primary_key=True, autoincrement=False),
    )
    op.create_table(
        "challenges",
        sa.Column("id", ID, primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger()),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.Integer()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("rematch_of", ID, sa.ForeignKey("matches.id"), unique=True),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id")),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("expires_at", AT, nullable=False),
        sa.Column("levels", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("language", sa.Text(), nullable=False, server_default="en"),
        sa.Index("ix_challenges_challenger_id_guild_id_state", "challenger_id", "guild_id", "state"),
        sa.Index("ix_challenges_guild_id", "guild_id"),
        sa.Index("ix_challenges_match_id", "match_id"),
        sa.Index("ix_challenges_opponent_id", "opponent_id"),
        sa.Index("ix_challenges_state_expires_at", "state", "expires_at"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "computer_turns",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("claimed_by", sa.BigInteger()),
        sa.Column("claimed_at", AT),
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
        "levels_beaten",
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text(), primary_key=True),
        sa.Column("level", sa.SmallInteger(), primary_key=True, autoincrement=False),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="SET NULL")),
        sa.Index("ix_levels_beaten_match_id", "match_id"),
    )
    op.create_table(
        "moves",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", AT, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "offers",
        sa.Column("id", ID, primary_key=True),
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("created_at", AT, nullable=False),
        sa.Index("ix_offers_match_id_state", "match_id", "state"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "rating_changes",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.Text(), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu_after", sa.Float(), nullable=False),
        sa.Column("sigma_after", sa.Float(), nullable=False),
        sa.Column("at", AT, nullable=False),
        sa.Column("weight", sa.Float(), nullable=False, server_default=sa.text("1")),
        sa.Index("ix_rating_changes_user_id_game_at", "user_id", "game", "at"),
    )
    op.create_table(
        "reviews",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("positions", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("asked_at", AT, nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("claimed_by", sa.BigInteger()),
        sa.Index("ix_reviews_done_asked_at", "done", "asked_at"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("to_move", sa.Boolean(), nullable=False),
        sa.Column("dropped", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Boolean()),
        sa.Column("level", sa.SmallInteger()),
        sa.Column("ready_made", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Index("ix_seats_user_id_won_match_id", "user_id", "won", "match_id"),
        partial("uq_seats_match_id_user_id", "match_id", "user_id", rows="level IS NULL", unique=True),
    )
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
        sa.Column("at", AT, nullable=False),
        sa.UniqueConstraint("user_id", "thing"),
        sa.Index("ix_shares_guild_id", "guild_id"),
        sa.Index("ix_shares_match_id", "match_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "challenge_players",
        sa.Column("challenge_id", ID, sa.ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined_at", AT, nullable=False),
        sa.Index("ix_challenge_players_user_id", "user_id"),
    )
    op.create_table(
        "judgements",
        sa.Column("match_id", ID, sa.ForeignKey("reviews.match_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("winning", sa.Float(), nullable=False),
        sa.Column("played", sa.Float()),
        sa.Column("best", sa.Text(), nullable=False),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.Column("clear", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.execute(sa.table("generation", sa.column("value", sa.BigInteger())).insert().values(value=randbits(62)))
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE finish_numbers AS BIGINT")
