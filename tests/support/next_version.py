"""The migrations of a version after this one, so that tests can open a database that is one revision behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from alembic.config import Config

from bot.storage import migrations

NEXT = "9998"
_MIGRATION = f'''"""A table more."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{{newest}}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("of_the_next_version", sa.Column("id", sa.Integer(), primary_key=True))
'''


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a migration to the program after the databases were opened."""
    folder = copytree(Path(migrations.__file__).parent, tmp_path / "migrations", ignore=ignore_patterns("__pycache__"))
    newest = max(migrations.known_revisions())
    (folder / "versions" / f"{NEXT}_next.py").write_text(_MIGRATION.format(newest=newest))
    config = Config()
    config.set_main_option("script_location", str(folder))
    monkeypatch.setattr(migrations, "alembic_config", lambda: config)
    migrations._scripts.cache_clear()
    yield
    migrations._scripts.cache_clear()
