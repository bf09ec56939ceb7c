"""A person's stored data: its export as a file, and its deletion."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model import personal_data
from bot.matches.service_context import ServiceContext
from bot.matches.services.forfeits import Forfeits
from bot.matches.writing import cups as written_cups
from bot.matches.writing import outbox_messages
from bot.storage import (
    absences,
    abuse_counters,
    bars,
    beaten_levels,
    blocks,
    challenges,
    commits,
    cups,
    digests,
    erasure,
    exports,
    guilds,
    ladders,
    match_lists,
    mentions,
    notes,
    page_access,
    people,
    plans,
    puzzles,
    quiet_turns,
    ratings,
    shares,
    visits,
)
from bot.storage.contest_states import Withdrawal
from bot.storage.records import MatchState, Person, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

DELETED_NAME = _("somebody who left")
"""The name of a person whose data was deleted. It is stored in English and translated when shown."""
_FIRST_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""A day before every absence."""
NO_MOVES = "[]"
EXPORTED_AT_ONCE = 100
"""Matches, or challenges, that are read for an export in one transaction: other people's turns come in between."""
UNFINISHED = _(
    "Something broke before I was done, so perhaps not everything about you is deleted yet. Press **Delete "
    "everything** again in a few minutes."
)


class Privacy:
    """Exports and deletes the data of people."""

    def __init__(self, context: ServiceContext, forfeits: Forfeits) -> None:
        self._context = context
        self._forfeits = forfeits

    async def export(self, user_id: int) -> bytes:
        """Return everything stored about a person as JSON in UTF-8.

        Names of other people are left out: they are known in the servers of the matches only.
        """
        async with self._context.database.read() as tx:
            puzzle_rating = await puzzles.rating(tx, user_id)
            kept = {
                "discord_id": user_id,
                "preferences": asdict(await people.preferences(tx, user_id)),
                "quiet_turns": [asdict(turns) for turns in await quiet_turns.of_person(tx, user_id)],
                "mentions": await mentions.of_person(tx, user_id),
                "digest": None if (digest := await digests.of_person(tx, user_id)) is None else asdict(digest),
                "last_use": None if (seen_at := await visits.last(tx, user_id)) is None else seen_at.isoformat(),
                "absences": [asdict(absence) for absence in await absences.since(tx, user_id, _FIRST_DAY)],
                "blocked": await blocks.blocked_by(tx, user_id),
                "barred": [asdict(bar) for bar in await bars.of_person(tx, user_id)],
                "voided": await match_lists.voided_by(tx, user_id),
                "ratings": await ratings.all_of(tx, user_id),
                "levels_beaten": await beaten_levels.of_person(tx, user_id),
                "cups": await cups.all_of(tx, user_id),
                "ladders": await ladders.of_person(tx, user_id),
                "notes": await notes.of_person(tx, user_id),
                "plans": await plans.of_person(tx, user_id),
                "puzzles": [asdict(attempt) for attempt in await puzzles.attempts_of(tx, user_id)],
                "shares": [asdict(share) for share in await shares.of_person(tx, user_id)],
                "page_sessions": [asdict(session) for session in await page_access.of_person(tx, user_id)],
                "puzzle_rating": None if puzzle_rating is None else asdict(puzzle_rating),
                **await exports.of_person(tx, user_id),
            }
        made, last = list[str](), 0
        while True:
            async with self._context.database.read() as tx:
                rows = await challenges.part_of_person(tx, user_id, last, EXPORTED_AT_ONCE)
            if not rows:
                break
            made += await self._context.compute(personal_data.challenge_lines, rows)
            last = rows[-1]["id"]
        lines, last = list[str](), 0
        while True:
            async with self._context.database.read() as tx:
                part = await match_lists.part_of_person(tx, user_id, last, EXPORTED_AT_ONCE)
                played = await exports.moves_of_each(tx, [match.id for match in part])
            if not part:
                break
            lines += await self._context.compute(
                personal_data.match_lines, user_id, [(match, played.get(match.id, NO_MOVES)) for match in part]
            )
            last = part[-1].id
        return await self._context.compute(personal_data.whole, kept, challenges=made, matches=lines)

    async def erase(self, person: Person, interaction_id: RequestId) -> int:
        """Delete everything about a person; return the number of running matches that this resigned.

        They withdraw from cups first, or the end of one match would begin the next. Opponents keep their matches, in
        which the person gets a random id and no name. Matches in direct messages with the bot have no others, and go.
        Bars and the blocks of others stay, so that a deletion does not lift them, and limits know for two days at most
        what the person did (``bot.storage.abuse_counters``).
        """
        resigned = 0
        with commits.as_one(UNFINISHED):
            while not await self._erase_unless_playing(person, interaction_id):
                await self._leave_cups(person)
                async with self._context.database.read() as tx:
                    seats = await _seats_taken(tx, person)
                for match_id, seat in seats:
                    resigned += await self._forfeits.give_up(match_id, seat)
        await self._context.database.empty_log()
        return resigned

    @retried
    async def _erase_unless_playing(self, person: Person, interaction_id: RequestId) -> bool:
        """Delete everything about a person; return False, and do nothing, while they have a running match."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await match_lists.of_person(tx, person.id, MatchState.RUNNING, lock=True)
            await challenges.open_about(tx, person.id, lock=True)
            if await written_cups.lock_all_of(tx, person.id) or await _seats_taken(tx, person):
                return False
            await self._context.mark_processed(tx, interaction_id)
            await abuse_counters.keep(tx, person.id, now)
            await erasure.delete_settings(tx, person.id)
            await puzzles.delete_of_person(tx, person.id)
            for share in await shares.anonymise(tx, person.id):
                await outbox_messages.share(tx, share.id, share.guild_id, share.game, f"erased:{interaction_id}", now)
            await guilds.delete_direct(tx, person.id)
            nobody_id = -1 - secrets.randbits(62)
            for cup_id in await cups.anonymise(tx, person.id, nobody_id, DELETED_NAME):
                await outbox_messages.cup(tx, cup_id, f"erased:{interaction_id}", now)
            for challenge_id in await erasure.anonymise(tx, person.id, nobody_id, DELETED_NAME):
                await outbox_messages.card(tx, challenge_id, f"erased:{interaction_id}", now)
            # After the seats: a note that is being written locks its seat.
            await notes.delete_of_person(tx, person.id)
            # Last: a link that is being used begins a session before its puzzle or seat is given up here, or never.
            await page_access.end_of_person(tx, person.id)
        return True

    @retried
    async def _leave_cups(self, person: Person) -> None:
        async with self._context.database.write() as tx:
            for cup in await written_cups.lock_all_of(tx, person.id):
                await written_cups.take_out(tx, cup, person.id, Withdrawal.DELETED, self._context.clock())


async def _seats_taken(tx: AsyncConnection, person: Person) -> list[tuple[int, int]]:
    """Return a person's running matches by id, each with their seat."""
    running = [
        (match.id, match.seat_of(person.id)) for match in await match_lists.of_person(tx, person.id, MatchState.RUNNING)
    ]
    return [(match_id, seat.seat) for match_id, seat in running if seat is not None and not seat.dropped]
