"""``setup``: from a token to a bot that can start, and nothing stored of a token that Discord refuses."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from dotenv import dotenv_values

from bot.demo.discord_server import led_to
from bot.operation import WRONG_SETTINGS
from bot.operation.setup import ATTEMPTS, set_up
from bot.views.permissions import invite_link
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.processes import bot


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder, in an environment without a token."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path / ".env"


async def answered(file: Path, discord: Loopback, *tokens: str, keeps: bool = False) -> tuple[int, list[str]]:
    """Run the set-up with a person who pastes ``tokens``; return the exit code and what it says."""
    pasted, said = iter(tokens), list[str]()
    with led_to(discord.address):
        return await set_up(file, lambda: next(pasted), lambda: keeps, said.append), said


async def test_a_token_is_stored_for_its_owner_alone_and_the_invite_link_follows(here: Path, discord: Loopback) -> None:
    code, said = await answered(here, discord, f" {TOKEN}\n")
    assert code == 0, said
    assert dotenv_values(here) == {"DISCORD_TOKEN": TOKEN}
    assert stat.S_IMODE(here.stat().st_mode) == 0o600
    assert said[-3:] == [
        f"Add the bot to a server that you manage:\n  {invite_link(discord.backend.application_id)}",
        "Start it:\n  python -m bot run",
        "Then type /play in that server.",
    ]
    assert not any(TOKEN in line for line in said)


async def test_what_is_no_token_and_one_that_discord_refuses_are_asked_for_again_and_not_stored(
    here: Path, discord: Loopback
) -> None:
    code, said = await answered(here, discord, "123456789012345678", "MTIz.wrong.token", TOKEN)
    assert code == 0
    assert said[1].startswith("That does not look like a bot's token")
    assert said[2] == "Discord does not accept this DISCORD_TOKEN: copy it anew from the developer portal."
    assert dotenv_values(here) == {"DISCORD_TOKEN": TOKEN}
    here.unlink()
    code, _said = await answered(here, discord, *["MTIz.wrong.token"] * ATTEMPTS)
    assert (code, here.exists()) == (WRONG_SETTINGS, False)


async def test_other_settings_stay_and_a_stored_token_is_replaced_on_request_only(
    here: Path, discord: Loopback
) -> None:
    here.write_text("# mine\nTHREADS=false\nDISCORD_TOKEN=MTIz.old.token\n", encoding="utf-8")
    here.chmod(0o644)
    code, said = await answered(here, discord, keeps=True)
    assert code == 1
    assert any("Discord does not accept" in line for line in said)
    assert "MTIz.old.token" in here.read_text(encoding="utf-8")
    code, _said = await answered(here, discord, TOKEN)
    assert code == 0
    assert here.read_text(encoding="utf-8") == f"# mine\nTHREADS=false\nDISCORD_TOKEN={TOKEN}\n"
    assert stat.S_IMODE(here.stat().st_mode) == 0o600


async def test_where_discord_is_away_the_token_is_stored_untried_and_it_says_so(here: Path, discord: Loopback) -> None:
    await discord.close()
    code, said = await answered(here, discord, TOKEN)
    assert code == 1
    assert dotenv_values(here) == {"DISCORD_TOKEN": TOKEN}
    assert any(line.startswith("Discord: it cannot be reached") for line in said)
    assert any("`python -m bot check --online` prints the link" in line for line in said)


async def test_a_token_in_the_environment_and_a_file_that_cannot_be_written_are_told(
    here: Path, discord: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.mkdir()
    code, said = await answered(here, discord, TOKEN)
    assert (code, said[-1]) == (1, f"{here} cannot be written: Is a directory. Nothing is stored.")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    code, said = await answered(here, discord)
    assert code == WRONG_SETTINGS
    assert said[0].startswith("DISCORD_TOKEN is set in the environment, which goes before")


async def test_the_version_is_told(tmp_path: Path) -> None:
    assert (await bot(tmp_path, "--version")).text.startswith("Tavoliere ")
