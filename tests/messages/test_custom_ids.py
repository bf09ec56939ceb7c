"""Custom ids: what is built is recognised by one control, as what it was built of, and fits Discord's limit."""

from __future__ import annotations

import re

import pytest

from bot.games import GAMES
from bot.messages import custom_ids
from bot.messages.custom_ids import LIMIT, CustomId
from bot.views.controls import every_control

FORMS = [form for form in vars(custom_ids).values() if isinstance(form, CustomId)]
LONGEST = {
    "match": "9" * 18,
    "challenge": "9" * 18,
    "offer": "9" * 18,
    "attempt": "9" * 18,
    "cup": "9" * 18,
    "session": "9" * 18,
    "share": "9" * 18,
    "day": "2026-12-31",
    "ply": "9" * 6,
    "seat": "10",
    "variant": ":" + "9" * 20,
    "page": "12345",
    "menu": "12",
    "number": "9" * 6,
    "person": "8" + "9" * 18,
    "level": "5",
    "on": "yes",
    "button": "9",
    "opponent": "8" + "9" * 18,
    "prefix": "",
    "side": "back",
    "origin": ":reminder",
    "asked": "8" + "9" * 18,
    "seated": "1" * 9,
}


def fields_of(form: CustomId, game: str) -> dict[str, str]:
    """Return a long value for each field of a form."""
    verb = form.verbs.replace(r"\d", "1").split("|")[0]
    values = LONGEST | {"game": game, "verb": verb}
    return {name: values[name] for name in re.findall(r"\{(\w+)\}", form.form)}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form)
@pytest.mark.parametrize("game", [*GAMES, "hex7", "a" * 20])
def test_what_is_built_is_recognised_as_what_it_was_built_of(form: CustomId, game: str) -> None:
    fields = fields_of(form, game)
    custom_id = form(**fields)
    match = re.fullmatch(form.pattern, custom_id)
    assert match is not None
    assert match.groupdict() == fields
    assert len(custom_id) <= LIMIT


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form)
@pytest.mark.parametrize("number", [2**63, 10**19, 10**40])
def test_a_number_that_the_database_cannot_store_is_not_recognised(form: CustomId, number: int) -> None:
    fields = fields_of(form, "redo")
    for name in (name for name, value in fields.items() if value.isdigit()):
        assert re.fullmatch(form.pattern, form(**fields | {name: str(number)})) is None


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form)
def test_every_form_has_one_control_or_is_that_of_a_modal(form: CustomId) -> None:
    custom_id = form(**fields_of(form, "redo"))
    answering = [
        control for control in every_control() if control.__discord_ui_compiled_template__.fullmatch(custom_id)
    ]
    assert len(answering) == (0 if form in (custom_ids.TYPED_MOVE, custom_ids.TYPED_TRY) else 1)


@pytest.mark.parametrize("custom_id", ["rules-of:redo", "rules:redo:2:next", "rules:redo:contents:0"])
def test_controls_of_rules_that_were_posted_without_a_variant_are_still_recognised(custom_id: str) -> None:
    (match,) = filter(None, (re.fullmatch(form.pattern, custom_id) for form in FORMS))
    assert match["game"] == "redo"
    assert match["variant"] == ""


@pytest.mark.parametrize("custom_id", ["play:1", "play::0", "play:1:0:again", "rules:redo:0:up", "look:1:0:sound"])
def test_what_was_never_built_is_recognised_by_no_form(custom_id: str) -> None:
    assert not [form.form for form in FORMS if re.fullmatch(form.pattern, custom_id)]
