"""What people are doing when the bot dies: what came before, the one thing done, and how they go on afterwards.

People decide by what they see: what visibly happened they do not do again, a control that is still there they press.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord
from simcord.actors import MemberActor
from simcord.results import to_discord_message

from bot.storage.records import GuildSettings
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    build,
    challenge_accepted,
    custom_ids,
    itself,
    labels,
    opened_builder,
    play,
    text_of,
)
from tests.support.simulated_discord import SimulatedDiscord

HOURS = 3600

Part = Callable[[SimulatedDiscord], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """``before`` nothing goes wrong; ``action`` is what the bot dies of, and is tried again; ``after`` life goes on."""

    name: str
    before: Part
    action: Part
    after: Part


def seen_by(sim: SimulatedDiscord, person: MemberActor, place_id: int) -> list[discord.Message]:
    """Return the messages one person sees in a place, oldest first, private ones included."""
    stored = sim.env.backend.messages[place_id].values()
    return [to_discord_message(sim.env, message) for message in stored if message.visible_to(person.id)]


def newest_with(sim: SimulatedDiscord, person: MemberActor, place_id: int, label: str) -> discord.Message | None:
    """Return the newest message a person sees that has a button of this name."""
    return next((message for message in reversed(seen_by(sim, person, place_id)) if label in labels(message)), None)


def thread_of(sim: SimulatedDiscord, match_id: int = 1) -> int:
    """Return the thread of a match. Raises ``LookupError`` while there is none."""
    threads = [channel for channel in sim.env.backend.channels.values() if channel.parent_id == sim.channel.id]
    found = {(thread.name or "").rpartition("#")[2]: thread.id for thread in threads}
    return found[str(match_id)]


async def press(sim: SimulatedDiscord, person: MemberActor, place_id: int, label: str) -> None:
    """Press the newest button of this name a person sees, if there is one."""
    message = newest_with(sim, person, place_id, label)
    if message is not None:
        await person.click(message, label=label)


async def play_by_builder(sim: SimulatedDiscord, person: MemberActor, place_id: int, move: str) -> None:
    """Play a move from the newest board."""
    await opened_builder(sim, person, place_id, move)
    await press(sim, person, place_id, f"Play {move}")


async def _play_until(sim: SimulatedDiscord, plies: int) -> None:
    await play(sim, await challenge_accepted(sim), *FINISHED[:plies])


async def _third_move_chosen(sim: SimulatedDiscord) -> None:
    await _play_until(sim, 2)
    await opened_builder(sim, sim.alice, thread_of(sim), "b1")


async def _third_move(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), "Play b1")


async def _fourth_move(sim: SimulatedDiscord) -> None:
    await play_by_builder(sim, sim.bob, thread_of(sim), "b5")


async def _last_move_chosen(sim: SimulatedDiscord) -> None:
    await _play_until(sim, len(FINISHED) - 1)
    await opened_builder(sim, sim.alice, thread_of(sim), FINISHED[-1])


async def _last_move(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), f"Play {FINISHED[-1]}")


async def _rematch(sim: SimulatedDiscord) -> None:
    thread = thread_of(sim)
    await press(sim, sim.bob, thread, "Rematch")
    await press(sim, sim.alice, thread, "Rematch")
    await play_by_builder(sim, sim.bob, thread_of(sim, 2), "c3")


async def _nothing(sim: SimulatedDiscord) -> None:
    pass


async def _challenge(sim: SimulatedDiscord) -> None:
    if not any(label == "Accept" for message in sim.messages() for label in labels(message)):
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")


async def _accept(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, sim.channel.id, "Accept")


async def _first_move(sim: SimulatedDiscord) -> None:
    await play_by_builder(sim, sim.alice, thread_of(sim), "a1")


async def _accept_and_play(sim: SimulatedDiscord) -> None:
    await _accept(sim)
    await _first_move(sim)


async def _cancel(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, sim.channel.id, "Cancel")


async def _asked_to_resign(sim: SimulatedDiscord) -> None:
    await _play_until(sim, 2)
    thread = thread_of(sim)
    await press(sim, sim.bob, thread, "More")
    await press(sim, sim.bob, thread, "Resign")


async def _resign(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, thread_of(sim), "Yes, resign")


async def _bob_at_more(sim: SimulatedDiscord) -> None:
    await _play_until(sim, 2)
    await press(sim, sim.bob, thread_of(sim), "More")


async def _offer_draw(sim: SimulatedDiscord) -> None:
    if newest_with(sim, sim.alice, thread_of(sim), "Accept") is None:
        await press(sim, sim.bob, thread_of(sim), "Offer a draw")


async def _draw_offered(sim: SimulatedDiscord) -> None:
    await _bob_at_more(sim)
    await _offer_draw(sim)


async def _takeback_asked(sim: SimulatedDiscord) -> None:
    await _bob_at_more(sim)
    await press(sim, sim.bob, thread_of(sim), "Ask to take back")


async def _agree(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), "Accept")


async def _other_second_move(sim: SimulatedDiscord) -> None:
    await play_by_builder(sim, sim.bob, thread_of(sim), "c3")


async def _one_day_a_move(sim: SimulatedDiscord) -> None:
    await play(sim, await challenge_accepted(sim, pace=24 * HOURS), *FINISHED[:2])


async def _time_passes(sim: SimulatedDiscord) -> None:
    """Wait until the time of Alice's third move is up: reminded first, late then."""
    for _ in range(10):
        if newest_with(sim, sim.bob, thread_of(sim), "Claim") is None:
            await sim.env.advance_time(3 * HOURS)


async def _claim(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, thread_of(sim), "Claim")


async def _rematch_offered(sim: SimulatedDiscord) -> None:
    await _asked_to_resign(sim)
    await _resign(sim)
    await press(sim, sim.bob, thread_of(sim), "Rematch")


async def _rematch_taken(sim: SimulatedDiscord) -> None:
    if not any("play:2:0" in custom_ids(message) for place in _places(sim) for message in sim.messages(place)):
        await press(sim, sim.alice, thread_of(sim), "Rematch")


async def _rematch_played(sim: SimulatedDiscord) -> None:
    await play_by_builder(sim, sim.bob, thread_of(sim, 2), "a1")


async def _ended_by_the_clock(sim: SimulatedDiscord) -> None:
    for _ in range(10):
        if newest_with(sim, sim.bob, thread_of(sim), "Rematch") is None:
            await sim.env.advance_time(3 * HOURS)


async def _time_ends_matches(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: GuildSettings(automatic=True))
    await _one_day_a_move(sim)


async def _late(sim: SimulatedDiscord) -> None:
    await _one_day_a_move(sim)
    await _time_passes(sim)


async def _to_the_reminder(sim: SimulatedDiscord) -> None:
    """Wait until Alice is reminded of her third move: what a person cannot see has not come yet."""
    for _ in range(7):
        if not any("your time in" in text_of(message) for message in sim.messages(thread_of(sim))):
            await sim.env.advance_time(3 * HOURS)


async def _reminded_with_a_move_chosen(sim: SimulatedDiscord) -> None:
    await _one_day_a_move(sim)
    await _to_the_reminder(sim)
    await _choose_third_move(sim)


async def _choose_third_move(sim: SimulatedDiscord) -> None:
    board = newest_with(sim, sim.alice, thread_of(sim), "More")
    assert board is not None
    await sim.alice.slash(sim.place(thread_of(sim)), "preferences", confirm=True)
    builder = answer(await sim.alice.click(board, label="Play"))
    await build(sim.alice, builder, "b1", confirm=False)


async def _lobby(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")


async def _join(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, sim.channel.id, "Join")


async def _bob_joined(sim: SimulatedDiscord) -> None:
    await _lobby(sim)
    await _join(sim)


async def _leave(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, sim.channel.id, "Leave")


async def _start(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, sim.channel.id, "Start")


async def _carol_fills_the_lobby(sim: SimulatedDiscord) -> None:
    await press(sim, sim.carol, sim.channel.id, "Join")
    await _first_rectangle(sim)


async def _carol_takes_the_seat(sim: SimulatedDiscord) -> None:
    await press(sim, sim.carol, sim.channel.id, "Join")
    await _start(sim)
    await _first_rectangle(sim)


async def _first_rectangle(sim: SimulatedDiscord) -> None:
    thread = thread_of(sim)
    await sim.alice.click(board_of(sim, thread), label="Play")
    await sim.alice.slash(sim.place(thread), "move", move="a1-b2")


async def _ask_to_take_back(sim: SimulatedDiscord) -> None:
    if newest_with(sim, sim.alice, thread_of(sim), "Accept") is None:
        await press(sim, sim.bob, thread_of(sim), "Ask to take back")


async def _decline(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), "Decline")


async def _withdraw(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, thread_of(sim), "Withdraw")


async def _third_move_built(sim: SimulatedDiscord) -> None:
    await _choose_third_move(sim)
    await _third_move(sim)


async def _preferences(sim: SimulatedDiscord) -> None:
    seen = [text_of(message) for message in seen_by(sim, sim.alice, thread_of(sim))]
    if not any("Your preferences" in text for text in seen):
        await sim.alice.slash(sim.place(thread_of(sim)), "preferences", theme="light", reminders=False)


async def _asked_to_delete(sim: SimulatedDiscord) -> None:
    await _play_until(sim, 2)
    await sim.alice.slash(sim.place(thread_of(sim)), "privacy delete")


async def _delete(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), "Delete everything")


async def _nobody_to_play_with(sim: SimulatedDiscord) -> None:
    await press(sim, sim.bob, thread_of(sim), "Rematch")


async def _move_against_the_bot_chosen(sim: SimulatedDiscord) -> None:
    terms = {"game": "yonmoque", "opponent": itself(sim), "level": 1, "first": "challenger"}
    await sim.alice.slash(sim.channel, "challenge", **terms)
    await opened_builder(sim, sim.alice, thread_of(sim), "c3")


async def _move_against_the_bot(sim: SimulatedDiscord) -> None:
    await press(sim, sim.alice, thread_of(sim), "Play c3")


async def _next_move_against_the_bot(sim: SimulatedDiscord) -> None:
    await play_by_builder(sim, sim.alice, thread_of(sim), "e5")


def _places(sim: SimulatedDiscord) -> list[int]:
    return [sim.channel.id, *sim.env.backend.guilds[sim.guild.id].thread_ids]


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("a challenge", _nothing, _challenge, _accept_and_play),
        Scenario("its acceptance", _challenge, _accept, _first_move),
        Scenario("a move", _third_move_chosen, _third_move, _fourth_move),
        Scenario("the last move", _last_move_chosen, _last_move, _rematch),
        Scenario("a resignation", _asked_to_resign, _resign, _rematch),
        Scenario("a rematch", _rematch_offered, _rematch_taken, _rematch_played),
        Scenario("a challenge called off", _challenge, _cancel, _nothing),
        Scenario("the offer of a draw", _bob_at_more, _offer_draw, _agree),
        Scenario("an agreed draw", _draw_offered, _agree, _rematch),
        Scenario("a move taken back", _takeback_asked, _agree, _other_second_move),
        Scenario("time running out", _one_day_a_move, _time_passes, _claim),
        Scenario("a reminder", _one_day_a_move, _to_the_reminder, _third_move_built),
        Scenario("a move after a reminder", _reminded_with_a_move_chosen, _third_move, _fourth_move),
        Scenario("a claim", _late, _claim, _rematch),
        Scenario("an end by the clock", _time_ends_matches, _ended_by_the_clock, _rematch),
        Scenario("a seat taken", _lobby, _join, _carol_fills_the_lobby),
        Scenario("a seat given back", _bob_joined, _leave, _carol_takes_the_seat),
        Scenario("a lobby that starts", _bob_joined, _start, _first_rectangle),
        Scenario("a request to take back", _bob_at_more, _ask_to_take_back, _agree),
        Scenario("an offer declined", _draw_offered, _decline, _third_move_built),
        Scenario("an offer withdrawn", _draw_offered, _withdraw, _third_move_built),
        Scenario("preferences", _bob_at_more, _preferences, _third_move_built),
        Scenario(
            "a move against the bot", _move_against_the_bot_chosen, _move_against_the_bot, _next_move_against_the_bot
        ),
        Scenario("everything deleted", _asked_to_delete, _delete, _nobody_to_play_with),
    )
}
