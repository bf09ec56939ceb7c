"""The words on pictures of a match, beside the position."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import cast

import pytest
from PIL import Image

from bot.games import GAMES, Game
from bot.matches.model.game_state import RESIGNS, game_states
from bot.messages.drawing import Perspective, comparison, replay_position, replay_scenes, thumbnail
from bot.opponents import choose
from bot.storage.records import Entry, EntryKind
from renderers.scene import Colour, Ground, Piece, Scene, Shape

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def scenes_of(game: str, players: int, moves: Sequence[Entry], seat: int = 0) -> list[Scene]:
    """Return the frames of a replay of a match between as many people."""
    look = Perspective(game, ("Alice", "Bob", "Carol")[:players], seat)
    return replay_scenes(GAMES[game].variants[0].key, moves, look)


def played(*entries: tuple[int, EntryKind, str]) -> list[Entry]:
    return [Entry(ply, seat, kind, text, NOW) for ply, (seat, kind, text) in enumerate(entries, 1)]


@pytest.mark.parametrize("seat", [0, 1])
def test_every_frame_of_a_replay_says_its_number_and_its_move(seat: int) -> None:
    moves = played((0, EntryKind.MOVE, "c3"), (1, EntryKind.MOVE, "a1"), (0, EntryKind.MOVE, "c3-d3"))
    scenes = scenes_of("yonmoque", 2, moves, seat)
    assert [scene.status for scene in scenes] == [
        "Start",
        "Move 1 of 3 · Blue: c3",
        "Move 2 of 3 · White: a1",
        "Move 3 of 3 · Blue: c3-d3",
    ]


def test_a_move_taken_back_is_neither_shown_nor_counted() -> None:
    moves = played(
        (0, EntryKind.MOVE, "c3"), (1, EntryKind.MOVE, "a1"), (1, EntryKind.TAKEBACK, ""), (1, EntryKind.MOVE, "a2")
    )
    scenes = scenes_of("yonmoque", 2, moves)
    assert [scene.status for scene in scenes] == ["Start", "Move 1 of 2 · Blue: c3", "Move 2 of 2 · White: a2"]


def test_a_replay_says_how_a_match_ended_off_the_board() -> None:
    resigned = played((0, EntryKind.MOVE, "c3"), (1, EntryKind.DROP, RESIGNS))
    assert "Blue" in scenes_of("yonmoque", 2, resigned)[-1].status
    agreed = played((0, EntryKind.MOVE, "c3"), (1, EntryKind.DRAW, ""))
    assert scenes_of("yonmoque", 2, agreed)[-1].status.startswith("Move 2 of 2 · Draw")


def test_a_replay_goes_on_where_one_of_several_left() -> None:
    moves = played((0, EntryKind.MOVE, "a1-b2"), (1, EntryKind.DROP, RESIGNS), (2, EntryKind.MOVE, "c1-e2"))
    assert [scene.status for scene in scenes_of("rectangles", 3, moves)][2:] == [
        "Move 2 of 3 · Player 2 leaves the game",
        "Move 3 of 3 · Player 3: c1-e2",
    ]


@pytest.mark.parametrize("key", GAMES)
def test_a_move_of_every_game_is_drawn_beside_a_better_one(key: str) -> None:
    game = GAMES[key]
    position, entries = game.start(game.players[0], **game.variants[0].options), list[tuple[int, EntryKind, str]]()
    for ply in range(4):
        assert position.to_move is not None
        entries.append((position.to_move, EntryKind.MOVE, str(choose(position, 1, ply))))
        position = position.play(position.parse(entries[-1][2]))
    moves, look = played(*entries), Perspective(key, ("Alice", "Bob"))
    made, better = moves[2].text, str(choose(game_states(game, game.variants[0].key, 2, moves)[2].position, 2))
    (found,) = comparison(game.variants[0].key, moves, [(3, better)], look)
    assert f"Played: {made}" in found.played[1]
    assert f"Better: {better}" in found.better[1]
    assert found.played_words
    assert found.better_words
    advised = replay_position(game.variants[0].key, moves, 2, look, letters=True, instead=better)
    assert f"Best here: {better}" in str(advised.shown)


@pytest.mark.parametrize("files", [3, 26])
def test_a_thumbnail_of_a_board_of_any_width_shows_three_by_three_squares_and_says_so(files: int) -> None:
    scene = Scene(files, 3, Ground.TILES, (Colour.PLAIN,) * 3 * files, (Piece("b2", Shape.DISC, Colour.WHITE, "w"),))

    class Wide:
        showpiece = "b2"
        decode = scene = staticmethod(lambda _: scene)

    data, description = thumbnail(cast(Game, Wide), "dark")
    assert description.startswith("Part of an example: ")
    with Image.open(BytesIO(data)) as picture:
        assert picture.width == picture.height
