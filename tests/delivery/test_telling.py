"""The facts that the policy of news is asked with are those of the person, the match and what happened lately."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import telling
from bot.matches.model.policies import news
from bot.matches.model.policies.news import Announcement, Kind, Occasion, Reader, Telling, Turn
from bot.matches.model.typed import DAY
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages.layout import Outgoing
from bot.storage import matches, mentions
from bot.storage.outbox import OutboxMessage
from bot.storage.records import News, OutboxState
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd, crowd  # noqa: F401

NIGHT = datetime(2026, 1, 1, 23, tzinfo=UTC)
DAYS = replace(YONMOQUE, pace=DAY)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the policy was asked; it answers that nobody is told."""
    found: list[Any] = []

    def answering(answer: Any) -> Callable[..., Any]:
        def answered(*facts: Any) -> Any:
            found.append(facts)
            return answer

        return answered

    monkeypatch.setattr(news, "of_turn", answering(Telling()))
    monkeypatch.setattr(news, "announce", answering(Announcement((), silent=False)))
    return found


def message(crowd: Crowd, kind: str, **payload: Any) -> OutboxMessage:  # noqa: F811
    return OutboxMessage(1, "key", "topic", kind, payload, OutboxState.PENDING, 0, crowd.now, crowd.now)


async def two_matches(crowd: Crowd) -> tuple[int, int, datetime]:  # noqa: F811
    """Begin two matches in which Alice has moved, the second by a mention that Bob owes an answer; return its time."""
    crowd.now = NIGHT
    first, second = await crowd.begin(terms=DAYS), await crowd.begin(terms=DAYS)
    await crowd.play(first, "a1", "a5", "b1")
    moved_at = crowd.now
    crowd.later(minutes=30)
    await crowd.play(second, "a1")
    async with crowd.database.write() as tx:
        await mentions.note(tx, second, 1, crowd.now)
        await matches.put_board(tx, first, 1, 2, 3)
    return first, second, moved_at


async def test_a_turn_is_weighed_with_what_its_person_wants_and_has_done_lately(
    crowd: Crowd,  # noqa: F811
    asked: list[Any],
) -> None:
    first, second, moved_at = await two_matches(crowd)
    await crowd.services.personal_settings.prefer(
        BOB.id, lambda before: replace(before, quiet_from=22, quiet_until=8, reminders=False, usual_hours=False)
    )
    await crowd.services.personal_settings.prefer_in_match(10, first, BOB.id, News.BOTH)
    match, other = await crowd.match(first), await crowd.match(second)
    context: Any = SimpleNamespace(services=crowd.services)
    with crowd.services.presence.watching(first, BOB.id):
        await telling.of_turn(context, message(crowd, MessageKind.TURN_LATER, mentioned=True, notified=[1]), match)
    ((turn, reader),) = asked
    assert turn == Turn(
        at=crowd.now,
        turn_at=match.turn_at,
        deadline_at=match.deadline_at,
        remind_at=match.remind_at,
        held_back=True,
        mentioned=True,
    )
    assert reader == Reader(
        notified=True,
        at_board=True,
        acted_at=moved_at,
        here_at=moved_at,
        owes_answer=True,
        answer_until=other.deadline_at,
        news=News.BOTH,
        reminders=False,
        usual_hours=False,
        has_quiet_hours=True,
        quiet=(NIGHT - timedelta(hours=1), NIGHT + timedelta(hours=9)),
    )


async def test_a_first_turn_of_a_live_match_is_new_and_nobody_has_done_anything(
    crowd: Crowd,  # noqa: F811
    asked: list[Any],
) -> None:
    match = await crowd.match(await crowd.begin(terms=replace(YONMOQUE, pace=600)))
    context: Any = SimpleNamespace(services=crowd.services)
    await telling.of_turn(context, message(crowd, MessageKind.BOARD), match)
    ((turn, reader),) = asked
    assert (turn.live, turn.new, turn.held_back, turn.mentioned) == (True, True, False, False)
    assert reader == Reader(), "who has challenged has done nothing since"


async def test_other_news_is_weighed_for_each_of_those_whom_it_is_for(
    crowd: Crowd,  # noqa: F811
    asked: list[Any],
) -> None:
    first, _, moved_at = await two_matches(crowd)
    await crowd.services.personal_settings.prefer(
        BOB.id, lambda before: replace(before, news=News.NONE, quiet_from=22, quiet_until=8, reminders=False)
    )
    context: Any = SimpleNamespace(services=crowd.services)
    outgoing = Outgoing(SimpleNamespace(), "", mentions=(ALICE.id, BOB.id))  # type: ignore[arg-type]
    told = message(crowd, MessageKind.BOARD, notified=[0])
    with crowd.services.presence.watching(first, BOB.id):
        for kind in (Kind.REFUSED, Kind.WIN_TO_CLAIM):
            await telling.announced(context, told, await crowd.match(first), kind, outgoing)
    (occasion, refused), (_, to_claim) = asked
    quiet = NIGHT - timedelta(hours=1), NIGHT + timedelta(hours=9)
    wants = Reader(news=News.NONE, reminders=False, quiet=quiet, at_board=True, owes_answer=True)
    assert occasion == Occasion(Kind.REFUSED, crowd.now)
    assert refused[BOB.id] == replace(wants, acted_at=moved_at)
    assert (refused[ALICE.id].notified, refused[BOB.id].notified) == (True, False)
    assert to_claim[BOB.id] == wants, "what they did is not looked for"
