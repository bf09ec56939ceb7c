"""The issue forms name what there is: pages, commands and every language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from babel import Locale

from bot.languages.catalogues import OFFERED
from tests.docs.pages import ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)


def fields(form: Path) -> list[dict[str, Any]]:
    """Return what a form asks for."""
    return [field for field in yaml.safe_load(form.read_text(encoding="utf-8"))["body"] if field["type"] != "markdown"]


def test_there_is_a_form_for_a_fault_a_translation_and_a_game() -> None:
    assert [form.stem for form in FORMS] == ["fault", "game", "translation"]


@each_form
def test_a_form_asks_for_something_that_is_required(form: Path) -> None:
    asked = fields(form)
    assert len({field["id"] for field in asked}) == len(asked)
    assert any(field.get("validations", {}).get("required") for field in asked)


@each_form
def test_a_page_that_a_form_names_is_there(form: Path) -> None:
    named = re.findall(r"(?<![\w/>])(?:[\w-]+/)*[\w-]+\.md", form.read_text(encoding="utf-8"))
    assert [page for page in named if not (ROOT / page).exists() and page != "RULES.md"] == []


def test_the_form_for_translations_offers_every_language() -> None:
    form = fields(ROOT / ".github" / "ISSUE_TEMPLATE" / "translation.yml")
    (language,) = [field for field in form if field["id"] == "language"]
    *options, other = language["attributes"]["options"]
    names = {Locale.parse(one, sep="-").get_language_name("en") for one in OFFERED}
    assert other == "another one"
    assert {option.rpartition(" ")[2] for option in options} == names
