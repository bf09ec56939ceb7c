"""Finds mistakes in settings: the form of the token, names that are misspelt, values that exclude each other.

It also tries the ports. Calls nothing but this machine.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from dotenv import dotenv_values

from bot.settings import Settings
from bot.storage.database import in_sqlite
from bot.web.server import why_not_served

ALIKE = 0.85
"""The similarity, from 0 to 1, from which on a name is taken for that of a setting, misspelt."""
ANSWERED_WITHIN = 2.0
"""Seconds that a program on a port has to say what it is."""
ALL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The address at which this machine reaches a program that listens on all addresses."""
NO_FORM_OF_TOKEN = (
    "{name} does not look like a bot's token, which has three parts with dots between them: copy it from the page Bot "
    "of the developer portal. Application id, public key and client secret are others"
)


def problems(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with the settings, a sentence each."""
    token = "" if settings.discord_token is None else settings.discord_token.get_secret_value().strip()
    if not token:
        yield "DISCORD_TOKEN is not set; `run` needs it, `demo` does not"
    elif not has_form_of_token(token):
        yield NO_FORM_OF_TOKEN.format(name="DISCORD_TOKEN")
    yield from misspelt({*os.environ, *dotenv_values(Path(".env"))})
    if settings.web_port is not None and settings.web_port == settings.metrics_port:
        yield f"WEB_PORT and METRICS_PORT are both {settings.web_port}: choose another one for one of them"
    if settings.web_port is not None and not settings.web_url:
        yield "WEB_PORT is set, but WEB_URL is not: set it to the address at which people open the board page"
    if settings.web_url and settings.web_port is None and in_sqlite(settings.database_url):
        yield "WEB_URL is set, but WEB_PORT is not: no bot serves the board page, and its links lead nowhere"
    if settings.web_public and settings.web_port is None:
        yield "WEB_PUBLIC is on, but WEB_PORT is not set: no bot serves the pages for people without an account"


def has_form_of_token(token: str) -> bool:
    """Return whether a text may be the token of a bot: its id, a time and a signature, in letters of base64."""
    parts = token.split(".")
    if len(parts) != 3 or not all(re.fullmatch(r"[\w-]+", part, re.ASCII) for part in parts):
        return False
    try:
        return base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4)).isdigit()
    except ValueError:
        return False


def misspelt(names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each name that looks like that of a setting, but is not one."""
    names_by_plain = {_plain(name): name.upper() for name in Settings.model_fields}
    for name in sorted(names):
        if name.lower() in Settings.model_fields:
            continue
        for meant in get_close_matches(_plain(name), names_by_plain, n=1, cutoff=ALIKE):
            yield f"{name} is set, but there is no such setting: is {names_by_plain[meant]} meant?"


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def ports(settings: Settings) -> Iterator[tuple[str, str | None, str]]:
    """Yield for each port that is set its setting, what is in the way of serving there, and words if nothing is."""
    for name, host, port, path, sign in (
        ("METRICS_PORT", settings.metrics_host, settings.metrics_port, "/metrics", "tavoliere_"),
        ("WEB_PORT", settings.web_host, settings.web_port, "/", "Tavoliere"),
    ):
        if port is None:
            continue
        why, opened = why_not_served(host, port), _open_pages(settings) if name == "WEB_PORT" else ""
        if why is None:
            yield name, None, f"free{opened}"
        elif sign in _response_of(host, port, path):
            yield name, None, f"a bot that runs already serves there{opened}"
        else:
            yield name, f"{port} on {host} cannot be used: {why}. Choose another one", ""


def _open_pages(settings: Settings) -> str:
    """Say which pages are open to people without an account, nothing if none is."""
    if not settings.web_public:
        return ""
    limits = "limits for each address"
    if not settings.proxies:
        limits = "one limit for all who come through a proxy, as WEB_PROXIES is not set"
    return f"; /play, /puzzle, /watch and /challenge are open to anybody (WEB_PUBLIC), with {limits}"


def _response_of(host: str, port: int, path: str) -> str:
    """Return what the program on a port says, nothing if it is silent or speaks another language."""
    connection = HTTPConnection(ALL_ADDRESSES.get(host, host), port, timeout=ANSWERED_WITHIN)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode(errors="replace")
    except (OSError, HTTPException):
        return ""
    finally:
        connection.close()
