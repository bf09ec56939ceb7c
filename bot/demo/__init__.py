"""The demo: the bot in front of a simulated Discord on a local page, without a token or a network.

Nothing else of the bot knows of it, and nothing here is imported unless the demo is asked for.
"""

from bot.demo.command import DemoError, run

__all__ = ["DemoError", "run"]
