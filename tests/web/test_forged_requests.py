"""Requests that no page sends: forged links, texts that are none, heaps of cookies. None is the server's trouble."""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from bot.matches.model.page_links import Purpose, parse_unverified
from bot.web import guards
from bot.web.pages import COOKIE
from tests.matches.conftest import ALICE, GUILD
from tests.support.statements import statements_of
from tests.web.served import Served, served

__all__ = ["served"]
HALF = "\ud800"
"""Half a character: JSON can bring it, and no encoding has it."""


def forged(link: str) -> Iterator[str]:
    """Return links like a genuine one, with other fields and without a key."""
    said = parse_unverified(link)
    assert said is not None
    genuine = [
        said.key_id,
        said.id,
        said.user_id,
        said.guild_id,
        said.purpose,
        said.subject_id,
        said.expires,
        "Al",
        "en",
    ]
    worse: dict[type, list[Any]] = {int: [-1, 2**63, 10**30, True, None, 1.5], str: [HALF, "\0", "x" * 200, 7, "%s"]}
    for at, other in ((at, other) for at, one in enumerate(genuine) for other in worse[type(one)]):
        payload = json.dumps([*genuine[:at], other, *genuine[at + 1 :]]).encode()
        for signature in (link.partition(".")[2], "", "é", "x"):
            yield f"{urlsafe_b64encode(payload).rstrip(b'=').decode()}.{signature}"


async def test_no_forged_link_is_looked_up_or_the_server_s_trouble(served: Served) -> None:
    match = await served.crowd.begin()
    link = await served.browser().link(ALICE, match)
    with statements_of(served.crowd.database) as statements:
        for text in forged(link):
            answers = (
                await served.browser().get(f"/open/{quote(text)}"),
                await served.browser().post_form(f"/open/{quote(text)}"),
            )
            assert [answer.status for answer in answers] == [410, 410], text
    assert not [one for one in statements if "page_links" in one]
    assert (await served.browser().post_form(f"/open/{link}")).status == 303


async def test_text_that_cannot_be_encoded_is_refused_at_the_door(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    for key in (HALF, f"a{HALF}", "\0", f"{HALF}{HALF}"):
        assert (await alice.post(f"/api/match/{match}/move", {"keys": [key], "ply": 0})).status == 400
        for path in ("choices", "picture"):
            keys = quote(json.dumps([key]))
            assert (await alice.get(f"/api/match/{match}/{path}?ply=0&keys={keys}")).status == 400
    more = {"keys": ["a1"], "ply": 0, "more": {HALF: [HALF]}}
    assert (await alice.post(f"/api/match/{match}/move", more)).status == 400
    for path in ("/open/%00", "/open/%ED%A0%80", "/api/match/1%ED%A0%80", "/nothing?%ED%A0%80"):
        assert (await alice.get(path)).status < 500, path
    assert (await served.crowd.match(match)).ply == 0


async def raw(served: Served, request: bytes) -> bytes:
    """Send bytes to the page as they are; return the answer."""
    _scheme, _slashes, host = served.settings.page_url.partition("://")
    name, _colon, port = host.partition(":")
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    assert name
    writer.write(request.replace(b"HOST", host.encode()))
    answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("method", ["GET", "POST", "TRACE"])
@pytest.mark.parametrize("path", ["/match/1", "/nothing", "/open/%ED%A0%80", "/api/words"])
async def test_every_answer_has_the_guard_headers(served: Served, method: str, path: str) -> None:
    for more in ("", "Expect: nothing\r\n", f"Cookie: {COOKIE.format(guild=GUILD)}=\xff\xed\xa0\x80\r\n"):
        head = f"{method} {path} HTTP/1.1\r\nHost: HOST\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n"
        answer = await raw(served, head.encode("latin-1"))
        status = int(answer.split()[1])
        assert status < 500 or status == 501, answer
        for name in guards.HEADERS:
            assert f"\r\n{name}: ".encode() in answer, (name, more, answer)


NO_HTTP = (
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nCookie: a=\x00\r\n\r\n",
    b"GET http://[::1 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /leave HTTP/1.1\r\nHost: HOST\r\nContent-Length: x\r\n\r\n",
)


@pytest.mark.parametrize("request_bytes", NO_HTTP, ids=lambda one: repr(one[:12]))
async def test_what_is_no_http_is_refused_with_the_guard_headers_and_without_an_error_in_the_log(
    served: Served, caplog: pytest.LogCaptureFixture, request_bytes: bytes
) -> None:
    async with asyncio.timeout(30):
        answer = await raw(served, request_bytes)
    assert answer.split()[1] == b"400", answer
    for name in guards.HEADERS:
        assert f"\r\n{name}: ".encode() in answer, (name, answer)
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


@pytest.mark.parametrize("origin", ["http://HOST", "http://elsewhere.example"])
@pytest.mark.parametrize("path", ["/api/match/1/move", "/leave"])
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\nno gzip",
        b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nno length",
    ],
    ids=["gzip", "chunks"],
)
async def test_a_body_that_cannot_be_read_is_not_the_server_s_trouble(
    served: Served, caplog: pytest.LogCaptureFixture, body: bytes, path: str, origin: str
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: HOST\r\nOrigin: {origin}\r\nContent-Type: application/json\r\n"
    with capture_logs() as log:
        async with asyncio.timeout(30):
            answer = await raw(served, f"{head}Connection: close\r\n".encode() + body)
    assert answer.split()[1] in (b"303", b"400", b"401", b"403"), answer
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []
    assert [line for line in log if line["log_level"] not in ("info", "debug")] == []


@pytest.mark.parametrize("path", ["/api/words", "/puzzle/1", "/match/1"])
async def test_a_heap_of_cookies_costs_no_more_reads_than_one(served: Served, path: str) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    ((name, token),) = alice.cookies.items()
    counts = []
    for others in (0, 80):
        alice.cookies = {COOKIE.format(guild=one): token[::-1] for one in range(1, others + 1)} | {name: token}
        await alice.get(path)
        with statements_of(served.crowd.database) as statements:
            assert (await alice.get(path)).status != 401
        counts.append(len(statements))
    assert counts[0] == counts[1]
    with statements_of(served.crowd.database) as statements:
        await alice.post_form("/leave")
    assert len(statements) < 8
    assert (await alice.get(path)).status == 401


async def test_a_link_to_a_puzzle_does_not_outlive_its_person_s_data(served: Served) -> None:
    services, browser = served.crowd.services, served.browser()
    attempt = (await services.puzzles.begin(ALICE.id)).attempt.id
    links = [await services.page_access.link(ALICE, "en", GUILD, Purpose.PUZZLE, attempt) for _ in range(2)]
    assert (await served.browser().post_form(f"/open/{links[0]}")).status == 303
    await services.privacy.erase(ALICE, served.crowd.interaction())
    assert (await browser.post_form(f"/open/{links[1]}")).status == 410
    assert await services.page_access.sessions(ALICE.id) == []
