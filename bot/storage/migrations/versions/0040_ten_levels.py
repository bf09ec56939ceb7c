"""Ten levels of computer players instead of five: what is stored gets the number of the level that plays as well."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

_NUMBERS = {5: 10, 4: 8, 3: 7}
"""The new number of each old level that has another one, the highest first: none is taken when it is given."""
_CHALLENGES = sa.table("challenges", sa.column("id", sa.Integer()), sa.column("levels", sa.JSON()))


def upgrade() -> None:
    for table in ("levels_beaten", "seats"):
        for old, new in _NUMBERS.items():
            op.execute(f"UPDATE {table} SET level = {new} WHERE level = {old}")
    for number, levels in op.get_bind().execute(sa.select(_CHALLENGES)).all():
        if levels:
            renumbered = [_NUMBERS.get(level, level) for level in levels]
            op.execute(sa.update(_CHALLENGES).where(_CHALLENGES.c.id == number).values(levels=renumbered))
