"""Rows about reviews of finished matches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a review has found out about one position of a match, the one after ``number`` moves.

    Chances to win are those of ``seat``, which was to move, from 0 to 1, a draw counting half: ``winning`` with the
    best move, whose text is ``best``, and ``played`` with the move that was made, where the search tells.
    """

    number: int
    seat: int
    winning: float
    played: float | None
    best: str
    exact: bool
    """Whether ``winning`` is proven."""


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review of a match, finished or not: how many positions it judges, and by how many nodes each."""

    match_id: int
    positions: int
    nodes: int
    done: bool
