"""The ladder in answers: joined, left and shown."""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.games import game_named
from bot.matches.model.pace import Pace, pace_in_words
from bot.matches.model.refusals import Refusal
from bot.matches.services.ladders import LadderView
from bot.messages import custom_ids
from bot.messages.ladder import match_lines, out, without_match
from bot.messages.layout import box, button, layout, row
from bot.messages.wording import channel, escaped, listed
from bot.requests.request import Request
from bot.storage import ladders
from bot.storage.contest_states import NoMatch
from bot.storage.ladders import LadderPlayer
from bot.views.answers import Reply
from bot.views.controls import privately
from bot.views.game_menu import known_game
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, sentence, translated

_WAITS = gettext_lazy(
    "No matches begin, because I can't post in the channel of the ladder. Who manages this server can choose another "
    "one: `/settings`"
)
_HIDDEN = gettext_lazy(
    "You can't see the channel of the ladder, so you get no match in it. Who manages this server can choose another "
    "one: `/settings`"
)


@privately(custom_ids.LADDER)
async def on_ladder(request: Request, ids: custom_ids.Ladder) -> Reply:
    """Join the ladder with all games, leave it, or show it; who is in it keeps what they chose."""
    if ids.verb == "leave":
        return await leave(request)
    view = await request.services.ladders.view(request.server)
    inside = view is not None and any(player.person.id == request.person.id for player in view.players)
    return await (join(request) if ids.verb == "join" and not inside else show(request))


async def join(request: Request, game: str | None = None, pace: int | None = None) -> Reply:
    """Join the ladder, or change what one plays there. Raises ``Refusal``."""
    request.check_place()
    present, lookup = await request.services.read(ladders.get, request.server), request.context.lookup
    moved = present is not None and not lookup.may_post(request.server, present.channel_id)
    if present is not None and not moved and present.channel_id not in await _seen(request, {present.channel_id}):
        raise Refusal(_HIDDEN)
    player = await request.services.ladders.join(
        request.actor, None if game is None else known_game(game), pace, moved=moved
    )
    ladder = await request.services.read(ladders.get, request.server)
    assert ladder is not None
    return Reply(
        _(
            "You're in the ladder: once a week you're paired with somebody near in rating, the next time {time}. "
            "{choice}\n-# Its matches count from the first move. Who lets their time run out in one, or resigns before "
            "moving twice, is out, and can join again.",
            time=discord.utils.format_dt(ladder.due_at, "R"),
            choice=_choice(player),
        )
    )


async def leave(request: Request) -> Reply:
    """Leave the ladder. Raises ``Refusal``."""
    await request.services.ladders.leave(request.actor)
    return Reply(_("You've left the ladder. Matches that are running go on."))


async def show(request: Request) -> Reply:
    """Return who is in the ladder, its matches of this week, and when the next begin."""
    view = await request.services.ladders.view(request.server)
    way_in = row(button(custom_ids.LADDER(verb="join"), _("Join the ladder"), discord.ButtonStyle.success))
    offered = "-# " + sentence(_("Get a match each week against somebody near in rating"))
    everybody = () if view is None else (*view.players, *view.out)
    mine = next((player for player in everybody if player.person.id == request.person.id), None)
    if view is None or not view.players:
        lines = [_("### The ladder\nNobody is in it yet."), *_about(mine, view), offered]
        return Reply(view=layout(box("\n".join(lines), way_in)))
    lines = [_("### The ladder"), listed(escaped(player.person.name) for player in view.players)]
    seen = await _seen(request, {view.ladder.channel_id, *(match.channel_id for match in view.matches)})
    if not request.context.lookup.may_post(request.server, view.ladder.channel_id):
        lines.append(translated(_WAITS))
    elif view.ladder.channel_id in seen:
        when, where = discord.utils.format_dt(view.ladder.due_at, "R"), channel(view.ladder.channel_id)
        lines.append(_("The next matches begin {time}, in {channel}.", time=when, channel=where))
    else:
        lines.append(translated(_HIDDEN))
    # Earlier ones of the week may be in another channel.
    listed_here = [match for match in view.matches if match.channel_id in seen or match.seat_of(request.person.id)]
    if listed_here:
        lines += [_("This week:"), *match_lines(listed_here)]
    if view.ladder.week is not None:
        lines += without_match(view, view.ladder.week)
    lines += _about(mine, view)
    if mine is not None and mine.out_at is not None:
        mine = None
    lines.append(offered if mine is None else f"-# {_choice(mine)}")
    if mine is not None:
        way_in = row(button(custom_ids.LADDER(verb="leave"), _("Leave the ladder")))
    return Reply(view=layout(box("\n".join(lines), way_in)))


async def _seen(request: Request, channel_ids: Collection[int]) -> frozenset[int]:
    """Return which of some channels the person can see."""
    return await request.context.lookup.visible(request.server, channel_ids, request.person.id)


def _about(mine: LadderPlayer | None, view: LadderView | None) -> list[str]:
    """Return the line about what concerns the person who asks alone, if anything does."""
    if mine is None or view is None:
        return []
    if mine.out_why is not None:
        return [out(mine.out_why, f"#{mine.out_match_id}")]
    without = mine.left_out_why if mine.left_out_at == view.ladder.week else None
    why = {
        NoMatch.AWAY: _("You have no match this week, because you were away when it began."),
        NoMatch.LIMIT: _("You have no match this week, because you could begin no other one when it began."),
    }
    return [f"-# {why[without]}"] if without in why else []


def _choice(player: LadderPlayer) -> str:
    """Return which games a person plays in the ladder, and how fast at most."""
    games = listed(translated(game_named(key).name) for key in player.games) if player.games else _("all games for two")
    return _("You play {games}, at {pace} or slower.", games=games, pace=translated(pace_in_words(Pace(player.pace))))
