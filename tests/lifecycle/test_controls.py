"""Every button and menu, pressed as it should not be: twice, too late, after a restart, by strangers, elsewhere."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage
from sqlalchemy import Table, delete, select, update

from bot.storage import tables
from bot.storage.contest_states import CupState
from bot.views.controls import CONTROLS
from tests.lifecycle.controls import ACTING, CASES, SHOWING, Case, custom_id, situation
from tests.lifecycle.situations import last_ids
from tests.support.acting import answer, at_once, pings, pressed, text_of
from tests.support.elsewhere import Elsewhere, another_server
from tests.support.sampled import each, sampled_together
from tests.support.simulated_discord import SimulatedDiscord, in_new_server

QUICK = 50
"""The quick tests try one of so many cases."""
Mark = dict[str, int]
_KEPT: dict[Table, tuple[str, tuple[str, ...]]] = {
    tables.challenges: ("challenge", ("id", "state", "match_id", "levels")),
    tables.challenge_players: ("challenge", ("challenge_id", "user_id")),
    tables.matches: ("match", ("id", "state", "ply", "to_move", "reason")),
    tables.seats: ("match", ("match_id", "seat", "user_id", "dropped", "won")),
    tables.moves: ("match", ("match_id", "ply", "seat", "kind", "text")),
    tables.offers: ("offer", ("id", "kind", "seat", "state")),
    tables.puzzle_attempts: ("attempt", ("id", "user_id", "state", "ply", "wrong")),
    tables.outbox: ("outbox_message", ("id", "kind", "state")),
    tables.cups: ("cup", ("id", "state")),
    tables.cup_players: ("cup", ("cup_id", "user_id", "number", "withdrawal")),
}
"""The columns that are compared, and the object whose number the first column holds."""


@pytest.fixture(autouse=True)
def order_of_joining(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no lots, so that cups can be compared."""
    monkeypatch.setattr("bot.matches.services.cups.Random.shuffle", lambda _lots, _order: None)


def people(sim: SimulatedDiscord) -> dict[int, str]:
    return {person.id: person.name for person in (sim.alice, sim.bob, sim.carol)}


async def marked(sim: SimulatedDiscord) -> Mark:
    """Return how far everything has come."""
    notified = {person.name: pings(sim, person) for person in (sim.alice, sim.bob, sim.carol)}
    return await last_ids(sim) | notified


async def happened(sim: SimulatedDiscord, since: Mark) -> dict[str, Any]:
    """Return all that has come of what people did since then, whatever numbers it was given."""
    now = await marked(sim)
    found: dict[str, Any] = {"notified": {name: now[name] - since[name] for name in people(sim).values()}}
    async with sim.bot.context.services.database.read() as tx:
        for table, (numbered, columns) in _KEPT.items():
            first, *others = (table.c[column] for column in columns)
            rows = [row._mapping for row in await tx.execute(select(first, *others).where(first > since[numbered]))]
            for_all = [{**row, first.name: row[first.name] - since[numbered]} for row in rows]
            for row in for_all:
                if "user_id" in row:
                    row["user_id"] = people(sim).get(row["user_id"], "nobody")
                if row.get("match_id") is not None and numbered != "match":
                    row["match_id"] -= since["match"]
                if table is tables.outbox:
                    del row["id"]
            found[table.name] = sorted(for_all, key=repr)
    by_computers = {(row["match_id"], row["seat"]) for row in found["seats"] if row["user_id"] == "nobody"}
    for row in found["moves"]:
        if (row["match_id"], row["seat"]) in by_computers:
            del row["text"]  # a computer player chooses among set-ups by lot
    return found


async def begin_afresh(sim: SimulatedDiscord) -> None:
    """End all cups and forget what was done today, so that no limit is met by what a case does again."""
    async with sim.bot.context.services.database.write() as tx:
        await tx.execute(update(tables.cups).values(state=CupState.OVER))
        await tx.execute(delete(tables.brakes))


async def removed_from(sim: SimulatedDiscord) -> None:
    """Remove the bot from its server, whose clocks stop then."""
    sim.env.backend.remove_guild(sim.guild.id)
    await sim.env.settle()


async def private(person: MemberActor, place: ChannelHandle) -> ResponseMessage:
    """Return a message only one person sees; controls are pressed on it, so that no other message loses its own."""
    return answer(await person.slash(place, "privacy"))


def all_told(result: InteractionResult, message: ResponseMessage, before: str) -> str:
    """Return what came of a press: a form, what was told, or what the message it was pressed on says since."""
    if result.modal is not None:
        return "a form"
    shown = [one for one in (result.response, *result.followups) if one is not None and one.id != message.id]
    now = text_of(message.message)
    return "\n".join([*(text_of(one.message) for one in shown), now if now != before else ""]).strip()


# The ways to press a control


async def once(sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage, wanted: str, case: Case) -> None:
    await pressed(sim, person, message, wanted, case.choice)


async def twice_at_once(
    sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage, wanted: str, case: Case
) -> None:
    await at_once(sim, *(pressed(sim, person, message, wanted, case.choice) for _ in range(2)))


async def delivered_twice(
    sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage, wanted: str, case: Case
) -> None:
    sent: list[Any] = []
    sim.env.backend.subscribers.append(lambda event, payload: sent.append((event, deepcopy(dict(payload)))))
    await pressed(sim, person, message, wanted, case.choice)
    sim.env.backend.subscribers.pop()
    (again,) = [payload for event, payload in sent if event == "INTERACTION_CREATE"]
    sim.env.backend.emit("INTERACTION_CREATE", again)
    await sim.env.settle()


async def after_a_restart(
    sim: SimulatedDiscord, person: MemberActor, message: ResponseMessage, wanted: str, case: Case
) -> None:
    await sim.restart()
    await pressed(sim, person, message, wanted, case.choice)


def test_every_control_with_all_its_verbs_is_in_the_table() -> None:
    made = [re.sub(r"\{\w+\}", "1", case.custom_id) for case in CASES]
    unknown = [one for one in made if all(of.read(one) is None for of in CONTROLS)]
    assert unknown == []
    missing = []
    for of in CONTROLS:
        tried = [match for match in (re.fullmatch(of.pattern, one) for one in made) if match is not None]
        missing += [] if tried else [of.form]
        for name, verbs in re.findall(r"\(\?P<(\w+)>((?:[a-z0-9]+\|)+[a-z0-9]+)\)", of.pattern):
            missing += [f"{of.form}: {verb}" for verb in verbs.split("|") if verb not in {one[name] for one in tried}]
    assert missing == []


@pytest.mark.own_bot
@pytest.mark.parametrize("cases", sampled_together(ACTING, situation, every=QUICK))
async def test_however_often_it_is_pressed_or_delivered_it_is_done_once(
    sim: SimulatedDiscord, cases: tuple[Case, ...]
) -> None:
    async def is_done_once(case: Case) -> None:
        there, outcomes = await in_new_server(sim), {}
        for way in (once, twice_at_once, delivered_twice, after_a_restart):
            person, since = getattr(there, case.who), await marked(there)
            await case.before(there)
            message, untouched = await private(person, there.channel), await happened(there, since)
            await way(there, person, message, await custom_id(there, case), case)
            outcomes[way.__name__] = await happened(there, since)
            assert outcomes[way.__name__] != untouched, f"nothing came of it {way.__name__}"
            await there.env.advance_time(60)
            await begin_afresh(there)
        await removed_from(there)  # or another restart would have its clocks run on for longer
        for way_name, outcome in outcomes.items():
            assert outcome == outcomes["once"], way_name

    await each(cases, is_done_once)


@pytest.mark.own_bot
@pytest.mark.parametrize("cases", sampled_together(ACTING, situation, every=QUICK))
async def test_pressed_too_late_it_says_so_and_changes_nothing(sim: SimulatedDiscord, cases: tuple[Case, ...]) -> None:
    async def comes_too_late(case: Case) -> None:
        there = await in_new_server(sim)
        person = getattr(there, case.who)
        await case.before(there)
        wanted, message = await custom_id(there, case), await private(person, there.channel)
        assert case.overtaken is not None
        await case.overtaken(there)
        await there.env.settle()
        since, words = dict.fromkeys(await marked(there), 0), text_of(message.message)
        before = await happened(there, since)
        said = all_told(await pressed(there, person, message, wanted, case.choice), message, words)
        assert said
        if case.of is not None:
            assert await happened(there, since) == before

    await each(cases, comes_too_late)


NO_SUCH = {
    "share": "That wasn't shared in this server, or I no longer have it.",
    "cup": "There's no such cup in this server.",
}


@pytest.mark.own_bot
@pytest.mark.parametrize("cases", sampled_together(CASES, situation, every=QUICK))
async def test_elsewhere_its_numbers_lead_nowhere_and_a_stranger_is_refused_what_is_not_for_everybody(
    sim: SimulatedDiscord, cases: tuple[Case, ...]
) -> None:
    async def is_for_those_it_is_for(case: Case) -> None:
        there = await in_new_server(sim)
        await case.before(there)
        wanted = await custom_id(there, case)
        await leads_nowhere(there, another_server(there), wanted, case)
        await is_refused_to_a_stranger(there, wanted, case)

    await each(cases, is_for_those_it_is_for)


async def leads_nowhere(sim: SimulatedDiscord, elsewhere: Elsewhere, wanted: str, case: Case) -> None:
    """Press a control in another server: nothing of this one is shown or changed."""
    since = dict.fromkeys(await marked(sim), 0)
    message = await private(elsewhere.dora, elsewhere.channel)
    before, words = await happened(sim, since), text_of(message.message)
    result = await pressed(sim, elsewhere.dora, message, wanted, case.choice)
    said = all_told(result, message, words)
    if case.of is not None:
        assert said == NO_SUCH.get(case.of, f"There's no such {case.of} here.")
    shown = said + str(message.attachments)
    assert not any(name.title() in shown or str(user_id) in shown for user_id, name in people(sim).items())
    if not case.begins:
        assert await happened(sim, since) == before


async def is_refused_to_a_stranger(sim: SimulatedDiscord, wanted: str, case: Case) -> None:
    """Press a control as a person who has nothing to do with it: they are shown what everybody may see."""
    since = dict.fromkeys(await marked(sim), 0)
    message = await private(sim.carol, sim.channel)
    before, words = await happened(sim, since), text_of(message.message)
    result = await pressed(sim, sim.carol, message, wanted, case.choice)
    said = all_told(result, message, words)
    if not case.anybody:
        assert re.search(
            r"not playing|for somebody else|^Only |for the players|no seat in|not in (this cup|the ladder)", said
        ), said
    elif case in SHOWING:
        assert said
    if not case.begins and (not case.anybody or case in SHOWING or case.of is None):
        assert await happened(sim, since) == before


@pytest.mark.own_bot
@pytest.mark.parametrize("cases", sampled_together(SHOWING, situation, every=QUICK))
async def test_what_it_shows_it_shows_after_a_restart_as_well(sim: SimulatedDiscord, cases: tuple[Case, ...]) -> None:
    met: dict[Case, tuple[SimulatedDiscord, ResponseMessage, str]] = {}

    async def is_met(case: Case) -> None:
        there = await in_new_server(sim)
        await case.before(there)
        met[case] = there, await private(getattr(there, case.who), there.channel), await custom_id(there, case)

    async def shows_something(case: Case) -> None:
        there, message, wanted = met[case]
        words = text_of(message.message)
        result = await pressed(there, getattr(there, case.who), message, wanted, case.choice)
        said = all_told(result, message, words)
        assert said
        assert "went wrong" not in said

    await each(cases, is_met)
    await sim.restart()
    await each(cases, shows_something)
