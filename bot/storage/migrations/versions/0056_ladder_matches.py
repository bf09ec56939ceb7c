"""A match knows that a ladder paired it, and a player of a ladder why they have no match, or are out.

Matches of ladders that are running count from now on as those that begin; those that are over stay as they were rated.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Id, Instant

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("ladder", sa.Boolean(), nullable=False, server_default=sa.false()))
    matches = sa.table("matches", sa.column("id", Id), sa.column("state", sa.Text()), sa.column("ladder", sa.Boolean()))
    paired = sa.select(sa.table("ladder_matches", sa.column("match_id", Id)).c.match_id)
    running = matches.c.state == "running", matches.c.id.in_(paired)
    op.execute(matches.update().where(*running).values(ladder=True))
    op.create_index(
        "ix_matches_ladder",
        "matches",
        ["guild_id", "state"],
        sqlite_where=sa.text("state = 'running' AND ladder IS 1"),
        postgresql_where=sa.text("state = 'running' AND ladder IS true"),
    )
    op.add_column("ladder_players", sa.Column("left_out_why", sa.Text()))
    op.add_column("ladder_players", sa.Column("out_at", Instant))
    op.add_column("ladder_players", sa.Column("out_why", sa.Text()))
    op.add_column("ladder_players", sa.Column("out_match_id", Id))
