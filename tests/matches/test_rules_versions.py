"""Matches that wait: under another version of the rules, or because their moves cannot be replayed."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
import structlog

from bot.games import GAMES
from bot.matches.audit import audit
from bot.matches.downtime import Downtime
from bot.matches.model import match_record
from bot.matches.model.refusals import OtherRules, Quarantined, Refusal
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.matches.writing import clocks
from bot.messages import board
from bot.storage.records import OPERATOR, First
from bot.telemetry import metrics
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd
from tests.support.toy_package import KEY, rules_of_version
from tests.support.without_grace import without_grace  # noqa: F401

DAY = timedelta(days=1)
TOY = Terms(KEY, "standard", 2, First.CHALLENGER, pace=int(DAY.total_seconds()))


async def restart(crowd: Crowd) -> None:
    """Begin to serve again, as a bot does at its start."""
    crowd.open()
    ticks = count()
    await Downtime(crowd.services, timedelta(minutes=1), lambda: float(next(ticks))).credit_downtime()


async def record(crowd: Crowd, match_id: int) -> str:
    return match_record.write(*await crowd.services.queries.match_and_entries(GUILD, match_id))


async def test_a_match_goes_on_under_a_minor_version(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TOY)
    with rules_of_version("1.1"):
        await restart(crowd)
        await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).ply == 1


async def test_under_another_major_version_every_step_is_refused_with_the_reason(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TOY)
    await crowd.play(match_id, "a1")
    services = crowd.services
    with rules_of_version("2"):
        for attempt in (
            services.turns.play(*crowd.request(match_id, BOB), "b2"),
            services.agreements.offer_draw(*crowd.request(match_id, BOB)),
            services.agreements.ask_takeback(*crowd.request(match_id, ALICE)),
            services.forfeits.claim_win(*crowd.request(match_id, ALICE)),
        ):
            with pytest.raises(OtherRules, match="The rules of Tic-tac-toe have changed since this match began"):
                await attempt
        with pytest.raises(Refusal, match="not playing in this match"):
            await services.turns.play(*crowd.request(match_id, type(BOB)(9, "Zoe")), "b2")


async def test_it_can_be_looked_at_exported_and_voided(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TOY)
    await crowd.play(match_id, "a1")
    with rules_of_version("2"):
        shown = await crowd.services.queries.match_view(GUILD, match_id)
        assert "have changed since this match began" in board.text(shown)
        assert "1. Crosses a1" in await record(crowd, match_id)
        await crowd.services.voiding.void(GUILD, match_id, OPERATOR, crowd.interaction())
    assert (await crowd.match(match_id)).voided


async def test_its_clock_stands_for_as_long_as_that_lasts(crowd: Crowd) -> None:
    match_id, other = await crowd.begin(terms=TOY), await crowd.begin(terms=TOY)
    await crowd.play(other, "a1")
    before = (await crowd.match(match_id)).deadline_at
    assert before is not None
    with rules_of_version("2"):
        for _ in range(2):
            await restart(crowd)
            crowd.now += 2 * DAY
            await crowd.services.forfeits.remind()
            await crowd.services.forfeits.notice_late()
        assert not (await crowd.match(match_id)).flagged
        with pytest.raises(OtherRules):
            await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
        new = await crowd.begin(terms=TOY)
    # The four days, and no downtime beside: credited once, and by the first start alone.
    await restart(crowd)
    await restart(crowd)
    assert (await crowd.match(match_id)).deadline_at == before + 4 * DAY
    await crowd.play(match_id, "b2")
    with pytest.raises(OtherRules):
        await crowd.services.turns.play(*crowd.request(new, ALICE), "a1")


async def test_a_server_that_has_the_bot_back_has_the_clocks_stand_on(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TOY)
    before = (await crowd.match(match_id)).deadline_at
    assert before is not None
    await crowd.services.departures.bot_left(GUILD)
    crowd.now += DAY
    with rules_of_version("2"):
        crowd.open()
        await crowd.services.departures.bot_returned(GUILD)
        assert (await crowd.match(match_id)).deadline_at == before + DAY
        crowd.now += 3 * DAY
        await crowd.services.departures.bot_left(GUILD)
        crowd.now += DAY
    crowd.open()
    await crowd.services.departures.bot_returned(GUILD)
    assert (await crowd.match(match_id)).deadline_at == before + 5 * DAY


async def test_a_record_says_the_version_where_it_is_not_the_first_and_an_import_keeps_it(crowd: Crowd) -> None:
    first = await crowd.begin(terms=TOY)
    assert "Rules" not in await record(crowd, first)
    with rules_of_version("2.1"):
        second = await crowd.begin(terms=TOY)
        text = await record(crowd, second)
        assert '[Variant "standard"]\n[Rules "2"]\n[Match "2"]' in text
    changed = text.replace('[Server "10"]', '[Server "11"]')
    imported = await Archive(crowd.services).store(match_record.read(changed))
    assert (await crowd.match(imported)).rules == 2


async def test_a_clock_of_the_machine_set_back_meanwhile_takes_no_time_from_a_match(crowd: Crowd) -> None:
    match_id, now = await crowd.begin(terms=TOY), crowd.now
    before = (await crowd.match(match_id)).deadline_at
    for at, rules in ((now, frozenset[tuple[str, int]]()), (now - 3 * DAY, GAMES.rules)):
        async with crowd.database.write() as tx:
            await clocks.compare_rules(tx, rules, at)
    assert (await crowd.match(match_id)).deadline_at == before
    await crowd.services.departures.bot_left(GUILD)
    crowd.now -= 3 * DAY
    await crowd.services.departures.bot_returned(GUILD)
    assert (await crowd.match(match_id)).deadline_at == before


async def test_every_request_in_it_is_refused(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.rewrite(match_id, "z99")
    with pytest.raises(Quarantined, match="can't read the moves"):
        await crowd.services.turns.play(*crowd.request(match_id, BOB), "a1")
    with pytest.raises(Quarantined):
        await crowd.services.forfeits.resign(*crowd.request(match_id, ALICE))
    with pytest.raises(Quarantined):
        await crowd.services.queries.match_view(GUILD, match_id)


async def test_the_operator_is_told_once_by_the_log_and_for_as_long_as_it_lasts_by_metric_and_check(
    crowd: Crowd,
) -> None:
    match_id, sound = await crowd.begin(), await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.rewrite(match_id, "z99")
    with structlog.testing.capture_logs() as logged:
        for _ in range(3):
            with pytest.raises(Quarantined):
                await crowd.services.queries.match_view(GUILD, match_id)
    (line,) = logged
    assert (line["log_level"], line["match"]) == ("error", match_id)
    assert metrics.MATCHES_QUARANTINED._value.get() == 1
    (problem,) = await audit(crowd.database)
    assert problem.startswith(f"match {match_id}: its moves cannot be played: there is no square z99")
    await crowd.play(sound, "c3")


async def test_a_match_that_was_mended_goes_on(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.rewrite(match_id, "z99")
    with pytest.raises(Quarantined):
        await crowd.services.queries.match_view(GUILD, match_id)
    await crowd.rewrite(match_id, "c3")
    await crowd.services.queries.match_view(GUILD, match_id)
    assert crowd.services.quarantined == frozenset()
    assert metrics.MATCHES_QUARANTINED._value.get() == 0


async def test_its_messages_hold_up_no_others(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.rewrite(match_id, "z99")
    assert await crowd.services.queries.find_match_view(match_id) is None
    assert await crowd.services.queries.earlier_turn(match_id, 1) is None
