"""A package is removed while people play its game: its matches wait, everything says so, and later they go on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.cluster import figures
from bot.games import GAMES
from bot.matches.audit import audit
from bot.matches.model import match_record
from bot.matches.model.refusals import Unavailable
from bot.matches.services.eligibility import Terms
from bot.storage import match_lists, outbox
from bot.storage.records import OPERATOR, First, MatchState, Rules
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd, crowd  # noqa: F401
from tests.support.acting import (
    answer,
    board_of,
    challenge_accepted,
    custom_ids,
    play,
    pressed,
    share,
    slash,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.toy_package import KEY, not_installed
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot

GONE = "tic-tac-toe isn't available here at the moment. Its matches wait until the game is back"
TOY = Terms(KEY, "standard", 2, First.CHALLENGER)
PRESSED = ("Play", "Rules", "More")
COMMANDS = ("board", "move", "match resign", "match draw", "match takeback", "match claim", "match replay")


async def test_every_command_and_control_says_that_the_game_is_missing_and_the_match_goes_on_later(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim, game=KEY)
    await play(sim, thread, "a1", "b2")
    place, board = sim.place(thread), board_of(sim, thread)
    with not_installed():
        await sim.restart()
        for command in COMMANDS:
            options = {"move": "c3"} if command == "move" else {}
            assert GONE in told(await slash(sim.alice, place, command, **options)), command
        for label in PRESSED:
            assert GONE in told(await sim.alice.click(board, label=label)), label
        listed = told(await sim.alice.slash(sim.channel, "matches"))
        assert "tic-tac-toe · match 1" in listed
        assert "can't go on at the moment, its clock stands still" in listed.replace(" · ", ", ")
        assert "No matches finished here yet" in told(await sim.alice.slash(sim.channel, "profile"))
        exported = await sim.alice.slash(place, "match", action="export")
        assert "tic-tac-toe" in told(exported)
    await sim.restart()
    await play(sim, thread, "a2", "c3", "a3")
    assert "three in a row" in text_of(board_of(sim, thread))


@pytest.mark.slow
async def test_every_control_of_a_finished_match_says_that_the_game_is_missing(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game=KEY)
    await play(sim, thread, "a1", "b1", "a2", "b2", "a3")
    result = board_of(sim, thread)
    replay = answer(await sim.alice.click(result, label="Replay"))
    steps = answer(await sim.alice.click(replay, label="Step through"))
    await share(sim.alice, replay)
    shared = sim.messages(sim.channel)[-1]
    controls = [control for one in (result, replay.message, steps.message, shared) for control in custom_ids(one)]
    assert {control.partition(":")[0] for control in controls} >= {"rematch", "review", "share", "shared", "step"}
    with not_installed():
        await sim.restart()
        for control in controls:
            if control.startswith("note-step:"):
                continue  # a note needs no game
            said = told(await pressed(sim, sim.alice, result, control))
            assert GONE in said or (control.startswith("export:") and "as text" in said), control
        for command in ("match review", "match replay", "board", "match hint"):
            assert GONE in told(await slash(sim.alice, sim.place(thread), command)), command


async def test_its_record_can_be_written_and_read_again(crowd: Crowd) -> None:  # noqa: F811
    match_id = await crowd.begin(terms=TOY)
    await crowd.play(match_id, "a1", "b2")
    found = await crowd.services.queries.match_and_entries(GUILD, match_id)
    with not_installed():
        text = match_record.write(*found)
    assert '[Game "tic-tac-toe"]' in text
    assert "2. Player 2 b2" in text
    read = match_record.read(text)
    assert (read.game, [entry.text for entry in read.played]) == (KEY, ["a1", "b2"])


@pytest.mark.parametrize("voided", [True, False])
async def test_results_and_ratings_stay_right_whether_or_not_one_is_voided(crowd: Crowd, voided: bool) -> None:  # noqa: F811
    matches = [await crowd.begin(terms=TOY) for _ in range(2)]
    for match_id in matches:
        await crowd.play(match_id, "a1", "b1", "a2", "b2", "a3")
    with not_installed():
        if voided:
            await crowd.services.voiding.void(GUILD, matches[0], OPERATOR, crowd.interaction())
        assert await audit(crowd.database) == []
    assert await audit(crowd.database) == []


async def test_who_deletes_their_data_leaves_its_matches_too(crowd: Crowd) -> None:  # noqa: F811
    match_id = await crowd.begin(terms=TOY)
    await crowd.play(match_id, "a1")
    with not_installed():
        with pytest.raises(Unavailable):
            await crowd.resign(match_id, ALICE)
        assert await crowd.services.privacy.erase(ALICE, crowd.interaction()) == 1
    match = await crowd.match(match_id)
    assert (match.state, match.seats[1].won) == (MatchState.OVER, True)
    assert KEY in GAMES
    assert await audit(crowd.database) == []
    assert (await crowd.services.queries.match_view(GUILD, match_id)).game_state.result is not None


async def test_nothing_about_it_is_given_to_a_process_without_it_until_the_process_has_it(crowd: Crowd) -> None:  # noqa: F811
    theirs, ours = await crowd.begin(terms=TOY), await crowd.begin()
    others = GAMES.rules - {(KEY, 1)}

    async def given(rules: Rules) -> set[int]:
        found = await crowd.services.read(outbox.first_of_each_topic, busy=(), limit=99, rules=rules)
        return {message.payload["match"] for message in found if "match" in message.payload}

    assert await given(GAMES.rules) == {theirs, ours}
    assert await given(others) == {ours}
    late = crowd.services.clock() + timedelta(hours=1)
    async with crowd.database.read() as tx:
        total, without, *_ = await outbox.waiting(tx, others)
        every, none, *_ = await outbox.waiting(tx, GAMES.rules)
        stalled = await outbox.count_stalled(tx, late, others)
        assert stalled < await outbox.count_stalled(tx, late, GAMES.rules)
        assert await match_lists.running_without(tx, others) == {KEY: 1}
    assert (total, none) == (every, 0)
    assert 0 < without < total


async def test_no_match_of_it_begins(crowd: Crowd) -> None:  # noqa: F811
    with not_installed(), pytest.raises(Unavailable, match=GONE):
        await crowd.offer(by=BOB, terms=TOY)


async def test_messages_about_it_make_no_board_late_and_are_counted_apart(crowd: Crowd) -> None:  # noqa: F811
    await crowd.begin(terms=TOY)
    late = crowd.services.clock() + timedelta(hours=1)

    async def told(name: str) -> float | None:
        found = await figures.of_database(crowd.database, late, timedelta(minutes=3))
        return found.get_sample_value(f"tavoliere_outbox_{name}")

    assert (await told("oldest_seconds") or 0) >= 3600
    pending = await told("pending") or 0
    with not_installed():
        assert await told("oldest_seconds") == 0
        assert await told("without_game") == pending > 0 == await told("pending")
