"""Gygès has a stronger highest level, and Redtangle seven levels instead of ten: what is stored is renumbered.

A level gets the number of the strongest one that is not stronger than it was.
"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_NUMBERS = {
    "gyges": {7: 6, 8: 7, 9: 8, 10: 9},
    "redtangle": {5: 4, 6: 5, 7: 5, 8: 6, 9: 6, 10: 7},
}
"""By game: the new number of each old level that has another one, the lowest first: none is taken when it is given."""
_CHALLENGES = sa.table("challenges", sa.column("id", sa.Integer()), sa.column("game"), sa.column("levels", sa.JSON()))


def upgrade() -> None:
    for game, numbers in _NUMBERS.items():
        for old, new in numbers.items():
            op.execute(
                f"UPDATE seats SET level = {new} WHERE level = {old}"
                f" AND match_id IN (SELECT id FROM matches WHERE game = '{game}')"
            )
            op.execute(
                f"DELETE FROM levels_beaten WHERE game = '{game}' AND level = {old} AND user_id IN"
                f" (SELECT user_id FROM levels_beaten WHERE game = '{game}' AND level = {new})"
            )
            op.execute(f"UPDATE levels_beaten SET level = {new} WHERE game = '{game}' AND level = {old}")
    for number, game, levels in op.get_bind().execute(sa.select(_CHALLENGES)).all():
        if levels and game in _NUMBERS:
            renumbered = [_NUMBERS[game].get(level, level) for level in levels]
            op.execute(sa.update(_CHALLENGES).where(_CHALLENGES.c.id == number).values(levels=renumbered))
