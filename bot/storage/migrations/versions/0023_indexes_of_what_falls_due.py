"""Indexes of the matches in which something falls due, without those whose time was up long ago."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NEW = (
    ("ix_matches_reminding", "remind_at", "state = 'running' AND remind_at IS NOT NULL"),
    ("ix_matches_timed", "deadline_at", "state = 'running' AND deadline_at IS NOT NULL AND flagged IS {false}"),
)


def upgrade() -> None:
    false = "false" if op.get_bind().dialect.name == "postgresql" else "0"
    for name, column, rows in NEW:
        where = sa.text(rows.format(false=false))
        op.create_index(op.f(name), "matches", ["state", column], sqlite_where=where, postgresql_where=where)
    op.drop_index(op.f("ix_matches_state_remind_at"), "matches")


def downgrade() -> None:
    op.create_index(op.f("ix_matches_state_remind_at"), "matches", ["state", "remind_at"])
    for name, _column, _rows in NEW:
        op.drop_index(op.f(name), "matches")
