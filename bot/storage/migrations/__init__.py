"""The revisions of the schema, and how a database gets from one to the next.

Each change of the schema is one new file in ``versions``, and a migration is never changed or merged with another. The
first revision is 0035: the earlier ones were merged into it before the first release. No migration leads back: an
operator who wants an older version restores a backup.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def alembic_config() -> Config:
    """Return the configuration of the migrations, independent of the working directory."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to ``revision`` on an open connection."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def revisions(connection: Connection) -> tuple[str | None, str]:
    """Return the revision the database is at, None for an empty one, and the newest one there is."""
    newest = _scripts().get_current_head()
    assert newest is not None
    return MigrationContext.configure(connection).get_current_revision(), newest


def known_revisions() -> set[str]:
    """Return every revision this program knows."""
    return {script.revision for script in _scripts().walk_revisions()}


def refusal(revision: str) -> str | None:
    """Return why this version cannot use a database at a revision, to be read after its name; None where it can."""
    revisions = known_revisions()
    first, newest = min(revisions), max(revisions)
    if revision in revisions:
        return None
    if revision < first:
        return (
            f"was made before the first release of Tavoliere: it is at {revision}, this version begins at {first}. "
            "Export its matches with the version that made it, and import them into a new database."
        )
    return (
        f"belongs to a newer version of Tavoliere: it is at {revision}, this one knows no further than {newest}. "
        "Run that version, or restore a backup from before."
    )


@cache
def _scripts() -> ScriptDirectory:
    """Return the migrations there are. Reading them takes longer than opening a database that needs none."""
    return ScriptDirectory.from_config(alembic_config())
