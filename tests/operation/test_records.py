"""``export`` and ``import``: every match comes back as it was, and nonsense is refused with the line it stands in."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.games import GAMES
from bot.matches import record
from bot.matches.agreements import Answer
from bot.matches.challenges import Terms
from bot.storage.queries import offers
from bot.storage.records import First, MatchState, Person
from tests.games import golden
from tests.games.cases import Case, pick
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Hall
from tests.operation.conftest import Start
from tests.operation.loopback import TOKEN, Loopback
from tests.operation.playing import newest_board, played
from tests.operation.processes import bot

ODD = Person(2, '"Bob" ] \u202e 1. Blue\u2028a1 *')
DAY = 86400


def terms(key: str, players: int = 2) -> Terms:
    variant = GAMES[key].variants[0].key
    return Terms(key, variant, players, First.CHALLENGER, pace=DAY)


async def brought(hall: Hall, match_id: int, moves: list[str], people: tuple[Person, ...] = (ALICE, ODD)) -> None:
    """Play moves, each by whoever is to move; those that are played by themselves are left out."""
    for ply, move in enumerate(moves):
        match = await hall.match(match_id)
        if match.state is MatchState.RUNNING and match.ply <= ply:
            mover = people[match.movers[0].seat]
            turns = hall.services.turns
            await turns.play(GUILD, match_id, mover, move, hall.interaction(), confirmed=True)


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
    texts = [file.read_text() for file in golden.files() if file.parts[-3] == key]
    games = [
        re.findall(r"^ *[1-9]\d* (\S+)", text.partition("\n\n")[2], re.MULTILINE) for text in texts if head in text
    ]
    return min(games, key=len)


async def resigned(hall: Hall, match_id: int, key: str) -> None:
    await brought(hall, match_id, some_moves(key))
    await hall.resign(match_id, ODD)


async def drawn(hall: Hall, match_id: int, key: str) -> None:
    await brought(hall, match_id, some_moves(key))
    await hall.services.agreements.offer_draw(GUILD, match_id, ALICE, hall.interaction())
    await hall.services.agreements.offer_draw(GUILD, match_id, ODD, hall.interaction())


async def out_of_time(hall: Hall, match_id: int, key: str) -> None:
    await brought(hall, match_id, some_moves(key))
    hall.later(days=2)
    match = await hall.match(match_id)
    waiting = next(seat.person for seat in match.seats if not seat.to_move)
    await hall.services.leaving.claim(GUILD, match_id, waiting, hall.interaction())


async def on_the_board(hall: Hall, match_id: int, key: str) -> None:
    await brought(hall, match_id, shortest_game(key))


async def taken_back(hall: Hall, match_id: int, key: str) -> None:
    await brought(hall, match_id, some_moves(key))
    match = await hall.match(match_id)
    mover = match.movers[0].person
    waiting = next(seat.person for seat in match.seats if not seat.to_move)
    if waiting.id == (ALICE, ODD)[(await hall.moves(match_id))[-1].seat].id:
        agreements = hall.services.agreements
        await agreements.ask_takeback(GUILD, match_id, waiting, hall.interaction())
        async with hall.database.read() as tx:
            (offer,) = await offers.open_in(tx, match_id)
        await agreements.answer(GUILD, offer.id, mover, hall.interaction(), Answer.ACCEPT)


ENDS: tuple[Callable[[Hall, int, str], Awaitable[None]], ...] = (
    resigned,
    drawn,
    out_of_time,
    on_the_board,
    taken_back,
)


@pytest_asyncio.fixture
async def full(hall: Hall) -> AsyncIterator[int]:
    """A database with a match of every game for every way to end, and some besides; the number of matches."""
    count = 0
    for key in GAMES:
        for end in ENDS:
            hall.later(minutes=1)
            await end(hall, await hall.begin(to=ODD, terms=terms(key)), key)
            count += 1
    three = await hall.offer(terms=terms("rectangles", 3))
    for person in (BOB, CAROL):
        await hall.services.challenges.accept(GUILD, three, person, hall.interaction())
    await hall.resign(count + 1, CAROL)
    await hall.services.personal.erase(BOB, hall.interaction())
    yield count + 1


def records(folder: Path) -> list[str]:
    """Return the records in a folder without what is another match's own: its number, and that it counts."""
    texts = [file.read_text() for file in sorted(folder.iterdir())]
    return sorted(re.sub(r'\[(Match|Rated) ".*"\]\n', "", text) for text in texts)


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
    assert [line.partition(": ")[2] for line in again.text.splitlines()] == full * ["this match is stored here already"]


async def test_without_a_database_nothing_is_exported_and_none_is_made(tmp_path: Path) -> None:
    refused = await bot(tmp_path, "export", "records")
    assert refused.text == "The export failed: there is no database at data/tavoliere.db."
    assert refused.code == 1
    assert list(tmp_path.iterdir()) == []


async def test_what_cannot_be_read_is_refused_and_the_rest_is_stored(tmp_path: Path, hall: Hall) -> None:
    await hall.play(await hall.begin(), "c3")
    await bot(tmp_path, "export", ".")
    good = tmp_path / "yonmoque-1.txt"
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\r\n")
    other = tmp_path / "other"
    other.mkdir()
    imported = await bot(other, "import", tmp_path / "picture.txt", tmp_path / "nowhere.txt", tmp_path, good)
    assert imported.code == 1
    said = [line.partition(": ")[2] for line in imported.text.splitlines()]
    assert sorted(said) == ["Is a directory", "No such file or directory", "is no text", "stored as match 1"]


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


async def test_a_match_that_is_not_over_goes_on_in_a_bot_that_runs(
    discord: Loopback, start: Start, tmp_path: Path
) -> None:
    running = await (await start(heartbeat=1)).ready()
    text = GOOD.replace('"10"', f'"{discord.guild.id}"').replace('"20"', f'"{discord.channel}"')
    text = text.replace(", 1, Alice", f", {discord.alice.id}, Alice").replace(", 2, Bob", f", {discord.bob.id}, Bob")
    (tmp_path / "match.txt").write_text(text)
    assert (await bot(tmp_path, "import", "match.txt")).text == "match.txt: stored as match 1"
    await discord.until(lambda: newest_board(discord, discord.channel))
    await played(discord, discord.channel, "b2")
    assert await running.end() == 0


@pytest.mark.parametrize(
    ("wrong", "for_right", "reason"),
    [
        ("Dear diary", '[Game "Yonmoque"]', "line 1: 'Dear diary' is neither a tag nor a move"),
        ('[Game "Chess"]', '[Game "Yonmoque"]', "line 1: there is no game 'Chess' here"),
        ("", '[Game "Yonmoque"]', "this is no record of a match: the tag Game is missing"),
        ('[Variant "blitz"]', '[Variant "standard"]', "line 2: Yonmoque has no variant 'blitz'"),
        ('[Server "ten"]', '[Server "10"]', "line 4: 'ten' is no number"),
        ("yesterday", "2026-01-01T00:00:00+00:00", "line 7: 'yesterday' is no time"),
        ('[Player "Bob"]', '[Player "White, 2, Bob"]', "line 10: a player is written as seat, Discord id, name"),
        ("", '[Player "White, 2, Bob"]', "Yonmoque cannot be played by 1"),
        ("White, 1, Alice", "White, 2, Bob", "the same player has two seats"),
        ('[Result "1"]', '[Result "*"]', "line 11: the result is told as '1', but the moves lead to '*'"),
        ("2. Blue a1", "2. White a1", "line 15: Blue is not to move"),
        ("2. Green a1", "2. White a1", "line 15: 'Green' has no seat in this match"),
        ("2. White c3", "2. White a1", "line 15: c3 is taken"),
        ("4. White a1", "2. White a1", "line 15: ply 2 is missing"),
        ("1. Blue takes-back", "1. Blue c3", "line 14: Blue has no move to take back"),
        ("{soon}", "{2026-01-01T00:00:02+00:00}", "line 15: 'soon' is no time"),
    ],
)
def test_what_is_wrong_in_a_record_is_named_with_its_line(wrong: str, for_right: str, reason: str) -> None:
    assert record.read(GOOD).standing.ply == 2
    with pytest.raises(record.RecordError, match="^" + re.escape(reason)):
        record.read(GOOD.replace(for_right, wrong))


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
            record.read("\n".join(spoilt))
        except record.RecordError:
            refused += 1
    assert 100 < refused < 400
