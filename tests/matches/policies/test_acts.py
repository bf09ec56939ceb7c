"""What counts as an act in a match: a row for each decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.games.game import Result
from bot.matches.model.game_state import ABANDONED, RESIGNS, TAKES_BACK
from bot.matches.model.policies.acts import (
    WayOn,
    answers_mentions,
    counts_for_ratings,
    lapses,
    level_beaten,
    moves_made,
    next_level,
    ways_on,
)
from bot.storage.records import Entry, EntryKind, OfferKind, Person, Seat, computer_player
from tests.matches.policies.facts import ALICE, BOB, BOT, ERASED, NOON, match, seated

MOVE, FORCED, TAKEBACK, DROP, CLOSED = (
    *(EntryKind.MOVE, EntryKind.FORCED, EntryKind.TAKEBACK),
    *(EntryKind.DROP, EntryKind.CLOSED),
)
TEXTS = {TAKEBACK: TAKES_BACK, DROP: RESIGNS, CLOSED: ABANDONED}
EACH_TWICE = [(0, MOVE), (1, MOVE), (0, MOVE), (1, MOVE)]


def entries(*of: tuple[int, EntryKind]) -> list[Entry]:
    """Return entries of seats and kinds."""
    return [Entry(ply, seat, kind, TEXTS.get(kind, "a1"), NOON) for ply, (seat, kind) in enumerate(of, 1)]


@pytest.mark.parametrize(
    ("played", "ready_made", "made"),
    [
        ([], False, 0),
        ([(0, MOVE)], False, 1),
        ([(1, MOVE)], False, 0),
        ([(0, MOVE), (0, FORCED)], False, 1),
        ([(0, MOVE)], True, 0),
        ([], True, 0),
        ([(0, MOVE), (1, MOVE), (0, TAKEBACK)], False, 0),
        ([(0, DROP)], False, 0),
    ],
)
def test_which_entries_are_moves_of_a_person(played: list[Any], ready_made: bool, made: int) -> None:
    assert moves_made(seated(ALICE, BOB, ready_made=ready_made)[0], entries(*played)) == made


@pytest.mark.parametrize(
    ("played", "changes", "counts"),
    [
        (EACH_TWICE, {}, True),
        ([*EACH_TWICE, (0, DROP)], {}, True),
        (EACH_TWICE, {"rated": False}, False),
        (EACH_TWICE[:3], {}, False),
        ([*EACH_TWICE, (0, CLOSED)], {}, False),
        (EACH_TWICE, {"seats": seated(ALICE, BOB, ready_made=True)}, False),
    ],
)
def test_which_matches_count_for_ratings(played: list[Any], changes: dict[str, Any], counts: bool) -> None:
    assert counts_for_ratings(match(**changes), entries(*played)) is counts


@pytest.mark.parametrize(
    ("kind", "person", "answers"),
    [(MOVE, ALICE, True), (MOVE, BOT, False), (MOVE, ERASED, False), (DROP, ALICE, False), (TAKEBACK, ALICE, False)],
)
def test_which_entries_answer_mentions(kind: EntryKind, person: Person, answers: bool) -> None:
    assert answers_mentions(entries((0, kind)), seated(person)[0]) is answers


@pytest.mark.parametrize(
    ("kind", "of", "lapsed"),
    [
        (OfferKind.DRAW, [(0, MOVE)], False),
        (OfferKind.DRAW, [(0, MOVE), (1, FORCED)], False),
        (OfferKind.DRAW, [(1, MOVE)], True),
        (OfferKind.DRAW, [(0, MOVE), (1, MOVE)], True),
        (OfferKind.TAKEBACK, [(1, MOVE)], True),
        (OfferKind.PACE, [(0, MOVE)], True),
        (OfferKind.RESIGN, [(0, MOVE)], True),
    ],
)
def test_which_moves_end_an_offer_of_the_first_seat(kind: OfferKind, of: list[Any], lapsed: bool) -> None:
    assert lapses(kind, 0, entries(*of)) is lapsed


@pytest.mark.parametrize(
    ("seats", "winners", "beaten"),
    [
        (seated(ALICE, BOT), {0}, (ALICE, 3)),
        (seated(ALICE, BOT, computer_player(2)), {0}, (ALICE, 2)),
        (seated(ALICE, BOT), {1}, None),
        (seated(ALICE, BOT), {0, 1}, None),
        (seated(ALICE, BOB), {0}, None),
        (seated(ALICE, BOB, BOT), {0}, None),
    ],
)
def test_who_has_beaten_a_level(seats: tuple[Seat, ...], winners: set[int], beaten: tuple[Person, int] | None) -> None:
    assert level_beaten(seats, Result(frozenset(winners), "")) == beaten


@pytest.mark.parametrize(
    ("people", "won", "ways"),
    [
        ((ALICE, BOB), (True, False), [WayOn.REMATCH, WayOn.REVIEW]),
        ((ALICE, BOT), (True, False), [WayOn.LEVEL, WayOn.REMATCH, WayOn.REVIEW]),
        ((ALICE, BOT), (False, True), [WayOn.TURNING_POINT, WayOn.REMATCH]),
        ((ALICE, BOT, BOT), (False, True, False), [WayOn.TURNING_POINT, WayOn.REMATCH]),
        ((ALICE, BOT), (False, False), [WayOn.REMATCH, WayOn.REVIEW]),
        ((ALICE, BOB, BOT), (False, False, True), [WayOn.REMATCH, WayOn.REVIEW]),
    ],
)
def test_what_a_result_leads_on_to(people: tuple[Person, ...], won: tuple[bool, ...], ways: list[WayOn]) -> None:
    seats = [replace(seat, won=had) for seat, had in zip(seated(*people), won, strict=True)]
    over = match(seats=tuple(seats))
    assert ways_on(over, next_level(over)) == ways
