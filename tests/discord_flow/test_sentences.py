"""The list of every text people are shown: what is found in the source, and that nothing people see is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simcord.backend import Backend

from bot.games import GAMES
from tests.sentences import PROGRAM, Text, in_page, in_python, listing, residue, texts
from tests.support.acting import answer, board_of, build, cards, challenge, labels, play
from tests.support.simulated_discord import SimulatedDiscord

WORDED = {"content", "label", "placeholder", "description", "title"}
"""Where the words of a message stand in what Discord is sent."""


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


async def test_nothing_people_are_shown_is_missing_from_the_list(sim: SimulatedDiscord, shown: list[str]) -> None:
    await _look_around(sim)
    await _meet(sim)
    known = listing(texts((*PROGRAM, "tests/toy_game")))
    names = [*GAMES, "Alice", "Bob", "Carol", "Bot"]
    missing = [f"{left} in {text!r}" for text in shown if (left := residue(text, known, names))]
    assert len(shown) > 100
    assert not missing, missing[0]


async def _look_around(sim: SimulatedDiscord) -> None:
    """See what there is to see without a match, and be refused what needs one."""
    for command in ("games", "help", "about", "profile", "leaderboard", "matches", "preferences", "block"):
        await sim.alice.slash(sim.channel, command)
    for command in ("privacy export", "privacy delete", "match resign", "match draw", "match replay", "board"):
        await sim.bob.slash(sim.channel, command)
    await sim.alice.slash(sim.channel, "rules", game="rectangles")


async def _meet(sim: SimulatedDiscord) -> None:
    """Play: refused, accepted, built, mistyped, taken back, offered, given up, and asked for again."""
    await sim.carol.click(await challenge(sim), label="Accept")
    await sim.bob.click(cards(sim)[-1], label="Accept")
    thread = cards(sim)[-1].id
    place = sim.place(thread)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await build(sim.alice, builder, "a1")
    for person, move in ((sim.alice, "a2"), (sim.bob, "a1"), (sim.bob, "nowhere"), (sim.carol, "b1")):
        await person.slash(place, "move", move=move)
    await sim.alice.slash(place, "match takeback")
    await sim.bob.click(board_of(sim, thread), label="Accept")
    await play(sim, thread, "a1", "a5", "b1")
    for command in ("match draw", "match claim", "board", "match replay", "match export", "matches"):
        await sim.alice.slash(place, command)
    await sim.bob.click(board_of(sim, thread), label="Decline")
    question = answer(await sim.bob.slash(place, "match resign"))
    await sim.bob.click(question, label="Yes, resign")
    result = board_of(sim, thread)
    for label in labels(result):
        await sim.alice.click(result, label=label)
    for command in ("profile", "leaderboard"):
        await sim.alice.slash(place, command)


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
