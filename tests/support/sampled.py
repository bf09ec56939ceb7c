"""Cases: the quick tests try a sample, and the slow ones the rest."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def sampled(cases: Collection[Any], *, every: int, ids: Collection[str] | None = None) -> list[Any]:
    """Return parameters: one case of ``every`` few for the quick tests, the others marked ``slow``.

    A case that is a tuple stands for several parameters. ``ids`` are the names of the cases, if their own texts do not
    name them.
    """
    names = [None] * len(cases) if ids is None else list(ids)
    marks = [pytest.mark.slow if at % every else () for at in range(len(cases))]
    values = [case if type(case) is tuple else (case,) for case in cases]
    return [pytest.param(*value, marks=mark, id=name) for value, mark, name in zip(values, marks, names, strict=True)]


def sampled_together(cases: Sequence[T], by: Callable[[T], str], *, every: int) -> list[Any]:
    """Return parameters, each of them cases that one test tries one after the other.

    The quick tests try one case of ``every`` few, all in one test. The others are marked ``slow``: those for which
    ``by`` gives the same name are in one test.
    """
    together: dict[str, list[T]] = {}
    for case in (case for at, case in enumerate(cases) if at % every):
        together.setdefault(by(case), []).append(case)
    others = [pytest.param(tuple(some), marks=pytest.mark.slow, id=name) for name, some in together.items()]
    return [pytest.param(tuple(cases[::every]), id=f"one of {every}"), *others]


async def each(cases: Iterable[T], tried: Callable[[T], Awaitable[None]]) -> None:
    """Try each case, also after one that failed; fail in the end with all failures, which say what case they are of."""
    failures = {}
    for case in cases:
        logging.getLogger("tests").warning("the case %s", case)  # precedes what the bot logs in it
        try:
            await tried(case)
        except Exception as failure:
            failure.add_note(f"the case {case}")
            failures[str(case)] = failure
    if failures:
        raise ExceptionGroup(f"failed: {', '.join(failures)}", list(failures.values()))
