"""Reviews of matches, hints and steps from position to position, from the button to what is shown."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.matches.model import judging, match_record
from bot.messages import custom_ids
from bot.storage.records import Judgement
from bot.storage.reviews import StoredReview
from bot.views import answers
from bot.views import review as review_view
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    challenge_accepted,
    description_of,
    itself,
    labels,
    play,
    pressed,
    resign,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord


@pytest.mark.own_bot
async def test_a_review_is_shown_with_chart_moments_marks_and_steps_and_at_once_to_the_next(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    review = answer(await sim.alice.click(board_of(sim, thread), label="Review"))
    said = text_of(review.message)
    assert "### Review of Yonmoque · match 1" in said
    assert "Bob (White): accuracy **" in said
    assert "Where it turned" in said
    assert "it left their chance to win at" in said
    assert re.search(r"^Better: (Alice|Bob) (places|moves) .+\.$", said, re.MULTILINE)
    assert "Blue: " in description_of(review.message)
    boards = [file.filename for file in review.attachments]
    assert boards[0] == "chances.png"
    assert len(boards) in (3, 5, 7)
    again = answer(await sim.carol.slash(sim.place(thread), "match", action="review"))
    assert text_of(again.message) == said
    moment = next(label for label in labels(review.message) if label.startswith("Move "))
    steps = answer(await sim.alice.click(review, label=moment))
    assert "Better: **" in text_of(steps.message)
    assert "'s chance to win: " in text_of(steps.message)
    record = answer(await sim.alice.click(review, label="Export")).attachments[0]
    text = (await record.read()).decode()
    assert ", better: " in text
    assert match_record.read(text).game_state.ply == len(FINISHED)
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    in_words = answer(await sim.alice.slash(sim.channel, "match", action="review"))
    assert not in_words.attachments
    assert "Chances to win. Blue: " in text_of(in_words.message)


@pytest.mark.own_bot
async def test_how_far_a_review_is_stands_in_the_message_until_it_cannot_be_changed_any_more(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews, go_on = sim.bot.context.services.reviews, asyncio.Event()
    judge = reviews._judge

    async def held_up(stored: StoredReview, question: judging.PositionToJudge) -> Judgement:
        if question.number == 6:
            await sim.bot.idle(go_on.wait(), reason="held up")
        return await judge(stored, question)

    monkeypatch.setattr(reviews, "_judge", held_up)
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    board = board_of(sim, thread)
    watched = answer(await sim.bob.click(board, label="Review"))
    assert "0 of 9 positions" in text_of(watched.message)
    await sim.env.advance_time(answers.PROGRESS_INTERVAL)
    assert "2 of 9 positions" in text_of(watched.message)
    newer = answer(await sim.bob.click(watched, label="Show"))
    monkeypatch.setattr(review_view, "EPHEMERAL_LIFETIME", 0)
    late = answer(await sim.carol.click(board, label="Review"))
    await sim.env.advance_time(answers.PROGRESS_INTERVAL)
    assert "longer than I can keep" in text_of(late.message)
    go_on.set()
    await sim.env.advance_time(answers.PROGRESS_INTERVAL)
    assert "### Review of" in text_of(newer.message)
    assert "2 of 9 positions" in text_of(watched.message)
    assert "### Review of" in told(await sim.carol.click(late, label="Show"))


@pytest.mark.own_bot
async def test_hints_are_given_against_the_computer_and_in_matches_that_are_over(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    refused = await sim.alice.slash(sim.place(thread), "match", action="hint")
    assert "no hints in matches between people" in told(refused)
    assert "still being played" in told(await sim.alice.slash(sim.place(thread), "match", action="review", match=1))
    assert "Hint" not in labels(answer(await sim.alice.click(board_of(sim, thread), label="Play")).message)
    await play(sim, thread, "c3", "a1")
    await resign(sim.bob, sim.place(thread))
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")
    board = answer(await sim.alice.slash(sim.channel, "board", match=2))
    hint = answer(await sim.alice.click(board, label="Hint"))
    assert "Best: **Blue " in text_of(hint.message)
    assert "Best here: " in description_of(hint.message)
    alone = max(place.id for place in sim.bot.get_guild(sim.guild.id).threads)  # type: ignore[union-attr]
    builder = answer(await sim.alice.click(board_of(sim, alone), label="Play"))
    await sim.alice.click(builder, label="Hint")
    (best,) = [line for line in text_of(hint.message).splitlines() if line.startswith("Best: ")]
    assert best in text_of(builder.message)
    assert "Where do you place a piece" in text_of(builder.message)
    assert "Hint" not in labels(builder.message)
    await sim.alice.click(builder, label="Play it")
    assert "You played" in text_of(builder.message)
    assert "moved on" in told(await pressed(sim, sim.alice, builder, custom_ids.HINT(match=2, ply=0)))
    steps = answer(await sim.carol.slash(sim.place(thread), "match", action="replay", match=1))
    steps = answer(await sim.carol.click(steps, label="Step through"))
    await sim.carol.click(steps, label="Best move")
    assert "Best: **Blue " in text_of(steps.message)
    await sim.carol.click(steps, label="Next ▶")
    assert "**Move 1 of 3**" in text_of(steps.message)


async def test_the_bot_says_that_it_cannot_tell_the_best_move_where_playouts_are_too_few(sim: SimulatedDiscord) -> None:
    begun = await sim.alice.slash(
        sim.channel, "challenge", game="tic-tac-toe", opponent=itself(sim), level=1, first="challenger"
    )
    assert "is on" in told(begun)
    thread = max(thread.id for thread in sim.bot.get_guild(sim.guild.id).threads)  # type: ignore[union-attr]
    silent = "I can't see far enough from this position to say which move is best."
    assert told(await sim.alice.slash(sim.place(thread), "match", action="hint")) == silent


@pytest.mark.own_bot
async def test_a_finished_match_is_stepped_through_from_its_result_even_after_a_restart(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    replay = answer(await sim.carol.click(board_of(sim, thread), label="Replay"))
    steps = answer(await sim.carol.click(replay, label="Step through"))
    assert "**The beginning** of 9 moves." in text_of(steps.message)
    await sim.carol.click(steps, label="Next ▶")
    assert "**Move 1 of 9** · Alice " in text_of(steps.message)
    assert "Move 1 of 9 · Blue: a1" in description_of(steps.message)
    first = await steps.attachments[0].read()
    await sim.carol.click(steps, label="Flip the board")
    assert await steps.attachments[0].read() != first
    await sim.restart()
    await sim.carol.click(steps, label="Last")
    assert "Alice moves e2-d1." in text_of(steps.message)
    assert "Blue wins" in description_of(steps.message)
    await sim.carol.click(steps, label="As text")
    assert not steps.attachments
    assert "Move 9 of 9" in text_of(steps.message).split("```")[1]
    await sim.carol.click(steps, label="◀ Back")
    assert "**Move 8 of 9** · Bob " in text_of(steps.message)
    assert "```" in text_of(steps.message)


async def test_a_running_match_is_stepped_through_beside_its_replay_without_what_was_taken_back(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5", "b1")
    await sim.alice.slash(sim.place(thread), "match", action="takeback")
    await sim.bob.click(board_of(sim, thread), label="Accept")
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    replay = answer(await sim.alice.slash(sim.place(thread), "match", action="replay"))
    steps = answer(await sim.alice.click(replay, label="Step through"))
    assert "```" in text_of(steps.message)
    await sim.alice.click(steps, label="Last")
    assert "**Move 2 of 2** · Bob " in text_of(steps.message)
    assert "Last" in labels(steps.message)
    await play(sim, thread, "c1")
    await sim.alice.click(steps, label="First")
    assert "of 3 moves." in text_of(steps.message)
