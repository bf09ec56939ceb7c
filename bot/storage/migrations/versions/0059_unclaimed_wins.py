"""Matches whose win is not claimed end by themselves: those that wait for a claim do so in a fortnight, told before."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    columns = [sa.column("state"), sa.column("flagged", sa.Boolean()), sa.column("pace")]
    matches = sa.table("matches", *columns, sa.column("told_deadline_at", moment), sa.column("remind_at", moment))
    late = matches.c.state == "running", matches.c.flagged.is_(sa.true()), matches.c.pace.is_not(None)
    now = datetime.now(UTC)
    ends = {"told_deadline_at": now + timedelta(days=14), "remind_at": now}
    op.execute(sa.update(matches).where(*late).values(**ends))
