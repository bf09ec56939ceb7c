"""Everything configurable, from the environment or a ``.env`` file beside the program."""

from __future__ import annotations

import os
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

DRIVERS = ("sqlite+aiosqlite", "postgresql+asyncpg")
SECRET = {"discord_token", "database_url", "database_direct_url"}
"""Settings whose value is never shown."""

LONGEST_URL = 120
"""Characters of the address of the board page: with a link they fit a button in Discord, which takes 512."""


class SettingsError(Exception):
    """Settings that are not possible. The message has a line for each."""


class Settings(BaseSettings):
    """The bot's settings. Each field is read from the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    discord_token: SecretStr | None = None
    """The bot's token from Discord's developer portal. Needed only by ``run``."""

    discord_token_file: Path | None = None
    """A file that holds the token, where ``discord_token`` is not set."""

    discord_api_url: str = ""
    """Where calls to Discord go, such as a proxy that keeps its limits; Discord itself unless it is set."""

    database_url: str = Field(default="sqlite+aiosqlite:///data/tavoliere.db", repr=False)
    """Where matches are kept: an SQLAlchemy URL for ``sqlite+aiosqlite`` or ``postgresql+asyncpg``."""

    database_direct_url: str = Field(default="", repr=False)
    """Where ``database_url`` leads through PgBouncer: the server itself, for what lasts longer than a transaction."""

    database_password_file: Path | None = None
    """A file that holds the database's password, where ``database_url`` has none."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["console", "json"] = "console"

    threads: bool = True
    """Play each match in a thread of its own where that is possible."""

    challenge_days: int = Field(default=7, ge=1, le=30)
    """Days until an unanswered challenge expires."""

    max_matches: int = Field(default=50, ge=1)
    """Running matches that one person may have in one server."""

    max_challenges: int = Field(default=10, ge=1)
    """Open challenges one person may have in one server."""

    departed_server_days: int = Field(default=90, ge=1, le=3650)
    """Days for which a server's data is kept after it has removed the bot."""

    heartbeat: int = Field(default=60, ge=1)
    """Seconds between two rounds of regular work. Heartbeats, by which outages are found, are stored more often."""

    workers: int = Field(default=2, ge=1, le=32)
    """Threads that compute what a turn needs, so that the event loop never waits."""

    picture_workers: int = Field(default=2, ge=0, le=32)
    """Processes that draw replays, charts and other heavy pictures; with 0 a thread does it."""

    thinkers: int = Field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1), ge=0, le=64)
    """Processes in which computer players think, started when the first of them has to.

    With 0 the processes that only think (``think``) do it, or a thread if there are none.
    """

    shards: int | None = Field(default=None, ge=1)
    """How many of Discord's shards the bot connects; as many as Discord recommends unless it is set."""

    slots: int = 1
    """How many bots served at a time before there was one. Only 1 is left, for settings of that time."""

    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    """Port for ``/metrics`` and ``/health``; none unless it is set."""

    metrics_host: str = "127.0.0.1"
    """The address on which that port is open; by default only this machine."""

    web_port: int | None = Field(default=None, ge=1, le=65535)
    """Port for the board page; none unless it is set."""

    web_host: str = "127.0.0.1"
    """The address on which that port is open; by default only this machine, for a reverse proxy."""

    web_url: str = ""
    """Where people reach the board page: ``https://`` and a host, or ``http://localhost`` for a trial."""

    web_public: bool = False
    """Whether the board page is for people without an account, too: with a puzzle a day, games against the bot, matches
    to watch where a server allows it, and challenges by their links."""

    web_proxies: str = ""
    """The addresses or networks of the reverse proxies whose ``X-Forwarded-For`` is believed, with commas between."""

    source_url: str = ""
    """Where people find the source code; shown by ``/help``."""

    @property
    def direct_url(self) -> str:
        """Where the database is reached without PgBouncer."""
        return self.database_direct_url or self.database_url

    @property
    def page_url(self) -> str:
        """Where people reach the board page; empty where there is none."""
        return self.web_url or (f"http://localhost:{self.web_port}" if self.web_port is not None else "")

    @property
    def watched_url(self) -> str:
        """Where people without an account reach the board page; empty where they cannot."""
        return self.page_url if self.web_public else ""

    @cached_property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks of ``web_proxies``."""
        return _networks_in(self.web_proxies)

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, level: Any) -> Any:
        return level.upper() if isinstance(level, str) else level

    @field_validator("slots")
    @classmethod
    def _one_slot(cls, slots: int) -> int:
        if slots != 1:
            raise ValueError(
                "left out: one bot serves all servers. Let the other processes stand by for it with the same settings, "
                "or think (`think`), as docs/scaling.md tells"
            )
        return slots

    @field_validator("discord_api_url")
    @classmethod
    def _address(cls, url: str) -> str:
        if url and not url.startswith(("http://", "https://")):
            raise ValueError("an address that begins with http:// or https://")
        return url.rstrip("/")

    @field_validator("web_url")
    @classmethod
    def _page(cls, url: str) -> str:
        parts = urlsplit(url)
        here = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
        alone = parts.hostname and not parts.path.strip("/") and not parts.query and "@" not in parts.netloc
        if url and not (alone and (parts.scheme == "https" or here)):
            raise ValueError("https:// and a host, without a path (http://localhost for a trial)")
        if len(url) > LONGEST_URL:
            raise ValueError(f"at most {LONGEST_URL} characters long")
        return url.rstrip("/")

    @field_validator("web_proxies")
    @classmethod
    def _networks(cls, proxies: str) -> str:
        try:
            every = _networks_in(proxies)
        except ValueError:
            raise ValueError("addresses or networks with commas between, such as 127.0.0.1, 10.0.0.0/8") from None
        if any(not network.prefixlen for network in every):
            raise ValueError("the addresses of your proxies: with all addresses anybody could claim to be anybody")
        return proxies

    @field_validator("database_direct_url")
    @classmethod
    def _server(cls, url: str) -> str:
        if url and not url.startswith("postgresql+asyncpg://"):
            raise ValueError("an address that begins with postgresql+asyncpg://")
        return url and cls._known_driver(url)

    @field_validator("database_url")
    @classmethod
    def _known_driver(cls, url: str) -> str:
        try:
            is_driver = make_url(url).drivername in DRIVERS
        except (ArgumentError, ValueError):
            is_driver = False
        if not is_driver:
            raise ValueError(f"an address that begins with {' or '.join(f'{driver}://' for driver in DRIVERS)}")
        return url


def read_settings() -> Settings:
    """Read the settings from the environment and ``.env``. Raises ``SettingsError``."""
    try:
        settings = Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(map(_complaint, error.errors(include_url=False)))) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file .env cannot be read: {error}.") from None
    from_files: dict[str, Any] = {}
    if settings.discord_token is None and settings.discord_token_file is not None:
        from_files["discord_token"] = SecretStr(_content("DISCORD_TOKEN_FILE", settings.discord_token_file))
    for name in ("database_url", "database_direct_url"):
        url = make_url(getattr(settings, name) or "sqlite://")
        file = settings.database_password_file
        if file is not None and url.get_backend_name() == "postgresql" and url.password is None:
            password = _content("DATABASE_PASSWORD_FILE", file)
            from_files[name] = url.set(password=password).render_as_string(hide_password=False)
    return settings.model_copy(update=from_files)


def _content(name: str, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"{name} is {str(file)!r}, but that file cannot be read: {why}.") from None


def _networks_in(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _complaint(problem: Any) -> str:
    """Return which variable is wrong and what would be right."""
    name = str(problem["loc"][0]).lower()
    shown = "" if name in SECRET else f" is {problem['input']!r}, but"
    field = Settings.model_fields[name]
    if problem["type"] == "value_error":
        right = str(problem["ctx"]["error"])
    elif get_origin(field.annotation) is Literal:
        right = f"one of {', '.join(get_args(field.annotation))}"
    elif field.annotation is bool:
        right = "true or false"
    else:
        limits = {key: getattr(limit, key) for limit in field.metadata for key in ("ge", "le") if hasattr(limit, key)}
        right = f"a whole number from {limits['ge']} " + (f"to {limits['le']}" if "le" in limits else "upwards")
    return f"{name.upper()}{shown} must be {right}."
