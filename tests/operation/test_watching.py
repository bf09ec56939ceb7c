"""The rules and panels for Prometheus and Grafana name only metrics and labels that exist."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot import __version__
from bot.cluster import figures
from bot.storage.database import Database
from bot.telemetry import metrics
from tests.operation.conftest import Start
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import ROOT, Running, command

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


QUIET = {"TavoliereNoSpare"}
"""Alerts that are true where one bot runs alone."""


needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool")
Scrape = dict[str, float]
"""What all targets told at one moment, by series."""


def scraped(pages: Mapping[str, str]) -> Scrape:
    """Return a scrape of the pages of targets, by name."""
    found: Scrape = {}
    for instance, text in pages.items():
        own = {"job": "tavoliere", "instance": instance}
        samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
        for name, labels, value in [("up", {}, 1.0), *((one.name, one.labels, one.value) for one in samples)]:
            labelled = (f"{key}={json.dumps(text)}" for key, text in (own | labels).items())
            found[f"{name}{{{','.join(labelled)}}}"] = value
    return found


async def told_by(*ports: int) -> tuple[Scrape, Scrape]:
    """Return two scrapes of processes, an answer of the page for machines apart."""
    first, second = [scraped({f"{port}": (await page(port, "metrics"))[1] for port in ports}) for _ in range(2)]
    return first, second


def showing(expressions: Iterable[str], scrapes: tuple[Scrape, Scrape], folder: Path) -> set[str]:
    """Return the expressions that have a value, by Prometheus' own tool, after two scrapes with 15 seconds between."""
    earlier, later = scrapes
    given = [{"series": name, "values": f"{earlier.get(name, '_')} {value}"} for name, value in later.items()]
    asked = {one.replace("$__rate_interval", "5m"): one for one in expressions}
    wanted = [{"expr": one, "eval_time": "15s", "exp_samples": []} for one in asked]
    test = {"interval": "15s", "input_series": given, "promql_expr_test": wanted}
    file = folder / "test.yaml"
    file.write_text(json.dumps({"rule_files": [], "evaluation_interval": "15s", "tests": [test]}))
    told = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True, check=False)
    # What has a value is told as a failure of a test that expects none.
    found = re.findall(r'expr: ("(?:[^"\\]|\\.)*"), time: 15s,\s+exp: nil\s+got: .', told.stdout + told.stderr)
    assert bool(found) == bool(told.returncode), told.stdout + told.stderr
    return {asked[json.loads(one)] for one in found}


def firing(scrapes: tuple[Scrape, Scrape], folder: Path) -> set[str]:
    """Return the alerts that are red."""
    names = {rule["expr"]: rule["alert"] for rule in RULES}
    return {names[one] for one in showing(names, scrapes, folder)}


@needs_promtool
async def test_no_alert_is_red_and_the_dashboard_shows_something_while_one_bot_runs(
    discord: Loopback, start: Start, port: int, tmp_path: Path
) -> None:
    with discord.held("GET /gateway"):
        await start(metrics_port=port)
        await discord.until(lambda: discord.waiting)
        early = await told_by(port)
    assert firing(early, tmp_path) <= QUIET | {"TavoliereUnserved", "TavoliereShardsAway"}
    async with asyncio.timeout(60):
        while (await page(port, "ready"))[0] != 200:
            await asyncio.sleep(0.1)
    await played(discord, await begun(discord), "c3")
    scrapes = await told_by(port)
    assert firing(scrapes, tmp_path) == QUIET
    shown = {expression for _, expression, _ in panels()}
    assert shown - showing(shown, scrapes, tmp_path) == {
        'count(tavoliere_process{role="bot",state="standing by"})',
        "sum(increase(tavoliere_matches_over_total[1h]))",
        "sum by (how) (increase(tavoliere_takeovers_total[1h]))",
        "sum by (reason) (rate(tavoliere_transactions_retried_total[$__rate_interval]))",
    }


@needs_postgresql
@needs_promtool
@pytest.mark.slow
async def test_no_alert_is_red_while_a_bot_its_spare_and_a_thinker_run(
    discord: Loopback, start: Start, server: str, tmp_path: Path
) -> None:
    ports = [free_port() for _ in range(3)]
    await (await start(database_url=server, metrics_port=ports[0])).ready()
    spare = await start(database_url=server, metrics_port=ports[1])
    await spare.logged("standing by: another bot is active")
    settings: dict[str, Any] = {"database_url": server, "metrics_port": ports[2], "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", **settings))
    await thinker.logged("thinking")
    for one in ports:
        assert f'tavoliere_build_info{{version="{__version__}"}} 1.0' in (await page(one, "metrics"))[1]
    assert "tavoliere_identifies_left " not in (await page(ports[2], "metrics"))[1]
    assert "\ntavoliere_shards " not in (await page(ports[2], "metrics"))[1]
    for some in (ports[1:], ports[2:]):
        assert firing(await told_by(*some), tmp_path) <= QUIET
    await played(discord, await begun(discord), "c3")
    assert firing(await told_by(*ports), tmp_path) == set()


@needs_promtool
def test_prometheus_understands_the_rules() -> None:
    rules = ROOT / "deploy" / "alerts.yaml"
    told = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


@needs_promtool
def test_a_single_damage_of_the_storage_is_red(tmp_path: Path) -> None:
    before = scraped({"x": generate_latest(REGISTRY).decode()})
    metrics.STORAGE_FAILURES.labels("damage").inc()
    assert "TavoliereStorageFails" in firing((before, scraped({"x": generate_latest(REGISTRY).decode()})), tmp_path)


@needs_promtool
def test_what_an_alert_wants_to_see_increase_is_told_from_the_start(tmp_path: Path) -> None:
    page = subprocess.run([sys.executable, "-c", _FRESH], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    fresh = scraped({"x": page})
    chosen = {one for rule in RULES for one in re.findall(r"increase\(([^\[]*)\[", rule["expr"])}
    assert chosen
    assert showing(chosen, (fresh, fresh), tmp_path) == chosen


_FRESH = """
from prometheus_client import REGISTRY, generate_latest
import bot.telemetry.metrics
print(generate_latest(REGISTRY).decode())
"""
"""Prints the page of a process in which nothing has happened."""
