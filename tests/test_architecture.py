"""Dependencies run one way: the contracts in ``pyproject.toml`` hold."""

from __future__ import annotations

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
