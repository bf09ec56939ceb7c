"""Several computer players in one match, and in the challenges that become one."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

UNIQUE = "uq_seats_match_id_user_id"


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_constraint(UNIQUE, type_="unique")
    op.execute("UPDATE seats SET user_id = 0 WHERE level IS NOT NULL")
    of_people = sa.text("level IS NULL")
    columns = ["match_id", "user_id"]
    op.create_index(UNIQUE, "seats", columns, unique=True, sqlite_where=of_people, postgresql_where=of_people)
    op.add_column("challenges", sa.Column("levels", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("challenges", "levels")
    op.drop_index(UNIQUE, "seats")
    # Each computer player gets a number of its own, which is no person's.
    op.execute("UPDATE seats SET user_id = -seat WHERE level IS NOT NULL")
    with op.batch_alter_table("seats") as seats:
        seats.create_unique_constraint(UNIQUE, ["match_id", "user_id"])
