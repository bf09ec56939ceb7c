"""``python -m tests.sentences [path ...]``: every text people can be shown, read out of the source.

    python -m tests.sentences                          all of them
    python -m tests.sentences bot/views bot/games      those of these folders or files

What is listed is found, not kept by hand: every string of the program that has words in it, f-strings with what is
filled in between braces, the help of the command line, the demo page's strings and the guides. Left out is what only
programmers read: docstrings, log lines, and names such as those of columns or keys. ``residue`` says what a text that
was shown holds beyond this list, and a test plays a match and holds it to be nothing.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = ("bot", "renderers")
NOT_SHOWN = ("bot/storage/tables/", "bot/storage/migrations/")
"""Code whose texts go to the database alone."""

_NAME = re.compile(r"\w+([_:/=.-]\w*)+|\S*[/\\(\[^|]\S*|--\S+")
"""What is no word of a sentence: a key or column, a path, a pattern, an option of the command line."""
_WORD = re.compile(r"[^\W\d_]{2}")
_SINGLE = re.compile(r"[a-z]+")
_SCRIPT_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                                              # a comment
    |(?<=[\s(\[])/(?![\s/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/\w*         # a pattern
    |(?P<template>`(?:\\.|\$\{(?:[^{}`]|`[^`]*`)*\}|[^`\\])*`)
    |(?P<string>"(?:\\.|[^"\\\n])*")""",
    re.VERBOSE | re.DOTALL,
)
_FILLED_IN = re.compile(r"\$\{((?:[^{}`]|`[^`]*`)*)\}")
_TAG = re.compile(r"<[^>]*>")
_ATTRIBUTE = re.compile(r"(?:title|placeholder|alt|content|aria-label)=\"([^\"]*)\"")
_PLACEHOLDER = re.compile(r"\{\w+\}")
_LOGS = {"log", "logger", "logging"}


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the program: where it stands, and its words with what is filled in between braces.

    ``pieces`` are the letters of it that are shown as they stand.
    """

    path: str
    line: int
    words: str
    pieces: tuple[str, ...]


def texts(folders: Iterable[str] = PROGRAM) -> list[Text]:
    """Return every text of these folders, by file and line."""
    found: list[Text] = []
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*")):
            path = file.relative_to(ROOT).as_posix()
            if not path.startswith(NOT_SHOWN):
                found += _of_file(path, file)
    return found


def _of_file(path: str, file: Path) -> Iterable[Text]:
    match file.suffix:
        case ".py":
            return in_python(path, file.read_text(encoding="utf-8"))
        case ".js" | ".html":
            return in_page(path, file.read_text(encoding="utf-8"))
        case ".md" if file.name == "guide.md":
            return in_guide(path, file.read_text(encoding="utf-8"))
    return ()


def in_python(path: str, source: str) -> list[Text]:
    """Return the texts of a module."""
    reader = _Reader(path)
    reader.visit(ast.parse(source))
    return sorted(reader.found, key=lambda text: text.line)


def in_page(path: str, source: str) -> list[Text]:
    """Return the texts of a script or page of the demo."""
    if path.endswith(".html"):
        every = [*_ATTRIBUTE.findall(source), *_TAG.sub("\n", source).splitlines()]
        return [text for words in every if (text := _text(path, 1, words.strip(), [words])) is not None]
    found = []
    for token in _SCRIPT_TOKEN.finditer(source):
        words, line = (token["template"] or token["string"] or "")[1:-1], source.count("\n", 0, token.start()) + 1
        nested = [inner for filled in _FILLED_IN.findall(words) for inner in in_page(path, filled)]
        pieces = _FILLED_IN.split(words)[::2] if token["template"] else [words]
        found.append(_text(path, line, words, [*pieces, *(piece for text in nested for piece in text.pieces)]))
    return [text for text in found if text is not None]


def in_guide(path: str, source: str) -> list[Text]:
    """Return the lines of a guide, and of its diagrams the captions."""
    found, block = [], False
    for line, words in enumerate(source.splitlines(), 1):
        block ^= words.startswith("```")
        shown = words.partition("caption: ")[2] if block else words
        found.append(_text(path, line, shown, [shown]))
    return [text for text in found if text is not None]


def _text(path: str, line: int, words: str, pieces: Iterable[str]) -> Text | None:
    """Return a text, or None for what has no words in it."""
    with_words = tuple(piece for piece in pieces if _WORD.search(piece))
    return None if _NAME.fullmatch(words) or not with_words else Text(path, line, words, with_words)


class _Reader(ast.NodeVisitor):
    """Collects the texts of a module."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Text] = []

    def _add(self, node: ast.expr, words: str, pieces: Iterable[str]) -> None:
        text = _text(self.path, node.lineno, words, pieces)
        if text is not None:
            self.found.append(text)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._add(node, node.value, _PLACEHOLDER.split(node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        words = ast.unparse(node)[2:-1].replace("\\n", "\n")
        constants = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
        self._add(node, words, [value for value in constants if isinstance(value, str)])

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in _LOGS:
            return
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            self.visit(node.slice)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        commands = [one for one in node.decorator_list if ast.unparse(one).startswith("app.command(")]
        if commands and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
            self.visit(node.body[0].value)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


def residue(shown: str, known: Listing, names: Iterable[str] = ()) -> list[str]:
    """Return the words of a shown text that are neither among ``names`` nor part of a listed text.

    The words of a listed text must follow one another. A placeholder splits a listed text; each part counts by itself.
    A word that is listed by itself counts in the plural, too.
    """
    words, named = _words(shown), {name.casefold() for name in names}
    listed = [word in named or (word.removesuffix("s"),) in known.get(word.removesuffix("s"), ()) for word in words]
    for at in range(len(words)):
        for phrase in known.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                listed[at : at + len(phrase)] = [True] * len(phrase)
    return [word for word, found in zip(words, listed, strict=True) if not found]


Listing = Mapping[str, Collection[tuple[str, ...]]]
"""The phrases of all listed texts by their first word."""


def listing(known: Iterable[Text]) -> Listing:
    """Return what ``residue`` compares with."""
    found: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for phrase in {tuple(_words(piece)) for text in known for piece in text.pieces} - {()}:
        found[phrase[0]].add(phrase)
    return found


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", re.sub(r"<[@#/t:][^>]*>|https?://\S+", " ", text).casefold())


def main(wanted: Sequence[str]) -> None:
    """Print every text, file by file."""
    shown = [text for text in texts() if not wanted or text.path.startswith(tuple(wanted))]
    for path, group in groupby(shown, key=lambda text: text.path):
        print(f"\n{path}")
        first: dict[str, int] = {}
        for text in group:
            first.setdefault(text.words, text.line)
        for words, line in first.items():
            if not _SINGLE.fullmatch(words):
                indented = words.strip("\n").replace("\n", f"\n{'':8}")
                print(f"{line:>6}  {indented}")
        single = sorted(words for words in first if _SINGLE.fullmatch(words))
        if single:
            print(f"{'words':>6}  {', '.join(single)}")


if __name__ == "__main__":
    main(sys.argv[1:])
