"""The board page at 400% zoom, in forced colours, and for people who want less motion."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]
ZOOMED = ViewportSize(width=320, height=256)
"""What 1280 by 1024 pixels have room for at 400%, as WCAG 1.4.10 measures it."""
_CUT_OFF = """() => [...document.querySelectorAll('main *')].filter(one => {
  if (one.closest('[hidden], .unseen, .board') || !one.textContent.trim()) return false;
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.left < -1);
}).map(one => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`)"""

_COUNT_SLIDES = """() => {
  const animate = Element.prototype.animate;
  window.slides = 0;
  Element.prototype.animate = function (...all) { window.slides += 1; return animate.apply(this, all); };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gyges", "redtangle"])
async def test_at_400_per_cent_nothing_is_lost_and_texts_scroll_one_way(
    run: Running, browser: Browser, game: str
) -> None:
    match = await run.match(game)
    await run.play_on(match, 4)
    alice = await BoardWindow.open(browser, run, 0, match, ZOOMED)
    assert await alice.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await alice.page.evaluate(_CUT_OFF) == []
    await alice.assert_accessible()
    for name in ("Rules", "Resign"):
        await alice.press(name)
        dialog = alice.page.get_by_role("dialog")
        await expect(dialog).to_be_visible()
        assert await dialog.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
        for button in await dialog.get_by_role("button").all():
            await button.scroll_into_view_if_needed()
            await expect(button).to_be_in_viewport()
        await alice.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)


@pytest.mark.slow
async def test_pieces_do_not_slide_for_people_who_want_less_motion(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    for wanted, slides in (("reduce", False), ("no-preference", True)):
        alice = await BoardWindow.open(browser, run, 0, match, reduced_motion=wanted)
        await alice.page.evaluate(_COUNT_SLIDES)
        ply = (await run.services.queries.match_view(run.place.server.guild.id, match)).match.ply
        await run.play_on(match, ply + 2)
        await expect(alice.moves).to_have_count(ply + 2)
        await alice.ready()
        assert (await alice.page.evaluate("window.slides") > 0) is slides
        waits = await alice.page.evaluate(
            "() => { document.querySelector('.match').classList.add('waiting');"
            " return getComputedStyle(document.querySelector('.match'), '::after').animationName; }"
        )
        assert waits == ("waiting" if slides else "none")


@pytest.mark.slow
async def test_squares_stand_out_in_forced_colours(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match, forced_colors="active")
    await alice.tap("a2")
    await expect(alice.square("a2")).to_contain_class("chosen")
    sign = (
        "one => { const seen = getComputedStyle(one, '::after'); return [seen.borderTopColor, seen.backgroundColor]; }"
    )
    chosen, offered = await alice.square("a2").evaluate(sign), await alice.square("a3").evaluate(sign)
    assert chosen[0] == "rgb(255, 209, 102)"
    assert offered[1] == "rgb(61, 220, 151)"
    await alice.assert_accessible()
