"""The commands are registered with Discord: what it refuses is told and tried again, and an entry point stays."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.cluster import figures
from bot.cogs import registration
from bot.settings import Settings
from tests.discord_flow.test_direct_matches import OFFERED
from tests.support.acting import answer, text_of
from tests.support.ports import free_port
from tests.support.processes.health_page import page
from tests.support.simulated_discord import simulated_discord
from tests.support.waiting import until

ENTRY_POINT = {
    "id": "77",
    "application_id": "1",
    "version": "5",
    "type": 4,
    "name": "launch",
    "description": "Open",
    "default_member_permissions": None,
    "handler": 2,
}
WRONG_NAME = {"0": {"name": {"_errors": [{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be 1 to 32 long."}]}}}
WRONG_KIND = {"0": {"integration_types": {"_errors": [{"code": "INVALID", "message": "Not allowed by the app."}]}}}
KEEP_IT = "You cannot remove this app's Entry Point command in a bulk update operation."


class CommandsAtDiscord:
    """The routes of the commands as Discord has them; the simulation knows no entry point and no detailed errors."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entry_point: dict[str, Any] | None = None
        self.for_persons = False
        """Whether *User Install* is switched on in the developer portal."""
        self.error: BackendError | None = None
        self._dispatch = router.dispatch
        monkeypatch.setattr(router, "dispatch", self._answer)

    def _answer(self, backend: Any, method: str, path: str, **options: Any) -> Any:
        def plainly() -> Any:
            return self._dispatch(backend, method, path, **options)

        if path == "/oauth2/applications/@me":
            kinds = ("0", "1") if self.for_persons else ("0",)
            return {**plainly(), "integration_types_config": {kind: {} for kind in kinds}}
        if not path.endswith("/commands"):
            return plainly()
        if method == "GET":
            return [*plainly(), *filter(None, [self.entry_point])]
        if self.error is not None:
            raise self.error
        if not self.for_persons and any(1 in command.get("integration_types", ()) for command in options["json"]):
            raise BackendError(400, 50035, "Invalid Form Body", errors=WRONG_KIND)
        if self.entry_point is not None:
            if self.entry_point not in options["json"]:
                raise BackendError(400, 50240, KEEP_IT)
            options["json"].remove(self.entry_point)
        return plainly()


@pytest.fixture
def commands_at_discord(monkeypatch: pytest.MonkeyPatch, described_requests: None) -> CommandsAtDiscord:
    return CommandsAtDiscord(monkeypatch)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            BackendError(400, 50035, "Invalid Form Body", errors=WRONG_NAME),
            "Failed to upload commands to Discord (HTTP status 400, error code 50035) In command 'challenge' defined "
            "in function 'ChallengeCommands.challenge' name: Must be 1 to 32 long.",
        ),
        (BackendError(400, 50240, KEEP_IT), f"400 Bad Request (error code: 50240): {KEEP_IT}"),
    ],
)
async def test_commands_that_discord_refuses_are_named_and_registered_later(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    commands_at_discord: CommandsAtDiscord,
    error: BackendError,
    reason: str,
) -> None:
    commands_at_discord.error = error
    pauses: list[float] = []
    seen = asyncio.Event()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        await seen.wait()
        if len(pauses) == 9:
            commands_at_discord.error = None

    monkeypatch.setattr(registration, "asyncio", SimpleNamespace(sleep=pause))
    monkeypatch.setattr(figures, "measured_lag", nullcontext)  # its timer would never let the simulation rest
    port = free_port()
    async with simulated_discord(settings.model_copy(update={"metrics_port": port})) as sim:
        assert json.loads((await page(port, "ready"))[1])["warnings"] == [
            f"commands not registered with Discord, the ones registered before stay: {reason}"
        ]
        seen.set()
        await until(lambda: sim.env.backend.commands.get(None), "registered commands")
        assert len(sim.env.backend.commands[None]) == len(sim.bot.tree.get_commands())
        assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
        assert "warnings" not in json.loads((await page(port, "ready"))[1])


async def test_an_entry_point_stays(settings: Settings, commands_at_discord: CommandsAtDiscord) -> None:
    commands_at_discord.entry_point = ENTRY_POINT
    async with simulated_discord(settings) as sim:
        assert len(sim.env.backend.commands[None]) == len(sim.bot.tree.get_commands())


@pytest.mark.parametrize("allowed", [False, True])
async def test_what_can_be_done_in_direct_messages_is_offered_to_persons_if_the_portal_allows_it(
    settings: Settings, commands_at_discord: CommandsAtDiscord, allowed: bool
) -> None:
    commands_at_discord.for_persons = allowed
    async with simulated_discord(settings) as sim:
        registered = sim.env.backend.commands[None].values()
        for_persons = {command["name"] for command in registered if 1 in command["integration_types"]}
        assert for_persons == (set(OFFERED) if allowed else set())
        in_groups = {command["name"] for command in registered if 2 in command["contexts"]}
        assert in_groups == for_persons
        about = answer(await sim.alice.slash(sim.channel, "help"))
        await sim.alice.click(about, label="About me")
        assert ("integration_type=1" in text_of(about.message)) == allowed
