"""Fills a database with servers full of people and matches, as years of play would leave it, in bulk.

What is written is what the bot itself would have written: lists of moves of real games, ratings that follow from them,
the outbox of the last days; the bot was last alive an hour ago. ``bot.matches.audit`` finds no fault in it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

from sqlalchemy import Connection, create_engine, func, select

from bot.matches.model.rating import newcomer, ranks, rate
from bot.matches.writing.clocks import Clock, new_clock
from bot.storage import tables
from bot.storage.migrations import upgrade
from bot.storage.rating_records import Rating
from bot.storage.ratings import OVERALL
from bot.storage.records import ChallengeState, First, MatchState, OutboxState, Person
from tests.support.crowds import matches
from tests.support.crowds.bulk import Row
from tests.support.crowds.bulk import put as _put
from tests.support.crowds.matches import Scenario

BUSIEST = 45
"""Matches one person has running in a server, at most."""
KEPT = timedelta(days=2)
"""How far the outbox and the interactions go back."""
YEARS = timedelta(days=700)
PACE = 259200
_INVENTED = 10**15
_WRITTEN = (
    select(func.max(tables.challenges.c.id)),
    select(func.max(tables.matches.c.finish)),
    select(func.max(tables.interactions.c.id)),
)


@dataclass(frozen=True, slots=True)
class Server:
    """A server with its channels and the people who play in it."""

    id: int
    channels: tuple[int, ...]
    people: tuple[Person, ...]
    threads: tuple[int, ...] = ()
    """Threads that are open; the first matches running here are played in them, and their boards wait to be posted."""


@dataclass(slots=True)
class _Match:
    """A match to be written. ``turn_at`` is when its present turn began."""

    server: Server
    scenario: Scenario
    people: Sequence[Person]
    begun_at: datetime
    turn_at: datetime
    rated: bool
    thread: int | None
    posted: bool
    id: int = 0

    def at(self, ply: int) -> datetime:
        """Return the time of an entry."""
        return self.begun_at + (self.turn_at - self.begun_at) * ply / max(1, len(self.scenario.entries))


def servers(number: int, people: int) -> list[Server]:
    """Return new servers, each with two channels and so many people."""
    ids = count(_INVENTED)
    return [Server(next(ids), (next(ids), next(ids)), tuple(crowd(people, next(ids)))) for _ in range(number)]


def crowd(people: int, kind: int) -> Iterator[Person]:
    """Yield so many new people, others for every ``kind``."""
    for number in range(people):
        yield Person(kind * 1000 + number, f"player {number}")


def fill(
    file: Path,
    places: Sequence[Server],
    *,
    running: int,
    finished: int,
    now: datetime,
    wanted: Sequence[Scenario] = (),
) -> None:
    """Write so many matches into a database file, new or filled before with other people.

    Each server has fewer of them than the one before it; those ``wanted`` run in the first server beside.
    Raises ``ValueError`` when there are too few people for the matches that are to run.
    """
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        upgrade(connection)
    with engine.begin() as connection:
        write(connection, places, running=running, finished=finished, now=now, wanted=wanted)
    engine.dispose()
    with closing(sqlite3.connect(file)) as plain:
        plain.execute("PRAGMA journal_mode=WAL").close()


def write(
    connection: Connection,
    places: Sequence[Server],
    *,
    running: int,
    finished: int,
    now: datetime,
    wanted: Sequence[Scenario] = (),
) -> None:
    """Write so many matches into a database of either kind that has its tables, in an open transaction.

    Raises ``ValueError`` when there are too few people for the matches that are to run.
    """
    begun, ended, messages = (connection.execute(query).scalar() or 0 for query in _WRITTEN)
    filling = _Filling(places, now, Random(begun), count(max(messages, 2 * _INVENTED) + 1))
    filling.write(connection, running, finished, wanted, begun, ended)


@dataclass
class _Filling:
    places: Sequence[Server]
    now: datetime
    random: Random
    messages: Iterator[int]
    load: Counter[tuple[int, int]] = field(default_factory=Counter)

    def write(
        self, connection: Connection, running: int, finished: int, wanted: Iterable[Scenario], begun: int, ended: int
    ) -> None:
        """Write matches, numbered after those ``begun`` and ``ended`` before."""
        free = {place.id: iter(place.threads) for place in self.places}
        every = [self._running(scenario, self.places[0], free) for scenario in wanted]
        every += [self._running(matches.running(self.random), self._server(), free) for _ in range(running)]
        every += [self._over() for _ in range(finished)]
        for number, match in enumerate(sorted(every, key=lambda match: match.begun_at), begun + 1):
            match.id = number
        self._people(connection)
        _put(connection, tables.matches, self._matches(every, ended))
        _put(connection, tables.seats, (row for match in every for row in _seats(match)))
        for begin in range(0, len(every), 2000):
            _put(connection, tables.moves, (row for match in every[begin : begin + 2000] for row in _moves(match)))
        self._challenges(connection, every)
        self._ratings(connection, every)
        self._sent(connection, every)

    def _running(self, scenario: Scenario, server: Server, free: dict[int, Iterator[int]]) -> _Match:
        thread = next(free[server.id], None)
        turn = self.now - timedelta(seconds=PACE) * self.random.random()
        begun = turn - timedelta(hours=8) * len(scenario.entries)
        people = self._seated(server, scenario.case.players, limit=BUSIEST)
        posted, rated = thread is None, self.random.random() < 0.9
        return _Match(server, scenario, people, begun, turn, rated, thread or next(self.messages), posted)

    def _over(self) -> _Match:
        scenario, server = matches.over(self.random), self._server()
        ended = self.now - YEARS * self.random.random()
        begun = ended - timedelta(hours=8) * len(scenario.entries)
        people = self._seated(server, scenario.case.players)
        return _Match(server, scenario, people, begun, ended, self.random.random() < 0.9, next(self.messages), True)

    def _server(self) -> Server:
        return self.random.choices(self.places, [1 / number for number in range(2, len(self.places) + 2)])[0]

    def _seated(self, server: Server, seats: int, limit: int | None = None) -> list[Person]:
        """Return people for the seats of a match; some play far more than others."""
        everybody = server.people
        for _ in range(200):
            # The power favours the first of them.
            chosen = {
                everybody[int(len(everybody) * self.random.random() ** (2 if limit else 4))] for _ in range(seats)
            }
            keys = [(server.id, person.id) for person in chosen]
            if len(chosen) == seats and (limit is None or all(self.load[key] < limit for key in keys)):
                if limit is not None:
                    self.load.update(keys)
                return self.random.sample(sorted(chosen, key=lambda person: person.id), seats)
        raise ValueError(f"{len(everybody)} people are too few for the matches in one server")

    def _people(self, connection: Connection) -> None:
        everybody = {person.id for place in self.places for person in place.people}
        some = sorted(everybody)[::3]
        looks = {"theme": "light", "coordinates": True, "confirm": True, "text_boards": False, "reminders": True}
        _put(connection, tables.people, ({"user_id": one, **looks} for one in some))
        past = {"begins_at": self.now - timedelta(days=90), "ends_at": self.now - timedelta(days=80)}
        _put(connection, tables.absences, ({"user_id": one, **past} for one in some))
        _put(connection, tables.blocks, ({"user_id": one, "blocked_id": some[0]} for one in some[1::20]))
        settings = {"channels": [], "threads": True, "pace": PACE, "automatic": False}
        if not connection.execute(select(tables.heartbeats.c.name)).all():
            _put(connection, tables.heartbeats, [{"name": "alive", "at": self.now - timedelta(hours=1)}])
        known = set(connection.execute(select(tables.guilds.c.guild_id)).scalars())
        _put(
            connection, tables.guilds, ({"guild_id": one.id, **settings} for one in self.places if one.id not in known)
        )

    def _matches(self, every: Iterable[_Match], ended: int) -> Iterator[Row]:
        over = sorted((match for match in every if match.scenario.result is not None), key=lambda match: match.turn_at)
        order = {match.id: number for number, match in enumerate(over, ended + 1)}
        for match in every:
            scenario, result = match.scenario, match.scenario.result
            clock = new_clock(match.turn_at, timedelta(seconds=PACE), None) if result is None else Clock()
            yield {
                "id": match.id,
                "guild_id": match.server.id,
                "channel_id": match.server.channels[match.id % len(match.server.channels)],
                "thread_id": match.thread,
                "game": scenario.case.game.key,
                "variant": scenario.case.variant.key,
                "rated": match.rated,
                "state": MatchState.RUNNING if result is None else MatchState.OVER,
                "ply": len(scenario.entries),
                "to_move": scenario.to_move,
                "reason": None if result is None else result.reason,
                "board_channel_id": match.thread if match.posted else None,
                "board_message_id": next(self.messages) if match.posted else None,
                "board_ply": len(scenario.entries) if match.posted else None,
                "created_at": match.begun_at,
                "turn_at": match.turn_at,
                "ended_at": None if result is None else match.turn_at,
                "finish": order.get(match.id),
                "pace": PACE,
                "deadline_at": clock.deadline_at,
                "remind_at": clock.remind_at if clock.remind_at and clock.remind_at > self.now else None,
                "flagged": False,
            }

    def _challenges(self, connection: Connection, every: Sequence[_Match]) -> None:
        accepted = [self._challenge(match.id, match) for match in every]
        free = max(match.id for match in every) + 1
        waiting = [self._challenge(number, match) for number, match in enumerate(every[::50], free)]
        for row in waiting:
            row |= {"state": ChallengeState.OPEN, "match_id": None, "expires_at": self.now + timedelta(days=5)}
        _put(connection, tables.challenges, [*accepted, *waiting])
        joined = [(match.id, person, match) for match in every for person in match.people]
        joined += [(row["id"], match.people[0], match) for row, match in zip(waiting, every[::50], strict=True)]
        rows = [(number, who.id, who.name, match.begun_at) for number, who, match in joined]
        columns = ("challenge_id", "user_id", "name", "joined_at")
        _put(connection, tables.challenge_players, (dict(zip(columns, row, strict=True)) for row in rows))

    def _challenge(self, number: int, match: _Match) -> Row:
        case = match.scenario.case
        return {
            "id": number,
            "guild_id": match.server.id,
            "channel_id": match.server.channels[match.id % len(match.server.channels)],
            "game": case.game.key,
            "variant": case.variant.key,
            "players": case.players,
            "challenger_id": match.people[0].id,
            "opponent_id": match.people[1].id if case.players == 2 else None,
            "first": First.RANDOM,
            "rated": match.rated,
            "pace": PACE,
            "state": ChallengeState.STARTED,
            "match_id": match.id,
            "message_id": next(self.messages),
            "created_at": match.begun_at,
            "expires_at": match.begun_at + timedelta(days=7),
        }

    def _ratings(self, connection: Connection, every: Iterable[_Match]) -> None:
        """Rate the matches that are over in the order in which they ended."""
        known: dict[tuple[int, str, int], tuple[Rating, datetime]] = {}
        changes: list[Row] = []
        ended = [match for match in every if match.scenario.result is not None and match.rated]
        for match in sorted(ended, key=lambda match: match.turn_at):
            assert match.scenario.result is not None
            places = ranks(len(match.people), match.scenario.result.winners, match.scenario.dropped)
            for game in (match.scenario.case.game.key, OVERALL):
                keys = [(match.server.id, game, person.id) for person in match.people]
                before = [known[key][0] if key in known else newcomer(key[2]) for key in keys]
                after = rate(before, places, match.scenario.dropped)
                known.update((key, (rating, match.turn_at)) for key, rating in zip(keys, after, strict=True))
                changes += [_change(match, game, old, new) for old, new in zip(before, after, strict=True)]
        _put(connection, tables.rating_changes, changes)
        _put(connection, tables.ratings, (_rating(*key[:2], *rated) for key, rated in known.items()))

    def _sent(self, connection: Connection, every: Iterable[_Match]) -> None:
        """Write the sent messages and answered interactions of the last days."""
        sent, answered = [], []
        for match in every:
            for ply in range(len(match.scenario.entries), 0, -1):
                at = match.at(ply)
                if at < self.now - KEPT:
                    break
                answered.append({"id": next(self.messages), "at": at})
                shown = {"match": match.id, "ply": ply}
                board: Row = shown | {"notified": []}
                sent.append(_message(match, f"board:{match.id}:{ply}", f"match:{match.id}", "board", board, at))
                past, stood = f"past:{next(self.messages)}", {"channel": match.thread, "message": match.id}
                sent.append(_message(match, past, past, "past_board", shown | stood, at))
            if not match.posted:
                newest = {"match": match.id, "ply": len(match.scenario.entries), "notified": []}
                key = f"board:{match.id}:{newest['ply']}:1"
                pending = {"state": OutboxState.PENDING, "attempts": 0, "done_at": None}
                sent.append(_message(match, key, f"match:{match.id}", "board", newest, match.turn_at) | pending)
        _put(connection, tables.outbox, sent)
        _put(connection, tables.interactions, answered)


def _seats(match: _Match) -> Iterator[Row]:
    result = match.scenario.result
    drawn = result is None or len(result.winners) == len(match.people)
    for seat, person in enumerate(match.people):
        yield {
            "match_id": match.id,
            "seat": seat,
            "user_id": person.id,
            "name": person.name,
            "dropped": seat in match.scenario.dropped,
            "won": None if drawn or result is None else seat in result.winners,
        }


def _moves(match: _Match) -> Iterator[Row]:
    for ply, entry in enumerate(match.scenario.entries, 1):
        made = {"seat": entry.seat, "kind": entry.kind, "text": entry.text}
        yield {"match_id": match.id, "ply": ply, "at": match.at(ply), **made}


def _change(match: _Match, game: str, old: Rating, new: Rating) -> Row:
    before, after = {"mu_before": old.mu, "sigma_before": old.sigma}, {"mu_after": new.mu, "sigma_after": new.sigma}
    return {"match_id": match.id, "game": game, "user_id": old.user_id, "at": match.turn_at, **before, **after}


def _rating(guild_id: int, game: str, rating: Rating, at: datetime) -> Row:
    record = {"wins": rating.wins, "draws": rating.draws, "losses": rating.losses}
    who = {"guild_id": guild_id, "game": game, "user_id": rating.user_id, "updated_at": at}
    return {**who, "mu": rating.mu, "sigma": rating.sigma, **record}


def _message(match: _Match, key: str, topic: str, kind: str, payload: Row, at: datetime) -> Row:
    done = {"state": OutboxState.SENT, "attempts": 1, "due_at": at, "created_at": at, "done_at": at}
    return {"key": key, "topic": topic, "kind": kind, "payload": payload, "guild_id": match.server.id, **done}
