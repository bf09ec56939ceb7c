"""The review of a match fits a message, however long the match was and however many played it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import discord
import pytest

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language
from bot.matches.model.review import Review, review_of
from bot.matches.services.reviews import Reviewed
from bot.messages.pictures import Picture
from bot.requests import review_words as messages
from bot.requests.review_words import chart, in_words, marks_explained, remark, step_words
from bot.storage.records import Entry, EntryKind, Judgement, Match, MatchState, Person, computer_player
from bot.views.review import page
from renderers.i18n import ENGLISH, speaking
from tests.matches.policies.facts import MATCH, seated

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_match(*people: Person, game: str = "rectangles", plies: int) -> Match:
    """Return a finished match between people."""
    return replace(
        MATCH,
        id=10**15,
        game=game,
        variant="8x8" if game == "rectangles" else "standard",
        state=MatchState.OVER,
        ply=plies,
        to_move=None,
        reason="put away after 30 days without a move",
        ended_at=NOW,
        seats=seated(*people),
    )


def blundered(players: int, plies: int) -> tuple[list[Entry], Review]:
    """Return a match in which every move is a blunder, and its review."""
    entries = [
        Entry(ply, (ply - 1) % players, EntryKind.MOVE, f"a1-b{ply % 9}-c3=d4", NOW) for ply in range(1, plies + 1)
    ]
    judged = [Judgement(number, number % players, 0.9, 0.1, f"f6-e5-d{number}", exact=False) for number in range(plies)]
    return entries, review_of(entries, players, None, judged)


@pytest.mark.parametrize("with_pictures", [True, False])
@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("tag", OFFERED)
def test_a_review_of_a_very_long_match_fits_a_message(tag: str, players: int, with_pictures: bool) -> None:
    people = [Person(-9, "somebody who left"), computer_player(5), *(Person(n, "*" * 32) for n in range(1, 5))]
    match = a_match(*people[:players], plies=300)
    entries, review = blundered(players, 300)
    boards = (Picture(b"", "d" * 1024, "1.png"), Picture(b"", "d" * 1024, "2.png"), "did", "does " * 20)
    chances = Picture(b"", "d", "chances.png") if with_pictures else None
    moments = [(move, boards if with_pictures else None) for move in review.moments()]
    with speaking(language(tag)):
        view = page(Reviewed(match, entries, review, (match,) * 300), chances, moments)
    assert view.content_length() <= 4000
    assert view.total_children_count <= 40
    said = "\n".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))
    assert f"{match.id}" in said
    if tag == ENGLISH.code:
        assert "and " in said
        assert "Positions from matches" in said


def test_what_the_chart_shows_is_said_in_words_a_line_for_each_player_of_more_than_two() -> None:
    _, two = blundered(2, 20)
    match = a_match(Person(1, "Alice"), Person(2, "Bob"), game="yonmoque", plies=20)
    drawn = chart(match, two)
    assert drawn is not None
    assert [one.name for one in drawn.series] == ["Blue"]
    assert [(note.at, note.label) for note in drawn.notes] == [
        (1, "1. a1-b1-c3=d4??"),
        (2, "2. a1-b2-c3=d4??"),
        (3, "3. a1-b3-c3=d4??"),
    ]
    assert in_words(drawn).startswith("Blue: 90% after move 0, ")
    assert in_words(drawn).endswith("It turned at 1. a1-b1-c3=d4??, 2. a1-b2-c3=d4??, 3. a1-b3-c3=d4??.")
    _, three = blundered(3, 20)
    match = a_match(*(Person(n, f"{n}") for n in range(3)), plies=20)
    drawn = chart(match, three)
    assert drawn is not None
    assert [one.name for one in drawn.series] == ["Player 1", "Player 2", "Player 3"]
    assert step_words(match, three, 1).endswith("Player 2's chance to win: 90%.")


def test_a_mark_is_said_with_the_better_move() -> None:
    _, review = blundered(2, 4)
    match = a_match(Person(1, "Alice"), Person(2, "Bob"), game="yonmoque", plies=4)
    assert remark(review.moves[0]) == "blunder, better: f6-e5-d0"
    assert step_words(match, review, 1) == (
        "**Blunder**: 10% instead of 90%. Better: **f6-e5-d0**. Blue's chance to win: 10%."
    )
    assert "25% or more is a blunder (??)" in marks_explained()


def test_a_match_without_anything_to_judge_says_so() -> None:
    match = a_match(Person(1, "Alice"), Person(2, "Bob"), game="yonmoque", plies=0)
    view = page(Reviewed(match, [], Review((), ((), ())), ()), None, [])
    assert messages.NOTHING in [
        item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay)
    ]


def test_a_review_says_of_how_many_positions_it_says_nothing_because_too_few_games_could_be_played_out() -> None:
    match = a_match(Person(1, "Alice"), Person(2, "Bob"), game="yonmoque", plies=1)
    for unclear, said in ((1, "1 position is left out: I couldn't"), (7, "7 positions are left out: I couldn't")):
        view = page(Reviewed(match, [], Review((), ((), ()), unclear), ()), None, [])
        texts = [item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay)]
        assert any(said in text for text in texts)
        assert messages.NOTHING not in texts
