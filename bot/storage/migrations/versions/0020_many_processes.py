"""Numbers for matches that end, given out by PostgreSQL itself so that nobody waits for them."""

from alembic import op

revision = "0020"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE finish_numbers AS BIGINT")
        op.execute("SELECT setval('finish_numbers', (SELECT coalesce(max(finish), 0) + 1 FROM matches), false)")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP SEQUENCE finish_numbers")
