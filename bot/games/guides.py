"""Reads a game's ``guide.md`` into pages of text and diagrams. Knows Markdown's headings and fences and the contract
of a game. It must not know any single game, nor the display of pages.

Each ``## Heading`` starts a page. A fenced block ``diagram`` in it is a position, with a ``key: value`` on each line::

    ```diagram
    variant: standard          (the key of a variant; the one the guide is read for if it is left out)
    moves: c3 b2 c3-b3         (played from its start; the last one is marked, with what it did)
    caption: Blue moves.       (said below the picture)
    seat: 2                    (who looks, counted from 1; the first seat if it is left out)
    chosen: c2                 (the first steps of the next move, as keys: shows where it may go on)
    ```

Instead of ``variant`` a diagram may start from ``position``, a text that ``Position.encode`` wrote.

Text, diagrams and whole pages for some variants only stand between a line ``::: classic`` and a line ``:::``. The words
after the colons are keys of variants; a ``*`` in them stands for any characters.

The page "Where the original rules are silent" is an aside: it has a button of its own and is not among the next pages.

A guide in another language has the same pages and diagrams in the same order (``read_like``).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from bot.games.game import Game, IllegalMove, Move, Position, Variant
from renderers.scene import Scene

_KEYS: Final = ("position", "variant", "moves", "seat", "caption", "chosen")
_ASIDE: Final = "Where the original rules are silent"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position in a guide: the one after ``last``, which was played in ``before``, as ``seat`` (0-based) sees it.

    ``chosen`` are the first keys of a move under construction, whose next squares the picture marks.
    """

    game: Game
    position: Position
    before: Position | None = None
    last: Move | None = None
    seat: int = 0
    caption: str = ""
    chosen: tuple[str, ...] = ()

    def scene(self) -> Scene:
        """Return the scene of the diagram. Its own caption, if any, replaces the game's."""
        targets = [step.square for step in self.position.steps(self.chosen) if step.square] if self.chosen else []
        scene = self.game.scene(
            self.position, self.last, self.seat, before=self.before, chosen=self.chosen, targets=targets
        )
        result = self.position.result
        scene = scene if result is None else scene.ended(result.winners)
        return replace(scene, caption=self.caption) if self.caption else scene


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a guide: a title, Markdown as Discord renders it, and the diagrams in their order."""

    title: str
    text: str
    diagrams: tuple[Diagram, ...] = ()
    aside: bool = False
    """Whether the game can be learned without this page."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The value of one line of a diagram, with its file and line."""

    text: str
    where: str


_ABSENT: Final = _Entry("", "")


@dataclass(slots=True)
class _Draft:
    title: str
    lines: list[str] = field(default_factory=list)
    diagrams: list[Diagram] = field(default_factory=list)

    def page(self) -> Page:
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip()
        return Page(self.title, text, tuple(self.diagrams), self.title == _ASIDE)


@cache
def guide(game: Game, variant: Variant | None = None) -> tuple[Page, ...]:
    """Return the pages of the ``guide.md`` in a game's folder, for a variant or else the first one.

    A game without one has its summary for a guide. Raises ``ValueError`` with file and line for a malformed guide.
    """
    file = Path(inspect.getfile(type(game))).with_name("guide.md")
    if not file.is_file():
        return (Page(game.name, game.summary),)
    return read(file.read_text(encoding="utf-8"), game, f"{game.key}/guide.md", variant)


def read_like(text: str, game: Game, source: str, variant: Variant) -> tuple[Page, ...]:
    """Return the pages of a translated guide, with the same pages as asides.

    Raises ``ValueError`` like ``read``, and if pages or diagrams differ from those of the game's own guide.
    """
    own, pages = guide(game, variant), read(text, game, source, variant)
    if len(own) != len(pages):
        raise ValueError(f"{source}: {len(pages)} pages for {variant.key}, not {len(own)}")
    for ours, page in zip(own, pages, strict=True):
        own_bare, bare = ([replace(diagram, caption="") for diagram in each.diagrams] for each in (ours, page))
        if own_bare != bare:
            raise ValueError(f"{source}: the diagrams on the page {page.title!r} are not those of {ours.title!r}")
    return tuple(replace(page, aside=ours.aside) for ours, page in zip(own, pages, strict=True))


@cache
def differs_by_variant(game: Game) -> bool:
    return len({guide(game, variant) for variant in game.variants}) > 1


def read(text: str, game: Game, source: str, variant: Variant | None = None) -> tuple[Page, ...]:
    """Return the pages of a guide's ``text`` for a variant, or else the first one.

    Raises ``ValueError`` with ``source`` and line if the text is wrong.
    """
    meant = variant or game.variants[0]
    drafts: list[_Draft] = []
    lines = _lines_for(meant, text, game, source)
    for number, line in lines:
        where = f"{source}, line {number}"
        if line.startswith("## "):
            drafts.append(_Draft(line.removeprefix("## ").strip()))
        elif not drafts:
            if line.strip() and not line.startswith("# "):
                raise ValueError(f"{where}: text before the first page, which a line '## Heading' begins")
        elif line.startswith("```"):
            block = _block(lines, where)
            if line.strip() == "```diagram":
                drafts[-1].diagrams.append(_diagram(block, game, meant, source, number))
            else:
                drafts[-1].lines += [line, *(content for _, content in block), "```"]
        else:
            drafts[-1].lines.append(line.rstrip())
    if not drafts:
        raise ValueError(f"{source}: no page, which a line '## Heading' begins")
    return tuple(draft.page() for draft in drafts)


def _lines_for(variant: Variant, text: str, game: Game, source: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of ``text`` for a variant, without the marks around them."""
    opened, applies = 0, True
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith(":::"):
            if applies:
                yield number, line
            continue
        patterns = line.removeprefix(":::").split()
        if bool(patterns) == bool(opened):
            raise ValueError(f"{source}, line {number}: variants are named where a part for them begins, nowhere else")
        for pattern in patterns:
            if not any(fnmatchcase(other.key, pattern) for other in game.variants):
                raise ValueError(f"{source}, line {number}: {game.name} has no variant {pattern!r}")
        opened = number if patterns else 0
        applies = not patterns or any(fnmatchcase(variant.key, pattern) for pattern in patterns)
    if opened:
        raise ValueError(f"{source}, line {opened}: this part for some variants is never closed")


def _block(lines: Iterator[tuple[int, str]], where: str) -> list[tuple[int, str]]:
    """Take the numbered lines of a fenced block, up to its closing fence."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if line.strip() == "```":
            return block
        block.append((number, line))
    raise ValueError(f"{where}: this fenced block is never closed")


def _diagram(block: list[tuple[int, str]], game: Game, variant: Variant, source: str, opened: int) -> Diagram:
    entries: dict[str, _Entry] = {}
    for number, line in block:
        key, colon, value = (part.strip() for part in line.partition(":"))
        where = f"{source}, line {number}"
        if not line.strip():
            continue
        if not colon or key not in _KEYS:
            raise ValueError(f"{where}: a line of a diagram is one of {', '.join(_KEYS)}, a colon and a value")
        if key in entries:
            raise ValueError(f"{where}: a second {key}")
        entries[key] = _Entry(value, where)
    if "position" in entries and "variant" in entries:
        raise ValueError(f"{entries['variant'].where}: a diagram starts from a position or a variant, not from both")
    if not entries.keys() & {"position", "variant", "moves"}:
        raise ValueError(f"{source}, line {opened}: a diagram needs a position, a variant or moves")
    before, last, position = _play(_start(game, variant, entries), entries.get("moves", _ABSENT))
    seat = 0
    if (said := entries.get("seat")) is not None:
        if not re.fullmatch(r"[1-9][0-9]?", said.text) or int(said.text) >= game.players.stop:
            raise ValueError(f"{said.where}: a seat is a number from 1 to {game.players.stop - 1}")
        seat = int(said.text) - 1
    entry = entries.get("chosen", _ABSENT)
    chosen = tuple(entry.text.split())
    for depth, key in enumerate(chosen):
        offered = key in (step.key for step in position.steps(chosen[:depth]))
        if not offered and not position.steps(chosen[: depth + 1]):
            raise ValueError(f"{entry.where}: {key} is no step here")
    return Diagram(game, position, before, last, seat, entries.get("caption", _ABSENT).text, chosen)


def _start(game: Game, meant: Variant, entries: dict[str, _Entry]) -> Position:
    if "position" in entries:
        try:
            return game.decode(entries["position"].text)
        except ValueError as error:
            raise ValueError(f"{entries['position'].where}: {error}") from error
    try:
        variant = game.variant(entries["variant"].text) if "variant" in entries else meant
    except KeyError as error:
        raise ValueError(f"{entries['variant'].where}: {error.args[0]}") from error
    return game.start(players=variant.players.start, **variant.options)


def _play(position: Position, moves: _Entry) -> tuple[Position | None, Move | None, Position]:
    """Return the position before the last of ``moves``, that move, and the position after it."""
    before: Position | None = None
    last: Move | None = None
    for text in moves.text.split():
        try:
            last = position.parse(text)
        except IllegalMove as error:
            raise ValueError(f"{moves.where}: {text}: {error}") from error
        before, position = position, position.play(last)
    return before, last, position
