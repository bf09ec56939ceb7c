"""Links to the board page: of single use, to a player's own match or puzzle, and for anybody who wants to watch."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.matches.model.page_links import Purpose
from bot.matches.model.refusals import NOT_PLAYING, NoSuchMatch, Refusal, Voided
from bot.matches.services.page_access import LINK_VALID
from bot.matches.services.watching import NotWatched
from bot.messages import custom_ids
from bot.messages.layout import button, layout, link, row
from bot.messages.puzzle_words import game_of
from bot.messages.wording import title
from bot.requests import looking
from bot.requests.context import Place
from bot.requests.request import Request
from bot.storage import matches
from bot.views.answers import Reply
from bot.views.controls import in_place, privately
from renderers.i18n import gettext as _


@privately(custom_ids.OPEN)
async def on_open(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Give the player who presses it a link to the board."""
    return await open_match(request, ids.match)


@privately(custom_ids.OPEN_TURN)
async def on_open_turn(request: Request, ids: custom_ids.OfTurn) -> Reply:
    """Give the player who presses it in a direct message a link to the board."""
    return await open_match(request, ids.match)


@privately(custom_ids.WATCH)
async def on_watch(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Give a person who sees a match the link by which anybody watches it. Raises ``Refusal``."""
    match = (await looking.match_view(request, ids.match)).match
    url = request.context.settings.watched_url
    if not url:
        raise NotWatched
    token, named = await request.services.watching.link(match.id)
    address = f"{url}/watch/{token}"
    words = _("Anybody with this link can watch {match}, without an account:", match=f"**{title(match)}**")
    seen = _("They see the names of the players, who all allow it.")
    if not named:
        seen = _("They see colours instead of names. Names are shown once all players allow it in `/preferences`.")
    withdraws = [button(custom_ids.WATCH_END(match=match.id), _("Withdraw the link"))]
    ways = row(link(address, _("Watch")), *(withdraws if match.seat_of(request.person.id) is not None else []))
    return Reply(view=layout(f"{words}\n{address}\n-# {seen}", ways))


@in_place(custom_ids.WATCH_END)
async def on_withdraw(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Have the link to watch a match lead nowhere, for one of its players. Raises ``Refusal``."""
    await looking.check(request, ids.match)
    await request.services.watching.withdraw(ids.match, request.person.id)
    return Reply(view=layout(_("That link leads nowhere any more. **Link to watch** makes another one.")))


async def open_match(request: Request, match_id: int) -> Reply:
    """Return a link to a match for one of its players. Raises ``Refusal``, also where there is no page any more."""
    if request.place.guild_id is None:
        # A board in direct messages may be that of a match in a server.
        match = await request.services.read(matches.get, match_id)
        if match is None or await request.context.lookup.has_left(match.guild_id, request.person.id):
            raise NoSuchMatch
        request = replace(request, place=Place.of_home(match.guild_id, request.place.language))
    match = (await request.services.queries.match_view(request.home, match_id)).match
    if match.seat_of(request.person.id) is None:
        raise Refusal(NOT_PLAYING)
    if match.voided:
        raise Voided
    _check_page(request)
    return await _link_reply(request, Purpose.MATCH, match.id, f"**{title(match)}**")


async def open_puzzle(request: Request, attempt_id: int) -> Reply:
    """Return a link to a puzzle that the person is at. Raises ``Refusal``."""
    view = await request.services.puzzles.view(request.person.id, attempt_id)
    _check_page(request)
    name = _("**Puzzle · {game}**", game=game_of(view.puzzle))
    return await _link_reply(request, Purpose.PUZZLE, attempt_id, name)


def _check_page(request: Request) -> None:
    if not request.context.settings.page_url:
        raise Refusal(_("Boards can't be opened in a browser at the moment. You can play on here, in Discord."))


async def _link_reply(request: Request, purpose: Purpose, subject_id: int, called: str) -> Reply:
    signed = await request.services.page_access.link(request.person, request.locale, request.home, purpose, subject_id)
    until = discord.utils.format_dt(request.services.clock() + LINK_VALID, "t")
    words = _(
        "Play {match} in your browser. This link is for you alone: it works once, until {time}.",
        match=called,
        time=until,
    )
    return Reply(view=layout(words, row(link(f"{request.context.settings.page_url}/open/{signed}", _("Open board")))))
