"""Indexes by which a question about one person, place or day does not look at everybody else's matches."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NEW = (
    ("challenges", ["challenger_id", "guild_id", "state"]),
    ("challenges", ["opponent_id"]),
    ("challenge_players", ["user_id"]),
    ("matches", ["channel_id", "state", "id"]),
    ("seats", ["user_id", "won", "match_id"]),
    ("ratings", ["user_id", "guild_id"]),
    ("rating_changes", ["user_id", "game"]),
    ("outbox", ["done_at"]),
)
OLD = (
    ("challenges", ["guild_id", "challenger_id", "state"]),
    ("matches", ["channel_id"]),
    ("seats", ["user_id", "match_id"]),
)
"""What the new ones do as well, or better."""


def upgrade() -> None:
    _exchange(OLD, NEW)


def downgrade() -> None:
    _exchange(NEW, OLD)


def _exchange(before: tuple[tuple[str, list[str]], ...], after: tuple[tuple[str, list[str]], ...]) -> None:
    for table, columns in after:
        op.create_index(op.f("_".join(("ix", table, *columns))), table, columns)
    for table, columns in before:
        op.drop_index(op.f("_".join(("ix", table, *columns))), table)
