"""One person floods the bot with heavy work; all others play on undisturbed. The heavy work waits here until the test
releases it, so nothing depends on the speed of a machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event
from typing import Any

import discord
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.compute.concurrency_limit import REQUESTS_AT_ONCE
from bot.compute.job import Pool
from bot.compute.queue import MOST_WAITING
from bot.compute.rate_limit import BUDGET
from bot.games.yonmoque.rules import YonmoquePosition
from bot.matches.model import match_record
from bot.messages import drawing
from bot.requests.context import ACKNOWLEDGEMENTS_AT_ONCE
from bot.requests.request import Request
from bot.telemetry import metrics
from bot.views import which_match
from renderers.charts import profile, ranking
from tests.support.acting import FINISHED, board_of, challenge_accepted, play, told, unsettled
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored
from tests.support.waiting import until

MOST = MOST_WAITING[Pool.INTERACTIVE]
"""The jobs that one person may have waiting."""


class Dam:
    """Holds up heavy work until it is opened, and notes what was begun."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._opened = Event()

    def holding(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that waits, and then does what ``function`` does."""

        def held(*args: Any, **kwargs: Any) -> Any:
            self.begun.append(name)
            assert self._opened.wait(60)
            return function(*args, **kwargs)

        held.__qualname__, held.__module__ = name, __name__
        return held

    def open(self) -> None:
        """Release everything."""
        self._opened.set()


@pytest.fixture
def dam(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dam]:
    """Every way of drawing that is not a turn's, and suggestions, held up."""
    made = Dam()
    for module, name in ((drawing, "replay"), (drawing, "diagram"), (profile, "png"), (ranking, "png")):
        monkeypatch.setattr(module, name, made.holding(f"{module.__name__}.{name}", getattr(module, name)))
    monkeypatch.setattr(match_record, "write", made.holding("record", match_record.write))
    monkeypatch.setattr(YonmoquePosition, "completions", made.holding("suggestions", YonmoquePosition.completions))
    yield made
    made.open()


@pytest_asyncio.fixture
async def thread(sim: SimulatedDiscord) -> AsyncIterator[int]:
    """A match that Alice has won against Bob, and then another of theirs, in the thread that is returned."""
    finished = await challenge_accepted(sim)
    await play(sim, finished, *FINISHED)
    yield await challenge_accepted(sim)


@contextmanager
def flooding(sim: SimulatedDiscord, dam: Dam) -> Iterator[None]:
    """Let no test wait until the bot rests: it cannot while its work is held up."""
    with unsettled(sim):
        yield
        dam.open()


FLOODS: dict[str, Callable[[SimulatedDiscord], Any]] = {
    "replays": lambda sim: sim.carol.slash(sim.channel, "match", action="replay", match=1),
    "exports": lambda sim: sim.carol.slash(sim.channel, "match", action="export", match=1),
    "profiles": lambda sim: sim.carol.slash(sim.channel, "profile", person=sim.alice),
    "leaderboards": lambda sim: sim.carol.slash(sim.channel, "leaderboard"),
    "rules": lambda sim: sim.carol.slash(sim.channel, "games", game="redo"),
}


@pytest.mark.own_bot
@pytest.mark.parametrize("flood", sampled(FLOODS, every=6))
async def test_moves_are_played_and_shown_while_somebody_floods_the_bot(
    sim: SimulatedDiscord, dam: Dam, thread: int, flood: str
) -> None:
    with flooding(sim, dam):
        for _ in range(30):
            await FLOODS[flood](sim)
        await until(lambda: dam.begun, "work that is held up")
        for ply, (mover, move) in enumerate([(sim.alice, "c3"), (sim.bob, "b2"), (sim.alice, "d4")], 1):
            await mover.slash(sim.place(thread), "move", move=move)
            await until(
                lambda: f"play:2:{ply}" in str(board_of(sim, thread).components),  # noqa: B023
                f"the board after {ply} moves",
                lambda: board_of(sim, thread).components,
            )
        assert len(dam.begun) == 1, "more than one of one person's jobs ran at a time"
    await sim.env.settle()
    assert (await stored(sim, 2)).ply == 3


@pytest.mark.own_bot
async def test_whoever_floods_is_told_to_wait_and_the_others_are_served_before_their_second(
    sim: SimulatedDiscord, dam: Dam, thread: int
) -> None:
    with flooding(sim, dam):
        flood = [await sim.carol.slash(sim.channel, "match", action="export", match=1) for _ in range(MOST + 5)]
        await until(lambda: dam.begun, "work that is held up")
        await sim.alice.slash(sim.channel, "match", action="replay", match=1)
        queue = sim.bot.context.services.queue
        waiting = queue._pools[Pool.INTERACTIVE]._queue
        await until(lambda: len(waiting) == MOST + 1, f"{MOST + 1} pictures in the queue", lambda: len(waiting))
        await until(
            lambda: sum("still working on your last request" in told(result) for result in flood) == 4,
            "four refusals",
            lambda: [told(result) for result in flood],
        )
    await sim.env.settle()
    assert ["replay" in begun for begun in dam.begun[:3]].count(True) == 1


@pytest.mark.slow
async def test_of_all_somebody_types_only_the_last_is_looked_up(sim: SimulatedDiscord, dam: Dam, thread: int) -> None:
    superseded = metrics.COMPUTE_DROPPED.labels(Pool.INTERACTIVE, "superseded")._value
    before = superseded.get()
    with flooding(sim, dam):
        await sim.alice.autocomplete(sim.place(thread), "move", "move", "a")
        await until(lambda: dam.begun, "work that is held up")
        for typed in ("a1", "b", "b2", "c", "c3"):
            await sim.alice.autocomplete(sim.place(thread), "move", "move", typed)
        await until(lambda: superseded.get() == before + 5, "five superseded suggestions", superseded.get)
    await sim.env.settle()
    assert dam.begun.count("suggestions") == 2
    assert {"name": "d4", "value": "d4"} in await sim.alice.autocomplete(sim.place(thread), "move", "move", "d")


@pytest.mark.slow
async def test_few_of_one_persons_suggestions_are_worked_on_at_once(
    sim: SimulatedDiscord, thread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, begun, go_on = which_match.resolve_match_id, list[int](), asyncio.Event()

    async def held(request: Request, number: int | None) -> int:
        begun.append(request.person.id)
        await go_on.wait()
        return await found(request, number)

    monkeypatch.setattr("bot.cogs.play.resolve_match_id", held)
    place = sim.place(thread)
    people = [sim.alice] * (2 * REQUESTS_AT_ONCE) + [sim.bob]
    with unsettled(sim):
        asked = [asyncio.create_task(person.autocomplete(place, "move", "move", "c")) for person in people]
        await until(lambda: sim.bob.id in begun, "Bob's suggestions")
        assert begun.count(sim.alice.id) == REQUESTS_AT_ONCE
        go_on.set()
        await asyncio.gather(*asked)
    assert len(await sim.alice.autocomplete(place, "move", "move", "c")) == 5


async def test_suggestions_for_which_discord_waits_no_longer_are_not_looked_up(
    sim: SimulatedDiscord, thread: int, dam: Dam, monkeypatch: pytest.MonkeyPatch
) -> None:
    dam.open()
    monkeypatch.setattr("bot.cogs.options.SUGGESTIONS_DEADLINE", timedelta(seconds=-1))
    assert await sim.alice.autocomplete(sim.place(thread), "move", "move", "c") == []
    assert dam.begun == []


async def test_few_of_one_persons_requests_are_acknowledged_at_once(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    defer, begun, go_on = discord.InteractionResponse.defer, list[int](), asyncio.Event()

    async def held(self: discord.InteractionResponse[Any], **options: Any) -> Any:
        begun.append(self._parent.user.id)
        await go_on.wait()
        return await defer(self, **options)

    monkeypatch.setattr(discord.InteractionResponse, "defer", held)
    with unsettled(sim):
        for person in [*[sim.alice] * (2 * ACKNOWLEDGEMENTS_AT_ONCE), sim.bob]:
            await person.slash(sim.channel, "games", game="redo")
        await until(lambda: sim.bob.id in begun, "Bob's request")
        assert begun.count(sim.alice.id) == ACKNOWLEDGEMENTS_AT_ONCE
        go_on.set()
    await sim.env.settle()
    assert begun.count(sim.alice.id) == 2 * ACKNOWLEDGEMENTS_AT_ONCE


async def test_who_has_spent_their_budget_is_told_so_in_one_call(sim: SimulatedDiscord, thread: int) -> None:
    calls = len(sim.env.http_requests)
    sim.bot.context.rate_limit.charge_seconds(sim.alice.id, BUDGET)
    rules = await sim.alice.slash(sim.channel, "games", game="redo")
    pressed = await sim.alice.click(board_of(sim, thread), label="More")
    assert all("That was a lot at once." in told(result) for result in (rules, pressed))
    assert [call.path.rpartition("/")[2] for call in sim.env.http_requests[calls:]] == ["callback"] * 2
    assert "Redo" in told(await sim.bob.slash(sim.channel, "games", game="redo"))


async def test_what_still_waits_when_the_client_is_closed_is_neither_acknowledged_nor_carried_out(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = metrics.ANSWERS.labels("games", "unacknowledged")._value
    before = left.get()
    with unsettled(sim), monkeypatch.context() as closed:
        closed.setattr(sim.bot, "is_closed", lambda: True)
        await sim.alice.slash(sim.channel, "games", game="redo")
        await until(lambda: left.get() > before, "a request that is left", left.get)
    await sim.env.settle()
    assert left.get() == before + 1


@pytest.mark.parametrize(
    ("owner", "call"), [(discord.InteractionResponse, "defer"), (discord.Interaction, "edit_original_response")]
)
async def test_a_stop_waits_until_what_was_asked_is_acknowledged_and_answered(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, owner: type, call: str
) -> None:
    made, begun, go_on = getattr(owner, call), asyncio.Event(), asyncio.Event()

    async def held(*args: Any, **options: Any) -> Any:
        begun.set()
        await go_on.wait()
        return await made(*args, **options)

    monkeypatch.setattr(owner, call, held)
    in_flight, order = sim.bot.context.in_flight, list[str]()
    with unsettled(sim):
        await sim.alice.slash(sim.channel, "games", game="redo")
        await begun.wait()
        idle = asyncio.create_task(in_flight.wait_until_idle(60))
        idle.add_done_callback(lambda _done: order.append("idle"))
        for _ in range(10):
            await asyncio.sleep(0)
        order.append("answered")
        go_on.set()
        await idle
    assert order == ["answered", "idle"]


async def test_an_answer_that_the_closed_client_cannot_send_is_a_line_in_the_log(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    with unsettled(sim), capture_logs() as logs, monkeypatch.context() as patched:

        async def closed(_self: discord.Interaction[Any], **_options: Any) -> Any:
            patched.setattr(sim.bot, "is_closed", lambda: True)
            raise RuntimeError("Session is closed")

        patched.setattr(discord.Interaction, "edit_original_response", closed)
        await sim.alice.slash(sim.channel, "games", game="redo")
        await until(lambda: logs, "a line in the log")
    assert [(line["event"], line["log_level"]) for line in logs] == [("answer not delivered", "warning")]
