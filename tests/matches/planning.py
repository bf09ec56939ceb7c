"""Plans in tests: to make one in a line, and matches and games at random to make them for."""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.matches.model.refusals import Refusal
from bot.matches.services.plans import PlanView
from bot.storage import plans
from bot.storage.records import Person, Plan
from tests.matches.conftest import BOB, Crowd


async def plan(crowd: Crowd, match_id: int, *lines: str, by: Person = BOB) -> PlanView:
    """Add lines to a person's plan, each of moves in turn, separated by spaces; return the plan."""
    service = crowd.services.plans
    view = await service.view(*crowd.request(match_id, by))
    for line in lines:
        version = view.plan.version
        view = (await service.add(*crowd.request(match_id, by), version, (), line.split(), confirmed=True)).view
    return view


async def refused(attempt: Awaitable[Any]) -> str:
    with pytest.raises(Refusal) as refusal:
        await attempt
    return str(refusal.value)


async def stored(crowd: Crowd, match_id: int) -> list[Plan]:
    """Return the plans of a match that are stored."""
    return await crowd.services.read(plans.of_match, match_id)


async def texts(crowd: Crowd, match_id: int) -> list[str]:
    """Return the moves of a match, with a star after each that was planned."""
    return [entry.text + "*" * entry.planned for entry in await crowd.moves(match_id)]


def game_at_random(key: str, moves: int, seed: int = 1) -> list[str]:
    """Return the first moves of a game at random, which they do not end, without forced passes."""
    random, position, played = Random(seed), GAMES[key].start(players=2), list[str]()
    while len(played) < moves:
        legal = list(position.legal_moves())
        move = random.choice([move for move in legal if position.play(move).result is None])
        if (after := position.play(move)).forced_move() is None:
            position = after
            played.append(str(move))
    return played
