"""Notices to players: their time is running out, it is up, or they are barred from playing."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.matches.services.match_queries import EarlierTurn
from bot.matches.writing.clocks import CLOSABLE_AFTER
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.layout import Outgoing, button, layout, link, row
from bot.messages.wording import LIST_LIMIT, escaped, listed, mention_or_name, result, that_fit, title
from bot.storage.bars import Bar
from bot.storage.records import EVERYWHERE, Match, MatchState, Person, Seat
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, headed, prose, translated
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

MOST_BUTTONS = 5
"""Discord's limit of buttons side by side."""
MOST_WORDS = 2 * LIST_LIMIT
"""Characters of all that one reminder tells, so that it fits a message."""


EARLY = gettext_lazy("-# Your quiet hours begin before that, so I remind you now.")


def reminder(match: Match, *, early: bool = False) -> Outgoing:
    """Return the reminder that time is running out, or that a match against computer players still waits.

    ``early`` says that it comes before quiet hours in which the time runs out.
    """
    custom_id = reminder_marker(match.id, match.ply)
    play = row(button(custom_id, _p("button", "Play"), discord.ButtonStyle.success))
    if match.pace is None:
        words = _untimed_words(match)
    else:
        words = _(
            "{players}, your time in **{match}** runs out {until}.",
            players=mention_or_name(match.mover.person),
            match=title(match),
            until=_until(match),
        )
    reminded = [match.mover.person] if match.pace is not None or match.alone else _people_left(match)
    view = layout(f"{words}\n{translated(EARLY)}" if early else words, play)
    return Outgoing(view, custom_id, (), tuple(person.id for person in reminded if person.mentionable))


def reminder_marker(match_id: int, ply: int) -> str:
    """Return the custom id by which a reminder is recognised: that of its button."""
    return custom_ids.PLAY(match=match_id, ply=ply, origin=":reminder")


def reminders(waiting: Sequence[Match]) -> Outgoing:
    """Return one reminder that a person's time is running out in several matches, in the place of the first."""
    mover = waiting[0].mover.person
    timed = [match for match in waiting if match.pace is not None]
    heading = _n(
        "{players}, your time runs out in {n} match:",
        "{players}, your time runs out in {n} matches:",
        len(timed),
        players=mention_or_name(mover),
    )
    marker = reminder_marker(waiting[0].id, waiting[0].ply)
    play = row(button(marker, _p("button", "Play"), discord.ButtonStyle.success))
    return Outgoing(layout(_what_runs_out(heading, timed, waiting), play), marker, (), (mover.id,))


def told_directly(kind: MessageKind, told: Sequence[Match], *, early: bool = False) -> Outgoing:
    """Return a direct message about matches: a reminder, that a win can be claimed, or (``BOARD``) how one ended."""
    if kind is MessageKind.BOARD:
        return Outgoing(retired_directly(told[0]), "")
    if kind is MessageKind.LATE:
        words = _idle_words(told[0]) if told[0].pace is None else _late_words(told[0])
        ways = [row(link(board_link(told[0]), _("Go to the board")))] if told[0].has_link else []
        return Outgoing(layout(words, *ways), "")
    timed = [match for match in told if match.pace is not None]
    heading = _n("Your time runs out in {n} match:", "Your time runs out in {n} matches:", len(timed))
    words = _what_runs_out(heading, timed, told)
    return Outgoing(layout(f"{words}\n{translated(EARLY)}" if early else words), "")


def nothing_waits() -> discord.ui.LayoutView:
    """Return what is left of a reminder of several matches once none of them waits for the person."""
    return layout(_("-# You have moved in all of these matches, or they have ended."))


def _what_runs_out(heading: str, timed: Sequence[Match], every: Sequence[Match]) -> str:
    """Return a list of the ``timed`` ones of some matches below a heading, and what comes of those without a pace."""
    told = [_list_of_turns(heading, timed, times=True)] if timed else []
    for match in every:
        if match.pace is None:
            board = [_("[board]({link})", link=board_link(match))] if match.has_link else []
            told.append(" · ".join([_untimed_words(match), *board]))
    return "\n".join(that_fit(told, MOST_WORDS))


def _untimed_words(match: Match) -> str:
    """Return what comes of a match without a pace if nobody moves: it is closed, or the players may close it."""
    if match.alone:
        return _(
            "{players}, it's still your turn in **{match}**. I'll close it {until}; you lose nothing by that.",
            players=mention_or_name(match.mover.person),
            match=title(match),
            until=_until(match),
        )
    still = _(
        "{players} is still to move in **{match}**.", players=escaped(match.mover.person.name), match=title(match)
    )
    follows = _("If nobody moves, each of you can close it {until}; then it counts for nobody.", until=_until(match))
    return headed(listed(mention_or_name(person) for person in _people_left(match)), prose([still, follows]))


def _until(match: Match) -> str:
    return _("soon") if match.deadline_at is None else discord.utils.format_dt(match.deadline_at, "R")


def _idle(match: Match) -> Outgoing:
    """Return the notice that the players of an untimed match may close it."""
    close = custom_ids.CLOSE(match=match.id, ply=match.ply)
    view = layout(_idle_words(match), row(button(close, _("Close the match"))))
    return Outgoing(view, close, (), tuple(person.id for person in _people_left(match) if person.mentionable))


def _idle_words(match: Match) -> str:
    nobody = _n(
        "Nobody has moved in **{match}** for {n} day.",
        "Nobody has moved in **{match}** for {n} days.",
        CLOSABLE_AFTER.days,
        match=title(match),
    )
    names = listed(mention_or_name(person) for person in _people_left(match))
    return prose([nobody, _("{players} can close it; then it counts for nobody.", players=names)])


def _people_left(match: Match) -> list[Person]:
    return [seat.person for seat in match.seats if not (seat.dropped or seat.person.computer)]


def turns_directly(waiting: Sequence[Match], *, page: bool) -> Outgoing:
    """Return the direct message to a person about all turns that began in their quiet hours."""
    opens = [
        button(
            custom_ids.OPEN_TURN(match=match.id, ply=match.ply), _("Open the board of match {number}", number=match.id)
        )
        for match in (waiting[:MOST_BUTTONS] if page else ())
    ]
    marker = custom_ids.OPEN_TURN(match=waiting[0].id, ply=waiting[0].ply) if page else ""
    return Outgoing(layout(_your_turns(waiting), *([row(*opens)] if opens else [])), marker)


def turns_here(waiting: Sequence[Match], *, refused: bool) -> Outgoing:
    """Return the notice to a person about turns of theirs, in the place of the first; they take no direct messages.

    ``refused`` tells them so: they wanted to be told by direct message.
    """
    match, mover = waiting[0], waiting[0].mover.person
    play = custom_ids.PLAY(match=match.id, ply=match.ply, origin=":turn")
    if len(waiting) == 1:
        words = _("{players}, it's your turn in **{match}**.", players=mention_or_name(mover), match=title(match))
    else:
        words = f"{mention_or_name(mover)}\n{_your_turns(waiting)}"
    if refused:
        words += "\n" + _(
            "I can't send you direct messages, so I'll tell you in the channel from now on. `/preferences` changes "
            "that."
        )
    view = layout(words, row(button(play, _p("button", "Play"), discord.ButtonStyle.success)))
    return Outgoing(view, play, (), (mover.id,))


def _your_turns(waiting: Sequence[Match]) -> str:
    return _list_of_turns(_("During your quiet hours your turn came in:"), waiting)


def _list_of_turns(heading: str, waiting: Sequence[Match], *, times: bool = False) -> str:
    """Return a list of matches that wait for one person, with links, and until when if ``times`` are wanted."""
    lines = []
    for match in waiting:
        others = [seat.person.name for seat in match.seats if seat != match.mover]
        against = _("{match} against {opponents}", match=title(match), opponents=listed(map(escaped, others)))
        board = _("[board]({link})", link=board_link(match)) if match.has_link else ""
        ends_at = match.deadline_at if times else None
        until = "" if ends_at is None else f" · {discord.utils.format_dt(ends_at, 'R')}"
        lines.append(f"- {headed(against, board) if board else against}{until}")
    shown = that_fit(lines, LIST_LIMIT)
    more = len(lines) - len(shown)
    left_out = [_n("… and {n} more.", "… and {n} more.", more)] if more else []
    return "\n".join([heading, *shown, *left_out])


def late(match: Match) -> Outgoing:
    """Return the notice that the time is up and the win may be claimed, or an untimed match closed."""
    if match.pace is None:
        return _idle(match)
    custom_id = custom_ids.CLAIM(match=match.id, ply=match.ply)
    claim = row(button(custom_id, _("Claim"), discord.ButtonStyle.primary))
    others = tuple(seat.person.id for seat in _others_left(match) if seat.person.mentionable)
    return Outgoing(layout(_late_words(match), claim), custom_id, (), others)


def _others_left(match: Match) -> list[Seat]:
    return [seat for seat in match.seats if not (seat == match.mover or seat.dropped or seat.person.computer)]


def _late_words(match: Match) -> str:
    """Return that the time of the person to move is up, and what the others can do."""
    mover = escaped(match.mover.person.name)
    names = listed(mention_or_name(seat.person) for seat in _others_left(match))
    news = _("{players} is out of time in **{match}**.", players=mover, match=title(match))
    until = "" if match.claim_until is None else discord.utils.format_dt(match.claim_until, "f")
    if len(match.seats) == 2:
        choice = _(
            "{opponents} can claim the win until {until}; then the match ends by itself.", opponents=names, until=until
        )
    else:
        choice = _(
            "{opponents} can drop {players} from the game until {until}; then that happens by itself.",
            opponents=names,
            players=mover,
            until=until,
        )
    return prose([news, choice])


def grace(spared: Sequence[Match]) -> Outgoing:
    """Return the direct message to a person whose day away was spent, so that they did not lose matches on time."""
    heading = _("Your time ran out, so one of your days away was used. You can still move in:")
    serves = _("-# It serves every match in which your time runs out before it is over. `/preferences` changes that.")
    return Outgoing(layout(_list_of_turns(heading, spared, times=True), serves), "")


def retired_notice(turn: EarlierTurn, kind: MessageKind) -> discord.ui.LayoutView:
    """Return a reminder or late notice once the turn is over: a line without a button."""
    match = turn.match
    to_move = turn.game_state.position.to_move
    names = "" if to_move is None else escaped(match.seats[to_move].person.name)
    if match.pace is None or kind is MessageKind.TURN:
        what = _("{players} was still to move here", players=names)
    elif kind is not MessageKind.REMINDER:
        what = _("{players} had no time left here", players=names)
    else:
        what = _("{players} had little time left here", players=names)
    ended = f" · {result(match)}" if match.state is MatchState.OVER else ""
    return layout(f"-# {title(match)} · {what}{ended}")


def retired_directly(match: Match) -> discord.ui.LayoutView:
    """Return a direct message about a turn once it is over: a line without a button, or how the match ended."""
    if match.state is not MatchState.OVER and not match.voided:
        yours = _("it was your turn here")
        return layout(f"-# {title(match)} · {yours}")
    ended = prose([_("This match is over."), result(match)])
    told = f"### {title(match)}\n{ended}"
    if not match.has_link:
        return layout(told)
    return layout(told, row(link(board_link(match), _("Go to the board"))))


def bar_notice(bar: Bar, server: str) -> str:
    """Return the direct message to a person who is barred; ``server`` is the name of the server, if it is one."""
    if bar.guild_id == EVERYWHERE:
        news = _("The people who run this bot have barred you from playing, in every server.")
    else:
        news = _("The people who manage {server} have barred you from playing there.", server=f"**{escaped(server)}**")
    goes_on = _("Matches you're in go on. To have the bar lifted, ask them.")
    return prose([news, goes_on])
