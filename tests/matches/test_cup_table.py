"""The pure table of a cup: its schedule, and its order, compared with a calculation that shares no code with it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from random import Random

import pytest

from bot.matches.model.cups import BOARDS, FEWEST, MOST, CupTable, schedule
from bot.storage.contest_states import PairingState, Withdrawal
from bot.storage.cups import CupPlayer
from bot.storage.records import Person
from tests.support.cup_ledger import RESULTS, Ledger

SIMULATED, QUICK, PART = 3_100, 100, 1_000


def new_table(players: int, *, live: bool = False) -> CupTable:
    """Return the table of a cup that begins."""
    people = [Person(number + 1, f"Player {number}") for number in range(players)]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    numbered = tuple(CupPlayer(one, at, number) for number, one in enumerate(people))
    return CupTable(numbered, tuple(schedule(players, live=live)), live)


def simulate(seed: int) -> None:
    """Play one cup by chance, with resignations, time-outs, voids and withdrawals; compare it now and then."""
    random = Random(seed)
    players, live = random.randint(FEWEST, MOST), random.random() < 0.3
    table = new_table(players, live=live)
    ledger = Ledger(players, [(one.first, one.second) for one in table.pairings])
    begun: set[int] = set()
    trouble = random.choice((0.0, 0.05, 0.2))
    while True:
        for pairing in table.to_begin():
            assert pairing.number not in begun
            begun.add(pairing.number)
            table = table.with_match(pairing.number, 1000 + pairing.number)
        busy = Counter(
            player
            for one in table.pairings
            if one.state is PairingState.RUNNING and table.counts(one)
            for player in (one.first, one.second)
        )
        assert max(busy.values(), default=0) <= (1 if live else BOARDS)
        if table.over or random.random() < 0.15:
            same(table, ledger)
        running = [one.number for one in table.pairings if one.state is PairingState.RUNNING and table.counts(one)]
        assert table.over is (not running)
        if table.over:
            return
        if random.random() < trouble:
            if random.random() < 0.5:
                player = random.randrange(players)
                table = table.withdrawn(player, Withdrawal.OWN)
                ledger.leave(player)
            else:
                number = random.choice(sorted(begun))
                table = table.with_voided(number)
                ledger.void(number)
            continue
        going_on = [one.number for one in table.pairings if one.state is PairingState.RUNNING]
        number = random.choice(going_on if random.random() < 0.1 else running)  # also in matches that no longer count
        state = random.choice(RESULTS)
        late = state is not PairingState.DRAWN and random.random() < trouble
        table = table.with_result(number, state, late=late)
        ledger.result(number, state, late)


def same(table: CupTable, ledger: Ledger) -> None:
    """Compare a table with the independent calculation."""
    standings = table.standings()
    placed = [line for line in standings if line.place is not None]
    taken = sorted({line.place or 0 for line in placed})
    shown = [{line.player for line in placed if line.place == place} for place in taken]
    assert shown == ledger.order()
    above = 0
    for place, group in enumerate(shown):
        assert {line.place for line in placed if line.player in group} == {above + 1}, place
        above += len(group)
    assert set(table.winners()) == (shown[0] if shown else set()) - ledger.gone
    every = set(range(ledger.players)) - ledger.erased
    for line in placed:
        scores = ledger.scores(line.player, every)
        assert line.points == 2 * sum(score for _, score in scores)
        assert line.decided == len(scores)
        assert line.pairings == len(ledger.alive(line.player))
    assert {line.player for line in standings if line.place is None} == ledger.erased
    assert {number for number, one in enumerate(table.players) if one.withdrawal is not None} == ledger.gone


def test_cups_by_chance_end_as_calculated_independently() -> None:
    for seed in range(QUICK):
        simulate(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(QUICK, SIMULATED, PART))
def test_many_more_cups_by_chance_end_as_calculated_independently(first: int) -> None:
    for seed in range(first, first + PART):
        simulate(seed)


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("players", range(FEWEST, MOST + 1))
def test_everybody_meets_everybody_with_balanced_first_moves(players: int, live: bool) -> None:
    pairings, twice = schedule(players, live=live), players <= 4 and not live
    meetings = Counter(frozenset((one.first, one.second)) for one in pairings)
    assert len(meetings) == players * (players - 1) // 2
    assert set(meetings.values()) == {2 if twice else 1}
    firsts, seconds = Counter(one.first for one in pairings), Counter(one.second for one in pairings)
    most = 0 if twice else players % 2 ^ 1
    assert all(abs(firsts[player] - seconds[player]) <= most for player in range(players))
    rounds = sorted({one.round for one in pairings})
    assert rounds == list(range(1, (players - 1 + players % 2) * (1 + twice) + 1))
    for number in rounds:
        seated = [player for one in pairings if one.round == number for player in (one.first, one.second)]
        assert len(seated) == len(set(seated)) == players - players % 2
    if twice:
        assert len({(one.first, one.second) for one in pairings}) == len(pairings), "nobody has one seat twice"


def test_a_match_that_goes_on_after_a_withdrawal_changes_nothing() -> None:
    table = new_table(5)
    mine = [one for one in table.pairings if 0 in (one.first, one.second)]
    for one in mine[:2]:
        table = table.with_match(one.number, 1).with_result(one.number, PairingState.DRAWN)
    forfeited = table.with_match(mine[2].number, 1).withdrawn(0, Withdrawal.BARRED)
    assert forfeited.with_result(mine[2].number, PairingState.DRAWN) == forfeited


def test_a_loss_on_time_against_a_player_with_annulled_results_withdraws_nobody() -> None:
    table = new_table(5)
    lost, uncounted = [one for one in table.pairings if 0 in (one.first, one.second)][:2]
    for one in (lost, uncounted):
        table = table.with_match(one.number, 1)
    beaten = {True: PairingState.SECOND_WON, False: PairingState.FIRST_WON}
    table = table.with_result(lost.number, beaten[lost.first == 0], late=True)
    table = table.withdrawn(uncounted.second if uncounted.first == 0 else uncounted.first, Withdrawal.OWN)
    table = table.with_result(uncounted.number, beaten[uncounted.first == 0], late=True)
    assert table.losses_on_time(0) == 1
    assert table.players[0].withdrawal is None


def test_a_cup_whose_players_have_all_withdrawn_has_no_winner() -> None:
    table = new_table(3)
    for pairing in table.to_begin():
        table = table.with_match(pairing.number, pairing.number).with_result(pairing.number, PairingState.FIRST_WON)
    for player in range(3):
        table = table.withdrawn(player, Withdrawal.OWN)
    assert table.standings()[0].place == 1
    assert not table.players[0].annulled
    assert table.winners() == []
