"""Players plan replies: a table of plans, how often those of a match were changed, and which moves were planned."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.SmallInteger(), primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("tree", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("met", sa.Text()),
    )
    op.add_column("matches", sa.Column("plans_version", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("moves", sa.Column("planned", sa.Boolean(), nullable=False, server_default=sa.false()))
