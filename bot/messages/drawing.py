"""Draws positions as pictures, replays and letters. Runs in worker processes, so it imports no Discord and no database.

A picture is returned as its file and its alternative text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.games import GAMES
from bot.games.cancellation import check_cancelled
from bot.games.game import PASS, Game, Result
from bot.games.guides import Diagram
from bot.games.puzzles import TaskKind, puzzles
from bot.matches.model.game_state import CLOSED, GameState, because, effective_entries, game_states
from bot.messages.guides import guide_pages
from bot.storage.records import Entry, EntryKind
from renderers import animation, image, text
from renderers.i18n import gettext as _
from renderers.i18n import headed, sentence, translated
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p
from renderers.pixels.layout import FULL_WIDTH, WIDEST
from renderers.scene import Scene, Tray
from renderers.squares import fullest_part

SMALL = 450
"""The width of small pictures, in pixels."""

THUMBNAIL, PART = 300, 3
"""The width of a thumbnail's part of the board, in pixels and in squares."""

BESIDE = 600
"""The width of pictures that stand side by side."""

Drawn = tuple[bytes, str]


@dataclass(frozen=True, slots=True)
class PendingMove:
    """A move under construction: the keys of the steps chosen so far, and the squares that may come next."""

    chosen: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Perspective:
    """How a person sees a match. ``names`` are those of the players, in the order of their seats.

    ``width`` is that of the picture, in pixels.
    """

    game: str
    names: tuple[str, ...]
    seat: int = 0
    theme: str = "dark"
    coordinates: bool = True
    pending: PendingMove = PendingMove()
    width: int = FULL_WIDTH


def scene_drawn(scene: Scene, theme: str, width: int = FULL_WIDTH) -> Drawn:
    return image.png(scene, theme, width), text.description(scene)


def diagram(shown: Diagram, theme: str) -> Drawn:
    return scene_drawn(shown.scene(), theme)


def showpiece(game: Game, theme: str) -> Drawn:
    """Draw a small picture of a game: its showpiece, or the fullest board of its guide."""
    board, words = _showpiece(game)
    return image.png(board, theme, SMALL), _("An example: {description}", description=words)


def thumbnail(game: Game, theme: str) -> Drawn:
    """Draw as much of the showpiece as can be made out in a thumbnail: the three by three squares with most pieces.

    Where nothing stands on squares, that is all of it.
    """
    board, words = _showpiece(game)
    squares = fullest_part(board, PART)
    if not board.pieces or squares is None:
        return showpiece(game, theme)
    width = min(round(THUMBNAIL * board.files / PART), WIDEST)
    return image.detail(board, theme, width, squares), _("Part of an example: {description}", description=words)


def _showpiece(game: Game) -> tuple[Scene, str]:
    """Return the bare board of a game's showpiece, and its words."""
    if game.showpiece:
        fullest = game.scene(game.decode(game.showpiece))
    else:
        scenes = [diagram.scene() for page in guide_pages(game, game.variants[0]) for diagram in page.diagrams]
        scenes = scenes or [game.scene(game.start(game.variants[0].players[0], **game.variants[0].options))]
        fullest = max(scenes, key=lambda scene: (len(scene.outlines), len(scene.pieces), len(scene.paths)))
    board = replace(fullest, trays=(), notes=(), strip=(), edges=(), coordinates=False)
    return board, text.description(fullest)


def win(game: Game, theme: str) -> Drawn | None:
    """Draw a small picture of a game that has just been won: its usual variant's easiest puzzle, solved in one move.

    None where there is no such puzzle.
    """
    usual = (puzzle for puzzle in puzzles(game) if puzzle.in_first_variant)
    wins = [puzzle for puzzle in usual if puzzle.task.kind is TaskKind.WIN and puzzle.task.number == 1]
    easy = [puzzle for puzzle in wins if puzzle.solution != (PASS,)]
    if not easy:
        return None
    ((before, move, after),) = min(easy, key=lambda puzzle: (puzzle.difficulty, puzzle.key)).line(1)
    scene = game.scene(after, last=move, before=before)
    bare = replace(scene, trays=(), notes=(), strip=(), edges=(), coordinates=False)
    return image.png(bare, theme, SMALL), _("A win: {description}", description=text.description(scene))


def board(game_state: GameState, look: Perspective) -> Drawn:
    return scene_drawn(scene_of(game_state, look), look.theme, look.width)


def replay(variant: str, played: Sequence[Entry], look: Perspective, end_first: bool = False) -> Drawn:
    """Draw a match as an animation that goes through every position; with ``end_first`` it begins with the last.

    The first frame is what is seen of an animation that does not move.
    """
    scenes = replay_scenes(variant, played, look)
    description = _n(
        "A replay in {n} position. The last: {description}",
        "A replay in {n} positions. The last: {description}",
        len(scenes),
        description=text.description(scenes[-1]),
    )
    return animation.gif(scenes[-1:] * end_first + scenes, look.theme), description


def replay_scenes(variant: str, played: Sequence[Entry], look: Perspective) -> list[Scene]:
    """Return the frames of a replay: every position of a match, under the number and text of its move."""
    every = game_states(GAMES[look.game], variant, len(look.names), played)
    entries = [None, *effective_entries(played)]
    scenes = []
    for number, (game_state, entry) in enumerate(zip(every, entries, strict=True)):
        check_cancelled()
        status = move_line(look, number, len(every) - 1, game_state, entry)
        scenes.append(replace(scene_of(game_state, look), status=status))
    return scenes


@dataclass(frozen=True, slots=True)
class Stepped:
    """One position of a match: its number, from 0 up to ``last``, the entry that led to it, and its board.

    ``shown`` is a picture, or the board in letters.
    """

    number: int
    last: int
    game_state: GameState
    entry: Entry | None
    shown: Drawn | str


def replay_position(
    variant: str,
    played: Sequence[Entry],
    number: int,
    look: Perspective,
    *,
    letters: bool,
    instead: str | None = None,
) -> Stepped:
    """Draw position ``number`` of a match as a replay shows it, or the last one where the match has fewer.

    With the text of a move ``instead``, draw and return the position after that move instead.
    """
    every, entries = game_states(GAMES[look.game], variant, len(look.names), played), [None, *effective_entries(played)]
    last = len(every) - 1
    number = min(number, last)
    game_state, entry = every[number], entries[number]
    if instead is None:
        scene = replace(scene_of(game_state, look), status=move_line(look, number, last, game_state, entry))
    else:
        game_state = with_move(game_state, instead)
        scene = replace(scene_of(game_state, look), status=_("Best here: {move}", move=instead))
    shown = text.board(scene) if letters else scene_drawn(scene, look.theme)
    return Stepped(number, last, game_state, entry, shown)


@dataclass(frozen=True, slots=True)
class Compared:
    """A move of a match and a better one: pictures of the positions after them, and both in words."""

    played: Drawn
    better: Drawn
    played_words: str
    better_words: str


def comparison(
    variant: str, played: Sequence[Entry], better: Sequence[tuple[int, str]], look: Perspective
) -> list[Compared]:
    """Draw moves of a match beside ``better`` ones: each a position's number and the text of a move."""
    every, entries = game_states(GAMES[look.game], variant, len(look.names), played), effective_entries(played)
    compared = []
    for number, instead in better:
        check_cancelled()
        game_state, tried = every[number], with_move(every[number - 1], instead)
        words = (GAMES[look.game].move_in_words(state.before, state.last) for state in (game_state, tried))
        scenes = [
            replace(scene_of(game_state, look), status=_("Played: {move}", move=entries[number - 1].text)),
            replace(scene_of(tried, look), status=_("Better: {move}", move=instead)),
        ]
        made, best = ((image.png(scene, look.theme, BESIDE), text.description(scene)) for scene in scenes)
        compared.append(Compared(made, best, *words))
    return compared


def with_move(game_state: GameState, move: str) -> GameState:
    seat = game_state.position.to_move
    assert seat is not None
    parsed = game_state.position.parse(move)
    entry = Entry(game_state.ply + 1, seat, EntryKind.MOVE, move, datetime.now(UTC))
    return replace(game_state, ended=None, ended_by=None).moved(entry, parsed)


def move_line(look: Perspective, number: int, moves: int, game_state: GameState, entry: Entry | None) -> str:
    """Return the number and text of the move a frame of a replay shows: "Move 12 of 40 · Blue: b5-d3"."""
    if entry is None:
        return _p("replay", "Start")
    names = GAMES[look.game].seat_names
    if game_state.ended is not None and entry.kind in (EntryKind.DROP, EntryKind.DRAW, EntryKind.CLOSED):
        said = _end_in_words(look, game_state.ended).rstrip(".。")
    elif entry.kind is EntryKind.DROP:
        said = _("{seat} leaves the game", seat=names[entry.seat])
    elif entry.kind is EntryKind.FORCED:
        said = headed(names[entry.seat], entry.text)
    else:
        said = headed(names[game_state.last_seat or 0], str(game_state.last))
    return _("Move {number} of {moves} · {said}", number=number, moves=moves, said=said)


def letters(game_state: GameState, look: Perspective) -> str:
    """Return the board of a match in letters, for a code block."""
    return text.board(scene_of(game_state, look))


def description(game_state: GameState, look: Perspective) -> str:
    """Return the alternative text of ``board``."""
    return text.description(scene_of(game_state, look))


def scene_of(game_state: GameState, look: Perspective) -> Scene:
    """Return the scene of a match as a person sees it."""
    # The marks of the last move would be in the way of a move under construction.
    last, before = (None, None) if look.pending.chosen else (game_state.last, game_state.before)
    scene = GAMES[look.game].scene(
        game_state.position,
        last=last,
        seat=look.seat,
        before=before,
        chosen=look.pending.chosen,
        targets=look.pending.targets,
        coordinates=look.coordinates,
    )
    if game_state.ended is not None:
        scene = replace(scene, caption=_end_in_words(look, game_state.ended))
    if game_state.result is not None and game_state.result.reason != CLOSED:
        scene = scene.ended(game_state.result.winners)
    named = range(len(look.names))
    return replace(
        scene,
        trays=tuple(
            replace(tray, player=_beside(tray, look.names[tray.seat])) if tray.seat in named else tray
            for tray in scene.trays
        ),
    )


def _beside(tray: Tray, name: str) -> str:
    """Return the name of a player beside that of their seat, nothing where it is the same: who watches sees colours."""
    return "" if name == translated(tray.name) else name


def _end_in_words(look: Perspective, ended: Result) -> str:
    """Sum up an end that the board does not show, such as a resignation."""
    if ended.reason == CLOSED:
        return _("Closed.")
    outcome = ended.outcome(GAMES[look.game].seat_names[: len(look.names)])
    return sentence(translated(because(outcome, ended.reason)))
