"""The queries about one person, one match or due rows, with arguments; ``queries`` has the others.

A new query has to be added here or there; ``test_query_costs`` and ``test_plans`` check what they cost.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.storage import (
    absences,
    abuse_counters,
    bars,
    beaten_levels,
    blocks,
    challenges,
    computer_turns,
    cups,
    digests,
    due,
    exports,
    guilds,
    interactions,
    ladders,
    match_lists,
    matches,
    mentions,
    notes,
    notices,
    outbox,
    page_access,
    people,
    plans,
    puzzles,
    quiet_turns,
    ratings,
    reratings,
    responses,
    reviews,
    shares,
    visits,
    watching,
)
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.puzzles import DailyPuzzle
from bot.storage.records import MatchState, OfferKind, Person, ShareKind
from bot.storage.responses import Response
from tests.support.crowds.asker import Asker

NOW = datetime(2026, 1, 1, tzinfo=UTC)
YESTERDAY, LONG_AGO = NOW - timedelta(days=1), NOW - timedelta(days=120)

Query = Callable[[AsyncConnection, Asker], Awaitable[Any]]


async def _advance_from(tx: AsyncConnection, match_id: int) -> object:
    found = await matches.get(tx, match_id)
    return found and await matches.advance_from(tx, found, ply=1)


async def _attention(tx: AsyncConnection, match_id: int, user_id: int) -> object:
    found = await matches.get(tx, match_id)
    return found and await mentions.attention(tx, found, user_id)


async def _hold(tx: AsyncConnection, match_id: int) -> None:
    if found := await matches.get(tx, match_id):
        await mentions.hold(tx, found, 1, NOW, mentioned=True)


OWN: dict[str, Query] = {
    "matches.is_first": lambda tx, asker: matches.is_first(tx, asker.user, "redo", asker.running),
    "matches.versions": lambda tx, asker: matches.versions(tx, [asker.running]),
    "matches.who_have_played": lambda tx, asker: matches.who_have_played(tx, "redo", [asker.user]),
    "interactions.was_processed": lambda tx, asker: interactions.was_processed(tx, asker.running),
    "page_access.end_of_person": lambda tx, asker: page_access.end_of_person(tx, asker.user),
    "page_access.end_of_tokens": lambda tx, _: page_access.end_of_tokens(tx, [(1, "hash")]),
    "page_access.end_of_server": lambda tx, asker: page_access.end_of_server(tx, asker.guild),
    "page_access.find": lambda tx, _: page_access.find(tx, [(1, "hash")], NOW),
    "page_access.link_used": lambda tx, _: page_access.link_used(tx, "link"),
    "page_access.of_person": lambda tx, asker: page_access.of_person(tx, asker.user),
    "page_access.still_there": lambda tx, _: page_access.still_there(tx, [1], NOW),
    "page_access.sessions_to_check": lambda tx, _: page_access.sessions_to_check(tx, NOW, 8),
    "watching.facts": lambda tx, asker: watching.facts(tx, [asker.running]),
    "watching.match_of": lambda tx, _: watching.match_of(tx, "token"),
    "watching.remove": lambda tx, asker: watching.remove(tx, asker.running),
    "watching.remove_of_server": lambda tx, asker: watching.remove_of_server(tx, asker.guild),
    "beaten_levels.results": lambda tx, asker: beaten_levels.results(tx, asker.user, "redo"),
    "puzzles.versions": lambda tx, asker: puzzles.versions(tx, [asker.running]),
    "bars.get": lambda tx, _: bars.get(tx, 1),
    "bars.holding": lambda tx, asker: bars.holding(tx, asker.guild, asker.user),
    "bars.of_person": lambda tx, asker: bars.of_person(tx, asker.user),
    "bars.remove": lambda tx, asker: bars.remove(tx, asker.guild, asker.user),
    "challenges.all_open_of": lambda tx, asker: challenges.all_open_of(tx, asker.guild, asker.user),
    "abuse_counters.forget": lambda tx, _: abuse_counters.forget(tx, LONG_AGO),
    "abuse_counters.keep": lambda tx, asker: abuse_counters.keep(tx, asker.user, NOW),
    "abuse_counters.note": lambda tx, asker: abuse_counters.note(tx, asker.user, AbuseCounter.SHARE, "", NOW),
    "abuse_counters.number": lambda tx, asker: abuse_counters.number(tx, asker.user),
    "abuse_counters.times": lambda tx, asker: abuse_counters.times(
        tx, asker.user, AbuseCounter.SHARE, "", NOW, LONG_AGO
    ),
    "challenges.called_off": lambda tx, asker: challenges.called_off(tx, asker.guild, asker.user, LONG_AGO, NOW),
    "challenges.expired_ids": lambda tx, _: challenges.expired_ids(tx, NOW),
    "challenges.get": lambda tx, _: challenges.get(tx, 1),
    "challenges.language": lambda tx, _: challenges.language(tx, 1),
    "challenges.of_code": lambda tx, _: challenges.of_code(tx, "code"),
    "challenges.of_match": lambda tx, asker: challenges.of_match(tx, asker.over),
    "challenges.open_of": lambda tx, asker: challenges.open_of(tx, asker.guild, asker.user),
    "challenges.rematch_of": lambda tx, asker: challenges.rematch_of(tx, asker.over),
    "computer_turns.claim": lambda tx, _: computer_turns.claim(tx, 1, 8, rules=GAMES.rules),
    "computer_turns.pending": lambda tx, _: computer_turns.pending(tx, GAMES.rules),
    "computer_turns.remove": lambda tx, asker: computer_turns.remove(tx, asker.running),
    "computer_turns.unclaimed_since": lambda tx, _: computer_turns.unclaimed_since(tx, NOW, GAMES.rules),
    "challenges.part_of_person": lambda tx, asker: challenges.part_of_person(tx, asker.user, 0, 20),
    "cups.again": lambda tx, _: cups.again(tx, 1),
    "cups.all_of": lambda tx, asker: cups.all_of(tx, asker.user),
    "cups.boards_of": lambda tx, _: cups.boards_of(tx, 1),
    "cups.called_off": lambda tx, asker: cups.called_off(tx, asker.guild, asker.user, NOW - timedelta(hours=1), NOW),
    "cups.due": lambda tx, _: cups.due(tx, NOW),
    "cups.get": lambda tx, _: cups.get(tx, 1),
    "cups.language": lambda tx, _: cups.language(tx, 1),
    "cups.page_of_server": lambda tx, asker: cups.page_of_server(tx, asker.guild, ended=True, offset=8, limit=9),
    "cups.page_of_server going on": lambda tx, asker: cups.page_of_server(tx, asker.guild, ended=False, limit=9),
    "cups.latest_results": lambda tx, _: cups.latest_results(tx, 1, 3),
    "cups.pairings_of": lambda tx, _: cups.pairings_of(tx, 1),
    "cups.started_by": lambda tx, asker: cups.started_by(tx, asker.user, asker.guild),
    "cups.trophies": lambda tx, asker: cups.trophies(tx, asker.guild, asker.user, last_place=3),
    "cups.is_uncounted": lambda tx, _: cups.is_uncounted(tx, 1),
    "cups.count_unended": lambda tx, asker: cups.count_unended(tx, asker.guild),
    "cups.unended_of": lambda tx, asker: cups.unended_of(tx, asker.user),
    "cups.waiting_for": lambda tx, _: cups.waiting_for(tx, sorted(GAMES)),
    "guilds.departures": lambda tx, _: guilds.departures(tx),
    "guilds.fullest_shard": lambda tx, _: guilds.fullest_shard(tx),
    "guilds.last_heartbeat": lambda tx, _: guilds.last_heartbeat(tx),
    "guilds.settings": lambda tx, asker: guilds.settings(tx, asker.guild),
    "beaten_levels.of_person": lambda tx, asker: beaten_levels.of_person(tx, asker.user),
    "beaten_levels.first_with": lambda tx, asker: beaten_levels.first_with(tx, asker.over),
    "beaten_levels.highest": lambda tx, asker: beaten_levels.highest(tx, asker.user),
    "beaten_levels.remove": lambda tx, asker: beaten_levels.remove(tx, asker.over),
    "beaten_levels.note": lambda tx, asker: beaten_levels.note(tx, asker.user, "redo", 1, asker.over),
    "matches.entry": lambda tx, asker: matches.entry(tx, asker.over, 1),
    "ladders.get": lambda tx, asker: ladders.get(tx, asker.guild),
    "ladders.players": lambda tx, asker: ladders.players(tx, asker.guild),
    "ladders.matches_of": lambda tx, asker: ladders.matches_of(tx, asker.guild, NOW),
    "ladders.unfinished": lambda tx, asker: ladders.unfinished(tx, asker.guild),
    "ladders.ended_since": lambda tx, asker: ladders.ended_since(tx, asker.guild, NOW),
    "ladders.everybody": lambda tx, asker: ladders.everybody(tx, asker.guild),
    "ladders.met_since": lambda tx, asker: ladders.met_since(tx, asker.guild, NOW - timedelta(weeks=4)),
    "ladders.of_person": lambda tx, asker: ladders.of_person(tx, asker.user),
    "ladders.due": lambda tx, _: ladders.due(tx, NOW),
    "match_lists.finished_of": lambda tx, asker: match_lists.finished_of(tx, asker.guild, asker.user, limit=9),
    "match_lists.finished_of somebody": lambda tx, asker: match_lists.finished_of(
        tx, asker.guild, asker.user, opponent_id=asker.user + 1, game="redo", offset=8, limit=9
    ),
    "challenges.waits_for": lambda tx, asker: challenges.waits_for(tx, 1, asker.user),
    "shares.is_shown_in": lambda tx, asker: shares.is_shown_in(tx, asker.over, [asker.channel]),
    "shares.is_shared": lambda tx, asker: shares.is_shared(tx, asker.over, ShareKind.REPLAY, asker.channel, asker.user),
    "matches.get": lambda tx, asker: matches.get(tx, asker.running),
    "matches.get locked": lambda tx, asker: matches.get(tx, asker.running, lock=True),
    "match_lists.in_place a channel": lambda tx, asker: match_lists.in_place(
        tx, asker.guild, asker.channel, asker.user
    ),
    "match_lists.in_place a thread": lambda tx, asker: match_lists.in_place(tx, asker.guild, asker.thread, asker.user),
    "matches.language": lambda tx, asker: matches.language(tx, asker.over),
    "matches.advance": lambda tx, asker: matches.advance(tx, asker.running, ply=1),
    "matches.advance_from": lambda tx, asker: _advance_from(tx, asker.running),
    "matches.put_board": lambda tx, asker: matches.put_board(tx, asker.running, 1, 2, 3),
    "matches.with_entry": lambda tx, asker: matches.with_entry(tx, asker.running, 1),
    "matches.moves_of": lambda tx, asker: matches.moves_of(tx, asker.over),
    "match_lists.moves_of_person": lambda tx, asker: match_lists.moves_of_person(tx, asker.user, LONG_AGO, limit=100),
    "match_lists.names": lambda tx, asker: match_lists.names(tx, asker.guild, [asker.user, asker.user + 1]),
    "due.next_due": lambda tx, _: due.next_due(tx),
    "matches.next_finish": lambda tx, _: matches.next_finish(tx),
    "match_lists.of_person": lambda tx, asker: match_lists.of_person(tx, asker.user),
    "match_lists.of_person running": lambda tx, asker: match_lists.of_person(tx, asker.user, MatchState.RUNNING),
    "match_lists.part_of_person": lambda tx, asker: match_lists.part_of_person(tx, asker.user, 0, 20),
    "match_lists.results_of": lambda tx, asker: match_lists.results_of(tx, asker.guild, asker.user, uncounted="closed"),
    "match_lists.results_of against": lambda tx, asker: match_lists.results_of(
        tx, asker.guild, asker.user, uncounted="closed", against=asker.user + 1
    ),
    "match_lists.latest_results": lambda tx, asker: match_lists.latest_results(
        tx, asker.guild, asker.user, uncounted="closed", most=10
    ),
    "match_lists.streak_of": lambda tx, asker: match_lists.streak_of(tx, asker.guild, asker.user, uncounted="closed"),
    "matches.moves_of_each": lambda tx, asker: matches.moves_of_each(tx, [asker.running, asker.over]),
    "match_lists.running_count": lambda tx, asker: match_lists.running_count(tx, asker.guild, asker.user),
    "match_lists.next_for": lambda tx, asker: match_lists.next_for(tx, asker.guild, asker.user, asker.running),
    "match_lists.running_of": lambda tx, asker: match_lists.running_of(tx, asker.guild, asker.user),
    "match_lists.same_as": lambda tx, asker: match_lists.same_as(
        tx, asker.guild, "redo", NOW, [Person(asker.user, "x")]
    ),
    "due.to_flag": lambda tx, _: due.to_flag(tx, LONG_AGO),
    "due.to_remind": lambda tx, _: due.to_remind(tx, LONG_AGO),
    "match_lists.waiting_for": lambda tx, asker: match_lists.waiting_for(tx, asker.user, NOW),
    "notices.at_ply": lambda tx, asker: notices.at_ply(tx, asker.running, 5),
    "notices.take": lambda tx, asker: notices.take(tx, asker.running, 5),
    "matches.offer": lambda tx, _: matches.offer(tx, 1),
    "matches.offers_of_seat": lambda tx, asker: matches.offers_of_seat(tx, asker.running, OfferKind.DRAW, 0),
    "matches.open_offers": lambda tx, asker: matches.open_offers(tx, asker.running),
    "outbox.add_begun": lambda tx, asker: outbox.add_begun(
        tx, key="new", topic=f"match:{asker.running}", kind="board", at=NOW, payload={}
    ),
    "outbox.add_once": lambda tx, asker: outbox.add_once(
        tx, key="new", topic=f"match:{asker.running}", kind="cup_member", at=NOW, payload={}
    ),
    "outbox.busy": lambda tx, asker: outbox.busy(tx, f"match:{asker.running}", "board"),
    "interactions.mark_processed": lambda tx, _: interactions.mark_processed(tx, 1, NOW),
    "interactions.delete_old": lambda tx, _: interactions.delete_old(tx, LONG_AGO),
    "responses.keep": lambda tx, _: responses.keep(tx, "match:1", Response(1, "token", NOW)),
    "responses.of_topic": lambda tx, _: responses.of_topic(tx, "match:1", 0, NOW),
    "responses.before_ply": lambda tx, _: responses.before_ply(tx, "match:1", 0, 3),
    "responses.of_message": lambda tx, _: responses.of_message(tx, 1, NOW),
    "responses.remove": lambda tx, _: responses.remove(tx, 1),
    "responses.delete_expired": lambda tx, _: responses.delete_expired(tx, LONG_AGO),
    "outbox.delete_old": lambda tx, _: outbox.delete_old(tx, LONG_AGO, LONG_AGO),
    "outbox.first_of_each_topic": lambda tx, _: outbox.first_of_each_topic(
        tx, busy=["match:1"], limit=8, only_due=[1], now=NOW, rules=GAMES.rules
    ),
    "interactions.last": lambda tx, _: interactions.last(tx, NOW),
    "outbox.is_stored": lambda tx, _: outbox.is_stored(tx, "board:1:1"),
    "outbox.dropped_of_server": lambda tx, asker: outbox.dropped_of_server(tx, asker.guild),
    "outbox.revive": lambda tx, asker: outbox.revive(tx, [1, 2, 3], NOW),
    "outbox.skip_overtaken": lambda tx, asker: outbox.skip_overtaken(tx, f"match:{asker.running}", "board", 9, NOW),
    "outbox.count_stalled": lambda tx, _: outbox.count_stalled(tx, NOW, GAMES.rules),
    "outbox.waiting": lambda tx, _: outbox.waiting(tx, GAMES.rules),
    "absences.since": lambda tx, asker: absences.since(tx, asker.user, LONG_AGO),
    "absences.over": lambda tx, _: absences.over(tx, NOW),
    "absences.take_over": lambda tx, _: absences.take_over(tx, 1),
    "absences.of_match": lambda tx, asker: absences.of_match(tx, asker.running, NOW),
    "people.stops": lambda tx, asker: people.stops(tx, asker.user, NOW),
    "absences.away": lambda tx, asker: absences.away(tx, [asker.user, asker.user + 1], NOW),
    "people.rests": lambda tx, asker: people.rests(tx, [asker.user, asker.user + 1]),
    "blocks.blocked_by": lambda tx, asker: blocks.blocked_by(tx, asker.user),
    "blocks.between": lambda tx, asker: blocks.between(tx, asker.user, asker.user + 1),
    "blocks.among": lambda tx, asker: blocks.among(tx, [asker.user, asker.user + 1]),
    "blocks.who_blocked": lambda tx, asker: blocks.who_blocked(tx, asker.user, [asker.user + 1]),
    "people.preferences": lambda tx, asker: people.preferences(tx, asker.user),
    "plans.of_match": lambda tx, asker: plans.of_match(tx, asker.running),
    "notes.of_match": lambda tx, asker: notes.of_match(tx, asker.running, asker.user),
    "notes.lock_seat": lambda tx, asker: notes.lock_seat(tx, asker.running, asker.user),
    "notes.of_person": lambda tx, asker: notes.of_person(tx, asker.user),
    "notes.delete_of_person": lambda tx, asker: notes.delete_of_person(tx, asker.user),
    "plans.remove": lambda tx, asker: plans.remove(tx, asker.running),
    "plans.of_person": lambda tx, asker: plans.of_person(tx, asker.user),
    "digests.due_ids": lambda tx, _: digests.due_ids(tx, NOW),
    "digests.get": lambda tx, _: digests.get(tx, 1),
    "digests.of_person": lambda tx, asker: digests.of_person(tx, asker.user),
    "digests.refuse": lambda tx, asker: digests.refuse(tx, asker.user),
    "digests.remove": lambda tx, asker: digests.remove(tx, asker.user),
    "exports.of_person": lambda tx, asker: exports.of_person(tx, asker.user),
    "exports.moves_of_each": lambda tx, asker: exports.moves_of_each(tx, [asker.running, asker.over]),
    "match_lists.ended_since": lambda tx, asker: match_lists.ended_since(tx, asker.user, LONG_AGO),
    "visits.last": lambda tx, asker: visits.last(tx, asker.user),
    "visits.note": lambda tx, asker: visits.note(tx, asker.user, NOW, NOW),
    "visits.ended_meanwhile": lambda tx, asker: visits.ended_meanwhile(
        tx, asker.user, LONG_AGO, NOW, resigned="resigns", most=10
    ),
    "challenges.sent_to": lambda tx, asker: challenges.sent_to(tx, asker.user, NOW, 5),
    "quiet_turns.of_person": lambda tx, asker: quiet_turns.of_person(tx, asker.user),
    "quiet_turns.over": lambda tx, _: quiet_turns.over(tx, NOW),
    "quiet_turns.take": lambda tx, _: quiet_turns.take(tx, 1),
    "quiet_turns.note": lambda tx, asker: quiet_turns.note(tx, asker.user, asker.guild, NOW, NOW),
    "match_lists.waiting_since": lambda tx, asker: match_lists.waiting_since(tx, asker.user, LONG_AGO),
    "mentions.attention": lambda tx, asker: _attention(tx, asker.running, asker.user),
    "mentions.last_act": lambda tx, asker: mentions.last_act(tx, asker.guild, asker.user),
    "mentions.recent_moves": lambda tx, asker: mentions.recent_moves(tx, asker.user, LONG_AGO),
    "mentions.unanswered": lambda tx, asker: mentions.unanswered(tx, asker.guild, asker.user),
    "mentions.of_person": lambda tx, asker: mentions.of_person(tx, asker.user),
    "mentions.hold": lambda tx, asker: _hold(tx, asker.running),
    "mentions.take_held": lambda tx, asker: mentions.take_held(tx, asker.running),
    "mentions.note": lambda tx, asker: mentions.note(tx, asker.running, 1, NOW),
    "mentions.note_act": lambda tx, asker: mentions.note_act(tx, asker.guild, asker.user, NOW),
    "people.refuse_direct_news": lambda tx, asker: people.refuse_direct_news(tx, asker.user),
    "shares.count_since": lambda tx, asker: shares.count_since(tx, asker.user, LONG_AGO),
    "shares.anonymise": lambda tx, asker: shares.anonymise(tx, asker.user),
    "shares.has_shared": lambda tx, asker: shares.has_shared(tx, asker.user, "replay:1:1"),
    "shares.get": lambda tx, _: shares.get(tx, 1),
    "shares.of_person": lambda tx, asker: shares.of_person(tx, asker.user),
    "shares.remove": lambda tx, _: shares.remove(tx, 1),
    "puzzles.attempt": lambda tx, _: puzzles.attempt(tx, 1),
    "puzzles.attempts_of": lambda tx, asker: puzzles.attempts_of(tx, asker.user),
    "puzzles.channel": lambda tx, asker: puzzles.channel(tx, asker.guild),
    "puzzles.counts_due": lambda tx, _: puzzles.counts_due(tx, NOW),
    "puzzles.daily": lambda tx, asker: puzzles.daily(tx, asker.guild, NOW.date()),
    "puzzles.due": lambda tx, _: puzzles.due(tx, NOW),
    "puzzles.delete_of_person": lambda tx, asker: puzzles.delete_of_person(tx, asker.user),
    "puzzles.latest_daily": lambda tx, asker: puzzles.latest_daily(tx, asker.guild, NOW.date()),
    "puzzles.next_daily": lambda tx, asker: puzzles.next_daily(tx, asker.guild, NOW.date()),
    "puzzles.unsolved_daily": lambda tx, asker: puzzles.unsolved_daily(tx, asker.guild, asker.user, LONG_AGO),
    "puzzles.rating": lambda tx, asker: puzzles.rating(tx, asker.user),
    "puzzles.solvers": lambda tx, asker: puzzles.solvers(
        tx, DailyPuzzle(asker.guild, NOW.date(), "redo", "1", 1, 1, NOW)
    ),
    "ratings.all_of": lambda tx, asker: ratings.all_of(tx, asker.user),
    "ratings.changes_of_match": lambda tx, asker: ratings.changes_of_match(tx, asker.over, "redo"),
    "ratings.everywhere": lambda tx, asker: ratings.everywhere(tx, asker.guild, asker.user),
    "ratings.history": lambda tx, asker: ratings.history(tx, asker.guild, ratings.OVERALL, asker.user, 200),
    "ratings.remove_changes": lambda tx, asker: ratings.remove_changes(tx, asker.over),
    "match_lists.voided_by": lambda tx, asker: match_lists.voided_by(tx, asker.user),
    "ratings.met_since": lambda tx, asker: ratings.met_since(tx, asker.guild, [asker.user], LONG_AGO),
    "ratings.of": lambda tx, asker: ratings.of(tx, asker.guild, "redo", [asker.user]),
    "reratings.begin_anew": lambda tx, asker: reratings.begin_anew(tx, asker.user),
    "reratings.pending": lambda tx, _: reratings.pending(tx),
    "reratings.remove": lambda tx, asker: reratings.remove(tx, asker.guild),
    "reratings.version": lambda tx, asker: reratings.version(tx, asker.guild),
    "reviews.claim": lambda tx, _: reviews.claim(tx, 1, 8, rules=GAMES.rules),
    "reviews.get": lambda tx, asker: reviews.get(tx, asker.over),
    "reviews.count_judged": lambda tx, asker: reviews.count_judged(tx, asker.over),
    "reviews.judgements_of": lambda tx, asker: reviews.judgements_of(tx, asker.over),
    "reviews.mark_done": lambda tx, asker: reviews.mark_done(tx, asker.over),
    "reviews.pending": lambda tx, _: reviews.pending(tx, GAMES.rules),
}
"""Queries about one person, one match, or due rows: their cost does not grow with other people's rows."""
