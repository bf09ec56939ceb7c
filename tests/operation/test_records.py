"""``export`` and ``import``: every match comes back as it was, and nonsense is refused with the line it stands in."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.contract import golden
from bot.contract.cases import Case, pick
from bot.games import GAMES
from bot.matches.model import match_record
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.storage import matches
from bot.storage.records import First, MatchState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd
from tests.operation.conftest import Start
from tests.support.processes.locking import HELD, impatient, locked
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import played
from tests.support.processes.processes import Running, bot, command
from tests.support.without_grace import without_grace  # noqa: F401

ODD = Person(2, '"Bob" ] \u202e 1. Blue\u2028a1 *')
DAY = 86400
WRITTEN_AS = "line 10: a player is written as seat, Discord id or level, name"


def terms(key: str, players: int = 2) -> Terms:
    variant = GAMES[key].variants[0].key
    return Terms(key, variant, players, First.CHALLENGER, pace=DAY)


async def brought(crowd: Crowd, match_id: int, moves: list[str], people: tuple[Person, ...] = (ALICE, ODD)) -> None:
    """Play moves, each by the person to move; moves that are played automatically are left out."""
    for ply, move in enumerate(moves):
        match = await crowd.match(match_id)
        if match.state is MatchState.RUNNING and match.ply <= ply:
            mover = people[match.mover.seat]
            turns = crowd.services.turns
            await turns.play(*crowd.request(match_id, mover), move, confirmed=True)


def some_moves(key: str, count: int = 4) -> list[str]:
    """Return the first moves of a game played at random."""
    case = Case(GAMES[key], GAMES[key].variants[0], 2)
    position, random, texts = case.start(), Random(1), []
    for _ in range(count):
        texts.append(str(move := pick(position, random)))
        position = position.play(move)
    return texts


def shortest_game(key: str) -> list[str]:
    """Return the moves of the shortest golden game of a game's first variant, by two."""
    head = f"variant: {GAMES[key].variants[0].key}\nplayers: 2\n"
    texts = [file.read_text() for file in golden.files(key)]
    games = [
        re.findall(r"^ *[1-9]\d* (\S+)", text.partition("\n\n")[2], re.MULTILINE) for text in texts if head in text
    ]
    return min(games, key=len)


async def resigned(crowd: Crowd, match_id: int, key: str) -> None:
    await brought(crowd, match_id, some_moves(key))
    await crowd.resign(match_id, ODD)


async def drawn(crowd: Crowd, match_id: int, key: str) -> None:
    await brought(crowd, match_id, some_moves(key))
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ODD))


async def out_of_time(crowd: Crowd, match_id: int, key: str) -> None:
    await brought(crowd, match_id, some_moves(key))
    crowd.later(days=2)
    match = await crowd.match(match_id)
    waiting = next(seat.person for seat in match.seats if seat != match.mover)
    await crowd.services.forfeits.claim_win(*crowd.request(match_id, waiting))


async def on_the_board(crowd: Crowd, match_id: int, key: str) -> None:
    await brought(crowd, match_id, shortest_game(key))


async def taken_back(crowd: Crowd, match_id: int, key: str) -> None:
    await brought(crowd, match_id, some_moves(key))
    match = await crowd.match(match_id)
    mover = match.mover.person
    waiting = next(seat.person for seat in match.seats if seat != match.mover)
    if waiting.id == (ALICE, ODD)[(await crowd.moves(match_id))[-1].seat].id:
        agreements = crowd.services.agreements
        await agreements.ask_takeback(*crowd.request(match_id, waiting))
        async with crowd.database.read() as tx:
            (offer,) = await matches.open_offers(tx, match_id)
        await agreements.answer(crowd.actor(mover), offer.id, Answer.ACCEPT)


ENDS: tuple[Callable[[Crowd, int, str], Awaitable[None]], ...] = (
    resigned,
    drawn,
    out_of_time,
    on_the_board,
    taken_back,
)


@pytest_asyncio.fixture
async def full(crowd: Crowd) -> AsyncIterator[int]:
    """A database with a match of every game for every way to end, and some besides; the number of matches."""
    count = 0
    for key in GAMES:
        for end in ENDS:
            crowd.later(minutes=1)
            await end(crowd, await crowd.begin(to=ODD, terms=terms(key)), key)
            count += 1
    three = await crowd.offer(terms=terms("rectangles", 3))
    for person in (BOB, CAROL):
        await crowd.services.challenges.accept(crowd.actor(person), three)
    await crowd.resign(count + 1, CAROL)
    await crowd.services.privacy.erase(BOB, crowd.interaction())
    yield count + 1


def records(folder: Path) -> list[str]:
    """Return the records in a folder without what is another match's own: its number, and that it counts."""
    texts = [file.read_text() for file in sorted(folder.iterdir())]
    return sorted(re.sub(r'\[(Match|Rated) ".*"\]\n', "", text) for text in texts)


@pytest.mark.slow
async def test_every_match_comes_back_as_it_was(tmp_path: Path, full: int) -> None:
    exported = await bot(tmp_path, "export", "records")
    assert (exported.code, exported.text) == (0, f"{full} matches written to records.")
    files = sorted((tmp_path / "records").iterdir())
    other = tmp_path / "other"
    other.mkdir()
    imported = await bot(other, "import", *files)
    assert imported.code == 0, imported.text
    assert len(imported.text.splitlines()) == full
    await bot(other, "export", "records")
    assert records(other / "records") == records(tmp_path / "records")
    assert (await bot(other, "check", discord_token=TOKEN)).code == 0
    again = await bot(other, "import", *files)
    assert again.code == 1
    assert [line.partition(": ")[2] for line in again.text.splitlines()] == full * ["this match is already stored here"]


async def test_without_a_database_nothing_is_exported_and_none_is_made(tmp_path: Path) -> None:
    refused = await bot(tmp_path, "export", "records")
    assert refused.text == "The export failed: there is no database at data/tavoliere.db."
    assert refused.code == 1
    assert list(tmp_path.iterdir()) == []


async def test_what_cannot_be_read_is_refused_and_the_rest_is_stored(tmp_path: Path, crowd: Crowd) -> None:
    await crowd.play(await crowd.begin(), "c3")
    await bot(tmp_path, "export", ".")
    good = tmp_path / "yonmoque-1.txt"
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\r\n")
    other = tmp_path / "other"
    other.mkdir()
    imported = await bot(other, "import", tmp_path / "picture.txt", tmp_path / "nowhere.txt", tmp_path, good)
    assert imported.code == 1
    said = [line.partition(": ")[2] for line in imported.text.splitlines()]
    assert sorted(said) == ["Is a directory", "No such file or directory", "is not a text file", "stored as match 1"]


GOOD = """\
[Game "Yonmoque"]
[Variant "standard"]
[Match "1"]
[Server "10"]
[Channel "20"]
[Rated "yes"]
[Started "2026-01-01T00:00:00+00:00"]
[Ended ""]
[Player "Blue, 1, Alice"]
[Player "White, 2, Bob"]
[Result "*"]
[Reason ""]

1. Blue c3 {2026-01-01T00:00:01+00:00}
2. White a1 {2026-01-01T00:00:02+00:00}
"""


async def test_ids_too_large_for_a_database_are_refused_and_the_files_after_them_are_stored(tmp_path: Path) -> None:
    for number, (right, wrong) in enumerate([('"10"', f'"{2**63}"'), ('"20"', '"9999999999999999999"'), ("", "")]):
        (tmp_path / f"{number}.txt").write_text(GOOD.replace(right, wrong))
    imported = await bot(tmp_path, "import", "0.txt", "1.txt", "2.txt")
    assert imported.code == 1
    assert imported.text.splitlines() == [
        f"0.txt: line 4: {2**63} is larger than any id can be",
        "1.txt: line 5: 9999999999999999999 is larger than any id can be",
        "2.txt: stored as match 1",
    ]


async def test_an_import_into_a_database_held_by_another_program_ends_with_a_sentence(
    tmp_path: Path, crowd: Crowd, file: Path
) -> None:
    (tmp_path / "match.txt").write_text(GOOD)
    with locked(file):
        running = await Running.start(command(tmp_path, "import", "match.txt", bound=impatient))
        assert await running.ended() == 1
    assert running.lines == [f"The database data/tavoliere.db {HELD}"]


def without_postgresql() -> None:
    """Have the driver for PostgreSQL missing, as where the extra was not installed."""
    sys.modules["asyncpg"] = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("export", "records"), "The export failed: The database games on host needs the package asyncpg"),
        (("import", "match.txt"), "The database games on host needs the package asyncpg"),
        (("backup", "today.db"), "No backup was made: The database games on host needs the package asyncpg"),
    ],
)
async def test_without_the_driver_for_its_database_a_command_ends_with_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    address = "postgresql+asyncpg://me:hush@host/games"
    running = await Running.start(command(tmp_path, *arguments, bound=without_postgresql, database_url=address))
    assert await running.ended() == 1
    assert running.log.startswith(sentence)
    assert len(running.lines) == 1
    assert "hush" not in running.log


@pytest.mark.slow
async def test_a_match_that_is_not_over_goes_on_in_a_bot_that_runs(
    discord: Loopback, start: Start, tmp_path: Path
) -> None:
    running = await (await start(heartbeat=1)).ready()
    text = GOOD.replace('"10"', f'"{discord.guild.id}"').replace('"20"', f'"{discord.channel}"')
    text = text.replace(", 1, Alice", f", {discord.alice.id}, Alice").replace(", 2, Bob", f", {discord.bob.id}, Bob")
    (tmp_path / "match.txt").write_text(text)
    assert (await bot(tmp_path, "import", "match.txt")).text == "match.txt: stored as match 1"
    await played(discord, discord.channel, "b2", begin=2)
    assert await running.end() == 0


@pytest.mark.parametrize(
    ("wrong", "for_right", "reason"),
    [
        ("Dear diary", '[Game "Yonmoque"]', "line 1: 'Dear diary' is neither a tag nor a move"),
        ('[Game "Chess"]', '[Game "Yonmoque"]', "line 1: there is no game 'Chess' here"),
        ("", '[Game "Yonmoque"]', "this is not a record of a match: the tag Game is missing"),
        ('[Variant "blitz"]', '[Variant "standard"]', "line 2: Yonmoque has no variant 'blitz'"),
        ('[Server "ten"]', '[Server "10"]', "line 4: 'ten' is not a number"),
        (f'[Server "{2**63}"]', '[Server "10"]', f"line 4: {2**63} is larger than any id can be"),
        (f"White, {2**63}, Bob", "White, 2, Bob", WRITTEN_AS),
        (f"White, -{2**63}, Bob", "White, 2, Bob", WRITTEN_AS),
        ("yesterday", "2026-01-01T00:00:00+00:00", "line 7: 'yesterday' is not a time"),
        ('[Player "Bob"]', '[Player "White, 2, Bob"]', WRITTEN_AS),
        ("", '[Player "White, 2, Bob"]', "Yonmoque cannot be played by 1"),
        ("White, 1, Alice", "White, 2, Bob", "the same player has two seats"),
        ('[Result "1"]', '[Result "*"]', "line 11: the result is told as '1', but the moves lead to '*'"),
        ("2. Blue a1", "2. White a1", "line 15: Blue is not to move"),
        ("2. Green a1", "2. White a1", "line 15: 'Green' has no seat in this match"),
        ("2. White c3", "2. White a1", "line 15: c3 is taken"),
        ("4. White a1", "2. White a1", "line 15: ply 2 is missing"),
        ("1. Blue takes-back", "1. Blue c3", "line 14: Blue has no move to take back"),
        ("{soon}", "{2026-01-01T00:00:02+00:00}", "line 15: 'soon' is not a time"),
    ],
)
def test_what_is_wrong_in_a_record_is_named_with_its_line(wrong: str, for_right: str, reason: str) -> None:
    assert match_record.read(GOOD).game_state.ply == 2
    with pytest.raises(match_record.RecordError, match="^" + re.escape(reason)):
        match_record.read(GOOD.replace(for_right, wrong))


def test_a_record_spoilt_anyhow_is_read_or_refused() -> None:
    chance = Random(7)
    lines = GOOD.splitlines()
    refused = 0
    for _ in range(400):
        spoilt = list(lines)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(spoilt))
            line = spoilt[at]
            cut = chance.randrange(len(line) + 1)
            spoilt[at] = chance.choice([line[:cut], line[cut:], line[:cut] + chance.choice('0-]\u0660"{') + line[cut:]])
        try:
            match_record.read("\n".join(spoilt))
        except match_record.RecordError:
            refused += 1
    assert 100 < refused < 400
