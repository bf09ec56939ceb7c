"""Reviews of finished matches, and what they say of each position."""

import sqlalchemy as sa
from alembic import op

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("positions", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_reviews_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_done_asked_at"), "reviews", ["done", "asked_at"])
    op.create_table(
        "judgements",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("winning", sa.Float(), nullable=False),
        sa.Column("played", sa.Float(), nullable=True),
        sa.Column("best", sa.Text(), nullable=False),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["reviews.match_id"], name=op.f("fk_judgements_match_id_reviews"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_judgements")),
    )


def downgrade() -> None:
    op.drop_table("judgements")
    op.drop_index(op.f("ix_reviews_done_asked_at"), "reviews")
    op.drop_table("reviews")
