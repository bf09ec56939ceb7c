"""A pytest plugin: modules are compiled once for all processes of all runs, and before these begin.

pytest compiles assertions anew, which takes ten times as long as running what it has compiled before. Each process of a
run would do it for the whole tree at the same time, and for every run where ``PYTHONDONTWRITEBYTECODE`` is set: 6 s a
process.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.assertion import AssertionState, rewrite

ROOT = Path(__file__).parents[2]
REWRITTEN = ("bot", "renderers", "tests")

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile what has changed, on all cores, before the processes of this run start."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return
    changed = [file for folder in REWRITTEN for file in (ROOT / folder).rglob("*.py") if not _is_compiled(file)]
    cores = os.cpu_count() or 1
    parts = [part for first in range(cores) if (part := changed[first::cores])]
    processes = [multiprocessing.get_context("fork").Process(target=_compile, args=(config, part)) for part in parts]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _compiled(file: Path) -> Path:
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"


def _is_compiled(file: Path) -> bool:
    compiled = _compiled(file)
    return compiled.exists() and compiled.stat().st_mtime > file.stat().st_mtime


def _compile(config: pytest.Config, files: Sequence[Path]) -> None:
    """Do the work of pytest before the first import of a module; there is no public function for it."""
    for file in files:
        compiled = _compiled(file)
        rewrite.try_makedirs(compiled.parent)
        source_hash, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(AssertionState(config, "rewrite"), code, source_hash, compiled)
