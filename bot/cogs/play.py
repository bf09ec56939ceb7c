"""``/move``, ``/board``, ``/matches`` and ``/match``: playing by text and looking at matches."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, choices_to_review, match_choices, match_to_review, meant_match
from bot.compute.job import JobDropped, JobSpec, Pool, Priority, on_behalf_of
from bot.delivery import discord_calls
from bot.delivery.errors import UnavailableError
from bot.matches.model.refusals import Refusal, Unconfirmed
from bot.matches.services.match_queries import MatchView
from bot.messages.wording import title
from bot.storage.records import COMPUTER_ID, Match, MatchState
from bot.views import hints, match_board, match_lists, move_builder, offers, review
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import SUGGESTION, context_of, guild_of, place_of, request_of, wanted_by
from bot.views.permissions import missing_permissions
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy

SUGGESTED_WITHIN = 3.0
"""Seconds after which Discord no longer takes suggestions."""


class PlayCommands(commands.Cog):
    """Playing by text and looking at matches."""

    match_group = app_commands.Group(
        name="match", description=gettext_lazy("What else can be done in a match"), guild_only=True
    )

    @app_commands.command(description=gettext_lazy("Make a move by typing it"))
    @app_commands.guild_only()
    @app_commands.describe(
        move=gettext_lazy("The move in the notation of the rules"),
        match=gettext_lazy("Which match, if you have several here"),
    )
    async def move(self, interaction: discord.Interaction[Any], move: str, match: int | None = None) -> None:
        """Play a typed move."""

        async def work() -> Reply:
            match_id = await meant_match(interaction, match)
            turns = context_of(interaction).services.turns
            try:
                played = await turns.play(request_of(interaction, match_id), move)
            except Unconfirmed as asked:
                return await move_builder.asked_about(interaction, match_id, asked)
            words = _("You played **{move}** in {match}.", move=played.text, match=title(played.match))
            return await move_builder.after_move(interaction, match_id, words)

        await answer_privately(interaction, work)

    @move.autocomplete("move")
    async def moves(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest legal moves that begin with what is typed."""
        try:
            context_of(interaction).check_rate_limit(interaction, SUGGESTION)
            with on_behalf_of(interaction.user.id):
                texts = await _suggested(interaction, typed)
        except (Refusal, JobDropped, AttributeError):
            return []
        return [app_commands.Choice(name=text, value=text) for text in texts if len(text) <= 100]

    @app_commands.command(description=gettext_lazy("Look at a match, your own side at the bottom"))
    @app_commands.guild_only()
    @app_commands.describe(
        match=gettext_lazy("Which match, if you have several"), text=gettext_lazy("As text, for screen readers")
    )
    async def board(
        self, interaction: discord.Interaction[Any], match: int | None = None, text: bool | None = None
    ) -> None:
        """Show a match to whoever asks, and post its board again where that is gone."""

        async def work() -> Reply:
            context = context_of(interaction)
            match_view = await context.services.queries.match_view(
                guild_of(interaction), await meant_match(interaction, match, finished=True)
            )
            mine = match_view.match.seat_of(interaction.user.id)
            if mine is not None and await _post_again(interaction, match_view):
                return Reply(_("The board of {match} was gone; I've posted it again.", match=title(match_view.match)))
            wanted = await wanted_by(interaction)
            seat, as_text = 0 if mine is None else mine.seat, wanted.text_boards if text is None else text
            return await match_board.look(
                context, match_view, seat, as_text=as_text, reader=interaction.user.id, wanted=wanted
            )

        await answer_privately(interaction, work)

    @app_commands.command(
        description=gettext_lazy("Your matches in this server: running, your turn first, or finished, newest first")
    )
    @app_commands.guild_only()
    @app_commands.describe(
        finished=gettext_lazy("Finished matches, to look at again"),
        opponent=gettext_lazy("Only matches against this person"),
        game=gettext_lazy("Only one game"),
    )
    async def matches(
        self,
        interaction: discord.Interaction[Any],
        finished: bool = False,
        opponent: discord.User | None = None,
        game: str | None = None,
    ) -> None:
        """List one's running matches, or those that are over."""
        wanted = match_lists.Wanted(game, None if opponent is None else _seat_id(interaction, opponent))
        lists = match_lists.finished if finished else match_lists.running
        await answer_privately(interaction, lambda: lists(interaction, wanted))

    @match_group.command(description=gettext_lazy("Resign a match"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def resign(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask whether resigning is meant."""

        async def work() -> Reply:
            match_id = await meant_match(interaction, match)
            return await match_board.ask_resignation(interaction, match_id)

        await answer_privately(interaction, work)

    @match_group.command(description=gettext_lazy("Offer a draw, or accept the one offered to you"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def draw(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Offer or accept a draw."""

        async def work() -> Reply:
            return await offers.offer_draw(interaction, await meant_match(interaction, match))

        await answer_privately(interaction, work)

    @match_group.command(description=gettext_lazy("Ask to take your last move back"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def takeback(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask for a take-back."""

        async def work() -> Reply:
            return await offers.ask_takeback(interaction, await meant_match(interaction, match))

        await answer_privately(interaction, work)

    @match_group.command(
        description=gettext_lazy("Claim the win when your opponent's time is up, or they have left the server")
    )
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def claim(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Claim the win."""

        async def work() -> Reply:
            return await offers.claim(interaction, await meant_match(interaction, match))

        await answer_privately(interaction, work)

    @match_group.command(description=gettext_lazy("The whole match as an animation"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def replay(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show a match as an animation."""

        async def work() -> Reply:
            return await match_board.replay(interaction, await meant_match(interaction, match, finished=True))

        await answer_privately(interaction, work)

    @match_group.command(description=gettext_lazy("Where a finished match turned, and what was better"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def review(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show the review of a finished match, or have it made."""
        await review.show(interaction, lambda: match_to_review(interaction, match))

    @match_group.command(description=gettext_lazy("The best move, in your match against me"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several here"))
    async def hint(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Show the best move."""

        async def work() -> Reply:
            return await hints.hint(interaction, await meant_match(interaction, match))

        await answer_privately(interaction, work)

    @match_group.command(description=gettext_lazy("The match as a text file"))
    @app_commands.describe(match=gettext_lazy("Which match, if you have several"))
    async def export(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Give the text record of a match."""

        async def work() -> Reply:
            return await match_board.export(interaction, await meant_match(interaction, match, finished=True))

        await answer_privately(interaction, work)

    @move.autocomplete("match")
    @resign.autocomplete("match")
    @draw.autocomplete("match")
    @takeback.autocomplete("match")
    @claim.autocomplete("match")
    @hint.autocomplete("match")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest running matches."""
        return await _which(interaction, typed, finished=False)

    @board.autocomplete("match")
    @replay.autocomplete("match")
    @export.autocomplete("match")
    async def which_of_all(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest matches, those that are over among them."""
        return await _which(interaction, typed, finished=True)

    @review.autocomplete("match")
    async def which_to_review(
        self, interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[int]]:
        """Suggest matches that are over."""
        try:
            context_of(interaction).check_rate_limit(interaction, SUGGESTION)
            return await choices_to_review(interaction, typed)
        except Refusal:
            return []


async def _which(
    interaction: discord.Interaction[Any], typed: str, *, finished: bool
) -> list[app_commands.Choice[int]]:
    try:
        context_of(interaction).check_rate_limit(interaction, SUGGESTION)
        return await match_choices(interaction, typed, finished=finished)
    except Refusal:
        return []


async def _suggested(interaction: discord.Interaction[Any], typed: str) -> list[str]:
    """Return moves to suggest to whoever is to move. Raises ``Refusal``, or ``JobDropped`` when they type on."""
    services = context_of(interaction).services
    match_id = await meant_match(interaction, interaction.namespace.match)
    match_view = await services.queries.match_view(guild_of(interaction), match_id)
    match, position = match_view.match, match_view.game_state.position
    if all(seat.person.id != interaction.user.id for seat in match.movers):
        return []
    key = ("suggestions", match.id, match.ply, typed)
    spec = JobSpec(Pool.PICTURES, Priority.MOVE, key, topic="suggestions", within=SUGGESTED_WITHIN)
    return await services.context.compute_as(spec, position.completions, typed, CHOICES)


async def _post_again(interaction: discord.Interaction[Any], match_view: MatchView) -> bool:
    """Have the board posted again if it is gone or never came, and here if its place is lost; return whether it is."""
    match, client = match_view.match, interaction.client
    places = [place for place in map(client.get_channel, (match.place_id, match.channel_id)) if place is not None]
    lost = not any(discord_calls.may_post(place) for place in places)
    # A place that is not known may be a thread put away: its board tells.
    moves = lost and bool(places) and match.state is MatchState.RUNNING
    if not moves and not await _is_gone(client, match):
        return False
    if lost and missing_permissions(interaction):
        return False
    here = place_of(interaction) if lost else None
    return await context_of(interaction).services.turns.post_again(match, here, interaction.id)


async def _is_gone(client: discord.Client, match: Match) -> bool:
    """Return whether the board of a match as it stands cannot be seen; not for certain means that it can."""
    if match.board_channel_id is None or match.board_message_id is None or match.board_ply != match.ply:
        return True
    try:
        return not await discord_calls.exists(client, match.board_channel_id, match.board_message_id)
    except UnavailableError:
        return False


def _seat_id(interaction: discord.Interaction[Any], user: discord.abc.User) -> int:
    """Return the number under which somebody has seats: the bot itself has those of computer players."""
    return COMPUTER_ID if interaction.client.user == user else user.id
