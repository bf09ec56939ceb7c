"""What is left of servers that removed the bot is deleted after some time; levels people have beaten there stay."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TABLES = ("challenges", "outbox")
KEY = "fk_levels_beaten_match_id_matches"


def upgrade() -> None:
    op.create_table(
        "deletions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last_match", sa.BigInteger(), nullable=False),
        sa.Column("last_challenge", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_deletions")),
    )
    for table in TABLES:
        op.create_index(op.f(f"ix_{table}_guild_id"), table, ["guild_id"])
    with op.batch_alter_table("levels_beaten") as batch:
        batch.alter_column(
            "match_id", existing_type=sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        )
        batch.drop_constraint(op.f(KEY), type_="foreignkey")
        batch.create_foreign_key(op.f(KEY), "matches", ["match_id"], ["id"], ondelete="SET NULL")


def downgrade() -> None:
    op.execute("DELETE FROM levels_beaten WHERE match_id IS NULL")
    with op.batch_alter_table("levels_beaten") as batch:
        batch.drop_constraint(op.f(KEY), type_="foreignkey")
        batch.create_foreign_key(op.f(KEY), "matches", ["match_id"], ["id"], ondelete="CASCADE")
        batch.alter_column(
            "match_id", existing_type=sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        )
    for table in TABLES:
        op.drop_index(op.f(f"ix_{table}_guild_id"), table_name=table)
    op.drop_table("deletions")
