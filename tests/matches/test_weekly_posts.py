"""What a weekly post tells: results of people, streaks that run, and the game that turned most."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.delivery.context import DeliveryContext
from bot.delivery.handlers.weekly import final_board
from bot.games import faults
from bot.messages.pictures import BoardRenderer
from bot.storage import guilds
from bot.storage.guilds import GuildSettings
from bot.storage.records import Judgement
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Crowd
from tests.matches.test_daily_puzzles import at, solve
from tests.matches.test_shares import finished, reviewed


async def weeks(crowd: Crowd) -> list[tuple[str, list[int]]]:
    """Return the Mondays and channels of the weekly posts in the outbox, in order."""
    return [(payload["week"], payload["channels"]) for payload in await crowd.queued("weekly")]


async def test_it_comes_with_the_first_puzzle_since_monday_once(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "UTC")
    for day in (1, 2, 4):
        await at(crowd, 2026, 1, day, 9, 0)
    assert await weeks(crowd) == []
    for day in (6, 7, 7):
        await at(crowd, 2026, 1, day, 9, 0)
    assert await weeks(crowd) == [("2026-01-05", [CHANNEL])], "on Monday the bot was down"
    async with crowd.database.write() as tx:
        await guilds.put_settings(tx, GUILD, GuildSettings(weekly_channel=CHANNEL + 1))
    await at(crowd, 2026, 1, 12, 9, 0)
    assert (await weeks(crowd))[1:] == [("2026-01-12", [CHANNEL + 1, CHANNEL])]
    async with crowd.database.write() as tx:
        await guilds.put_settings(tx, GUILD, GuildSettings(weekly=False))
    await at(crowd, 2026, 1, 19, 9, 0)
    assert len(await weeks(crowd)) == 2


async def test_its_final_board_names_nobody_and_is_missing_where_the_game_fails_to_draw_it(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = (await crowd.services.queries.match_view(GUILD, await finished(crowd))).match
    context = DeliveryContext(None, crowd.services, BoardRenderer(crowd.services), threads=False)  # type: ignore[arg-type]

    def fails(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    for where in ("bot.messages.drawing.board", "bot.matches.game_states.replay"):
        crowd.services.game_states.forget()
        with monkeypatch.context() as patch:
            patch.setattr(where, fails)
            patch.setattr(faults, "FAULTS", {})
            assert await final_board(context, match) is None
            assert "yonmoque" in faults.FAULTS
    picture = await final_board(context, match)
    assert picture is not None
    assert picture.description.startswith("Yonmoque. ")
    assert not any(seat.person.name in picture.description for seat in match.seats)


async def test_the_longest_streak_is_one_that_has_not_ended(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(GUILD, CHANNEL, 9, "UTC")
    solvers = {1: (ALICE, BOB), 2: (ALICE, BOB), 3: (ALICE,), 4: (), 5: (), 6: (CAROL,), 7: (CAROL,)}
    for day, people in solvers.items():
        await at(crowd, 2026, 1, day, 9, 0)
        for person in people:
            await solve(crowd, person.id, GUILD, date(2026, 1, day))
    await finished(crowd)
    week = await crowd.services.weekly_posts.week(GUILD, crowd.now + timedelta(minutes=1), lambda channels: channels)
    assert week is not None
    assert week.streak is not None
    assert (week.streak.user_id, week.streak.streak) == (CAROL.id, 2)


async def test_the_game_that_turned_most_by_its_review_is_worth_a_look_else_the_longest(crowd: Crowd) -> None:
    short = await finished(crowd)
    longer = await crowd.begin()
    await crowd.play(longer, "a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "d1", "d5", "e3")
    match = (await crowd.services.queries.match_view(GUILD, longer)).match
    await crowd.resign(longer, match.seats[0].person)
    until = crowd.now + timedelta(minutes=1)
    week = await crowd.services.weekly_posts.week(GUILD, until, lambda channels: channels)
    assert week is not None
    assert [one.id for one in week.ended] == [longer, short]
    assert (week.worth_a_look.id, week.turns) == (longer, 0)
    await reviewed(crowd, short, Judgement(5, 1, 0.9, 0.1, "c5", exact=False))
    week = await crowd.services.weekly_posts.week(GUILD, until, lambda channels: channels)
    assert week is not None
    assert (week.worth_a_look.id, week.turns) == (short, 1)
    assert await crowd.services.weekly_posts.week(GUILD, until, lambda _channels: ()) is None
    later = datetime(2030, 1, 1, tzinfo=UTC)
    assert await crowd.services.weekly_posts.week(GUILD, later, lambda channels: channels) is None
