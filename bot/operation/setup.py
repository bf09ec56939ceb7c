"""``setup``: the first start. It takes the token, tries it at Discord, stores it in ``.env``, and says what is next."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from dotenv import dotenv_values, set_key
from pydantic import SecretStr

from bot.operation import PROGRAM, WRONG_SETTINGS
from bot.operation.checks import Finding, check_all, check_online
from bot.operation.settings_check import NO_FORM_OF_TOKEN, has_form_of_token
from bot.settings import SettingsError, read_settings

ATTEMPTS = 3
"""How often it asks for a token that can be used."""

ASKED = """Create an application at https://discord.com/developers/applications, open its page Bot, press Reset Token,
and copy what appears. Paste it here; it is not shown."""


async def set_up(file: Path, ask: Callable[[], str], keeps: Callable[[], bool], say: Callable[[str], None]) -> int:
    """Store a token in ``file``, report what is not in order, and return the exit code.

    ``ask`` returns a token that a person has pasted; ``keeps`` returns whether they keep the one in ``file``.
    """
    if os.environ.get("DISCORD_TOKEN"):
        say(f"DISCORD_TOKEN is set in the environment, which goes before {file}: unset it, or leave `setup` out.")
        return WRONG_SETTINGS
    stored = dotenv_values(file).get("DISCORD_TOKEN")
    if not stored or not keeps():
        say(ASKED)
        for _attempt in range(ATTEMPTS):
            token = ask().strip()
            problem = await _why_not(token)
            if problem is None:
                break
            say(f"{problem}.")
        else:
            return WRONG_SETTINGS
        try:
            _store(file, token)
        except OSError as error:
            say(f"{file} cannot be written: {error.strerror}. Nothing is stored.")
            return 1
        say(f"The token is in {file}, which only you can read.")
    return await _checked(say)


def _store(file: Path, token: str) -> None:
    """Write the token into a file of settings that its owner alone can read. Raises ``OSError``."""
    file.touch(mode=0o600)
    file.chmod(0o600)
    set_key(file, "DISCORD_TOKEN", token, quote_mode="never")


async def _why_not(token: str) -> str | None:
    """Return why a token cannot be used, None for one that Discord accepts or cannot be asked about."""
    if not has_form_of_token(token):
        return NO_FORM_OF_TOKEN.format(name="That")
    findings = await check_online(read_settings().model_copy(update={"discord_token": SecretStr(token)}))
    return next((finding.problem for finding in findings if finding.subject == "token"), None)


async def _checked(say: Callable[[str], None]) -> int:
    """Check everything, as ``check --online`` does; say what is wrong, or how to go on."""
    try:
        settings = read_settings()
    except SettingsError as error:
        say(str(error))
        return WRONG_SETTINGS
    findings = [*await check_all(settings), *await check_online(settings)]
    problems = [finding for finding in findings if finding.problem]
    for finding in problems:
        say(f"{finding.subject}: {finding.problem}")
    for line in _next_steps(findings):
        say(line)
    return int(bool(problems))


def _next_steps(findings: list[Finding]) -> Iterator[str]:
    link = next((finding.praise for finding in findings if finding.subject == "invite link"), None)
    if link is None:
        yield f"Once Discord can be reached, `{PROGRAM} check --online` prints the link that invites the bot."
    else:
        yield f"Add the bot to a server that you manage:\n  {link}"
    yield f"Start it:\n  {PROGRAM} run"
    yield "Then type /play in that server."
