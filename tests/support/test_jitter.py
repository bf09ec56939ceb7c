"""With ``--jitter`` sockets and threads are heard late and in another order, each of them still in its own order."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.jitter import JitteringLoop

MANY = 40


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=lambda: JitteringLoop(1)) as runner:
        yield runner


def test_sockets_are_heard_in_another_order_each_in_its_own(runner: asyncio.Runner) -> None:
    async def heard() -> list[tuple[int, bytes]]:
        loop, order = asyncio.get_running_loop(), list[tuple[int, bytes]]()
        pairs = [socket.socketpair() for _ in range(MANY)]

        async def read(number: int) -> None:
            ours = pairs[number][0]
            ours.setblocking(False)
            for _ in range(3):
                order.append((number, await loop.sock_recv(ours, 1)))

        reading = [asyncio.create_task(read(number)) for number in range(MANY)]
        await asyncio.sleep(0)
        for _, theirs in pairs:
            theirs.sendall(b"abc")
        await asyncio.gather(*reading)
        for pair in pairs:
            for end in pair:
                end.close()
        return order

    order = runner.run(heard())
    assert [number for number, _ in order] != sorted(number for number, _ in order)
    for number in range(MANY):
        assert b"".join(byte for of, byte in order if of == number) == b"abc"


def test_threads_are_heard_in_another_order_each_in_its_own(runner: asyncio.Runner) -> None:
    async def heard() -> list[tuple[int, int]]:
        loop, order = asyncio.get_running_loop(), list[tuple[int, int]]()
        all_there = asyncio.Event()

        def note(thread: int, result: int) -> None:
            order.append((thread, result))
            if len(order) == 3 * MANY:
                all_there.set()

        def work(thread: int) -> None:
            for result in range(3):
                loop.call_soon_threadsafe(note, thread, result)

        pools = [ThreadPoolExecutor(1) for _ in range(MANY)]
        for thread, pool in enumerate(pools):
            pool.submit(work, thread).result()
        await all_there.wait()
        for pool in pools:
            pool.shutdown()
        return order

    order = runner.run(heard())
    assert [thread for thread, _ in order] != sorted(thread for thread, _ in order)
    for thread in range(MANY):
        assert [result for of, result in order if of == thread] == [0, 1, 2]
