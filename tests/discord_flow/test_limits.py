"""Everything the bot shows stays within Discord's limits, in every game there is."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any

import discord
import pytest

from bot.checks import command_problems
from bot.games import GAMES
from bot.games.game import Position, Step
from bot.games.guides import guide
from bot.matches.overview import Table
from bot.matches.positions import Standing
from bot.storage.records import Match, MatchState, Person, Seat
from bot.views import match_board, move_builder, pictures
from tests.conftest import Town
from tests.discord_flow.acting import (
    answer,
    board_of,
    boards,
    build,
    cards,
    text_of,
    told,
)
from tests.games.cases import CASES, Case, pick, samples

TEXT_LIMIT, COMPONENT_LIMIT, ID_LIMIT, OPTION_LIMIT = 4000, 40, 100, 25


def exceeded(view: discord.ui.LayoutView) -> list[str]:
    """Return which of Discord's limits a layout exceeds."""
    every = list(view.walk_children())
    found = [] if len(every) <= COMPONENT_LIMIT else [f"{len(every)} components"]
    length = sum(len(item.content) for item in every if isinstance(item, discord.ui.TextDisplay))
    if length > TEXT_LIMIT:
        found.append(f"{length} characters of text")
    ids = [item.custom_id for item in every if getattr(item, "custom_id", None)]
    found += [f"custom_id of {len(custom_id)} characters" for custom_id in ids if len(custom_id) > ID_LIMIT]
    if len(set(ids)) < len(ids):
        found.append("a custom_id twice")
    for row in every:
        if isinstance(row, discord.ui.ActionRow) and len(row.children) > 5:
            found.append(f"{len(row.children)} controls in a row")
    for item in every:
        wrapped = getattr(item, "item", item)
        if isinstance(wrapped, discord.ui.Button) and not 1 <= len(wrapped.label or "") <= 80:
            found.append(f"label {wrapped.label!r}")
        if isinstance(wrapped, discord.ui.Select):
            found += _select_problems(wrapped)
    return found


def _select_problems(select: discord.ui.Select[Any]) -> list[str]:
    found = [] if 1 <= len(select.options) <= OPTION_LIMIT else [f"{len(select.options)} options"]
    found += [
        f"option {option.label!r}: {option.value!r}"
        for option in select.options
        if not 1 <= len(option.label) <= 100 or not 1 <= len(option.value) <= 100
    ]
    if len({option.value for option in select.options}) < len(select.options):
        found.append("an option twice")
    return found


def test_what_exceeds_a_limit_is_noticed() -> None:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay("x" * 3990))
    assert exceeded(view) == []
    view.add_item(discord.ui.TextDisplay("x" * 11))
    long = move_builder.BuilderButton(discord.ui.Button(label="l" * 81, custom_id="b-play:1:1:0:" + "c3" * 45))
    view.add_item(discord.ui.ActionRow(long))
    assert exceeded(view) == ["4001 characters of text", "custom_id of 103 characters", f"label {'l' * 81!r}"]


async def test_the_commands_are_within_discords_limits(town: Town) -> None:
    payloads = [command.to_dict(town.bot.tree) for command in town.bot.tree.get_commands()]
    assert list(command_problems(payloads)) == []
    assert {payload["name"] for payload in payloads} >= {"challenge", "move", "board", "matches", "match", "rules"}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "Bad Name"}, "Bad Name: bad name"),
        ({"name": "x" * 33}, f"{'x' * 33}: bad name"),
        ({"description": ""}, "fine: description of 0 characters"),
        ({"description": "x" * 101}, "fine: description of 101 characters"),
        ({"options": [{"name": "o", "description": "x" * 101}]}, "fine o: description of 101 characters"),
        ({"options": [{"name": f"o{at}", "description": "d"} for at in range(26)]}, "fine: more than 25 options"),
        ({"choices": [{"name": "c", "value": "c"}] * 26}, "fine: more than 25 choices"),
        ({"choices": [{"name": "c" * 101, "value": "c"}]}, f"fine: choice {'c' * 101!r} is too long"),
    ],
)
def test_a_command_beyond_a_limit_is_named(changes: dict[str, Any], problem: str) -> None:
    assert list(command_problems([{"name": "fine", "description": "fine"} | changes])) == [problem]


def table(case: Case, position: Position) -> Table:
    """Return a match with high numbers and long names at a position."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    people = [Person(10**18 + seat, "_" * 32) for seat in range(case.players)]
    seats = tuple(Seat(at, person, at in position.to_move, False, None) for at, person in enumerate(people))
    match = Match(
        id=99_999_999,
        guild_id=10**18,
        channel_id=10**18,
        thread_id=None,
        game=case.game.key,
        variant=case.variant.key,
        rated=True,
        state=MatchState.RUNNING,
        ply=9999,
        reason=None,
        board_channel_id=10**18,
        board_message_id=10**18,
        board_ply=9999,
        created_at=now,
        turn_at=now,
        ended_at=None,
        pace=None,
        deadline_at=None,
        remind_at=None,
        flagged=False,
        seats=seats,
    )
    return Table(match, Standing(9999, case.players, position), {})


def walk(position: Position, random: Random) -> list[tuple[str, ...]]:
    """Return the prefixes of a way through the choices of a position, as long as it goes on."""
    prefixes: list[tuple[str, ...]] = [()]
    while steps := position.steps(prefixes[-1]):
        prefixes.append((*prefixes[-1], random.choice(steps).key))
    return prefixes


def view_of(shown: Table, keys: tuple[str, ...], page: int = 0) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    for row in move_builder._controls(shown, keys, move_builder._stage(shown.standing.position, keys), page):
        view.add_item(row)
    return view


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_builder_is_within_discords_limits_at_every_step_of_every_game(case: Case) -> None:
    random = Random(7)
    for ply in samples(case):
        shown = table(case, ply.position)
        prefixes = [*walk(ply.position, random), *((step.key,) for step in ply.position.shortcuts(random))]
        for keys in prefixes:
            assert exceeded(view_of(shown, keys)) == [], keys


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_choice_is_on_some_page_of_the_builder(case: Case) -> None:
    for ply in islice(samples(case), 6):
        steps = ply.position.steps(())
        parts = move_builder._parts(steps)
        assert sorted(step.key for part in parts for step in part) == sorted(step.key for step in steps)
        assert all(1 <= len(part) <= OPTION_LIMIT for part in parts)
        shown = table(case, ply.position)
        for page in range(len(parts)):
            assert exceeded(view_of(shown, (), page)) == []


def test_long_lists_of_choices_are_divided_by_file_and_none_is_lost() -> None:
    steps = [Step(f"{file}{rank}", f"{file}{rank}", f"{file}{rank}") for file in "abcdefgh" for rank in range(1, 60)]
    parts = move_builder._parts(steps)
    assert [step for part in parts for step in part] == steps
    assert all(len({step.square[0] for step in part if step.square}) == 1 for part in parts)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_prefix_survives_being_written_into_a_custom_id(case: Case) -> None:
    random = Random(3)
    for ply in samples(case):
        for keys in (*walk(ply.position, random), *((step.key,) for step in ply.position.shortcuts(random))):
            assert move_builder._keys(move_builder._prefix(keys)) == keys


@pytest.mark.parametrize("case", CASES, ids=str)
def test_text_boards_and_alternative_texts_are_within_discords_limits_in_every_game(case: Case) -> None:
    for ply in samples(case):
        shown = table(case, ply.position)
        letters = pictures._text_board(shown.match, shown.standing, 0, None)
        assert len(letters) + len(match_board.text(shown)) <= TEXT_LIMIT - 200
        assert 1 <= len(pictures._describe(shown.match, shown.standing, 0)) <= pictures.DESCRIPTION_LIMIT


async def test_the_pages_of_every_guide_are_within_discords_limits(town: Town) -> None:
    for key, game in GAMES.items():
        rules = answer(await town.alice.slash(town.channel, "rules", game=key))
        for number, page in enumerate(guide(game)):
            view = discord.ui.LayoutView.from_message(rules.message, timeout=None)
            assert exceeded(view) == [], f"{key}: {page.title}"
            assert page.title in text_of(rules.message)
            if number < len(guide(game)) - 1:
                await town.alice.click(rules, label="Next ▶")


async def test_what_commands_show_is_within_discords_limits(town: Town) -> None:
    for command in ("games", "help", "about", "leaderboard", "profile", "matches"):
        shown = answer(await town.alice.slash(town.channel, command)).message
        assert text_of(shown).strip(), command
        if shown.flags.components_v2:
            assert exceeded(discord.ui.LayoutView.from_message(shown, timeout=None)) == [], command


@pytest.mark.parametrize("key", list(GAMES))
async def test_a_match_of_every_game_is_played_by_builder_within_discords_limits(town: Town, key: str) -> None:
    random = Random(5)
    await town.alice.slash(town.channel, "challenge", game=key, opponent=town.bob, first="challenger", players=2)
    card = cards(town)[-1]
    await town.bob.click(card, label="Accept")
    position = GAMES[key].start(2, **GAMES[key].variants[0].options)
    for ply in range(5):
        move = pick(position, random)
        mover = (town.alice, town.bob)[min(position.to_move)]
        builder = answer(await mover.click(board_of(town, card.id), label="Play"))
        await build(mover, builder, str(move))
        assert text_of(builder.message).strip() == f"You played **{move}**.", ply
        position = position.play(move)
    assert len(boards(town, card.id)) == 6
    as_text = told(await town.alice.slash(town.place(card.id), "board", text=True))
    assert 10 < len(as_text) <= TEXT_LIMIT
