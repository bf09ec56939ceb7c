"""``/play``, ``/move``, ``/board``, ``/matches`` and ``/match``: playing by text and looking at matches."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, LADDER, TypedPace, suggested_paces, suggestions
from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.turn import in_notation
from bot.matches.model.typed import parts
from bot.matches.services.notes import NOTE_LIMIT
from bot.opponents import LEVELS
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
from bot.views.answers import answer_privately
from bot.views.which_match import resolve_match_id, suggested_matches, suggested_to_review
from renderers.i18n import gettext_lazy

SUGGESTED_WITHIN = 3.0
"""Seconds after which Discord no longer takes suggestions."""
CHOICE_LIMIT = 100
"""Discord's limit for a suggestion, in characters."""


class PlayCommands(commands.Cog):
    """Playing by text and looking at matches."""

    match_group = app_commands.Group(name="match", description=gettext_lazy("What else can be done in a match"))

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

    @app_commands.command(description=gettext_lazy("Plan replies to moves of your opponent, for your eyes only"))
    @app_commands.describe(
        moves=gettext_lazy("The move you expect, your reply, and so on, with commas between: c3, d4"),
        match=gettext_lazy("Which match, if you have several here"),
    )
    async def plan(
        self, interaction: discord.Interaction[Any], moves: str | None = None, match: int | None = None
    ) -> None:
        """Show the plan, or add moves to it."""
        await answer_privately(interaction, plans.plan, match, moves)

    @app_commands.command(description=gettext_lazy("Your private notes on a match, at any move"))
    @app_commands.describe(
        text=gettext_lazy("What to note; leave it out to see your notes"),
        at=gettext_lazy("After which move, by its number, 0 for the beginning; the newest if left out"),
        match=gettext_lazy("Which match, if you have several"),
    )
    async def note(
        self,
        interaction: discord.Interaction[Any],
        text: app_commands.Range[str, 1, NOTE_LIMIT] | None = None,
        at: app_commands.Range[int, 0, 9999] | None = None,
        match: int | None = None,
    ) -> None:
        """Write a note, or show those there are."""
        await answer_privately(interaction, notes.note, match, at, text)

    @app_commands.command(description=gettext_lazy("Look at a match, your own side at the bottom"))
    @app_commands.describe(
        match=gettext_lazy("Which match, if you have several"), text=gettext_lazy("As text, for screen readers")
    )
    async def board(
        self, interaction: discord.Interaction[Any], match: int | None = None, text: bool | None = None
    ) -> None:
        """Show a match, and post its board again where that is gone."""
        await answer_privately(interaction, match_board.board, match, text)

    @app_commands.command(
        description=gettext_lazy("Your matches in this server: running, your turn first, or finished, newest first")
    )
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
        wanted = match_lists.Wanted(game, opponent_id)
        listed = match_lists.everyone if everyone else match_lists.finished if finished else match_lists.running
        await answer_privately(interaction, listed, wanted)

    @match_group.command(description=gettext_lazy("Resign a match"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def resign(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask the player to confirm."""
        await answer_privately(interaction, match_board.ask_resignation, match)

    @match_group.command(description=gettext_lazy("Offer a draw, or accept the one offered to you"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def draw(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Offer or accept a draw."""
        await answer_privately(interaction, offers.offer_draw, match)

    @match_group.command(description=gettext_lazy("Offer another pace for a match, or accept the one offered to you"))
    @app_commands.describe(
        pace=gettext_lazy("Time to think from now on, such as 3 days or 10m+30s"),
        match=gettext_lazy("Which match, if you have several here"),
    )
    @app_commands.autocomplete(pace=suggested_paces)
    async def pace(self, interaction: discord.Interaction[Any], pace: TypedPace, match: int | None = None) -> None:
        """Offer or accept another pace."""
        await answer_privately(interaction, offers.offer_pace, pace, match)

    @match_group.command(description=gettext_lazy("Ask to take your last move back"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def takeback(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask for a take-back."""
        await answer_privately(interaction, offers.ask_takeback, match)

    @match_group.command(
        description=gettext_lazy("Claim the win when your opponent's time is up, or they have left the server")
    )
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def claim(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Claim the win."""
        await answer_privately(interaction, offers.claim, match)

    @match_group.command(
        description=gettext_lazy("Close a match that has lain idle for long, or counts no more for its cup")
    )
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def close(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask the player to confirm."""
        await answer_privately(interaction, offers.ask_to_close, match)

    @match_group.command(description=gettext_lazy("The whole match as an animation"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def replay(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show a match as an animation."""
        await answer_privately(interaction, match_board.replay, match)

    @match_group.command(description=gettext_lazy("Where a finished match turned, and what was better"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def review(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show the review of a finished match, or have it made."""
        await review.show(interaction, match)

    @match_group.command(description=gettext_lazy("The best move, in your match against me"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def hint(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show the best move."""
        await answer_privately(interaction, stepping.hint, match)

    @match_group.command(description=gettext_lazy("The match as a text file"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def export(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Give the text record of a match."""
        await answer_privately(interaction, match_board.export, match)

    @plan.autocomplete("moves")
    async def planned_moves(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest legal moves on the board that would stand, in place of the last of the typed moves."""
        number = interaction.namespace.match
        return await suggestions(interaction, _planned_moves, number if isinstance(number, int) else None, typed)

    @move.autocomplete("match")
    @plan.autocomplete("match")
    @resign.autocomplete("match")
    @draw.autocomplete("match")
    @pace.autocomplete("match")
    @takeback.autocomplete("match")
    @claim.autocomplete("match")
    @close.autocomplete("match")
    @hint.autocomplete("match")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest running matches."""
        return await suggestions(interaction, suggested_matches, typed)

    @board.autocomplete("match")
    @note.autocomplete("match")
    @replay.autocomplete("match")
    @export.autocomplete("match")
    async def which_of_all(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest matches, also those that are over."""
        return await suggestions(interaction, suggested_matches, typed, finished=True)

    @review.autocomplete("match")
    async def which_to_review(
        self, interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[int]]:
        """Suggest matches that are over."""
        return await suggestions(interaction, suggested_to_review, typed)


async def _moves(request: Request, number: int | None, typed: str) -> list[tuple[str, str]]:
    """Suggest moves to the player whose turn it is. Raises ``Refusal``, or ``JobDropped`` when they type on."""
    match_id = await resolve_match_id(request, number)
    match_view = await request.services.queries.match_view(request.server, match_id)
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
    view = await request.services.plans.view(request.turn_request(await resolve_match_id(request, number)))
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
