"""Checks stored data against the moves it is derived from: states and results of matches, every rating, and cups."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.cups import PLAYED, CupTable
from bot.matches.model.game_state import GameState, replay
from bot.matches.model.pace import is_live
from bot.matches.model.policies.acts import counts_for_ratings
from bot.matches.model.rating import newcomer, ranks, rate
from bot.matches.model.refusals import is_playable
from bot.storage import cups, match_lists, matches, ratings, reratings
from bot.storage.contest_states import PairingState
from bot.storage.database import Database
from bot.storage.rating_records import Rating, RatingChange
from bot.storage.records import Entry, EntryKind, Match, MatchState

TOLERANCE = 1e-9
Ratings = dict[tuple[int, str, int], Rating]


async def audit(database: Database) -> list[str]:
    """Return a line for each difference between stored data and the lists of moves; empty when all is well."""
    problems: list[str] = []
    computed: Ratings = {}
    async with database.read() as tx:
        for match_id in await match_lists.every_id(tx):
            problems += await _match(tx, match_id, computed)
        following = set(await reratings.pending(tx))
        stored = await ratings.everything(tx)
        for key in sorted(computed.keys() | stored.keys()):
            guild_id, game, user_id = key
            fresh, kept = computed.get(key), stored.get(key)
            # The ratings of a server that is being rated again are to follow.
            if guild_id not in following and (fresh is None or kept is None or not _same(fresh, kept)):
                named = f"rating of {user_id} in {game or 'all games'} in server {guild_id}"
                problems.append(f"{named}: not what its matches lead to")
        for cup_id in await cups.running_ids(tx):
            problems += [problem async for problem in _cup_problems(tx, cup_id)]
    return problems


async def audit_running(database: Database, only: Collection[int] | None = None) -> tuple[int, dict[int, list[str]]]:
    """Return how many running matches were checked, and by match the differences between stored data and moves.

    With ``only``, check these matches instead, running or over.
    """
    problems = {}
    async with database.read() as tx:
        looked_at = await match_lists.running_ids(tx) if only is None else only
        for match_id in looked_at:
            if differences := await _match(tx, match_id, {}):
                problems[match_id] = differences
    return len(looked_at), problems


async def _match(tx: AsyncConnection, match_id: int, computed: Ratings) -> list[str]:
    try:
        match, played = await matches.get(tx, match_id), await matches.moves_of(tx, match_id)
    except ValueError as error:
        return [f"match {match_id}: its stored data cannot be read: {error}"]
    if match is None:
        return [f"match {match_id}: it was deleted during the check"]
    changes: dict[int, RatingChange] | None = await ratings.changes_of_match(tx, match.id, ratings.OVERALL)
    # By the rule, or because a version without that rule has rated it.
    counted = counts_for_ratings(match, played) or (match.rated and changes)
    if match.state is MatchState.RUNNING or match.voided or not counted:
        changes = None
    if not is_playable(match):
        # Its moves cannot be tried without its rules.
        won = frozenset(seat.seat for seat in match.seats if seat.won)
        if changes is not None:
            _rate(match, won or frozenset(range(len(match.seats))), played, changes, computed)
        return []
    try:
        game_state = replay(GAMES[match.game], match.variant, len(match.seats), played)
    except (ValueError, KeyError, IndexError) as error:
        return [f"match {match_id}: its moves cannot be played: {error}"]
    if changes is not None and game_state.result is not None:
        _rate(match, game_state.result.winners, played, changes, computed)
    return list(_state_problems(match, game_state))


def _state_problems(match: Match, game_state: GameState) -> Iterator[str]:
    if game_state.ply != match.ply:
        yield f"match {match.id}: at ply {match.ply}, but its moves lead to ply {game_state.ply}"
    result = game_state.result
    if (result is None and not match.voided) != (match.state is MatchState.RUNNING):
        yield f"match {match.id}: stored as {match.state}, but its moves say otherwise"
    if result is None:
        if match.to_move != (None if match.voided else game_state.position.to_move):
            yield f"match {match.id}: the wrong seat is to move"
        return
    told = [result.won(seat.seat, len(match.seats)) for seat in match.seats]
    if [seat.won for seat in match.seats] != told or match.reason != result.reason:
        yield f"match {match.id}: the result stored is not the one its moves lead to"


async def _cup_problems(tx: AsyncConnection, cup_id: int) -> AsyncIterator[str]:
    """Yield how a running cup differs from its matches, and that it stands still."""
    cup = await cups.get(tx, cup_id)
    if cup is None:
        return
    table = CupTable(cup.players, await cups.pairings_of(tx, cup_id), is_live(cup.pace))
    for pairing in (pairing for pairing in table.pairings if pairing.match_id is not None and table.counts(pairing)):
        match = await matches.get(tx, pairing.match_id or 0)
        running = match is not None and match.state is MatchState.RUNNING
        if (
            match is None
            or (pairing.state is PairingState.RUNNING and not running)
            or (pairing.state in PLAYED and running)
        ):
            yield f"cup {cup_id}: pairing {pairing.number} is {pairing.state}, but its match says otherwise"
    if table.over or (table.to_begin() and not cup.waiting):
        yield f"cup {cup_id}: it stands still"


def _rate(
    match: Match,
    winners: frozenset[int],
    played: list[Entry],
    changes: Mapping[int, RatingChange],
    computed: Ratings,
) -> None:
    people = [seat.person.id for seat in match.seats]
    dropped = [move.seat for move in played if move.kind is EntryKind.DROP]
    places = ranks(len(people), winners, dropped)
    weights = [changes[user_id].weight if user_id in changes else 1.0 for user_id in people]
    for game in (match.game, ratings.OVERALL):
        keys = [(match.guild_id, game, user_id) for user_id in people]
        before = [computed.get(key) or newcomer(key[2]) for key in keys]
        computed.update(zip(keys, rate(before, places, dropped, weights), strict=True))


def _same(computed: Rating, stored: Rating) -> bool:
    close = abs(computed.mu - stored.mu) < TOLERANCE and abs(computed.sigma - stored.sigma) < TOLERANCE
    return close and (computed.wins, computed.draws, computed.losses) == (stored.wins, stored.draws, stored.losses)
