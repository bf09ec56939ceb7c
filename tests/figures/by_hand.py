"""A turn by hand: what a bot costs that plays one game, and guarantees little.

    python -P tests/figures/by_hand.py 127.0.0.1:1234 /tmp/by_hand.db TOKEN

It has discord.py, the same four calls to Discord for a turn as the bot, the bot's own picture and SQLite that waits for
the disk; three transactions, each a function in one thread. It has no clocks, ratings, languages or settings, checks
little, retries nothing, and recovers from nothing. ``turn`` measures it beside the bot: the difference is what all
that costs.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.demo.discord_server import led_to
from bot.games import GAMES
from bot.games.game import Position
from renderers import image, text

GAME = GAMES["redo"]
SCHEMA = """
    CREATE TABLE interactions (id INTEGER PRIMARY KEY, at TEXT);
    CREATE TABLE matches (id INTEGER PRIMARY KEY, channel INTEGER, ply INTEGER, board INTEGER, turn_at TEXT);
    CREATE TABLE moves (match INTEGER, ply INTEGER, move TEXT, at TEXT, PRIMARY KEY (match, ply));
    CREATE TABLE outbox (id INTEGER PRIMARY KEY, match INTEGER, ply INTEGER, created TEXT, done TEXT);
    INSERT INTO matches VALUES (1, 0, 0, NULL, '');
"""


class Found(NamedTuple):
    """A match, and the messages in which its board stands."""

    id: int
    ply: int
    board: int | None


class Store:
    """The database. Each method is a transaction."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.executescript(SCHEMA)

    def find(self) -> Found:
        """Return the match."""
        return Found(*self._connection.execute("SELECT id, ply, board FROM matches").fetchone())

    def play(self, interaction: int, found: Found, move: str) -> int:
        """Store a turn and the message of its board; return the number of that. Raises ``sqlite3.Error``."""
        now = datetime.now(UTC).isoformat()
        with self._connection as connection:
            execute = connection.execute
            execute("BEGIN IMMEDIATE")
            execute("INSERT INTO interactions VALUES (?, ?)", (interaction, now))
            moved = "UPDATE matches SET ply = ply + 1, turn_at = ? WHERE id = ? AND ply = ? RETURNING ply"
            (ply,) = execute(moved, (now, found.id, found.ply)).fetchone()
            execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (found.id, ply, move, now))
            message = "INSERT INTO outbox (match, ply, created) VALUES (?, ?, ?) RETURNING id"
            return int(execute(message, (found.id, ply, now)).fetchone()[0])

    def posted(self, number: int, found: Found, board: int) -> None:
        """Note that a board is posted and the earlier one has lost its controls."""
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE matches SET board = ? WHERE id = ?", (board, found.id))
            connection.execute("UPDATE outbox SET done = ? WHERE id = ?", (datetime.now(UTC).isoformat(), number))


class Board(discord.ui.LayoutView):
    """A board with its picture and one button; without it once the match has gone on."""

    def __init__(self, words: str, ply: int | None) -> None:
        super().__init__(timeout=None)
        container: discord.ui.Container[Board] = discord.ui.Container(discord.ui.TextDisplay(words))
        container.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png")))
        self.add_item(container)
        if ply is not None:
            button: discord.ui.Button[Board] = discord.ui.Button(label="Move", custom_id=f"play:1:{ply}")
            self.add_item(discord.ui.ActionRow(button))


def draw(position: Position) -> tuple[bytes, str]:
    """Return the picture of a position, and the words that describe it."""
    scene = GAME.scene(position)
    return image.png(scene), text.description(scene)


class ByHand(discord.Client):
    """Plays one match in the first channel it sees."""

    def __init__(self, store: Store) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(app_commands.Command(name="move", description="Play a move", callback=self.move))
        self._store = store
        self._thread = ThreadPoolExecutor(1)
        self._position = GAME.start(players=2)

    async def in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Post the first board."""
        place = next(channel for guild in self.guilds for channel in guild.text_channels)
        board = await self._post(place.id, 0)
        await self.in_thread(self._store.posted, 0, await self.in_thread(self._store.find), board)

    async def move(self, interaction: discord.Interaction, move: str) -> None:
        """Play a move: acknowledge, store, answer, post the board, and take the controls off the earlier one."""
        await interaction.response.defer(ephemeral=True)
        found = await self.in_thread(self._store.find)
        played = self._position.parse(move)
        after = await self.in_thread(self._position.play, played)
        number = await self.in_thread(self._store.play, interaction.id, found, str(played))
        self._position = after
        await interaction.edit_original_response(content=f"You played **{played}**.")
        assert interaction.channel_id is not None
        board = await self._post(interaction.channel_id, found.ply + 1)
        earlier = self.get_partial_messageable(interaction.channel_id).get_partial_message(found.board or 0)
        await earlier.edit(view=Board(f"Redo, then {played}", None))
        await self.in_thread(self._store.posted, number, found, board)

    async def _post(self, place: int, ply: int) -> int:
        picture, words = await self.in_thread(draw, self._position)
        file = discord.File(BytesIO(picture), "board.png", description=words[:1024])
        sent = await self.get_partial_messageable(place).send(view=Board(f"Redo, ply {ply}", ply), file=file, nonce=ply)
        return sent.id


async def main(address: str, file: str, token: str) -> None:
    """Run the bot until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    with led_to(address):
        bot = ByHand(Store(file))
        gc.collect()
        gc.freeze()
        running = asyncio.create_task(bot.start(token))
        await stopped.wait()
        await bot.close()
        await asyncio.gather(running, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
