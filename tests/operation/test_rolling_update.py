"""A bot that is told to stop hands over to one that stands by, while people go on as if nothing were."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from simcord.backend.models import Interaction, User

from bot.cluster.membership import Member
from bot.demo import interactions
from bot.storage.records import BotState
from bot.telemetry import metrics
from tests.operation.conftest import Start, standing_by
from tests.support.postgresql import needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.limited import Limited
from tests.support.processes.loopback import TEST_SECONDS, TOKEN
from tests.support.processes.playing import FINISHED, begun, moved_on, played
from tests.support.processes.processes import bot

pytestmark = [needs_postgresql, pytest.mark.timeout(300), pytest.mark.slow]

PAIRS = 4
"""How many pairs of people play at the same time."""
ASKED = 200
"""How much they ask for at least."""
NOT_DONE = ("restarting", "can't save", "went wrong", "too slow", "at once")
"""Words of answers by which something was not done."""


def contending() -> None:
    """Have a successor lose a claim before it is active, and win one before it is alone, however slow it is."""
    ready, until_alone = Member._ready, Member._until_alone

    async def after_a_claim(outcome: str) -> None:
        while not metrics.INTERACTION_CLAIMS.labels(outcome)._value.get():
            await asyncio.sleep(0.05)

    async def slowly(member: Member) -> BotState:
        await after_a_claim("lost")
        return await ready(member)

    async def not_yet_alone(member: Member, predecessor: int) -> None:
        await after_a_claim("won")
        await until_alone(member, predecessor)

    Member._ready = slowly  # type: ignore[method-assign, assignment]
    Member._until_alone = not_yet_alone  # type: ignore[method-assign, assignment]


class Witness(Limited):
    """A Discord with limits that counts how often the bots answer each interaction for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.callbacks: Counter[int] = Counter()

    async def admit(self, call: str) -> None:
        """Count an answer."""
        found = re.fullmatch(r"POST /interactions/(\d+)/[^/]+/callback", call)
        if found is not None:
            self.callbacks[int(found[1])] += 1
        await super().admit(call)


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[Witness]:
    """A Discord on the loopback interface."""
    loopback = Witness()
    await loopback.open()
    yield loopback
    await loopback.close()


@dataclass
class Pair:
    """Two people with a channel of their own, who play one match after the other in every way there is."""

    discord: Witness
    number: int
    asked: list[Interaction] = field(default_factory=list)
    matches: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.people = [self.discord.add_person(f"p{self.number}{side}", f"P {self.number} {side}") for side in "ab"]
        self.place = self.discord.backend.create_channel(self.discord.guild.id, f"games-{self.number}").id

    async def play(self, enough: asyncio.Event) -> None:
        """Begin matches and play them to their end until it is enough."""
        while not enough.is_set():
            match_id = await self._begun()
            for ply, move in enumerate(FINISHED):
                await (self._typed, self._through_form)[ply % 2](self.people[ply % 2], move, f"{match_id}:{ply}")
                await moved_on(self.discord, self.place, match_id, ply + 1)
                await asyncio.sleep(0.1)

    async def _begun(self) -> str:
        """Begin a match; return its number once the first board is there, which may come after those of the last."""
        one, other = self.people
        earlier = self.discord.controls(self.place)
        wanted = {"game": "yonmoque", "opponent": other, "first": "challenger"}
        await self._asked(self.discord.ask(one, self.place, "challenge", **wanted))
        card = await self.discord.control(self.place, r"challenge:accept:\d+", but=earlier)
        await self._asked(self.discord.press(other, self.place, card[0]))
        known = "|".join(self.matches) or "0"
        match_id = (await self.discord.control(self.place, rf"play:(?!(?:{known}):)(\d+):0"))[1]
        self.matches.add(match_id)
        return match_id

    async def _typed(self, person: User, move: str, _board: str) -> None:
        """Type a move into the command, looking at what is suggested meanwhile."""
        for end in range(len(move)):
            given = {"move": move[: end + 1]}
            record = interactions.suggestions(self.discord, person.id, self.place, ["move"], given, "move")
            await self._answered(record)
        await self._asked(self.discord.ask(person, self.place, "move", move=move))

    async def _through_form(self, person: User, move: str, board: str) -> None:
        """Press Play, and then Type, which opens a form."""
        await self._asked(self.discord.press(person, self.place, f"play:{board}"))
        control = await self.discord.control(self.place, f"b-type:{board}:.*")
        form = self.discord.press(person, self.place, control[0])
        await self._asked(form)
        await self._answered(interactions.form(self.discord, person.id, form, {"move": move}))

    async def _asked(self, interaction_id: int) -> None:
        await self._answered(self.discord.backend.interactions[interaction_id])

    async def _answered(self, record: Interaction) -> None:
        self.asked.append(record)
        said = await self.discord.answered(record.id)
        assert not any(words in said for words in NOT_DONE), said


async def counted(port: int, outcome: str) -> float:
    """Return how many interactions a bot has claimed, or lost to another, in a handover."""
    _, told = await page(port, "metrics")
    found = re.search(rf'tavoliere_interaction_claims_total{{outcome="{outcome}"}} (\S+)', told)
    return 0.0 if found is None else float(found[1])


async def test_people_play_all_through_two_updates_and_each_of_hundreds_of_interactions_is_answered_once(
    discord: Witness, bots: Start, server: str, port: int, tmp_path: Path
) -> None:
    starting = partial(bots, bound=contending, threads="false")
    first = await (await starting()).ready()
    second = await standing_by(starting(metrics_port=port))
    enough, pairs = asyncio.Event(), [Pair(discord, number) for number in range(PAIRS)]
    async with asyncio.timeout(2 * TEST_SECONDS), asyncio.TaskGroup() as playing:
        for pair in pairs:
            playing.create_task(pair.play(enough))
        await discord.until(lambda: all(len(pair.asked) > 5 for pair in pairs))
        assert await first.end() == 0
        await first.logged("handed over")
        await second.logged("predecessor gone")
        assert await counted(port, "won")
        assert await counted(port, "lost")
        third = await standing_by(starting())
        assert await second.end() == 0
        await third.logged("predecessor gone")
        await discord.until(lambda: sum(len(pair.asked) for pair in pairs) > ASKED)
        enough.set()
    records = [record for pair in pairs for record in pair.asked]
    kinds = Counter(record.type for record in records)
    assert all(kinds[kind] > 20 for kind in (2, 3, 4, 5)), kinds
    assert {record.id: discord.callbacks[record.id] for record in records} == {record.id: 1 for record in records}
    assert not discord.refused
    # Somebody served all the time, so no clock was given any back.
    assert not [line for line in second.lines + third.lines if "downtime credited" in line]
    for pair in pairs:
        # Matches that ended alike have the same card, once each.
        cards = [text for text in discord.posted(pair.place) if " beat <@" in text]
        posted = [text for text in discord.posted(pair.place) if text not in cards]
        assert len(cards) <= len(pair.matches), cards
        assert len(posted) == len(set(posted)), posted
    assert await third.end() == 0
    checked = await bot(tmp_path, "check", database_url=server, discord_token=TOKEN)
    assert checked.code == 0, checked.text


async def test_a_holder_serves_until_a_successor_is_ready_and_names_another_where_one_dies(
    discord: Witness, bots: Start, server: str, tmp_path: Path
) -> None:
    first = await (await bots()).ready()
    second, third = await standing_by(bots()), await standing_by(bots())
    place = await begun(discord)
    with discord.held("GET /gateway"):
        first.send(signal.SIGTERM)
        # The newest takes over; it does not get to be ready.
        await third.logged("connecting to succeed the active bot")
        await played(discord, place, "a1")
        shown = await bot(tmp_path, "status", "--json", database_url=server)
        assert '": "connecting"' in shown.text
        await third.end(signal.SIGKILL)
        await played(discord, place, "a5", begin=1)
        await second.logged("connecting to succeed the active bot")
    assert await first.ended() == 0
    await second.ready()
    await played(discord, place, "b1", begin=2)
    assert await second.end() == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_successor_serves_where_the_holder_dies_or_freezes_before_it_is_ready(
    discord: Witness, bots: Start, number: int
) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots())
    place = await begun(discord)
    with discord.held("GET /gateway"):
        first.send(signal.SIGTERM)
        await second.logged("connecting to succeed the active bot")
        first.send(number)
    await second.logged("active, after a handover")
    await played(discord, place, *FINISHED[:2])
    await second.logged("predecessor gone")
    # A holder that wakes up hears what it has missed, which is no longer its own.
    if number == signal.SIGSTOP:
        first.send(signal.SIGCONT)
    await first.ended()
    await played(discord, place, *FINISHED[2:], begin=2)
    assert set(discord.callbacks.values()) == {1}


async def test_a_second_signal_stops_a_holder_at_once(discord: Witness, bots: Start) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots())
    with discord.held("GET /gateway"):
        first.send(signal.SIGTERM)
        await second.logged("connecting to succeed the active bot")
        assert await first.end() == 0
    assert not first.told(lambda line: line["event"] == "handed over")
    await second.ready()
