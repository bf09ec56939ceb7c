"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import Any

import discord

from bot.games.game import IllegalMove, Move, Position, Step, split_text
from bot.matches.overview import Table
from bot.matches.refusals import Stale, Unconfirmed
from bot.matches.turns import check_turn
from bot.views.answers import Reply, answer_in_place, answer_with_modal, sentence
from bot.views.controls import CUSTOM_ID_LIMIT, Choice, Control, row
from bot.views.host import guild_of, host_of, person_of
from bot.views.pictures import UnderWay
from bot.views.wording import shorten, title

OPTIONS = 25
"""Discord's limit for the options of a select."""
_CONTEXT = r"(?P<match>\d{1,18}):(?P<ply>\d{1,6}):(?P<page>\d{1,2}):(?P<prefix>.*)"


class BuilderButton(Control, template=rf"b-(?P<verb>play|back|cancel|type|take\d):{_CONTEXT}"):
    """Play, Back, Cancel, Type, and the arrangements offered in one click."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply, keys = int(match["match"]), int(match["ply"]), _keys(match["prefix"])
        if match["verb"] == "type":
            await answer_with_modal(interaction, TypeModal(match_id, ply))
        elif match["verb"] == "play":
            work = partial(_play, interaction, match_id, ply, "".join(keys), confirmed=True)
            await answer_in_place(interaction, work)
        elif match["verb"] == "cancel":
            await answer_in_place(interaction, _cancelled)
        else:
            kept = keys[:-1] if match["verb"] == "back" else keys
            await answer_in_place(interaction, lambda: _shown(interaction, match_id, ply, kept, 0))


class BuilderChoice(Choice, template=rf"b-choose:{_CONTEXT}"):
    """Takes the next choice of a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = (*_keys(match["prefix"]), value)
        await answer_in_place(interaction, lambda: _shown(interaction, int(match[1]), int(match[2]), keys, 0))


class BuilderPage(Choice, template=rf"b-page:{_CONTEXT}"):
    """Turns to another part of a long list of choices."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = _keys(match["prefix"])
        await answer_in_place(interaction, lambda: _shown(interaction, int(match[1]), int(match[2]), keys, int(value)))


class TypeModal(discord.ui.Modal):
    """Takes a move as text. What is submitted is handled by ``typed``, so that it survives a restart, too."""

    def __init__(self, match_id: int, ply: int) -> None:
        super().__init__(title="Type your move", custom_id=f"type:{match_id}:{ply}", timeout=900)
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="move", max_length=200)
        self.add_item(discord.ui.Label(text="Move", description="In the notation of the rules", component=field))


TYPED = re.compile(r"type:(?P<match>\d{1,18}):(?P<ply>\d{1,6})")


async def typed(interaction: discord.Interaction[Any], match: re.Match[str], text: str) -> None:
    """Play the move submitted in a ``TypeModal``."""
    await answer_in_place(interaction, lambda: _play(interaction, int(match["match"]), int(match["ply"]), text))


async def opened(interaction: discord.Interaction[Any], match_id: int, ply: int) -> Reply:
    """Return a builder with nothing chosen yet. Raises ``Refusal`` for those who cannot move now."""
    table = await host_of(interaction).services.overview.table(guild_of(interaction), match_id)
    check_turn(table.match, person_of(interaction), ply)
    return await _shown(interaction, match_id, ply, (), 0)


async def asked_about(interaction: discord.Interaction[Any], match_id: int, asked: Unconfirmed) -> Reply:
    """Return a builder that asks whether a typed move is meant."""
    return await _shown(interaction, match_id, asked.ply, (asked.text,), 0)


async def _cancelled() -> Reply:
    return Reply(view=sentence("Cancelled. Press **Play** on the board when you are ready."))


async def _play(
    interaction: discord.Interaction[Any], match_id: int, ply: int, text: str, *, confirmed: bool = False
) -> Reply:
    turns, person = host_of(interaction).services.turns, person_of(interaction)
    try:
        turn = await turns.play(
            guild_of(interaction), match_id, person, text, interaction.id, ply=ply, confirmed=confirmed
        )
    except Unconfirmed as asked:
        return await asked_about(interaction, match_id, asked)
    except Stale as stale:
        return Reply(view=sentence(str(stale)))
    return Reply(view=sentence(f"You played **{turn.text}**."))


@dataclass(frozen=True, slots=True)
class _Stage:
    """How far a move under construction has come: its choices, the move it already is, and why it is none."""

    steps: Sequence[Step]
    move: Move | None
    problem: str | None
    question: str | None = None
    shortcuts: Sequence[Step] = ()


async def _shown(
    interaction: discord.Interaction[Any], match_id: int, ply: int, keys: tuple[str, ...], page: int
) -> Reply:
    host = host_of(interaction)
    table = await host.services.overview.table(guild_of(interaction), match_id)
    try:
        seat = check_turn(table.match, person_of(interaction), ply)
    except Stale as stale:
        return Reply(view=sentence(str(stale)))
    stage = await host.services.context.compute(_stage, table.standing.position, keys)
    wanted = await host.services.personal.preferences(interaction.user.id)
    if not wanted.confirm and stage.move is not None and not stage.steps and stage.question is None:
        return await _play(interaction, match_id, ply, str(stage.move))
    targets = tuple(step.square for step in stage.steps if step.square is not None)
    under_way = UnderWay(keys, targets)
    view = discord.ui.LayoutView(timeout=None)
    if wanted.text_boards:
        letters = await host.studio.text_board(table.match, table.standing, seat.seat, under_way)
        view.add_item(discord.ui.TextDisplay(f"{_words(table, keys, stage)}\n```\n{letters}\n```"))
        for item in _controls(table, keys, stage, page):
            view.add_item(item)
        return Reply(view=view)
    picture = await host.studio.board(table.match, table.standing, seat.seat, under_way, wanted)
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(_words(table, keys, stage)), picture.gallery()))
    for item in _controls(table, keys, stage, page):
        view.add_item(item)
    return Reply(view=view, attachments=(picture,))


def _stage(position: Position, keys: tuple[str, ...]) -> _Stage:
    steps = position.steps(keys)
    if not keys:
        return _Stage(steps, None, None, shortcuts=position.shortcuts(SystemRandom()))
    last = next((step for step in position.steps(keys[:-1]) if step.key == keys[-1]), None)
    move = None if last is None else last.move
    if move is None and not steps:
        try:
            move = position.parse("".join(keys))
        except IllegalMove as reason:
            return _Stage((), None, str(reason))
    return _Stage(steps, move, None, None if move is None else position.question(move))


def _words(table: Table, keys: tuple[str, ...], stage: _Stage) -> str:
    lines = [f"**{title(table.match)}**"]
    if stage.problem is not None:
        lines.append(f"{''.join(keys)}: {stage.problem}")
    elif stage.question is not None:
        lines.append(f"**{stage.move}**: {stage.question}")
    elif stage.move is not None and stage.steps:
        lines.append(f"**{stage.move}** is complete. Play it, or go on.")
    elif stage.move is not None:
        lines.append(f"Your move: **{stage.move}**")
    elif keys:
        lines.append(f"So far: **{''.join(keys)}** …")
    else:
        lines.append("Your turn. What would you like to do?")
    return "\n".join(lines)


def _controls(
    table: Table, keys: tuple[str, ...], stage: _Stage, page: int
) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    rows = []
    parts = _parts(stage.steps)
    page = page if page < len(parts) else 0
    fits = len(_custom_id("choose", table, page, keys)) <= CUSTOM_ID_LIMIT
    if len(parts) > 1 and fits:
        options = [
            discord.SelectOption(label=_part_label(part), value=str(index), default=index == page)
            for index, part in enumerate(parts)
        ]
        rows.append(row(BuilderPage.create(_custom_id("page", table, 0, keys), "Which part of the list", options)))
    if parts and fits:
        options = [discord.SelectOption(label=shorten(step.label, 100), value=step.key) for step in parts[page]]
        placeholder = "Choose what comes next" if keys else "Choose"
        rows.append(row(BuilderChoice.create(_custom_id("choose", table, page, keys), placeholder, options)))
    buttons = []
    if stage.move is not None:
        label = shorten(f"Play {stage.move}", 80)
        buttons.append(BuilderButton.create(_play_id(table, keys), label, discord.ButtonStyle.success))
    for index, shortcut in enumerate(stage.shortcuts[:2]):
        custom_id = _custom_id(f"take{index}", table, 0, (shortcut.key,))
        buttons.append(BuilderButton.create(custom_id, shortcut.label))
    if keys:
        buttons.append(BuilderButton.create(_custom_id("back", table, 0, keys), "Back"))
    buttons.append(BuilderButton.create(_custom_id("type", table, 0, ()), "Type"))
    buttons.append(BuilderButton.create(_custom_id("cancel", table, 0, ()), "Cancel"))
    rows.append(row(*buttons))
    return rows


def _play_id(table: Table, keys: tuple[str, ...]) -> str:
    return _custom_id("play", table, 0, keys)


def _custom_id(verb: str, table: Table, page: int, keys: tuple[str, ...]) -> str:
    return f"b-{verb}:{table.match.id}:{table.match.ply}:{page}:{_prefix(keys)}"


def _prefix(keys: tuple[str, ...]) -> str:
    """Write the keys of a prefix down: as the text they make where that can be split again, else one by one."""
    text = "".join(keys)
    return text if split_text(text) == keys or not keys else "/" + "/".join(keys)


def _keys(prefix: str) -> tuple[str, ...]:
    if prefix.startswith("/"):
        return tuple(prefix[1:].split("/"))
    return split_text(prefix)


def _parts(steps: Sequence[Step]) -> list[list[Step]]:
    """Divide choices into lists that fit a select: all together, else file by file, else by number."""
    if len(steps) <= OPTIONS:
        return [list(steps)] if steps else []
    files: dict[str, list[Step]] = {}
    for step in steps:
        files.setdefault((step.square or "")[:1], []).append(step)
    parts: list[list[Step]] = []
    for group in files.values():
        for begin in range(0, len(group), OPTIONS):
            piece = group[begin : begin + OPTIONS]
            if parts and len(parts[-1]) + len(piece) <= OPTIONS:
                parts[-1].extend(piece)
            else:
                parts.append(list(piece))
    return parts[:OPTIONS]


def _part_label(part: Sequence[Step]) -> str:
    first, last = part[0].label, part[-1].label
    return first[:100] if len(part) == 1 else f"{shorten(first, 46)} to {shorten(last, 46)}"


def submitted_text(interaction: discord.Interaction[Any]) -> str:
    """Return what was typed into the only field of a submitted modal."""
    pending: list[Any] = [dict(interaction.data or {})]
    while pending:
        component = pending.pop()
        if "value" in component:
            return str(component["value"])
        pending += component.get("components", [])
        pending += [component["component"]] if "component" in component else []
    return ""
