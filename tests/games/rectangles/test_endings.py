"""How the game ends and who has won (``RULES.md``, "End", and ``bot/games/RULES.md``, "Ends")."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.games.rectangles.board import board
from tests.games.rectangles.play import legal, played, start, winner


def reason_of_end(*texts: str, players: int = 2, dots: int = 6) -> str:
    result = played(start(players, dots), *texts).result
    assert result is not None
    return result.reason


def test_who_drew_the_last_rectangle_wins_when_another_says_stuck() -> None:
    position = played(start(), "a1-b2", "stuck")
    assert winner(position) == 1
    assert position.to_move is None
    assert winner(played(start(), "a1-b2", "c1-d3", "stuck")) == 2


def test_one_may_say_stuck_though_it_is_not_true() -> None:
    assert len(list(played(start(), "a1-b2").legal_moves())) > 2
    assert reason_of_end("a1-b2", "stuck") == "Player 2 said stuck"


def test_where_only_players_end_the_game_nothing_tells_that_no_rectangle_is_left() -> None:
    drawn = ("b2-c3", "b1-d4", "a2-d3")
    ended, judged = played(start(dots=4), *drawn), played(start(dots=4, by_players=True), *drawn)
    assert ended.result is not None
    assert judged.result is None
    assert legal(judged) == {"stuck"}
    assert [step.key for step in judged.steps()] == ["a1", "c1", "a4", "c4", "stuck"]
    assert judged.question(judged.parse("stuck")) is not None
    assert winner(played(judged, "stuck")) == 1


def test_where_only_players_end_the_game_a_seat_that_leaves_ends_nothing_among_three() -> None:
    position = played(start(3, 6, by_players=True), "a1-b2")
    after = position.drop(1)
    assert after.result is None
    assert after.to_move == 2
    assert winner(played(after, "stuck")) == 1


def test_the_winner_wins_alone_among_many() -> None:
    assert winner(played(start(4), "a1-b2", "c1-d3", "stuck")) == 2
    assert winner(played(start(4), "a1-b2", "c1-d3", "a3-b6", "d4-f6", "stuck")) == 4


def test_stuck_before_anything_is_drawn_gives_the_game_to_the_seat_before() -> None:
    assert winner(played(start(2), "stuck")) == 2
    assert winner(played(start(4), "stuck")) == 4


def test_the_seat_before_is_one_that_is_still_in() -> None:
    position = start(4).drop(3)
    assert winner(played(position, "stuck")) == 3


def test_who_drew_last_and_dropped_out_does_not_win() -> None:
    position = played(start(4), "a1-b2", "c1-d3").drop(1)
    assert position.to_move == 2
    assert winner(played(position, "stuck")) == 1


def test_the_seat_before_is_looked_for_going_round() -> None:
    position = played(start(4), "a1-b2").drop(0)
    assert winner(played(position, "stuck")) == 4


def test_a_rectangle_drawn_by_one_who_dropped_out_stays() -> None:
    position = played(start(3), "a1-b2").drop(0)
    with_same_corner = [text for text in map(str, position.legal_moves()) if "b2" in text]
    assert with_same_corner == []


def test_who_drops_out_on_his_turn_leaves_it_to_the_next() -> None:
    assert start(3).drop(0).to_move == 1
    assert start(4).drop(1).drop(0).to_move == 2
    assert played(start(3), "a1-b2", "c1-d3").drop(2).to_move == 0


def test_who_drops_out_on_anothers_turn_is_left_out_of_the_round() -> None:
    position = start(3).drop(1)
    assert position.to_move == 0
    assert played(position, "a1-b2").to_move == 2


def test_the_last_one_left_wins() -> None:
    position = start(3).drop(0)
    assert position.result is None
    position = position.drop(2)
    assert winner(position) == 2
    assert position.result is not None
    assert position.result.reason == "everybody else has left"


def test_nobody_drops_out_twice_or_after_the_end_or_from_a_seat_there_is_not() -> None:
    for position, seat in ((start(3).drop(1), 1), (played(start(3), "stuck"), 0), (start(3), 3), (start(3), -1)):
        with pytest.raises(ValueError, match="is not playing"):
            position.drop(seat)


def test_the_game_ends_by_itself_as_soon_as_no_rectangle_is_possible() -> None:
    position = played(start(2, 4), "b2-c3", "b1-d4")
    assert position.result is None
    position = played(position, "a2-d3")
    assert winner(position) == 1
    assert position.result is not None
    assert position.result.reason == "no rectangle is left to draw"


@pytest.mark.slow
@pytest.mark.parametrize(("tilted", "first"), [(False, False), (True, True)])
def test_with_best_play_the_first_player_loses_on_six_by_six_dots_and_wins_if_tilted(tilted: bool, first: bool) -> None:
    assert first_player_wins(6, tilted) is first


def first_player_wins(size: int, tilted: bool) -> bool:
    """Solve the game for two players, who say stuck only when they cannot draw."""
    table = board(size, tilted)
    dots = size * size
    turns = [[y * size + x for y, x in turn] for turn in symmetries(size)]
    known: dict[int, bool] = {}

    third = dots // 3
    some = (1 << third) - 1
    images = [[list(places(turn[at : at + third])) for at in range(0, dots, third)] for turn in turns]

    def smallest(taken: int) -> int:
        low, middle, high = taken & some, taken >> third & some, taken >> 2 * third & some
        corners = min(first[low] | second[middle] | last[high] for first, second, last in images)
        return corners | taken >> dots << dots

    rectangles = [turn.claims for turn in table.rectangles]
    apart = [sum(1 << at for at, other in enumerate(rectangles) if not other & claims) for claims in rectangles]
    """By rectangle: the rectangles still possible after it, one bit each."""

    def wins(taken: int, possible: int) -> bool:
        if not possible:
            return False
        key = smallest(taken)
        if key not in known:
            replies = [(at, possible & apart[at]) for at in bits(possible)]
            # A rectangle that leaves few replies is the likeliest to win.
            replies.sort(key=lambda reply: reply[1].bit_count())
            known[key] = any(not wins(taken | rectangles[at], left) for at, left in replies)
        return known[key]

    return wins(0, (1 << len(rectangles)) - 1)


def places(turn: list[int]) -> Iterator[int]:
    """Yield where every set of these dots goes, as bits, in the order of the sets as numbers."""
    for dots in range(1 << len(turn)):
        yield sum(1 << turn[dot] for dot in bits(dots))


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def symmetries(size: int) -> list[list[tuple[int, int]]]:
    """Return where each dot (rank, file), rank by rank, goes by each symmetry of the square."""
    last = size - 1
    plain = [(y, x) for y in range(size) for x in range(size)]
    flips = [[(y, x), (y, last - x), (last - y, x), (last - y, last - x)] for y, x in plain]
    return [[(y, x) for y, x in one] for way in zip(*flips, strict=True) for one in (way, [(x, y) for y, x in way])]
