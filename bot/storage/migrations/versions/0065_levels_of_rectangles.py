"""Rectangles has eight levels instead of ten: what is stored is renumbered.

A level gets the number of the strongest one that is not stronger than it was.
"""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_NUMBERS = {8: 7, 9: 7, 10: 8}
"""The new number of each old level that has another one, the lowest first: none is taken when it is given."""
_CHALLENGES = sa.table("challenges", sa.column("id", sa.Integer()), sa.column("game"), sa.column("levels", sa.JSON()))


def upgrade() -> None:
    for old, new in _NUMBERS.items():
        op.execute(
            f"UPDATE seats SET level = {new} WHERE level = {old}"
            " AND match_id IN (SELECT id FROM matches WHERE game = 'rectangles')"
        )
        op.execute(
            f"DELETE FROM levels_beaten WHERE game = 'rectangles' AND level = {old} AND user_id IN"
            f" (SELECT user_id FROM levels_beaten WHERE game = 'rectangles' AND level = {new})"
        )
        op.execute(f"UPDATE levels_beaten SET level = {new} WHERE game = 'rectangles' AND level = {old}")
    challenges = sa.select(_CHALLENGES.c.id, _CHALLENGES.c.levels).where(_CHALLENGES.c.game == "rectangles")
    for number, levels in op.get_bind().execute(challenges).all():
        if levels:
            renumbered = [_NUMBERS.get(level, level) for level in levels]
            op.execute(sa.update(_CHALLENGES).where(_CHALLENGES.c.id == number).values(levels=renumbered))
