"""Scenes of a whole game, one after the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from renderers.scene import Colour, Mark, Scene, Tray
from tests.renderers.scenes import redo


def replay(moves: int) -> list[Scene]:
    """Return a game of so many moves: a disc steps to the next square, and none, one or two others change sides."""
    scene = redo()
    pieces = {piece.square: piece for piece in scene.pieces}
    names = [scene.square_name(file, rank) for rank in range(scene.ranks) for file in range(scene.files)]
    scenes = [replace(scene, marks=(), paths=())]
    for ply in range(moves):
        steps = [(one, other) for one, other in pairwise(names) if one in pieces and other not in pieces]
        start, end = steps[ply * 7 % len(steps)]
        pieces[end] = replace(pieces.pop(start), square=end)
        turned = [square for square in pieces if square != end][ply % 5 :: 9][: ply % 3]
        for square in turned:
            other = Colour.RED if pieces[square].colour is Colour.WHITE else Colour.WHITE
            pieces[square] = replace(pieces[square], colour=other)
        marks = ((Mark.LEFT, start), (Mark.ENTERED, end), *((Mark.CHANGED, square) for square in turned))
        scenes.append(
            replace(scene, pieces=tuple(pieces.values()), marks=marks, paths=(), trays=_trays(scene, ply % 2))
        )
    return scenes


def _trays(scene: Scene, mover: int) -> tuple[Tray, ...]:
    return tuple(replace(tray, to_move=tray.seat != mover) for tray in scene.trays)
