"""Values that no menu and no command offers: the bot refuses them at once, and stores nothing of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands

from bot.storage.tables import metadata
from tests.lifecycle.controls import CASES, Case, custom_id, situation
from tests.support.acting import answer, challenge_accepted, play, pressed, told
from tests.support.sampled import each, sampled_together
from tests.support.simulated_discord import SimulatedDiscord, give_management, in_new_server

pytestmark = pytest.mark.own_bot

REFUSED = "That's not one of the choices here."
WRONG = "Something went wrong"
NUMBERS = [-(2**63), -5, 2**53 + 1, 2**63, 10**30]
PASSING = {"heartbeats", "interactions"}
"""Tables that change by themselves, or with each request."""
MENUS = [case for case in CASES if case.choice not in (None, "#")]


@contextmanager
def forged(sim: SimulatedDiscord, **values: Any) -> Iterator[None]:
    """Change values of options on their way to the bot."""
    backend = sim.env.backend
    emit = backend.emit

    def changed(event: str, payload: Any, *args: Any, **kwargs: Any) -> Any:
        if event == "INTERACTION_CREATE":
            payload = deepcopy(dict(payload))
            _change(payload["data"], values)
        return emit(event, payload, *args, **kwargs)

    backend.emit = changed  # type: ignore[method-assign]
    try:
        yield
    finally:
        backend.emit = emit  # type: ignore[method-assign]


def _change(data: dict[str, Any], values: dict[str, Any]) -> None:
    for option in data.get("options", []):
        if option["name"] in values:
            option["value"] = values[option["name"]]
        _change(option, values)
    if "values" in data and "values" in values:
        data["values"] = values["values"]


async def everything(sim: SimulatedDiscord) -> dict[str, list[str]]:
    """Return all that is stored, by table."""
    kept = [table for table in metadata.sorted_tables if table.name not in PASSING]
    async with sim.bot.context.services.database.read() as tx:
        return {table.name: sorted(map(repr, await tx.execute(table.select()))) for table in kept}


@pytest.fixture(autouse=True)
def without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one person ask for as much as a test needs."""
    monkeypatch.setattr("bot.compute.rate_limit.BUDGET", 10.0**9)


def leaves(sim: SimulatedDiscord) -> dict[str, app_commands.Command[Any, ..., Any]]:
    """Return every command by its whole name."""
    every = sim.bot.tree.walk_commands()
    return {one.qualified_name: one for one in every if isinstance(one, app_commands.Command)}


def honest(sim: SimulatedDiscord, option: app_commands.Parameter) -> Any:
    """Return a value that an option offers."""
    if option.choices:
        return option.choices[0].value
    if option.type is AppCommandOptionType.integer:
        return 1 if option.min_value is None else option.min_value
    if option.type is AppCommandOptionType.boolean:
        return False
    if option.type is AppCommandOptionType.string:
        return "c3"
    return sim.bob if option.type is AppCommandOptionType.user else sim.channel


def impossible(option: app_commands.Parameter) -> list[Any]:
    """Return values that an option does not offer."""
    if option.type is AppCommandOptionType.integer:
        beyond = [] if option.max_value is None else [option.max_value + 1]
        return [
            "1",
            *([] if option.min_value is None else [option.min_value - 1]),
            *beyond,
            *(one for one in NUMBERS if one != -5),
        ]
    if option.type is AppCommandOptionType.string:
        return [3, "x" * 6001, *(["nosuch", "-5"] if option.choices else [])]
    return ["yes", 2**63] if option.type is AppCommandOptionType.boolean else [str(2**63), str(10**30), "nosuch"]


async def test_no_option_of_any_command_takes_what_it_does_not_offer(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "b2")
    before, tried = await everything(sim), 0
    for name, command in leaves(sim).items():
        for option in command.parameters:
            given = {
                one.name: honest(sim, one) for one in command.parameters if one.required or one.name == option.name
            }
            for value in impossible(option):
                with forged(sim, **{option.name: value}):
                    result = await sim.alice.slash(sim.channel, name, **given)
                assert told(result).strip() == REFUSED, (name, option.name, value)
                tried += 1
    assert tried > 200
    assert await everything(sim) == before


@pytest.mark.parametrize("cases", sampled_together(MENUS, situation, every=30))
async def test_a_menu_takes_neither_what_it_does_not_offer_nor_what_it_should_not_have_offered(
    sim: SimulatedDiscord, cases: tuple[Case, ...]
) -> None:
    async def changes_nothing(case: Case) -> None:
        there = await in_new_server(sim)
        await case.before(there)
        person = getattr(there, case.who)
        message = answer(await person.slash(there.channel, "help"))
        wanted = await custom_id(there, case)
        before = await everything(there)
        for values in (["nosuch"], [], ["-5", "3"]):
            with forged(there, values=values):
                assert told(await pressed(there, person, message, wanted, case.choice)).strip() == REFUSED, values
        for value in ["nosuch", *map(str, NUMBERS)]:
            assert WRONG not in told(await pressed(there, person, message, wanted, value)), value
        assert await everything(there) == before

    await each(cases, changes_nothing)
