"""The database goes away as soon as a write has committed: no answer then says that nothing was changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.services.privacy import UNFINISHED
from bot.requests.outcome import PARTLY, SLOW, UNAVAILABLE
from bot.requests.request import Request
from bot.storage.database import Database
from bot.storage.errors import DatabaseAway
from tests.discord_flow.test_puzzles import solution, tried
from tests.lifecycle.controls import ACTING, CASES, Case, Part, custom_id, situation
from tests.lifecycle.situations import accepted, first_move, last_ids, managed, nothing, puzzle, solved
from tests.lifecycle.test_controls import all_told, private
from tests.support.acting import FINISHED, answer, challenge_accepted, play, pressed, text_of, told
from tests.support.sampled import each, sampled, sampled_together
from tests.support.simulated_discord import SimulatedDiscord, in_new_server

pytestmark = [pytest.mark.usefixtures("failures_expected"), pytest.mark.own_bot]


@contextmanager
def cut_off_after(commits: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse connections to a request after so many commits."""
    write, connect, begun = Database.write, Database._connection, Request.with_preferences
    done: dict[asyncio.Task[object] | None, int] = {}

    async def noted(request: Request) -> Request:
        ready = await begun(request)
        done[asyncio.current_task()] = 0
        return ready

    @asynccontextmanager
    async def counted(database: Database) -> AsyncIterator[AsyncConnection]:
        async with write(database) as tx:
            yield tx
        if asyncio.current_task() in done:
            done[asyncio.current_task()] += 1

    @asynccontextmanager
    async def cut(database: Database) -> AsyncIterator[AsyncConnection]:
        if done.get(asyncio.current_task(), 0) >= commits:
            raise DatabaseAway("away")
        async with connect(database) as connection:
            yield connection

    with monkeypatch.context() as patch:
        patch.setattr(Request, "with_preferences", noted)
        patch.setattr(Database, "write", counted)
        patch.setattr(Database, "_connection", cut)
        yield


async def all_but_the_last(sim: SimulatedDiscord) -> None:
    await play(sim, await challenge_accepted(sim), *FINISHED[:-1])


async def played_out(sim: SimulatedDiscord) -> None:
    await play(sim, await challenge_accepted(sim), *FINISHED)


async def bob_barred(sim: SimulatedDiscord) -> None:
    await managed(sim)
    await sim.bot.context.services.bars.bar(sim.guild.id, sim.bob.id)


async def puzzle_solved(sim: SimulatedDiscord) -> None:
    await puzzle(sim)
    await solved(sim, (await last_ids(sim))["attempt"])


COMMANDS: dict[str, tuple[Part, str]] = {
    "move, move=c3, match={match}": (accepted, "You played **c3**"),
    f"move, move={FINISHED[-1]}, match={{match}}": (all_but_the_last, f"You played **{FINISHED[-1]}**"),
    "challenge, game=redo": (nothing, "Challenge sent."),
    "match, action=draw, match={match}": (first_move, "You have offered a draw."),
    "match, action=takeback, match={match}": (first_move, "You asked to take back **a1**."),
    "match, action=review, match={match}": (played_out, ""),
    "manage bar, person=bob": (managed, "Matches they are in go on;"),
    "manage unbar, person=bob": (bob_barred, "can play in this server again"),
    "block, person=bob": (nothing, "can no longer challenge you"),
    "preferences, confirm=yes": (nothing, "Confirm before playing: **yes**"),
    "preferences, away_days=3, confirm=yes": (nothing, str(PARTLY)),
    "settings, threads=no": (managed, "A thread for each match: **no**"),
    "settings, puzzle_channel=here": (managed, str(PARTLY)),
}
"""What Alice types and chooses, after what, and words of the answer that she still gets."""
STORE = ("prefer:", "setting:", "news-of:", "pause-", "share-post:", "watch")
PRESSED = (
    *(case for case in CASES if case in ACTING or case.custom_id.startswith(STORE)),
    Case("privacy:erase", nothing),
    Case("share-post:puzzle:{attempt}", puzzle_solved),
)
SAID = {
    "b-play after accepted": "You played **c3**.",
    "computer-level:1:yonmoque after nothing": "is on, against me at level 1",
    "rematch after over": "Rematch offered.",
    "privacy:erase after first_move": str(UNFINISHED),
    "p-play after puzzle": "**stuck** isn't it.",
    "setting:no-puzzles after managed": str(PARTLY),
    "setting:puzzle-channel after managed": str(PARTLY),
    "share-post:puzzle after puzzle_solved": "Shared in this channel.",
}
"""Words of the answer that a person still gets, by the case."""


@pytest.mark.parametrize("command", sampled(COMMANDS, every=10))
async def test_a_command_that_is_stored_is_never_told_as_not_stored(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    before, words = COMMANDS[command]
    await before(sim)
    await sim.alice.slash(sim.channel, "help")
    name, *options = command.format(**await last_ids(sim)).split(", ")
    chosen = {"bob": sim.bob, "here": sim.channel, "yes": True, "no": False}
    given: dict[str, Any] = {
        key: int(to) if to.isdigit() else chosen.get(to, to) for key, to in (option.split("=") for option in options)
    }
    with cut_off_after(1, monkeypatch):
        result = await sim.alice.slash(sim.channel, name, **given)
    denies_nothing(told(result), words)


@pytest.mark.parametrize("cases", sampled_together(PRESSED, situation, every=10))
async def test_a_press_that_is_stored_is_never_told_as_not_stored(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, cases: tuple[Case, ...]
) -> None:
    async def is_told(case: Case) -> None:
        there = await in_new_server(sim)
        await case.before(there)
        wanted, person = await custom_id(there, case), getattr(there, case.who)
        message = await private(person, there.channel)
        before = text_of(message.message)
        with cut_off_after(1, monkeypatch):
            result = await pressed(there, person, message, wanted, case.choice)
        denies_nothing(all_told(result, message, before), SAID.get(str(case), ""))

    await each(cases, is_told)


async def test_a_right_try_at_a_puzzle_that_is_stored_is_told_as_right(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="rectangles"))
    move = (await solution(sim, sim.alice))[0]
    with cut_off_after(1, monkeypatch):
        result = await tried(sim, sim.alice, shown, move)
    denies_nothing(told(result) + text_of(shown.message), " is right.")


def denies_nothing(said: str, words: str) -> None:
    """Check that an answer has some words, and does not say that nothing was stored, or only a part if all was."""
    assert str(UNAVAILABLE) not in said
    assert str(SLOW) not in said
    assert "Something went wrong" not in said
    assert words in said
    assert words == str(PARTLY) or str(PARTLY) not in said
