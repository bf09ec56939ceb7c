"""The language of somebody's Discord may never have been seen: then there is none, rather than English."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("people") as batch:
        batch.alter_column("locale", existing_type=sa.Text(), nullable=True, server_default=None)


def downgrade() -> None:
    op.execute("UPDATE people SET locale = 'en' WHERE locale IS NULL")
    with op.batch_alter_table("people") as batch:
        batch.alter_column("locale", existing_type=sa.Text(), nullable=False, server_default="en")
