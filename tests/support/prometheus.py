"""The part of Prometheus' language that the alerts and the dashboard use, over what processes tell on their pages.

A scrape is what each target told at one moment. ``evaluate`` answers an expression as Prometheus would after two of
them; ``rate`` and ``increase`` are taken between the two, so a series that only the later one has shows neither.
``promtool`` holds it to that (``tests/operation/test_watching.py``).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt

from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]
Vector = Mapping[Labels, float]
Series = Mapping[tuple[str, Labels], float]

_TOKEN = re.compile(r'\s*("[^"]*"|\[[^\]]*\]|=~|==|>=|<=|[A-Za-z_:][\w:]*|\d+(?:\.\d+)?|[(){},/<>=])')
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {"==": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_AGGREGATIONS: dict[str, Callable[[list[float]], float]] = {"max": max, "min": min, "sum": math.fsum, "count": len}


@dataclass(frozen=True)
class Scrape:
    """What all targets told at a time in seconds."""

    at: float
    series: Series


def scraped(at: float, pages: Mapping[str, str | None]) -> Scrape:
    """Return a scrape of the pages of targets, by name; None stands for one that does not answer."""
    found: dict[tuple[str, Labels], float] = {}
    for instance, text in pages.items():
        own = {("job", "tavoliere"), ("instance", instance)}
        found["up", frozenset(own)] = float(text is not None)
        for family in text_string_to_metric_families(text or ""):
            for sample in family.samples:
                found[sample.name, frozenset(own | set(sample.labels.items()))] = sample.value
    return Scrape(at, found)


def evaluate(expression: str, earlier: Scrape, later: Scrape) -> Vector:
    """Return the vector of an expression, empty where Prometheus would have nothing."""
    parser = _Parser(list(_TOKEN.findall(expression)), earlier, later)
    found = parser.comparison()
    assert not parser.tokens, f"{expression}: {parser.tokens} is left"
    return {frozenset(): found} if isinstance(found, float) else found


class _Parser:
    def __init__(self, tokens: list[str], earlier: Scrape, later: Scrape) -> None:
        self.tokens = tokens
        self._earlier = earlier
        self._later = later

    def comparison(self) -> Vector | float:
        left = self._quotient()
        if not self.tokens or self.tokens[0] not in _COMPARISONS:
            return left
        compare, right = _COMPARISONS[self.tokens.pop(0)], self._quotient()
        return {labels: one for labels, one, other in _paired(left, right) if compare(one, other)}

    def _quotient(self) -> Vector | float:
        left = self._atom()
        if not self._taken("/"):
            return left
        right = self._atom()
        return {labels: one / other if other else math.nan for labels, one, other in _paired(left, right)}

    def _atom(self) -> Vector | float:
        name = self.tokens.pop(0)
        if re.fullmatch(r"\d+(\.\d+)?", name):
            return float(name)
        if name in _AGGREGATIONS or name == "topk":
            return self._aggregated(name)
        if self.tokens[:1] == ["("]:
            return self._function(name)
        return self._selector(name)(self._later.series)

    def _aggregated(self, name: str) -> Vector:
        kept = self._labels() if self._taken("by") else []
        *parameters, vector = self._arguments()
        assert not isinstance(vector, float)
        kept = kept or (self._labels() if self._taken("by") else [])
        if name == "topk":
            (most,) = parameters
            return dict(sorted(vector.items(), key=lambda one: -one[1])[: int(most)])  # type: ignore[arg-type]
        groups: defaultdict[Labels, list[float]] = defaultdict(list)
        for labels, value in vector.items():
            groups[frozenset(pair for pair in labels if pair[0] in kept)].append(value)
        return {labels: float(_AGGREGATIONS[name](values)) for labels, values in groups.items()}

    def _function(self, name: str) -> Vector:
        if name in ("rate", "increase"):
            self._expect("(")
            chosen = self._selector(self.tokens.pop(0))
            first, last = chosen(self._earlier.series), chosen(self._later.series)
            seconds = _seconds(self.tokens.pop(0))
            self._expect(")")
            apart, each = self._later.at - self._earlier.at, seconds if name == "rate" else 1.0
            return {
                labels: _increase(first[labels], value, apart, seconds) / each
                for labels, value in last.items()
                if labels in first
            }
        arguments = self._arguments()
        vector = arguments[-1]
        if name == "vector":
            assert isinstance(vector, float)
            return {frozenset(): vector}
        assert not isinstance(vector, float)
        if name == "absent":
            return {} if vector else {frozenset(): 1.0}
        if name == "abs":
            return {labels: abs(value) for labels, value in vector.items()}
        assert name == "histogram_quantile", name
        share = arguments[0]
        assert isinstance(share, float)
        return _quantile(share, vector)

    def _selector(self, name: str) -> Callable[[Series], Vector]:
        """Return a function that chooses the series of a name, with the labels that are wanted of it."""
        wanted: list[tuple[str, str, str]] = []
        if self._taken("{"):
            while not self._taken("}"):
                label, sign, value = (self.tokens.pop(0) for _ in range(3))
                wanted.append((label, sign, value.strip('"')))
                self._taken(",")
        return lambda series: {
            labels: value
            for (known, labels), value in series.items()
            if known == name and all(_fits(dict(labels).get(label, ""), sign, text) for label, sign, text in wanted)
        }

    def _labels(self) -> list[str]:
        self._expect("(")
        found = []
        while not self._taken(")"):
            found.append(self.tokens.pop(0))
            self._taken(",")
        return found

    def _arguments(self) -> list[Vector | float]:
        self._expect("(")
        found = [self.comparison()]
        while self._taken(","):
            found.append(self.comparison())
        self._expect(")")
        return found

    def _taken(self, token: str) -> bool:
        if self.tokens[:1] != [token]:
            return False
        self.tokens.pop(0)
        return True

    def _expect(self, token: str) -> None:
        assert self._taken(token), f"{token} wanted before {self.tokens}"


def _seconds(span: str) -> float:
    """Return the seconds of a range, such as ``[5m]``; that of the dashboard is taken for five minutes."""
    number, unit = span[1:-2], span[-2:-1]
    return 300.0 if span == "[$__rate_interval]" else float(number) * {"s": 1, "m": 60, "h": 3600}[unit]


def _increase(first: float, last: float, apart: float, seconds: float) -> float:
    """Return the increase of a counter in so many seconds, of which two values so many seconds ``apart`` are known.

    What came before the first one is guessed: half as much again, but not from below 0.
    """
    increase = last - first if last >= first else last
    before = seconds - apart
    if increase > 0:
        before = min(before, apart * first / increase)
    known = apart + (before if before < apart * 1.1 else apart / 2)
    return increase * known / apart


def _fits(value: str, sign: str, wanted: str) -> bool:
    return value == wanted if sign == "=" else re.fullmatch(wanted, value) is not None


def _paired(left: Vector | float, right: Vector | float) -> Iterator[tuple[Labels, float, float]]:
    """Yield the values of two operands that belong together."""
    for labels, value in left.items() if not isinstance(left, float) else [(frozenset(), left)]:
        other = right if isinstance(right, float) else right.get(labels)
        if other is not None:
            yield labels, value, other


def _quantile(share: float, buckets: Vector) -> Vector:
    groups: defaultdict[Labels, list[tuple[float, float]]] = defaultdict(list)
    for labels, value in buckets.items():
        bounds = dict(labels)
        groups[frozenset(pair for pair in labels if pair[0] != "le")].append((float(bounds["le"]), value))
    return {labels: _within(share, sorted(counts)) for labels, counts in groups.items()}


def _within(share: float, counts: Sequence[tuple[float, float]]) -> float:
    total = counts[-1][1]
    if not total:
        return math.nan
    rank, below, floor = share * total, 0.0, 0.0
    for bound, count in counts:
        if count >= rank:
            return floor if math.isinf(bound) else floor + (bound - floor) * (rank - below) / max(count - below, 1e-9)
        below, floor = count, bound
    return floor
