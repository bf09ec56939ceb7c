"""The database goes away as soon as a write has committed: no answer then says that nothing was changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from simcord.results import InteractionResult
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.services.privacy import UNFINISHED
from bot.requests.outcome import PARTLY, SLOW, UNAVAILABLE
from bot.requests.request import Request
from bot.storage.database import Database
from bot.storage.errors import DatabaseAway
from tests.discord_flow.test_puzzles import solution, solved, tried
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    challenge,
    challenge_accepted,
    opened_builder,
    play,
    preferences,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, give_management

pytestmark = pytest.mark.usefixtures("failures_expected")
Act = Callable[[], Awaitable[InteractionResult]]
Scene = Callable[[SimulatedDiscord], Awaitable[tuple[Act, str]]]
SCENES: dict[str, Scene] = {}


def scene(found: Scene) -> Scene:
    """Add a scene, which returns the last action of a person, and words of the answer that they still get."""
    SCENES[found.__name__] = found
    return found


@contextmanager
def cut_off_after(commits: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Refuse connections to a request after so many commits; yield the number of cuts."""
    write, connect, begun = Database.write, Database._connection, Request.with_preferences
    done: dict[asyncio.Task[object] | None, int] = {}
    cuts: list[int] = []

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
            cuts.append(1)
            raise DatabaseAway("away")
        async with connect(database) as connection:
            yield connection

    with monkeypatch.context() as patch:
        patch.setattr(Request, "with_preferences", noted)
        patch.setattr(Database, "write", counted)
        patch.setattr(Database, "_connection", cut)
        yield cuts


@scene
async def typed_move(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.place(thread), "move", move="c3"), "You played **c3**"


@scene
async def built_move(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    return lambda: sim.alice.click(builder, label="Play it"), "You played **c3**."


@scene
async def last_move(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED[:-1])
    mover = (sim.alice, sim.bob)[(len(FINISHED) - 1) % 2]
    return lambda: mover.slash(sim.place(thread), "move", move=FINISHED[-1]), f"You played **{FINISHED[-1]}**"


@scene
async def resignation(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    question = answer(await sim.bob.slash(sim.place(thread), "match", action="resign"))
    return lambda: sim.bob.click(question, label="Yes, resign"), ""


@scene
async def sent_challenge(sim: SimulatedDiscord) -> tuple[Act, str]:
    await challenge(sim)
    return lambda: sim.alice.slash(sim.channel, "challenge", game="redo"), "Challenge sent."


@scene
async def accepted_challenge(sim: SimulatedDiscord) -> tuple[Act, str]:
    card = await challenge(sim)
    await sim.bob.slash(sim.channel, "help")
    return lambda: sim.bob.click(card, label="Accept"), ""


@scene
async def declined_challenge(sim: SimulatedDiscord) -> tuple[Act, str]:
    card = await challenge(sim)
    await sim.bob.slash(sim.channel, "help")
    return lambda: sim.bob.click(card, label="Decline"), ""


@scene
async def cancelled_challenge(sim: SimulatedDiscord) -> tuple[Act, str]:
    card = await challenge(sim)
    return lambda: sim.alice.click(card, label="Cancel"), ""


@scene
async def match_against_the_bot(sim: SimulatedDiscord) -> tuple[Act, str]:
    await sim.alice.slash(sim.channel, "help")
    menu = answer(await sim.alice.slash(sim.channel, "games", game="yonmoque"))
    levels = answer(await sim.alice.click(menu, label="Play the bot"))
    return lambda: sim.alice.click(levels, label="Level 1"), "is on, against me at level 1"


@scene
async def rematch(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    return lambda: sim.alice.click(board_of(sim, thread), label="Rematch"), "Rematch offered."


@scene
async def offered_draw(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    return lambda: sim.alice.slash(sim.place(thread), "match", action="draw"), "You have offered a draw."


@scene
async def accepted_draw(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    await sim.bob.slash(sim.channel, "help")
    return lambda: sim.bob.click(board_of(sim, thread), label="Accept"), ""


@scene
async def asked_takeback(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    return lambda: sim.alice.slash(sim.place(thread), "match", action="takeback"), "You asked to take back **c3**."


@scene
async def bar(sim: SimulatedDiscord) -> tuple[Act, str]:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "help")
    bob = sim.bob
    return lambda: sim.alice.slash(sim.channel, "manage bar", person=bob), "Matches they are in go on;"


@scene
async def unbar(sim: SimulatedDiscord) -> tuple[Act, str]:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "manage bar", person=sim.bob)
    return lambda: sim.alice.slash(sim.channel, "manage unbar", person=sim.bob), "can play in this server again"


@scene
async def void(sim: SimulatedDiscord) -> tuple[Act, str]:
    give_management(sim, sim.carol)
    thread = await challenge_accepted(sim)
    question = answer(await sim.carol.slash(sim.place(thread), "manage void"))
    return lambda: sim.carol.click(question, label="Yes, void it"), ""


@scene
async def block(sim: SimulatedDiscord) -> tuple[Act, str]:
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.channel, "block", person=sim.bob), "can no longer challenge you"


@scene
async def preference(sim: SimulatedDiscord) -> tuple[Act, str]:
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.channel, "preferences", confirm=True), "Confirm before playing: **yes**"


@scene
async def absence(sim: SimulatedDiscord) -> tuple[Act, str]:
    shown = await preferences(sim.alice, sim.channel, "When I play")
    return lambda: sim.alice.select(shown, ["3"], custom_id="prefer:away"), ""


@scene
async def absence_with_a_preference(sim: SimulatedDiscord) -> tuple[Act, str]:
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.channel, "preferences", away_days=3, confirm=True), str(PARTLY)


@scene
async def setting(sim: SimulatedDiscord) -> tuple[Act, str]:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.channel, "settings", threads=False), "A thread for each match: **no**"


@scene
async def puzzle_channel(sim: SimulatedDiscord) -> tuple[Act, str]:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "help")
    return lambda: sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel), str(PARTLY)


@scene
async def deletion(sim: SimulatedDiscord) -> tuple[Act, str]:
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    return lambda: sim.alice.click(question, label="Delete everything"), ""


@scene
async def deletion_during_a_match(sim: SimulatedDiscord) -> tuple[Act, str]:
    await challenge_accepted(sim)
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    return lambda: sim.alice.click(question, label="Delete everything"), str(UNFINISHED)


@scene
async def wrong_try(sim: SimulatedDiscord) -> tuple[Act, str]:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="rectangles"))
    return lambda: tried(sim, sim.alice, shown, "stuck"), "**stuck** isn't it."


@scene
async def right_try(sim: SimulatedDiscord) -> tuple[Act, str]:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="rectangles"))
    move = (await solution(sim, sim.alice))[0]
    return lambda: tried(sim, sim.alice, shown, move), " is right."


@scene
async def shown_solution(sim: SimulatedDiscord) -> tuple[Act, str]:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="rectangles"))
    await sim.alice.click(shown, label="Give up")
    return lambda: sim.alice.click(shown, label="Show the solution"), ""


@scene
async def shared_puzzle(sim: SimulatedDiscord) -> tuple[Act, str]:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="rectangles"))
    await solved(sim, sim.alice, shown)
    preview = answer(await sim.alice.click(shown, label="Share"))
    return lambda: sim.alice.click(preview, label="Share this here"), "Shared in this channel."


@scene
async def review(sim: SimulatedDiscord) -> tuple[Act, str]:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    return lambda: sim.alice.slash(sim.place(thread), "match", action="review"), ""


@pytest.mark.parametrize("name", sampled(SCENES, every=10))
async def test_what_is_stored_is_never_told_as_not_stored(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    act, words = await SCENES[name](sim)
    with cut_off_after(1, monkeypatch):
        result = await act()
    said = answered(result)
    assert str(UNAVAILABLE) not in said
    assert str(SLOW) not in said
    assert "Something went wrong" not in said
    assert words in said
    assert words == str(PARTLY) or str(PARTLY) not in said


def answered(result: InteractionResult) -> str:
    """Return all that a person is shown in answer: new messages, and the changed message that holds the control."""
    shown = [] if result.response is None else [text_of(result.response.message)]
    return "\n".join([told(result), *shown])
