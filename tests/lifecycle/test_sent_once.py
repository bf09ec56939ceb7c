"""A message posted without an answer is posted only once, and a new message is never taken for one that was posted."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from bot.delivery.context import DeliveryContext
from bot.delivery.posting import notify_directly
from bot.matches.services.agreements import Answer
from bot.operation import upkeep
from bot.settings import Settings
from bot.storage.outbox import OutboxMessage
from bot.storage.records import OutboxState
from tests.lifecycle.fake_discord import Trouble
from tests.lifecycle.harness import CHANNEL, BlankBoardRenderer, Harness
from tests.lifecycle.playing import ALICE, BOB, HOUR, begin, check, match_of, play

MINUTES = timedelta(minutes=5)
"""How long Discord knows a nonce, about."""


def test_an_answer_that_is_lost_is_asked_for_at_once_while_discord_knows_the_nonce(harness: Harness) -> None:
    number = begin(harness)
    harness.discord.trouble.append(Trouble.ANSWER_LOST)
    before = harness.slow
    play(harness, number, ALICE, "c3")
    harness.deliver()
    assert harness.slow == before
    assert len(harness.discord.posted_with(f"play:{number}:1")) == 1


def test_a_board_is_found_though_thousands_of_messages_came_after_it(harness: Harness) -> None:
    number = begin(harness)
    play(harness, number, ALICE, "c3")
    harness.discord.trouble.append(Trouble.STALLS_AFTER)
    assert harness.deliver_until_stalled()
    harness.kill()
    for _ in range(3000):
        harness.discord.post_by_another(CHANNEL)
    harness.pass_time(HOUR)
    harness.start()
    check(harness)
    assert len(harness.discord.posted_with(f"play:{number}:1")) == 1


def test_an_offer_withdrawn_before_it_could_be_posted_is_never_posted(harness: Harness) -> None:
    number, agreements = begin(harness), harness.services.agreements
    harness.run(agreements.offer_draw(*harness.request(number, ALICE)))
    harness.run(agreements.answer(harness.actor(ALICE), 1, Answer.WITHDRAW))
    check(harness)
    assert harness.discord.posted_with("offer:accept:1") == []


def test_a_database_restored_within_minutes_posts_what_is_new(harness: Harness, tmp_path: Path) -> None:
    harness.discord.nonce_lifetime = MINUTES
    number = begin(harness)
    harness.stop()
    backup = shutil.copy(harness.file, tmp_path / "backup.db")
    play(harness, number, ALICE, "c3")
    harness.deliver()
    (lost,) = harness.discord.posted_with(f"play:{number}:1")
    harness.stop()
    settings = Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{harness.file}")
    harness.run(upkeep.restore(settings, Path(backup)))
    harness.start()
    play(harness, number, ALICE, "a1")
    harness.deliver()
    assert match_of(harness, number).board_message_id != lost.id
    assert len(harness.discord.posted_with(f"play:{number}:1")) == 2


def test_what_is_restored_belongs_to_another_generation(harness: Harness, tmp_path: Path) -> None:
    settings = Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{harness.file}")
    harness.stop()
    backup = shutil.copy(harness.file, tmp_path / "backup.db")
    generations = {generation(harness.file)}
    for _ in range(2):
        harness.run(upkeep.restore(settings, Path(backup)))
        generations.add(generation(harness.file))
    assert len(generations) == 3


def test_everybody_who_is_told_directly_of_one_thing_is_told(harness: Harness) -> None:
    harness.discord.nonce_lifetime = MINUTES
    delivery = DeliveryContext(harness.discord, harness.services, BlankBoardRenderer(harness.services), False)  # type: ignore[arg-type]
    message = OutboxMessage(7, "board:1:1", "match:1", "board", {}, OutboxState.SENDING, 0, harness.now, harness.now)
    for _ in range(2):
        for person in (ALICE, BOB):
            harness.run(notify_directly(delivery, message, person.id, lambda: "It is your turn."))
    assert harness.discord.direct_messages == {ALICE.id: ["It is your turn."], BOB.id: ["It is your turn."]}


def generation(file: Path) -> int:
    """Return the generation of a database file."""
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT value FROM generation").fetchone()[0])
