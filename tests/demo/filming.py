"""``python -m tests.demo.filming [picture ...]``: takes the pictures of the README from the demo page, on a phone.

It plays on the real page in headless Chromium, dark, and writes ``docs/phone.webp`` (a match from the challenge to the
win, animated) and still pictures of the builder, the board page, a review and a puzzle. It also notes the labels that
each picture shows, by which a test sees that it is of an older bot. It knows the page only through ``browser_window``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import Browser, Locator, expect

import renderers
from bot.contract import golden
from bot.games import GAMES
from tests.demo.browser_window import ANALYSED, PHONE, Window, chromium, open_page
from tests.demo.process import demo_process

DOCS = Path(__file__).parents[2] / "docs"
FONT = Path(renderers.__file__).parent / "fonts" / "Inter-Medium.otf"
WIDTH = 400
"""Width of a finished picture, in pixels."""
CAPTION = 46
"""Height of the line above a frame of the film, in pixels."""
QUALITY = 82
"""Of the film, as WebP counts it (0 to 100)."""
READING, TAPPING = 2200, 700
"""Milliseconds: how long a frame stands that is read, and one that shows a tap."""
MOST = 1_000_000
"""Bytes of a picture: more is too slow to load for the top of a page."""
TALL = (PHONE[0], 2600)
"""Size of a window in which a whole message is on the screen."""
LONGEST = 760
"""Height of a still picture at most, in pixels: of a long message it shows the beginning."""

LABELS = "labels.json"
"""The labels of all buttons on the still pictures and on what the film shows, but those that name a square alone."""

OVER = '[data-control^="rematch:"]'

Frame = tuple[Image.Image, int]


class Film:
    """Frames of one or more windows, each with the words above it and how long it stands."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.caption = ""

    async def shoot(self, window: Window, milliseconds: int = READING, tap: Locator | None = None) -> None:
        """Add what a window shows now, with a finger on ``tap``."""
        await _settled(window)
        around = await window.pane.bounding_box()
        assert around is not None
        frame = _opened(await window.pane.screenshot())
        if tap is not None:
            await tap.scroll_into_view_if_needed()
            frame = _opened(await window.pane.screenshot())
            box = await tap.bounding_box()
            assert box is not None
            scale = frame.width / around["width"]
            middle = box["x"] + box["width"] / 2 - around["x"], box["y"] + box["height"] / 2 - around["y"]
            frame = _with_finger(frame, (middle[0] * scale, middle[1] * scale))
        self.frames.append((self._captioned(_narrow(frame)), milliseconds))

    async def tap(self, window: Window, control: Locator) -> None:
        """Show a finger on a control, and press it."""
        await self.shoot(window, TAPPING, control)
        await control.click()
        await window.ready()

    def save(self, path: Path) -> None:
        """Write the film as an animation that begins anew at its end."""
        first, *others = [frame for frame, _ in self.frames]
        times = [time for _, time in self.frames]
        first.save(path, save_all=True, append_images=others, duration=times, loop=0, quality=QUALITY, method=6)

    def _captioned(self, frame: Image.Image) -> Image.Image:
        whole = Image.new("RGB", (frame.width, frame.height + CAPTION), "#1a1b1e")
        whole.paste(frame, (0, CAPTION))
        words = ImageFont.truetype(FONT, 21)
        ImageDraw.Draw(whole).text((frame.width / 2, CAPTION / 2), self.caption, "#f4f5f6", words, anchor="mm")
        return whole


async def film(browser: Browser, url: str, folder: Path) -> set[str]:
    """Film a match: Alice challenges Bob, they play, she wins. Return the labels of card, board, builder and result."""
    shown, labels = Film(), set[str]()
    alice, bob = [await _open(browser, url, name, PHONE) for name in ("Alice", "Bob")]
    shown.caption = "Challenge a friend"
    await alice.entry.click()
    await alice.page.keyboard.type("/challenge ")
    await expect(alice.composer.locator(".chip")).to_have_text("/challenge")
    await shown.shoot(alice)
    await alice.page.keyboard.press("Escape")
    await alice.page.reload()
    await alice.ready()
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I go first")
    await shown.shoot(alice)
    shown.caption = "Your friend accepts"
    card = await bob.sees("@Alice challenges @Bob")
    labels |= await _labels(card)
    await shown.tap(bob, card.get_by_role("button", name="Accept", exact=True))

    moves = _moves("yonmoque")
    last = len(moves) - 1
    for ply, move in enumerate(moves):
        mover, name = ((alice, "@Alice (Blue)"), (bob, "@Bob (White)"))[ply % 2]
        await alice.sees(f"{name} to move")
        if ply in (0, last // 2):
            shown.caption = "Every position is a picture" if ply == 0 else "Play at your own pace"
            await shown.shoot(alice)
        if ply < last:
            await mover.sees(f"{name} to move")
            await mover.command("move", move=move)
    shown.caption = "Tap a piece ..."
    board = await alice.sees("@Alice (Blue) to move")
    labels |= await _labels(board)
    await shown.tap(alice, board.get_by_role("button", name="Play", exact=True))
    origin, target = moves[last].split("-")
    await expect(_choice(alice, origin)).to_be_visible()
    labels |= await _labels(alice.last)
    await shown.shoot(alice)
    await shown.tap(alice, _choice(alice, origin))
    shown.caption = "... and where it goes"
    await shown.shoot(alice)
    await shown.tap(alice, _choice(alice, target))
    await alice.sees("@Alice wins")
    shown.caption = "Four in a row!"
    await alice.sees("You played")
    result = alice.messages.filter(has=alice.page.locator(OVER)).last
    await result.locator("img.picture").last.scroll_into_view_if_needed()
    labels |= await _labels(result)
    await shown.shoot(alice, 2 * READING)
    shown.save(folder / "phone.webp")
    return labels


async def builder(browser: Browser, url: str, folder: Path) -> set[str]:
    """Take a picture of a move that is put together."""
    alice, bob = [await _tall(browser, url, name) for name in ("Alice", "Bob")]
    moves = _moves("redo", "red-bare")
    await _play(alice, bob, "Redo", moves[:20])
    await alice.press("Play")
    await alice.tap(_choice(alice, moves[20][:2]))
    return await _still(alice, folder / "builder.png")


async def board_page(browser: Browser, url: str, folder: Path) -> set[str]:
    """Take a picture of a piece that is tapped on the board page."""
    alice, bob = [await _tall(browser, url, name) for name in ("Alice", "Bob")]
    await _play(alice, bob, "Redo", _moves("redo", "red-bare")[:12])
    await alice.pane.get_by_role("button", name="Board", exact=True).click()
    page = alice.pane.frame_locator("iframe")
    await page.locator('.piece.may[data-square="b3"]').click()
    await expect(page.locator(".chosen").first).to_be_attached()
    await expect(page.locator(".match:not([aria-busy], .waiting)")).to_be_attached()
    _write(await page.locator(".match").screenshot(), folder / "board_page.png")
    return await _labels(page.locator(".match"))


async def review(browser: Browser, url: str, folder: Path) -> set[str]:
    """Take a picture of the review of a match."""
    alice, bob = [await _tall(browser, url, name) for name in ("Alice", "Bob")]
    await _play(alice, bob, "Gygès", ())  # in their first match the set-ups are ready-made
    await alice.command("match", action="Resign")
    await alice.press("Yes, resign")
    await alice.sees("wins by resignation")
    await _play(alice, bob, "Gygès", _moves("gyges", "fogliaccio-many-bounces"))
    await alice.press("Review", await alice.sees("@Alice wins"))
    await expect(alice.last).to_contain_text("ccuracy", timeout=ANALYSED)
    return await _still(alice, folder / "review.png")


async def puzzle(browser: Browser, url: str, folder: Path) -> set[str]:
    """Take a picture of a puzzle that is asked."""
    alice = await _tall(browser, url, "Alice")
    await alice.command("puzzle", game="Yonmoque")
    await alice.press("Chat", alice.pane)
    return await _still(alice, folder / "puzzle.png")


PICTURES: Mapping[str, Callable[[Browser, str, Path], Awaitable[set[str]]]] = {
    "phone": film,
    "builder": builder,
    "board_page": board_page,
    "review": review,
    "puzzle": puzzle,
}


async def take(names: Sequence[str], folder: Path) -> dict[str, list[str]]:
    """Take pictures into a folder, each on a demo of its own; return the labels that each shows."""
    labels = {}
    for name in names:
        with TemporaryDirectory() as directory:
            async with chromium() as browser, demo_process(Path(directory)) as (_, url):
                labels[name] = sorted(await PICTURES[name](browser, url, folder))
    return labels


def last_take() -> dict[str, list[str]]:
    """Return the labels that each picture showed when it was taken."""
    found: dict[str, list[str]] = json.loads(Path(__file__).with_name(LABELS).read_text(encoding="utf-8"))
    return found


async def _open(browser: Browser, url: str, person: str, size: tuple[int, int]) -> Window:
    window = Window(await open_page(browser, f"{url}#left={person.lower()}", size, dark=True), person)
    await window.ready()
    return window


async def _tall(browser: Browser, url: str, person: str) -> Window:
    return await _open(browser, url, person, TALL)


async def _labels(shown: Locator) -> set[str]:
    """Return the labels of buttons, but those that name a square or a number."""
    labels = await shown.locator("button.button, .moves > button").all_inner_texts()
    return {label for label in labels if not re.match(r"[a-h]?\d", label)}


async def _settled(window: Window) -> None:
    await window.ready()
    await window.pictures(window.last)
    await window.page.wait_for_timeout(200)


async def _play(alice: Window, bob: Window, game: str, moves: Sequence[str]) -> None:
    """Have the two play moves of a new match by typing them."""
    await alice.command("challenge", game=game, opponent="Bob", first="I go first")
    await bob.press("Accept", await bob.sees("@Alice challenges @Bob"))
    for ply, move in enumerate(moves):
        mover, name = ((alice, "@Alice"), (bob, "@Bob"))[ply % 2]
        await _is_to_move(mover, name)
        await mover.command("move", {"move": move})
    await _is_to_move(alice, ("@Alice", "@Bob")[len(moves) % 2])


async def _is_to_move(window: Window, name: str) -> None:
    """Wait until the newest board is one on which a person moves, or the match is over."""
    board = window.messages.filter(has=window.page.locator("img.picture")).last
    await expect(board).to_contain_text(re.compile(rf"{name} \(.*\) to move|wins"))


async def _still(window: Window, path: Path) -> set[str]:
    """Write what the newest message looks like; return its labels."""
    await _settled(window)
    _write(await window.last.screenshot(), path)
    return await _labels(window.last)


def _write(screenshot: bytes, path: Path) -> None:
    picture = _narrow(_opened(screenshot))
    picture = picture.crop((0, 0, picture.width, min(picture.height, LONGEST)))
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def _choice(window: Window, square: str) -> Locator:
    return window.last.locator("button.button:enabled").filter(has_text=square).first


def _moves(key: str, name: str = "demo") -> list[str]:
    _, _, moves = golden.game_in((golden.folder(GAMES[key]) / f"{name}.txt").read_text(encoding="utf-8"))
    return moves


def _opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def _narrow(picture: Image.Image) -> Image.Image:
    return picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)


def _with_finger(frame: Image.Image, middle: tuple[float, float]) -> Image.Image:
    """Return a frame with a spot where it is touched."""
    radius = frame.width / 22
    spot = Image.new("RGBA", frame.size)
    corners = [middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius]
    ImageDraw.Draw(spot).ellipse(corners, (255, 255, 255, 120), (255, 255, 255, 255), 4)
    return Image.alpha_composite(frame.convert("RGBA"), spot).convert("RGB")


def main() -> None:
    """Take the pictures that are asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.demo.filming", description="Take the README's pictures.")
    parser.add_argument("picture", nargs="*", help=f"any of {', '.join(PICTURES)}; all of them where none is named")
    chosen = parser.parse_args().picture or list(PICTURES)
    if unknown := sorted(set(chosen) - PICTURES.keys()):
        parser.error(f"no such picture: {', '.join(unknown)}")
    labels = last_take() | asyncio.run(take(chosen, DOCS))
    text = json.dumps(labels, ensure_ascii=False, indent=2, sort_keys=True)
    Path(__file__).with_name(LABELS).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
