"""Parts of scenarios: what people do in a line each, again and again until it has visibly happened.

People decide by what they see: what visibly happened they do not do again, a control that is still there they press.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

import aiohttp
import discord
from simcord.actors import MemberActor
from simcord.results import to_discord_message

from bot.games.game import split_text
from bot.matches.model.actor import Actor
from bot.storage.guilds import GuildSettings
from bot.storage.records import Person
from bot.views.answers import PROGRESS_INTERVAL
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
from tests.support.installed import GROUP, asking_from
from tests.support.simulated_discord import SimulatedDiscord, deny
from tests.web.browser import Browser

HOURS = 3600

Part = Callable[[SimulatedDiscord], Awaitable[None]]


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


def presses(who: str, label: str, match_id: int | None = 1) -> Part:
    """Return the part in which a person presses a button in the thread of a match, or in the channel."""

    async def part(sim: SimulatedDiscord) -> None:
        place_id = sim.channel.id if match_id is None else thread_of(sim, match_id)
        await press(sim, getattr(sim, who), place_id, label)

    return part


def plays(who: str, move: str, match_id: int | None = 1) -> Part:
    """Return the part in which a person plays a move from the newest board of a match, or of the channel."""
    return one_by_one(chooses(who, move, match_id), presses(who, "Play it", match_id))


def chooses(who: str, move: str, match_id: int | None = 1) -> Part:
    """Return the part in which a person chooses a move, and does not play it yet."""

    async def part(sim: SimulatedDiscord) -> None:
        place_id = sim.channel.id if match_id is None else thread_of(sim, match_id)
        await opened_builder(sim, getattr(sim, who), place_id, move)

    return part


def one_by_one(*parts: Part) -> Part:
    """Return the part that is made of others."""

    async def whole(sim: SimulatedDiscord) -> None:
        for part in parts:
            await part(sim)

    return whole


def unless(who: str, label: str, part: Part) -> Part:
    """Return the part that is left out once a person sees a button of this name in the thread."""

    async def left_out(sim: SimulatedDiscord) -> None:
        if newest_with(sim, getattr(sim, who), thread_of(sim), label) is None:
            await part(sim)

    return left_out


def played(plies: int) -> Part:
    """Return the part in which a match is begun and so many moves are played."""

    async def part(sim: SimulatedDiscord) -> None:
        await play(sim, await challenge_accepted(sim), *FINISHED[:plies])

    return part


async def bob_plans(sim: SimulatedDiscord) -> None:
    """Have Bob plan replies to the third move of the match and to the fifth."""
    bob, services = Person(sim.bob.id, "Bob"), sim.bot.context.services
    request = (Actor(sim.guild.id, bob, 1, services.clock()), 1, None)
    await services.plans.add(*request, 0, (), [*FINISHED[2:6]])


async def nothing(sim: SimulatedDiscord) -> None:
    pass


async def hours_pass(sim: SimulatedDiscord) -> None:
    await sim.env.advance_time(3 * HOURS)


async def challenge(sim: SimulatedDiscord) -> None:
    if not any(label == "Accept" for message in sim.messages() for label in labels(message)):
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")


async def one_day_a_move(sim: SimulatedDiscord) -> None:
    await play(sim, await challenge_accepted(sim, pace=24 * HOURS), *FINISHED[:2])


async def rematch_taken(sim: SimulatedDiscord) -> None:
    places = [sim.channel.id, *sim.env.backend.guilds[sim.guild.id].thread_ids]
    if not any("play:2:0" in custom_ids(message) for place in places for message in sim.messages(place)):
        await press(sim, sim.alice, thread_of(sim), "Rematch")


def without_grace(*, automatic: bool) -> Part:
    """Return the part of a match at one day a move on a server that gives no day away before a loss on time."""

    async def part(sim: SimulatedDiscord) -> None:
        settings = GuildSettings(automatic=automatic, grace=False)
        await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: settings)
        await one_day_a_move(sim)

    return part


def until(words: str) -> Part:
    """Return the part that waits for words in the thread, and fails without them.

    What a person cannot see has not come yet.
    """

    async def part(sim: SimulatedDiscord) -> None:
        for _ in range(10):
            if any(words in text_of(message) for message in sim.messages(thread_of(sim))):
                return
            await hours_pass(sim)
        raise AssertionError(f"30 hours without a message that says {words!r}")

    return part


async def choose_third_move(sim: SimulatedDiscord) -> None:
    board = newest_with(sim, sim.alice, thread_of(sim), "More")
    assert board is not None
    await sim.alice.slash(sim.place(thread_of(sim)), "preferences", confirm=True)
    builder = answer(await sim.alice.click(board, label="Play"))
    await build(sim.alice, builder, "b1", confirm=False)


async def lobby(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")


async def first_rectangle(sim: SimulatedDiscord) -> None:
    thread = thread_of(sim)
    await sim.alice.click(board_of(sim, thread), label="Play")
    await sim.alice.slash(sim.place(thread), "move", move="a1-b2")


async def preferences(sim: SimulatedDiscord) -> None:
    seen = [text_of(message) for message in seen_by(sim, sim.alice, thread_of(sim))]
    if not any("Your preferences" in text for text in seen):
        await sim.alice.slash(sim.place(thread_of(sim)), "preferences", theme="light", reminders=False)


async def ask_to_delete(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.place(thread_of(sim)), "privacy", action="delete")


async def challenge_the_bot(sim: SimulatedDiscord) -> None:
    terms = {"game": "yonmoque", "opponent": itself(sim), "level": 1, "first": "challenger"}
    await sim.alice.slash(sim.channel, "challenge", **terms)


async def review(sim: SimulatedDiscord) -> None:
    """Have Alice ask for a review until she sees one: hers may have died with the bot that made it."""
    for _ in range(3):
        if not any("### Review of" in text_of(message) for message in seen_by(sim, sim.alice, thread_of(sim))):
            await press(sim, sim.alice, thread_of(sim), "Review")
            await sim.env.advance_time(PROGRESS_INTERVAL)


async def start_cup(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: GuildSettings(cups=True))
    if cup_card(sim) is None:
        await sim.alice.slash(sim.channel, "cup", game="yonmoque", players=3)


def cup_card(sim: SimulatedDiscord) -> discord.Message | None:
    """Return the message of the first cup, if it is posted."""
    return next((message for message in sim.messages() if "cup:rules:1" in custom_ids(message)), None)


def joins_cup(*who: str) -> Part:
    """Return the part in which people join the first cup, those who have not."""

    async def part(sim: SimulatedDiscord) -> None:
        for name in who:
            person, card = getattr(sim, name), cup_card(sim)
            if card is not None and f"<@{person.id}>" not in text_of(card):
                await press(sim, person, sim.channel.id, "Join")

    return part


def resigns_in_cup(match_id: int) -> Part:
    """Return the part in which the player whose name comes last resigns a match of a cup, if it is running."""

    async def part(sim: SimulatedDiscord) -> None:
        thread_id = thread_of(sim, match_id)
        controls = [control for message in sim.messages(thread_id) for control in custom_ids(message)]
        if not controls:
            raise LookupError("the board is not posted yet")
        if any(control.startswith("play:") for control in controls):
            name = sim.place(thread_id).name
            playing = [one for one in (sim.alice, sim.bob, sim.carol) if one.name.title() in str(name)]
            loser = max(playing, key=lambda one: one.name)
            question = answer(await loser.slash(sim.place(thread_id), "match", action="resign"))
            if "Yes, resign" in labels(question.message):
                await loser.click(question, label="Yes, resign")

    return part


async def cup_again(sim: SimulatedDiscord) -> None:
    if not any("cup:rules:2" in custom_ids(message) for message in sim.messages()):
        if newest_with(sim, sim.bob, sim.channel.id, "Another cup") is None:
            raise LookupError("the final table is not posted yet")
        await press(sim, sim.bob, sim.channel.id, "Another cup")


def plays_on_page(who: str, move: str, request: UUID) -> Part:
    """Return the part in which a person opens the first match in a browser and plays a move, always as one request."""

    async def part(sim: SimulatedDiscord) -> None:
        connector = aiohttp.TCPConnector(force_close=True)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
            access = sim.bot.context.services.page_access
            window = Browser(sim.settings.page_url, lambda: access, sim.guild.id, http)
            await window.sign_in(getattr(sim, who))
            said = await window.move(*split_text(move), ply=2, request=str(request), confirmed=True)
        # Whatever became of an earlier try: it is not denied, and not done twice.
        assert said["came"] in ("done", "repeated"), said
        await sim.env.settle()

    return part


def outside(part: Part) -> Part:
    """Return a part whose interactions come from a group that the bot has no access to."""

    async def asked(sim: SimulatedDiscord) -> None:
        with asking_from(sim, GROUP):
            await part(sim)

    return asked


async def begun_outside(sim: SimulatedDiscord) -> None:
    deny(sim, sim.channel.id, view_channel=True)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", first="challenger")
    await press(sim, sim.bob, sim.channel.id, "Accept")
