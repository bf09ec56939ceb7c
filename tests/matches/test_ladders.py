"""The ladder: who is paired with whom each week, once, and who is left out, taken out or kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bot.games import GAMES
from bot.languages.speaking import language
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY
from bot.matches.services.ladders import LadderView
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import guilds, ladders, matches, tables
from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.guilds import GuildSettings
from bot.storage.ladders import Ladder
from bot.storage.records import Match, MatchState, Person
from renderers.i18n import speaking
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Crowd
from tests.matches.test_daily_puzzles import at

DORA, EVE = Person(4, "Dora"), Person(5, "Eve")
WEEK_PACE = 7 * DAY
OF_THE_WEEK = (MessageKind.LADDER, MessageKind.LADDER_OUT, MessageKind.WEEKLY)


async def nobody(_guild_id: int, _user_id: int) -> bool:
    return False


async def join(crowd: Crowd, *people: Person, game: str | None = None, pace: int | None = None) -> None:
    for person in people:
        await crowd.services.ladders.join(crowd.actor(person), game, pace)
        crowd.later(seconds=1)


async def paired(crowd: Crowd) -> tuple[Match, ...]:
    """Let a week begin, have it paired, and return its matches."""
    crowd.later(weeks=1)
    await crowd.services.ladders.queue_due()
    await crowd.services.ladders.pair(GUILD, crowd.now, nobody)
    view = await crowd.services.ladders.view(GUILD, crowd.now)
    return () if view is None else view.matches


async def view_of(crowd: Crowd, week: datetime | None = None) -> LadderView:
    view = await crowd.services.ladders.view(GUILD, week)
    assert view is not None
    return view


def names(match: Match) -> set[str]:
    return {seat.person.name for seat in match.seats}


async def move_all(crowd: Crowd, found: Sequence[Match]) -> None:
    """Have both players move in each match of a week."""
    for match in found:
        await crowd.move_twice(match.id)


async def members(crowd: Crowd) -> set[str]:
    return {one.person.name for one in await crowd.services.read(ladders.players, GUILD)}


@pytest.mark.parametrize("counts", [True, False])
async def test_everybody_in_it_gets_one_match_a_week_at_the_slower_pace_on_the_terms_of_the_server(
    crowd: Crowd, counts: bool
) -> None:
    wanted = GuildSettings(rest_counts=counts)
    await crowd.services.server_settings.change(GUILD, lambda _before: wanted)
    await join(crowd, ALICE, pace=DAY)
    await join(crowd, BOB, pace=3 * DAY)
    with speaking(language("de")):
        (match,) = await paired(crowd)
    assert names(match) == {"Alice", "Bob"}
    assert (match.pace, match.rated, match.channel_id, match.rest_counts) == (3 * DAY, True, CHANNEL, counts)
    assert match.variant == GAMES[match.game].variants[0].key
    assert await crowd.services.read(matches.language, match.id) == "de"


async def test_either_of_two_may_have_the_first_move(crowd: Crowd) -> None:
    people = [Person(number, f"P{number}") for number in range(1, 21)]
    await join(crowd, *people)
    found = await paired(crowd)
    assert {match.seats[0].person.id < match.seats[1].person.id for match in found} == {True, False}


async def test_a_week_is_paired_once(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    (match,) = await paired(crowd)
    crowd.open()
    await crowd.services.ladders.pair(GUILD, crowd.now, nobody)
    await crowd.services.ladders.queue_due()
    view = await view_of(crowd)
    assert [one.id for one in view.matches] == [match.id]
    assert view.ladder.due_at > crowd.now


async def test_it_stays_in_its_channel_until_that_is_gone(crowd: Crowd) -> None:
    await join(crowd, ALICE)
    elsewhere = crowd.actor(BOB, channel_id=CHANNEL + 1)
    await crowd.services.ladders.join(elsewhere, None, None)
    assert (await view_of(crowd)).ladder.channel_id == CHANNEL
    await crowd.services.ladders.join(replace(elsewhere, interaction_id=crowd.interaction()), None, None, moved=True)
    assert (await view_of(crowd)).ladder.channel_id == CHANNEL + 1


async def test_who_leaves_while_a_week_is_paired_is_not_in_it(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    crowd.later(weeks=1)

    async def bob_leaves(_guild_id: int, user_id: int) -> bool:
        if user_id == BOB.id:
            await crowd.services.ladders.leave(crowd.actor(BOB))
        return False

    await crowd.services.ladders.pair(GUILD, crowd.now, bob_leaves)
    view = await view_of(crowd)
    assert view.matches == ()
    assert [(one.person.name, one.left_out_at) for one in view.players] == [("Alice", crowd.now)]


async def test_who_is_away_has_no_match_and_stays(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    await crowd.services.absences.leave_until(BOB.id, crowd.now + timedelta(days=10))
    assert await paired(crowd) == ()
    assert await members(crowd) == {"Alice", "Bob"}
    assert len(await paired(crowd)) == 1


async def test_it_begins_on_monday_at_the_hour_of_the_puzzle(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 18, "Europe/Rome")
    await join(crowd, ALICE)
    view = await view_of(crowd)
    assert view.ladder.due_at == datetime(2026, 1, 5, 17, tzinfo=UTC)


async def test_of_an_odd_number_nobody_is_left_out_twice_in_a_row_and_all_meet_before_any_two_again(
    crowd: Crowd,
) -> None:
    await join(crowd, ALICE, BOB, CAROL)
    alone, met = list[str](), Counter[frozenset[str]]()
    for _ in range(3):
        found = await paired(crowd)
        assert len(found) == 1
        met[frozenset(names(found[0]))] += 1
        alone += {"Alice", "Bob", "Carol"} - names(found[0])
        await move_all(crowd, found)
    assert sorted(alone) == ["Alice", "Bob", "Carol"]
    assert max(met.values()) == 1


async def test_who_runs_out_of_time_loses_at_once_and_is_out_and_who_waits_for_them_stays(crowd: Crowd) -> None:
    await crowd.services.server_settings.change(GUILD, lambda _before: GuildSettings(grace=False))
    await join(crowd, ALICE, BOB)
    (match,) = await paired(crowd)
    idle, waits = match.mover.person, match.seats[1 - match.mover.seat].person
    crowd.later(days=2)
    await crowd.services.forfeits.notice_late()
    ended = await crowd.match(match.id)
    assert ended.state is MatchState.OVER, "nobody has to claim the win"
    assert ended.seat_of(waits.id) == replace(match.seats[1 - match.mover.seat], won=True)
    assert [one.games for one in await crowd.leaderboard()] == [1, 1], "a no-show is rated"
    assert await paired(crowd) == ()
    assert await members(crowd) == {waits.name}
    assert await out_of_it(crowd) == {idle.name: (OutOfLadder.TIME, match.id)}
    await join(crowd, idle)
    assert await out_of_it(crowd) == {}
    assert len(await paired(crowd)) == 1, "who joins again is not put out for the same match"


async def test_who_joins_again_before_monday_is_not_put_out(crowd: Crowd) -> None:
    await crowd.services.server_settings.change(GUILD, lambda _before: GuildSettings(grace=False))
    await join(crowd, ALICE, BOB)
    (match,) = await paired(crowd)
    crowd.later(days=2)
    await crowd.services.forfeits.notice_late()
    await join(crowd, match.mover.person)
    assert len(await paired(crowd)) == 1
    assert await members(crowd) == {"Alice", "Bob"}


async def test_a_resignation_before_the_second_move_is_rated_and_takes_out_a_later_one_does_not(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB, CAROL, DORA)
    first, second = await paired(crowd)
    crowd.later(hours=1)
    await crowd.resign(first.id, first.mover.person)
    await crowd.move_twice(second.id)
    await crowd.resign(second.id, second.mover.person)
    assert [one.games for one in await crowd.leaderboard()] == [1, 1, 1, 1]
    await paired(crowd)
    assert await out_of_it(crowd) == {first.mover.person.name: (OutOfLadder.RESIGNED, first.id)}
    await paired(crowd)
    assert (await kinds(crowd)).count(MessageKind.LADDER_OUT) == 1


async def out_of_it(crowd: Crowd) -> dict[str, tuple[OutOfLadder | None, int | None]]:
    """Return who was taken out at the last pairing, for what, in which match."""
    view = await view_of(crowd)
    return {one.person.name: (one.out_why, one.out_match_id) for one in view.out}


async def test_two_who_are_playing_are_not_paired_again_and_nobody_gets_a_third_match(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB, game="yonmoque", pace=WEEK_PACE)
    found = await paired(crowd)
    for _week in range(3):
        await move_all(crowd, found)
        assert await paired(crowd) == ()
    await join(crowd, CAROL, DORA, game="yonmoque", pace=WEEK_PACE)
    for _week in range(3):
        await move_all(crowd, await running(crowd))
        await paired(crowd)
    played = Counter(name for match in await running(crowd) for name in names(match))
    assert set(played.values()) == {2}
    assert await without_match(crowd) == dict.fromkeys(("Alice", "Bob", "Carol", "Dora"), NoMatch.UNFINISHED)


async def running(crowd: Crowd) -> list[Match]:
    return await crowd.services.read(ladders.unfinished, GUILD)


async def without_match(crowd: Crowd) -> dict[str, NoMatch | None]:
    """Return who has no match this week, and why."""
    view = await view_of(crowd)
    return {one.person.name: one.left_out_why for one in view.players if one.left_out_at == view.ladder.week}


async def test_the_reason_for_no_match_is_what_is_so(crowd: Crowd) -> None:
    await join(crowd, ALICE)
    await paired(crowd)
    assert await without_match(crowd) == {"Alice": NoMatch.NOBODY}
    await join(crowd, ALICE, game="gyges")
    await join(crowd, BOB, game="redo")
    await paired(crowd)
    assert await without_match(crowd) == {"Alice": NoMatch.GAME, "Bob": NoMatch.GAME}
    await join(crowd, BOB, game="gyges")
    (match,) = await paired(crowd)
    assert (match.game, await without_match(crowd)) == ("gyges", {})
    await crowd.void(match.id)
    await crowd.services.personal_settings.block(ALICE.id, BOB.id, blocked=True)
    await paired(crowd)
    assert await without_match(crowd) == {"Alice": NoMatch.NOBODY, "Bob": NoMatch.NOBODY}
    await crowd.services.personal_settings.block(ALICE.id, BOB.id, blocked=False)
    await join(crowd, CAROL)
    (match,) = await paired(crowd)
    (alone,) = {"Alice", "Bob", "Carol"} - names(match)
    assert await without_match(crowd) == {alone: NoMatch.TURN}


async def test_who_blocks_while_a_week_is_paired_does_not_meet_the_blocked(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    crowd.later(weeks=1)
    context = crowd.services.ladders._context
    compute = context.compute_as

    async def block_meanwhile(*args: Any) -> Any:
        await crowd.services.personal_settings.block(ALICE.id, BOB.id, blocked=True)
        return await compute(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(context), "compute_as", lambda _self, *args: block_meanwhile(*args))
        await crowd.services.ladders.pair(GUILD, crowd.now, nobody)
    assert await running(crowd) == []
    assert await without_match(crowd) == {"Alice": NoMatch.NOBODY, "Bob": NoMatch.NOBODY}


async def test_after_downtime_the_next_pairing_is_five_days_away_at_least(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    crowd.now = datetime(2026, 1, 10, 20, tzinfo=UTC)  # a Saturday, five days after the hour
    await crowd.services.ladders.queue_due()
    await crowd.services.ladders.pair(GUILD, crowd.now, nobody)
    assert (await ladder_of(crowd)).due_at == datetime(2026, 1, 19, 9, tzinfo=UTC)
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "Pacific/Kiritimati")
    assert (await ladder_of(crowd)).due_at >= crowd.now + timedelta(days=5)


async def test_people_apart_barred_or_gone_are_not_paired(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB, CAROL, DORA)
    await crowd.services.personal_settings.block(ALICE.id, BOB.id, blocked=True)
    await crowd.services.bars.bar(GUILD, CAROL.id, crowd.interaction())

    async def dora_left(_guild_id: int, user_id: int) -> bool:
        return user_id == DORA.id

    crowd.later(weeks=1)
    await crowd.services.ladders.pair(GUILD, crowd.now, dora_left)
    view = await view_of(crowd, crowd.now)
    assert view.matches == ()
    assert await members(crowd) == {"Alice", "Bob", "Carol"}


async def test_people_near_in_rating_are_paired(crowd: Crowd) -> None:
    for loser in (CAROL, DORA):
        for winner in (ALICE, BOB):
            match_id = await crowd.begin(by=winner, to=loser)
            await crowd.move_twice(match_id)
            await crowd.resign(match_id, loser)
    await join(crowd, ALICE, CAROL, BOB, DORA)
    assert {frozenset(names(match)) for match in await paired(crowd)} == {
        frozenset(("Alice", "Bob")),
        frozenset(("Carol", "Dora")),
    }


async def test_leaving_and_deleting_ones_data_take_out_of_the_ladder(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB, CAROL)
    assert b'"ladders"' in await crowd.services.privacy.export(ALICE.id)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    await crowd.services.ladders.leave(crowd.actor(BOB))
    assert await members(crowd) == {"Carol"}
    with pytest.raises(Refusal, match="not in the ladder"):
        await crowd.services.ladders.leave(crowd.actor(BOB))
    assert await paired(crowd) == ()


async def test_the_barred_and_games_of_more_than_two_are_refused(crowd: Crowd) -> None:
    await crowd.services.bars.bar(GUILD, EVE.id, crowd.interaction())
    with pytest.raises(Refusal, match="barred"):
        await join(crowd, EVE)
    with pytest.raises(Refusal, match="isn't one"):
        await join(crowd, ALICE, game="nothing")


async def kinds(crowd: Crowd) -> list[str]:
    """Return the kinds of messages about weeks in the outbox, in order."""
    found = await crowd.column(select(tables.outbox.c.kind).order_by(tables.outbox.c.id))
    return [kind for kind in found if kind in OF_THE_WEEK]


@pytest.mark.parametrize("first", ["puzzle", "ladder"])
async def test_the_pairing_comes_before_the_weekly_post_once_whatever_falls_due_first(crowd: Crowd, first: str) -> None:
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "UTC")
    await join(crowd, ALICE, BOB)
    await at(crowd, 2026, 1, 4, 9, 0)
    crowd.now = datetime(2026, 1, 5, 9, tzinfo=UTC)
    due = [crowd.services.daily_puzzles.post_due, crowd.services.ladders.queue_due]
    for queue in due if first == "puzzle" else reversed(due):
        await queue()
    assert await kinds(crowd) == [MessageKind.LADDER, MessageKind.WEEKLY]
    query = select(tables.outbox.c.topic).where(tables.outbox.c.kind.in_(OF_THE_WEEK))
    assert len(set(await crowd.column(query))) == 1, "one follows the other"


async def test_a_ladder_is_paired_without_a_weekly_post_where_the_server_has_none(crowd: Crowd) -> None:
    async with crowd.database.write() as tx:
        await guilds.put_settings(tx, GUILD, GuildSettings(weekly=False))
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "UTC")
    await join(crowd, ALICE, BOB)
    await at(crowd, 2026, 1, 4, 9, 0)
    await at(crowd, 2026, 1, 5, 9, 0)
    await crowd.services.ladders.queue_due()
    assert await kinds(crowd) == [MessageKind.LADDER]


async def test_another_hour_of_the_puzzle_moves_the_pairing_of_that_monday_and_brings_no_second_one(
    crowd: Crowd,
) -> None:
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "UTC")
    await join(crowd, ALICE, BOB)
    await crowd.services.daily_puzzles.announce(GUILD, hour=18)
    assert (await ladder_of(crowd)).due_at == datetime(2026, 1, 5, 18, tzinfo=UTC)
    crowd.now = datetime(2026, 1, 5, 18, tzinfo=UTC)
    await crowd.services.ladders.queue_due()
    await crowd.services.daily_puzzles.announce(GUILD, hour=20)
    assert (await ladder_of(crowd)).due_at == datetime(2026, 1, 12, 20, tzinfo=UTC)


async def ladder_of(crowd: Crowd) -> Ladder:
    found = await crowd.services.read(ladders.get, GUILD)
    assert found is not None
    return found
