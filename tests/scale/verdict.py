"""The conditions that must hold at the end of a scale test, after any accidents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from bot.matches.audit import audit
from bot.storage import outbox, tables
from bot.storage.database import Database
from bot.storage.records import EntryKind, MatchState, OutboxState
from tests.scale.crowded_discord import CrowdedDiscord, Posted
from tests.scale.playing import PACE_SECONDS, Crowd
from tests.scale.trouble import SKEWS

PACE = timedelta(seconds=PACE_SECONDS)
HEARTBEAT = timedelta(seconds=60)
"""How far apart the bots note that they are there: what is a gap begins with the last one."""
CLOCKS = timedelta(seconds=2 * max(SKEWS) - min(SKEWS))
"""The most by which a deadline is late, because the bot that set it is ahead and another credits too much."""


async def pending(database: Database) -> int:
    """Return how much is still to be sent or thought about."""
    async with database.read() as tx:
        work = tables.computer_turns, tables.reratings
        waiting = [(await tx.execute(select(func.count()).select_from(one))).scalar_one() for one in work]
        return (await outbox.waiting(tx))[0] + sum(waiting)


async def problems(database: Database, crowd: Crowd) -> list[str]:
    """Return a line for everything that is not as it has to be; none when all is well."""
    found = await audit(database)
    async with database.read() as tx:
        moves = (await tx.execute(select(tables.moves).order_by(tables.moves.c.match_id, tables.moves.c.ply))).all()
        running = (await tx.execute(select(tables.matches))).all()
        against = select(tables.seats.c.match_id).where(tables.seats.c.level.is_not(None))
        computers = set((await tx.execute(against)).scalars())
        lost = select(tables.outbox.c.key, tables.outbox.c.error).where(tables.outbox.c.state == OutboxState.DROPPED)
        dropped = (await tx.execute(lost)).all()
        # Cancelled challenges count for an hour, also those of people who have deleted everything.
        kept = [table for table in tables.metadata.sorted_tables if table is not tables.brakes]
        rows = [row for table in kept for row in await tx.execute(table.select())]
    gone = {str(table.one.id) for table in crowd.tables if table.leaves}
    found += [
        f"a row has the id of a person who was deleted: {row}" for row in rows if any(id in repr(row) for id in gone)
    ]
    voided = {match.id for match in running if match.voided_by is not None}
    found += [f"match {match} was to be voided and is not" for match in sorted(crowd.asked_to_void - voided)]
    found += controls(crowd.discord, voided)
    found += barred_often(crowd.discord)
    if left := await pending(database):
        found.append(f"{left} messages or thoughts are pending")
    found += [f"message {key} was dropped: {error}" for key, error in dropped]
    plies = defaultdict(list)
    for move in moves:
        plies[move.match_id].append(move)
    for match in running:
        stored = plies[match.id]
        if [move.ply for move in stored] != list(range(1, match.ply + 1)):
            found.append(f"match {match.id}: its plies are {[move.ply for move in stored]}, it is at {match.ply}")
        asked = [
            move for move in stored if move.kind == EntryKind.MOVE and (match.id not in computers or move.seat == 0)
        ]
        unasked = [move.ply for move in asked if move.text not in crowd.sent[match.id, move.ply]]
        found += [f"match {match.id}: nobody has asked for the move of ply {ply}" for ply in unasked]
        over = match.state == MatchState.OVER
        found += wrong_boards(match.id, match.ply, over=over, boards=crowd.discord.boards[match.id])
        if match.pace is not None and not over:
            if match.deadline_at - match.turn_at < PACE:
                found.append(f"match {match.id}: its clock has lost time")
            # No more is given back than has passed since the turn began or, where it began within a gap, the gap.
            if match.deadline_at > datetime.now(UTC) + PACE + HEARTBEAT + CLOCKS:
                found.append(f"match {match.id}: its clock has gained time")
        if match.flagged:
            found.append(f"match {match.id}: somebody's time is up")
    return found


def wrong_boards(match: int, ply: int, *, over: bool, boards: list[Posted]) -> Iterator[str]:
    """Yield what is wrong with the boards of a match: each is posted once, in order, and mentions everybody once."""
    shown = [ply if board.ply is None else board.ply for board in boards]
    if len({(board.ply, board.ply is None) for board in boards}) < len(boards):
        yield f"match {match}: a board was posted twice: {[board.ply for board in boards]}"
    if shown != sorted(shown):
        yield f"match {match}: its boards are out of order: {shown}"
    if not boards or shown[-1] != ply or (boards[-1].ply is None) != over:
        yield f"match {match}: its newest board is that of ply {shown[-1:]}, not of {ply}"
    pings = Counter((board.ply, person) for board in boards for person in board.notified)
    if twice := [ping for ping, number in pings.items() if number > 1]:
        yield f"match {match}: notified twice: {twice}"


def barred_often(discord: CrowdedDiscord) -> Iterator[str]:
    """Yield the people who were told more than once in a day that they are barred."""
    for room in discord.rooms:
        place = discord.backend.dm_channels.get(room.barred.id)
        told = 0 if place is None else len(discord.backend.messages[place])
        if told > 1:
            yield f"person {room.barred.id} was told {told} times that they are barred"


def controls(discord: CrowdedDiscord, voided: Container[int] = ()) -> Iterator[str]:
    """Yield the matches of which more or fewer than one board has controls; one that was voided has none."""
    for match, boards in discord.boards.items():
        stored = [discord.backend.messages[board.place].get(board.message) for board in boards]
        live = [one for one in stored if one is not None and f":{match}" in str(one.components)]
        if len(live) != (match not in voided):
            yield f"match {match}: {len(live)} boards have controls"
