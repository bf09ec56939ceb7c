"""A pace: what people type for it, how it reads, its arithmetic against a model, and another pace agreed on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from bot.languages.speaking import language
from bot.matches.model.pace import PACES, Pace, banks_after, pace_in_words, parsed_pace, time_left_in_words
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY, HOUR, MINUTE, parts, typed_list
from bot.matches.services.agreements import Answer
from bot.matches.writing.clocks import new_clock
from bot.storage import matches
from bot.storage.records import OfferState, Person
from renderers.i18n import speaking, translated
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd

LIVE = Pace(10 * MINUTE, 30)
SUMMER_TIME = datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC)
"""When clocks in Europe skip an hour, and when they repeat one."""


@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("10 minutes + 30 seconds a move", LIVE),
        ("10m+30s", LIVE),
        ("10+30", LIVE),
        ("１０ min + 30 sec", LIVE),
        ("10 Minuten + 30 Sekunden", LIVE),
        ("10分+30秒", LIVE),
        ("5d+1d", Pace(5 * DAY, DAY)),
        ("5 Tage + 1 Tag pro Zug", Pace(5 * DAY, DAY)),
        ("10 jours + 36 heures", Pace(10 * DAY, 36 * HOUR)),
        ("6 ore + 1 ora", Pace(6 * HOUR, HOUR)),
        ("6 Stunden + 1 Std", Pace(6 * HOUR, HOUR)),
        ("1 semana + 12 horas", Pace(7 * DAY, 12 * HOUR)),
        ("1d 12h", Pace(36 * HOUR)),
        ("1h30", Pace(90 * MINUTE)),
        ("１ｈ３０ + 1m30", Pace(90 * MINUTE, 90)),
        ("1 h 30 min", Pace(90 * MINUTE)),
        ("2 days, 12 hours", Pace(60 * HOUR)),
        ("1日12時間", Pace(36 * HOUR)),
        ("1,5 h", Pace(90 * MINUTE)),
        ("2d6", Pace(54 * HOUR)),
        ("10:00 + 0:30", LIVE),
        ("1:30:00", Pace(90 * MINUTE)),
        ("1.5 days", Pace(36 * HOUR)),
        ("3 days a move", Pace(3 * DAY)),
        ("259200", Pace(3 * DAY)),
        ("20m+0", Pace(20 * MINUTE, 0)),
        ("3 min + 5 min", Pace(3 * MINUTE)),
        ("no time limit", None),
        ("0", None),
    ],
)
def test_a_typed_pace_is_understood(text: str, pace: Pace | None) -> None:
    assert parsed_pace(text) == pace


NO_PACES = ("soon", "3 months", "2m", "31 days", "10m+", "+30s", "5 bananas", "9" * 60)
NO_SPANS = ("3-5 days", "1½ h", "10 20", "12:30 h", "1:75", "30s 5")


@pytest.mark.parametrize("text", NO_PACES + NO_SPANS)
def test_a_text_that_is_no_pace_is_refused_with_an_example_or_the_limits(text: str) -> None:
    with pytest.raises(Refusal, match=r"“3 days”|from 3 minutes to 30 days"):
        parsed_pace(text)


@pytest.mark.parametrize("pace", PACES, ids=lambda pace: pace.key)
def test_what_is_offered_is_understood_as_key_and_in_words(pace: Pace) -> None:
    assert parsed_pace(pace.key) == pace
    assert parsed_pace(str(translated(pace_in_words(pace)))) == pace


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "ja", "pt-BR"])
def test_what_is_offered_is_understood_in_every_language(code: str) -> None:
    with speaking(language(code)):
        words = [str(translated(pace_in_words(pace))) for pace in (None, *PACES)]
        assert [parsed_pace(one) for one in words] == [None, *PACES]


def test_a_stored_pace_of_days_reads_as_before() -> None:
    assert [str(Pace(days * DAY).words) for days in (1, 3, 14)] == ["1 day a move", "3 days a move", "14 days a move"]
    assert str(Pace(5 * DAY).words) == "5 days a move"
    assert str(Pace(10 * DAY, 36 * HOUR).words) == "10 days + 36 hours a move"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (65.9, "1:05"), (3600, "1 hour"), (3 * HOUR + 59, "3 hours"), (4.9 * DAY, "4 days")],
)
def test_the_time_on_a_standing_clock_is_never_rounded_up(seconds: float, words: str) -> None:
    assert str(time_left_in_words(timedelta(seconds=seconds))) == words


class Sandglass:
    """The model: sand that runs out second by second, in whole seconds, without a deadline."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.sand = [pace.seconds, pace.seconds]
        self.up, self.away = 0, 0

    def wait(self, seconds: int) -> None:
        self.sand[self.up] -= max(0, seconds - self.away)
        self.away = max(0, self.away - seconds)

    def outage(self, seconds: int) -> None:
        """Let the bot be away and credit that; an absence that goes on meanwhile is given back, too."""
        self.wait(seconds)
        self.sand[self.up] += seconds

    def turn(self, *, moved: bool) -> None:
        if self.pace.increment is None:
            self.sand = [self.pace.seconds] * 2
        else:
            left = max(0, min(self.pace.seconds, self.sand[self.up]))
            self.sand[self.up] = min(self.pace.seconds, left + (self.pace.increment if moved else 0))
        self.up, self.away = 1 - self.up, 0


def run_case(random: Random) -> None:
    """Play a random match on clocks as the bot keeps them, and compare every deadline with the model."""
    bank = random.choice((3 * MINUTE, 10 * MINUTE, 6 * HOUR, 5 * DAY, 30 * DAY))
    pace = Pace(bank, random.choice((None, 0, 1, bank // 20, bank // 2, bank - 1)))
    now = random.choice(SUMMER_TIME) - timedelta(seconds=random.randrange(bank))
    model, up = Sandglass(pace), 0
    banks = dict.fromkeys((0, 1), timedelta(seconds=bank))
    deadline, back_at = new_clock(now, banks[up], None).deadline_at, now
    for _ in range(random.randrange(1, 12)):
        assert deadline is not None
        seconds = random.choice((0, 1, random.randrange(bank // 4), random.randrange(bank)))
        event = random.choice(("wait", "wait", "outage", "leave", "back", "move", "move", "move", "takeback"))
        if event == "wait":
            now += timedelta(seconds=seconds)
            model.wait(seconds)
        elif event == "outage":
            now += timedelta(seconds=seconds)
            deadline += timedelta(seconds=seconds)
            model.outage(seconds)
        elif event == "leave" and now < deadline:
            before = max(now, back_at)
            back_at = now + timedelta(seconds=seconds)
            deadline += back_at - before
            model.away = seconds
        elif event == "back" and back_at > now:
            deadline += now - back_at
            back_at, model.away = now, 0
        elif event in ("move", "takeback"):
            banks = banks_after(pace, banks, up, deadline - max(now, back_at), [up] if event == "move" else [])
            model.turn(moved=event == "move")
            up = 1 - up
            deadline, back_at = new_clock(now, banks[up], None).deadline_at, now
        assert deadline is not None
        assert (deadline - max(now, back_at)).total_seconds() == model.sand[up]
        assert pace.increment is None or banks[1 - up].total_seconds() == model.sand[1 - up]


def test_deadlines_and_banks_agree_with_a_model() -> None:
    random = Random(36)
    for _ in range(1_000):
        run_case(random)


@pytest.mark.slow
def test_deadlines_and_banks_agree_with_a_model_in_very_many_cases() -> None:
    random = Random(2026)
    for _ in range(30_000):
        run_case(random)


@pytest.mark.parametrize(
    "text",
    ["d4, e5", "d4,e5,", "ｄ４，ｅ５", "d4、e5", "d4; e5", "d4；e5；", " ,d4 ,, e5\n", "d4､e5", "d4،e5"],
)
def test_a_list_is_understood_with_any_separators(text: str) -> None:
    assert typed_list(text) == ("d4", "e5")


def test_a_list_that_goes_on_ends_with_a_blank_part() -> None:
    assert parts("d4、") == ["d4", ""]
    assert typed_list(" ; ") == ()


DAYS, EVENING = Pace(3 * DAY), Pace(6 * HOUR, HOUR)


async def begun(crowd: Crowd) -> int:
    return await crowd.begin(terms=YONMOQUE.at(DAYS))


async def offer(crowd: Crowd, match_id: int, person: Person, pace: Pace | None = EVENING) -> OfferState:
    return await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), pace)


async def test_another_pace_needs_both(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(days=2)
    assert await offer(crowd, match_id, ALICE) is OfferState.OPEN
    match = await crowd.match(match_id)
    assert (Pace.of(match.pace, match.increment), match.deadline_at) == (DAYS, crowd.now + timedelta(days=1))
    (made,) = await crowd.open_offers(match_id)
    with pytest.raises(Refusal, match="your own offer"):
        await crowd.services.agreements.answer(crowd.actor(ALICE), made.id, Answer.ACCEPT)
    await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.ACCEPT)
    match = await crowd.match(match_id)
    assert (Pace.of(match.pace, match.increment), match.ply) == (EVENING, 0)
    assert match.deadline_at == crowd.now + timedelta(hours=6)
    assert match.remind_at == crowd.now + timedelta(hours=4.5)


async def test_each_begins_with_a_whole_bank(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE.at(EVENING))
    crowd.later(hours=3)
    await crowd.play(match_id, "c3")
    await offer(crowd, match_id, ALICE, Pace(30 * MINUTE, MINUTE))
    assert await offer(crowd, match_id, BOB, Pace(30 * MINUTE, MINUTE)) is OfferState.ACCEPTED
    match = await crowd.match(match_id)
    assert ([seat.bank for seat in match.seats], match.deadline_at) == ([None, None], crowd.now + timedelta(minutes=31))


async def test_a_live_pace_is_offered_for_ten_minutes(crowd: Crowd) -> None:
    live, match_id = Pace(30 * MINUTE, MINUTE), await begun(crowd)
    assert await offer(crowd, match_id, ALICE, live) is OfferState.OPEN
    (made,) = await crowd.open_offers(match_id)
    crowd.later(minutes=10)
    with pytest.raises(Refusal, match="for ten minutes"):
        await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.ACCEPT)
    assert await crowd.open_offers(match_id) == []
    assert await offer(crowd, match_id, BOB, live) is OfferState.OPEN
    crowd.later(minutes=10)
    assert await offer(crowd, match_id, BOB, live) is OfferState.OPEN, "who offered it offers it again"
    crowd.later(minutes=9)
    assert await offer(crowd, match_id, ALICE, live) is OfferState.ACCEPTED


async def test_the_board_is_posted_again_with_the_new_time(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    async with crowd.database.write() as tx:
        await matches.put_board(tx, match_id, 20, 30, 0)
    await offer(crowd, match_id, ALICE)
    await offer(crowd, match_id, BOB)
    assert (await crowd.queued("board"))[-1] == {"match": match_id, "ply": 0, "notified": [0, 1], "instead_of": 30}


async def test_a_declined_pace_changes_nothing_and_is_offered_again_only_after_a_move(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE)
    (made,) = await crowd.open_offers(match_id)
    await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.DECLINE)
    with pytest.raises(Refusal, match="after the next move"):
        await offer(crowd, match_id, ALICE)
    match = await crowd.match(match_id)
    assert Pace.of(match.pace, match.increment) == DAYS
    await crowd.play(match_id, "c3")
    assert await offer(crowd, match_id, ALICE) is OfferState.OPEN


async def test_a_different_pace_is_an_offer_of_its_own(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE)
    assert await offer(crowd, match_id, BOB, None) is OfferState.OPEN
    assert (await crowd.match(match_id)).pace == DAYS.seconds


async def test_both_may_agree_on_no_time_limit(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE, None)
    await offer(crowd, match_id, BOB, None)
    match = await crowd.match(match_id)
    assert (match.pace, match.increment, match.time_ends_at) == (None, None, None)


async def test_the_pace_of_a_match_is_not_offered_once_more(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    with pytest.raises(Refusal, match="already"):
        await offer(crowd, match_id, ALICE, DAYS)


async def test_a_move_that_found_the_match_before_the_change_counts_by_the_new_clock(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(hours=1)
    read = await crowd.match(match_id)
    await offer(crowd, match_id, ALICE)
    await offer(crowd, match_id, BOB)
    crowd.later(hours=2)
    await crowd.services.turns.play(crowd.actor(ALICE), read, None, "c3")
    assert (await crowd.match(match_id)).seats[0].bank == 5 * HOUR


@pytest.mark.parametrize(("of", "why"), [({"cup_id": 1}, "the pace of the cup"), ({"ladder": True}, "keep their pace")])
async def test_a_match_of_a_cup_or_the_ladder_keeps_its_pace(crowd: Crowd, of: dict[str, Any], why: str) -> None:
    match_id = await begun(crowd)
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, **of)
    with pytest.raises(Refusal, match=why):
        await offer(crowd, match_id, ALICE)
