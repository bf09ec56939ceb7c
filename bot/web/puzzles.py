"""Puzzles on the page: the same board and the same choices as in a match, and tries in the place of moves."""

from __future__ import annotations

from bot.matches.services.puzzles import PuzzleView, TriedMove
from bot.messages.puzzle_words import game_of, task, tried_words, verdict, why
from bot.requests.request import Request
from bot.requests.surfaces import Surface, of_puzzle, puzzle_line
from bot.storage.puzzles import versions
from bot.storage.records import AttemptState
from bot.web.api import PUZZLE, Api, Asked, Data
from bot.web.building import Act, Building, agreed, page, shown, steps
from bot.web.sharing import channel_for_puzzles
from renderers.i18n import gettext as _
from renderers.i18n import translated


def add_puzzles(api: Api) -> None:
    PuzzleBuilding().add_to(api)
    api.post(PUZZLE + "/show", "show", _show)
    api.post(PUZZLE + "/another", "another", _another)


class PuzzleBuilding(Building):
    """A puzzle as far as a person has come."""

    address, subject = PUZZLE, "puzzle"

    async def view(self, request: Request, asked: Asked) -> PuzzleView:
        return await _own(request, asked)

    async def version(self, request: Request, asked: Asked) -> str:
        """Return what changes with what the page shows. Read first: what changes after it is asked for again."""
        return (await request.services.read(versions, [asked.attempt])).get(asked.attempt, "")

    async def try_move(self, request: Request, asked: Asked, text: str) -> TriedMove:
        assert asked.ply is not None
        return await request.services.puzzles.try_move(request.person.id, asked.attempt, asked.ply, text, request.id)

    async def acts(self, request: Request, view: PuzzleView) -> list[Act]:
        """Return what a person can do beside moving."""
        acts: list[Act] = [("show", _("Give up"))]
        if view.attempt.state is not AttemptState.OPEN:
            acts = [("another", _("Next puzzle"))]
        if view.attempt.state is AttemptState.SOLVED and await channel_for_puzzles(request) is not None:
            acts.append(("share", _("Share")))
        return acts

    async def surface(self, request: Request, asked: Asked) -> Surface:
        view = await self.view(request, asked)
        return of_puzzle(view, (await puzzle_line(request, view))[-1][0])

    async def number(self, request: Request, asked: Asked) -> int:
        return (await self.view(request, asked)).attempt.id

    async def move(self, request: Request, asked: Asked) -> Data:
        """Try the move that some choices make, or ask about it first."""
        surface = await self.surface(request, asked)
        text = await agreed(request, surface, asked)
        if not isinstance(text, str):
            return text
        done = await self.try_move(request, asked, text)
        return {"played": text, "right": done.tried.right, "words": tried_words(done.view, done.tried)}

    async def state(self, request: Request, asked: Asked) -> Data:
        version, view = await self.version(request, asked), await self.view(request, asked)
        line, puzzle, is_open = await puzzle_line(request, view), view.puzzle, view.attempt.state is AttemptState.OPEN
        game_state, names = line[-1][0], puzzle.game.seat_names
        surface = of_puzzle(view, game_state)
        solution = [verdict(view), *(f"{state.ply}. {does}" for state, does in line[1:]), why(view, game_state)]
        seats = ((state, state.last_seat or 0) for state, _does in line[1:])
        return page(
            request,
            asked,
            surface,
            await shown(request, asked, surface),
            str(game_state.ply),
            version=version,
            ply=view.attempt.ply,
            title=_("**Puzzle · {game}**", game=game_of(puzzle)).replace("**", ""),
            status=[task(puzzle)] if is_open else solution,
            over=not is_open,
            turn=await steps(request, surface) if is_open else None,
            acts=await self.acts(request, view),
            moves=[
                {"number": state.ply, "seat": seat, "seatName": translated(names[seat]), "text": str(state.last)}
                for state, seat in seats
            ],
            stepping=False,
        )


async def _own(request: Request, asked: Asked) -> PuzzleView:
    return await request.services.puzzles.view(request.person.id, asked.attempt)


async def _show(request: Request, asked: Asked) -> Data:
    """Give the puzzle up."""
    await request.services.puzzles.show(request.person.id, asked.attempt, request.id)
    return {"words": ""}


async def _another(request: Request, asked: Asked) -> Data:
    """Begin another puzzle of the same game."""
    game = (await _own(request, asked)).puzzle.game.key
    following = await request.services.puzzles.begin(request.person.id, game)
    return {"words": "", "path": f"puzzle/{following.attempt.id}"}
