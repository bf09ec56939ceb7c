"""Structured logs on standard error, the libraries' own included.

Logs contain no secrets: a traceback never shows the values of variables, which include tokens and people's names, and
the levels of libraries are limited, because at their lowest levels they write down all data that passes through them.
"""

from __future__ import annotations

import logging
import sys

import discord
import structlog

from bot.settings import Settings

LIBRARIES = {"discord": logging.INFO, "alembic": logging.WARNING, "aiosqlite": logging.WARNING}
LIBRARIES |= {"sqlalchemy": logging.WARNING, "asyncio": logging.WARNING, "PIL": logging.WARNING}
"""The lowest level of each library."""


def configure(settings: Settings) -> None:
    """Send every log line, this program's and its libraries', through one formatter."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    final: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if settings.log_format == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        final += [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback
        final += [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
    handler = logging.StreamHandler()
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=final))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level)
    for name, least in LIBRARIES.items():
        logging.getLogger(name).setLevel(max(root.level, least))
    logging.getLogger("discord.app_commands.tree").addFilter(_is_of_use)


def _is_of_use(record: logging.LogRecord) -> bool:
    """Return whether a line is useful. Suggestions that came too late, because the person typed on, need no line."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, discord.NotFound) and "autocomplete" in str(record.msg))
