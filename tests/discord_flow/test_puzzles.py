"""Puzzles in Discord: solved in the builder, explained, shared, posted every day."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult, ResponseMessage

from bot.games import GAMES
from bot.games.game import split_text
from bot.games.puzzles import Task, TaskKind
from bot.games.puzzles import puzzles as known_puzzles
from bot.matches.services.puzzles import PuzzleView
from bot.storage import puzzles
from bot.storage.puzzles import PuzzleAttempt
from bot.views import builder_ids
from tests.support.acting import answer, at_once, labels, pressed, share, text_of, told
from tests.support.simulated_discord import SimulatedDiscord, give_management, regrant, without
from tests.support.stored import DAY

GAME = "rectangles"
REDTANGLE = GAMES["redtangle"]


async def attempts(sim: SimulatedDiscord, person: MemberActor) -> list[PuzzleAttempt]:
    return await sim.bot.context.services.read(puzzles.attempts_of, person.id)


async def tried(sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage, text: str) -> InteractionResult:
    """Have a person play a whole move in the builder of the puzzle they began last."""
    attempt = (await attempts(sim, person))[-1]
    custom_id = builder_ids.PUZZLE_BUILDER("play", attempt.id, attempt.ply, 0, split_text(text))
    return await pressed(sim, person, message, custom_id)


async def solution(sim: SimulatedDiscord, person: MemberActor) -> tuple[str, ...]:
    attempt = (await attempts(sim, person))[-1]
    return (await sim.bot.context.services.puzzles.view(person.id, attempt.id)).puzzle.solution


async def solved(sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage) -> None:
    for move in (await solution(sim, person))[::2]:
        await tried(sim, person, message, move)


def dailies(sim: SimulatedDiscord) -> list[discord.Message]:
    return [message for message in sim.messages() if "Puzzle of the day" in text_of(message)]


@pytest.mark.own_bot
async def test_a_puzzle_is_tried_wrongly_given_back_after_a_restart_and_solved(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=GAME))
    assert shown.ephemeral
    assert shown.attachments
    assert "Puzzle · Rectangles of Distinction" in text_of(shown.message)
    assert {"Type", "Give up"} <= set(labels(shown.message))
    await tried(sim, sim.alice, shown, "stuck")
    assert "**stuck** isn't it. Wrong tries: 1." in text_of(shown.message)
    await sim.restart()
    again = answer(await sim.alice.slash(sim.channel, "puzzle"))
    await solved(sim, sim.alice, again)
    words = text_of(again.message)
    assert "Solved after 1 wrong try 🟥🟩" in words
    assert "0 of 1 at the first try" in words
    plies = len(await solution(sim, sim.alice))
    assert len(again.message.attachments) == plies
    assert labels(again.message) == ["Share", "Next puzzle"]
    await share(sim.alice, again)
    shared = sim.messages()[-1]
    assert "🟥🟩" in text_of(shared)
    assert not any(move in text_of(shared) for move in await solution(sim, sim.alice))
    own = answer(await sim.bob.click(shared, label="Try it"))
    assert own.ephemeral
    assert (await attempts(sim, sim.bob))[0].puzzle == (await attempts(sim, sim.alice))[0].puzzle
    assert "Puzzles, in every server: " in text_of(
        answer(await sim.bob.slash(sim.channel, "profile", person=sim.alice)).message
    )
    following = answer(await sim.alice.click(again, label="Next puzzle"))
    assert text_of(following.message) != words
    assert "for somebody else" in told(await tried_by_another(sim, own))


async def tried_by_another(sim: SimulatedDiscord, message: ResponseMessage) -> InteractionResult:
    attempt = (await attempts(sim, sim.alice))[-1]
    custom_id = builder_ids.PUZZLE_BUILDER("play", attempt.id, 0, 0, ("stuck",))
    return await pressed(sim, sim.bob, message, custom_id)


async def test_a_puzzle_is_given_up_after_a_question_and_a_guess_in_the_builder_counts(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=GAME))
    assert not shown.attachments
    await sim.alice.click(shown, label="Give up")
    assert "counts as not solved" in text_of(shown.message)
    await sim.alice.click(shown, label="Keep trying")
    assert "First corner?" in text_of(shown.message)
    await sim.alice.click(shown, label="Give up")
    await sim.alice.click(shown, label="Show the solution")
    assert "The solution" in text_of(shown.message)
    assert "```" in text_of(shown.message)
    assert labels(shown.message) == ["Next puzzle"]
    while (view := await begun(sim)).puzzle.task.kind is not TaskKind.FIND:
        await sim.bot.context.services.puzzles.show(sim.alice.id, view.attempt.id, view.attempt.id)
    guess = view.puzzle.position.split()[5].split(",")[0].split(":")[1]
    first, rest = guess.split("-", 1)
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=GAME))
    assert "stuck" not in str(shown.message.components)
    custom_id = builder_ids.PUZZLE_BUILDER("pick", view.attempt.id, 0, 0, split_text(f"{first}-{rest}"))
    await pressed(sim, sim.alice, shown, custom_id)
    assert "isn't it" in text_of(shown.message)
    assert "Wrong tries: 1." in text_of(shown.message)


async def test_nothing_is_said_to_be_shared_where_the_bot_may_not_post(sim: SimulatedDiscord) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=GAME))
    await solved(sim, sim.alice, shown)
    regrant(sim, without("send_messages"))
    assert "without the permission Send Messages." in await share(sim.alice, shown)
    regrant(sim, without())
    await share(sim.alice, shown)
    assert labels(sim.messages()[-1]) == ["Try it"]


async def test_whoever_presses_twice_sees_what_the_first_press_did(sim: SimulatedDiscord) -> None:
    while (view := await begun(sim)).puzzle.task != Task(TaskKind.WIN, 2):
        await sim.bot.context.services.puzzles.show(sim.alice.id, view.attempt.id, view.attempt.id)
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=GAME))
    for ply, move in enumerate(view.puzzle.solution[::2]):
        plays = builder_ids.PUZZLE_BUILDER("play", view.attempt.id, 2 * ply, 0, split_text(move))
        for _ in range(2):
            await pressed(sim, sim.alice, shown, plays)
            assert ("Solved at the first try" if ply else "is right. They reply") in text_of(shown.message)
    late = builder_ids.PUZZLE_BUILDER("play", view.attempt.id, 0, 0, ("stuck",))
    await pressed(sim, sim.alice, shown, late)
    assert labels(shown.message) == ["Share", "Next puzzle"]


async def begun(sim: SimulatedDiscord) -> PuzzleView:
    return await sim.bot.context.services.puzzles.begin(sim.alice.id, GAME)


@pytest.mark.own_bot
async def test_the_puzzle_of_the_day_is_posted_solved_counted_and_answered(sim: SimulatedDiscord) -> None:
    manager = sim.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    dora = sim.guild.add_member(sim.env.create_user("dora"), roles=[manager])
    suggested = await dora.autocomplete(sim.channel, "settings", "puzzle_zone", "rome")
    assert [choice["value"] for choice in suggested] == ["Europe/Rome"]
    assert "Choose the channel" in told(await dora.slash(sim.channel, "settings", puzzle_hour=9))
    options = {"puzzle_channel": sim.channel, "puzzle_hour": 9, "puzzle_zone": "Europe/Rome"}
    assert "at **9:00**, Europe/Rome" in told(await dora.slash(sim.channel, "settings", **options))
    await sim.env.advance_time(DAY)
    (post,) = dailies(sim)
    assert post.attachments
    assert "nobody has solved it yet" in text_of(post)
    pressing = (sim.alice.click(post, label="Solve"), sim.bob.click(post, label="Solve"))
    mine, _ = [answer(result) for result in await at_once(sim, *pressing)]
    await sim.env.advance_time(60)
    await solved(sim, sim.alice, mine)
    assert "Solved at the first try" in text_of(mine.message)
    assert "1 day in a row" in text_of(mine.message)
    assert "nobody has solved it yet" in text_of(dailies(sim)[0])
    await sim.env.advance_time(120)
    assert "solved by 1" in text_of(dailies(sim)[0])
    # Who opens it later and takes less time is the fastest, wherever they live.
    await solved(sim, sim.carol, answer(await sim.carol.click(post, label="Solve")))
    moves = (await solution(sim, sim.alice))[0]
    await sim.env.advance_time(DAY - 180)
    _, following = dailies(sim)
    assert f"**{moves}**" in text_of(following)
    assert f"Fastest of 2: <@{sim.carol.id}>, 1 second after opening it." in text_of(following)
    old, _ = dailies(sim)
    assert "The answer is out. You can still try, but it no longer counts." in text_of(old)
    assert labels(old) == ["Try it"]
    assert labels(following) == ["Solve"]
    late = answer(await dora.click(old, label="Try it"))
    assert "this puzzle doesn't count" in text_of(late.message)
    await solved(sim, dora, late)
    assert "Solved at the first try" in text_of(late.message)
    assert "Your puzzles" not in text_of(late.message), "no rating, no streak"
    assert "solved by 2" in text_of(dailies(sim)[0])


@pytest.mark.own_bot
async def test_a_share_of_the_puzzle_of_the_day_is_one_line_that_spoils_nothing(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    await sim.env.advance_time(DAY)
    mine = answer(await sim.alice.click(dailies(sim)[0], label="Solve"))
    await solved(sim, sim.alice, mine)
    await share(sim.alice, mine)
    shared = sim.messages()[-1]
    assert "**Alice** solved the puzzle of" in text_of(shared)
    assert "\n" not in text_of(shared).strip()
    assert not shared.attachments
    assert labels(shared) == ["Try it"]
    assert "Puzzle ·" in text_of(answer(await sim.bob.click(shared, label="Try it")).message)


async def test_the_longest_solution_fits_a_message_in_letters(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    service, length = sim.bot.context.services.puzzles, max(len(one.solution) for one in known_puzzles(REDTANGLE))
    while len((view := await service.begin(sim.alice.id, REDTANGLE.key)).puzzle.solution) < length:
        await service.show(sim.alice.id, view.attempt.id, view.attempt.id)
    shown = answer(await sim.alice.slash(sim.channel, "puzzle", game=REDTANGLE.key))
    await sim.alice.click(shown, label="Give up")
    await sim.alice.click(shown, label="Show the solution")
    words = text_of(shown.message)
    assert "The solution" in words
    assert words.count("```") == length + 1
    assert all(f"\n{ply}\\. " in words for ply in range(1, length + 1))
