"""What people are doing when the bot dies: what came before, the one thing done, and how they go on afterwards.

People decide by what they see: what visibly happened they do not do again, a control that is still there they press.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord
from simcord.actors import MemberActor
from simcord.results import to_discord_message

from tests.conftest import Town
from tests.discord_flow.acting import FINISHED, challenge_accepted, custom_ids, labels, opened_builder, play

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
    )
}
