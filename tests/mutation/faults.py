"""Where faults can be planted in a source file, the choice of some by a seed, and the planting of them."""

from __future__ import annotations

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

SUBJECTS: Mapping[str, Sequence[str]] = {
    "clocks": (
        "bot/matches/model/pace.py",
        "bot/matches/model/rest.py",
        "bot/matches/writing/clocks.py",
        "bot/matches/downtime.py",
        "bot/matches/services/forfeits.py",
        "bot/matches/services/graces.py",
        "bot/matches/services/absences.py",
    ),
    "ratings": ("bot/matches/model/rating.py", "bot/matches/writing/results.py", "bot/storage/*rating*.py"),
    "outbox": ("bot/storage/outbox.py", "bot/delivery/*.py", "bot/matches/writing/outbox_messages.py"),
    "cups": ("bot/matches/*/cups.py", "bot/matches/services/cup_queries.py", "bot/storage/cups.py"),
    "ladder": ("bot/matches/*/ladders.py", "bot/storage/ladders.py"),
    "plans": ("bot/matches/model/plan.py", "bot/matches/services/plans.py", "bot/matches/writing/move_log.py"),
    "mentions": (
        "bot/storage/mentions.py",
        "bot/storage/notices.py",
        "bot/delivery/handlers/turn.py",
        "bot/matches/model/usual_hours.py",
    ),
    "privacy": (
        "bot/matches/services/privacy.py",
        "bot/matches/model/personal_data.py",
        "bot/matches/services/departures.py",
        "bot/storage/people.py",
        "bot/storage/blocks.py",
        "bot/storage/erasure.py",
        "bot/storage/guilds.py",
    ),
    "links": (
        "bot/matches/model/page_links.py",
        "bot/matches/services/page_access.py",
        "bot/storage/page_access.py",
        "bot/web/guards.py",
    ),
    "eligibility": (
        "bot/matches/services/eligibility.py",
        "bot/storage/abuse_counters.py",
        "bot/matches/services/fair_play.py",
    ),
    "rules": ("bot/games/*/rules.py", "bot/games/*/board.py", "bot/games/*/moves.py", "bot/games/gyges/[cl]*.py"),
}
"""Patterns of the files of each subject."""
_SWAPS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("boundary", "< <="),
    ast.LtE: ("boundary", "<= <"),
    ast.Gt: ("boundary", "> >="),
    ast.GtE: ("boundary", ">= >"),
    ast.Eq: ("comparison", "== !="),
    ast.NotEq: ("comparison", "!= =="),
    ast.Is: ("comparison", "is is not"),
    ast.IsNot: ("comparison", "is not is"),
    ast.In: ("comparison", "in not in"),
    ast.NotIn: ("comparison", "not in in"),
    ast.Add: ("arithmetic", "+ -"),
    ast.Sub: ("arithmetic", "- +"),
    ast.Mult: ("arithmetic", "* +"),
    ast.FloorDiv: ("arithmetic", "// *"),
    ast.Mod: ("arithmetic", "% +"),
}
_OF_TWO = {kind for _, kind in _SWAPS.values()}
_IMPORT = "from planted_fault import planted"
_UNSEEN_CALLS = ("log", "_log", "logger", "metrics", "warnings")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a function: its group and kind, the text it changes, and how many equal ones come before it there."""

    subject: str
    file: str
    function: str
    group: str
    kind: str
    text: str
    occurrence: int


def choose(tree: Path, count: int, seed: int) -> list[Fault]:
    """Return faults, evenly over the subjects and the groups of faults, in an order whose beginnings are even, too."""
    chance = random.Random(seed)
    by_subject = {subject: _ordered(_of_subject(tree, subject), chance) for subject in SUBJECTS}
    chosen: list[Fault] = []
    for subject in cycle(SUBJECTS):
        if len(chosen) == count or not any(by_subject.values()):
            return chosen
        if by_subject[subject]:
            chosen.append(by_subject[subject].pop())
    return chosen


def _of_subject(tree: Path, subject: str) -> list[Fault]:
    files = sorted({file for pattern in SUBJECTS[subject] for file in tree.glob(pattern)})
    return [fault for file in files for fault, _ in _sites(tree, file, subject)]


def _ordered(faults: Iterable[Fault], chance: random.Random) -> list[Fault]:
    """Return faults in a chance order in which the groups take turns."""
    groups = defaultdict(list)
    for fault in faults:
        groups[fault.group].append(fault)
    for group in groups.values():
        chance.shuffle(group)
    ordered = []
    while groups:
        for name in chance.sample(sorted(groups), len(groups)):
            ordered.append(groups[name].pop())
            if not groups[name]:
                del groups[name]
    return ordered[::-1]


def plant(tree: Path, faults: Sequence[Fault]) -> set[int]:
    """Put faults into the files of a tree, each by its number in the sequence; return those whose place exists."""
    numbers = {fault: number for number, fault in enumerate(faults)}
    planted = set()
    for file in sorted({fault.file for fault in faults}):
        if not (tree / file).exists():
            continue
        wrapped: dict[int, list[tuple[int, str]]] = defaultdict(list)
        module: ast.Module | None = None
        for subject in sorted({fault.subject for fault in faults if fault.file == file}):
            module = module or ast.parse((tree / file).read_text(encoding="utf-8"))
            for fault, node in _sites(tree, tree / file, subject, module):
                if fault in numbers:
                    wrapped[id(node)].append((numbers[fault], fault.kind))
                    planted.add(numbers[fault])
        if module is not None and wrapped:
            _Planting(wrapped).visit(module)
            at = next(index for index, part in enumerate(module.body) if not _stays_first(part))
            module.body.insert(at, ast.parse(_IMPORT).body[0])
            (tree / file).write_text(ast.unparse(ast.fix_missing_locations(module)), encoding="utf-8")
    return planted


def _stays_first(part: ast.stmt) -> bool:
    is_docstring = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    return is_docstring or (isinstance(part, ast.ImportFrom) and part.module == "__future__")


class _Planting(ast.NodeTransformer):
    """Wraps nodes in calls that decide while the code runs."""

    def __init__(self, wrapped: Mapping[int, Sequence[tuple[int, str]]]) -> None:
        self._wrapped = wrapped

    def visit(self, node: ast.AST) -> Any:
        """Return the node, within the calls of its faults."""
        faults = self._wrapped.get(id(node), ())
        result: Any = self.generic_visit(node)
        for number, kind in sorted(faults, key=lambda fault: fault[1] in ("true", "false")):
            result = self._with_fault(result, number, kind)
        return result

    @staticmethod
    def _with_fault(node: Any, number: int, kind: str) -> ast.AST:
        def call(*operands: ast.expr) -> ast.Call:
            decision = [ast.Constant(number), ast.Constant(kind), *operands]
            return ast.Call(func=ast.Name("planted", ast.Load()), args=decision, keywords=[])

        match node:
            case ast.Expr():
                return ast.If(test=call(ast.Constant(True)), body=[node], orelse=[])
            case ast.Return(value=ast.expr() as value):
                return ast.Return(call(value))
            case ast.Compare() if kind in _OF_TWO:
                return call(node.left, node.comparators[0])
            case ast.BinOp() if kind in _OF_TWO:
                return call(node.left, node.right)
            case _:
                return call(node)


def _sites(tree: Path, file: Path, subject: str, module: ast.Module | None = None) -> Iterator[tuple[Fault, ast.AST]]:
    """Yield each fault that a file has room for, and the node it changes, in functions that do not run at import."""
    module = module or ast.parse(file.read_text(encoding="utf-8"))
    name = str(file.relative_to(tree))
    counted: Counter[tuple[str, ...]] = Counter()
    for function, node in _functions(module):
        for group, kind, changed in _in_function(node):
            key = (function, kind, ast.unparse(changed))
            yield Fault(subject, name, function, group, kind, key[2], counted[key]), changed
            counted[key] += 1


def _functions(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    at_import: set[str] = set()
    defined = {}
    for part in module.body:
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defined[part.name] = part
        elif not isinstance(part, ast.ClassDef):
            at_import |= _called(part)
    waiting = list(at_import)
    while waiting:  # what these call runs then as well
        more = _called(defined[name]) - at_import if (name := waiting.pop()) in defined else set()
        at_import |= more
        waiting += more
    yield from ((name, node) for name, node in defined.items() if name not in at_import)
    for part in module.body:
        if isinstance(part, ast.ClassDef):
            for inner in part.body:
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield f"{part.name}.{inner.name}", inner


def _called(node: ast.AST) -> set[str]:
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return {part.id for call in calls for part in ast.walk(call) if isinstance(part, ast.Name)}


def _in_function(function: Any) -> Iterator[tuple[str, str, ast.AST]]:  # noqa: PLR0912 - a case a kind
    """Yield the groups, kinds and nodes of the faults of a function."""
    may_be_none = function.returns is not None and "None" in ast.unparse(function.returns).split(" | ")[1:]
    for node in _walk(function.body):
        match node:
            case ast.Compare(ops=[op]) if type(op) in _SWAPS:
                yield *_SWAPS[type(op)], node
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SWAPS:
                if not any(_is_sequence(operand) for operand in (left, right)):
                    yield *_SWAPS[type(op)], node
            case ast.Constant(value=bool()):
                yield "constant", "flip", node
            case ast.Constant(value=int()):
                yield "constant", "n n+1", node
            case ast.BoolOp(op=op, values=operands):
                for operand in operands:
                    if isinstance(operand, ast.Compare | ast.BoolOp | ast.UnaryOp):
                        yield "condition", "true" if isinstance(op, ast.And) else "false", operand
            case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.BoolOp):
                yield "condition", "true", test
                yield "condition", "false", test
            case ast.Return(value=ast.expr() as value) if may_be_none and not isinstance(value, ast.Constant):
                yield "returned", "None", node
            case ast.Expr(value=ast.Call() | ast.Await() as value):
                text = ast.unparse(value)
                if not text.removeprefix("await ").startswith(_UNSEEN_CALLS):
                    yield "statement", "flip", node


def _is_sequence(node: ast.AST) -> bool:
    text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return text or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple)


def _walk(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes and what is in them, except texts, assertions, errors, types and what is written to the log."""
    for node in nodes:
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise | ast.arguments | ast.Global):
            continue
        if isinstance(node, ast.Expr) and ast.unparse(node).startswith(_UNSEEN_CALLS):
            continue
        yield node
        if isinstance(node, ast.AnnAssign):
            yield from _walk([node.value] if node.value else [])
        else:
            yield from _walk(list(ast.iter_child_nodes(node)))
