"""People who reach a limit, or ask others too often, also after they have deleted their data."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from bot.games import GAMES
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.service_context import PlayLimits
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.matches.services.forfeits import Forfeits
from bot.storage import abuse_counters, match_lists, tables
from bot.storage.guilds import GuildSettings
from bot.storage.records import First, MatchState, OfferState, Person, ShareKind
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, YONMOQUE, Crowd
from tests.matches.test_daily_puzzles import ONE, at, solve
from tests.matches.test_shares import finished, sharing

SEVERAL = Terms("rectangles", GAMES["rectangles"].variants[0].key, 3, First.CHALLENGER)


# Offers


async def test_a_draw_withdrawn_cannot_be_offered_again_before_the_next_move(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    agreements = crowd.services.agreements
    await agreements.offer_draw(*crowd.request(match_id, ALICE))
    await agreements.answer(crowd.actor(ALICE), 1, Answer.WITHDRAW)
    for _ in range(60):
        with pytest.raises(Refusal, match="after the next move"):
            await agreements.offer_draw(*crowd.request(match_id, ALICE))
    # The opponent has an offer of their own.
    assert await agreements.offer_draw(*crowd.request(match_id, BOB)) is OfferState.OPEN
    await agreements.answer(crowd.actor(ALICE), 2, Answer.DECLINE)
    await crowd.play(match_id, "c3")
    assert await agreements.offer_draw(*crowd.request(match_id, ALICE)) is OfferState.OPEN


async def test_a_take_back_declined_cannot_be_asked_for_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    agreements = crowd.services.agreements
    await agreements.ask_takeback(*crowd.request(match_id, ALICE))
    await agreements.answer(crowd.actor(BOB), 1, Answer.DECLINE)
    with pytest.raises(Refusal, match="already"):
        await agreements.ask_takeback(*crowd.request(match_id, ALICE))


async def test_a_draw_offer_does_not_notify_an_opponent_who_blocked_the_offerer(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.services.personal_settings.block(BOB.id, ALICE.id, blocked=True)
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    await crowd.services.agreements.answer(crowd.actor(ALICE), 1, Answer.WITHDRAW)
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, BOB))
    first, _, third = await crowd.queued("offer")
    assert (first["notified"], third["notified"]) == ([1], [])


# Challenges cancelled


async def test_after_several_cancelled_challenges_a_person_waits_for_an_hour(crowd: Crowd) -> None:
    challenges, limit = crowd.services.challenges, PlayLimits().cancellations_per_hour
    for _ in range(limit):
        await challenges.cancel(crowd.actor(ALICE), await crowd.offer(to=BOB))
    crowd.later(minutes=20)
    with pytest.raises(LimitReached, match="again in 40 minutes"):
        await crowd.offer(to=BOB)
    assert await crowd.offer(by=CAROL, to=BOB)
    crowd.later(minutes=40)
    assert await crowd.offer(to=BOB)


async def test_cancelled_rematches_count_as_cancelled_challenges(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    challenges = crowd.services.challenges
    for number in range(PlayLimits().cancellations_per_hour):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
        await challenges.cancel(crowd.actor(ALICE), number + 2)
    with pytest.raises(LimitReached, match="cancelled"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)


async def test_a_clock_set_back_makes_no_one_wait_for_hours(crowd: Crowd) -> None:
    for _ in range(PlayLimits().cancellations_per_hour):
        await crowd.services.challenges.cancel(crowd.actor(ALICE), await crowd.offer(to=BOB))
    crowd.later(hours=-5)
    assert await crowd.offer(to=BOB)


# Limits of matches, challenges and channels


async def test_a_rematch_is_no_way_past_the_number_of_challenges(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    crowd.open(PlayLimits(challenges=2))
    for _ in range(2):
        await crowd.offer()
    with pytest.raises(LimitReached, match="2 challenges open"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)


async def test_a_rematch_is_no_way_into_a_channel_where_play_is_not_allowed_any_more(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    settings = crowd.services.server_settings
    await settings.change(GUILD, lambda _: GuildSettings(channels=(CHANNEL + 1,)))
    with pytest.raises(Refusal, match="games are played in"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
    # A thread of an allowed channel is allowed.
    assert await crowd.services.rematches.ask(crowd.actor(ALICE, parent_id=CHANNEL + 1), match_id) is None


async def test_starting_a_lobby_is_no_way_past_the_number_of_matches(crowd: Crowd) -> None:
    crowd.open(PlayLimits(matches=1))
    lobby = await crowd.offer(terms=SEVERAL)
    await crowd.services.challenges.accept(crowd.actor(BOB), lobby)
    other = await crowd.offer(by=CAROL, terms=YONMOQUE)
    await crowd.services.challenges.accept(crowd.actor(BOB), other)
    with pytest.raises(Refusal, match="Bob has 1 match running"):
        await crowd.services.challenges.start(crowd.actor(ALICE), lobby)


# Deletion


async def test_deletion_pressed_twice_at_once_deletes_and_says_so_twice(crowd: Crowd) -> None:
    for _ in range(3):
        await crowd.begin()
    erase = crowd.services.privacy.erase
    results = await asyncio.gather(*(erase(ALICE, crowd.interaction()) for _ in range(4)), return_exceptions=True)
    assert sum(result for result in results if isinstance(result, int)) == 3
    assert not [result for result in results if isinstance(result, BaseException)]
    assert await crowd.services.read(match_lists.running_of, GUILD, ALICE.id) == []


async def test_deletion_goes_on_though_the_seat_is_dropped_at_the_same_time(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await crowd.begin(ALICE, by=Person(4, "Dora"), terms=SEVERAL)
    give_up = Forfeits.give_up

    async def dropped_before(forfeits: Forfeits, match_id: int, seat: int) -> bool:
        """Let Alice's other click resign after her seats were read."""
        await crowd.resign(match_id, ALICE)
        return await give_up(forfeits, match_id, seat)

    monkeypatch.setattr(Forfeits, "give_up", dropped_before)
    assert await crowd.services.privacy.erase(ALICE, crowd.interaction()) == 0
    match = await crowd.match(match_id)
    assert match.state is MatchState.RUNNING
    assert ALICE.id not in {seat.person.id for seat in match.seats}


# Blocks


@pytest.mark.parametrize("blocker", [ALICE, BOB], ids=["the challenger", "the opponent"])
async def test_people_apart_can_neither_challenge_nor_join_nor_ask_for_a_rematch(crowd: Crowd, blocker: Person) -> None:
    other, challenges = BOB if blocker == ALICE else ALICE, crowd.services.challenges
    over, asked = await crowd.begin(), await crowd.offer(to=BOB)
    await crowd.resign(over, BOB)
    closed = [asked, await crowd.offer(), await crowd.offer(terms=SEVERAL)]
    block = crowd.services.personal_settings.block
    await block(blocker.id, other.id, blocked=True)
    with pytest.raises(Refusal, match="can't challenge each other"):
        await crowd.offer(by=ALICE, to=BOB)
    with pytest.raises(Refusal, match="can't challenge each other"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), over)
    for challenge_id in closed:
        with pytest.raises(Refusal, match="can't join"):
            await challenges.accept(crowd.actor(BOB), challenge_id)
    await challenges.decline(crowd.actor(BOB), asked)
    assert await crowd.offer(by=ALICE, to=CAROL)
    await block(blocker.id, other.id, blocked=False)
    assert await crowd.services.rematches.ask(crowd.actor(ALICE), over) is None


async def test_discord_is_asked_once_a_day_who_of_an_open_challenge_has_left(crowd: Crowd) -> None:
    async def asked() -> int:
        await crowd.services.challenges.ask_who_left()
        return len(await crowd.queued("challenge_members"))

    await crowd.offer()
    assert await asked() == 0, "it is new"
    crowd.later(hours=25)
    await crowd.offer(by=BOB)
    assert await asked() == 1
    assert await asked() == 1
    crowd.open()
    crowd.later(hours=1)
    assert await asked() == 1, "also after a restart"
    crowd.later(hours=24)
    assert await asked() == 3


async def test_a_few_challenges_a_minute_are_asked_about_and_all_in_their_turn(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.matches.services.challenges.ASKED_ABOUT", 2)
    for person in (ALICE, BOB, CAROL, ALICE, BOB):
        await crowd.offer(by=person)
    crowd.later(hours=25)
    counts = []
    for _ in range(4):
        await crowd.services.challenges.ask_who_left()
        counts.append(len(await crowd.queued("challenge_members")))
    assert counts == [2, 4, 5, 5]


async def test_who_plays_as_many_matches_as_they_may_begins_no_other_until_one_is_over(crowd: Crowd) -> None:
    crowd.open(PlayLimits(matches=2))
    asked = await crowd.offer(by=CAROL, to=ALICE)
    running = [await crowd.begin() for _ in range(2)]
    with pytest.raises(Refusal, match="You have 2 matches running"):
        await crowd.offer()
    with pytest.raises(Refusal, match="You have 2 matches running"):
        await crowd.services.challenges.accept(crowd.actor(ALICE), asked)
    await crowd.resign(running[0], BOB)
    assert await crowd.services.challenges.accept(crowd.actor(ALICE), asked) is not None


async def test_a_challenge_stands_for_as_many_days_as_it_was_set_to(crowd: Crowd) -> None:
    crowd.open(PlayLimits(challenge_days=2))
    challenge_id = await crowd.offer(to=BOB)
    crowd.later(days=2, seconds=-1)
    await crowd.services.challenges.expire()
    crowd.later(seconds=1)
    await crowd.services.challenges.expire()
    with pytest.raises(Refusal, match="expired"):
        await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)


async def erase(crowd: Crowd) -> None:
    await crowd.services.privacy.erase(ALICE, crowd.interaction())


@pytest.mark.slow
async def test_ten_shares_a_day_stay_ten_however_often_data_is_deleted(crowd: Crowd) -> None:
    for number in range(PlayLimits().shares):
        match_id = await finished(crowd)
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
        if number % 3 == 0:
            await erase(crowd)
    match_id = await finished(crowd)
    with pytest.raises(LimitReached, match="You've shared 10 things today"):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, BOB), match_id)
    crowd.later(days=1, seconds=1)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), await finished(crowd))


async def test_a_puzzle_of_the_day_is_not_begun_anew_after_a_deletion(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    day = datetime(2026, 1, 1, tzinfo=UTC).date()
    await solve(crowd, ALICE.id, ONE, day)
    for _ in range(2):
        await erase(crowd)
        with pytest.raises(Refusal, match="before you deleted your data"):
            await crowd.services.puzzles.begin_daily(ALICE.id, ONE, day)
    await solve(crowd, BOB.id, ONE, day)
    await at(crowd, 2026, 1, 2, 9, 0)
    await solve(crowd, ALICE.id, ONE, datetime(2026, 1, 2, tzinfo=UTC).date())


async def test_what_is_kept_has_no_id_and_is_gone_after_two_days(crowd: Crowd) -> None:
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), await finished(crowd))
    await erase(crowd)

    async def kept() -> list[int]:
        async with crowd.database.write() as tx:
            await abuse_counters.forget(tx, crowd.now)
            return list((await tx.execute(select(tables.brakes.c.person))).scalars())

    (person,) = await kept()
    assert abs(person) > 2**32
    crowd.later(days=2, seconds=1)
    assert await kept() == []
