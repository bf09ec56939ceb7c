"""The page under attack: links, sessions, other sites, hosts, bodies, sockets, names, and what the log keeps."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import aiohttp
import pytest

from bot.matches.model.page_links import PageLink, Purpose, parse_unverified, sign
from bot.matches.services import Services
from bot.matches.services.page_access import LINK_VALID, SESSION_VALID
from bot.operation import moderation
from bot.storage.records import EVERYWHERE, Person
from bot.web import guards, live
from bot.web.guards import LARGEST_BODY
from bot.web.live import ENDED, SOCKETS_OF_PERSON, TOO_MANY
from bot.web.pages import VERSION
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE
from tests.support.waiting import until
from tests.web.served import Served, served

__all__ = ["served"]
ELSEWHERE = 11
"""Another server."""


async def refused(served: Served, link: str) -> str:
    """Try to use a link; return why it is refused."""
    browser = served.browser()
    answer = await browser.post_form(f"/open/{link}")
    assert (answer.status, browser.cookies) == (410, {}), await answer.text()
    return await answer.text()


async def test_a_link_opens_a_session_once_and_only_by_a_button_though_many_windows_have_read_it_before(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await served.crowd.begin()
    browser = served.browser()
    link = await browser.link(ALICE, match)
    for _preview in range(3):
        assert (await browser.get(f"/open/{link}")).status == 200
    assert browser.cookies == {}
    all_have_read = asyncio.Barrier(5)

    async def has_left(_guild_id: int, _user_id: int) -> bool:
        await all_have_read.wait()
        return False

    with monkeypatch.context() as patched:
        patched.setattr(served.members, "has_left", has_left)
        opened = await asyncio.gather(*(served.browser().post_form(f"/open/{link}") for _ in range(5)))
    assert sorted(answer.status for answer in opened) == [303, 410, 410, 410, 410]
    assert "was used before" in await refused(served, link)


async def test_an_expired_link_opens_nothing(served: Served) -> None:
    link = await served.browser().link(ALICE, await served.crowd.begin())
    served.crowd.later(seconds=LINK_VALID.total_seconds())
    assert "has expired" in await refused(served, link)


async def test_an_altered_link_opens_nothing(served: Served) -> None:
    match = await served.crowd.begin()
    link = await served.browser().link(ALICE, match)
    said = parse_unverified(link)
    assert said is not None
    forged = PageLink(said.key_id, said.id, BOB.id, GUILD, Purpose.MATCH, match, said.expires, "Bob", "en")
    wrong_key = sign(forged, "00" * 32)
    other_payload = f"{wrong_key.partition('.')[0]}.{link.partition('.')[2]}"
    for altered in (wrong_key, other_payload, link[:-2], f"{link}x", link.partition(".")[0], "x", "x" * 5000):
        assert "t valid" in await refused(served, altered)
    unknown_key = PageLink(99, said.id, ALICE.id, GUILD, Purpose.MATCH, match, said.expires, "Alice", "en")
    assert "t valid" in await refused(served, sign(unknown_key, "00" * 32))


async def test_a_link_for_a_match_of_others_or_of_another_server_opens_nothing(served: Served) -> None:
    match = await served.crowd.begin()
    assert "no such match" in await refused(served, await served.browser().link(CAROL, match))
    assert "no such match" in await refused(served, await served.browser().link(ALICE, match, guild_id=ELSEWHERE))


async def test_a_session_shows_its_person_s_matches_of_its_server_and_no_others(served: Served) -> None:
    crowd = served.crowd
    match = await crowd.begin()
    others = await crowd.begin(by=BOB, to=CAROL)
    challenge = await crowd.services.challenges.offer(
        crowd.actor(ALICE, guild_id=ELSEWHERE, channel_id=21), None, YONMOQUE
    )
    there = await crowd.services.challenges.accept(crowd.actor(BOB, guild_id=ELSEWHERE), challenge)
    assert there is not None
    alice = await served.browser().sign_in(ALICE, match)
    assert (await alice.get(f"/api/match/{match}")).status == 200
    for path in ("", "/picture", "/position?number=0", "/choices?ply=0", "/rules"):
        assert (await alice.get(f"/api/match/{others}{path}")).status == 409, path
        assert (await alice.get(f"/api/match/{there}{path}")).status == 401, path
    for number, status in ((others, 409), (there, 401)):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused_socket:
            await alice.live(number)
        assert refused_socket.value.status == status
    move = {"keys": ["a1"], "ply": 0}
    assert (await alice.post(f"/api/match/{others}/move", move)).status == 409
    assert (await alice.post(f"/api/match/{there}/move", move)).status == 401
    # The cookie of one server under the name of another is none.
    (name,) = alice.cookies
    alice.cookies = {name.replace(str(GUILD), str(ELSEWHERE)): alice.cookies[name]}
    assert (await alice.get(f"/api/match/{there}")).status == 401


async def test_an_expired_or_invented_session_is_none(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    (name,) = alice.cookies
    token = alice.cookies[name]
    for invented in ("", "x", token[:-1], token.swapcase(), token + "x"):
        alice.cookies[name] = invented
        assert (await alice.get(f"/api/match/{match}")).status == 401
    alice.cookies[name] = token
    assert (await alice.get(f"/api/match/{match}")).status == 200
    served.crowd.later(seconds=SESSION_VALID.total_seconds())
    assert (await alice.get(f"/api/match/{match}")).status == 401


async def test_cookies_are_bound_to_the_host_and_out_of_reach_of_scripts(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    (line,) = alice.set_cookie
    name, *attributes = (part.strip() for part in line.split(";"))
    assert name.startswith(f"__Host-tavoliere-{GUILD}=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(attributes)
    assert not any(attribute.startswith("Domain") for attribute in attributes)
    # A cookie that another host of the same site could set is not believed.
    (kept,) = alice.cookies
    alice.cookies = {kept.removeprefix("__Host-"): alice.cookies[kept]}
    assert (await alice.get(f"/api/match/{match}")).status == 401


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "", "http://localhost", "http://localhost.evil.example:1"]
)
async def test_another_site_can_change_nothing_and_hear_nothing(served: Served, origin: str) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    link = await alice.link(ALICE, match)
    headers = {"Origin": origin}
    for path, data in (
        (f"/api/match/{match}/move", {"keys": ["a1"], "ply": 0}),
        (f"/api/match/{match}/resign", {"ply": 0}),
    ):
        assert (await alice.post(path, data, headers=headers)).status == 403
    for path in (f"/open/{link}", "/leave"):
        assert (await alice.post_form(path, headers=headers)).status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as error:
        await alice.live(match, headers=headers)
    assert error.value.status == 403
    assert (await served.crowd.match(match)).ply == 0
    assert (await alice.post(f"/api/match/{match}/move", {"keys": ["a1"], "ply": 0})).status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost.evil.example", "localhost:1", ""])
async def test_a_name_that_is_bound_to_this_address_is_not_served(served: Served, host: str) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    for path in ("/", f"/match/{match}", f"/api/match/{match}", f"/static/{VERSION}/page.js"):
        forwarded = {"Host": host, "X-Forwarded-Host": served.settings.page_url.partition("://")[2]}
        assert (await alice.get(path, headers=forwarded)).status == 421


async def test_no_answer_may_be_framed_kept_or_run_scripts_of_others(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    link = await alice.link(ALICE, match)
    for path in (
        "/",
        f"/match/{match}",
        f"/open/{link}",
        f"/api/match/{match}",
        f"/static/{VERSION}/page.js",
        "/nothing",
    ):
        answer = await alice.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        kept = answer.headers["Cache-Control"]
        assert kept == "no-store" or "/static/" in path, path


async def test_bodies_that_are_large_or_no_json_are_refused(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    path, move = f"/api/match/{match}/move", {"request": str(uuid4()), "keys": ["a1"], "ply": 0}
    headers = {"Content-Type": "application/json"}
    longest = json.dumps({**move, "ply": ""})
    longest = longest.replace('""', f'"{"x" * (LARGEST_BODY - len(longest))}"')
    assert (await alice.request("POST", path, data=longest.encode(), headers=headers)).status == 400
    large = {**move, "more": "x" * 16_000}
    assert (await alice.request("POST", path, json=large)).status == 413

    async def parts() -> Any:
        for _part in range(16):
            yield b"x" * 1000

    assert (await alice.request("POST", path, data=parts(), headers=headers)).status == 413
    deep = "[" * 4000
    for wrong in ("", "x", "[]", "null", deep, '{"request": 1}', json.dumps({**move, "ply": "x"})):
        answer = await alice.request("POST", path, data=wrong.encode(), headers=headers)
        assert answer.status == 400, wrong[:20]
    assert (await alice.request("POST", path, data=json.dumps(move).encode())).status == 415
    for keys in (["x" * 401], ["a"] * 51, [1], "a1", None, [""]):
        assert (await alice.post(path, {**move, "keys": keys})).status == 400
    assert (await served.crowd.match(match)).ply == 0


async def test_a_client_that_sends_slowly_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.1)
    for_ever = asyncio.Event()

    async def slow() -> Any:
        yield b"{"
        await for_ever.wait()

    headers = {"Content-Type": "application/json"}
    answer = await asyncio.wait_for(alice.request("POST", f"/api/match/{match}/move", data=slow(), headers=headers), 30)
    assert answer.status == 408


async def test_a_socket_that_shows_no_sign_of_life_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 1.0)
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    silent = await alice.live(match, autoping=False)
    assert "version" in await silent.receive_json()
    await until(lambda: len(served.server.news) == 0, "the end of the silent socket")


async def test_a_person_has_eight_sockets_and_others_have_theirs(served: Served) -> None:
    match = await served.crowd.begin()
    alice, bob = await served.browser().sign_in(ALICE, match), await served.browser().sign_in(BOB, match)
    other_window = await served.browser().sign_in(ALICE, match)
    sockets = [await (alice, other_window)[number % 2].live(match) for number in range(SOCKETS_OF_PERSON)]
    for socket in sockets:
        assert "version" in await socket.receive_json()
    ninth = await other_window.live(match)
    closed = await ninth.receive()
    assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, TOO_MANY)
    assert "version" in await (await bob.live(match)).receive_json()
    await sockets[0].close()
    assert "version" in await (await alice.live(match)).receive_json()


ENDINGS: dict[str, Callable[[Services], Awaitable[object]]] = {
    "signed out": lambda services: services.page_access.end(ALICE.id),
    "barred here": lambda services: services.bars.bar(GUILD, ALICE.id),
    "barred everywhere": lambda services: services.bars.bar(EVERYWHERE, ALICE.id),
    "deleted": lambda services: services.privacy.erase(ALICE, 7),
    "bot removed": lambda services: services.departures.bot_left(GUILD),
}


@pytest.mark.parametrize("name", ENDINGS)
async def test_a_socket_hears_of_moves_and_ends_with_its_session_and_with_the_links_given_before(
    served: Served, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(live, "LOOK_AGAIN", 600)  # Only what a commit tells is heard.
    match = await served.crowd.begin()
    alice, bob = await served.browser().sign_in(ALICE, match), await served.browser().sign_in(BOB, match)
    hers, his, link = await alice.live(match), await bob.live(match), await alice.link(ALICE, match)
    before = await hers.receive_json()
    assert await his.receive_json() == before
    await served.crowd.play(match, "a1")
    after = await asyncio.wait_for(his.receive_json(), 30)
    assert after != before
    assert await asyncio.wait_for(hers.receive_json(), 30) == after

    await ENDINGS[name](served.crowd.services)

    async with asyncio.timeout(30):
        while (closed := await hers.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
    assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, ENDED)
    statuses = [(await alice.get(path)).status for path in (f"/match/{match}", f"/api/match/{match}")]
    statuses.append((await alice.post(f"/api/match/{match}/move", {"keys": ["a1"], "ply": 2})).status)
    assert statuses == [401, 401, 401]
    opened = await served.browser().post_form(f"/open/{link}")
    assert opened.status == (303 if name == "signed out" else 410)
    # Only theirs: others are not signed out, except where the bot is gone.
    assert (await bob.get(f"/match/{match}")).status == (401 if name == "bot removed" else 200)


async def test_a_bar_by_the_operator_s_command_closes_sockets_though_no_bot_is_told(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert live.LOOK_AGAIN <= 10, "docs/running.md says so"
    monkeypatch.setattr(live, "LOOK_AGAIN", 0.1)
    match = await served.crowd.begin()
    alice, bob = await served.browser().sign_in(ALICE, match), await served.browser().sign_in(BOB, match)
    hers, his = await alice.live(match), await bob.live(match)
    before = await his.receive_json()
    await hers.receive_json()
    await served.crowd.play(match, "a1")
    assert await his.receive_json() != before
    await hers.receive_json()
    database = served.crowd.database.url.render_as_string(hide_password=False)
    await moderation.bar(served.settings.model_copy(update={"database_url": database}), ALICE.id)
    closed = await hers.receive()
    assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, ENDED)
    assert (await alice.get(f"/match/{match}")).status == 401
    await served.crowd.play(match, "a5", players=(BOB,))
    assert "version" in await his.receive_json()


async def test_what_a_socket_sends_is_left_alone_and_too_much_of_it_closes_it(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    socket = await alice.live(match)
    await socket.receive_json()
    await socket.send_str("{}")
    await socket.send_str("x" * 16_000)
    assert (await asyncio.wait_for(socket.receive(), 30)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
    assert (await alice.get(f"/api/match/{match}")).status == 200


async def test_names_are_text_and_no_script(served: Served) -> None:
    evil = Person(7, "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>")
    match = await served.crowd.begin(by=evil)
    browser = served.browser()
    page = await (await browser.get(f"/open/{await browser.link(evil, match)}")).text()
    assert "<script>alert" not in page
    assert "<img" not in page
    await browser.sign_in(evil, match)
    page = await (await browser.get(f"/match/{match}")).text()
    assert "<script>alert" not in page
    assert "<img" not in page
    answer = await browser.get(f"/api/match/{match}")
    assert answer.content_type == "application/json"
    assert evil.name in [player["name"] for player in (await answer.json())["players"]]


async def test_requests_take_from_the_budget_that_commands_use(served: Served) -> None:
    match = await served.crowd.begin()
    alice, bob = await served.browser().sign_in(ALICE, match), await served.browser().sign_in(BOB, match)
    statuses = [(await alice.post(f"/api/match/{match}/draw", {"ply": 9})).status for _ in range(100)]
    assert 409 in statuses
    answer = await (await alice.post(f"/api/match/{match}/draw", {"ply": 9})).json()
    assert "a lot at once" in answer["words"]
    assert served.context.rate_limit.spend(ALICE.id, 1.0) > 0
    assert (await bob.get(f"/api/match/{match}")).status == 200


async def test_the_log_never_has_links_cookies_or_names(
    served: Served, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "aiohttp")
    who = Person(ALICE.id, "Alexandrina")
    match = await served.crowd.begin(by=who)
    browser = served.browser()
    link = await browser.link(who, match)
    await browser.get(f"/open/{link}")
    await browser.post_form(f"/open/{link}")
    await refused(served, link)
    await browser.move("a1", ply=0, match=match)
    await browser.get(f"/nothing/{link}")
    await browser.post_form("/leave")
    logged = caplog.text + "".join(capfd.readouterr())
    assert "session begun" in logged
    signature = link.partition(".")[2]
    secrets = [link, signature, who.name, *(line.partition("=")[2].partition(";")[0] for line in browser.set_cookie)]
    assert not [secret for secret in secrets if len(secret) > 3 and secret in logged]


async def test_keys_change_every_day_and_old_ones_open_nothing_in_the_end(served: Served) -> None:
    crowd = served.crowd
    match = await crowd.begin()
    first = parse_unverified(await served.browser().link(ALICE, match))
    crowd.later(days=1)
    second = parse_unverified(await served.browser().link(ALICE, match))
    assert first is not None
    assert second is not None
    assert second.key_id > first.key_id
    assert (await served.browser().sign_in(ALICE, match)).cookies
    assert timedelta(minutes=10) == LINK_VALID
