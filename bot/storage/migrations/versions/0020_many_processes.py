"""Processes that share a database, what each has claimed, and numbers for matches that end without waiting for them."""

import sqlalchemy as sa
from alembic import op

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0020"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("alive_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
        sqlite_autoincrement=True,
    )
    op.add_column("outbox", sa.Column("claimed_by", sa.BigInteger(), nullable=True))
    op.add_column("computer_turns", sa.Column("claimed_by", sa.BigInteger(), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE finish_numbers AS BIGINT")
        op.execute("SELECT setval('finish_numbers', (SELECT coalesce(max(finish), 0) + 1 FROM matches), false)")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP SEQUENCE finish_numbers")
    op.drop_column("computer_turns", "claimed_by")
    op.drop_column("outbox", "claimed_by")
    op.drop_table("processes")
