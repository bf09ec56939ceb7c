"""Indexes of the few messages that are still to be sent, and of the others, instead of all there are."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

UNSENT = "state IN ('pending', 'sending')"
NEW = (
    ("ix_outbox_unsent", ["due_at", "id"], "done_at IS NULL"),
    ("ix_outbox_unsent_of_topic", ["topic", "id"], UNSENT),
    ("ix_outbox_done", ["done_at"], "done_at IS NOT NULL"),
    ("ix_outbox_dropped", ["id"], "state = 'dropped'"),
)
OLD = (
    ("ix_outbox_state_due_at", ["state", "due_at"]),
    ("ix_outbox_topic_state", ["topic", "state"]),
    ("ix_outbox_done_at", ["done_at"]),
)


def upgrade() -> None:
    # Where no time was noted once: from now on what has none is still to be sent.
    op.execute(f"UPDATE outbox SET done_at = due_at WHERE done_at IS NULL AND NOT {UNSENT}")
    op.execute(f"UPDATE outbox SET done_at = NULL WHERE done_at IS NOT NULL AND {UNSENT}")
    for name, columns, rows in NEW:
        where = sa.text(rows)
        op.create_index(op.f(name), "outbox", columns, sqlite_where=where, postgresql_where=where)
    for name, _columns in OLD:
        op.drop_index(op.f(name), "outbox")


def downgrade() -> None:
    for name, columns in OLD:
        op.create_index(op.f(name), "outbox", columns)
    for name, _columns, _rows in NEW:
        op.drop_index(op.f(name), "outbox")
