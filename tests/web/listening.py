"""What a page says to a person who does not see it, and whether its controls move by themselves, as it happens.

Knows of the page only its live regions and where its controls are.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from playwright.async_api import BrowserContext, Page

_RECORD = """(() => {
  const live = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"]';
  window.spoken = [];
  window.shifts = [];
  let places = new Map();
  let held = false;
  const speak = (regions) => {
    for (const region of regions) {
      const text = region.textContent.trim();
      if (text && region.checkVisibility() && !region.closest('[aria-busy="true"]')) spoken.push(text);
    }
  };
  const measure = () => {
    const unsettled = '.match[aria-busy], .status.over';
    if (held || !document.querySelector('.match') || document.querySelector(unsettled)) return;
    for (const button of document.querySelectorAll('.controls button')) {
      const { left, top } = button.getBoundingClientRect();
      const here = [left + scrollX, top + scrollY];
      const before = places.get(button.textContent) ?? here;
      const away = Math.max(...here.map((at, side) => Math.abs(at - before[side])));
      if (away > 1) shifts.push(`${button.textContent}: ${before} to ${here}`);
      places.set(button.textContent, here);
    }
  };
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const { target, addedNodes } of changes) {
      const around = (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest?.(live);
      if (around) regions.add(around);
      else for (const node of addedNodes) if (node.matches?.(live)) regions.add(node);
    }
    speak(regions);
    measure();
  }).observe(document, { subtree: true, childList: true, characterData: true });
  // What a person does may change what they see, but nothing does by itself.
  const act = ({ type }) => {
    held = type === 'pointerdown';
    places = new Map();
  };
  for (const type of ['click', 'pointerdown', 'pointerup', 'pointercancel']) addEventListener(type, act, true);
})()"""
_MARKUP = re.compile(
    r"<[@#/:t]|\*\*|~~|\|\||`|^-# |^#+ |\\[^0-9A-Za-z\s]|\d{15,}|\{\w+\}|\bundefined\b|\bnull\b", re.MULTILINE
)
"""What belongs to the markup of a message, to ids, or to a text that was not filled in."""


async def record(context: BrowserContext) -> None:
    """Have the pages of a window recorded from their beginning."""
    await context.add_init_script(_RECORD)


async def spoken(page: Page) -> list[str]:
    """Return what the live regions of a page have said so far."""
    said: list[str] = await page.evaluate("spoken")
    return said


async def shifts(page: Page) -> list[str]:
    """Return which controls have moved although the person did nothing."""
    found: list[Any] = await page.evaluate("shifts")
    return [str(one) for one in found]


def check_spoken(said: list[str]) -> None:
    """Check that a page speaks in words, and says nothing twice in a row."""
    assert said
    assert [text for text in said if _MARKUP.search(text)] == []
    assert [text for text, following in pairwise(said) if text == following] == []
