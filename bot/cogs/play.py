"""``/play``, ``/move``, ``/board``, ``/matches`` and ``/match``: playing by text and looking at matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, LADDER, TypedPace, anywhere, suggested_paces, suggestions
from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.policies.clocks import LONGEST_PAUSE
from bot.matches.model.turn import in_notation
from bot.matches.model.typed import parts
from bot.matches.services.notes import NOTE_LIMIT
from bot.opponents import LEVELS
from bot.requests import looking
from bot.requests.actions import LABELS, Action
from bot.requests.request import Request
from bot.storage.records import COMPUTER_ID
from bot.views import (
    against_computer,
    ladder,
    match_board,
    match_lists,
    move_builder,
    notes,
    offers,
    plans,
    review,
    stepping,
)
from bot.views.answers import Reply, answer_privately
from bot.views.which_match import resolve_match_id, suggested_matches, suggested_to_review
from renderers.i18n import LazyText, gettext_lazy, pgettext_lazy

SUGGESTED_WITHIN = 3.0
"""Seconds after which Discord no longer takes suggestions."""
CHOICE_LIMIT = 100
"""Discord's limit for a suggestion, in characters."""


NOTES, REPLAY, EXPORT, REVIEW = "notes", "replay", "export", "review"
ACTIONS: Mapping[str, tuple[LazyText, Callable[[Request, int | None], Awaitable[Reply]]]] = {
    "draw": (LABELS[Action.DRAW], offers.offer_draw),
    "takeback": (LABELS[Action.TAKE_BACK], offers.ask_takeback),
    "resign": (LABELS[Action.RESIGN], match_board.ask_resignation),
    "claim": (LABELS[Action.CLAIM], offers.claim_win),
    "close": (LABELS[Action.CLOSE], offers.ask_to_close),
    "hint": (LABELS[Action.HINT], stepping.hint),
    "plan": (pgettext_lazy("button", "Plan"), plans.plan),
    NOTES: (pgettext_lazy("button", "Notes"), notes.note),
    REPLAY: (gettext_lazy("Replay"), match_board.replay),
    EXPORT: (gettext_lazy("Export"), match_board.export),
}
"""What ``/match`` does at once for each action, with its name. A review has to be made first."""
ACTION_CHOICES = [
    *(app_commands.Choice(name=name, value=action) for action, (name, _function) in ACTIONS.items()),
    app_commands.Choice(name=LABELS[Action.REVIEW], value=REVIEW),
]


class PlayCommands(commands.Cog):
    """Playing by text and looking at matches."""

    @anywhere
    @app_commands.command(description=gettext_lazy("Play against me at once, or look at the ladder and join it"))
    @app_commands.describe(
        game=gettext_lazy("Which game"),
        level=gettext_lazy("From 1, a beginner, to 10, the strongest; if left out, the level that fits you"),
    )
    async def play(
        self,
        interaction: discord.Interaction[Any],
        game: str,
        level: app_commands.Range[int, LEVELS[0], LEVELS[-1]] | None = None,
    ) -> None:
        """Begin a match against the bot, or show the ladder, which can be joined there."""
        if game == LADDER:
            await answer_privately(interaction, ladder.show)
        else:
            await answer_privately(interaction, against_computer.play, game, level)

    @anywhere
    @app_commands.command(description=gettext_lazy("Make a move by typing it"))
    @app_commands.describe(
        move=gettext_lazy("The move in the notation of the rules"),
        match=gettext_lazy("Which match, if you have several here"),
    )
    async def move(self, interaction: discord.Interaction[Any], move: str, match: int | None = None) -> None:
        """Play a typed move."""
        await answer_privately(interaction, move_builder.move, match, move)

    @move.autocomplete("move")
    async def moves(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest legal moves that begin with the typed text."""
        number = interaction.namespace.match
        return await suggestions(interaction, _moves, number if isinstance(number, int) else None, typed)

    @anywhere
    @app_commands.command(description=gettext_lazy("Look at a match, your own side at the bottom"))
    @app_commands.describe(
        match=gettext_lazy("Which match, if you have several"), text=gettext_lazy("As text, for screen readers")
    )
    async def board(
        self, interaction: discord.Interaction[Any], match: int | None = None, text: bool | None = None
    ) -> None:
        """Show a match, and post its board again where that is gone."""
        await answer_privately(interaction, match_board.board, match, text)

    @anywhere
    @app_commands.command(description=gettext_lazy("Your matches: running, your turn first, or finished, newest first"))
    @app_commands.describe(
        finished=gettext_lazy("Finished matches, to look at again"),
        opponent=gettext_lazy("Only matches against this person"),
        game=gettext_lazy("Only one game"),
        everyone=gettext_lazy("What is being played in this server, whose turn it is and where"),
    )
    async def matches(
        self,
        interaction: discord.Interaction[Any],
        finished: bool = False,
        opponent: discord.User | None = None,
        game: str | None = None,
        everyone: bool = False,
    ) -> None:
        """List the person's running or finished matches, or the running ones of everyone."""
        opponent_id = None if opponent is None else opponent.id
        if opponent is not None and opponent == interaction.client.user:
            opponent_id = COMPUTER_ID  # the bot has the seats of computer players
        which = match_lists.MatchFilter(game, opponent_id)
        listed = match_lists.everyone if everyone else match_lists.finished if finished else match_lists.running
        await answer_privately(interaction, listed, which)

    @anywhere
    @app_commands.command(
        description=gettext_lazy(
            "What else can be done in a match: draw, take back, resign, plan, notes, export, review"
        )
    )
    @app_commands.describe(
        action=gettext_lazy("What to do; leave it out to see everything that is possible"),
        match=gettext_lazy("Which match, if you have several"),
        pace=gettext_lazy("Offers this pace from now on, such as 3 days or 10m+30s, or accepts it"),
        pause=gettext_lazy("Offers to stop the clock for so many days, or accepts it; 0 ends a pause"),
        plan=gettext_lazy("Plans a reply: the move you expect, yours, and so on, with commas between: c3, d4"),
        note=gettext_lazy("Notes something for you alone on the position as it stands"),
    )
    @app_commands.choices(action=ACTION_CHOICES)
    @app_commands.autocomplete(pace=suggested_paces)
    async def match(
        self,
        interaction: discord.Interaction[Any],
        action: str | None = None,
        match: int | None = None,
        pace: TypedPace | None = None,
        pause: app_commands.Range[int, 0, LONGEST_PAUSE.days] | None = None,
        plan: str | None = None,
        note: app_commands.Range[str, 1, NOTE_LIMIT] | None = None,
    ) -> None:
        """Show what else can be done in a match, or do it."""
        # What is typed comes first: it would be lost beside the action that only shows it.
        if plan is not None:
            await answer_privately(interaction, plans.plan, match, plan)
        elif note is not None:
            await answer_privately(interaction, notes.note, match, note)
        elif action == REVIEW:
            await review.show(interaction, match)
        elif action is not None:
            await answer_privately(interaction, ACTIONS[action][1], match)
        elif pace is not None:
            await answer_privately(interaction, offers.offer_pace, pace, match)
        elif pause is not None:
            await answer_privately(interaction, offers.pause, pause, match)
        else:
            await answer_privately(interaction, match_board.more_of, match)

    @move.autocomplete("match")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest running matches."""
        return await suggestions(interaction, suggested_matches, typed)

    @board.autocomplete("match")
    async def which_of_all(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest matches, also those that are over."""
        return await suggestions(interaction, suggested_matches, typed, finished=True)

    @match.autocomplete("plan")
    async def planned_moves(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest legal moves on the board that would stand, in place of the last of the typed moves."""
        number = interaction.namespace.match
        return await suggestions(interaction, _planned_moves, number if isinstance(number, int) else None, typed)

    @match.autocomplete("match")
    async def which_for_action(
        self, interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[int]]:
        """Suggest the matches in which the chosen action may be possible."""
        action = interaction.namespace.action
        if action == REVIEW:
            return await suggestions(interaction, suggested_to_review, typed)
        finished = action in (None, NOTES, REPLAY, EXPORT) and not interaction.namespace.plan
        return await suggestions(interaction, suggested_matches, typed, finished=finished)


async def _moves(request: Request, number: int | None, typed: str) -> list[tuple[str, str]]:
    """Suggest moves to the player whose turn it is. Raises ``Refusal``, or ``JobDropped`` when they type on."""
    match_id = await resolve_match_id(request, number)
    match_view = await looking.match_view(request, match_id)
    match, position = match_view.match, match_view.game_state.position
    if not match.is_turn_of(request.person.id):
        return []
    typed = in_notation(match.game, typed)
    key = ("suggestions", match.id, match.ply, typed)
    spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE, key, topic="suggestions", max_wait=SUGGESTED_WITHIN)
    texts = await request.services.compute_as(spec, position.completions, typed, CHOICES)
    return [(text, text) for text in texts if len(text) <= CHOICE_LIMIT]


async def _planned_moves(request: Request, number: int | None, typed: str) -> list[tuple[str, str]]:
    """Suggest the last of several moves of a plan, with those before it. Raises like ``_moves``."""
    view = await request.services.plans.view(request.actor, await resolve_match_id(request, number), None)
    *path, last = (in_notation(view.match.game, text) for text in parts(typed))
    path = [text for text in path if text]
    place = await request.services.plans.at(view, tuple(path))
    if place.game_state.result is not None:
        return []
    key = ("suggestions", view.match.id, view.match.ply, *path, last)
    spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE, key, topic="suggestions", max_wait=SUGGESTED_WITHIN)
    texts = await request.services.compute_as(spec, place.position.completions, last, CHOICES)
    lines = [", ".join((*path, text)) for text in texts]
    return [(line, line) for line in lines if len(line) <= CHOICE_LIMIT]
