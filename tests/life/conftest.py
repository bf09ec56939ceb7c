"""Life in a server is watched as the flow in Discord is: every message remembered, no failure passed over."""

from tests.discord_flow.conftest import failures_expected, no_unexpected_failures, remembered

__all__ = ["failures_expected", "no_unexpected_failures", "remembered"]
