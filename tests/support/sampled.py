"""Cases: the quick tests try a sample, and the slow ones the rest."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest


def sampled(cases: Collection[Any], *, every: int, ids: Collection[str] | None = None) -> list[Any]:
    """Return parameters: one case of ``every`` few for the quick tests, the others marked ``slow``.

    A case that is a tuple stands for several parameters. ``ids`` are the names of the cases, if their own texts do not
    name them.
    """
    names = [None] * len(cases) if ids is None else list(ids)
    marks = [pytest.mark.slow if at % every else () for at in range(len(cases))]
    values = [case if type(case) is tuple else (case,) for case in cases]
    return [pytest.param(*value, marks=mark, id=name) for value, mark, name in zip(values, marks, names, strict=True)]
