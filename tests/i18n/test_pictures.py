"""The words in pictures have room there in every language."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.games import GAMES
from bot.languages.speaking import language
from bot.requests.review_words import chart_title
from bot.translating.extraction import TRANSLATED
from renderers.charts import line_chart
from renderers.charts.line_chart import Chart, Series
from renderers.i18n import speaking
from renderers.pixels import lettering


@pytest.mark.parametrize("code", ["en", *TRANSLATED])
def test_what_stands_above_the_chart_of_a_review_is_not_cut_off(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, str] = {}

    def truncated(text: str, *room: Any) -> str:
        shown[text] = lettering.truncated(text, *room)
        return shown[text]

    monkeypatch.setattr(line_chart, "truncated", truncated)
    with speaking(language(code)):
        matches: list[Any] = [SimpleNamespace(game=key, seats=[None] * seats) for key in GAMES for seats in (2, 3)]
        for title in {chart_title(match) for match in matches}:
            line_chart.png(Chart((Series("", ((0, 50.0), (1, 60.0))),), title, span=(0, 100)))
            assert shown[title] == title
