"""Which reminders and late notices still have their buttons, and which servers the bot was sent away from."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_notices_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "ply", "kind", name=op.f("pk_notices")),
    )
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )


def downgrade() -> None:
    op.drop_table("departures")
    op.drop_table("notices")
