"""The place of each part of a scene in its picture, in pixels. Draws nothing and knows no colour.

All games share one measure: margins, gutters and type are fixed parts of the width, and the board takes what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from renderers.pixels.lettering import Weight, drawable, line_height, truncated, wrapped
from renderers.scene import Colour, Goal, Scene, Side, Slot, Tray

FULL_WIDTH = 900
"""The width all measures below are given for."""
NARROWEST, WIDEST = 200, 2400

_MARGIN = 26
_GUTTER = 54
_WIDE_GUTTER = 92
_TALLEST_BOARD = 816
_COORDINATES = 44
_TRAY = 66
_TRAYS_IN_ROW = 92
_GAP = 18
_GOAL = 58
_GOAL_GAP = 8
_HOME = 14
_HOME_GAP = 7
_NOTE = 36
_LONGEST_NOTE = 2000
"""Characters of a note that are shown."""
_STATUS = 52
_SLOT, _WIDEST_SLOT, _SLOT_GAP = 46, 62, 4
_SLOTS_IN_ROW = 24

Pixels = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom lie outside."""


def opposite(side: Side) -> Side:
    return {Side.TOP: Side.BOTTOM, Side.BOTTOM: Side.TOP, Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}[side]


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board as they are seen, counted in columns and rows from the upper left one."""

    files: int
    ranks: int
    cell: int
    turned: bool

    def place(self, square: str) -> tuple[int, int] | None:
        """Return the column and row of a square, or None for what is no square of the board."""
        try:
            file, rank = Scene.square_index(square)
        except (ValueError, IndexError, TypeError):
            return None
        if not (0 <= file < self.files and 0 <= rank < self.ranks):
            return None
        return (self.files - 1 - file, rank) if self.turned else (file, self.ranks - 1 - rank)

    def name(self, column: int, row: int) -> str:
        if self.turned:
            return Scene.square_name(self.files - 1 - column, row)
        return Scene.square_name(column, self.ranks - 1 - row)

    def middle(self, square: str) -> tuple[int, int] | None:
        """Return the pixel in the middle of a square, from the corner of the board, or None for what is no square."""
        place = self.place(square)
        return place and (place[0] * self.cell + self.cell // 2, place[1] * self.cell + self.cell // 2)


@dataclass(frozen=True)
class Layout:
    """The places of one scene in a picture ``width`` pixels wide. Raises ``ValueError`` for a board without squares."""

    scene: Scene
    width: int = FULL_WIDTH

    def __post_init__(self) -> None:
        if not NARROWEST <= self.width <= WIDEST:
            raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {self.width}")
        if self.scene.files < 1 or self.scene.ranks < 1:
            raise ValueError("a board has at least one file and one rank")

    def px(self, measure: float) -> int:
        """Return a measure, given for the full width, in pixels of this picture."""
        return max(1, round(measure * self.width / FULL_WIDTH))

    @cached_property
    def cell(self) -> int:
        """The side of a square."""
        gutter = _WIDE_GUTTER if self.scene.edges else _GUTTER if self.scene.coordinates else _MARGIN
        across = (self.width - 2 * self.px(gutter)) // self.scene.files
        goals = len(self.scene.goals) * (_GOAL + _GOAL_GAP) + len(self.scene.homes) * (_HOME + _HOME_GAP)
        return max(1, min(across, self.px(_TALLEST_BOARD - goals) // self.scene.ranks))

    def goal_at(self, side: Side) -> Goal | None:
        meant = opposite(side) if self.scene.turned else side
        return next((goal for goal in self.scene.goals if goal.side is meant), None)

    def _home_at(self, side: Side) -> Colour | None:
        meant = opposite(side) if self.scene.turned else side
        return dict(self.scene.homes).get(meant)

    def _goal_room(self, side: Side) -> int:
        if self.goal_at(side):
            return self.px(_GOAL) + self.px(_GOAL_GAP)
        return self.px(_HOME) + self.px(_HOME_GAP) if self._home_at(side) else 0

    @cached_property
    def homes(self) -> list[tuple[Colour, Pixels]]:
        """The bars along sides that are a seat's own, unless a goal is there."""
        left, top, right, bottom = self.board
        gap, high = self.px(_HOME_GAP), self.px(_HOME)
        bars = {
            Side.TOP: (left, top - gap - high, right, top - gap),
            Side.BOTTOM: (left, bottom + gap, right, bottom + gap + high),
        }
        homes = ((self._home_at(side), bar) for side, bar in bars.items() if not self.goal_at(side))
        return [(colour, bar) for colour, bar in homes if colour]

    @cached_property
    def board(self) -> Pixels:
        left = (self.width - self.cell * self.scene.files) // 2
        trays = self.tray_height + self.px(_GAP) if self.upper_trays else 0
        top = self._status_end + trays + self._goal_room(Side.TOP)
        return left, top, left + self.cell * self.scene.files, top + self.cell * self.scene.ranks

    @cached_property
    def goals(self) -> dict[str, Pixels]:
        """The bars of the goals by name."""
        left, top, right, bottom = self.board
        gap, high = self.px(_GOAL_GAP), self.px(_GOAL)
        bars = {
            Side.TOP: (left, top - gap - high, right, top - gap),
            Side.BOTTOM: (left, bottom + gap, right, bottom + gap + high),
        }
        return {goal.name: bar for side, bar in bars.items() if (goal := self.goal_at(side))}

    def entry(self, goal: str) -> int:
        """Return the pixel across the picture at which a goal is entered: straight ahead, by default in the middle."""
        ways = (path.squares for path in self.scene.paths)
        last = next((way[-2] for way in ways if len(way) > 1 and way[-1] == goal), "")
        return (self.middle(last) or ((self.board[0] + self.board[2]) // 2,))[0]

    @cached_property
    def status(self) -> tuple[str, int, int]:
        """The line above everything else, with its left end and the pixel its capitals are centred on."""
        left = self.px(_MARGIN + 4)
        text = truncated(drawable(self.scene.status), self.status_size, Weight.BOLD, self.width - 2 * left)
        return text, left, self.px(_MARGIN) + self.px(_STATUS) // 2 - self.px(8)

    @cached_property
    def status_size(self) -> int:
        """The size of the letters of the status line."""
        return self.px(30)

    @cached_property
    def _status_end(self) -> int:
        return self.px(_MARGIN) + (self.px(_STATUS) if self.scene.status else 0)

    @cached_property
    def upper_trays(self) -> tuple[Tray, ...]:
        """The trays above the board: the far seat's, or all of them where there are more than two seats."""
        trays = self.scene.trays
        return trays if len(trays) > 2 else tuple(tray for tray in trays if not self._is_near(tray))

    @cached_property
    def lower_trays(self) -> tuple[Tray, ...]:
        """The trays below the board."""
        trays = self.scene.trays
        return () if len(trays) > 2 else tuple(tray for tray in trays if self._is_near(tray))

    def _is_near(self, tray: Tray) -> bool:
        first = min(other.seat for other in self.scene.trays)
        return (tray.seat == first and (len(self.scene.trays) > 1 or first == 0)) != self.scene.turned

    def _tray_row(self, top: int, trays: tuple[Tray, ...]) -> list[tuple[Tray, Pixels]]:
        if not trays:
            return []
        margin, gap = self.px(_MARGIN), self.px(_GAP) // 2
        room = (self.width - 2 * margin + gap) / len(trays)
        high = self.tray_height
        return [
            (tray, (margin + round(room * at), top, margin + round(room * (at + 1)) - gap, top + high))
            for at, tray in enumerate(trays)
        ]

    @cached_property
    def tray_height(self) -> int:
        """The height of a tray; in a row of several they have two lines."""
        return self.px(_TRAYS_IN_ROW if len(self.scene.trays) > 2 else _TRAY)

    @cached_property
    def _board_end(self) -> int:
        """The lower end of the board, with its goal and the letters of its files."""
        bottom = self.board[3] + self._goal_room(Side.BOTTOM)
        return bottom + (self.px(_COORDINATES) if self.scene.coordinates else self.px(_GAP))

    @cached_property
    def trays(self) -> list[tuple[Tray, Pixels]]:
        """Every tray with its place."""
        upper = self._tray_row(self._status_end, self.upper_trays)
        return upper + self._tray_row(self._board_end + self.px(_GAP) * 2 // 3, self.lower_trays)

    @cached_property
    def _trays_end(self) -> int:
        return max([self._board_end, *(place[3] for _, place in self.trays)])

    @cached_property
    def note_size(self) -> int:
        return self.px(26)

    @cached_property
    def notes(self) -> list[tuple[str, int, int]]:
        """The lines of notes, wrapped, with the left and top of each."""
        left = self.px(_MARGIN + 4)
        notes = () if self.scene.strip else (drawable(note, _LONGEST_NOTE) for note in self.scene.notes)
        lines = wrapped(notes, self.note_size, Weight.MEDIUM, self.width - 2 * left)
        return [(line, left, self._below_trays + at * self.px(_NOTE)) for at, line in enumerate(lines)]

    @cached_property
    def _below_trays(self) -> int:
        return self._trays_end + self.px(_GAP if self.lower_trays else _GAP / 2) + self.px(6)

    @cached_property
    def strip(self) -> list[tuple[Slot, Pixels]]:
        """Every slot of the strip with its place, in as few rows of one length as hold them."""
        slots = self.scene.strip
        if not slots:
            return []
        rows = -(-len(slots) // _SLOTS_IN_ROW)
        in_row = -(-len(slots) // rows)
        room, gap, high = self.width - 2 * self.px(_MARGIN), self.px(_SLOT_GAP), self.px(_SLOT)
        wide = min((room + gap) // in_row, self.px(_WIDEST_SLOT)) - gap
        left, top = (self.width - in_row * (wide + gap) + gap) // 2, self._below_trays
        places = []
        for at, slot in enumerate(slots):
            row, column = divmod(at, in_row)
            x, y = left + column * (wide + gap), top + row * (high + gap)
            places.append((slot, (x, y, x + wide, y + high)))
        return places

    @cached_property
    def height(self) -> int:
        end = self._trays_end
        if self.notes:
            end = self.notes[-1][2] + line_height(self.note_size, Weight.MEDIUM)
        if self.strip:
            end = self.strip[-1][1][3]
        return end + self.px(_MARGIN if self.lower_trays or self.notes or self.strip else _GAP)

    @cached_property
    def grid(self) -> Grid:
        """The squares among themselves."""
        return Grid(self.scene.files, self.scene.ranks, self.cell, self.scene.turned)

    def corner(self, column: int, row: int) -> tuple[int, int]:
        return self.board[0] + column * self.cell, self.board[1] + row * self.cell

    def middle(self, square: str) -> tuple[int, int] | None:
        """Return the pixel in the middle of a square, or None for what is no square."""
        middle = self.grid.middle(square)
        return middle and (self.board[0] + middle[0], self.board[1] + middle[1])
