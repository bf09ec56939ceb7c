"""Custom ids: what was ever posted is read as what it was written of, by one control, and fits Discord's limit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bot.games import GAMES
from bot.messages import custom_ids
from bot.messages.custom_id_form import CustomId
from bot.messages.custom_ids import LIMIT
from bot.views import builder_ids, controls

EVERY: list[CustomId[..., Any]] = [
    form for module in (custom_ids, builder_ids) for form in vars(module).values() if isinstance(form, CustomId)
]
POSTED = Path(__file__).with_name("custom_ids.txt").read_text(encoding="utf-8").splitlines()
"""Custom ids that have been posted, all verbs of all forms. A line is never changed or taken out."""
LONGEST = {
    "StoredId": 10**18 - 1,
    "DiscordId": int("8" + "9" * 18),
    "Ply": 10**6 - 1,
    "Seat": 10,
    "PageNumber": 12345,
    "Digit": 9,
    "Level": 10,
    "Menu": 12,
    "Place": 100,
    "Levels": (10,) * 9,
    "Variant": "9" * 20,
    "Day": "2026-12-31",
    "YesNo": True,
    "Choices": (),
    "StoredIdOrAll": 10**18 - 1,
    "DiscordIdOrNone": int("8" + "9" * 18),
}


def words_of(literal: Any) -> list[str]:
    return re.findall(r"'([^']*)'", str(literal)) if "Literal" in str(literal) else []


def ids_of(form: CustomId[..., Any], game: str) -> dict[str, Any]:
    """Return a long value for each field of a form."""
    types, named = get_type_hints(form.ids), form.ids.__annotations__
    values = LONGEST | {"Game": game}
    return {
        name: values.get(str(getattr(named[name], "__forward_arg__", named[name])))
        if not words_of(types[name])
        else max(words_of(types[name]), key=len)
        for name in re.findall(r"\{(\w+)\}", form.form)
    }


@pytest.mark.parametrize("custom_id", POSTED)
def test_what_was_posted_is_read_by_one_form_and_written_again_in_the_same_way(custom_id: str) -> None:
    ((form, ids),) = [(form, ids) for form in EVERY if (ids := form.read(custom_id)) is not None]
    longer = form in (custom_ids.RULES_PAGE, custom_ids.RULES_CONTENTS, custom_ids.RULES)
    assert form.write(ids) == custom_id or longer


def test_every_form_with_all_its_words_has_been_posted() -> None:
    missing = []
    for form in EVERY:
        read = [ids._asdict() for text in POSTED if (ids := form.read(text)) is not None]
        for name, of in get_type_hints(form.ids).items():
            words = words_of(of)
            missing += [f"{form.form}: {word}" for word in words if word not in {one[name] for one in read}]
        missing += [] if read else [form.form]
    assert missing == []


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.form)
@pytest.mark.parametrize("game", [*GAMES, "hex7", "a" * 20])
def test_what_is_written_is_read_as_what_it_was_written_of(form: CustomId[..., Any], game: str) -> None:
    ids = ids_of(form, game)
    custom_id = form(**ids)
    read: Any = form.read(custom_id)
    assert read._asdict() == ids
    assert len(custom_id) <= LIMIT


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.form)
@pytest.mark.parametrize("number", [2**63, 10**19, 10**40])
def test_a_number_that_the_database_cannot_store_is_not_read(form: CustomId[..., Any], number: int) -> None:
    ids = ids_of(form, "redo")
    for name in (name for name, value in ids.items() if type(value) is int):
        assert form.read(form(**ids | {name: number})) is None


def test_every_form_has_one_control_or_is_that_of_a_form_to_fill_in() -> None:
    assert controls.CONTROLS.keys() | controls.FORMS.keys() == set(EVERY)
    assert controls.CONTROLS.keys() & controls.FORMS.keys() == set()
    moves = {custom_ids.TYPED_MOVE, builder_ids.TYPED_PLAN, custom_ids.TYPED_TRY}
    assert set(controls.FORMS) == moves | {custom_ids.TYPED_NOTE, custom_ids.TYPED_NOTE_ON_STEP}


@pytest.mark.parametrize("custom_id", ["rules-of:redo", "rules:redo:2:next", "rules:redo:contents:0"])
def test_controls_of_rules_that_were_posted_without_a_variant_are_still_recognised(custom_id: str) -> None:
    (ids,) = [ids for form in EVERY if (ids := form.read(custom_id)) is not None]
    assert (ids.game, ids.variant) == ("redo", "")


@pytest.mark.parametrize("custom_id", ["play:1", "play::0", "play:1:0:again", "rules:redo:0:up", "look:1:0:sound"])
def test_what_was_never_written_is_read_by_no_form(custom_id: str) -> None:
    assert not [form.form for form in EVERY if form.read(custom_id) is not None]
