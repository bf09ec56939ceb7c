"""The faults that are planted: chosen alike each time, without effect until one is active, and then a single one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mutation import faults, planted_fault
from tests.mutation.faults import choose, plant

SOURCE = '''"""A module."""
from __future__ import annotations


def late(hours: int, limit: int, *, told: bool) -> int | None:
    if hours >= limit and not told:
        return hours - limit
    return None
'''


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with one module, which is the subject of all faults."""
    monkeypatch.setattr(faults, "SUBJECTS", {"lateness": ("late.py",)})
    (tmp_path / "late.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def outcomes(source: str) -> list[Any]:
    """Return what the function of the module returns."""
    scope: dict[str, Any] = {"planted": planted_fault.planted}
    exec(source.replace("from planted_fault import planted", ""), scope)
    late = scope["late"]
    return [late(3, 3, told=False), late(5, 3, told=False), late(5, 3, told=True), late(2, 3, told=False)]


def test_the_same_seed_chooses_the_same_faults(tree: Path) -> None:
    assert choose(tree, 5, 46) == choose(tree, 5, 46) != choose(tree, 5, 47)


def test_a_planted_tree_does_what_it_did(tree: Path) -> None:
    chosen = choose(tree, 100, 46)
    assert plant(tree, chosen) == set(range(len(chosen)))
    assert outcomes((tree / "late.py").read_text(encoding="utf-8")) == outcomes(SOURCE) == [0, 2, None, None]


def test_each_fault_changes_something_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = choose(tree, 100, 46)
    plant(tree, chosen)
    changed = {}
    for number, fault in enumerate(chosen):
        monkeypatch.setattr(planted_fault, "active", number)
        changed[fault.kind, fault.text] = outcomes((tree / "late.py").read_text(encoding="utf-8"))
    assert [0, 2, None, None] not in changed.values()
    assert changed[">= >", "hours >= limit"] == [None, 2, None, None]
    assert changed["true", "not told"] == [0, 2, 2, None]
    assert changed["- +", "hours - limit"] == [6, 8, None, None]


def test_a_fault_is_found_again_where_other_lines_have_changed(tree: Path) -> None:
    chosen = choose(tree, 100, 46)
    (tree / "late.py").write_text(SOURCE.replace("hours - limit", "limit - hours"), encoding="utf-8")
    gone = {number for number, fault in enumerate(chosen) if "hours - limit" in fault.text}
    assert plant(tree, chosen) == set(range(len(chosen))) - gone
