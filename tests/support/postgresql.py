"""A PostgreSQL server of our own, for tests that want one; ``needs_postgresql`` skips them where none is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path

import pytest

BINARIES = [*glob("/usr/lib/postgresql/*/bin"), os.path.dirname(shutil.which("initdb") or "")]
INITDB = next((found for place in BINARIES if (found := shutil.which("initdb", path=place or None))), None)
NOBODY = 65534
"""The user that owns nothing on every Linux."""
ASYNCPG = importlib.util.find_spec("asyncpg") is not None

needs_postgresql = pytest.mark.skipif(INITDB is None or not ASYNCPG, reason="PostgreSQL or asyncpg is not installed")


@contextmanager
def running_server() -> Iterator[str]:
    """The address of an empty server of our own on a free port of this machine."""
    assert INITDB is not None
    # It refuses to run as root, so it gets somebody who can do nothing else.
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        data.mkdir(0o700)
        for place in (folder, data):
            os.chown(place, owner, -1)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]

        def run(program: str, *arguments: object) -> None:
            command = [str(Path(INITDB or "").with_name(program)), "-D", str(data), *map(str, arguments)]
            subprocess.run(command, check=True, user=owner, cwd=folder, stdout=subprocess.DEVNULL)

        run("initdb", "-U", "tavoliere", "-A", "trust", "--no-sync")
        options = f"-p {port} -k {folder} -c fsync=off -c deadlock_timeout=100ms"
        run("pg_ctl", "-w", "-o", options, "-l", Path(folder, "log"), "start")
        try:
            yield f"postgresql+asyncpg://tavoliere@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
