"""An account of what there is to see and what is stored, the same for every way that led there.

Ids and times are left out where they may differ; everything else has to be as if nothing had gone wrong.
"""

from __future__ import annotations

import re
from typing import Any

import discord
from sqlalchemy import Table, select

from bot.matches.services.privacy import DELETED_NAME
from bot.storage import tables
from bot.storage.database import Database
from tests.support.acting import custom_ids, items, text_of
from tests.support.simulated_discord import SimulatedDiscord

_INSTANT = re.compile(r"<t:\d+")
_STORED = {
    tables.challenges: ("id", "state", "match_id"),
    tables.cups: ("id", "state", "channel_id"),
    tables.cup_players: ("cup_id", "user_id", "number", "withdrawal", "annulled", "place"),
    tables.cup_pairings: ("cup_id", "number", "round", "first", "second", "state", "late", "match_id"),
    tables.matches: ("id", "state", "ply", "to_move", "reason", "cup_id", "cup_round"),
    tables.seats: ("match_id", "seat", "user_id", "dropped", "won"),
    tables.computer_turns: ("match_id", "ply"),
    tables.moves: ("match_id", "ply", "seat", "kind", "text", "planned"),
    tables.plans: ("match_id", "seat", "ply", "tree", "met"),
    tables.ratings: ("game", "user_id", "mu", "sigma", "wins", "draws", "losses"),
    tables.rating_changes: ("match_id", "game", "user_id", "mu_before", "mu_after"),
    tables.offers: ("id", "match_id", "kind", "seat", "state"),
    tables.challenge_players: ("challenge_id", "user_id"),
    tables.people: ("user_id", "theme", "reminders"),
    tables.guilds: ("guild_id", "automatic"),
    tables.notices: ("match_id", "ply", "kind"),
    tables.reviews: ("match_id", "positions", "done"),
    tables.judgements: ("match_id", "number", "seat", "winning", "played", "best"),
}

Account = dict[str, Any]


async def account_of(sim: SimulatedDiscord) -> Account:
    """Return what people see and what is stored, as plain data."""
    account: Account = {"seen": _seen(sim), "in doubt": await _unfinished(sim)}
    async with _database(sim).read() as tx:
        for table, columns in _STORED.items():
            chosen = [table.c[column] for column in columns]
            rows = await tx.execute(select(*chosen).order_by(*_key(table)))
            account[table.name] = [[_known(row, column) for column in columns] for row in rows]
    return account


def _seen(sim: SimulatedDiscord) -> dict[str, list[dict[str, Any]]]:
    backend = sim.env.backend
    seen = {"games": _messages(sim, sim.channel.id)}
    for thread_id in backend.guilds[sim.guild.id].thread_ids:
        on_message = thread_id in backend.messages[sim.channel.id]
        place = f"{backend.channels[thread_id].name}, {'on its card' if on_message else 'beside its card'}"
        while place in seen:
            place += " and once more"
        seen[place] = _messages(sim, thread_id)
    return seen


def _messages(sim: SimulatedDiscord, place_id: int) -> list[dict[str, Any]]:
    names = {person.id: person.name for person in (sim.alice, sim.bob, sim.carol)}
    stored = sim.env.backend.messages[place_id]
    # Somebody who is being deleted may be called by name in what is posted meanwhile, or not any more.
    alice = re.compile(rf"<@{sim.alice.id}>|Alice|{DELETED_NAME}")
    return [
        {
            "text": alice.sub("Alice", _INSTANT.sub("<t:", text_of(message))),
            "picture": [
                alice.sub("Alice", media.description or "")
                for gallery in _galleries(message)
                for media in gallery.items
            ],
            "controls": custom_ids(message),
            "notified": [names[user_id] for user_id in stored[message.id].ping_user_ids],
        }
        for message in _completed(sim, place_id)
        if message.author.id == sim.env.backend.bot_user.id and not message.is_system()
    ]


def _completed(sim: SimulatedDiscord, place_id: int) -> list[discord.Message]:
    """Return the messages of a place but answers that never came: after a quarter of an hour Discord says so."""
    return [message for message in sim.messages(place_id) if not message.flags.loading]


def _galleries(message: discord.Message) -> list[discord.ui.MediaGallery[Any]]:
    return [item for item in items(message) if isinstance(item, discord.ui.MediaGallery)]


async def _unfinished(sim: SimulatedDiscord) -> dict[str, Any]:
    """Return the messages that were not sent, and boards it does not remember where they are."""
    async with _database(sim).read() as tx:
        rows = await tx.execute(
            select(tables.outbox.c.key, tables.outbox.c.state, tables.outbox.c.error).where(
                tables.outbox.c.state.not_in(("sent", "skipped"))
            )
        )
        not_sent = [list(row) for row in rows]
        boards = list(await tx.execute(select(tables.matches)))
    newest = {
        row.id: row.board_message_id == _completed(sim, row.thread_id or row.channel_id)[-1].id
        and row.board_channel_id == (row.channel_id if row.guild_id < 0 else row.thread_id) is not None
        for row in boards
    }
    return {"not sent": not_sent, "newest board remembered": newest}


def _known(row: Any, column: str) -> Any:
    """Return a value; the number of a person who was deleted is drawn by lot, and leads nowhere."""
    value = getattr(row, column)
    return "nobody" if column == "user_id" and value < 0 else value


def _key(table: Table) -> list[Any]:
    return list(table.primary_key.columns)


def _database(sim: SimulatedDiscord) -> Database:
    assert sim.bot.database is not None
    return sim.bot.database
