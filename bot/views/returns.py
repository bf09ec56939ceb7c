"""What a person is told, once and privately, when they come back after days: what waits for them, what has ended
meanwhile, and who has challenged them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord

from bot.games import game_named
from bot.matches.model.refusals import is_playable
from bot.matches.services.returns import ReturnView
from bot.messages import custom_ids
from bot.messages.board import LAST_POSITION, board_link, step_through
from bot.messages.digest import part, result_line, waiting_line
from bot.messages.layout import Part, button, layout, line, message_link
from bot.messages.wording import escaped, that_fit
from bot.requests.request import PRIVACY, Request, command_of
from bot.storage.challenges import Invitation
from bot.storage.records import Match
from renderers.i18n import bracketed, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

_PLAYED, _VIEWED = 6, 4
"""How many matches have a button to play or to view: with the texts around them they take 36 of the 40 components that
Discord allows in a message."""
_WAITING, _ENDED = 1800, 1300
"""Characters of the two lists."""
_MATCHES = "matches"
"""The command that lists what waits for a person."""


async def on_return(request: Request) -> discord.ui.LayoutView | None:
    """Note that a person uses the bot; return the list if they come back, and there is something in it.

    What they ask about their data notes nothing, or it would store something of people who have just deleted all.
    """
    command = command_of(request.control)
    if command == PRIVACY:
        return None
    since = await request.services.returns.note(request.person.id)
    if since is None:
        return None
    view, here = await request.services.returns.view(request.person.id, since, request.at), request.place.home
    if command == _MATCHES:
        view = replace(view, waiting=())
    every = view.waiting + view.ended
    # The board of the match where they are tells as much as a list of it alone.
    alone = len(every) == 1 and every[0].board_channel_id == request.place.channel_id
    return _list(view, here) if view.challenges or (every and not alone) else None


def _list(listed: ReturnView, guild_id: int | None) -> discord.ui.LayoutView:
    """Return the list; controls of matches work in their own server, so those of others have links alone."""

    def play(match: Match) -> discord.ui.Button[discord.ui.LayoutView] | None:
        if match.guild_id != guild_id or not is_playable(match):
            return None
        custom_id = custom_ids.PLAY(match=match.id, ply=match.ply)
        return button(custom_id, _p("button", "Play"), discord.ButtonStyle.primary)

    def view(match: Match) -> discord.ui.Button[discord.ui.LayoutView] | None:
        return step_through(match, LAST_POSITION, _("View")) if match.guild_id == guild_id else None

    user_id = listed.user_id
    waits = [(match, f"- {waiting_line(match, user_id)}") for match in listed.waiting]
    over = [(match, f"- {prose([result_line(match, user_id), *_link(match, guild_id)])}") for match in listed.ended]
    challenges = part(_("**Challenges to you**"), map(_challenge, listed.challenges))
    return layout(
        _("### Since you were last here"),
        *_matches(_("**Waiting for you**"), waits, len(waits), play, _PLAYED, _WAITING),
        *_matches(_("**Ended**"), over, listed.ended_number, view, _VIEWED, _ENDED),
        *(["\n".join(challenges)] if challenges else []),
    )


def _matches(
    head: str,
    every: Sequence[tuple[Match, str]],
    number: int,
    control: Callable[[Match], discord.ui.Button[discord.ui.LayoutView] | None],
    most: int,
    limit: int,
) -> list[Part]:
    """Return the first of ``number`` matches in lines of ``limit`` characters, at most so many of them with a button;
    nothing if there is none.
    """
    if not every:
        return []
    lines = that_fit([words for _match, words in every], limit)
    parts: list[Part] = [head]
    rest: list[str] = []
    for (match, _words), words in zip(every, lines, strict=False):
        pressed = control(match) if len(parts) <= most else None
        if pressed is None:
            rest.append(words)
        else:
            parts.append(line(words, pressed))
    more = number - len(lines)
    rest += [_n("… and {n} more.", "… and {n} more.", more)] if more else []
    return [*parts, *(["\n".join(rest)] if rest else [])]


def _link(match: Match, guild_id: int | None) -> list[str]:
    """Return the link to the last board of a match of another server."""
    if match.guild_id == guild_id or not match.has_link:
        return []
    return [_("[board]({link})", link=board_link(match))]


def _challenge(invitation: Invitation) -> str:
    card = message_link(invitation.guild_id, invitation.channel_id, invitation.message_id)
    return bracketed(f"[{translated(game_named(invitation.game).name)}]({card})", escaped(invitation.challenger))
