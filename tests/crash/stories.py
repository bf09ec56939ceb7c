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
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    build,
    challenge_accepted,
    custom_ids,
    labels,
    opened_builder,
    play,
    text_of,
)

HOURS = 3600

Part = Callable[[Town], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Story:
    """``before`` nothing goes wrong; ``deed`` is what the bot dies of, and is tried again; ``after`` life goes on."""

    name: str
    before: Part
    deed: Part
    after: Part


def seen_by(town: Town, person: MemberActor, place_id: int) -> list[discord.Message]:
    """Return the messages one person sees in a place, oldest first, private ones included."""
    stored = town.env.backend.messages[place_id].values()
    return [to_discord_message(town.env, message) for message in stored if message.visible_to(person.id)]


def newest_with(town: Town, person: MemberActor, place_id: int, label: str) -> discord.Message | None:
    """Return the newest message a person sees that has a button of this name."""
    return next((message for message in reversed(seen_by(town, person, place_id)) if label in labels(message)), None)


def thread_of(town: Town, match_id: int = 1) -> int:
    """Return the thread of a match. Raises ``LookupError`` while there is none."""
    threads = [channel for channel in town.env.backend.channels.values() if channel.parent_id == town.channel.id]
    found = {(thread.name or "").rpartition("#")[2]: thread.id for thread in threads}
    return found[str(match_id)]


async def press(town: Town, person: MemberActor, place_id: int, label: str) -> None:
    """Press the newest button of this name a person sees, if there is one."""
    message = newest_with(town, person, place_id, label)
    if message is not None:
        await person.click(message, label=label)


async def play_by_builder(town: Town, person: MemberActor, place_id: int, move: str) -> None:
    """Play a move from the newest board."""
    await opened_builder(town, person, place_id, move)
    await press(town, person, place_id, f"Play {move}")


async def _play_until(town: Town, plies: int) -> None:
    await play(town, await challenge_accepted(town), *FINISHED[:plies])


async def _third_move_chosen(town: Town) -> None:
    await _play_until(town, 2)
    await opened_builder(town, town.alice, thread_of(town), "b1")


async def _third_move(town: Town) -> None:
    await press(town, town.alice, thread_of(town), "Play b1")


async def _fourth_move(town: Town) -> None:
    await play_by_builder(town, town.bob, thread_of(town), "b5")


async def _last_move_chosen(town: Town) -> None:
    await _play_until(town, len(FINISHED) - 1)
    await opened_builder(town, town.alice, thread_of(town), FINISHED[-1])


async def _last_move(town: Town) -> None:
    await press(town, town.alice, thread_of(town), f"Play {FINISHED[-1]}")


async def _rematch(town: Town) -> None:
    thread = thread_of(town)
    await press(town, town.bob, thread, "Rematch")
    await press(town, town.alice, thread, "Rematch")
    await play_by_builder(town, town.bob, thread_of(town, 2), "c3")


async def _nothing(town: Town) -> None:
    pass


async def _challenge(town: Town) -> None:
    if not any(label == "Accept" for message in town.messages() for label in labels(message)):
        await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob, first="challenger")


async def _accept(town: Town) -> None:
    await press(town, town.bob, town.channel.id, "Accept")


async def _first_move(town: Town) -> None:
    await play_by_builder(town, town.alice, thread_of(town), "a1")


async def _accept_and_play(town: Town) -> None:
    await _accept(town)
    await _first_move(town)


async def _cancel(town: Town) -> None:
    await press(town, town.alice, town.channel.id, "Cancel")


async def _asked_to_resign(town: Town) -> None:
    await _play_until(town, 2)
    thread = thread_of(town)
    await press(town, town.bob, thread, "More")
    await press(town, town.bob, thread, "Resign")


async def _resign(town: Town) -> None:
    await press(town, town.bob, thread_of(town), "Yes, resign")


async def _bob_at_more(town: Town) -> None:
    await _play_until(town, 2)
    await press(town, town.bob, thread_of(town), "More")


async def _offer_draw(town: Town) -> None:
    if newest_with(town, town.alice, thread_of(town), "Accept") is None:
        await press(town, town.bob, thread_of(town), "Offer a draw")


async def _draw_offered(town: Town) -> None:
    await _bob_at_more(town)
    await _offer_draw(town)


async def _takeback_asked(town: Town) -> None:
    await _bob_at_more(town)
    await press(town, town.bob, thread_of(town), "Ask to take back")


async def _agree(town: Town) -> None:
    await press(town, town.alice, thread_of(town), "Accept")


async def _other_second_move(town: Town) -> None:
    await play_by_builder(town, town.bob, thread_of(town), "c3")


async def _one_day_a_move(town: Town) -> None:
    await play(town, await challenge_accepted(town, pace=24 * HOURS), *FINISHED[:2])


async def _time_passes(town: Town) -> None:
    """Wait until the time of Alice's third move is up: reminded first, late then."""
    for _ in range(10):
        if newest_with(town, town.bob, thread_of(town), "Claim") is None:
            await town.env.advance_time(3 * HOURS)


async def _claim(town: Town) -> None:
    await press(town, town.bob, thread_of(town), "Claim")


async def _rematch_offered(town: Town) -> None:
    await _asked_to_resign(town)
    await _resign(town)
    await press(town, town.bob, thread_of(town), "Rematch")


async def _rematch_taken(town: Town) -> None:
    if not any("play:2:0" in custom_ids(message) for place in _places(town) for message in town.messages(place)):
        await press(town, town.alice, thread_of(town), "Rematch")


async def _rematch_played(town: Town) -> None:
    await play_by_builder(town, town.bob, thread_of(town, 2), "a1")


async def _ended_by_the_clock(town: Town) -> None:
    for _ in range(10):
        if newest_with(town, town.bob, thread_of(town), "Rematch") is None:
            await town.env.advance_time(3 * HOURS)


async def _time_ends_matches(town: Town) -> None:
    await town.bot.host.services.personal.settle(town.guild.id, GuildSettings(automatic=True))
    await _one_day_a_move(town)


async def _late(town: Town) -> None:
    await _one_day_a_move(town)
    await _time_passes(town)


async def _to_the_reminder(town: Town) -> None:
    """Wait until Alice is reminded of her third move: what a person cannot see has not come yet."""
    for _ in range(7):
        if not any("your time in" in text_of(message) for message in town.messages(thread_of(town))):
            await town.env.advance_time(3 * HOURS)


async def _reminded_with_a_move_chosen(town: Town) -> None:
    await _one_day_a_move(town)
    await _to_the_reminder(town)
    await _choose_third_move(town)


async def _choose_third_move(town: Town) -> None:
    board = newest_with(town, town.alice, thread_of(town), "More")
    assert board is not None
    builder = answer(await town.alice.click(board, label="Play"))
    await build(town.alice, builder, "b1", confirm=False)


async def _lobby(town: Town) -> None:
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=3, first="challenger")


async def _join(town: Town) -> None:
    await press(town, town.bob, town.channel.id, "Join")


async def _bob_joined(town: Town) -> None:
    await _lobby(town)
    await _join(town)


async def _leave(town: Town) -> None:
    await press(town, town.bob, town.channel.id, "Leave")


async def _start(town: Town) -> None:
    await press(town, town.alice, town.channel.id, "Start")


async def _carol_fills_the_lobby(town: Town) -> None:
    await press(town, town.carol, town.channel.id, "Join")
    await _first_rectangle(town)


async def _carol_takes_the_seat(town: Town) -> None:
    await press(town, town.carol, town.channel.id, "Join")
    await _start(town)
    await _first_rectangle(town)


async def _first_rectangle(town: Town) -> None:
    thread = thread_of(town)
    await town.alice.click(board_of(town, thread), label="Play")
    await town.alice.slash(town.place(thread), "move", move="a1-b2")


async def _ask_to_take_back(town: Town) -> None:
    if newest_with(town, town.alice, thread_of(town), "Accept") is None:
        await press(town, town.bob, thread_of(town), "Ask to take back")


async def _decline(town: Town) -> None:
    await press(town, town.alice, thread_of(town), "Decline")


async def _withdraw(town: Town) -> None:
    await press(town, town.bob, thread_of(town), "Withdraw")


async def _third_move_built(town: Town) -> None:
    await _choose_third_move(town)
    await _third_move(town)


async def _preferences(town: Town) -> None:
    seen = [text_of(message) for message in seen_by(town, town.alice, thread_of(town))]
    if not any("Your preferences" in text for text in seen):
        await town.alice.slash(town.place(thread_of(town)), "preferences", theme="light", reminders=False)


async def _asked_to_delete(town: Town) -> None:
    await _play_until(town, 2)
    await town.alice.slash(town.place(thread_of(town)), "privacy delete")


async def _delete(town: Town) -> None:
    await press(town, town.alice, thread_of(town), "Delete everything")


async def _nobody_to_play_with(town: Town) -> None:
    await press(town, town.bob, thread_of(town), "Rematch")


def _places(town: Town) -> list[int]:
    return [town.channel.id, *town.env.backend.guilds[town.guild.id].thread_ids]


STORIES = {
    story.name: story
    for story in (
        Story("a challenge", _nothing, _challenge, _accept_and_play),
        Story("its acceptance", _challenge, _accept, _first_move),
        Story("a move", _third_move_chosen, _third_move, _fourth_move),
        Story("the last move", _last_move_chosen, _last_move, _rematch),
        Story("a resignation", _asked_to_resign, _resign, _rematch),
        Story("a rematch", _rematch_offered, _rematch_taken, _rematch_played),
        Story("a challenge called off", _challenge, _cancel, _nothing),
        Story("the offer of a draw", _bob_at_more, _offer_draw, _agree),
        Story("an agreed draw", _draw_offered, _agree, _rematch),
        Story("a move taken back", _takeback_asked, _agree, _other_second_move),
        Story("time running out", _one_day_a_move, _time_passes, _claim),
        Story("a reminder", _one_day_a_move, _to_the_reminder, _third_move_built),
        Story("a move after a reminder", _reminded_with_a_move_chosen, _third_move, _fourth_move),
        Story("a claim", _late, _claim, _rematch),
        Story("an end by the clock", _time_ends_matches, _ended_by_the_clock, _rematch),
        Story("a seat taken", _lobby, _join, _carol_fills_the_lobby),
        Story("a seat given back", _bob_joined, _leave, _carol_takes_the_seat),
        Story("a lobby that starts", _bob_joined, _start, _first_rectangle),
        Story("a request to take back", _bob_at_more, _ask_to_take_back, _agree),
        Story("an offer declined", _draw_offered, _decline, _third_move_built),
        Story("an offer withdrawn", _draw_offered, _withdraw, _third_move_built),
        Story("preferences", _bob_at_more, _preferences, _third_move_built),
        Story("everything deleted", _asked_to_delete, _delete, _nobody_to_play_with),
    )
}
