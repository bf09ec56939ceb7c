"""Notes: kept with the ply they are about, through take-backs, records and deletions."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from bot.matches.model import match_record
from bot.matches.model.refusals import NoSuchMatch, Refusal
from bot.messages.notes import each_note
from bot.storage import tables
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd


async def write(crowd: Crowd, match_id: int, person: Person, ply: int, text: str) -> None:
    await crowd.services.notes.write(GUILD, match_id, person.id, crowd.interaction(), ply, text)


async def stored(crowd: Crowd) -> int:
    return int((await crowd.column(select(func.count()).select_from(tables.notes)))[0])


async def test_a_note_stays_with_its_ply_when_the_move_is_taken_back(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "a1", "a5")
    await write(crowd, match_id, BOB, 2, "hasty")
    await crowd.take_back(match_id, BOB, ALICE)
    view = await crowd.services.notes.view(GUILD, match_id, BOB.id)
    assert view.newest == 1
    assert each_note(view.played, view.notes) == ["**A position that was taken back**\n> hasty"]
    await write(crowd, match_id, BOB, 2, "")
    assert await stored(crowd) == 0


async def test_a_note_is_not_too_long_nor_on_a_position_to_come(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await write(crowd, match_id, ALICE, 0, f" {'x' * 500} ")
    with pytest.raises(Refusal, match="at most 500 characters; this one has 501"):
        await write(crowd, match_id, ALICE, 0, "x" * 501)
    with pytest.raises(Refusal, match="no such position"):
        await write(crowd, match_id, ALICE, 1, "later")
    with pytest.raises(NoSuchMatch):
        await crowd.services.notes.write(GUILD + 1, match_id, ALICE.id, crowd.interaction(), 0, "elsewhere")
    assert await stored(crowd) == 1


async def test_of_two_notes_written_at_once_one_stays(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await asyncio.gather(*(write(crowd, match_id, ALICE, 0, text) for text in ("one", "two")))
    view = await crowd.services.notes.view(GUILD, match_id, ALICE.id)
    assert list(view.notes.values()) in (["one"], ["two"])


async def test_a_record_with_remarks_and_notes_is_read_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "a1", "a5")
    match, played = await crowd.services.queries.match_and_entries(GUILD, match_id)
    notes = {0: 'a "fair"\n\u2028[start]', 1: "(so\n1. Blue a2) {}", 2: "x"}
    record = match_record.write(match, played, {2: "better: a3"}, notes)
    assert '[Note "a "fair" [start]"]\n' in record
    assert "([so 1. Blue a2] {})\n" in record
    assert "(better: a3; x)\n" in record
    assert match_record.read(record).played == tuple(played)
