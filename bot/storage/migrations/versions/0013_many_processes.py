"""Processes that share a database, what each has claimed, and numbers for matches that end without waiting for them."""

import sqlalchemy as sa
from alembic import op

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0013"
down_revision = "0012"
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
    op.create_table(
        "slots",
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("held_by", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("slot", name=op.f("pk_slots")),
    )
    op.create_table(
        "identifications",
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_identifications")),
    )
    op.add_column("outbox", sa.Column("claimed_by", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("guild_id", sa.BigInteger(), nullable=False, server_default=sa.text("0")))
    # Messages stored before this revision name their match or challenge in a document, which each database reads in
    # its own words.
    if op.get_bind().dialect.name == "postgresql":
        value = "(payload ->> '{0}')::bigint"
    else:
        value = "json_extract(payload, '$.{0}')"
    for name, table in (("match", "matches"), ("challenge", "challenges")):
        found = f"(SELECT guild_id FROM {table} WHERE id = {value.format(name)})"
        op.execute(f"UPDATE outbox SET guild_id = {found} WHERE {found} IS NOT NULL")
    op.add_column("computer_turns", sa.Column("claimed_by", sa.BigInteger(), nullable=True))
    op.add_column("reviews", sa.Column("claimed_by", sa.BigInteger(), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE finish_numbers AS BIGINT")
        op.execute("SELECT setval('finish_numbers', (SELECT coalesce(max(finish), 0) + 1 FROM matches), false)")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP SEQUENCE finish_numbers")
    op.drop_column("reviews", "claimed_by")
    op.drop_column("computer_turns", "claimed_by")
    op.drop_column("outbox", "guild_id")
    op.drop_column("outbox", "claimed_by")
    op.drop_table("identifications")
    op.drop_table("slots")
    op.drop_table("processes")
