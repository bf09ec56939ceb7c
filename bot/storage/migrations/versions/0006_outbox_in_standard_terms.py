"""The outbox in standard terms, without anybody's id; when a message was first begun; and a generation of the database.

A generation tells a database from the one it was copied from: it is renewed when a backup is restored.
"""

from secrets import randbits
from typing import Any

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STATES = (("waiting", "pending"), ("failed", "dropped"))
OUTBOX = sa.table(
    "outbox",
    sa.column("id", sa.BigInteger),
    sa.column("kind", sa.Text),
    sa.column("payload", sa.JSON),
    sa.column("state", sa.Text),
)
SEATS = sa.table(
    "seats", sa.column("match_id", sa.BigInteger), sa.column("seat", sa.Integer), sa.column("user_id", sa.BigInteger)
)
GENERATION = sa.table("generation", sa.column("value", sa.BigInteger))


def upgrade() -> None:
    op.add_column("outbox", sa.Column("begun_at", Instant()))
    op.create_table(
        "generation",
        sa.Column("value", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("value", name=op.f("pk_generation")),
    )
    op.execute(GENERATION.insert().values(value=randbits(62)))
    for before, after in STATES:
        op.execute(OUTBOX.update().where(OUTBOX.c.state == before).values(state=after))
    of_notice = OUTBOX.c.payload["notice"].as_string().is_not(None)
    past = OUTBOX.c.kind == "past"
    op.execute(OUTBOX.update().where(past, of_notice).values(kind="past_notice"))
    op.execute(OUTBOX.update().where(past).values(kind="past_board"))
    _exchange("told", "notified", "user_id", "seat")


def downgrade() -> None:
    _exchange("notified", "told", "seat", "user_id")
    op.execute(OUTBOX.update().where(OUTBOX.c.kind.in_(("past_board", "past_notice"))).values(kind="past"))
    for before, after in STATES:
        op.execute(OUTBOX.update().where(OUTBOX.c.state == after).values(state=before))
    op.drop_table("generation")
    op.drop_column("outbox", "begun_at")


def _exchange(before: str, after: str, known: str, wanted: str) -> None:
    """Name those notified of a board before by their seats instead of their ids, or the other way round."""
    connection = op.get_bind()
    boards = sa.select(OUTBOX.c.id, OUTBOX.c.payload).where(OUTBOX.c.kind == "board")
    for row in connection.execute(boards).all():
        payload: dict[str, Any] = dict(row.payload)
        named = payload.pop(before, [])
        taken = sa.select(SEATS.c[wanted]).where(SEATS.c.match_id == payload.get("match"), SEATS.c[known].in_(named))
        payload[after] = list(connection.execute(taken).scalars()) if named else []
        connection.execute(OUTBOX.update().where(OUTBOX.c.id == row.id).values(payload=payload))
