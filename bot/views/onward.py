"""The way on after a move: to the next match that waits for the player or, where none does, to what else there is."""

from __future__ import annotations

import discord

from bot.games import game_named
from bot.matches.services.match_queries import Onward
from bot.matches.services.turns import MoveReceipt
from bot.messages import custom_ids
from bot.messages.layout import LABEL_LIMIT, Part, button, layout, link, message_link, row
from bot.messages.wording import shorten, title
from bot.opponents import LEVELS
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage.challenges import Invitation
from bot.storage.records import Match
from bot.views.answers import Reply
from bot.views.controls import privately
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

Button = discord.ui.Button[discord.ui.LayoutView]
NO_MATCH = 0
"""The number of no match."""


async def after_move(request: Request, done: MoveReceipt, words: str) -> list[Part]:
    """Return the ``words`` about a move that was played, and buttons: the next match, a plan for this one.

    Where no match waits, these are the puzzle of the day, open challenges of the channel, and a match against the bot;
    but not in the middle of a match against the bot, which waits for the player again in a moment.
    """
    waits_again = bool(done.match.computers) and not done.over
    onward = await read_or(_read_onward(request, done.match.id, next_only=waits_again), None)
    buttons: list[Button] = []
    if onward is not None and onward.following is not None:
        buttons.append(_next(onward.following))
    elif onward is not None and not waits_again:
        words += "\n-# " + _("Nothing else waits for you.")
        buttons += _ways(onward)
    if len(done.match.seats) == 2 and not done.over:
        buttons.append(button(custom_ids.PLAN(match=done.match.id), _p("button", "Plan")))
    return [words, *([row(*buttons)] if buttons else [])]


@privately(custom_ids.WEEKLY)
async def on_weekly(request: Request, _ids: custom_ids.OfDay) -> Reply:
    """Show a reader of the weekly post what they can play."""
    onward = await _read_onward(request, NO_MATCH)
    waiting = [] if onward.following is None else [_next(onward.following)]
    return Reply(view=layout(_("What would you like to play?"), row(*waiting, *_ways(onward))))


async def _read_onward(request: Request, match_id: int, *, next_only: bool = False) -> Onward:
    here = [channel_id for channel_id in (request.place.channel_id, request.place.parent_id) if channel_id is not None]
    ask = request.services.queries.onward
    return await ask(request.home, request.person.id, match_id, here, next_only=next_only)


def _next(following: Match) -> Button:
    play = custom_ids.PLAY(match=following.id, ply=following.ply)
    return button(play, _("Next: {match}", match=title(following)), discord.ButtonStyle.primary)


def _ways(onward: Onward) -> list[Button]:
    """Return the buttons of what there is where no match waits."""
    buttons = []
    if onward.daily is not None:
        day = custom_ids.DAILY(day=onward.daily.day.isoformat())
        buttons.append(button(day, _("Puzzle of the day"), discord.ButtonStyle.success))
    bot = button(custom_ids.AGAINST_BOT_LEVEL(level=LEVELS[0]), _("Play the bot"))
    return [*buttons, *map(_challenge, onward.invitations), bot]


def _challenge(invitation: Invitation) -> Button:
    """Return the link to the card of an open challenge."""
    card = message_link(invitation.guild_id, invitation.channel_id, invitation.message_id)
    words = _("{game} against {person}", game=game_named(invitation.game).name, person=invitation.challenger)
    return link(card, shorten(words, LABEL_LIMIT))
