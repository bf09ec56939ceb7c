"""The names of commands in every language: Discord takes them, each is unique, and descriptions fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import app_commands

from bot.client import Tavoliere, create_bot
from bot.cogs.command_tree import CommandTranslator
from bot.games import GAMES
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import COMMAND, OPTION
from bot.settings import Settings
from bot.translating.extraction import TRANSLATED
from renderers.i18n import LazyText
from tests.support.languages import messages_of_the_source

NAME = re.compile(r"[-_'\w]{1,32}")
DESCRIPTION_LIMIT = CHOICE_LIMIT = 100
LOCALES = {code: discord.Locale("es-ES" if code == "es" else code) for code in TRANSLATED}


@pytest_asyncio.fixture
async def bot() -> Tavoliere:
    bot = create_bot(Settings(_env_file=None))
    await bot.add_commands()
    await bot.tree.set_translator(CommandTranslator())
    return bot


def _named(bot: Tavoliere) -> tuple[set[str], set[str]]:
    commands = list(bot.tree.walk_commands())
    options = {option.name for command in commands for option in getattr(command, "parameters", ())}
    return {command.name for command in commands}, options


async def test_every_choice_is_marked_for_translation(bot: Tavoliere) -> None:
    offered = {choice.name for choices in _choices(bot).values() for choice in choices}
    known = {str(message.id) for message in messages_of_the_source()}
    unmarked = {game.name for game in GAMES.values() if not isinstance(game.name, LazyText)}
    assert offered - known - unmarked == set(OFFERED.values())


async def test_games_are_offered_under_the_names_they_have_in_a_language(bot: Tavoliere) -> None:
    translator = bot.tree.translator
    assert translator is not None
    for (command, option), choices in _choices(bot).items():
        if option == "game":
            sent = [await choice.get_translated_payload(translator) for choice in choices]
            assert "ギュゲース" in {_name(one, "ja") for one in sent}, command


async def test_every_name_is_extracted_for_translation(bot: Tavoliere) -> None:
    extracted_names = {(message.context, message.id) for message in messages_of_the_source()}
    commands, options = _named(bot)
    assert {name for context, name in extracted_names if context == COMMAND} == commands
    assert {name for context, name in extracted_names if context == OPTION} == options


@pytest.mark.parametrize("code", TRANSLATED)
async def test_names_and_descriptions_are_what_discord_takes(bot: Tavoliere, code: str) -> None:
    translator = bot.tree.translator
    assert translator is not None
    sent = [await command.get_translated_payload(bot.tree, translator) for command in bot.tree.get_commands()]
    shown = LOCALES[code].value
    top = [_name(one, shown) for one in sent]
    assert len(set(top)) == len(top)
    for names, one in _walk(sent, shown):
        assert len(set(names)) == len(names), names
        if one.get("type", 1) == discord.AppCommandType.chat_input.value:
            for name in names:
                assert NAME.fullmatch(name), name
                assert name == name.lower()
        description = one.get("description_localizations", {}).get(shown, one.get("description", ""))
        assert len(description) <= DESCRIPTION_LIMIT, description
        for choice in one.get("choices", ()):
            assert len(_name(choice, shown)) <= CHOICE_LIMIT


def _choices(bot: Tavoliere) -> dict[tuple[str, str], list[app_commands.Choice[Any]]]:
    commands = [command for command in bot.tree.walk_commands() if isinstance(command, app_commands.Command)]
    return {(command.name, one.name): one.choices for command in commands for one in command.parameters}


def _walk(sent: list[dict[str, Any]], shown: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    for one in sent:
        inner = one.get("options", [])
        yield [_name(option, shown) for option in inner], one
        yield from _walk(inner, shown)


def _name(one: dict[str, Any], shown: str) -> str:
    return str(one.get("name_localizations", {}).get(shown, one["name"]))
