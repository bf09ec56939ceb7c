"""Scenes in letters: a board for a code block and the words that stand in for a picture.

Knows the vocabulary of scenes and nothing of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from renderers.i18n import bracketed, enumerated, gettext, headed, ngettext, pgettext, prose, sentence, translated
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.scene import COLOURS, OUTCOMES, Colour, Mark, Piece, Scene, Shape, Side, Tray
from renderers.scripts.bidi import isolated

BOARD_LIMIT = 1500
"""Characters of a text board, at most."""
DESCRIPTION_LIMIT = 1024
"""Characters of an alternative text, at most; Discord takes no more."""

_NAME_LIMIT = 40
_DIRECTIONS = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_EMPTY = {
    Colour.BLUE: ("+", _("blue square")),
    Colour.RED: ("=", _("red square")),
    Colour.SPLIT: ("/", _("split square")),
    Colour.BLACK: ("#", _("black square")),
    Colour.WHITE: (".", _("white square")),
    Colour.GOLD: (".", _("gold square")),
}
_AROUND = {
    Mark.CHOSEN: ("(", ")", _p("sign on a text board", "chosen")),
    Mark.TARGET: ("<", ">", _p("sign on a text board", "may be chosen")),
    Mark.WINNING: ("*", "*", _p("sign on a text board", "won the game")),
    Mark.TURNED: ("~", "~", _p("sign on a text board", "turned")),
    Mark.ENTERED: ("[", "]", _p("sign on a text board", "last move")),
    Mark.LEFT: ("[", "]", _p("sign on a text board", "last move")),
    Mark.PASSED: ("[", "]", _p("sign on a text board", "last move")),
    Mark.CHANGED: ("!", "!", _p("sign on a text board", "changed sides")),
    Mark.CAPTURED: ("{", "}", _p("sign on a text board", "taken here")),
}
"""The signs around a square for each mark; of several marks, the first one here counts."""
_SAID = {
    Mark.CHOSEN: _("Chosen: {squares}"),
    Mark.WINNING: _("Won on {squares}"),
    Mark.CHANGED: _("Changed sides: {squares}"),
    Mark.CAPTURED: _("Taken: {squares}"),
    Mark.TARGET: _("May be chosen: {squares}"),
}
"""The words for squares with a mark; where the last move began and ended is in the caption.

Screen readers leave out many of the signs around squares, such as brackets, unless they are told to read them.
"""
_PIECES = {
    (Colour.BLUE, Shape.DISC): _("blue disc"),
    (Colour.WHITE, Shape.DISC): _("white disc"),
    (Colour.BLACK, Shape.DISC): _("black disc"),
    (Colour.RED, Shape.DISC): _("red disc"),
    (Colour.BLUE, Shape.TOWER): _("blue tower"),
    (Colour.WHITE, Shape.TOWER): _("white tower"),
    (Colour.BLACK, Shape.TOWER): _("black tower"),
    (Colour.RED, Shape.TOWER): _("red tower"),
    (Colour.BLUE, Shape.QUARTERS): _("blue piece"),
    (Colour.WHITE, Shape.QUARTERS): _("white piece"),
    (Colour.BLACK, Shape.QUARTERS): _("black piece"),
    (Colour.RED, Shape.QUARTERS): _("red piece"),
}


def board(scene: Scene) -> str:
    """Return the board in letters of one width, at most 1500 characters, for a code block."""
    scene = scene.translated()
    trays = [_tray(scene, tray) for tray in scene.trays]
    marked = [said for mark, said in _marked(scene) if mark is not Mark.TARGET]
    above = _lines([scene.status, scene.caption, *marked])
    below = _lines([*_drawn_lines(scene), scene.legend, *_legend(scene), *scene.notes])
    lines = [_squares(scene), *above, *trays, *below]
    kept: list[str] = []
    room = BOARD_LIMIT
    for line in lines:
        if len(line) + 1 > room:
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join(kept).replace("`", "'")


def description(scene: Scene) -> str:
    """Return the position in words, at most 1024 characters, ended at a full stop or between words.

    Where that is not enough for everything, squares that may be chosen go first: menus offer them, too.
    """
    scene = scene.translated()
    marked = dict(_marked(scene))
    text = _in_words(scene, marked.values())
    if len(text) > DESCRIPTION_LIMIT and marked.pop(Mark.TARGET, ""):
        text = _in_words(scene, marked.values())
    if len(text) <= DESCRIPTION_LIMIT:
        return text
    ends = [end.end() for end in re.finditer(r"[.!?…](?=\s)|[。！？]", text[: DESCRIPTION_LIMIT + 1])]
    if ends and ends[-1] > DESCRIPTION_LIMIT // 4:
        return text[: ends[-1]]
    head = text[: DESCRIPTION_LIMIT - 1]
    return f"{head[: head.rfind(' ')] if ' ' in head else head}…"


def square_words(scene: Scene) -> dict[str, str]:
    """Return the piece and the marks of each square and goal in words, such as "white disc, last move".

    Squares of which there is nothing to say are left out. Choices of a move under construction are not said.
    """
    said_of: dict[str, list[str]] = {goal.name: [translated(goal.label)] for goal in scene.goals if goal.label}
    for file in range(scene.files):
        for rank in range(scene.ranks):
            empty = _EMPTY.get(_tile(scene, file, rank))
            if empty is not None:
                said_of.setdefault(scene.square_name(file, rank), []).append(translated(empty[1]))
    for piece in scene.pieces:
        words = filter(None, (_piece_in_words(piece), translated(piece.words)))
        rings = ngettext("piece with {n} ring", "piece with {n} rings", piece.value)
        said_of.setdefault(piece.square, []).append(rings if piece.shape is Shape.RINGS else enumerated(words))
    for outline in scene.outlines:
        for corner in outline.corners:
            said = gettext("corner {number}", number=outline.label) if outline.label else pgettext("dot", "used")
            said_of.setdefault(corner, []).append(said)
    for line in scene.lines:
        for end, other in (line.ends, line.ends[::-1]):
            said_of.setdefault(end, []).append(gettext("line to {square}", square=other))
    for square, mark in _surroundings(scene).items():
        if mark not in (Mark.CHOSEN, Mark.TARGET):
            said_of.setdefault(square, []).append(translated(_AROUND[mark][2]))
    for mark, square in scene.marks:
        if mark is Mark.USED:
            said_of.setdefault(square, []).append(pgettext("dot", "used"))
    return {square: enumerated(dict.fromkeys(_lines(said))) for square, said in said_of.items()}


def _in_words(scene: Scene, marked: Iterable[str]) -> str:
    trays = (_tray(scene, tray) for tray in scene.trays)
    above = _lines(
        [scene.title, scene.status, scene.caption, *marked, *scene.words, *_drawn_lines(scene), *_regions(scene)]
    )
    return prose(map(sentence, [*above, *trays, *_lines(scene.notes)]))


def _drawn_lines(scene: Scene) -> list[str]:
    said = enumerated("-".join(line.ends) for line in scene.lines)
    return [gettext("Lines: {lines}", lines=said)] if said else []


def _marked(scene: Scene) -> Iterator[tuple[Mark, str]]:
    """Say which squares are marked, for each mark that tells more than the caption."""
    for mark, said in _SAID.items():
        squares = [square for other, square in scene.marks if other is mark]
        if squares:
            yield mark, translated(said.filled(squares=enumerated(squares)))


def _lines(texts: Iterable[str]) -> list[str]:
    return list(filter(None, map(_one_line, texts)))


def _one_line(text: str) -> str:
    """Return text on one line, without the characters that set the direction of writing: names come from strangers."""
    return " ".join(text.translate(_DIRECTIONS).split())


def _tray(scene: Scene, tray: Tray) -> str:
    """Say what a tray shows: "Alice (blue, to move): 4 of 6 pieces, 12 points"."""
    names = [_one_line(name) for name in (tray.name, tray.player)][: 2 if tray.player.strip() else 1]
    names = [isolated(name if len(name) <= _NAME_LIMIT else f"{name[: _NAME_LIMIT - 1]}…") for name in names]
    colour = translated(COLOURS.get(tray.colour, ""))
    sides = [] if not colour or colour.casefold() == names[0].casefold() else [colour]
    # A way of playing is said by a rank or file, which stay when the board is turned.
    if tray.heading in (Side.TOP, Side.BOTTOM):
        rank = scene.ranks if tray.heading is Side.TOP else 1
        sides.append(gettext("plays towards rank {rank}", rank=rank))
    elif tray.heading is not None:
        file = scene.file_letter(0 if tray.heading is Side.LEFT else scene.files - 1)
        sides.append(gettext("plays towards file {file}", file=file))
    if tray.to_move:
        sides.append(pgettext("seat", "to move"))
    if tray.outcome is not None:
        sides.append(translated(OUTCOMES[tray.outcome]))
    held = []
    if tray.shape is not None and tray.capacity:
        held.append(ngettext("{count} of {n} piece", "{count} of {n} pieces", tray.capacity, count=tray.count))
    elif tray.shape is not None and tray.count:
        held.append(ngettext("{n} piece", "{n} pieces", tray.count))
    if tray.label:
        held.append(_one_line(tray.label))
    name = " · ".join(names)
    said = bracketed(name, enumerated(sides)) if sides else name
    return headed(said, enumerated(held)) if held else said


def _piece_in_words(piece: Piece) -> str:
    return translated(_PIECES.get((piece.colour, piece.shape), f"{piece.colour} {piece.shape}"))


def _tile(scene: Scene, file: int, rank: int) -> Colour:
    at = rank * scene.files + file
    return scene.tiles[at] if at < len(scene.tiles) else Colour.PLAIN


def _surroundings(scene: Scene) -> dict[str, Mark]:
    latest = [(Mark.ENTERED, corner) for outline in scene.outlines if outline.latest for corner in outline.corners]
    marks: dict[str, Mark] = {}
    order = list(_AROUND)
    for mark, square in (*scene.marks, *latest):
        if mark in _AROUND and (square not in marks or order.index(mark) < order.index(marks[square])):
            marks[square] = mark
    return marks


def _squares(scene: Scene) -> str:
    """Return the rows of the board with coordinates, as seen from the side of the scene."""
    symbols = {square: "x" for mark, square in scene.marks if mark is Mark.USED}
    for outline in scene.outlines:
        symbols |= dict.fromkeys(outline.corners, outline.label or "x")
    for piece in scene.pieces:
        # Where a symbol says the sides of a piece, its owner's first letter goes before it. Capitals and small letters
        # alone would not do: a screen reader reads them alike.
        said = bool(piece.sides) and piece.symbol[:1].casefold() != piece.colour[0]
        symbols[piece.square] = f"{piece.colour[0]}{piece.symbol}" if said else piece.symbol
    around = _surroundings(scene)
    wide = max([1, *(len(symbol) for symbol in symbols.values())])
    margin = len(str(scene.ranks))

    def shown(file: int, rank: int) -> str:
        name = scene.square_name(file, rank)
        symbol = symbols.get(name) or _EMPTY.get(_tile(scene, file, rank), (".", ""))[0]
        before, after, _meaning = _AROUND.get(around[name], (" ", " ", "")) if name in around else (" ", " ", "")
        return f"{before}{symbol:^{wide}}{after}"

    files = range(scene.files)[::-1] if scene.turned else range(scene.files)
    ranks = range(scene.ranks) if scene.turned else range(scene.ranks)[::-1]
    rows = [f"{rank + 1:>{margin}} {''.join(shown(file, rank) for file in files)}".rstrip() for rank in ranks]
    letters = "".join(f" {scene.file_letter(file):^{wide}} " for file in files)
    return "\n".join(
        [
            *_goals(scene, around, top=True),
            *rows,
            f"{'':{margin}} {letters}".rstrip(),
            *_goals(scene, around, top=False),
        ]
    )


def _goals(scene: Scene, around: dict[str, Mark], *, top: bool) -> Iterator[str]:
    for goal in scene.goals:
        if ((goal.side == "top") != scene.turned) is top:
            before, after, _meaning = _AROUND[around[goal.name]] if goal.name in around else ("", "", "")
            standing = "".join(f" {piece.symbol}" for piece in scene.pieces if piece.square == goal.name)
            shown = f"{before}{goal.name}{standing}{after}"
            yield f"  {headed(shown, goal.label) if goal.label not in ('', goal.name) else shown}"


def _regions(scene: Scene) -> Iterator[str]:
    """Say whose the regions are, except for tinted ones: the pointers beside their rows say it."""
    for region in scene.regions:
        if not region.tinted and region.squares:
            squares = sorted(region.squares, key=Scene.square_index)
            yield gettext("{region}: {first} to {last}", region=region.label, first=squares[0], last=squares[-1])


def _legend(scene: Scene) -> Iterator[str]:
    """Say what the signs mean: pieces, kinds of squares and signs around squares."""
    named: dict[str, str] = {}
    for piece in scene.pieces:
        if piece.shape in (Shape.DISC, Shape.TOWER):
            named.setdefault(piece.symbol, _piece_in_words(piece))
        elif piece.sides and not scene.legend:
            named.setdefault(f"{piece.colour[0]}…", _piece_in_words(piece))
    for colour in sorted(set(scene.tiles) & set(_EMPTY), key=list(Colour).index):
        named.setdefault(_EMPTY[colour][0], translated(_EMPTY[colour][1]))
    for mark in dict.fromkeys(_surroundings(scene).values()):
        before, after, meaning = _AROUND[mark]
        named.setdefault(f"{before}{after}", translated(meaning))
    if named:
        yield enumerated(f"{sign} {meaning}" for sign, meaning in named.items())
    for tray in scene.trays:
        labels = [outline.label for outline in scene.outlines if outline.colour is tray.colour]
        if labels:
            yield gettext("Corners with {numbers}: drawn by {seat}", numbers=enumerated(labels), seat=tray.name)
    yield from _regions(scene)
    for edge in scene.edges:
        yield gettext("Rank {rank}: {meaning}", rank=edge.rank, meaning=edge.label)
