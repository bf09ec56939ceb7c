"""The seat to move is a column of the match: the statement that advances a match stores it, too."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("to_move", sa.SmallInteger()))
    op.execute(
        "UPDATE matches SET to_move = (SELECT seat FROM seats WHERE seats.match_id = matches.id AND seats.to_move)"
    )
    op.drop_column("seats", "to_move")
