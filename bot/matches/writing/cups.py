"""Writes a cup inside the caller's transaction: its beginning, results, withdrawals, the matches that follow, its end.

Whatever changes a running cup locks its row and all its people first, so one change follows another, and each leaves
the cup with every match begun that may begin. Only one thing may be left for later: while the bot lacks the game, the
cup waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.game import Result
from bot.matches.model.cups import CupTable, schedule
from bot.matches.model.game_state import IS_GONE, TIMES_OUT
from bot.matches.model.pace import is_live
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.storage import cups as stored
from bot.storage import locks
from bot.storage.contest_states import CupState, PairingState, Withdrawal
from bot.storage.cups import Cup, Pairing
from bot.storage.records import EVERYWHERE, Entry, EntryKind, Match, NewMatch
from bot.storage.transactions import Conflict


@dataclass(frozen=True, slots=True)
class RunningCup:
    """A running cup whose row and people are locked, and its table."""

    cup: Cup
    table: CupTable


async def of_result(tx: AsyncConnection, match: Match) -> RunningCup | None:
    """Lock the cup of a match that ends, with the ratings that it changes; None without a running cup."""
    if match.cup_id is None:
        return None
    cup = await stored.get(tx, match.cup_id, lock=True)
    if match.rated:
        await locks.ratings(tx, match.guild_id, shared=True)
    return None if cup is None else await with_people(tx, cup)


async def with_people(tx: AsyncConnection, cup: Cup) -> RunningCup | None:
    """Lock all people of a locked cup; return the cup with its table, or None if it is not running."""
    await locks.people(tx, [player.person.id for player in cup.players])
    if cup.state is not CupState.RUNNING:
        return None
    return RunningCup(cup, CupTable(cup.players, await stored.pairings_of(tx, cup.id), is_live(cup.pace)))


async def lock_all_of(tx: AsyncConnection, user_id: int, guild_id: int = EVERYWHERE) -> list[Cup]:
    """Lock a person, and the cups of a server or of all that they have joined and that go on, with all their people.

    Raises ``Conflict`` if there is another one by then.
    """
    ids = await stored.unended_of(tx, user_id, guild_id)
    locked = [await stored.get(tx, cup_id, lock=True) for cup_id in ids]
    people = {player.person.id for cup in locked if cup is not None for player in cup.players}
    await locks.people(tx, {user_id, *people})
    still = await stored.unended_of(tx, user_id, guild_id)
    if set(still) - set(ids):
        raise Conflict
    return [cup for cup in locked if cup is not None and cup.id in still]


async def take_out(tx: AsyncConnection, cup: Cup, user_id: int, why: Withdrawal, at: datetime) -> None:
    """Take a person out of a cup whose people are locked: out of the list of an open one, or withdraw them.

    An open cup whose starter is barred or has deleted their data is cancelled.
    """
    if cup.state is CupState.OPEN and user_id == cup.starter_id and why in (Withdrawal.BARRED, Withdrawal.DELETED):
        await stored.leave(tx, cup.id, user_id)
        await end(tx, cup, CupState.CANCELLED, at)
        return
    if cup.state is CupState.OPEN:
        place = next((at for at, player in enumerate(cup.players) if player.person.id == user_id), -1)
        await stored.leave(tx, cup.id, user_id)
        await outbox_messages.cup(tx, cup.id, f"out:{place}:{at.timestamp()}", at)
        return
    running = await with_people(tx, cup)
    if running is not None:
        await withdraw(tx, running, user_id, why, at)


async def begin(tx: AsyncConnection, cup: Cup, order: Sequence[int], at: datetime) -> None:
    """Begin a locked cup: its people get their numbers in the ``order`` of their ids, and the first matches begin."""
    for number, user_id in enumerate(order):
        await stored.change_player(tx, cup.id, user_id, number=number)
    players = {player.person.id: player for player in cup.players}
    numbered = tuple(replace(players[user_id], number=number) for number, user_id in enumerate(order))
    pairings = schedule(len(numbered), live=is_live(cup.pace))
    await stored.add_pairings(tx, cup.id, pairings)
    await stored.change(tx, cup.id, state=CupState.RUNNING, begun_at=at)
    table = CupTable(numbered, tuple(pairings), is_live(cup.pace))
    await _go_on(tx, RunningCup(cup, table), table, "begin", at)


async def go_on(tx: AsyncConnection, running: RunningCup, at: datetime) -> None:
    """Begin the matches for which the cup has waited."""
    await _go_on(tx, running, running.table, f"on:{at.timestamp()}", at)


async def match_ended(
    tx: AsyncConnection, running: RunningCup, match: Match, result: Result, last: Entry, at: datetime
) -> None:
    """Enter the result of a match. A person who lost because they left the server withdraws from the cup."""
    pairing = _pairing_of(running.table, match)
    if pairing is None:
        return
    dropped = last.kind is EntryKind.DROP
    loser = (pairing.first, pairing.second)[last.seat]
    won = [result.won(seat.seat, len(match.seats)) for seat in match.seats]
    state = {True: PairingState.FIRST_WON, False: PairingState.SECOND_WON, None: PairingState.DRAWN}[won[0]]
    late = dropped and last.text == TIMES_OUT
    table = running.table.with_result(pairing.number, state, late=late)
    if dropped and last.text == IS_GONE:
        table = table.withdrawn(loser, Withdrawal.GONE)
    if late:
        await outbox_messages.cup_members(tx, running.cup.id, [loser], at)
    await _go_on(tx, running, table, f"over:{match.id}", at)


async def match_voided(tx: AsyncConnection, running: RunningCup, match: Match, at: datetime) -> None:
    """Take the result of a voided match out of a running cup."""
    pairing = _pairing_of(running.table, match)
    if pairing is not None:
        await _go_on(tx, running, running.table.with_voided(pairing.number), f"voided:{match.id}", at)


async def withdraw(tx: AsyncConnection, running: RunningCup, user_id: int, why: Withdrawal, at: datetime) -> None:
    """Withdraw a player from a running cup; one who has withdrawn before is left alone."""
    player = running.cup.player_of(user_id)
    if player is not None and player.number is not None and player.withdrawal is None:
        table = running.table.withdrawn(player.number, why)
        await _go_on(tx, running, table, f"left:{player.number}", at)


async def check_mover(tx: AsyncConnection, match: Match, at: datetime) -> None:
    """Have Discord asked whether the person to move in a match of a cup is still in the server."""
    if match.cup_id is not None:
        cup = await stored.get(tx, match.cup_id)
        player = None if cup is None else cup.player_of(match.mover.person.id)
        if player is not None and player.number is not None and player.withdrawal is None:
            await outbox_messages.cup_members(tx, match.cup_id, [player.number], at)


async def end(tx: AsyncConnection, cup: Cup, state: CupState, at: datetime) -> None:
    """End a cup without places."""
    await stored.change(tx, cup.id, state=state, ended_at=at, waiting=False)
    await outbox_messages.cup(tx, cup.id, state, at)
    for pairing in await stored.pairings_of(tx, cup.id):
        if pairing.state is PairingState.RUNNING and pairing.match_id is not None:
            await outbox_messages.board_uncounted(tx, pairing.match_id, at)


async def _go_on(tx: AsyncConnection, running: RunningCup, table: CupTable, occasion: str, at: datetime) -> None:
    """Store how a table has changed, begin the matches that may begin, or end the cup; have its message changed."""
    cup, before = running.cup, running.table
    if table.deserted:
        await _store(tx, cup, before, table)
        await _tell_of_withdrawals(tx, cup, before, table, at)
        await end(tx, cup, CupState.DESERTED, at)
        return
    waiting, begun = False, list[int]()
    for pairing in table.to_begin():
        if cup.game not in GAMES:
            waiting = True
            break
        new = NewMatch(
            guild_id=cup.guild_id,
            channel_id=cup.channel_id,
            game=cup.game,
            variant=cup.variant,
            rated=cup.rated,
            pace=cup.pace,
            increment=cup.increment,
            language=cup.language,
            cup_id=cup.id,
            cup_round=pairing.round,
        )
        both = [table.players[number].person for number in (pairing.first, pairing.second)]
        match_id = await start_match(tx, new, both, at, rest_counts=cup.rest_counts)
        table = table.with_match(pairing.number, match_id)
        begun += pairing.first, pairing.second
    await outbox_messages.cup_members(tx, cup.id, sorted(set(begun)), at)
    await _store(tx, cup, before, table)
    await _tell_of_withdrawals(tx, cup, before, table, at)
    if table.over:
        for line in table.standings():
            await stored.change_player(tx, cup.id, table.players[line.player].person.id, place=line.place)
        await stored.change(tx, cup.id, state=CupState.OVER, ended_at=at, waiting=False)
        await outbox_messages.cup(tx, cup.id, CupState.OVER, at)
        await outbox_messages.cup_result(tx, cup.id, at)
        return
    if waiting is not cup.waiting:
        await stored.change(tx, cup.id, waiting=waiting)
    await outbox_messages.cup(tx, cup.id, occasion, at)


async def _store(tx: AsyncConnection, cup: Cup, before: CupTable, after: CupTable) -> None:
    """Store the players and pairings that have changed."""
    for old, new in zip(before.players, after.players, strict=True):
        if old != new:
            values = {"withdrawal": new.withdrawal, "annulled": new.annulled}
            await stored.change_player(tx, cup.id, new.person.id, **values)
    for was, now in zip(before.pairings, after.pairings, strict=True):
        if was != now:
            await stored.change_pairing(tx, cup.id, now)


async def _tell_of_withdrawals(tx: AsyncConnection, cup: Cup, before: CupTable, after: CupTable, at: datetime) -> None:
    """Tell players who are out without an act of theirs; have boards say that their match no longer counts."""
    for old, new in zip(before.players, after.players, strict=True):
        if old.withdrawal is None and new.withdrawal in (Withdrawal.LATE, Withdrawal.REMOVED):
            assert new.number is not None
            await outbox_messages.cup_out(tx, cup.id, new.number, at)
    for was, now in zip(before.pairings, after.pairings, strict=True):
        goes_on = was.state is PairingState.RUNNING and now.state in (PairingState.RUNNING, *stored.FORFEITED)
        counts = now.state is PairingState.RUNNING and after.counts(now)
        if goes_on and before.counts(was) and not counts and now.match_id is not None:
            await outbox_messages.board_uncounted(tx, now.match_id, at)


def _pairing_of(table: CupTable, match: Match) -> Pairing | None:
    """Return the pairing of a match; None for a match that is no part of the cup's table."""
    return next((pairing for pairing in table.pairings if pairing.match_id == match.id), None)
