"""The list of every text that people see is complete: the texts of the source, compared with those in messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simcord.backend import Backend

from bot.games import GAMES
from tests.sentences import PROGRAM, Text, in_page, in_python, listing, residue, texts
from tests.support.acting import everything_said, in_code
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.tour import look_around, meet

WORDED = {"content", "label", "placeholder", "description", "title"}
"""The fields of a message to Discord that hold words."""


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text anybody is shown in a message, private ones and later changes included."""
    said: list[str] = []
    commit, edit = Backend.commit_message, Backend.edit_message

    def committed(backend: Any, message: Any, **options: Any) -> Any:
        said.extend([message.content, *_words(message.components)])
        return commit(backend, message, **options)

    def edited(backend: Any, channel_id: int, message_id: int, fields: dict[str, Any]) -> Any:
        said.extend(_words(fields))
        return edit(backend, channel_id, message_id, fields)

    monkeypatch.setattr(Backend, "commit_message", committed)
    monkeypatch.setattr(Backend, "edit_message", edited)
    return said


def _words(sent: Any) -> Iterator[str]:
    if isinstance(sent, list):
        for one in sent:
            yield from _words(one)
    elif isinstance(sent, dict):
        yield from (sent[key] for key in WORDED & sent.keys() if isinstance(sent[key], str))
        yield from _words([inner for key, inner in sent.items() if isinstance(inner, (dict, list))])


@pytest.mark.slow
async def test_nothing_people_are_shown_is_missing_from_the_list_and_messages_for_all_name_no_commands(
    sim: SimulatedDiscord, shown: list[str]
) -> None:
    await look_around(sim)
    await meet(sim)
    known = listing(texts((*PROGRAM, "tests/toy_package")))
    names = [*GAMES, "Alice", "Bob", "Carol", "Bot"]
    missing = [f"{left} in {text!r}" for text in map(in_code, shown) if (left := residue(text, known, names))]
    assert len(shown) > 100
    assert not missing, missing[0]
    public = ["\n".join([one.content, *_words(one.components)]) for one in everything_said(sim)]
    assert len(public) > 10
    assert [text for text in public if "`/" in text or "</" in text] == []


def test_what_programmers_alone_read_is_left_out() -> None:
    source = '''
"""What the module is for."""
def greeting(name: str, asked: bool) -> str:
    """Return a greeting."""
    log.warning("greeted too often", name=name)
    return row["guild_id"] + f"Hello {name}, {'do come in' if asked else 'who are you?'}"

@app.command()
def check():
    """Look at everything."""
'''
    found = in_python("bot/door.py", source)
    assert [text.words for text in found] == [
        "Hello {name}, {('do come in' if asked else 'who are you?')}",
        "Look at everything.",
    ]
    assert found[0].pieces == ("Hello ", "do come in", "who are you?")


def test_the_texts_of_the_demo_page_are_listed() -> None:
    script = """
// "in a comment"
const found = /["`]/.test(text);
label(`You are ${mine ? "yourself" : `${name} now`}`, "Send");
"""
    found = in_page("bot/demo/static/page.js", script)
    assert [text.words for text in found] == ['You are ${mine ? "yourself" : `${name} now`}', "Send"]
    assert found[0].pieces == ("You are ", "yourself", " now")
    assert [text.words for text in in_page("page.html", '<p title="A title">Some text</p>')] == ["A title", "Some text"]


def test_only_words_that_stand_by_themselves_count_as_listed() -> None:
    known = [Text("bot/door.py", 1, "Hello {name}", ("Hello ",)), Text("bot/door.py", 2, "is", ("is",))]
    assert residue("Hello Alice, this is new", listing(known), ["Alice"]) == ["this", "new"]
