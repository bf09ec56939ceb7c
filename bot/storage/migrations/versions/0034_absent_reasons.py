"""A match without a reason to translate has NULL there, not the null of JSON that one was stored as before."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE matches SET reason_message = NULL WHERE CAST(reason_message AS TEXT) = 'null'")
