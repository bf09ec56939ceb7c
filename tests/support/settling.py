"""Makes the simulated Discord look often whether the bot rests, wait long on a busy machine, and copy JSON quickly.
simcord has no public setting for any of it. Imported for its effect by everything that starts a simulated Discord.
"""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.env import Env
from simcord.http import router

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

_ATOMS = frozenset((str, int, float, bool, type(None)))


def copied(value: Any) -> Any:
    """Return a deep copy, in a fraction of the time of ``copy.deepcopy`` for what JSON consists of."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is dict:
        return {key: copied(inner) for key, inner in value.items()}
    if kind is list:
        return [copied(inner) for inner in value]
    return deepcopy(value)


for _module in (components, results, serializers):
    vars(_module)["deepcopy"] = copied
for _module in (gateway, router):
    vars(_module)["copy"] = SimpleNamespace(deepcopy=copied)
