"""Scenarios in which the bot dies: the acts of people before, the one act under way, and how they go on afterwards.

People decide by what they see: what visibly happened they do not do again, a control that is still there they press.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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
CUP_OF_EIGHT = "a cup of eight"
"""A scenario that is too long for the tests of all others; ``test_cup_of_eight`` samples it."""

Part = Callable[[SimulatedDiscord], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """``before`` nothing goes wrong; ``action`` is what the bot dies of, and is tried again; ``after`` life goes on."""

    name: str
    before: Part
    action: Part
    after: Part
    page: bool = False
    """Whether the bot serves the board page."""


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


def plays(who: str, move: str, match_id: int = 1) -> Part:
    """Return the part in which a person plays a move from the newest board of a match."""

    async def part(sim: SimulatedDiscord) -> None:
        await opened_builder(sim, getattr(sim, who), thread_of(sim, match_id), move)
        await press(sim, getattr(sim, who), thread_of(sim, match_id), "Play it")

    return part


def chooses(who: str, move: str) -> Part:
    """Return the part in which a person chooses a move, and does not play it yet."""

    async def part(sim: SimulatedDiscord) -> None:
        await opened_builder(sim, getattr(sim, who), thread_of(sim), move)

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


async def _bob_plans(sim: SimulatedDiscord) -> None:
    """Have Bob plan replies to the third move of the match and to the fifth."""
    bob, services = Person(sim.bob.id, "Bob"), sim.bot.context.services
    request = (Actor(sim.guild.id, bob, 1, services.clock()), 1, None)
    await services.plans.add(*request, 0, (), [*FINISHED[2:6]])


async def _nothing(sim: SimulatedDiscord) -> None:
    pass


async def _hours_pass(sim: SimulatedDiscord) -> None:
    await sim.env.advance_time(3 * HOURS)


async def _challenge(sim: SimulatedDiscord) -> None:
    if not any(label == "Accept" for message in sim.messages() for label in labels(message)):
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")


async def _one_day_a_move(sim: SimulatedDiscord) -> None:
    await play(sim, await challenge_accepted(sim, pace=24 * HOURS), *FINISHED[:2])


async def _rematch_taken(sim: SimulatedDiscord) -> None:
    places = [sim.channel.id, *sim.env.backend.guilds[sim.guild.id].thread_ids]
    if not any("play:2:0" in custom_ids(message) for place in places for message in sim.messages(place)):
        await press(sim, sim.alice, thread_of(sim), "Rematch")


def _without_grace(*, automatic: bool) -> Part:
    """Return the part of a match at one day a move on a server that gives no day away before a loss on time."""

    async def part(sim: SimulatedDiscord) -> None:
        settings = GuildSettings(automatic=automatic, grace=False)
        await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: settings)
        await _one_day_a_move(sim)

    return part


def until(words: str) -> Part:
    """Return the part that waits for words in the thread, and fails without them.

    What a person cannot see has not come yet.
    """

    async def part(sim: SimulatedDiscord) -> None:
        for _ in range(10):
            if any(words in text_of(message) for message in sim.messages(thread_of(sim))):
                return
            await _hours_pass(sim)
        raise AssertionError(f"30 hours without a message that says {words!r}")

    return part


async def _choose_third_move(sim: SimulatedDiscord) -> None:
    board = newest_with(sim, sim.alice, thread_of(sim), "More")
    assert board is not None
    await sim.alice.slash(sim.place(thread_of(sim)), "preferences", confirm=True)
    builder = answer(await sim.alice.click(board, label="Play"))
    await build(sim.alice, builder, "b1", confirm=False)


async def _lobby(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")


async def _first_rectangle(sim: SimulatedDiscord) -> None:
    thread = thread_of(sim)
    await sim.alice.click(board_of(sim, thread), label="Play")
    await sim.alice.slash(sim.place(thread), "move", move="a1-b2")


async def _preferences(sim: SimulatedDiscord) -> None:
    seen = [text_of(message) for message in seen_by(sim, sim.alice, thread_of(sim))]
    if not any("Your preferences" in text for text in seen):
        await sim.alice.slash(sim.place(thread_of(sim)), "preferences", theme="light", reminders=False)


async def _ask_to_delete(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.place(thread_of(sim)), "privacy", action="delete")


async def _challenge_the_bot(sim: SimulatedDiscord) -> None:
    terms = {"game": "yonmoque", "opponent": itself(sim), "level": 1, "first": "challenger"}
    await sim.alice.slash(sim.channel, "challenge", **terms)


async def _review(sim: SimulatedDiscord) -> None:
    """Have Alice ask for a review until she sees one: hers may have died with the bot that made it."""
    for _ in range(3):
        if not any("### Review of" in text_of(message) for message in seen_by(sim, sim.alice, thread_of(sim))):
            await press(sim, sim.alice, thread_of(sim), "Review")
            await sim.env.advance_time(PROGRESS_INTERVAL)


async def _start_cup(sim: SimulatedDiscord) -> None:
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
            playing = [one for one in (sim.alice, sim.bob, sim.carol, *sim.more) if one.name.title() in str(name)]
            loser = max(playing, key=lambda one: one.name)
            question = answer(await loser.slash(sim.place(thread_id), "match", action="resign"))
            if "Yes, resign" in labels(question.message):
                await loser.click(question, label="Yes, resign")

    return part


async def _cup_of_eight(sim: SimulatedDiscord) -> None:
    """Have eight people play a cup from where it stands to its end: a running match is one with a button to play."""
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: GuildSettings(cups=True))
    if cup_card(sim) is None:
        await sim.alice.slash(sim.channel, "cup", game="yonmoque")
    for person in (sim.bob, sim.carol, *sim.more):
        card = cup_card(sim)
        if card is not None and "cup:join:1" in custom_ids(card) and f"<@{person.id}>" not in text_of(card):
            await press(sim, person, sim.channel.id, "Join")
    for match_id in range(1, 29):
        await resigns_in_cup(match_id)(sim)


async def _cup_again(sim: SimulatedDiscord) -> None:
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


THIRD, LAST = presses("alice", "Play it"), presses("alice", "Play it")
THIRD_BUILT = one_by_one(_choose_third_move, THIRD)
MORE = one_by_one(played(2), presses("bob", "More"))
OFFER_DRAW = unless("alice", "Accept", presses("bob", "Offer a draw"))
TAKE_BACK = presses("bob", "Ask to take back")
AGREE = presses("alice", "Accept")
DRAW_OFFERED = one_by_one(MORE, OFFER_DRAW)
ASKED_TO_RESIGN, RESIGN = one_by_one(MORE, presses("bob", "Resign")), presses("bob", "Yes, resign")
ASK_REMATCH = presses("bob", "Rematch")
REMATCH = one_by_one(ASK_REMATCH, presses("alice", "Rematch"), plays("bob", "c3", 2))
UNTIL_LATE = one_by_one(*[unless("bob", "Claim", _hours_pass)] * 10)
"""The time of Alice's third move is up: reminded first, late then."""
TO_THE_REMINDER = until("your time in")
UNTIL_OVER = one_by_one(*[unless("bob", "Rematch", _hours_pass)] * 10)
REMINDED = one_by_one(_one_day_a_move, TO_THE_REMINDER, _choose_third_move)
CLAIM = presses("bob", "Claim")
ACCEPT, FIRST = presses("bob", "Accept", None), plays("alice", "a1")
JOIN, LEAVE, START = presses("bob", "Join", None), presses("bob", "Leave", None), presses("alice", "Start", None)
CAROL_JOINS = presses("carol", "Join", None)
JOINED = one_by_one(_lobby, JOIN)
CUP_BEGUN = one_by_one(_start_cup, joins_cup("bob", "carol"))
CUP_ALL_BUT_ONE = one_by_one(CUP_BEGUN, *map(resigns_in_cup, range(1, 6)))


def outside(part: Part) -> Part:
    """Return a part whose interactions come from a group that the bot has no access to."""

    async def asked(sim: SimulatedDiscord) -> None:
        with asking_from(sim, GROUP):
            await part(sim)

    return asked


async def _begun_outside(sim: SimulatedDiscord) -> None:
    deny(sim, sim.channel.id, view_channel=True)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", first="challenger")
    await press(sim, sim.bob, sim.channel.id, "Accept")


def builds_outside(who: str, move: str) -> Part:
    """Return the part in which a person chooses a move from the newest board of a group."""

    async def part(sim: SimulatedDiscord) -> None:
        await opened_builder(sim, getattr(sim, who), sim.channel.id, move)

    return part


PLAY_OUTSIDE = outside(presses("alice", "Play it", None))
ANSWER_OUTSIDE = outside(one_by_one(builds_outside("bob", "a5"), presses("bob", "Play it", None)))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("a challenge", _nothing, _challenge, one_by_one(ACCEPT, FIRST)),
        Scenario("its acceptance", _challenge, ACCEPT, FIRST),
        Scenario("a move", one_by_one(played(2), chooses("alice", "b1")), THIRD, plays("bob", "b5")),
        Scenario(
            "a move that a plan answers",
            one_by_one(played(2), _bob_plans, chooses("alice", "b1")),
            THIRD,
            one_by_one(plays("alice", "c1"), plays("alice", "e2")),
        ),
        Scenario(
            "a move on the page", played(2), plays_on_page("alice", "b1", UUID(int=1)), plays("bob", "b5"), page=True
        ),
        Scenario(
            "the last move",
            one_by_one(played(len(FINISHED) - 1), chooses("alice", FINISHED[-1])),
            LAST,
            REMATCH,
        ),
        Scenario("a resignation", ASKED_TO_RESIGN, RESIGN, REMATCH),
        Scenario("a rematch", one_by_one(ASKED_TO_RESIGN, RESIGN, ASK_REMATCH), _rematch_taken, plays("bob", "a1", 2)),
        Scenario(
            "a move in a group",
            outside(one_by_one(_begun_outside, builds_outside("alice", "a1"))),
            PLAY_OUTSIDE,
            ANSWER_OUTSIDE,
        ),
        Scenario("a challenge called off", _challenge, presses("alice", "Cancel", None), _nothing),
        Scenario("the offer of a draw", MORE, OFFER_DRAW, AGREE),
        Scenario("an agreed draw", DRAW_OFFERED, AGREE, REMATCH),
        Scenario("a move taken back", one_by_one(MORE, TAKE_BACK), AGREE, plays("bob", "c3")),
        Scenario("time running out", _without_grace(automatic=False), UNTIL_LATE, THIRD_BUILT),
        Scenario("a day away given", _one_day_a_move, until("one of their days away was used"), THIRD_BUILT),
        Scenario("a reminder", _one_day_a_move, TO_THE_REMINDER, THIRD_BUILT),
        Scenario("a move after a reminder", REMINDED, THIRD, plays("bob", "b5")),
        Scenario("a claim", one_by_one(_without_grace(automatic=False), UNTIL_LATE), CLAIM, REMATCH),
        Scenario("an end by the clock", _without_grace(automatic=True), UNTIL_OVER, REMATCH),
        Scenario("a seat taken", _lobby, JOIN, one_by_one(CAROL_JOINS, _first_rectangle)),
        Scenario("a seat given back", JOINED, LEAVE, one_by_one(CAROL_JOINS, START, _first_rectangle)),
        Scenario("a lobby that starts", JOINED, START, _first_rectangle),
        Scenario("a request to take back", MORE, unless("alice", "Accept", TAKE_BACK), AGREE),
        Scenario("an offer declined", DRAW_OFFERED, presses("alice", "Decline"), THIRD_BUILT),
        Scenario("an offer withdrawn", DRAW_OFFERED, presses("bob", "Withdraw"), THIRD_BUILT),
        Scenario("preferences", MORE, _preferences, THIRD_BUILT),
        Scenario(
            "a move against the bot",
            one_by_one(_challenge_the_bot, chooses("alice", "c3")),
            presses("alice", "Play it"),
            plays("alice", "e5"),
        ),
        Scenario("a review", played(len(FINISHED)), _review, REMATCH),
        Scenario("a cup", _nothing, _start_cup, joins_cup("bob")),
        Scenario("a cup that begins", one_by_one(_start_cup, joins_cup("bob")), joins_cup("carol"), resigns_in_cup(1)),
        Scenario("a result in a cup", CUP_BEGUN, resigns_in_cup(2), one_by_one(_hours_pass, resigns_in_cup(1))),
        Scenario("the last match of a cup", CUP_ALL_BUT_ONE, resigns_in_cup(6), _cup_again),
        Scenario(CUP_OF_EIGHT, _nothing, _cup_of_eight, _nothing),
        Scenario(
            "a cup started again",
            one_by_one(CUP_ALL_BUT_ONE, resigns_in_cup(6)),
            _cup_again,
            presses("carol", "Join", None),
        ),
        Scenario(
            "everything deleted",
            one_by_one(played(2), _ask_to_delete),
            presses("alice", "Delete everything"),
            ASK_REMATCH,
        ),
    )
}
