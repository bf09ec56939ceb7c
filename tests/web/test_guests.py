"""People without an account: games and a puzzle whose moves the page carries, under limits, and where switched on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from html import escape
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
import pytest_asyncio
from yarl import URL

from bot.compute.job import GUESTS
from bot.compute.rate_limit import BUDGET
from bot.games import GAMES
from bot.games.puzzles import Puzzle
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language
from bot.matches.model import guest_game
from bot.matches.model.game_state import GameState
from bot.matches.services.daily_puzzles import of_the_day
from bot.opponents import choose
from bot.requests.request import Request
from bot.web import guest_games, guests
from bot.web.api import Asked
from bot.web.guests import BUDGETS, REFUSAL_SECONDS
from bot.web.words import GUEST_NAME
from renderers.i18n import gettext_lazy, speaking, translated
from tests.matches.conftest import ALICE
from tests.support.statements import statements_of
from tests.web.served import Served, public, served, served_on

__all__ = ["public", "served"]
PROXY, SOMEBODY = "127.0.0.1", "203.0.113.7"


async def state(page: Served, subject: str, **carried: Any) -> dict[str, Any]:
    """Return what the page shows after some moves."""
    page.seconds += 60
    answer = await page.browser().get(f"/api/{subject}", params={"width": 300, **carried})
    return {"status code": answer.status, **(await answer.json())}


async def sent(page: Served, address: str, **fields: Any) -> dict[str, Any]:
    page.seconds += 60
    answer = await page.browser().post(f"/api/{address}", fields)
    return {"status code": answer.status, **(await answer.json())}


@pytest.mark.parametrize("path", ["/play", "/play/gyges", "/puzzle", "/api/play/gyges", "/api/puzzle/today"])
async def test_there_are_no_pages_for_guests_unless_they_are_switched_on(served: Served, path: str) -> None:
    assert (await served.browser().get(path)).status == 404


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_is_played_and_nothing_is_stored_or_read(public: Served, game: str) -> None:
    random, carried, shown = Random(5), dict[str, Any](), dict[str, Any]()
    with statements_of(public.crowd.database) as statements:
        for _ in range(guest_game.MOST_PLIES):
            shown = await state(public, f"play/{game}", **carried)
            assert shown["status code"] == 200, shown["words"]
            if shown["over"]:
                break
            position = guest_game.played(game, shown["carried"]["moves"].split())[0].position
            move = str(random.choice(list(islice(position.legal_moves(), 100))))
            played = await sent(public, f"play/{game}/move", keys=[move], ply=0, confirmed=True, **shown["carried"])
            assert played["played"] == move, played
            carried = played["carried"]
    assert shown["end"]["outcome"] in ("won", "lost", "draw")
    assert shown["next"] == {"path": "play", "label": "Play it with friends"}
    assert [move["number"] for move in shown["moves"]] == list(range(1, len(carried["moves"].split()) + 1))
    assert statements == []
    again = await sent(public, f"play/{game}/level/2", **carried)
    assert again["carried"] == {"level": 2, "moves": ""}


def finished(game: str) -> str:
    """Return the moves of a game that is over."""
    position, moves = GAMES[game].start(), list[str]()
    while position.to_move is not None:
        moves.append(str(choose(position, 1, len(moves))))
        position = position.play(position.parse(moves[-1]))
    return " ".join(moves)


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("zz", "These moves are no game: move 1 can't be played: "),
        ("c3 c3", "These moves are no game: move 2 can't be played: "),
        ("c3", "This link ends where the bot is to move, so nobody can play on from it. /play begins a new game."),
        (f"{finished('yonmoque')} a1", ": the game is over before it."),
        ("x" * 300, ": it is too long."),
        ("c3 " * 401, "A game has at most 400 moves here, and this one has more."),
    ],
)
async def test_what_is_no_game_gets_a_sentence_on_every_address(public: Served, moves: str, said: str) -> None:
    for answer in (
        await state(public, "play/yonmoque", moves=moves),
        await state(public, "play/yonmoque/choices", moves=moves),
        await state(public, "play/yonmoque/picture", moves=moves),
        await sent(public, "play/yonmoque/move", moves=moves, keys=["d4"], ply=0),
    ):
        assert answer["status code"] == 409
        assert said in answer["words"]


@pytest.mark.parametrize(
    "fields", [{"moves": ["a1"]}, {"moves": {}}, {"moves": "a" * 7000}, {"level": "x"}, {"level": -1}, {"day": "x"}]
)
async def test_what_is_no_text_is_refused(public: Served, fields: dict[str, Any]) -> None:
    public.seconds += 60
    told = {"keys": ["c3"], "ply": 0, **fields}
    assert (await public.browser().post("/api/play/yonmoque/move", told)).status == 400


async def test_a_level_that_guests_cannot_play_is_the_first(public: Served) -> None:
    played = await sent(public, "play/yonmoque/move", keys=["c3"], ply=0, level=9)
    assert len(played["carried"]["moves"].split()) == 2
    assert played["carried"]["level"] == 1


async def test_a_game_of_another_name_is_none(public: Served) -> None:
    assert (await state(public, "play/chess"))["words"] == "There's no such game here."
    assert (await public.browser().get("/play/chess")).status == 404


async def test_the_longest_game_ends_with_a_sentence(public: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (guest_game, guest_games):
        monkeypatch.setattr(module, "MOST_PLIES", 3)
    first = (await sent(public, "play/yonmoque/move", keys=["c3"], ply=0))["carried"]
    free = next(square for square in ("a1", "e5") if square not in first["moves"])
    last = await sent(public, "play/yonmoque/move", keys=[free], ply=2, **first)
    shown = await state(public, "play/yonmoque", **last["carried"])
    assert len(last["carried"]["moves"].split()) == 3
    assert (shown["over"], shown["turn"], shown["end"]) == (True, None, None)
    assert "Games go no further here." in shown["status"]
    refused = await sent(public, "play/yonmoque/move", keys=["b2"], ply=3, **last["carried"])
    assert (refused["status code"], "go no further" in refused["words"]) == (409, True)


async def test_a_game_whose_moves_an_address_cannot_hold_goes_no_further(
    public: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = (await sent(public, "play/yonmoque/move", keys=["c3"], ply=0))["carried"]
    for longest, over in ((6, False), (5, True)):
        monkeypatch.setattr(guest_games, "LONGEST_GAME", longest)
        assert (await state(public, "play/yonmoque", **carried))["over"] is over


async def asks_until_refused(page: Served, path: str, **headers: str) -> int:
    """Return how often an address was answered before it was refused."""
    for answered in range(3000):
        answer = await page.browser().get(path, headers=headers)
        if answer.status == 429:
            assert answer.headers["Retry-After"]
            return answered
        assert answer.status == 200
    raise AssertionError("never refused")


async def test_an_address_that_asks_too_much_is_told_so_on_pages_and_by_the_interface(
    public: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await asks_until_refused(public, "/play") == BUDGET * 4
    page, data = await public.browser().get("/puzzle"), await public.browser().get("/api/play/gyges")
    assert (page.status, data.status) == (429, 429)
    assert "That was a lot at once. Try again in" in await page.text()
    assert "That was a lot at once. Try again in" in (await data.json())["words"]
    assert (await public.browser().get("/")).status == 200
    began = monotonic()
    await public.browser().get("/play")
    assert monotonic() - began >= REFUSAL_SECONDS
    monkeypatch.setattr(guests, "REFUSAL_SECONDS", 0)
    for told in (SOMEBODY, f"{SOMEBODY}, 198.51.100.1", "::1"):
        assert await status_for(public, told) == 429, "no proxy is named"
    public.seconds += 10
    assert (await public.browser().get("/play")).status == 200


@pytest_asyncio.fixture
async def proxied(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """A page with WEB_PUBLIC on, behind a proxy that it knows."""
    monkeypatch.setattr(guests, "REFUSAL_SECONDS", 0)
    url = f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}"
    async with served_on(url, web_public=True, web_proxies=f"{PROXY}, 10.0.0.0/8") as page:
        yield page


async def status_for(page: Served, told: str) -> int:
    """Return how a page for guests is answered whose proxies tell these addresses."""
    return (await page.browser().get("/play", headers={"X-Forwarded-For": told})).status


async def test_behind_a_named_proxy_each_address_has_its_budget_and_costs_the_others_nothing(proxied: Served) -> None:
    assert await asks_until_refused(proxied, "/play", **{"X-Forwarded-For": SOMEBODY}) == BUDGET * 4
    assert await status_for(proxied, f"198.51.100.9, {SOMEBODY}, 10.1.1.1") == 429, "forged"
    # Of the budget of all, a single point is left.
    proxied.context.rate_limit.spend(GUESTS, BUDGET - BUDGET / BUDGETS - 1)
    assert {await status_for(proxied, SOMEBODY) for _ in range(5 * BUDGETS)} == {429}
    assert await status_for(proxied, "198.51.100.9") == 200


async def test_many_addresses_together_have_a_budget_that_players_do_not_pay(proxied: Served) -> None:
    proxied.context.rate_limit.charge_seconds(GUESTS, BUDGET / 10 - 0.0105)
    match = await proxied.crowd.begin()
    alice = await proxied.browser().sign_in(ALICE, match)
    answers = [await status_for(proxied, f"198.51.100.{number}") for number in range(1, 20)]
    assert answers.count(200) == int(0.105 / (0.25 / BUDGETS))
    assert answers[-1] == 429
    assert (await alice.state(match))["came"] == "done"


def today(page: Served) -> Puzzle:
    return of_the_day(0, page.crowd.now.date())


async def test_todays_puzzle_is_tried_and_solved_and_nothing_is_stored_or_read(public: Served) -> None:
    puzzle, carried, answer = today(public), dict[str, Any](), dict[str, Any]()
    with statements_of(public.crowd.database) as statements:
        begun = await state(public, "puzzle/today")
        assert (begun["over"], begun["acts"]) == (False, [{"act": "show", "label": "Give up"}])
        right = puzzle.solution[::2]
        legal = (str(move) for move in puzzle.start().legal_moves())
        wrong = next(move for move in legal if not puzzle.solves(0, puzzle.start().parse(move)))
        for tried in (wrong, wrong, *right):
            answer = await sent(public, "puzzle/today/move", keys=[tried], ply=0, confirmed=True, **carried)
            assert answer["right"] == (tried in right), answer
            carried = answer["carried"]
        shown = await state(public, "puzzle/today", **carried)
    assert shown["over"]
    assert "Solved after 1 wrong try" in shown["status"]
    assert shown["next"]["label"] == "Play it with friends"
    assert shown["acts"] == []
    assert carried == {"day": str(public.crowd.now.date()), "moves": " ".join([wrong, wrong, *right])}
    assert statements == []


async def test_the_solution_is_shown_to_who_gives_up_and_to_nobody_before(public: Served) -> None:
    puzzle = today(public)
    begun = await state(public, "puzzle/today")
    assert begun["moves"] == []
    given = await sent(public, "puzzle/today/show")
    shown = await state(public, "puzzle/today", **given["carried"])
    assert "The solution" in shown["status"]
    assert [move["text"] for move in shown["moves"]] == list(puzzle.solution)


async def test_puzzles_of_other_days_are_todays_anew(public: Served) -> None:
    now = str(public.crowd.now.date())
    for day in ("2020-01-01", "2999-01-01"):
        shown = await state(public, "puzzle/today", day=day, moves="zz ?")
        assert (shown["carried"], shown["over"]) == ({"day": now, "moves": ""}, False)


async def test_forged_tries_get_a_sentence(public: Served) -> None:
    illegal = await state(public, "puzzle/today", moves="zz")
    many = await state(public, "puzzle/today", moves="zz " * 51)
    assert (illegal["status code"], many["status code"]) == (409, 409)
    assert "That's not a legal move" in illegal["words"]
    assert many["words"] == "That's more tries than a puzzle has here."


async def test_a_link_is_previewed_with_the_position_it_leads_to(public: Served) -> None:
    begun = (await sent(public, "play/yonmoque/move", keys=["c3"], ply=0))["carried"]
    pictures = []
    for path, told in (
        ("/play/yonmoque", {}),
        ("/play/yonmoque", begun),
        ("/puzzle", {}),
    ):
        html = await (await public.browser().get(path, params=told)).text()
        assert "noindex" not in html
        own = html.partition('<meta property="og:url" content="')[2].partition('"')[0].replace("&amp;", "&")
        query = {name: str(value) for name, value in told.items()}
        assert URL(own) == URL(f"{public.settings.page_url}{path}").with_query(query)
        address = html.partition('<meta property="og:image" content="')[2].partition('"')[0].replace("&amp;", "&")
        assert address.startswith(f"{public.settings.page_url}/api/")
        address = address.removeprefix(public.settings.page_url)
        assert (await public.browser().request("HEAD", address)).status == 200
        picture = await public.browser().get(address)
        assert (picture.status, picture.content_type) == (200, "image/png")
        assert "immutable" in picture.headers["Cache-Control"]
        pictures.append(await picture.read())
    assert len(set(pictures)) == 3
    assert "noindex" in await (await public.browser().get("/")).text()


async def test_what_an_address_carries_stays_text(public: Served) -> None:
    html = await (await public.browser().get("/play/yonmoque", params={"moves": '"><script>alert(1)</script>'})).text()
    assert "<script>alert" not in html
    assert "alert%281%29" in html


@pytest.mark.parametrize("code", OFFERED)
async def test_guests_are_spoken_to_as_their_browser_speaks(public: Served, code: str) -> None:
    headers = {"Accept-Language": f"{code},tlh;q=0.9"}
    page = await (await public.browser().get("/play", headers=headers)).text()
    shown = await (await public.browser().get("/api/play/yonmoque", headers=headers)).json()
    refused = await (await public.browser().get("/api/play/chess", headers=headers)).json()
    with speaking(language(code)):
        told = gettext_lazy("Today's puzzle"), gettext_lazy("There's no such game here."), GUEST_NAME
        puzzle, no_game, you = map(translated, told)
    assert f'<html lang="{code}"' in page
    assert escape(puzzle) in page
    assert (shown["players"][0]["name"], refused["words"]) == (you, no_game)
    assert f"-{code}-" in shown["board"]["key"]


async def test_a_guest_whose_request_comes_slowly_holds_up_no_other(public: Served) -> None:
    whole = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"{"
        await whole.wait()
        yield b"}"

    headers = {"Content-Type": "application/json"}
    sending = public.browser().request("POST", "/api/play/yonmoque/move", data=slowly(), headers=headers)
    slow = asyncio.create_task(sending)
    await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        assert (await state(public, "play/yonmoque"))["came"] == "done"
    assert not slow.done()
    whole.set()
    assert (await slow).status == 400


async def test_a_stop_waits_for_no_guest(public: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    played = guest_games._played

    async def stopping(request: Request, asked: Asked) -> tuple[GameState, list[int]]:
        async with asyncio.timeout(5):
            await request.context.in_flight.close(60)
        return await played(request, asked)

    monkeypatch.setattr(guest_games, "_played", stopping)
    assert (await state(public, "play/yonmoque"))["came"] == "done"


async def test_a_guests_page_cannot_be_used_from_another_site(public: Served) -> None:
    headers = {"Origin": "https://elsewhere.example"}
    told = {"keys": ["c3"], "ply": 0}
    assert (await public.browser().post("/api/play/yonmoque/move", told, headers=headers)).status == 403
