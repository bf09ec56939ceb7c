"""Processes forked from one that has everything imported, so that each costs little more than what it does.

A whole run of the tests has one such server, so the list of its imports is here.
"""

from __future__ import annotations

import multiprocessing

forkserver = multiprocessing.get_context("forkserver")
forkserver.set_forkserver_preload(["tests.support.preloaded"])
