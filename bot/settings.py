"""Everything configurable, from the environment or a ``.env`` file beside the program."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The bot's settings. Each field is read from the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", hide_input_in_errors=True
    )

    discord_token: SecretStr | None = None
    """The bot's token from Discord's developer portal. Needed only by ``run``."""

    database_url: str = "sqlite+aiosqlite:///data/tavoliere.db"
    """Where matches are kept: an SQLAlchemy URL for ``sqlite+aiosqlite`` or ``postgresql+asyncpg``."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["console", "json"] = "console"

    threads: bool = True
    """Play each match in a thread of its own where that is possible."""

    challenge_days: int = Field(default=7, ge=1, le=30)
    """Days until a challenge nobody answered expires."""

    max_matches: int = Field(default=50, ge=1)
    """Matches one person may have running in one server."""

    max_challenges: int = Field(default=10, ge=1)
    """Open challenges one person may have in one server."""

    heartbeat: int = Field(default=60, ge=1)
    """Seconds between two notes that the bot is alive; a gap after a restart is given back to every clock."""

    workers: int = Field(default=2, ge=1, le=32)
    """Threads that draw pictures and compute rules, so that the event loop never waits for them."""

    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    """Port on 127.0.0.1 for ``/metrics`` and ``/health``; none unless it is set."""

    source_url: str = ""
    """Where people find the source; shown by ``/about``."""
