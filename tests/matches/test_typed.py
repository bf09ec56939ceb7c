"""Typed lists: what people put between the parts, and how they write them, changes nothing."""

from __future__ import annotations

import pytest

from bot.matches.model.typed import parts, typed_list


@pytest.mark.parametrize(
    "text",
    ["d4, e5", "d4,e5,", "ｄ４，ｅ５", "d4、e5", "d4; e5", "d4；e5；", " ,d4 ,, e5\n", "d4､e5", "d4،e5"],
)
def test_a_list_is_understood_with_any_separators(text: str) -> None:
    assert typed_list(text) == ("d4", "e5")


def test_a_list_that_goes_on_ends_with_a_blank_part() -> None:
    assert parts("d4、") == ["d4", ""]
    assert typed_list(" ; ") == ()
