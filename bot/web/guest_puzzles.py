"""Today's puzzle for people without an account: one for all. The page carries their tries, which are not stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from bot.matches.model.puzzles import Tried, after_try, make_try
from bot.matches.model.refusals import Refusal
from bot.matches.services.daily_puzzles import of_the_day
from bot.matches.services.puzzles import PuzzleView, TriedMove
from bot.requests.request import Request
from bot.storage.puzzles import PuzzleAttempt
from bot.storage.records import AttemptState
from bot.web.api import TODAY, Api, Asked, Data
from bot.web.building import SAID_BY_ADDRESS, Act
from bot.web.guest_games import FRIENDS, stamp
from bot.web.puzzles import PuzzleBuilding
from renderers.i18n import gettext as _
from renderers.i18n import translated

NO_SERVER: Final = 0
"""In the place of a server's id: its puzzles come in an order of their own."""
GIVEN_UP: Final = "?"
"""In the place of a last try."""
MOST_TRIES: Final = 50


class TodaysPuzzle(PuzzleBuilding):
    """The puzzle of the day as far as a guest has come."""

    address = TODAY
    cache = SAID_BY_ADDRESS

    def add_to(self, api: Api) -> None:
        super().add_to(api)
        api.post(self.address + "/show", "show", _give_up)

    async def view(self, request: Request, asked: Asked) -> PuzzleView:
        return (await _tried(request, asked)).view

    async def version(self, request: Request, asked: Asked) -> str:
        asked = _of_today(request, asked)
        return stamp(str(asked.day), *asked.moves)

    async def try_move(self, request: Request, asked: Asked, text: str) -> TriedMove:
        return await _tried(request, replace(asked, moves=(*asked.moves, text)))

    async def acts(self, request: Request, view: PuzzleView) -> list[Act]:
        return [("show", _("Give up"))] if view.attempt.state is AttemptState.OPEN else []

    async def move(self, request: Request, asked: Asked) -> Data:
        done = await super().move(request, asked)
        return done if "building" in done else {**done, **_carried(request, asked, done["played"])}

    async def state(self, request: Request, asked: Asked) -> Data:
        data = await super().state(request, asked)
        friends = {"path": "play", "label": translated(FRIENDS)} if data["over"] else None
        return {**data, **_carried(request, asked), "next": friends}


async def _give_up(request: Request, asked: Asked) -> Data:
    return {"words": "", **_carried(request, asked, GIVEN_UP)}


def _carried(request: Request, asked: Asked, *tries: str) -> Data:
    """Return what the page is to carry after further tries."""
    asked = _of_today(request, asked)
    added = ("".join(text.split()) for text in tries)
    return {"carried": {"day": str(asked.day), "moves": " ".join([*asked.moves, *added])}}


def _of_today(request: Request, asked: Asked) -> Asked:
    """Return what is asked for, but nothing of other days: today's anew for them. Yesterday's can be ended."""
    today = request.at.date()
    if asked.day in (today, today - timedelta(days=1)):
        return asked
    return replace(asked, day=today, moves=() if asked.day else asked.moves)


async def _tried(request: Request, asked: Asked) -> TriedMove:
    asked = _of_today(request, asked)
    assert asked.day is not None
    return await request.services.compute(_after, asked.day, request.at, asked.moves)


def _after(day: date, at: datetime, tries: Sequence[str]) -> TriedMove:
    """Return an attempt at a day's puzzle after some tries, with the last. Raises ``Refusal`` for an illegal move."""
    if len(tries) > MOST_TRIES:
        raise Refusal(_("That's more tries than a puzzle has here."))
    puzzle, tried = of_the_day(NO_SERVER, day), Tried("", right=False)
    attempt = PuzzleAttempt(0, 0, puzzle.game.key, puzzle.key, None, day, AttemptState.OPEN, 0, (), at, None)
    for text in tries:
        if text == GIVEN_UP:
            attempt = replace(attempt, state=AttemptState.SHOWN)
        if attempt.state is not AttemptState.OPEN:
            break
        tried = make_try(puzzle, attempt.ply, text)
        attempt = after_try(puzzle, attempt, tried)
    return TriedMove(PuzzleView(attempt, puzzle), tried)
