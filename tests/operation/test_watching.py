"""The rules and panels for Prometheus and Grafana name only metrics and labels that exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY

from bot.cluster import figures
from bot.storage.database import Database
from bot.telemetry import metrics
from tests.support.processes.processes import ROOT

ALERTS: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8"))
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "dashboard.json").read_text(encoding="utf-8"))
RULES = ALERTS["groups"][0]["rules"]
PROMETHEUS_OWN = {"le", "job", "instance"}
"""Labels that Prometheus adds itself."""


def panels() -> Iterator[tuple[str, str, str]]:
    """Return title, expression and legend of every line of the dashboard."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"], target["legendFormat"]


@pytest.fixture
async def known(tmp_path: Path, empty_database: Path) -> dict[str, set[str]]:
    """The names under which the bot tells of each metric, and their labels."""
    database = Database(f"sqlite+aiosqlite:///{empty_database}")
    whole = await figures.of_database(database, datetime.now(UTC), timedelta(minutes=3))
    await database.close()
    metrics.BUILD.info({"version": "1"})
    found = {"up": set[str]()}
    for registry in (REGISTRY, whole):
        for name, collector in registry._names_to_collectors.items():
            if name.startswith("tavoliere_") and not name.endswith("_created"):
                found[name] = {*getattr(collector, "_labelnames", ())}
    found["tavoliere_build_info"] = {"version"}
    return found


def wrong(expression: str, legend: str, known: dict[str, set[str]]) -> list[str]:
    """Return what an expression names that there is not."""
    named = re.findall(r"\b(tavoliere_\w+|up)\b(?:\{([^}]*)\})?", expression)
    labels = {label for name, _ in named for label in known.get(name, ())} | PROMETHEUS_OWN
    used = {label for _, chosen in named for label in re.findall(r"(\w+)\s*=", chosen)}
    used |= {label.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(",")}
    used |= set(re.findall(r"\{\{(\w+)\}\}", legend))
    return [name for name, _ in named if name not in known] + sorted(used - labels)


def test_every_alert_is_about_metrics_and_labels_that_there_are(known: dict[str, set[str]]) -> None:
    assert {rule["alert"]: wrong(rule["expr"], "", known) for rule in RULES} == {rule["alert"]: [] for rule in RULES}
    assert wrong("max(tavoliere_nothing) by (colour)", "", known) == ["tavoliere_nothing", "colour"]


def test_every_panel_is_about_metrics_and_labels_that_there_are(known: dict[str, set[str]]) -> None:
    found = {f"{title}: {expression}": wrong(expression, legend, known) for title, expression, legend in panels()}
    assert {line: names for line, names in found.items() if names} == {}
    assert len(found) > 20


def test_every_alert_says_what_to_do_and_stands_on_the_page_for_operators() -> None:
    page = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    for rule in RULES:
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"].endswith(".")
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["alert"].removeprefix("Tavoliere") in page, rule["alert"]


def test_the_outcomes_that_an_alert_names_are_those_the_bot_tells(known: dict[str, set[str]]) -> None:
    (failing,) = (rule["expr"] for rule in RULES if rule["alert"] == "TavoliereAnswersFail")
    told = {"failed", "unavailable", "unacknowledged"}
    (named,) = re.findall(r'outcome=~"([^"]+)"', failing)
    assert set(named.split("|")) == told
