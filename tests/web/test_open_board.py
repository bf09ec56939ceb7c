"""**Open board** in Discord: where it stands, whom it gives a link, and what becomes of it without a page."""

from __future__ import annotations

from collections.abc import Callable

import discord
import pytest
from simcord.results import ResponseMessage

from bot.matches.model.page_links import Purpose
from bot.settings import LONGEST_URL, Settings
from bot.storage.records import Person
from tests.support.acting import answer, board_of, challenge_accepted, items, labels, pressed, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser

Browsers = Callable[[], Browser]
AS_EVER = ["Play", "Rules", "More"]


def link_in(message: ResponseMessage) -> str:
    """Return the address that the button of an answer leads to."""
    (url,) = [item.url for item in items(message.message) if isinstance(item, discord.ui.Button) and item.url]
    return str(url)


@pytest.mark.own_bot
async def test_a_board_gives_a_link_that_leads_to_the_match_once(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    board = board_of(sim, thread)
    assert labels(board) == ["Play", "Open board", "Rules", "More"]
    given = answer(await sim.alice.click(board, label="Open board"))
    assert given.message.flags.ephemeral
    assert "**Yonmoque · match 1**" in text_of(given.message)
    url = link_in(given)
    assert url.startswith(f"{sim.settings.web_url}/open/")
    path, browser = url.removeprefix(sim.settings.web_url), browsers()
    page = await browser.get(path)
    assert "Continue as Alice" in await page.text()
    opened = await browser.post_form(path)
    assert (opened.status, opened.headers["Location"]) == (303, "/match/1")
    assert (await browser.get("/match/1")).status == 200
    again = await browsers().post_form(path)
    assert (again.status, "was used before" in await again.text()) == (410, True)


async def test_people_who_do_not_play_and_barred_people_get_no_link(sim: SimulatedDiscord, thread: int) -> None:
    board = board_of(sim, thread)
    assert "not playing in this match" in told(await sim.carol.click(board, label="Open board"))
    await sim.bot.context.services.bars.bar(sim.guild.id, sim.alice.id)
    assert "barred" in told(await sim.alice.click(board, label="Open board"))


@pytest.mark.own_bot
async def test_the_list_of_matches_and_one_s_own_look_lead_to_boards_too(sim: SimulatedDiscord, thread: int) -> None:
    await challenge_accepted(sim, game="redo")
    listed = answer(await sim.alice.slash(sim.channel, "matches"))
    assert labels(listed.message) == ["Play", "Play", "Open the board of match 1", "Open the board of match 2"]
    assert "Redo · match 2" in told(await sim.alice.click(listed, label="Open the board of match 2"))
    looked = answer(await sim.alice.slash(sim.place(thread), "board"))
    assert "Open board" in labels(looked.message)
    watched = answer(await sim.carol.slash(sim.place(thread), "board", match=1))
    assert "Open board" not in labels(watched.message)


@pytest.mark.own_bot
async def test_a_puzzle_gives_a_link_that_leads_to_it(sim: SimulatedDiscord, browsers: Browsers) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game="redo"))
    given = answer(await sim.alice.click(shown, label="Open board"))
    assert "**Puzzle · Redo**" in text_of(given.message)
    path, browser = link_in(given).removeprefix(sim.settings.web_url), browsers()
    opened = await browser.post_form(path)
    assert (opened.status, opened.headers["Location"]) == (303, "/puzzle/1")
    state = await (await browser.get("/api/puzzle/1?width=600")).json()
    assert (state["title"], state["over"]) == ("Puzzle · Redo", False)
    others = await browsers().sign_in(sim.bob, await challenge_accepted(sim) and 1)
    assert (await others.get("/api/puzzle/1?width=600")).status == 409


@pytest.mark.own_bot
@pytest.mark.parametrize("language", ["en", "pt-BR"])
async def test_a_link_is_given_and_opened_in_the_reader_s_language(
    sim: SimulatedDiscord, thread: int, browsers: Browsers, language: str
) -> None:
    await sim.alice.slash(sim.channel, "preferences", language=language)
    given = answer(await pressed(sim, sim.alice, board_of(sim, thread), "open:1"))
    page = await browsers().get(link_in(given).removeprefix(sim.settings.web_url))
    shown = await page.text()
    assert f'lang="{language}"' in shown
    english = "Continue as" in shown, "in your browser" in text_of(given.message)
    assert english == ((True, True) if language == "en" else (False, False))


async def test_the_longest_link_fits_a_button(sim: SimulatedDiscord) -> None:
    name, longest = "𒈙" * 32, 2**63 - 1
    access = sim.bot.context.services.page_access
    link = await access.link(Person(longest, name), "pt-BR", longest, Purpose.MATCH, longest)
    assert LONGEST_URL + len("/open/") + len(link) <= 512
    assert (await access.read_link(link)).name == name


class TestWithoutPage:
    """The page is off, or was switched off after boards had been posted."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        """The usual settings, without a page."""
        return settings.model_copy(update={"web_port": None, "web_url": ""})

    @pytest.mark.own_bot
    async def test_there_is_no_button_and_an_old_one_says_so(self, sim: SimulatedDiscord, thread: int) -> None:
        board = board_of(sim, thread)
        assert labels(board) == AS_EVER
        said = told(await pressed(sim, sim.alice, board, "open:1"))
        assert said == "Boards can't be opened in a browser at the moment. You can play on here, in Discord."
        assert labels(answer(await sim.alice.slash(sim.channel, "matches")).message) == ["Play"]
        assert "Open board" not in labels(answer(await sim.alice.slash(sim.place(thread), "board")).message)


@pytest.mark.own_bot
async def test_a_match_in_direct_messages_is_opened_and_played_in_a_session_of_its_own(
    sim: SimulatedDiscord, browsers: Browsers
) -> None:
    alice, browser = sim.alice.user, browsers()
    await alice.slash("play", game="yonmoque", level=1)
    board = sim.messages(alice.dm_channel.id)[-1]
    url = link_in(answer(await alice.click(board, label="Open board")))
    assert (await browser.post_form(url.removeprefix(sim.settings.web_url))).status == 303
    assert list(browser.cookies) == [f"__Host-tavoliere--{alice.dm_channel.id}"]
    assert (await browser.get("/match/1")).status == 200
    assert (await browser.post("/api/match/1/move", {"keys": ["a1"], "ply": 0})).status == 200
    await sim.env.settle()
    await alice.click(answer(await alice.slash("match", action="resign")), label="Yes, resign")
    state = await browser.state()
    assert state["over"]
    assert "share" not in [act for act, _words in state["acts"]]
    # A link of the server, of which Alice has a session elsewhere, does not open it.
    assert (await browsers().post_form(f"/open/{await browser.link(sim.alice)}")).status == 410
