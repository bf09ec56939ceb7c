"""A first game on the demo page, by a person who knows none of the games: they press what can be pressed.

It sees the page through ``browser_window`` and knows the names of controls, and nothing of any game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from playwright.async_api import Browser, FrameLocator, Locator, expect

from bot.games.game import Game
from tests.demo.browser_window import PHONE, Window, open_page

ASKED = re.compile(r"@Alice \(.+?\) to move")
WON = re.compile(r"^@?(.+ wins: \S.*\.)$", re.MULTILINE)
PLAY, OVER = '[data-control^="play:"]', '[data-control^="rematch:"]'
LIFTED = 10
"""Pixels by which a piece is dragged before it is seen where it may go."""
CHOICES = ("b-take0:", "b-pick:", "b-file:")
POST = '[data-control^="share-post:"]'
MORE, REPLAY = '[data-control^="more:"]', '[data-control^="replay:"]'
SHARE, SHARED = '[data-control^="share:replay:"]', '[data-control^="shared:"]'


@dataclass
class FirstGame:
    """A game against the bot as it goes on, and the clicks so far; a drag is one.

    ``first_move`` has the clicks until the first move was played.
    """

    window: Window
    random: Random = field(default_factory=lambda: Random(5))
    clicks: int = 0
    first_move: int = 0

    @classmethod
    async def open(cls, browser: Browser, url: str) -> FirstGame:
        """Open the page on a phone, as the command prints its address."""
        window = Window(await open_page(browser, url, PHONE), "Alice")
        await window.ready()
        return cls(window)

    async def play(self, game: Game) -> None:
        """Start a game from the front page, make the first move on its board, and play it to its end in the chat."""
        start = self.window.timeline.get_by_role("button", name=re.compile(f"^Play {game.name}( against|$)"))
        await self._press(start)
        await self._move_on_board()
        await self._press(self.window.pane.get_by_role("button", name="Chat"))
        while not await self._with(OVER).count():
            await self._move()

    async def end(self) -> str:
        """Return what the newest message says of who won and why. Raises AssertionError where it does not."""
        said = await self.window.last.inner_text()
        won = WON.search(said)
        assert won is not None, said
        return won[1]

    async def share(self) -> Locator:
        """Share the replay of the finished game from its last screen; return the message in the thread's channel."""
        await self._press(self._with(OVER).locator(MORE))
        await self._press(self._with(REPLAY).locator(REPLAY))
        await self._press(self._with(SHARE).locator(SHARE))
        await self._press(self._with(POST).locator(POST))
        await self.window.enter("games")
        posted = self._with(SHARED)
        await expect(posted).to_be_attached()
        await self.window.ready()
        return posted

    async def _move_on_board(self) -> None:
        """Drag a piece on the board, or a line, or else tap a square, and wait for the reply."""
        board, before = self.window.pane.frame_locator("iframe"), await self._turn()
        squares, moves = board.locator(".may"), board.locator(".moves li")
        await expect(squares.first).to_be_visible()
        count = await moves.count()
        held = board.locator(".piece.may, .draws")
        if await held.count():
            await self._drag(board, held.first)
        else:
            await self._press(squares.first)
        finish = board.locator('.turn:has(.step) [data-key="play"]')
        await expect(moves.nth(count).or_(finish).first).to_be_attached()
        if await moves.count() == count:
            await self._press(finish)
        await self._moved(before)

    async def _drag(self, board: FrameLocator, held: Locator) -> None:
        """Drag from a square to one without a piece."""
        mouse = self.window.page.mouse
        x, y = await _middle(held)
        await mouse.move(x, y)
        await mouse.down()
        await mouse.move(x, y - LIFTED)
        await expect(board.locator(".chosen")).to_be_attached()
        await mouse.move(*await _middle(board.locator(".may:not(.piece)").first))
        await mouse.up()
        self.clicks += 1

    async def _turn(self) -> str:
        """Return the control that the newest board in the chat has for its turn."""
        play = await self.window.timeline.locator(PLAY).last.get_attribute("data-control")
        assert play is not None
        return play

    async def _moved(self, before: str) -> None:
        """Wait for the bot's reply or the end, once a move was played in the turn ``before``."""
        self.first_move = self.first_move or self.clicks
        next_turn = f'[data-control^="play:"]:not([data-control="{before}"])'
        await expect(self._with(next_turn, ASKED).or_(self._with(OVER)).last).to_be_attached()
        await self.window.ready()

    async def _move(self) -> None:
        """Put a move together by chance, play it, and wait for the bot's reply or the end."""
        before = await self._turn()
        builder = self._with('[data-control^="b-type:{1}:{2}:"]'.format(*before.split(":")))
        await self._press(self.window.timeline.locator(f'[data-control="{before}"]'))
        while await builder.count():
            await self._press(await self._choice(builder))
        await self._moved(before)

    async def _choice(self, builder: Locator) -> Locator:
        """Return any choice of the builder, or the button that plays the move."""
        shown = builder.locator("button.button:enabled")
        names = await shown.evaluate_all("all => all.map(one => one.dataset.control ?? '')")
        fitting = [index for index, name in enumerate(names) if name.startswith((*CHOICES, "b-play:"))]
        if fitting:
            return shown.nth(self.random.choice(fitting))
        await self._press(builder.locator("button.menu").last)
        offered = self.window.pane.locator(".listbox li")
        return offered.nth(self.random.randrange(await offered.count()))

    async def _press(self, control: Locator) -> None:
        await control.click()
        self.clicks += 1
        await self.window.ready()

    def _with(self, control: str, says: re.Pattern[str] | None = None) -> Locator:
        """Return the newest message with such a control."""
        return self.window.messages.filter(has=self.window.page.locator(control), has_text=says).last


async def _middle(square: Locator) -> tuple[float, float]:
    """Return the middle of a square in the window, in pixels."""
    box = await square.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
