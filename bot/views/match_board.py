"""A match in an answer: looking at it from any side, what else can be done in it, its replay and its text record."""

from __future__ import annotations

from contextlib import suppress

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model import match_record
from bot.matches.model.game_state import effective_entries
from bot.matches.model.policies.visibility import Viewer, Way, may_see
from bot.matches.model.refusals import NOT_PLAYING, Refusal, Unavailable, check_installed
from bot.matches.model.turn import reopens_set_up
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import board_link, headline, open_button, post_button, record_buttons, step_through, text
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Attachment, Picture
from bot.messages.wording import players, result, title
from bot.requests import actions, looking
from bot.requests.actions import LABELS, Action
from bot.requests.request import Request
from bot.requests.review_words import remark
from bot.storage import notes as notes_stored
from bot.storage.records import Match, MatchState
from bot.views import builder_ids, notes
from bot.views.answers import Reply
from bot.views.controls import in_place, posting, privately
from bot.views.sharing import share_buttons
from bot.views.which_match import resolve_match_id
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p


@privately(custom_ids.MORE)
async def on_more(request: Request, ids: custom_ids.OfTurn) -> Reply:
    """Show what else can be done in a match."""
    return await more(request, ids.match)


@in_place(custom_ids.LOOK)
async def on_look(request: Request, ids: custom_ids.Look) -> Reply:
    """Show the board from one side, as a picture or in letters."""
    match_view = await looking.match_view(request, ids.match)
    return await _board_reply(request, match_view, ids.seat, as_text=ids.form == "text")


@privately(custom_ids.REPLAY)
@privately(custom_ids.VOIDED)
async def on_replay(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Show a whole match as an animation, also a voided one."""
    return await replay(request, ids.match)


@privately(custom_ids.EXPORT)
async def on_export(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Give the text record of a match."""
    return await export(request, ids.match)


@in_place(custom_ids.RESIGN)
async def on_resign(request: Request, ids: custom_ids.Resignation) -> Reply:
    """Ask the player to confirm, and resign."""
    return await ask_resignation(request, ids.match) if ids.verb == "ask" else await resign(request, ids)


@posting(custom_ids.POST)
async def on_post(request: Request, ids: custom_ids.Posting) -> Reply | None:
    """Do what the answer shows to everybody: the board again, an offer, or how the match ends. Raises ``Refusal``."""
    if ids.verb == "board" and request.response is not None:
        match = (await looking.match_view(request, ids.match)).match
        if match.seat_of(request.person.id) is None:
            raise Refusal(NOT_PLAYING)
        posted = await request.services.turns.post_again(request.actor, match)
        return None if posted else Reply(_("The board is on its way."))
    if ids.verb == "board":
        return await board(request, ids.match, None)
    verbs = {
        "draw": actions.offer_draw,
        "takeback": actions.take_back,
        "resign": actions.resign,
        "close": actions.close,
    }
    words = await verbs[ids.verb](request, ids.match, ids.ply)
    return Reply(words) if request.response is None else None


async def replay(request: Request, number: int | None) -> Reply:
    """Return a match as an animation, from the person's own side. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number, finished=True)
    match, played = await looking.match_and_entries(request, match_id)
    check_installed(match.game)
    mine = match.seat_of(request.person.id)
    seat = 0 if mine is None else mine.seat
    picture = await request.context.renderer.replay(match, played, seat, request.preferences)
    words = [f"**{title(match)}**", players(match), *([result(match)] if match.state is MatchState.OVER else [])]
    buttons = row(step_through(match, 0), *share_buttons(match, "replay"))
    return Reply(view=layout(box("\n".join(words), gallery(picture)), buttons), attachments=(picture,))


async def export(request: Request, number: int | None) -> Reply:
    """Return the text record of a match as a file, with the person's own notes. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number, finished=True)
    match, played = await looking.match_and_entries(request, match_id)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK)
    reviewed = None
    with suppress(Unavailable):
        reviewed = await request.services.reviews.review_for(match.guild_id, match_id, request.person.id)
    plies, moves = effective_entries(played), () if reviewed is None else reviewed.review.moves
    remarks = {plies[move.number - 1].ply: remark(move) for move in moves}
    own = await request.services.read(notes_stored.of_match, match_id, request.person.id)
    text_record = await request.services.compute_as(spec, match_record.write, match, played, remarks, own)
    attachment = Attachment(text_record.encode(), f"{match.game}-{match.id}.txt")
    words = _("Here is **{match}** as text.", match=title(match))
    return Reply(words, attachments=(attachment,))


async def board(request: Request, number: int | None, as_text: bool | None) -> Reply:
    """Return a match from the person's own side, or post its board again where that is gone. Raises ``Refusal``.

    ``as_text`` None is as the person likes it.
    """
    match_id = await resolve_match_id(request, number, finished=True)
    match_view = await looking.match_view(request, match_id)
    mine = match_view.match.seat_of(request.person.id)
    if mine is not None and not request.place.outside and await _post_again(request, match_view.match):
        return Reply(_("The board of {match} was gone; I've posted it again.", match=title(match_view.match)))
    seat = 0 if mine is None else mine.seat
    return await _board_reply(
        request, match_view, seat, as_text=request.preferences.text_boards if as_text is None else as_text
    )


async def ask_resignation(request: Request, number: int | None) -> Reply:
    """Return the question whether the player means to resign. Raises ``Refusal`` for those who cannot."""
    match = await request.services.forfeits.may_resign(request.actor, await resolve_match_id(request, number), None)
    question = _("Do you want to resign **{match}**? It counts as a loss.", match=title(match))
    resigns = custom_ids.RESIGN(verb="yes", match=match.id, ply=match.ply)
    if match.answered:
        resigns = custom_ids.POST(verb="resign", match=match.id, ply=match.ply)
    yes = button(resigns, _("Yes, resign"), discord.ButtonStyle.danger)
    no = button(custom_ids.RESIGN(verb="no", match=match.id, ply=match.ply), _("No, play on"))
    return Reply(view=layout(question, row(yes, no)))


async def more_of(request: Request, number: int | None) -> Reply:
    """Return what else can be done in the match that a command is about. Raises ``Refusal``."""
    return await more(request, await resolve_match_id(request, number, finished=True))


async def more(request: Request, match_id: int) -> Reply:
    """Return what else can be done in a match. Raises ``Refusal``."""
    match_view = await looking.match_view(request, match_id)
    match = match_view.match
    mine = match.seat_of(request.person.id)
    seat = 0 if mine is None else mine.seat
    controls = [
        _look_button(match, (seat + 1) % len(match.seats), "picture", _("Flip the board")),
        _look_button(match, seat, "text", _("Board as text")),
    ]
    rows = [row(*controls, *record_buttons(match))]
    possible = actions.available_actions(match_view, request.person.id)
    if match.state is MatchState.RUNNING and possible:
        danger, secondary = discord.ButtonStyle.danger, discord.ButtonStyle.secondary
        ids = {
            Action.DRAW: custom_ids.ASK("draw", match.id, match.ply),
            Action.HINT: custom_ids.HINT(match.id, match.ply),
            Action.TAKE_BACK: custom_ids.ASK("takeback", match.id, match.ply),
            Action.ASK_TAKE_BACK: custom_ids.ASK("takeback", match.id, match.ply),
            Action.CLAIM: custom_ids.CLAIM(match.id, match.ply),
            Action.CLOSE: custom_ids.CLOSE(match.id, match.ply),
            Action.RESIGN: custom_ids.RESIGN("ask", match.id, match.ply),
        }
        if match.answered:
            ids |= {
                Action.DRAW: custom_ids.POST("draw", match.id, match.ply),
                Action.ASK_TAKE_BACK: custom_ids.POST("takeback", match.id, match.ply),
                Action.CLOSE: custom_ids.POST("close", match.id, match.ply),
            }
        buttons = [
            button(ids[action], LABELS[action], danger if action is Action.RESIGN else secondary)
            for action in possible
            if action in ids
        ]
        if mine is not None and reopens_set_up(match, match_view.game_state, mine):
            reopens = builder_ids.BUILDER(verb="setup", of=match.id, ply=match.ply, menu=0, choices=())
            buttons.insert(-1, button(reopens, _("Change my set-up")))
        rows.append(row(*buttons))
    if match.state is MatchState.OVER and possible:
        after = {Action.REMATCH: custom_ids.REMATCH(match.id), Action.REVIEW: custom_ids.REVIEW(match.id)}
        rows.append(row(*(button(after[action], LABELS[action]) for action in possible)))
    own, pauses = [], {Action.PAUSE: custom_ids.PAUSE, Action.END_PAUSE: custom_ids.PAUSE_END}
    if match.state is MatchState.RUNNING and possible:
        if not match.direct:
            own.append(button(custom_ids.MATCH_NEWS(match=match.id), _("News of my turns")))
        own += [button(pauses[action](match.id), LABELS[action]) for action in possible if action in pauses]
    if mine is not None:
        if match.state is MatchState.RUNNING and len(match.seats) == 2:
            own.append(button(custom_ids.PLAN(match=match.id), _p("button", "Plan")))
        own.append(button(custom_ids.NOTES(match=match.id), _p("button", "Notes")))
    if match.state is MatchState.OVER:
        own.append(button(custom_ids.RULES(game=match.game, variant=match.variant), _("Rules")))
    if request.context.settings.watched_url and await request.services.watching.may_be_watched(match.id):
        own.append(button(custom_ids.WATCH(match=match.id), _("Link to watch")))
    rows += [row(*own)] if own else []
    return Reply(view=layout(f"**{title(match)}**\n{players(match)}", *rows))


async def _board_reply(request: Request, match_view: MatchView, seat: int, *, as_text: bool) -> Reply:
    """Return a match from one side, as the person likes to see it."""
    match, renderer = match_view.match, request.context.renderer
    seat = seat if seat < len(match.seats) else 0
    head = f"### {title(match)}\n-# {players(match)}"
    parts: list[Part] = [head, *filter(None, [headline(match_view)])]
    pictures: tuple[Picture, ...] = ()
    if as_text:
        letters = await renderer.text_board(match, match_view.game_state, seat)
        parts.append(f"```\n{letters}\n```")
    else:
        picture = await renderer.look(match, match_view.game_state, seat, request.preferences)
        parts.append(gallery(picture))
        pictures = (picture,)
    parts.append(text(match_view))
    _ply, noted = await notes.words_at(request, match)
    parts += [noted] if noted else []
    viewer = Viewer(plays=match.seat_of(request.person.id) is not None, private=match.private)
    if match.has_link and may_see(Way.LINK, viewer):
        parts.append(_("-# [Go to the board]({link})", link=board_link(match)))
    here: custom_ids.Form = "text" if as_text else "picture"
    there: custom_ids.Form = "picture" if as_text else "text"
    flip = _look_button(match, (seat + 1) % len(match.seats), here, _("Flip the board"))
    change = _look_button(match, seat, there, _("As a picture") if as_text else _("As text"))
    mine = match.seat_of(request.person.id)
    controls = [flip, change]
    if mine is not None and mine.seat == match.to_move and not match.between_people:
        controls.append(button(custom_ids.HINT(match=match.id, ply=match.ply), _("Hint")))
    if mine is not None and request.context.settings.page_url:
        controls.append(open_button(match))
    if mine is not None and match.answered:
        controls.append(post_button(match.id, match.ply))
    return Reply(view=layout(box(*parts), row(*controls)), attachments=pictures)


async def resign(request: Request, ids: custom_ids.Resignation) -> Reply:
    """Resign, or do not. Raises ``Refusal``."""
    return Reply(
        view=layout(_("You play on.") if ids.verb == "no" else await actions.resign(request, ids.match, ids.ply))
    )


async def _post_again(request: Request, match: Match) -> bool:
    """Post the board again if it is gone or never came, here if its place is lost; return whether that is done."""
    lookup, places = request.context.lookup, (match.place_id, match.channel_id)
    may_post = [may for place in places if (may := lookup.may_post(match.guild_id, place)) is not None]
    lost = not any(may_post)
    # A place that is not known may be an archived thread: its board tells.
    moves = lost and bool(may_post) and match.state is MatchState.RUNNING
    if not moves and match.board_channel_id is not None and match.board_message_id is not None:
        newest = match.board_ply == match.ply
        if newest and not await lookup.message_is_gone(match.board_channel_id, match.board_message_id):
            return False
    if lost and not request.place.bot_may_post:
        return False
    moved_to = request.channel if lost else None
    return await request.services.turns.post_again(request.actor, match, moved_to, private=request.place.private)


def _look_button(
    match: Match, seat: int, form: custom_ids.Form, label: str
) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button that shows a match from one side, as a picture or as text."""
    return button(custom_ids.LOOK(match=match.id, seat=seat, form=form), label)
