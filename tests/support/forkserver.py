"""Processes forked from one that has everything imported, so that each costs little more than what it does.

There is one such server for a whole run of the tests, so what it imports is said here, once for all who use it.
"""

from __future__ import annotations

import multiprocessing

forkserver = multiprocessing.get_context("forkserver")
forkserver.set_forkserver_preload(["tests.support.preloaded"])
