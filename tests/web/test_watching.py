"""Watching a match by a link, without an account: what is shown of it to anybody, live, and until when."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.compute.rate_limit import BUDGET
from bot.storage import matches
from bot.web import live
from bot.web.live import ENDED, TOO_MANY
from tests.matches.conftest import ALICE, BOB, GUILD
from tests.support.statements import statements_of
from tests.web.served import Served, public, served

__all__ = ["public", "served"]
NAMES = re.compile("Alice|Bob")


@pytest_asyncio.fixture
async def watchable(public: Served) -> Served:
    """A page for everybody, of a server that lets its matches be watched."""
    await allow(public)
    return public


async def allow(page: Served, *, watching: bool = True) -> None:
    await page.crowd.services.server_settings.change(GUILD, lambda before: replace(before, watching=watching))


async def show_names(page: Served) -> None:
    for person in (ALICE, BOB):
        await page.crowd.services.personal_settings.prefer(person.id, lambda before: replace(before, shows_name=True))


async def begun(page: Served, *moves: str) -> tuple[int, str]:
    """Begin a match and play moves in it; return its number and what its link adds to an address."""
    match = await page.crowd.begin()
    await page.crowd.play(match, *moves)
    return match, f"watch/{(await page.crowd.services.watching.link(match))[0]}"


async def state(page: Served, subject: str, **asked: Any) -> dict[str, Any]:
    page.seconds += 60
    answer = await page.browser().get(f"/api/{subject}", params={"width": 300, **asked})
    return {"status code": answer.status, **(await answer.json() if answer.status != 401 else {})}


async def refused_everywhere(page: Served, subject: str) -> bool:
    """Return whether neither the page nor any of what it asks for is shown."""
    page.seconds += 60
    html = await page.browser().get(f"/{subject}")
    ways = ("", "/position?number=1", "/rules", "/picture", "/live")
    answers = [(await page.browser().get(f"/api/{subject}{way}")).status for way in ways]
    told = "This match can&#x27;t be watched." in await html.text() and "<script" not in await html.text()
    return (html.status, told, set(answers)) == (404, True, {401})


async def test_a_match_is_watched_in_colours_with_nothing_to_do_but_look(watchable: Served) -> None:
    _match, subject = await begun(watchable, "c3", "d4")
    shown = await state(watchable, subject)
    assert (shown["turn"], shown["acts"], shown["offers"], shown["end"], shown["next"]) == (None, [], [], None, None)
    assert [(one["name"], one["seatName"], one["me"]) for one in shown["players"]] == [
        ("Blue", "Blue", False),
        ("White", "White", False),
    ]
    assert [(move["seatName"], move["text"]) for move in shown["moves"]] == [("Blue", "c3"), ("White", "d4")]
    assert "Last move: White places a piece on d4." in shown["status"]
    assert "on blue d4. Blue (to move): 5 of 6 pieces" in shown["board"]["description"]
    position = await state(watchable, f"{subject}/position", number=1)
    assert (position["number"], position["status"]) == (1, "Move 1 of 2 · Blue: c3")
    page = await (await watchable.browser().get(f"/{subject}")).text()
    for text in (str(shown), str(position), page):
        assert NAMES.search(text) is None
    picture = await watchable.browser().get(f"/api/{subject}/picture?width=300&ply=2")
    assert (picture.status, picture.content_type) == (200, "image/png")
    assert (await state(watchable, f"{subject}/rules"))["pages"]
    for post in ("move", "resign", "draw", "hint", "best", "share"):
        assert (await watchable.browser().post(f"/api/{subject}/{post}", {"keys": ["a1"], "ply": 2})).status in (
            404,
            405,
        )


async def test_names_are_shown_where_all_who_play_allow_it_until_one_deletes_their_data(watchable: Served) -> None:
    _match, subject = await begun(watchable, "c3")
    colours = await state(watchable, subject)
    await show_names(watchable)
    named = await state(watchable, subject)
    assert named["board"]["key"] != colours["board"]["key"]
    assert [(one["name"], one["seatName"]) for one in named["players"]] == [("Alice", "Blue"), ("Bob", "White")]
    assert "Last move: Alice places a piece on c3." in named["status"]
    pictures = [await (await watchable.browser().get(f"/api/{subject}/picture")).read()]
    await watchable.crowd.services.privacy.erase(BOB, 7)
    nameless = await state(watchable, subject)
    pictures.append(await (await watchable.browser().get(f"/api/{subject}/picture")).read())
    assert NAMES.search(str(nameless)) is None
    assert (nameless["over"], nameless["people"]) == (True, {"1": "Blue", "2": "White"})
    assert nameless["status"].startswith("**<@1> wins by resignation.**")
    assert pictures[0] != pictures[1]
    assert nameless["next"] == {"path": "play", "label": "Play it with friends"}


async def test_a_link_is_previewed_with_the_position_and_not_listed(watchable: Served) -> None:
    match, subject = await begun(watchable, "c3")
    pictures = []
    for move in ("d4", None):
        html = await (await watchable.browser().get(f"/{subject}")).text()
        assert 'content="noindex"' in html
        address = html.partition('<meta property="og:image" content="')[2].partition('"')[0].replace("&amp;", "&")
        pictures.append(await (await watchable.browser().get(address.removeprefix(watchable.settings.page_url))).read())
        if move is not None:
            await watchable.crowd.services.turns.play(*watchable.crowd.request(match, BOB), move)
    assert pictures[0].startswith(b"\x89PNG")
    assert pictures[0] != pictures[1]


async def test_what_is_watched_no_more_is_on_no_address(watchable: Served) -> None:
    match, subject = await begun(watchable, "c3")
    assert not await refused_everywhere(watchable, subject)
    async with watchable.crowd.database.write() as tx:
        await matches.change(tx, match, private=True)
    assert await refused_everywhere(watchable, subject)
    async with watchable.crowd.database.write() as tx:
        await matches.change(tx, match, private=False)
    assert not await refused_everywhere(watchable, subject)
    await allow(watchable, watching=False)
    assert await refused_everywhere(watchable, subject)


async def test_guessed_links_lead_nowhere(watchable: Served) -> None:
    match, subject = await begun(watchable)
    other = subject[:-1] + ("A" if subject[-1] != "A" else "B")
    for guessed in (other, f"watch/{match:022}", "watch/" + "x" * 100):
        assert await refused_everywhere(watchable, guessed)
    watchable.seconds += 60
    for guessed in (f"watch/{match}", "watch/%00%00%00%00%00%00%00%00%00%00", "watch/" + "x" * 101):
        assert (await watchable.browser().get(f"/{guessed}")).status in (400, 404)


async def test_there_is_nothing_to_watch_unless_the_operator_has_switched_it_on(served: Served) -> None:
    await allow(served)
    _match, subject = await begun(served)
    for path in (f"/{subject}", f"/api/{subject}", f"/api/{subject}/live"):
        assert (await served.browser().get(path)).status == 404


async def test_who_watches_shares_the_limits_of_guests(watchable: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.guests.REFUSAL_SECONDS", 0)
    _match, subject = await begun(watchable)
    answers = [(await watchable.browser().get(f"/{subject}")).status for _ in range(int(BUDGET * 4) + 1)]
    assert (answers.count(200), answers[-1]) == (BUDGET * 4, 429)
    assert (await watchable.browser().get(f"/api/{subject}")).status == 429
    assert (await watchable.browser().get("/play")).status == 429


def listening(page: Served, subject: str) -> Any:
    browser = page.browser()
    headers = browser._headers() | {"Origin": browser.url}
    return page.http.ws_connect(f"{browser.url}/api/{subject}/live", headers=headers)


async def told(socket: Any, but: str = "") -> str:
    """Return the next version that a socket is told, other than one that is known."""
    async with asyncio.timeout(20):
        while (version := (await socket.receive_json())["version"]) == but:
            pass
    return str(version)


async def test_who_watches_is_told_of_moves_and_of_the_end_of_watching(
    watchable: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK_AGAIN", 600)  # Only what a commit tells is heard.
    match, subject = await begun(watchable)
    async with listening(watchable, subject) as socket:
        first = await told(socket)
        assert first == (await state(watchable, subject))["version"]
        await watchable.crowd.play(match, "c3")
        second = await told(socket, first)
        assert second == (await state(watchable, subject))["version"]
        await show_names(watchable)
        third = await told(socket, second)
        assert third == (await state(watchable, subject))["version"]
        await allow(watchable, watching=False)
        async with asyncio.timeout(20):
            while (message := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        assert (message.type, socket.close_code) == (aiohttp.WSMsgType.CLOSE, ENDED)


@pytest.mark.parametrize("limit", ["SOCKETS_OF_ADDRESS", "SOCKETS_OF_WATCHERS"])
async def test_sockets_of_people_without_an_account_are_limited_and_of_players_not_by_these(
    watchable: Served, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    match, subject = await begun(watchable)
    monkeypatch.setattr(live, limit, 2)
    alice = await watchable.browser().sign_in(ALICE, match)
    async with listening(watchable, subject) as first, listening(watchable, subject) as second:
        await told(first)
        await told(second)
        async with listening(watchable, subject) as third:
            await third.receive()
            assert third.close_code == TOO_MANY
        async with alice.live(match) as own:
            await told(own)


async def test_watching_writes_nothing(watchable: Served) -> None:
    _match, subject = await begun(watchable, "c3")
    with statements_of(watchable.crowd.database) as statements:
        assert (await state(watchable, subject))["status code"] == 200
        await watchable.browser().get(f"/{subject}")
    assert statements
    assert all(statement.startswith("SELECT") for statement in statements if not statement.startswith("BEGIN"))
