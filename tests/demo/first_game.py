"""A first game on the demo page, by a person who knows none of the games: they press what can be pressed.

It sees the page through ``browser_window`` and knows the names of controls, and nothing of any game.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from random import Random

from playwright.async_api import Browser, Locator, expect

from bot.games.game import Game
from tests.demo.browser_window import PHONE, Window, open_page

ASKED = re.compile(r"@Alice \(.+?\) to move")
WON = re.compile(r"^@?(.+ wins: \S.*\.)$", re.MULTILINE)
BUILDER, OVER = '[data-control^="b-type:"]', '[data-control^="rematch:"]'
HURRIED, READING = 40, 500
"""Clicks without a pause, and milliseconds between later ones: the bot asks people to wait who keep on faster."""
CHOICES = ("b-take0:", "b-pick:", "b-file:")
REPLAY, SHARE, SHARED = '[data-control^="replay:"]', '[data-control^="share:replay:"]', '[data-control^="shared:"]'


@dataclass
class FirstGame:
    """A game against the bot as it goes on, and what it has taken so far: clicks, seconds and plies.

    ``began`` is when the demo was started, as ``time.perf_counter`` counts. ``first_move`` has the clicks and seconds
    until the first move was played.
    """

    window: Window
    began: float
    random: Random = field(default_factory=lambda: Random(5))
    clicks: int = 0
    moves: int = 0
    first_move: tuple[int, float] = (0, 0.0)

    @classmethod
    async def open(cls, browser: Browser, url: str, began: float) -> FirstGame:
        """Open the page on a phone, as the command prints its address."""
        window = Window(await open_page(browser, url, PHONE), "Alice")
        await window.ready()
        return cls(window, began)

    @property
    def seconds(self) -> float:
        """Seconds since the demo was started."""
        return time.perf_counter() - self.began

    async def play(self, game: Game) -> None:
        """Start a game from the front page and play it to its end."""
        start = self.window.timeline.get_by_role("button", name=re.compile(f"^Play {game.name}( against|$)"))
        await self._press(start)
        await expect(self._with(BUILDER)).to_be_attached()
        while not await self._with(OVER).count():
            await self._move()

    async def end(self) -> str:
        """Return what the newest message says of who won and why. Raises AssertionError where it does not."""
        said = await self.window.last.inner_text()
        won = WON.search(said)
        assert won is not None, said
        return won[1]

    async def share(self) -> Locator:
        """Share the replay of the finished game from its last screen; return the message that all can see."""
        await self._press(self._with(OVER).locator(REPLAY))
        await self._press(self._with(SHARE).locator(SHARE))
        posted = self._with(SHARED)
        await expect(posted).to_be_attached()
        await self.window.ready()
        return posted

    async def _move(self) -> None:
        """Put a move together by chance, play it, and wait for the bot's reply or the end."""
        play = self.window.timeline.locator('[data-control^="play:"]').last
        before = await play.get_attribute("data-control")
        if not await self._with(BUILDER).count():
            await self._press(play)
        while await self._with(BUILDER).count():
            await self._press(await self._choice())
        self.moves += 1
        self.first_move = self.first_move if self.moves > 1 else (self.clicks, self.seconds)
        next_turn = f'[data-control^="play:"]:not([data-control="{before}"])'
        await expect(self._with(next_turn, ASKED).or_(self._with(OVER)).last).to_be_attached()
        await self.window.ready()

    async def _choice(self) -> Locator:
        """Return any choice of the builder, or the button that plays the move."""
        shown = self._with(BUILDER).locator("button.button:enabled")
        names = await shown.evaluate_all("all => all.map(one => one.dataset.control ?? '')")
        fitting = [index for index, name in enumerate(names) if name.startswith((*CHOICES, "b-play:"))]
        if fitting:
            return shown.nth(self.random.choice(fitting))
        await self._press(self._with(BUILDER).locator("button.menu").last)
        offered = self.window.pane.locator(".listbox li")
        return offered.nth(self.random.randrange(await offered.count()))

    async def _press(self, control: Locator) -> None:
        if self.clicks > HURRIED:
            await self.window.page.wait_for_timeout(READING)
        await control.click()
        self.clicks += 1
        await self.window.ready()

    async def plies(self) -> int:
        """Return how many plies the match on the board has."""
        more = await self.window.timeline.locator('[data-control^="more:"]').last.get_attribute("data-control")
        assert more is not None
        return int(more.rpartition(":")[2])

    def _with(self, control: str, says: re.Pattern[str] | None = None) -> Locator:
        """Return the newest message with such a control."""
        return self.window.messages.filter(has=self.window.page.locator(control), has_text=says).last
