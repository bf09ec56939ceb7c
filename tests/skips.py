"""A pytest plugin: where ``CI`` is set, a run fails when it skips a test that is not on the list below.

Nothing else would tell of a test that is skipped everywhere. A machine without CI may lack a browser or a server.
"""

from __future__ import annotations

import os

import pytest

ALLOWED = {
    "tests/operation/test_deploy.py::test_systemd_has_nothing_to_say_against_the_unit": "containers have no systemd",
}
"""Tests that may be skipped in CI, and why."""


def pytest_configure(config: pytest.Config) -> None:
    """Watch the run, in the process that sees it whole."""
    if os.environ.get("CI", "") not in ("", "0", "false") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Watch())


class Watch:
    """Collects the tests that are skipped and not on the list, and fails the run for them."""

    def __init__(self) -> None:
        self._skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that was skipped; an expected failure is reported as a skip, too, and is none."""
        if report.skipped and not hasattr(report, "wasxfail") and report.nodeid not in ALLOWED:
            self._skipped.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a whole file that was skipped."""
        if report.skipped:
            self._skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run."""
        if self._skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which tests those are."""
        for nodeid in self._skipped:
            terminalreporter.write_line(f"skipped, and not on the list in tests/skips.py: {nodeid}", red=True)
