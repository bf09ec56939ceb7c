"""Makes the simulated Discord look often whether the bot rests, and wait long on a busy machine.
simcord has no public setting for any of it. Imported for its effect by everything that starts a simulated Discord.
"""

from __future__ import annotations

from typing import Any

from simcord.env import Env

LOOKED_EVERY = 0.002
"""Seconds between two looks; simcord's 50 ms would be most of a test's time."""
PATIENCE = 60.0
"""Seconds after which the bot is taken to hang; simcord gives it five."""

_settle = Env._settle_internal


async def _settle_patiently(env: Env, **options: Any) -> None:
    asked = options.pop("timeout", None) or env.settle_timeout
    await _settle(env, timeout=max(PATIENCE, asked), **{"idle": LOOKED_EVERY, **options})


Env._settle_internal = _settle_patiently  # type: ignore[assignment, method-assign]
# The same for timers, for time that is moved on, and for a bot that is removed.
_defaults: Any = Env.__init__.__kwdefaults__
_defaults["settle_timeout"] = PATIENCE
