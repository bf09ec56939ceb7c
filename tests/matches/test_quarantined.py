"""A match whose moves cannot be replayed: requests in it are refused, and the operator is told once."""

from __future__ import annotations

import pytest
import structlog

from bot.matches.audit import audit
from bot.matches.model.refusals import Quarantined
from bot.telemetry import metrics
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd


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
