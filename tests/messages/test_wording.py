"""The words around a move: in the builder before it is played, and where a match ends off the board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.games import OWN
from bot.messages.board import thread_name
from bot.messages.wording import bidi_isolated, shorten
from tests.support.acting import answer, board_of, challenge_accepted, items, opened_builder, play, pressed, text_of
from tests.support.simulated_discord import SimulatedDiscord


def described(message: discord.Message) -> str:
    """Return the alternative text of the pictures of a message."""
    galleries = [item for item in items(message) if isinstance(item, discord.ui.MediaGallery)]
    return "\n".join(picture.description or "" for gallery in galleries for picture in gallery.items)


async def test_a_builder_says_in_words_what_a_move_would_do(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c2", "c3", "d5", "a1")
    builder = await opened_builder(sim, sim.alice, thread, "d5-c4")
    assert text_of(builder.message).endswith("Your move: **Blue moves d5-c4 and flips c3.**")
    quiet = await opened_builder(sim, sim.alice, thread, "e5")
    assert text_of(quiet.message).endswith("Your move: **Blue places a piece on e5.**")


async def test_a_refused_choice_is_explained_and_another_can_be_made_at_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game="rectangles", players=2)
    await play(sim, thread, "a1-b2")
    builder = answer(await sim.bob.click(board_of(sim, thread), label="Play"))
    await sim.bob.click(builder, label="c")
    await sim.bob.click(builder, label="c1")
    # A used area is no longer offered, but an older message may still offer it.
    used = next(item for item in items(builder.message) if getattr(item, "label", None) == "d2: 1")
    await pressed(sim, sim.bob, builder, used.custom_id)
    assert "**c1-d2** can't be played: area 1 is already used. Choose again." in text_of(builder.message)
    await sim.bob.click(builder, label="e2: 2")
    assert "c1-e2" in text_of(board_of(sim, thread))


async def test_the_board_of_a_resigned_match_says_who_has_won_and_has_no_player_to_move(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    assert "to move" in described(board_of(sim, thread))
    question = answer(await sim.bob.slash(sim.place(thread), "match", action="resign"))
    await sim.bob.click(question, label="Yes, resign")
    words = described(board_of(sim, thread))
    assert "Blue wins by resignation." in words
    assert "to move" not in words


def test_a_name_that_runs_from_right_to_left_stays_apart_from_what_is_around_it_however_short_it_is_cut() -> None:
    name = "\N{HEBREW LETTER ALEF}" * 30
    assert bidi_isolated("Alice") == "Alice"
    apart, together = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
    assert bidi_isolated(name) == f"{apart}{name}{together}"
    for limit in (10, 33, 40):
        cut = shorten(f"{bidi_isolated(name)} – {bidi_isolated(name)}", limit)
        assert len(cut) <= limit
        assert cut.count(apart) == cut.count(together)
    assert shorten("Alice and Bob", 6) == "Alice…"


@pytest.mark.parametrize("length", [5, 49, 100])
def test_the_name_of_a_thread_has_its_limit_however_long_that_of_the_game(
    monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    monkeypatch.setattr(type(OWN[0]), "name", "x" * length)
    seats = [SimpleNamespace(person=SimpleNamespace(name=name * 32)) for name in "AB"]
    match: Any = SimpleNamespace(game=OWN[0].key, cup_id=None, id=2**63 - 1, seats=seats)
    name = thread_name(match)
    assert len(name) <= 100
    assert name.startswith("xxxxx")
    assert name.endswith(f" · #{match.id}")
    assert " · AAAA" in name
