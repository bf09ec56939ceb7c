"""Each column of the database and each way in from the network has its words in PRIVACY.md or SECURITY.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest
from aiohttp import web

from bot.cluster import health
from bot.settings import Settings
from bot.storage.tables import metadata
from bot.web.api import Api
from bot.web.guests import Guests
from bot.web.pages import Pages
from bot.web.server import ROUTES

ROOT = Path(__file__).parents[2]
PRIVACY, SECURITY = ((ROOT / name).read_text(encoding="utf-8") for name in ("PRIVACY.md", "SECURITY.md"))

TOLD: Mapping[str, str] = {
    "Your Discord id and display name, in each match and challenge": """
        seats match_id seat user_id name; challenge_players challenge_id user_id name joined_at;
        challenges challenger_id opponent_id""",
    "What you propose in challenges: game, players, pace, who begins, whom you ask, which levels of the bot": """
        challenges game variant players first rated pace increment levels rematch_of""",
    "where the card is, when it was posted and expires, and how it ended": """
        challenges guild_id channel_id message_id created_at expires_at state match_id language""",
    "the random text of its link": "challenges code",
    "The matches: game, server, channel, thread and messages in Discord": """
        matches guild_id channel_id thread_id game variant rated board_channel_id board_message_id board_ply created_at
        language private rules""",
    "the direct one of your turn too": "notices match_id ply kind channel_id message_id",
    "every move with its time": "moves match_id ply seat kind text at; matches ply to_move turn_at",
    "offers, clocks and saved time": """
        offers match_id kind seat ply state channel_id message_id created_at pace increment;
        seats bank; matches pace increment deadline_at told_deadline_at remind_at flagged stopped_at paused_until""",
    "levels of the bot, that a set-up was taken for you": "seats level ready_made",
    "days away used in them": "matches graces",
    "of which cup's round or ladder's week they were, result": """
        matches cup_id cup_round state reason reason_message ended_at finish; seats won dropped;
        ladder_matches match_id guild_id week""",
    "Your notes on positions of your matches": "notes match_id user_id ply text",
    "the moves you expect and your replies": "plans match_id seat ply tree version met; matches plans_version",
    "which moves you had planned": "moves planned",
    "The cups you have started or joined: your id and display name, when you joined": """
        cups starter_id; cup_players cup_id user_id name joined_at number annulled""",
    "your results and place, which matches you lost on time, and why you withdrew": """
        cup_players place withdrawal; cup_pairings cup_id number round first second state late match_id""",
    "To begin your matches, to show the table": """
        cups guild_id channel_id message_id game variant places rated pace increment grace rest_counts start starts_at
        state language again_of waiting created_at begun_at ended_at""",
    "chances to win and better moves, by match and move": """
        judgements match_id number seat winning played best exact clear;
        reviews match_id positions nodes asked_at done""",
    "Your ratings per server and game": "ratings guild_id game user_id mu sigma wins draws losses updated_at",
    "and how each match changed them": """
        rating_changes match_id game user_id mu_before sigma_before mu_after sigma_after at weight""",
    "Which levels of the bot you have beaten in which game, and the match": "levels_beaten user_id game level match_id",
    "Your preferences: theme, coordinates, confirmation, text boards, reminders": """
        people user_id theme coordinates confirm text_boards reminders""",
    "whether your first matches show the aim": "people aims",
    "whether a day away is used before you lose on time": "people graces",
    "whether people who watch a match of yours by a link see your name": "people shows_name",
    "where you are told of your turns, in all matches or in single ones": "people news; seats news",
    "your quiet hours, the hour of your daily digest and your time zone": """
        people quiet_from quiet_until digest_hour zone""",
    "Whether your turns make sounds in your usual hours only": "people usual_hours",
    "Your weekly rest, its time zone, and since when it holds": "people rest rest_from; matches rest rest_counts",
    "when the next one is due, and when you had the last": "digests user_id due_at told_at",
    "That a turn of yours began in your quiet hours": "quiet_turns user_id guild_id since due_at",
    "Turns that you are told of later": "held_turns match_id guild_id ply due_at mentioned",
    "when you last moved, and of which turn you were last mentioned": """
        mentions guild_id user_id match_id ply at acted_at""",
    "When you last used the bot, noted at most once an hour": "visits user_id seen_at",
    "Which puzzles you have begun, when and by which server's post, your wrong tries": """
        puzzle_attempts user_id game puzzle guild_id day state ply wrong begun_at ended_at""",
    "your puzzle rating and streak": """
        puzzle_ratings user_id mu sigma first_try failed streak longest_streak last_day""",
    "What you have shared in channels": """
        shares user_id name thing kind guild_id channel_id message_id game match_id number puzzle day found notes at""",
    "The language you chose, and your Discord's language when you last used the bot": "people language locale",
    "Times you are away, and days of these that were used by themselves": """
        absences user_id begins_at ends_at grace due_at""",
    "That you are in a server's ladder": """
        ladder_players guild_id user_id name games pace joined_at left_out_at left_out_why out_at out_why out_match_id;
        matches ladder""",
    "The people you have blocked": "blocks user_id blocked_id",
    "That you are barred from playing in a server, or everywhere, and since when": "bars guild_id user_id at",
    "with numbers that only the bot can compute from ids, and not the ids": "brakes person kind subject at",
    "When you have gone away, and begun matches against the bot, and in which server": "brakes person kind subject at",
    "Which matches you have voided, and your display name": "matches voided_by voided_name",
    "Where you are signed in to the board page: your id, name and language, the server, since when": """
        page_sessions user_id guild_id name locale begun_at expires_at""",
    "when the bot last saw that you are in that server, and a hash of the cookie's secret": """
        page_sessions checked_at token_hash""",
    "the number of each message of such a match, after which ply it came, and the code": """
        responses message_id topic ply token expires_at""",
    "Numbers of interactions already carried out (Discord's, and random ones of the board page": """
        interactions at; page_requests at; page_links expires_at""",
    "Messages the bot has to send": """
        outbox key topic kind payload state attempts guild_id due_at created_at begun_at done_at error""",
    "A server's settings: channels, threads, usual pace, time-outs": """
        guilds guild_id channels threads pace increment automatic""",
    "days away before a loss on time, whether weekly rest stops clocks, language, who may start cups": """
        guilds grace rest_counts language cups""",
    "whether matches may be watched by a link": "guilds watching",
    "The links by which matches are watched": "watch_links match_id guild_id token",
    "the channel, hour and time zone of the puzzle of the day": "puzzle_channels guild_id channel_id hour zone due_at",
    "the weekly post and its channel": "guilds weekly weekly_channel",
    "the ladder's channel and week": "ladders guild_id channel_id due_at week",
    "which puzzles were posted there": """
        daily_puzzles guild_id day game puzzle channel_id message_id at count_due_at""",
    "since when the bot has been removed from it": """
        departures guild_id at; deletions guild_id last_match last_challenge""",
}
"""Words of PRIVACY.md, and the columns that they tell of: a table and its columns, separated by semicolons."""
OF_NOBODY = """
    generation value; unfinished_copy source; heartbeats name at servers;
    clock_credits since until shard shards last_match up_to; page_keys secret made_at;
    processes name role begun_at alive_until games state;
    interaction_claims claimed_at; reviews claimed_by;
    reratings guild_id version asked_at; computer_turns match_id ply claimed_by claimed_at
"""
"""Columns of the bot's own operation, which hold no fact about a person or a server."""


def columns(text: str) -> Iterator[str]:
    """Yield the columns that a text names, each with its table."""
    for part in filter(None, map(str.split, text.split(";"))):
        yield from (f"{part[0]}.{column}" for column in part[1:])


def test_every_column_is_told_of_or_of_nobody() -> None:
    stored = {f"{table.name}.{column.name}" for table in metadata.tables.values() for column in table.columns}
    named = {column for text in (*TOLD.values(), OF_NOBODY) for column in columns(text)}
    told = {column for column in stored if not column.endswith(".id")}
    assert told - named == set(), "PRIVACY.md has no words for these"
    assert named - told == set(), "no such columns"


@pytest.mark.parametrize("words", TOLD)
def test_the_words_are_in_the_table_of_what_is_stored(words: str) -> None:
    rows = [line for line in PRIVACY.partition("## What is not stored")[0].splitlines() if line.startswith("| ")]
    assert sum(words in row for row in rows) == 1


def test_every_row_tells_of_columns() -> None:
    rows = [line for line in PRIVACY.partition("## What is not stored")[0].splitlines() if line.startswith("| ")][1:]
    of_deleted = "If you delete everything, what limits need to know"
    assert [row for row in rows if not any(words in row for words in (*TOLD, of_deleted))] == []


def test_every_port_is_named() -> None:
    ports = [name.upper() for name in Settings.model_fields if name.endswith(("_port", "_host"))]
    assert ports
    assert [name for name in ports if f"`{name}`" not in SECURITY] == []


def test_every_page_is_named() -> None:
    router = web.UrlDispatcher()
    Pages(Mock()).add_to(router)
    api = Api(Mock(), Mock(), Mock(), router)
    for add in ROUTES:
        add(api)
    Guests(Mock(), Mock()).add_to(router)
    beginnings = {"/" + resource.canonical.split("/")[1] for resource in router.resources()}
    beginnings |= set(re.findall(r'add_get\("(/\w+)"', Path(health.__file__).read_text(encoding="utf-8")))
    assert {"/", "/api", "/open", "/metrics"} <= beginnings
    assert [page for page in beginnings if f"`{page}`" not in SECURITY] == []
