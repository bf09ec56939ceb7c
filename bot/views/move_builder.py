"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bot.games import GAMES
from bot.matches.model.building import Choices, Consent, build
from bot.matches.model.refusals import Stale
from bot.matches.model.turn import reopens_set_up
from bot.matches.services.turns import MoveReceipt, UnplayedMove
from bot.messages import custom_ids
from bot.messages.board import aim, post_button
from bot.messages.layout import button, layout, row
from bot.messages.wording import best_words, refusal_words, title
from bot.requests import actions
from bot.requests.request import Request
from bot.requests.surfaces import of_match
from bot.storage.matches import is_first
from bot.views import builder_ids, onward, plans
from bot.views.answers import Reply, answer_privately, answer_with_post
from bot.views.builder import Builder, BuilderControls, Button, builds
from bot.views.controls import Interaction, control
from bot.views.earlier_answers import remove_earlier, replace_earlier
from bot.views.which_match import resolve_match
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p
from renderers.i18n import translated

_SQUARES = re.compile(r"[a-z]\d+(-[a-z]\d+)*")


@control(custom_ids.PLAY)
async def on_play(interaction: Interaction, ids: custom_ids.Play) -> None:
    if await answer_privately(interaction, open_builder, ids.match, ids.ply):
        await replace_earlier(interaction, "builder", ids.match, ids.ply)


async def move(request: Request, number: int | None, text: str) -> Reply:
    """Play a move typed in a command. Raises ``Refusal``."""
    match = await resolve_match(request) if number is None else number
    done = await actions.play_built_move(request, match, None, (text,), Consent.TEXT)
    if isinstance(done, UnplayedMove):
        return await builder(done).reply(request, done.state)
    words = _("You played **{move}** in {match}.", move=done.text, match=title(done.match))
    return await after_move(request, done, words)


async def show_or_play(
    request: Request, match_id: int, ply: int, choices: Choices, consent: Consent = Consent.NONE, page: int = 0
) -> Reply:
    """Return the builder after some choices, or play the move if the player has agreed to it. Raises ``Refusal``."""
    try:
        done = await actions.play_built_move(request, match_id, ply, choices, consent)
    except Stale as stale:
        return Reply(view=layout(refusal_words(stale)))
    if isinstance(done, UnplayedMove):
        return await builder(done).reply(request, done.state, page)
    return await after_move(request, done, played_words(done.text))


async def post_move(request: Request, match_id: int, ply: int, choices: Choices) -> Reply | None:
    """Play the move that some choices make; its board is the answer, and None is returned.

    Where there is more to choose or to ask, return the builder. Raises ``Refusal``.
    """
    if request.response is None:
        return await show_or_play(request, match_id, ply, choices, Consent.CONFIRMED)
    done = await actions.play_built_move(request, match_id, ply, choices, Consent.CONFIRMED)
    return await builder(done).reply(request, done.state) if isinstance(done, UnplayedMove) else None


async def on_post(interaction: Interaction, ids: builder_ids.BuilderButton) -> None:
    """Answer the button that plays a move with the board, and remove the builder."""
    if await answer_with_post(interaction, post_move, ids.of, ids.ply, ids.choices):
        await remove_earlier(interaction, "builder", ids.of, ids.ply)


async def after_move(request: Request, done: MoveReceipt, words: str) -> Reply:
    """Return what a player sees after their move, with the way to what waits for them next, and to a plan."""
    return Reply(view=layout(*await onward.after_move(request, done, words)))


def played_words(text: str) -> str:
    """Return the confirmation of a move that was built: by its squares, and without a text that says more than that."""
    return _("You played **{move}**.", move=text) if _SQUARES.fullmatch(text) else _("Your move is played.")


async def open_builder(request: Request, match_id: int, ply: int) -> Reply:
    """Return a builder with nothing chosen yet; before a person's first move in a game it shows how the game is won.

    Raises ``Refusal`` for those who cannot move now. Where the bot only answers, an earlier board that could not lose
    its controls leads to the newest.
    """
    try:
        unplayed = await actions.play_built_move(request, match_id, ply, (), Consent.NONE)
    except Stale as stale:
        if not request.place.answered:
            raise
        return Reply(view=layout(refusal_words(stale), row(post_button(match_id, ply))))
    assert isinstance(unplayed, UnplayedMove)
    match = unplayed.match
    news = await plans.ended_lately(request, match)
    set_up = len(match.seats) if any(seat.ready_made for seat in match.seats) else 0
    early = request.preferences.aims and match.ply <= set_up + unplayed.seat
    if not early or not await request.services.read(is_first, request.person.id, match.game, match.id):
        return await builder(unplayed).reply(request, unplayed.state, news=news)
    # The button dismisses it for good, in the place of the one that cancels: a message has no room for both.
    aimless = button(builder_ids.BUILDER("aimless", match.id, match.ply, 0, ()), _("Don't show the aim"))
    won = await request.context.renderer.win(GAMES[match.game], request.preferences.theme)
    return await builder(unplayed, leave=aimless).reply(request, unplayed.state, news=news, aim=(aim(match), won))


async def hide_aims(request: Request, match_id: int, ply: int) -> Reply:
    """Never show again how a game is won; return the builder without it."""
    shown = await show_or_play(request, match_id, ply, ())
    await request.services.personal_settings.prefer(request.person.id, lambda before: replace(before, aims=False))
    return shown


async def hint(request: Request, match_id: int, ply: int) -> Reply:
    """Return the builder at its beginning, with the best move in words and on the board. Raises ``Refusal``."""
    hinted = await request.services.hints.hint(request.actor, match_id, ply)
    unplayed = await actions.play_built_move(request, hinted.match, ply, (), Consent.NONE)
    assert isinstance(unplayed, UnplayedMove)
    match, best = unplayed.match, hinted.advice.move
    tried = await request.services.compute(build, match.game, unplayed.game_state.position, (best,))
    news = best_words(match, hinted.seat, hinted.advice, translated(tried.does))
    return await builder(unplayed, hinted=best).reply(request, unplayed.state, news=news)


async def reopen(request: Request, match_id: int, ply: int) -> Reply:
    """Take back the set-up that was taken without asking. The board that is posted then leads to another one.

    Where the bot only answers, one more press posts it.
    """
    await request.services.agreements.reopen_set_up(request.actor, match_id, ply)
    words = _("Your set-up is open again. Press **Play** on the new board to arrange your pieces.")
    return Reply(view=layout(words, *([row(post_button(match_id, ply))] if request.place.answered else [])))


async def cancel(_request: Request) -> Reply:
    return Reply(view=layout(_("Cancelled. Press **Play** on the board when you're ready.")))


def builder(unplayed: UnplayedMove, *, leave: Button | None = None, hinted: str = "") -> Builder:
    """Return the builder for a move of a match. ``hinted`` is the move that was the hint, if there was one."""
    match, game_state, seat = unplayed.match, unplayed.game_state, unplayed.seat
    at = match.id, match.ply, 0, ()
    beside = []
    if unplayed.state.move is not None and not hinted and len(match.seats) == 2:
        planned = builder_ids.BUILDER("plan", match.id, match.ply, 0, unplayed.state.choices)
        beside.append(button(planned, _p("button", "Plan")))
    elif not match.between_people and not hinted:
        beside.append(button(builder_ids.BUILDER("hint", *at), _("Hint")))
    if not unplayed.state.choices and reopens_set_up(match, game_state, match.seats[seat]):
        beside.append(button(builder_ids.BUILDER("setup", *at), _("Change my set-up")))
    if leave is None:
        leave = button(builder_ids.BUILDER("cancel", *at), _p("building a move", "Cancel"))
    plays: builder_ids.BuilderVerb = "post" if match.answered else "play"
    controls = BuilderControls(builder_ids.OF_MATCH, (match.id, match.ply), leave, beside, hinted, plays)
    return Builder(of_match(match, game_state, seat), f"-# {title(match)}", controls)


builds(
    builder_ids.OF_MATCH,
    show_or_play,
    {
        "hint": lambda request, ids: hint(request, ids.of, ids.ply),
        "aimless": lambda request, ids: hide_aims(request, ids.of, ids.ply),
        "setup": lambda request, ids: reopen(request, ids.of, ids.ply),
        "plan": lambda request, ids: plans.begin_after(request, ids.of, ids.ply, ids.choices),
        "cancel": lambda request, _ids: cancel(request),
    },
    on_post,
)
