"""Dependencies run one way: the contracts in ``pyproject.toml`` hold."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[1]


def test_every_contract_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    kept = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert kept == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_the_dispatcher_knows_no_kind_of_message() -> None:
    graph = grimp.build_graph("bot", cache_dir=None)
    known = graph.find_modules_directly_imported_by("bot.delivery.dispatcher")
    assert not {name for name in known if name.startswith(("bot.delivery.handlers", "bot.messages"))}
    assert "bot.matches.writing.outbox_messages" not in known


ALLOWED = re.compile(r"bot\.games(\..+)?|renderers\.(scene|i18n)")
"""The modules that the rules may import beside the standard library."""


def test_the_rules_import_the_standard_library_scenes_and_translation_and_nothing_else() -> None:
    graph = grimp.build_graph("bot", "renderers", include_external_packages=True, cache_dir=None)
    rules = [module for module in graph.modules if re.fullmatch(r"bot\.games(\..+)?", module)]
    found = {name for module in rules for name in graph.find_modules_directly_imported_by(module)}
    assert "renderers.scene" in found
    assert {name for name in found if name not in sys.stdlib_module_names and not ALLOWED.fullmatch(name)} == set()


def test_messages_are_what_delivery_posts() -> None:
    """Answers to one person stand beside their controls in ``bot.views``."""
    graph = grimp.build_graph("bot", cache_dir=None)
    posted = graph.find_upstream_modules("bot.delivery", as_package=True)
    assert graph.find_descendants("bot.messages") <= posted


def test_what_writes_inside_a_transaction_says_so_first_and_opens_none() -> None:
    for path in (ROOT / "bot" / "matches" / "writing").glob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert "inside the caller's transaction" in code.partition("\n")[0], path.name
        assert not re.search(r"\.(read|write|autocommit)\(\)", code), path.name
