"""Matches of Alice against a computer player: to begin them, and to have its turns played."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from bot.games import GAMES
from bot.matches.background_work import ComputerTurnRunner
from bot.matches.model import match_record
from bot.matches.service_context import plain_idle
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.storage.computer_turns import ComputerTurn
from bot.storage.records import First
from tests.matches.conftest import ALICE, CHANNEL, GUILD, YONMOQUE, Crowd
from tests.support.at_work import at_work
from tests.support.waiting import until

DAY = 86400
COMPUTER_BEGINS = replace(YONMOQUE, first=First.OPPONENT)


async def against(crowd: Crowd, terms: Terms = YONMOQUE, level: int = 1) -> int:
    """Begin a match of Alice against a computer player and return its id."""
    opponents = crowd.services.computer_opponents
    return await opponents.play(crowd.actor(ALICE), level, terms)


async def due(crowd: Crowd) -> ComputerTurn:
    """Return the only turn that waits for a computer player."""
    (turn,) = await crowd.services.computer_players.take(1)
    return turn


async def replied(crowd: Crowd) -> None:
    """Have the computer player take its turn."""
    await crowd.services.computer_players.play(await due(crowd))


async def nothing_due(crowd: Crowd, runner: ComputerTurnRunner) -> None:
    """Wait until no turn waits for a computer player."""

    async def none() -> bool:
        runner.wake()
        return not await crowd.services.computer_players.take(1)

    await until(none, "no turn of a computer player")


async def boards_wanted(crowd: Crowd) -> list[int]:
    """Return the plies whose boards are in the outbox."""
    return [payload["ply"] for payload in await crowd.queued("board")]


async def imported(crowd: Crowd, seats: tuple[str, str], *moves: str, game: str = "yonmoque") -> int:
    """Import a match from a record with some moves, and return its id."""
    at, names = crowd.now.isoformat(), GAMES[game].seat_names
    plies = [f"{ply}. {names[(ply - 1) % 2]} {move} {{{at}}}" for ply, move in enumerate(moves, 1)]
    tags = {"Variant": "standard", "Match": "1", "Server": GUILD, "Channel": CHANNEL, "Rated": "no", "Started": at}
    tags |= {"Ended": "", "Result": "*", "Reason": ""}
    lines = [f'[{tag} "{value}"]' for tag, value in {"Game": GAMES[game].name, **tags}.items()]
    lines += [f'[Player "{name}, {seat}"]' for name, seat in zip(names, seats, strict=False)]
    record = match_record.read("\n".join([*lines, "", *plies]))
    return await Archive(crowd.services).store(record)


def running(crowd: Crowd) -> AbstractAsyncContextManager[ComputerTurnRunner]:
    """Have the turns of computer players played, as the bot does while it runs."""
    return at_work(ComputerTurnRunner(crowd.services, lambda: plain_idle))
