"""The conditions that must hold at the end of a scale test, after any accidents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from bot.matches.audit import audit
from bot.requests.outcome import SLOW, UNAVAILABLE
from bot.storage import outbox, tables
from bot.storage.database import Database
from bot.storage.records import EntryKind, MatchState, OutboxState
from tests.scale.crowded_discord import CrowdedDiscord, Posted
from tests.scale.playing import PACE_SECONDS, Crowd

PACE = timedelta(seconds=PACE_SECONDS)
HEARTBEAT = timedelta(seconds=60)
"""How far apart the bots note that they are there: what is a gap begins with the last one."""
PLAYED, UNCHANGED = "You played **", (UNAVAILABLE, SLOW)
"""What an answer says, by the words in it. Commands that it names are links in Discord."""


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
    found += controls(crowd.discord)
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
            if match.deadline_at > datetime.now(UTC) + PACE + HEARTBEAT:
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


def controls(discord: CrowdedDiscord) -> Iterator[str]:
    """Yield the matches of which more or fewer than one board has controls."""
    for match, boards in discord.boards.items():
        stored = [discord.backend.messages[board.place].get(board.message) for board in boards]
        live = [one for one in stored if one is not None and f":{match}" in str(one.components)]
        if len(live) != 1:
            yield f"match {match}: {len(live)} boards have controls"


async def untrue(database: Database, crowd: Crowd) -> list[str]:
    """Compare the answers with what is stored: confirmed moves are there, and what was denied is not."""
    async with database.read() as tx:
        moves = (await tx.execute(select(tables.moves.c.match_id, tables.moves.c.ply, tables.moves.c.text))).all()
        processed = set((await tx.execute(select(tables.interactions.c.id))).scalars())
    stored, found = {tuple(move) for move in moves}, []
    for interaction, said in _answers(crowd.discord):
        move = crowd.sent_by.get(interaction)
        if PLAYED in said and move is not None and move not in stored:
            found.append(f"interaction {interaction}: a move was confirmed that is not stored: {move}")
        if interaction in processed and any(str(words).partition("`")[0] in said for words in UNCHANGED):
            found.append(f"interaction {interaction}: what it stored was denied")
    return found


def _answers(discord: CrowdedDiscord) -> Iterator[tuple[int, str]]:
    """Yield the number of each command that was answered, and the answer."""
    for record in discord.backend.interactions.values():
        if record.command_name is not None and record.message_id is not None and not record.loading:
            yield record.id, discord.said(record.channel_id, record.message_id)
