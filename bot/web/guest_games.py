"""A guest's game against the bot: the same board and the same choices as in a match. Its page carries the moves."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from bot.compute.job import JobSpec, Pool
from bot.games.game import Game
from bot.matches.model.game_state import GameState
from bot.matches.model.guest_game import GUEST, MOST_PLIES, games, levels_for, played, with_reply
from bot.matches.model.refusals import Refusal
from bot.messages.drawing import Perspective
from bot.messages.wording import game_name, made_by
from bot.requests.request import Request
from bot.requests.surfaces import Surface
from bot.storage.records import computer_player
from bot.web.api import GUEST_GAME, LONGEST_GAME, Api, Asked, Data
from bot.web.building import SAID_BY_ADDRESS, Act, Building, agreed, ending, page, shown, steps
from bot.web.words import GUEST_NAME
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, sentence, translated

FRIENDS: Final = gettext_lazy("Play it with friends")
NO_SUCH_GAME: Final = gettext_lazy("There's no such game here.")
_OVER: Final = gettext_lazy("This game is over.")
_TOO_LONG: Final = gettext_lazy("Games go no further here. In Discord they have no such limit.")


class GuestGame(Building):
    """A guest's game as far as it has come."""

    address, subject = GUEST_GAME, "play"
    cache = SAID_BY_ADDRESS

    def add_to(self, api: Api) -> None:
        super().add_to(api)
        api.post(self.address + "/again", "again", _again)
        api.post(self.address + r"/level/{to:\d{1,3}}", "level", _again)

    async def surface(self, request: Request, asked: Asked) -> Surface:
        state, _seats = await _played(request, asked)
        return _surface(asked, state)

    async def number(self, request: Request, asked: Asked) -> int:
        return 0

    async def move(self, request: Request, asked: Asked) -> Data:
        """Play the move that some choices make, with the bot's reply, or ask about it first."""
        surface = await self.surface(request, asked)
        text = await agreed(request, surface, asked)
        if not isinstance(text, str):
            return text
        told = surface.game_state, text, _level(asked), secrets.randbits(32)
        added = await request.services.compute_as(JobSpec(Pool.INTERACTIVE), with_reply, *told)
        return {"played": text, **_carried(_level(asked), (*asked.moves, *added))}

    async def state(self, request: Request, asked: Asked) -> Data:
        (state, seats), level = await _played(request, asked), _level(asked)
        surface, names = _surface(asked, state), _game(asked).seat_names
        over, levels = surface.closed is not None, levels_for(surface.game)
        acts: list[Act] = [("again", _("New game"))] if asked.moves else []
        if over or not asked.moves:
            acts += [(f"level/{other}", _("Play level {level}", level=other)) for other in levels if other != level]
        if state.result is not None and GUEST in state.result.winners and level + 1 in levels:
            acts.sort(key=lambda act: act[0] != f"level/{level + 1}")
        return page(
            request,
            asked,
            surface,
            await shown(request, asked, surface),
            version := stamp(*asked.moves, str(level)),
            version=version,
            ply=len(asked.moves),
            title=game_name(surface.game.key, surface.variant),
            status=_status(surface),
            over=over,
            turn=None if over else await steps(request, surface),
            acts=acts,
            players=[_player(surface, seat) for seat in range(2)],
            moves=[
                {"number": number, "seat": seat, "seatName": translated(names[seat]), "text": text}
                for number, (seat, text) in enumerate(zip(seats, asked.moves, strict=True), 1)
            ],
            stepping=False,
            end=_end(state),
            next={"path": "play", "label": translated(FRIENDS)} if over else None,
            **_carried(level, asked.moves),
        )


def stamp(*of: str) -> str:
    """Return what stands for some texts in addresses of pictures."""
    return sha256(" ".join(of).encode()).hexdigest()[:12]


async def _again(_request: Request, asked: Asked) -> Data:
    """Begin a new game, at another level where one is named."""
    return {"words": "", **_carried(_level(asked) if asked.to is None else _offered(asked, asked.to), ())}


def _carried(level: int, moves: Sequence[str]) -> Data:
    return {"carried": {"level": level, "moves": " ".join(moves)}}


def _level(asked: Asked) -> int:
    return _offered(asked, asked.level or 0)


def _offered(asked: Asked, level: int) -> int:
    """Return a level that guests may play in a game, the first in place of others."""
    levels = levels_for(_game(asked))
    return level if level in levels else levels[0]


def _game(asked: Asked) -> Game:
    """Return the game of an address. Raises ``Refusal``."""
    game = games().get(asked.game)
    if game is None:
        raise Refusal(NO_SUCH_GAME)
    return game


async def _played(request: Request, asked: Asked) -> tuple[GameState, list[int]]:
    spec = JobSpec(Pool.INTERACTIVE, key=("guest game", _game(asked).key, asked.moves))
    return await request.services.compute_as(spec, played, asked.game, asked.moves)


def _surface(asked: Asked, state: GameState) -> Surface:
    game = _game(asked)
    names = translated(GUEST_NAME), translated(computer_player(_level(asked)).name)
    too_long = len(asked.moves) >= MOST_PLIES or sum(len(text) + 1 for text in asked.moves) > LONGEST_GAME
    closed = _OVER if state.result is not None else _TOO_LONG if too_long else None
    seen = Perspective(game.key, names, GUEST)
    return Surface(state, game.variants[0].key, seen, ("guest board", game.key, asked.moves), closed=closed)


def _player(surface: Surface, seat: int) -> dict[str, Any]:
    result, position = surface.game_state.result, surface.position
    return {
        "seat": seat,
        "name": surface.seen.names[seat],
        "seatName": translated(surface.game.seat_names[seat]),
        "me": seat == GUEST,
        "toMove": surface.closed is None and position.to_move == seat,
        "dropped": False,
        "won": result is not None and len(result.winners) == 1 and seat in result.winners,
        "until": None,
        "stands": [],
        "left": None,
    }


def _status(surface: Surface) -> list[str]:
    """Return how a game stands: its result, and the last moves of both in words."""
    state, lines = surface.game_state, []
    if state.result is not None:
        lines.append(f"**{sentence(translated(state.result.summary(surface.game.seat_names[:2])))}**")
    elif surface.closed is not None:
        lines.append(translated(surface.closed))
    before = state.earlier
    if before is not None and before.last_seat == GUEST != state.last_seat:
        lines += [_("Last move: {move}", move=_made(surface, before)), _("Reply: {move}", move=_made(surface, state))]
    elif state.last is not None:
        lines.append(_("Last move: {move}", move=_made(surface, state)))
    return lines + [_("{name} has to pass.", name=surface.game.seat_names[seat]) for seat in state.passed]


def _made(surface: Surface, state: GameState) -> str:
    name = translated(surface.game.seat_names[state.last_seat or 0])
    return sentence(made_by(name, surface.game, state))


def _end(state: GameState) -> dict[str, str] | None:
    """Return what the end of a game is to the guest; None before it."""
    if state.result is None:
        return None
    drawn, won = len(state.result.winners) != 1, GUEST in state.result.winners
    return ending("draw" if drawn else "won" if won else "lost")
