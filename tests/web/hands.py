"""Ways in which a person chooses on a board page: by keyboard alone, by names and roles alone, with finger or mouse.

Each knows as little of the page as the person who uses it that way. ``play_match`` plays a match with one of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from random import Random

from playwright.async_api import Locator, expect

from bot.storage.records import MatchState
from tests.support.waiting import until
from tests.web.board_window import BoardWindow
from tests.web.listening import check_spoken, shifts, spoken
from tests.web.running import Running

MAY_BE_CHOSEN = re.compile(", may be chosen$")
_CLICKS = (
    "() => { window.clicks ??= (addEventListener('click', () => setTimeout(() => { clicks.heard += 1; }), true),"
    " {heard: 0}); return clicks.heard; }"
)
"""Returns how many clicks the page has heard and acted on since it was first asked."""
MOST_CHOICES = 100
"""After how many choices a move has to be made."""
OPENING, LATE = 8, 44
"""The plies between which a match goes on by itself: what a person does there, they do before and after as well."""


class Hand(ABC):
    """One way to choose."""

    def __init__(self, window: BoardWindow, random: Random) -> None:
        self.window = window
        self.random = random

    async def take(self) -> None:
        """Take one of the choices there are, or play the move that they make, and wait for what comes of it."""
        page = self.window.page
        await self.window.ready()
        before = await page.evaluate(_CLICKS)
        await self.choose()
        await until(lambda: page.evaluate("before => clicks.heard > before", before), "the click to be heard")
        await self.window.ready()

    async def choose(self) -> None:
        """Play the move, if the choices make one, or take a choice; after a refusal take one back as often as not."""
        page = self.window.page
        refused = await page.locator(".problem").text_content()
        undo = page.locator('[data-key="undo"]')
        if refused and await undo.count() and self.random.random() < 0.5:
            await self.press(undo)
            return
        play = page.locator('[data-key="play"]')
        if await play.count():
            await self.press(play)
            return
        beside = page.locator(".choices button")
        squares = self.window.board.get_by_role("button", name=MAY_BE_CHOSEN)
        there, on_board = await beside.count(), await squares.count()
        assert there + on_board, "nothing can be chosen"
        # A choice beside the board may be to give up: it is rare where there are squares.
        if there and (not on_board or self.random.random() < 0.1):
            await self.press(beside.nth(self.random.randrange(there)))
        else:
            await self.touch(squares.nth(self.random.randrange(on_board)))

    @abstractmethod
    async def press(self, button: Locator) -> None:
        """Press a button beside the board."""

    @abstractmethod
    async def touch(self, square: Locator) -> None:
        """Choose a square."""


class Keyboard(Hand):
    """Keys alone: Tab, arrow keys and Enter."""

    async def press(self, button: Locator) -> None:
        await self._tab_to(button)
        await self.window.page.keyboard.press("Enter")

    async def touch(self, square: Locator) -> None:
        page = self.window.page
        await self._tab_to(self.window.board.locator('button[tabindex="0"]'))
        ways = await square.evaluate(
            "target => { const rows = [...document.querySelectorAll('[role=row]')].map("
            " row => [...row.querySelectorAll('button')]);"
            " const at = one => rows.findIndex(row => row.includes(one));"
            " return [at(document.activeElement), at(target), rows[at(target)].indexOf(target)]; }"
        )
        from_row, to_row, column = ways
        for _ in range(abs(to_row - from_row)):
            await page.keyboard.press("ArrowDown" if to_row > from_row else "ArrowUp")
        await page.keyboard.press("Home")
        for _ in range(column):
            await page.keyboard.press("ArrowRight")
        await expect(square).to_be_focused()
        await page.keyboard.press("Enter")

    async def _tab_to(self, wanted: Locator) -> None:
        for _ in range(200):
            if await wanted.evaluate("one => one === document.activeElement"):
                return
            await self.window.page.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there")


class ScreenReader(Hand):
    """Names and roles alone, as assistive technology presents them, and its way to press."""

    async def press(self, button: Locator) -> None:
        await button.dispatch_event("click")

    async def touch(self, square: Locator) -> None:
        await square.dispatch_event("click")


class Finger(Hand):
    """Taps at places of the screen, a little beside the middle."""

    async def press(self, button: Locator) -> None:
        await self._tap(button)

    async def touch(self, square: Locator) -> None:
        await self._tap(square)

    async def _tap(self, target: Locator) -> None:
        await target.scroll_into_view_if_needed()
        box = await target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        x = box["x"] + box["width"] * self.random.uniform(0.25, 0.75)
        y = box["y"] + box["height"] * self.random.uniform(0.25, 0.75)
        await self.window.page.touchscreen.tap(x, y)


class Mouse(Hand):
    """Drags wherever a piece or a line can be dragged, and clicks elsewhere."""

    async def press(self, button: Locator) -> None:
        may = self.window.board.locator(".may")
        if await may.count() == 1 and await button.evaluate("one => one.matches('.chip:not(.still)')"):
            await button.scroll_into_view_if_needed()
            await self._hold(button)
            await self._let_go_over(may)
        else:
            await button.click()

    async def touch(self, square: Locator) -> None:
        if not await square.evaluate("one => one.matches('.piece.may, .draws')"):
            await square.click()
            return
        await square.scroll_into_view_if_needed()
        await self._hold(square)
        if await self.window.board.locator(".lifted, .band").count():
            may = self.window.board.locator(".may")
            await expect(may).not_to_have_count(0)
            await self._let_go_over(may)
        else:
            await self.window.page.mouse.up()

    async def _hold(self, control: Locator) -> None:
        """Press the mouse on a control, and move it further than a click may."""
        box = await control.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await self.window.page.mouse.move(x, y)
        await self.window.page.mouse.down()
        await self.window.page.mouse.move(x + 8, y + 4, steps=2)

    async def _let_go_over(self, squares: Locator) -> None:
        """Let go over one of some squares."""
        box = await squares.nth(self.random.randrange(await squares.count())).bounding_box()
        assert box is not None
        await self.window.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        await self.window.page.mouse.up()


async def play_match(hand: Hand, run: Running, match: int, plies: int = 20) -> None:
    """Play a match for the person in the window until it is over, or resign after so many plies.

    For all others in it random moves are played, without anyone who chooses on the page, and for all in the middle of a
    long match, which counts as one ply.
    """
    server, me = run.place.server.guild.id, run.people[0].id
    for _ in range(plies):
        view = await run.services.queries.match_view(server, match)
        if view.match.state is MatchState.OVER:
            break
        mover, ply = view.match.mover.person, view.match.ply
        if OPENING <= ply < LATE:
            await run.play_on(match, LATE, hand.random)
        elif mover.id == me:
            await expect(hand.window.moves).to_have_count(ply)
            await expect(hand.window.turn.locator(".yours, [data-key=undo]").first).to_be_visible()
            for _ in range(MOST_CHOICES):
                await hand.take()
                if (await run.services.queries.match_view(server, match)).match.ply != ply:
                    break
            else:
                raise AssertionError(f"no move after {MOST_CHOICES} choices at ply {ply}")
        else:
            await run.play_on(match, ply + 1, hand.random)
    else:
        view = await run.services.queries.match_view(server, match)
        await expect(hand.window.moves).to_have_count(view.match.ply)
        await hand.press(hand.window.page.get_by_role("button", name="Resign"))
        await hand.press(hand.window.page.get_by_role("button", name="Yes, resign"))
    await expect(hand.window.page.locator(".status.over")).to_be_visible()
    await hand.window.ready()
    assert hand.window.complaints() == []
    check_spoken(await spoken(hand.window.page))
    moved = await shifts(hand.window.page)
    assert moved == [], moved
