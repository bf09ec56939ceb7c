"""Matches against the bot itself, from the command to the result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bot.games.game import Position
from bot.matches import background_work
from bot.matches.services import computer_players
from bot.opponents import Choice, choose, consider
from bot.storage.records import Match, MatchState
from tests.lifecycle.situations import last_ids
from tests.support.acting import (
    answer,
    board_of,
    boards,
    build,
    cards,
    itself,
    labels,
    pings,
    text_of,
    told,
    unsettled,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored
from tests.support.waiting import until


async def begun(sim: SimulatedDiscord, **options: Any) -> int:
    """Have Alice challenge the bot to Yonmoque at its weakest; return the id of the thread."""
    values = {"game": "yonmoque", "opponent": itself(sim), "level": 1, "first": "challenger"} | options
    result = await sim.alice.slash(sim.channel, "challenge", **values)
    assert "is on" in told(result), told(result)
    return max(thread.id for thread in sim.bot.get_guild(sim.guild.id).threads)  # type: ignore[union-attr]


async def position(sim: SimulatedDiscord, match: Match) -> Position:
    """Return where a match stands."""
    return (await sim.bot.context.services.queries.match_view(match.guild_id, match.id)).game_state.position


async def over(sim: SimulatedDiscord) -> bool:
    """Return whether the match is over."""
    return (await stored(sim)).state is MatchState.OVER


async def shown(sim: SimulatedDiscord, thread: int, count: int) -> bool:
    """Return whether so many boards stand in a thread."""
    return len(boards(sim, thread)) == count


class Thought:
    """A search that lasts until the test releases it."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def consider(self, position: Position, level: int, seed: int) -> Choice:
        self.begun.set()
        assert self.ended.wait(30)
        return consider(position, level, seed)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thought]:
    """Have the bot think until the test releases it."""
    thought = Thought()
    monkeypatch.setattr(computer_players, "consider", thought.consider)
    yield thought
    thought.ended.set()


async def test_a_match_begins_without_a_card_and_each_board_tells_a_move_and_its_reply(sim: SimulatedDiscord) -> None:
    refused = await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, level=3)
    assert "A level is for matches against me" in told(refused)
    thread = await begun(sim)
    assert cards(sim) == []
    assert "Alice – Tavoliere (level 1)" in str(sim.place(thread).name)
    assert f"<@{sim.alice.id}> (Blue) to move." in text_of(board_of(sim, thread))
    assert pings(sim, sim.alice) == 1
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert len(boards(sim, thread)) == 2
    said = text_of(board_of(sim, thread))
    assert "Last move: Alice " in said
    assert r"Reply: Tavoliere \(level 1\) " in said
    assert f"<@{sim.alice.id}> (Blue) to move." in said
    more = answer(await sim.alice.click(board_of(sim, thread), label="More"))
    assert "taken back" in told(await sim.alice.click(more, label="Take back"))
    match = await stored(sim)
    assert (match.ply, match.mover.person.id) == (3, sim.alice.id)
    assert "Last move" not in text_of(board_of(sim, thread))


async def test_a_board_is_shown_while_the_bot_thinks_for_long(
    sim: SimulatedDiscord, slow: Thought, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_work, "PATIENCE", 0)
    thread = await begun(sim)
    with unsettled(sim):
        await sim.alice.slash(sim.place(thread), "move", move="c3")
    await asyncio.to_thread(slow.begun.wait, 30)
    await until(lambda: shown(sim, thread, 2), "a second board", lambda: len(boards(sim, thread)))
    assert "Tavoliere is thinking: 2 seconds at most" in text_of(board_of(sim, thread))
    slow.ended.set()
    await sim.env.settle()
    assert len(boards(sim, thread)) == 3
    assert pings(sim, sim.alice) == 2


@pytest.mark.own_bot
async def test_a_bot_without_a_chance_offers_to_resign_and_the_winner_is_led_to_the_next_level(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_players, "consider", lambda *asked: Choice(choose(*asked), 0.0))
    thread = await begun(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    before = pings(sim, sim.alice)
    await build(sim.alice, builder, "c3")
    offer = sim.messages(thread)[-1]
    assert "sees no chance to win any more, and offers to resign." in text_of(offer)
    assert labels(offer) == ["Accept", "Play on"]
    assert pings(sim, sim.alice) == before + 1
    await sim.alice.click(offer, label="Accept")
    board = board_of(sim, thread)
    assert "wins by resignation" in text_of(board)
    assert labels(board) == ["Play level 2", "Rematch", "Review", "More"]
    assert "not playing in this match" in told(await sim.bob.click(board, label="Play level 2"))
    assert "against me at level 2" in told(await sim.alice.click(board, label="Play level 2"))
    await sim.alice.click(board, label="Play level 2")
    assert (await last_ids(sim))["match"] == 2
