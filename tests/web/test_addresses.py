"""All addresses read what they are asked for in one way: none fails at a value, none tells of matches of others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from aiohttp import web

from bot.matches.model.building import Consent
from bot.web.api import Api, Asked
from bot.web.server import ROUTES
from tests.matches.conftest import ALICE, BOB, CAROL
from tests.support.statements import statements_of
from tests.web.browser import Browser
from tests.web.served import Served, served

__all__ = ["served"]
HOSTILE: tuple[Any, ...] = (float("nan"), float("inf"), -1, 1.5, True, 10**30, [], {}, [[]], "x", "١", None)
SAID = "There's no such match here.", "That has lapsed."
FIELDS = (
    *("ply", "number", "keys", "width", "flip", "letters", "offer", "answer", "confirmed"),
    *("days", "moves", "level", "day"),
)


def addresses(method: str, match: int) -> Iterator[str]:
    """Yield every address that the page asks by a method about a match, its plan, or a puzzle that there is not."""
    router = web.UrlDispatcher()
    unused: Any = None
    api = Api(unused, unused, unused, router)
    for add in ROUTES:
        add(api)
    for route in router.routes():
        if route.method == method and route.resource is not None:
            yield route.resource.canonical.format(match=match, place=0, attempt=10**6, to=0)


async def sent(browser: Browser, method: str, path: str, fields: dict[str, Any]) -> Any:
    if method == "GET":
        told = "&".join(f"{name}={quote(json.dumps(value))}" for name, value in fields.items())
        return await browser.get(f"{path}?{told}")
    headers = {"Content-Type": "application/json"}
    return await browser.request("POST", path, data=json.dumps({"request": str(uuid4()), **fields}), headers=headers)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_no_address_fails_at_a_value(served: Served, method: str) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    every = list(addresses(method, match))
    assert len(every) > 15
    for path in every:
        for value in HOSTILE[:3]:
            served.seconds += 60
            answer = await sent(alice, method, path, dict.fromkeys(FIELDS, value))
            assert answer.status in (400, 404), (path, value, answer.status)
    for name in FIELDS:
        for value in HOSTILE:
            served.seconds += 60
            answer = await sent(alice, method, f"/api/match/{match}" + "/resign" * (method == "POST"), {name: value})
            assert answer.status < 500, (name, value)
    assert (await served.crowd.match(match)).ply == 0


def test_what_a_request_names_is_read_alike_from_an_address_and_from_json() -> None:
    names = {"match": "7", "place": "2"}
    typed = Asked.of(names, {"ply": "3", "keys": '["a1","b2"]', "letters": "1", "width": "601", "flip": "1"})
    sent = Asked.of(names, {"ply": 3, "keys": ["a1", "b2"], "letters": 1, "width": 601, "flip": 1})
    assert typed == sent
    assert (typed.match, typed.place, typed.ply, typed.keys, typed.width) == (7, 2, 3, ("a1", "b2"), 660)
    assert (typed.consent, typed.letters, typed.number) == (Consent.CHOICE, True, None)


@pytest.mark.parametrize("value", HOSTILE[:8] + HOSTILE[9:11])
@pytest.mark.parametrize("name", ["ply", "number", "flip", "width", "offer"])
def test_what_is_no_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(web.HTTPBadRequest):
        Asked.of({}, {name: value})


async def test_a_match_of_others_is_answered_like_one_that_there_is_not(served: Served) -> None:
    match, own = await served.crowd.begin(), await served.crowd.begin(by=CAROL, to=BOB)
    carol = await served.browser().sign_in(CAROL, own)
    for method in ("GET", "POST"):
        for path in addresses(method, match):
            if f"/{match}" not in path or "/puzzle/" in path or path.endswith(("/live", "/go/0", "/go/match")):
                continue
            served.seconds += 120
            fields = {
                "ply": 0,
                "number": 0,
                "keys": [],
                **({"answer": "accept", "days": 1} if method == "POST" else {}),
            }
            with statements_of(served.crowd.database) as statements:
                answer = await sent(carol, method, path, fields)
            assert answer.status == 409, path
            assert (await answer.json())["words"] in SAID, path
            assert not [one for one in statements if one.startswith(("INSERT INTO moves", "UPDATE matches"))], path
