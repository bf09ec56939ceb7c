"""The demo: the bot in front of a simulated Discord on a local page, without a token or a network.

Only the command line imports it, and only when an operator runs the demo.
"""

from bot.demo.command import DemoError, run

__all__ = ["DemoError", "run"]
