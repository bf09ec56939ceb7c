"""A challenge that people without an account are shown by its link: its card, the board, and the way to Discord."""

from __future__ import annotations

from html import escape
from typing import Final

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.model.game_state import first_game_state
from bot.matches.model.refusals import check_installed
from bot.messages.challenge_words import card_link, invitation, terms_in_words
from bot.messages.drawing import Perspective
from bot.messages.pictures import Picture
from bot.requests.context import BotContext
from bot.requests.request import Request
from bot.storage import people
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.web.api import CHALLENGED, Api, Asked
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p
from renderers.i18n import translated

WIDTH: Final = 480
"""The width of the picture on the page, in pixels."""


def add_challenges(api: Api) -> None:
    """Add the address of the pictures of challenges."""
    api.picture(CHALLENGED + "/picture", "picture", _picture)


async def _picture(request: Request, asked: Asked) -> bytes:
    challenge = await request.services.challenges.of_code(asked.link)
    return (await _board(request.context, challenge, asked.width)).data


async def _board(context: BotContext, challenge: Challenge, width: int) -> Picture:
    """Draw the board of a challenge as the match will begin."""
    check_installed(challenge.game)
    game, key = GAMES[challenge.game], ("beginning", challenge.game, challenge.variant, challenge.players)
    compute, spec = context.services.compute_as, JobSpec(Pool.INTERACTIVE, Priority.LOOK, key)
    state = await compute(spec, first_game_state, game, challenge.variant, challenge.players)
    seen = Perspective(game.key, game.seat_names[: challenge.players], width=width)
    return await context.renderer.drawn(state, seen, key)


async def card(context: BotContext, challenge: Challenge, code: str) -> tuple[str, str, str]:
    """Return the title of a challenge, who challenges on what terms, and what its page shows as HTML.

    The challenger has a name only if they show it. Raises ``Refusal``, ``JobDropped`` or ``NotComputed``.
    """
    picture, game = await _board(context, challenge, WIDTH), GAMES[challenge.game]
    named = (await context.services.read(people.preferences, challenge.challenger_id)).shows_name
    challenger = challenge.joined[0].name if named else _p("challenger", "Somebody")
    title = translated(game.name)
    asks, terms = invitation(challenge, challenger), terms_in_words(challenge)
    if is_private(challenge.guild_id):
        where = _("Type this in Discord where you can write to the challenger:")
        way = f"<p>{escape(where)}</p><p><code>/challenge code:{code}</code></p>"
        if context.install_url:
            install = _("Install the bot for yourself")
            way += f'<a class="button" href="{escape(context.install_url)}">{escape(install)}</a>'
    else:
        where = _("Go to the challenge in Discord")
        way = f'<a class="primary" href="{card_link(challenge)}">{escape(where)}</a>'
    told = "".join(f"<p>{escape(translated(text))}</p>" for text in (asks, game.summary, terms))
    alternative = f'width="{WIDTH}" alt="{escape(picture.description)}"'
    board = f'<img src="/api/challenge/{code}/picture?width={WIDTH}" {alternative}>'
    return title, f"{asks} {terms}", f'<main class="door"><h1>{escape(title)}</h1>{board}{told}{way}</main>'
