"""Nothing anybody is shown is outside the catalogues: everything is played in a language made of accents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import Backend

from bot.games import GAMES
from bot.languages.catalogues import OFFERED
from renderers.i18n import Language, LazyText, day_names
from tests.i18n.pseudo import CODE, accented, in_english
from tests.lifecycle.controls import CASES, Case, custom_id, situation
from tests.support.acting import answer, board_of, cards, direct_messages, labels, pressed, slash, text_of
from tests.support.sampled import each, sampled_together
from tests.support.simulated_discord import SimulatedDiscord, give_management, in_new_server
from tests.support.stored import DAY, HOUR
from tests.support.tour import look_around, meet

pytest_plugins = ("tests.i18n.pseudo",)

WORDED = {"content", "label", "placeholder", "description", "title", "text", "name"}
"""The fields of a message to Discord that may hold words; the value of an option is not shown."""
NAMES = (
    *(game.designer for game in GAMES.values()),
    *(
        "Alice",
        "Bob",
        "Carol",
        "Dave",
        "Bot",
        "Tavoliere",
        "games",
        "Discord",
        "board.png",
        "stuck",
        "UTC",
        "Friends of the board",
    ),
    *(game.name for game in GAMES.values() if not isinstance(game.name, LazyText)),
    *OFFERED.values(),
    *day_names(CODE),  # the CLDR's
)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text anybody is shown, in messages, forms and suggestions, private ones and later changes included."""
    said: list[str] = []
    commit, edit = Backend.commit_message, Backend.edit_message

    def committed(backend: Any, message: Any, **options: Any) -> Any:
        if message.author_id == backend.bot_user.id:
            said.extend([message.content, *_words(message.components)])
            said.extend(attached.get("description") or "" for attached in message.attachments)
        return commit(backend, message, **options)

    def edited(backend: Any, channel_id: int, message_id: int, fields: dict[str, Any]) -> Any:
        said.extend(_words(fields))
        return edit(backend, channel_id, message_id, fields)

    monkeypatch.setattr(Backend, "commit_message", committed)
    monkeypatch.setattr(Backend, "edit_message", edited)
    return said


@pytest.fixture
def abroad(monkeypatch: pytest.MonkeyPatch, pseudo: Language, described_requests: None) -> None:
    """Let everybody's Discord, and the server, speak the pseudo-language; buttons are found by their English labels."""
    payload, click = interactions.base_payload, MemberActor.click

    def elsewhere(*args: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, sent = payload(*args, **options)
        return record, {**sent, "locale": CODE, "guild_locale": CODE}

    async def click_accented(
        person: MemberActor, message: Any, *args: Any, label: str | None = None, **options: Any
    ) -> Any:
        named = {} if label is None else {"label": _labelled(message, label)}
        return await click(person, message, *args, **named, **options)

    monkeypatch.setattr(interactions, "base_payload", elsewhere)
    monkeypatch.setattr("bot.delivery.context.language_for", lambda _locale: CODE)
    monkeypatch.setattr(MemberActor, "click", click_accented)


def _labelled(message: Any, label: str) -> str:
    """Return what a button is called whose English label is given; it may be longer than that."""
    shown = labels(getattr(message, "message", message))
    return next((one for one in shown if one.rstrip("ẋ") == accented(label)), accented(label))


def _words(sent: Any) -> Iterator[str]:
    if isinstance(sent, list):
        for one in sent:
            yield from _words(one)
    elif isinstance(sent, dict):
        yield from (sent[key] for key in WORDED & sent.keys() if isinstance(sent[key], str))
        yield from _words([inner for key, inner in sent.items() if isinstance(inner, (dict, list))])


def _in_english(shown: list[str]) -> list[str]:
    return [f"{left} in {text!r}" for text in shown if (left := in_english(text, NAMES))]


@pytest.mark.slow
@pytest.mark.usefixtures("abroad")
async def test_a_match_and_all_there_is_to_look_at(sim: SimulatedDiscord, shown: list[str]) -> None:
    await look_around(sim)
    await meet(sim)
    assert len(shown) > 100
    assert not _in_english(shown), "\n".join(_in_english(shown))


@pytest.mark.own_bot
@pytest.mark.usefixtures("abroad")
@pytest.mark.parametrize("cases", sampled_together(CASES, situation, every=40))
async def test_every_control(sim: SimulatedDiscord, shown: list[str], cases: tuple[Case, ...]) -> None:
    async def is_in_the_catalogues(case: Case) -> None:
        shown.clear()
        there = await in_new_server(sim)
        await case.before(there)
        person = getattr(there, case.who)
        message = answer(await person.slash(there.channel, "help"))
        await pressed(there, person, message, await custom_id(there, case), case.choice)
        assert not _in_english(shown), "\n".join(_in_english(shown))

    await each(cases, is_in_the_catalogues)


@pytest.mark.slow
@pytest.mark.usefixtures("abroad")
async def test_commands_forms_and_suggestions(sim: SimulatedDiscord, shown: list[str]) -> None:
    give_management(sim, sim.alice)
    for command in ("puzzle", "matches", "match review", "match hint"):
        await slash(sim.alice, sim.channel, command)
    for command in ("settings", "manage barred"):
        await sim.alice.slash(sim.channel, command)
    for variant, game in (("4x4", "rectangles"), (None, "gyges"), (None, "redtangle"), (None, "redo")):
        options = {} if variant is None else {"variant": variant}
        await sim.alice.slash(sim.channel, "challenge", game=game, opponent=sim.bob, **options)
    await sim.carol.slash(sim.channel, "help")
    await sim.alice.slash(sim.channel, "manage bar", person=sim.carol)
    await sim.env.settle()
    shown += direct_messages(sim, sim.carol)
    for offered in (
        await sim.alice.autocomplete(sim.channel, "board", "match", ""),
        await sim.alice.autocomplete(sim.channel, "challenge", "variant", "", game="rectangles"),
    ):
        shown += [str(choice["name"]) for choice in offered]
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")
    await sim.bob.click(cards(sim)[-1], label="Accept")
    place = sim.place(cards(sim)[-1].id)
    builder = answer(await sim.alice.click(board_of(sim, place.id), label="Play"))
    form = await sim.alice.click(builder, label="Type")
    assert form.modal is not None
    shown += _words(form.modal)
    await sim.alice.slash(
        sim.channel, "challenge", game="rectangles", variant="10x10", opponent=sim.bob, first="opponent"
    )
    await sim.bob.click(cards(sim)[-1], label="Accept")
    menus = answer(await sim.bob.click(board_of(sim, sim.place(cards(sim)[-1].id).id), label="Play"))
    assert accented("First corner?") in text_of(menus.message)
    assert not _in_english(shown), "\n".join(_in_english(shown))


@pytest.mark.own_bot
@pytest.mark.usefixtures("abroad")
async def test_what_time_brings(sim: SimulatedDiscord, shown: list[str]) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="redo", opponent=sim.bob, pace=str(DAY))
    await sim.bob.click(cards(sim)[-1], label="Accept")
    posted = len(shown)
    for hours in (20, 5, 24):
        await sim.env.advance_time(hours * HOUR)
    assert len(shown) > posted + 4
    await sim.alice.slash(sim.channel, "challenge", game="redo", opponent=sim.bob)
    await sim.env.advance_time(8 * DAY)
    assert not _in_english(shown), "\n".join(_in_english(shown))
