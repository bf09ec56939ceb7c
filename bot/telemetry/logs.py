"""Structured logs on standard error, the libraries' own included.

Logs contain no secrets: a traceback never shows the values of variables, which include tokens and people's names, and
the levels of libraries are limited, because at their lowest levels they write down all data that passes through them.
"""

from __future__ import annotations

import json
import logging
import sys

import discord
import structlog

from bot.settings import Settings
from bot.telemetry.repetitions import Repetitions

LIBRARIES = {"discord": logging.INFO, "alembic": logging.WARNING, "aiosqlite": logging.WARNING}
LIBRARIES |= {"sqlalchemy": logging.WARNING, "asyncio": logging.WARNING, "PIL": logging.WARNING}
"""The lowest level of each library."""
LONGEST_LINE = 7000
"""Characters of a line with all it tells: with what a renderer adds it stays below 8 kB."""
FORGOTTEN = "Future exception was never retrieved"
"""How asyncio tells of a future that failed when no task waited for it any more."""


def configure(settings: Settings) -> None:
    """Send every log line, this program's and its libraries', through one formatter."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[Repetitions(), *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    final: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if settings.log_format == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        final += [_without_traceback, structlog.processors.ExceptionRenderer(tracebacks), _shortened]
        final.append(structlog.processors.JSONRenderer())
    else:
        plain = structlog.dev.plain_traceback
        final += [_without_traceback, structlog.processors.ExceptionRenderer(), _shortened]
        final.append(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain))
    handler = logging.StreamHandler()
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=final))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level)
    for name, least in LIBRARIES.items():
        logging.getLogger(name).setLevel(max(root.level, least))
    logging.getLogger("discord.app_commands.tree").addFilter(_is_of_use)
    logging.getLogger("asyncio").addFilter(_is_told_once)


def _without_traceback(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Put an error that is a sentence for the operator into its line: where the bot met it does not matter."""
    error = event.get("exc_info")
    error = sys.exc_info()[1] if error is True else error[1] if isinstance(error, tuple) else error
    if getattr(error, "is_sentence", False):
        del event["exc_info"]
        event["error"] = str(error)
    return event


def _shortened(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Keep a line below ``LONGEST_LINE``: of long texts and tracebacks both ends."""
    if len(json.dumps(event, default=str)) <= LONGEST_LINE:
        return event
    for name, value in event.items():
        if name == "exception" and isinstance(value, list):
            event[name] = [
                {
                    "exc_type": stack["exc_type"],
                    "exc_value": _cut(stack["exc_value"], 500),
                    "frames": stack["frames"][-4:],
                }
                for stack in (value if len(value) < 3 else (value[0], value[-1]))
            ]
        elif not isinstance(value, (bool, int, float)) and value is not None:
            event[name] = _cut(str(value), LONGEST_LINE // 2 if name == "exception" else 300)
    return event


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length // 3]} ... {text[-2 * length // 3 :]}"


def _is_of_use(record: logging.LogRecord) -> bool:
    """Return whether a line is useful. Suggestions that came too late, because the person typed on, need no line."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, discord.NotFound) and "autocomplete" in str(record.msg))


def _is_told_once(record: logging.LogRecord) -> bool:
    """Make a warning of an error that asyncpg forgets; return whether the line is still to be written.

    If asyncpg is cancelled while it opens a connection, the future of that connection fails unseen. That happens in
    numbers when connections break: it opens one beside each to cancel its statement, and gives it up with the other.
    Who wanted to use the connection has an error of their own. The future cannot be reached from outside.
    """
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, ConnectionError) and str(record.msg).startswith(FORGOTTEN):
        record.msg, record.exc_info = f"connection given up while it was opened: {error!r}", None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return logging.getLogger().isEnabledFor(record.levelno)
