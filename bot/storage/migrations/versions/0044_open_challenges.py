"""The open challenges of a server are found without those that ended."""

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_challenges_guild_id_state", "challenges", ["guild_id", "state"])
    op.drop_index("ix_challenges_guild_id", "challenges")
