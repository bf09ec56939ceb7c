"""A PgBouncer of our own in front of a server, in transaction mode; ``needs_pgbouncer`` skips tests without one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.support.ports import free_port
from tests.support.postgresql import NOBODY

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

needs_pgbouncer = pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")

SETTINGS = """[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
"""


@contextmanager
def pooled(server: str, size: int = 2) -> Iterator[str]:
    """The address of a database behind a pool of so many connections to its server."""
    assert PGBOUNCER is not None
    url = make_url(server)
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        (folder / "users").write_text(f'"{url.username}" ""\n')
        (folder / "ini").write_text(SETTINGS.format(server=url.port, port=port, folder=folder, size=size))
        for place in (folder, folder / "users", folder / "ini"):
            os.chown(place, owner, -1)
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen([PGBOUNCER, "-q", str(folder / "ini")], user=owner, stderr=log)
        try:
            _wait_for(port, running, folder / "log")
            yield url.set(port=port).render_as_string(hide_password=False)
        finally:
            running.kill()
            running.wait()


def _wait_for(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    while True:
        assert running.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
