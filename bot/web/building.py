"""The pages on which a person puts a move together: of a match, a place of a plan, a puzzle, a guest's game or puzzle.

The client is the same for all of them, so each answers in the shape of a match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.building import Choices
from bot.messages.drawing import PendingMove
from bot.messages.guides import guide_pages
from bot.requests.request import Request
from bot.requests.surfaces import Surface
from bot.web import boards
from bot.web.api import Api, Asked, Data
from renderers.i18n import gettext as _
from renderers.i18n import translated

SAID_BY_ADDRESS: Final = "private, max-age=86400, immutable"
"""How long browsers may keep a picture whose address says everything it depends on."""
Act = tuple[str, str]
"""Something to do beside moving: the end of its address, and the label of its button."""


class Building(ABC):
    """What a page with such addresses shows, and does with a move. Each function raises ``Refusal``."""

    address: str
    subject: str
    """What it is called in metrics, and where it looks for news."""
    cache: str | None = None
    """What pictures say of how long browsers may keep them."""

    def add_to(self, api: Api) -> None:
        api.get(self.address, self.address.partition("/")[0], self.state)
        api.get(self.address + "/choices", "choices", self.choices)
        api.get(self.address + "/rules", "rules", self.rules)
        api.picture(self.address + "/picture", "picture", self.picture, self.cache)
        api.live(self.address + "/live", self.subject, self.number)
        api.post(self.address + "/move", "move", self.move, ("keys", "ply"))

    @abstractmethod
    async def surface(self, request: Request, asked: Asked) -> Surface:
        """Return what a person sees."""

    @abstractmethod
    async def number(self, request: Request, asked: Asked) -> int:
        """Return the number of the subject that the person gets news of, whether or not it can be shown now."""

    @abstractmethod
    async def state(self, request: Request, asked: Asked) -> Data:
        """Return all that the page shows."""

    @abstractmethod
    async def move(self, request: Request, asked: Asked) -> Data:
        """Carry out the move that some choices make, or return it where there is more to choose or to ask."""

    async def choices(self, request: Request, asked: Asked) -> Data:
        """Return what follows some choices."""
        return await steps(request, await self.surface(request, asked), asked.keys)

    async def picture(self, request: Request, asked: Asked) -> bytes:
        """Draw the board with a move under construction."""
        return await drawn(request, asked, await self.surface(request, asked))

    async def rules(self, request: Request, asked: Asked) -> Data:
        """Return the guide of the game."""
        return guide(await self.surface(request, asked))


async def drawn(request: Request, asked: Asked, surface: Surface) -> bytes:
    """Draw the board of a surface with a move under construction."""
    look = surface.look(request.preferences, PendingMove(asked.keys), asked.width, asked.flip)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page picture", *surface.key, look))
    return await request.services.compute_as(spec, boards.picture, surface.game_state, look)


def guide(surface: Surface) -> Data:
    pages = guide_pages(surface.game, surface.game.variant(surface.variant))
    return {"pages": [{"title": translated(page.title), "text": translated(page.text)} for page in pages]}


async def steps(request: Request, surface: Surface, chosen: Choices = ()) -> Data:
    """Return what follows some choices on a surface. Raises ``Refusal`` where there is nothing to choose."""
    surface.check()
    spec, only = JobSpec(Pool.INTERACTIVE, Priority.MOVE), surface.squares_only
    compute = request.services.compute_as
    data = await compute(spec, boards.choices, surface.game.key, surface.position, chosen, squares_only=only)
    return {**data, "confirmation": surface.confirmation or data["confirmation"]} if data["move"] else data


async def agreed(request: Request, surface: Surface, asked: Asked) -> str | Data:
    """Return the move that some choices make, to be carried out; where there is more to choose or ask, the answer."""
    state = await surface.build(request, asked.keys)
    text = surface.agreed(request, state, asked.keys, asked.consent)
    return {"building": await steps(request, surface, asked.keys)} if text is None else text


async def shown(request: Request, asked: Asked, surface: Surface) -> Data:
    """Return the board of a surface, in the shape of ``page``."""
    letters = asked.in_letters(request.preferences)
    look = surface.look(request.preferences, width=asked.width, flip=asked.flip)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page board", *surface.key, look, letters))
    return await request.services.compute_as(spec, boards.shown, surface.game_state, look, letters=letters)


def ending(outcome: str, rating: str = "", first: str = "") -> dict[str, str]:
    """Return what the end is to a person: ``won``, ``lost`` or a ``draw``, with what else there is to say of it."""
    headlines = {"won": _("You won!"), "lost": _("You lost"), "draw": _("A draw")}
    return {"outcome": outcome, "headline": headlines[outcome], "rating": rating, "first": first}


def page(
    request: Request,
    asked: Asked,
    surface: Surface,
    board: Data,
    stamp: str,
    *,
    version: str,
    ply: int,
    title: str,
    status: Sequence[str],
    over: bool,
    turn: Data | None,
    acts: Sequence[Act],
    **more: object,
) -> Data:
    """Return what a page shows. Whatever else its pictures depend on, they also depend on the ``stamp``."""
    preferences = request.preferences
    return {
        "version": version,
        "ply": ply,
        "title": title,
        "game": {"name": translated(surface.game.name), "summary": translated(surface.game.summary)},
        "status": "\n".join(line for line in status if line),
        "over": over,
        "board": {
            **board,
            "flip": asked.flip,
            "key": f"{stamp}-{request.language.code}-{preferences.theme}-{int(preferences.coordinates)}",
        },
        "turn": turn,
        "acts": [{"act": act, "label": label} for act, label in acts],
        "letters": asked.in_letters(preferences),
        "theme": preferences.theme,
        **{"people": {}, "players": [], "offers": [], "moves": [], "next": None, "end": None, "live": False, **more},
    }
