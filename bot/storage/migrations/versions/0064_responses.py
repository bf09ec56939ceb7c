"""Answers to interactions that everybody sees are posted and changed by their tokens, where the bot has no access."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables.columns import Instant

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "responses",
        sa.Column("message_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer()),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
    )
    op.create_index(op.f("ix_responses_topic"), "responses", ["topic"])
    op.create_index(op.f("ix_responses_expires_at"), "responses", ["expires_at"])
