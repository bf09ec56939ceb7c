"""Whom to tell, when, and how loudly: a row for each decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.matches.model.policies.news import (
    NOT_TOLD,
    TOLD_AFTER,
    WHERE_WANTED,
    Kind,
    Occasion,
    Reader,
    Telling,
    Turn,
    announce,
    heard_later,
    is_silent,
    of_answered_turn,
    of_turn,
    weighs_usual_hours,
    where,
)
from bot.storage.records import News
from tests.matches.policies.facts import NOON

HEARD, SILENT = Telling(mention=True), Telling(mention=True, silent=True)
QUIET = NOON - timedelta(hours=2), NOON + timedelta(hours=6)


def ago(minutes: float) -> datetime:
    return NOON - timedelta(minutes=minutes)


def in_hours(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("turn", "reader", "telling"),
    [
        ({}, {}, HEARD),
        ({}, {"mentionable": False}, NOT_TOLD),
        ({}, {"notified": True}, NOT_TOLD),
        ({}, {"owes_answer": True}, SILENT),
        ({}, {"at_board": True}, HEARD),
        ({"live": True}, {"at_board": True}, NOT_TOLD),
        ({"live": True}, {"owes_answer": True}, HEARD),
        # One sound counts only where what waits is no less urgent, or a reminder comes.
        ({"deadline_at": in_hours(20)}, {"owes_answer": True, "reminders": False}, HEARD),
        ({"deadline_at": in_hours(20)}, {"owes_answer": True}, SILENT),
        ({"deadline_at": in_hours(11)}, {"owes_answer": True}, HEARD),
        ({"deadline_at": in_hours(11)}, {"owes_answer": True, "answer_until": in_hours(10)}, SILENT),
        (
            {"deadline_at": in_hours(20)},
            {"owes_answer": True, "reminders": False, "answer_until": in_hours(336)},
            HEARD,
        ),
        ({}, {"owes_answer": True, "reminders": False, "answer_until": in_hours(336)}, SILENT),
        # Who is there sees the board, and is told half an hour later if it still waits.
        ({}, {"acted_at": ago(1)}, Telling(later=NOON + TOLD_AFTER)),
        ({}, {"acted_at": ago(3)}, HEARD),
        ({}, {"here_at": ago(9)}, Telling(later=NOON + TOLD_AFTER)),
        ({}, {"here_at": ago(11)}, HEARD),
        ({"live": True}, {"acted_at": ago(1)}, NOT_TOLD),
        ({"live": True}, {"here_at": ago(9)}, HEARD),
        ({"new": True}, {"acted_at": ago(1)}, SILENT),
        ({"new": True}, {"here_at": ago(9)}, HEARD),
        ({"held_back": True}, {"here_at": ago(9)}, HEARD),
        ({"held_back": True, "mentioned": True, "turn_at": ago(40)}, {"here_at": ago(9)}, NOT_TOLD),
        ({"held_back": True, "mentioned": True, "turn_at": ago(40)}, {"here_at": ago(60)}, HEARD),
        # Where a person wants it.
        ({}, {"news": News.DIRECT}, Telling(silent=True, directly=True)),
        ({}, {"news": News.BOTH}, Telling(mention=True, directly=True)),
        ({}, {"news": News.NONE}, Telling(silent=True)),
        ({}, {"quiet": QUIET}, Telling(quiet=QUIET)),
        ({}, {"quiet": QUIET, "news": News.DIRECT}, Telling(quiet=QUIET)),
        # A live match is over when they end, and its clock runs.
        ({"live": True}, {"quiet": QUIET}, HEARD),
        ({"live": True}, {"quiet": QUIET, "news": News.DIRECT}, Telling(silent=True, directly=True)),
        # What began before the quiet hours is not in the list at their end.
        ({"held_back": True, "turn_at": ago(119)}, {"quiet": QUIET}, Telling(quiet=QUIET)),
        ({"held_back": True, "turn_at": ago(121)}, {"quiet": QUIET}, Telling(later=QUIET[1])),
        ({"turn_at": ago(121)}, {"quiet": QUIET}, Telling(later=QUIET[1])),
        ({}, {"quiet": QUIET, "news": News.NONE}, Telling(silent=True)),
    ],
)
def test_how_a_person_is_told_of_their_turn(turn: dict[str, Any], reader: dict[str, Any], telling: Telling) -> None:
    assert of_turn(Turn(**({"at": NOON, "turn_at": NOON} | turn)), Reader(**reader)) == telling


@pytest.mark.parametrize(
    ("turn", "reader", "weighed"),
    [
        ({}, {}, True),
        ({}, {"news": News.BOTH}, False),
        ({}, {"has_quiet_hours": True}, False),
        ({}, {"usual_hours": False}, False),
        ({}, {"owes_answer": True}, False),
        ({}, {"here_at": ago(59)}, False),
        ({}, {"here_at": ago(61)}, True),
        ({"held_back": True}, {}, False),
        ({"deadline_at": NOON + timedelta(hours=11)}, {}, False),
        ({"deadline_at": NOON + timedelta(hours=13)}, {}, True),
    ],
)
def test_which_turns_wait_for_a_usual_hour(turn: dict[str, Any], reader: dict[str, Any], weighed: bool) -> None:
    began, person, later = Turn(**({"at": NOON, "turn_at": NOON} | turn)), Reader(**reader), NOON + timedelta(hours=8)
    assert weighs_usual_hours(began, person) is weighed
    assert (of_turn(began, person, later) == Telling(mention=True, silent=True, later=later)) is weighed


@pytest.mark.parametrize(
    ("remind_after", "reminders", "heard_after", "later"),
    [
        (None, True, None, False),
        (None, True, -1, False),
        (None, True, 5, True),
        (3, True, 5, True),
        (3, False, 5, False),
        (7, False, 5, True),
    ],
)
def test_a_turn_is_not_heard_after_a_reminder_that_does_not_come(
    remind_after: int | None, reminders: bool, heard_after: int | None, later: bool
) -> None:
    remind_at, heard_at = (
        None if hours is None else NOON + timedelta(hours=hours) for hours in (remind_after, heard_after)
    )
    turn = Turn(NOON, NOON, remind_at=remind_at)
    assert heard_later(turn, Reader(reminders=reminders), heard_at, NOON) == (heard_at if later else None)


@pytest.mark.parametrize(
    ("occasion", "reader", "heard"),
    [
        *(({"kind": kind}, {}, True) for kind in Kind if kind is not Kind.END),
        *(({"kind": kind}, {"notified": True}, None) for kind in Kind),
        *(({"kind": kind, "live": True}, {"at_board": True}, None) for kind in Kind),
        *(({"kind": kind}, {"quiet": QUIET}, False) for kind in Kind),
        *(({"kind": kind, "live": True}, {"quiet": QUIET}, True) for kind in Kind),
        *(({"kind": kind}, {"news": where}, None) for kind in WHERE_WANTED for where in (News.DIRECT, News.NONE)),
        *(({"kind": kind}, {"news": News.BOTH}, kind is not Kind.END) for kind in WHERE_WANTED),
        ({"kind": Kind.OFFER}, {"news": News.NONE}, True),
        ({"kind": Kind.REMINDER}, {"reminders": False}, None),
        ({"kind": Kind.REMINDER}, {"owes_answer": True}, True),
        ({"kind": Kind.GRACE}, {"reminders": False}, None),
        ({"kind": Kind.WIN_TO_CLAIM}, {"reminders": False}, True),
        ({"kind": Kind.WIN_TO_CLAIM}, {"owes_answer": True}, False),
        ({"kind": Kind.WIN_TO_CLAIM, "live": True}, {"owes_answer": True}, True),
        ({"kind": Kind.END}, {}, False),
        ({"kind": Kind.END, "live": True}, {}, True),
        ({"kind": Kind.END}, {"acted_at": ago(1)}, False),
        ({"kind": Kind.END, "alone": True}, {"acted_at": ago(1)}, None),
        ({"kind": Kind.END, "alone": True}, {"acted_at": ago(3)}, False),
        ({"kind": Kind.CHALLENGE}, {"owes_answer": True}, False),
        ({"kind": Kind.CHALLENGE, "live": True}, {"owes_answer": True}, True),
        ({"kind": Kind.CHALLENGE}, {"challenged": True}, False),
        ({"kind": Kind.CHALLENGE, "live": True}, {"challenged": True}, True),
        ({"kind": Kind.CHALLENGE}, {"mentioned_today": 2}, True),
        ({"kind": Kind.CHALLENGE}, {"mentioned_today": 3}, None),
        ({"kind": Kind.CHALLENGE, "live": True}, {"mentioned_today": 3}, None),
        ({"kind": Kind.OFFER}, {"owes_answer": True}, True),
        ({"kind": Kind.REFUSED}, {"owes_answer": True}, False),
        ({"kind": Kind.REFUSED}, {"acted_at": ago(1)}, False),
    ],
)
def test_how_one_person_hears_of_what_is_no_turn(
    occasion: dict[str, Any], reader: dict[str, Any], heard: bool | None
) -> None:
    """``heard`` is None for no mention, False for one without a sound."""
    told = announce(Occasion(**({"at": NOON} | occasion)), {1: Reader(**reader)})
    assert told.mentions == (() if heard is None else (1,))
    assert heard is None or told.silent is not heard


def test_a_message_is_silent_only_if_each_person_owes_another_answer() -> None:
    readers = {1: Reader(owes_answer=True), 2: Reader()}
    told = announce(Occasion(Kind.WIN_TO_CLAIM, NOON), readers)
    assert (told.mentions, told.silent) == ((1, 2), False)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("news", News)
def test_reminders_wins_and_ends_are_told_directly_to_who_wants_that(kind: Kind, news: News) -> None:
    told = announce(Occasion(kind, NOON), {1: Reader(news=news)})
    assert told.directly == ((1,) if kind in WHERE_WANTED and news in (News.DIRECT, News.BOTH) else ())


@pytest.mark.parametrize("wanted", News)
def test_a_match_in_direct_messages_is_told_there_once(wanted: News) -> None:
    assert where(wanted, direct=False) is wanted
    told = announce(Occasion(Kind.REMINDER, NOON), {1: Reader(news=where(wanted, direct=True))})
    assert (told.mentions, told.directly) == (() if wanted is News.NONE else (1,), ())


@pytest.mark.parametrize(
    ("mentions", "silent", "direct", "makes_no_sound"),
    [((), False, False, False), ((), False, True, True), ((1,), False, True, False), ((1,), True, True, True)],
)
def test_a_message_that_mentions_nobody_is_silent_in_direct_messages(
    mentions: tuple[int, ...], silent: bool, direct: bool, makes_no_sound: bool
) -> None:
    assert is_silent(mentions, silent=silent, direct=direct) is makes_no_sound


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({}, Telling()),
        ({"news": News.NONE}, Telling()),
        ({"news": News.DIRECT}, Telling(directly=True)),
        ({"news": News.BOTH}, Telling(directly=True)),
        ({"news": News.DIRECT, "mentionable": False}, Telling()),
        ({"news": News.DIRECT, "acted_at": NOON}, Telling()),
        ({"news": News.DIRECT, "here_at": NOON}, Telling(directly=True)),
        ({"news": News.DIRECT, "quiet": (NOON, NOON)}, Telling(quiet=(NOON, NOON))),
        ({"quiet": (NOON, NOON)}, Telling()),
    ],
)
def test_an_answer_is_told_directly_to_who_wants_that(facts: dict[str, Any], told: Telling) -> None:
    assert of_answered_turn(Turn(at=NOON, turn_at=NOON), Reader(**facts)) == told
