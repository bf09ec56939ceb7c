"""``export`` and ``import``: every match comes back as it was, and nonsense is refused with the line it stands in."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.contract import golden
from bot.games import GAMES
from bot.matches.model import match_record
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.storage import matches
from bot.storage.records import First, MatchState, Person
from tests.matches.conftest import ALICE, CAROL, Crowd
from tests.operation.conftest import Start
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


def shortest_game(key: str) -> list[str]:
    """Return the moves of the shortest golden game of a game's first variant, by two."""
    head = f"variant: {GAMES[key].variants[0].key}\nplayers: 2\n"
    texts = [file.read_text() for file in golden.files(key)]
    games = [
        re.findall(r"^ *[1-9]\d* (\S+)", text.partition("\n\n")[2], re.MULTILINE) for text in texts if head in text
    ]
    return min(games, key=len)


async def begun(crowd: Crowd, key: str) -> int:
    """Begin a match by two, of another minute than the one before, which tells them apart; return its id."""
    crowd.later(minutes=1)
    return await crowd.begin(to=ODD, terms=terms(key))


async def ended_on_the_board(crowd: Crowd, key: str) -> None:
    """Play a game to its end, each move by the person to move; moves that are played automatically are left out."""
    match_id = await begun(crowd, key)
    for ply, move in enumerate(shortest_game(key)):
        match = await crowd.match(match_id)
        if match.state is MatchState.RUNNING and match.ply <= ply:
            mover = (ALICE, ODD)[match.mover.seat]
            await crowd.services.turns.play(*crowd.request(match_id, mover), move, confirmed=True)


@pytest_asyncio.fixture
async def full(crowd: Crowd) -> int:
    """A database with a match of every game, one for every other way to end or go on, and one by three; how many."""
    for key in GAMES:
        await ended_on_the_board(crowd, key)
    resigned, drawn, late, taken_back = [await begun(crowd, "yonmoque") for _ in range(4)]
    for match_id in (resigned, drawn, late, taken_back):
        await crowd.play(match_id, "c3", "a1", players=(ALICE, ODD))
    await crowd.resign(resigned, ODD)
    agreements = crowd.services.agreements
    for person in (ALICE, ODD):
        await agreements.offer_draw(*crowd.request(drawn, person))
    await agreements.ask_takeback(*crowd.request(taken_back, ODD))
    async with crowd.database.read() as tx:
        (offer,) = await matches.open_offers(tx, taken_back)
    await agreements.answer(crowd.actor(ALICE), offer.id, Answer.ACCEPT)
    crowd.later(days=2)
    await crowd.services.forfeits.claim_win(*crowd.request(late, ODD))
    three = await crowd.offer(terms=terms("rectangles", 3))
    for person in (ODD, CAROL):
        await crowd.services.challenges.accept(crowd.actor(person), three)
    await crowd.resign(len(GAMES) + 5, CAROL)
    await crowd.services.privacy.erase(CAROL, crowd.interaction())
    return len(GAMES) + 5


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


ADDRESS = "postgresql+asyncpg://me:hush@host/games"


def without_postgresql() -> None:
    """Have the driver for PostgreSQL missing, as where the extra was not installed."""
    sys.modules["asyncpg"] = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("export", "records"), "The export failed: The database games on host needs the package asyncpg"),
        (("import", "match.txt"), "The database games on host needs the package asyncpg"),
        (("backup", "today.db"), "No backup was made: The database games on host needs the package asyncpg"),
        (("copy", "old.db", ADDRESS), "The copy is not finished: The database games on host needs the package asyncpg"),
    ],
)
async def test_without_the_driver_for_its_database_a_command_ends_with_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    running = await Running.start(command(tmp_path, *arguments, bound=without_postgresql, database_url=ADDRESS))
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
