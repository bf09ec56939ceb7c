"""One bot is active, and the others stand by: no slots, and no claims of messages and reratings.

The last service of all servers is the earliest one of all slots, so that no clock loses time.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.errors import StorageError

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        running = sa.text("SELECT name FROM processes WHERE role = 'bot' AND alive_until > now() ORDER BY id")
        names = op.get_bind().execute(running).scalars().all()
        if names:
            raise StorageError(
                f"Bots of an earlier version use this database, and cannot go on beside this one: stop "
                f"{', '.join(names)} first, and wait ten seconds if they were killed."
            )
    op.add_column("processes", sa.Column("state", sa.Text()))
    op.drop_column("outbox", "claimed_by")
    op.drop_column("reratings", "claimed_by")
    op.drop_table("slots")
    op.drop_table("identifications")
    op.execute("UPDATE heartbeats SET at = (SELECT min(at) FROM heartbeats)")
    op.execute("DELETE FROM heartbeats WHERE name != (SELECT min(name) FROM heartbeats)")
    op.execute("UPDATE heartbeats SET name = 'alive'")
