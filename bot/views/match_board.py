"""The controls of a board message and what opens from them: more, resigning, the text board, the other side."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches import record
from bot.matches.overview import Table
from bot.matches.refusals import Refusal, Stale
from bot.storage.records import Match, MatchState, Preferences, Seat
from bot.views import move_builder
from bot.views.answers import Reply, answer_in_place, answer_privately, sentence
from bot.views.challenge_card import RematchButton, RulesButton
from bot.views.controls import Control, row
from bot.views.host import Host, guild_of, host_of, person_of, wanted_by
from bot.views.offers import AskButton, ClaimButton
from bot.views.pictures import Attachment, Picture
from bot.views.wording import dropped, last_move, mention, players, rating_change, result, seat_name, title


class PlayButton(Control, template=r"play:(?P<match>\d{1,18}):(?P<ply>\d{1,6})(?::reminder)?"):
    """Opens the move builder."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: move_builder.opened(interaction, int(match[1]), int(match[2])))


class MoreButton(Control, template=r"more:(?P<match>\d{1,18}):(?P<ply>\d{1,6})"):
    """Shows what else can be done."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: _more(interaction, int(match["match"])))


class LookButton(Control, template=r"look:(?P<match>\d{1,18}):(?P<seat>\d):(?P<form>picture|text)"):
    """Shows the board from one side, as a picture or in letters."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        seat, as_text = int(match["seat"]), match["form"] == "text"

        async def work() -> Reply:
            table = await host_of(interaction).services.overview.table(guild_of(interaction), int(match["match"]))
            wanted = await wanted_by(interaction)
            return await look(host_of(interaction), table, seat, as_text=as_text, wanted=wanted)

        await answer_in_place(interaction, work)


class ReplayButton(Control, template=r"replay:(?P<match>\d{1,18})"):
    """Shows the whole match as an animation."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: replay(interaction, int(match["match"])))


class ExportButton(Control, template=r"export:(?P<match>\d{1,18})"):
    """Gives the text record of a match."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: export(interaction, int(match["match"])))


class ResignButton(Control, template=r"resign:(?P<verb>ask|yes|no):(?P<match>\d{1,18}):(?P<ply>\d{1,6})"):
    """Asks whether resigning is meant, and resigns."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        verb, match_id, ply = match["verb"], int(match["match"]), int(match["ply"])

        async def work() -> Reply:
            if verb == "no":
                return Reply(view=sentence("You play on."))
            if verb == "ask":
                table = await host_of(interaction).services.overview.table(guild_of(interaction), match_id)
                return ask_resignation(table.match, interaction.user.id)
            service = host_of(interaction).services.leaving
            await service.resign(guild_of(interaction), match_id, person_of(interaction), interaction.id, ply=ply)
            return Reply(view=sentence("You have resigned."))

        await answer_in_place(interaction, work)


def play_id(match: Match) -> str:
    """Return the ``custom_id`` by which a board is recognised."""
    return f"play:{match.id}:{match.ply}"


def rematch_id(match: Match) -> str:
    """Return the ``custom_id`` by which a result is recognised."""
    return f"rematch:{match.id}"


def text(table: Table) -> str:
    """Return the words of a board message."""
    match = table.match
    lines = [f"### {title(match)}", last_move(table), dropped(match)]
    if match.state is MatchState.OVER:
        lines += [f"## {result(match)}", *_ratings(table)]
    else:
        movers = " and ".join(f"{mention(seat.person.id)} ({seat_name(match, seat.seat)})" for seat in match.movers)
        lines.append(f"{movers} to move{_time_left(match)}.")
    return "\n".join(line for line in lines if line)


def _time_left(match: Match) -> str:
    if match.deadline_at is None:
        return ""
    day, distance = (discord.utils.format_dt(match.deadline_at, style) for style in ("f", "R"))
    return f" by {day} ({distance})"


def _ratings(table: Table) -> list[str]:
    if not table.changes:
        return [f"-# {' – '.join(mention(seat.person.id) for seat in table.match.seats)} · not rated"]
    return [
        f"-# {mention(seat.person.id)}: {rating_change(table.changes[seat.person.id])}"
        for seat in table.match.seats
        if seat.person.id in table.changes
    ]


def buttons(match: Match) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    """Return the controls of a board message: those of a running match, or those of its result."""
    rules = RulesButton.create(f"rules-of:{match.game}", "Rules")
    more = MoreButton.create(f"more:{match.id}:{match.ply}", "More")
    if match.state is MatchState.OVER:
        rematch = RematchButton.create(rematch_id(match), "Rematch", discord.ButtonStyle.success)
        return row(rematch, *_records(match), rules, more)
    return row(PlayButton.create(play_id(match), "Play", discord.ButtonStyle.success), rules, more)


def _records(match: Match) -> tuple[Control, Control]:
    return ReplayButton.create(f"replay:{match.id}", "Replay"), ExportButton.create(f"export:{match.id}", "Export")


async def replay(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return a match as an animation, from the side of whoever asks. Raises ``Refusal``."""
    host = host_of(interaction)
    match, played = await host.services.overview.played(guild_of(interaction), match_id)
    mine = match.seat_of(interaction.user.id)
    picture = await host.studio.replay(match, played, 0 if mine is None else mine.seat, await wanted_by(interaction))
    words = [f"**{title(match)}**", players(match), *([result(match)] if match.state is MatchState.OVER else [])]
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(discord.ui.TextDisplay("\n".join(words)), picture.gallery()))
    return Reply(view=view, attachments=(picture,))


async def export(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return the text record of a match as a file. Raises ``Refusal``."""
    host = host_of(interaction)
    match, played = await host.services.overview.played(guild_of(interaction), match_id)
    text_record = await host.services.context.compute(record.write, match, played)
    attachment = Attachment(text_record.encode(), f"{match.game}-{match.id}.txt")
    words = f"The whole of **{title(match)}** as text. Whoever runs me can import it again."
    return Reply(words, attachments=(attachment,))


async def look(host: Host, table: Table, seat: int, *, as_text: bool, wanted: Preferences | None = None) -> Reply:
    """Return a private view of a match from one side, as somebody likes to see it."""
    match = table.match
    seat = seat if seat < len(match.seats) else 0
    view = discord.ui.LayoutView(timeout=None)
    box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(
        discord.ui.TextDisplay(f"{text(table)}\n-# {players(match)}")
    )
    view.add_item(box)
    pictures: tuple[Picture, ...] = ()
    if as_text:
        letters = await host.studio.text_board(match, table.standing, seat)
        box.add_item(discord.ui.TextDisplay(f"```\n{letters}\n```"))
    else:
        picture = await host.studio.board(match, table.standing, seat, None, wanted)
        box.add_item(picture.gallery())
        pictures = (picture,)
    if match.board_message_id is not None:
        box.add_item(discord.ui.TextDisplay(f"-# [Go to the board]({board_link(match)})"))
    other = (seat + 1) % len(match.seats)
    here, there = ("text", "picture") if as_text else ("picture", "text")
    view.add_item(
        row(
            LookButton.create(f"look:{match.id}:{other}:{here}", "Flip the board"),
            LookButton.create(f"look:{match.id}:{seat}:{there}", "As a picture" if as_text else "As text"),
        )
    )
    return Reply(view=view, attachments=pictures)


def board_link(match: Match) -> str:
    """Return the address of a match's newest board message."""
    return f"https://discord.com/channels/{match.guild_id}/{match.board_channel_id}/{match.board_message_id}"


def ask_resignation(match: Match, user_id: int) -> Reply:
    """Return the question whether resigning is meant. Raises ``Refusal`` for those who cannot."""
    if match.state is MatchState.OVER:
        raise Stale("This match is over.")
    seat = match.seat_of(user_id)
    if seat is None or seat.dropped:
        raise Refusal("You are not playing in this match.")
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(f"Do you want to resign **{title(match)}**? It counts as a loss."))
    view.add_item(
        row(
            ResignButton.create(f"resign:yes:{match.id}:{match.ply}", "Yes, resign", discord.ButtonStyle.danger),
            ResignButton.create(f"resign:no:{match.id}:{match.ply}", "No, play on"),
        )
    )
    return Reply(view=view)


def _player_controls(table: Table, mine: Seat) -> list[Control]:
    """Return what a player can do beside moving; what is impossible now is not offered."""
    match, here = table.match, f"{table.match.id}:{table.match.ply}"
    controls: list[Control] = []
    if len(match.seats) == 2:
        controls.append(AskButton.create(f"ask:draw:{here}", "Offer a draw"))
    if table.standing.last_seat == mine.seat and not mine.to_move:
        controls.append(AskButton.create(f"ask:takeback:{here}", "Ask to take back"))
    if match.flagged and not mine.to_move:
        controls.append(ClaimButton.create(f"claim:{here}", "Claim the win"))
    controls.append(ResignButton.create(f"resign:ask:{here}", "Resign", discord.ButtonStyle.danger))
    return controls


async def _more(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    host = host_of(interaction)
    table = await host.services.overview.table(guild_of(interaction), match_id)
    match = table.match
    mine = match.seat_of(interaction.user.id)
    seat = 0 if mine is None else mine.seat
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(f"**{title(match)}**\n{players(match)}"))
    controls: list[Control] = [
        LookButton.create(f"look:{match.id}:{(seat + 1) % len(match.seats)}:picture", "Flip the board"),
        LookButton.create(f"look:{match.id}:{seat}:text", "Board as text"),
    ]
    if match.state is MatchState.RUNNING:
        controls += _records(match)
    view.add_item(row(*controls))
    if mine is not None and not mine.dropped and match.state is MatchState.RUNNING:
        view.add_item(row(*_player_controls(table, mine)))
    return Reply(view=view)
