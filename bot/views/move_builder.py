"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from functools import partial
from random import SystemRandom
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.overview import Table
from bot.matches.refusals import Stale, Unconfirmed
from bot.matches.turns import check_turn
from bot.views.answers import Reply, answer_in_place, answer_with_modal, sentence
from bot.views.controls import Choice, Control, row
from bot.views.host import guild_of, host_of, person_of, wanted_by
from bot.views.pictures import UnderWay
from bot.views.stages import LABEL_LIMIT, Keys, Menu, Stage, extent, keys_of, pages, prefix_of, stage
from bot.views.wording import shorten, title

_CONTEXT = r"(?P<match>\d{1,18}):(?P<ply>\d{1,6}):(?P<menu>\d{1,2}):(?P<prefix>.*)"
"""``prefix`` are the choices made so far; those of Back are the ones it goes back to."""


class BuilderButton(Control, template=rf"b-(?P<verb>play|back|cancel|type|take\d):{_CONTEXT}"):
    """Play, Back, Cancel, Type, and the arrangements offered in one click, which are taken like choices."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply, keys = int(match["match"]), int(match["ply"]), keys_of(match["prefix"])
        if match["verb"] == "type":
            await answer_with_modal(interaction, TypeModal(match_id, ply))
        elif match["verb"] == "play":
            work = partial(_play, interaction, match_id, ply, "".join(keys), confirmed=True)
            await answer_in_place(interaction, work)
        elif match["verb"] == "cancel":
            await answer_in_place(interaction, _cancelled)
        else:
            await answer_in_place(interaction, lambda: _shown(interaction, match_id, ply, keys, 0))


class BuilderChoice(Choice, template=rf"b-choose:{_CONTEXT}"):
    """Takes the next choice of a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = (*keys_of(match["prefix"]), value)
        await answer_in_place(interaction, lambda: _shown(interaction, int(match[1]), int(match[2]), keys, 0))


class BuilderPage(Choice, template=rf"b-page:{_CONTEXT}"):
    """Turns to another part of a long list of choices."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = keys_of(match["prefix"])
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


async def _shown(interaction: discord.Interaction[Any], match_id: int, ply: int, keys: Keys, page: int) -> Reply:
    host = host_of(interaction)
    table = await host.services.overview.table(guild_of(interaction), match_id)
    try:
        seat = check_turn(table.match, person_of(interaction), ply)
    except Stale as stale:
        return Reply(view=sentence(str(stale)))
    now, words = await host.services.context.compute(_looked_at, table, keys)
    wanted = await wanted_by(interaction)
    if not wanted.confirm and now.move is not None and not now.steps and now.question is None:
        return await _play(interaction, match_id, ply, str(now.move))
    targets = tuple(step.square for step in now.steps if step.square is not None)
    under_way = UnderWay(now.keys, targets)
    box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(discord.ui.TextDisplay(words))
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(box)
    for item in controls(match_id, ply, now, page):
        view.add_item(item)
    if wanted.text_boards:
        letters = await host.studio.text_board(table.match, table.standing, seat.seat, under_way)
        box.add_item(discord.ui.TextDisplay(f"```\n{letters}\n```"))
        return Reply(view=view)
    picture = await host.studio.board(table.match, table.standing, seat.seat, under_way, wanted)
    box.add_item(picture.gallery())
    return Reply(view=view, attachments=(picture,))


def _looked_at(table: Table, keys: Keys) -> tuple[Stage, str]:
    """Return the stage that choices lead to, and what is said of it."""
    match, position = table.match, table.standing.position
    now = stage(position, keys, SystemRandom())
    words = f"**{title(match)}**\n{words_of(now)}"
    if now.move is not None and now.question is None and now.problem is None:
        does = GAMES[match.game].move_in_words(position, now.move)
        # "moves c2-c3" says nothing that the text of the move does not.
        if len(does.replace(str(now.move), "").split()) > 2:
            words += f"\n-# {does[:1].upper()}{does[1:]}."
    return now, words


def words_of(now: Stage) -> str:
    """Return what a stage asks for."""
    if now.problem is not None:
        return f"{now.problem} Choose again."
    if now.question is not None:
        return f"Your move: **{now.move}**\n{now.question}"
    if now.move is not None:
        return f"Your move: **{now.move}**{', or go on' if now.steps else ''}"
    if now.keys:
        return f"So far: **{''.join(now.keys)}** …"
    if now.shortcuts:
        return "Your turn. Take one of those offered below, or put your own together, choice by choice."
    return "Your turn. What would you like to do?"


def controls(match_id: int, ply: int, now: Stage, page: int) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    """Return the rows of a stage: its menus, those to turn pages with where they are many, and its buttons."""

    def custom_id(verb: str, keys: Keys, menu: int = 0) -> str:
        return f"b-{verb}:{match_id}:{ply}:{menu}:{prefix_of(keys)}"

    every = pages(now.steps)
    page = page if page < len(every) else 0
    rows = []
    if len(every) > 1:
        rows.append(row(BuilderPage.create(custom_id("page", now.keys), "More choices", _page_options(every, page))))
    for index, menu in enumerate(every[page] if every else ()):
        several = len(every) > 1 or len(every[page]) > 1
        placeholder = extent(menu[0], menu[-1]) if several else "Or go on" if now.move is not None else "Choose"
        options = [discord.SelectOption(label=shorten(step.label, LABEL_LIMIT), value=step.key) for step in menu]
        rows.append(row(BuilderChoice.create(custom_id("choose", now.keys, index), placeholder, options)))
    buttons = []
    if now.move is not None:
        label = shorten(f"Play {now.move}", 80)
        buttons.append(BuilderButton.create(custom_id("play", now.keys), label, discord.ButtonStyle.success))
    for index, shortcut in enumerate(now.shortcuts[:2]):
        buttons.append(BuilderButton.create(custom_id(f"take{index}", (shortcut.key,)), shortcut.label))
    if now.keys:
        buttons.append(BuilderButton.create(custom_id("back", now.keys[:-1]), "Back"))
    buttons.append(BuilderButton.create(custom_id("type", ()), "Type"))
    buttons.append(BuilderButton.create(custom_id("cancel", ()), "Cancel"))
    return [*rows, row(*buttons)]


def _page_options(every: list[list[Menu]], shown: int) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=extent(page[0][0], page[-1][-1]), value=str(index), default=index == shown)
        for index, page in enumerate(every)
    ]


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
