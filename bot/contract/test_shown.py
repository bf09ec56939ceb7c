"""The contract of shown games: scenes, text boards, words and the guide. Names no game."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.contract.cases import Case, Ply, playout, samples
from bot.games.game import Game, Variant, split_text
from bot.games.guides import Diagram, guide
from renderers import image, text
from renderers.i18n import translated
from renderers.scene import Mark, Piece, Scene


def scene_of(case: Case, ply: Ply, seat: int = 0) -> Scene:
    return case.game.scene(ply.position, ply.move, seat, before=ply.before)


def is_whole(scene: Scene) -> None:
    """Assert what holds of every scene: it speaks of places that are on it, and says everything in words, too."""
    assert list(scene.problems()) == []


def test_every_position_has_a_scene_from_every_side(case: Case) -> None:
    for ply in samples(case):
        for seat in range(case.players):
            is_whole(scene_of(case, ply, seat))


def test_a_scene_does_not_need_to_know_what_came_before(case: Case) -> None:
    for ply in samples(case):
        for scene in (case.game.scene(ply.position), case.game.scene(ply.position, ply.move)):
            is_whole(scene)
            assert {piece.square for piece in scene.pieces} == {piece.square for piece in scene_of(case, ply).pieces}


def test_a_scene_shows_who_is_to_move(case: Case) -> None:
    for ply in samples(case):
        trays = scene_of(case, ply).trays
        assert {tray.seat for tray in trays} == set(range(case.players))
        to_move = ply.position.to_move
        assert [tray.seat for tray in trays if tray.to_move] == ([] if to_move is None else [to_move])


def test_the_last_move_is_marked_on_the_board(case: Case) -> None:
    for ply in samples(case):
        scene = scene_of(case, ply)
        shown = {square for _, square in scene.marks} | {square for path in scene.paths for square in path.squares}
        spoken_of = {place for place in scene.places() if ply.move is not None and place in str(ply.move)}
        latest = {drawn.colour for drawn in scene.outlines if drawn.latest} | {
            drawn.colour for drawn in scene.lines if drawn.latest
        }
        assert not spoken_of or shown or latest, f"the move {ply.move} leaves no mark, path, outline or line"


def test_a_move_under_construction_marks_what_is_chosen_and_what_may_come_next(case: Case) -> None:
    for ply in samples(case):
        prefix: tuple[str, ...] = ()
        while steps := ply.position.steps(prefix)[:1]:
            prefix = (*prefix, steps[0].key)
            targets = sorted({step.square for step in ply.position.steps(prefix) if step.square})
            scene = case.game.scene(ply.position, ply.move, before=ply.before, chosen=prefix, targets=targets)
            is_whole(scene)
            assert {square for mark, square in scene.marks if mark is Mark.TARGET} == set(targets)
            if steps[0].square is not None:
                assert Mark.CHOSEN in {mark for mark, _ in scene.marks}
            if len(prefix) == 12:
                break


def test_a_whole_move_under_construction_shows_what_it_does_where_it_is(case: Case) -> None:
    for ply in samples(case):
        if ply.before is None:
            continue
        pending = case.game.scene(ply.before, chosen=split_text(str(ply.move)))
        standing, shown, result = map(_standing, (case.game.scene(ply.before), pending, case.game.scene(ply.position)))
        # The end may show what was left to find.
        assert ply.position.result is not None or result - standing <= shown
        taken = {square for mark, square in pending.marks if mark is Mark.CAPTURED}
        assert {piece.square for piece in (standing - result) & shown if isinstance(piece, Piece)} <= taken


def _standing(scene: Scene) -> set[Piece | tuple[str, ...]]:
    return {*scene.pieces, *(drawn.corners for drawn in scene.outlines), *(drawn.ends for drawn in scene.lines)}


def test_coordinates_can_be_left_out(case: Case) -> None:
    position = case.start()
    assert case.game.scene(position).coordinates
    assert not case.game.scene(position, coordinates=False).coordinates


def test_every_position_has_a_text_board_and_a_description_within_discords_limits(case: Case) -> None:
    for ply in samples(case):
        for seat in range(case.players):
            scene = scene_of(case, ply, seat)
            assert 0 < len(text.board(scene)) <= 1900
            assert "```" not in text.board(scene)
            assert 0 < len(text.description(scene)) <= 1024
            assert translated(scene.caption) in text.board(scene)


def test_different_boards_look_different_in_letters(case: Case) -> None:
    for ply in samples(case):
        if ply.before is None:
            continue
        now, past = case.game.scene(ply.position), case.game.scene(ply.before)
        if _standing(now) != _standing(past):
            assert text.board(now) != text.board(past)


def test_the_first_and_the_last_position_are_drawn(case: Case) -> None:
    for ply in (samples(case)[0], samples(case)[-1]):
        picture = Image.open(BytesIO(image.png(scene_of(case, ply), width=400)))
        assert picture.format == "PNG"
        assert picture.width == 400


def test_the_end_of_a_game_says_how_it_ended(case: Case) -> None:
    last = playout(case, 1)[-1]
    assert last.position.result is not None
    assert last.position.result.reason.casefold() in scene_of(case, last).caption.casefold()


def test_where_everything_stands_is_said_in_short_lines(case: Case) -> None:
    for ply in samples(case):
        lines = case.game.pieces_in_words(ply.position)
        assert lines
        assert [line for line in lines if not line or line != " ".join(line.split())] == []
        assert sum(map(len, lines)) <= 1500


def test_a_move_is_said_in_a_few_words(case: Case) -> None:
    for ply in samples(case):
        if ply.before is not None and ply.move is not None:
            words = case.game.move_in_words(ply.before, ply.move)
            assert 0 < len(words) <= 200
            assert words == " ".join(words.split())


def test_the_diagrams_of_a_guide_can_be_drawn(game: Game, guided: Variant) -> None:
    diagrams = [diagram for page in guide(game, guided) for diagram in page.diagrams]
    assert diagrams
    for diagram in diagrams:
        assert_drawn(diagram)


def assert_drawn(diagram: Diagram) -> None:
    scene = diagram.scene()
    is_whole(scene)
    assert scene.caption == diagram.caption or not diagram.caption
    assert len(text.description(scene)) <= 1024
    assert image.png(scene, width=300)


def test_a_showpiece_is_a_position_that_goes_on(game: Game) -> None:
    if game.showpiece:
        assert game.decode(game.showpiece).result is None
