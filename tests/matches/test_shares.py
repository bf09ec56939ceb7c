"""Shares: once per thing and place, within limits, and only of things that are over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord.ui import TextDisplay
from sqlalchemy import select, update

from bot.games import GAMES
from bot.games.puzzles import puzzles
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import LimitReached, OtherRules, Refusal
from bot.messages.pictures import PUBLIC, BoardRenderer
from bot.messages.share import share_message
from bot.storage import reviews, shares, tables
from bot.storage.guilds import GuildSettings
from bot.storage.records import Judgement, Person, ShareKind
from bot.storage.shares import Share
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Crowd
from tests.matches.test_puzzles import GAME, solved
from tests.support.acting import FINISHED

LATE = "This match is still being played. It can be shared when it's over."


def sharing(crowd: Crowd, person: Person, channel: int = CHANNEL) -> Actor:
    return crowd.actor(person, channel_id=channel)


async def finished(crowd: Crowd) -> int:
    match_id = await crowd.begin()
    await crowd.play(match_id, *FINISHED)
    return match_id


async def posts(crowd: Crowd) -> list[tuple[str, int]]:
    async with crowd.database.read() as tx:
        found = select(tables.outbox.c.key, tables.outbox.c.guild_id).where(tables.outbox.c.kind == "share")
        return [(row.key, row.guild_id) for row in await tx.execute(found.order_by(tables.outbox.c.id))]


async def reviewed(crowd: Crowd, match_id: int, *judgements: Judgement) -> None:
    """Store a review as if it had been made."""
    async with crowd.database.write() as tx:
        await reviews.add(tx, match_id, positions=len(judgements), nodes=1, at=crowd.now)
        for judgement in judgements:
            await reviews.put_judgement(tx, match_id, judgement)
        await reviews.mark_done(tx, match_id)


async def test_a_running_match_is_not_shared_nor_one_of_another_server(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    with pytest.raises(Refusal, match=LATE):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="no such match"):
        await crowd.services.shares.share(
            ShareKind.REPLAY, replace(sharing(crowd, ALICE), guild_id=GUILD + 1), match_id
        )
    await crowd.void(match_id)
    with pytest.raises(Refusal):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    assert await posts(crowd) == []


async def test_a_replay_is_shared_once_per_place(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    with pytest.raises(Refusal, match="You've shared that already"):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    with pytest.raises(Refusal, match="Somebody has shared that there already"):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, BOB), match_id)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, BOB, CHANNEL + 1), match_id)
    assert await posts(crowd) == [("share:1:posted", GUILD), ("share:2:posted", GUILD)]
    assert (await crowd.services.shares.get(GUILD, 1)).share.user_id == ALICE.id
    with pytest.raises(Refusal, match="That wasn't shared in this server"):
        await crowd.services.shares.get(GUILD + 1, 1)


async def test_a_review_is_shared_by_the_move_that_lost_most(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    with pytest.raises(Refusal, match="isn't finished yet"):
        await crowd.services.shares.share(ShareKind.REVIEW, sharing(crowd, ALICE), match_id)
    await reviewed(
        crowd,
        match_id,
        Judgement(4, 0, 0.8, 0.6, "c2", exact=False),
        Judgement(5, 1, 0.9, 0.1, "c5", exact=False),
        Judgement(7, 1, 0.9, 0.5, "c5", exact=False),
    )
    await crowd.services.shares.share(ShareKind.REVIEW, sharing(crowd, ALICE), match_id)
    view = await crowd.services.shares.get(GUILD, 1)
    assert view.moment is not None
    assert (view.moment.number, view.moment.text, view.moment.best) == (6, "e5", "c5")
    assert (view.moment.before, view.moment.after) == (0.9, 0.1)


async def test_a_shared_moment_is_the_last_great_mistake_of_a_player_who_did_not_win(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await reviewed(
        crowd,
        match_id,
        Judgement(4, 0, 1.0, 0.0, "c2", exact=False),
        Judgement(5, 1, 0.9, 0.1, "c5", exact=False),
        Judgement(7, 1, 0.9, 0.1, "c5", exact=False),
    )
    await crowd.services.shares.share(ShareKind.REVIEW, sharing(crowd, ALICE), match_id)
    view = await crowd.services.shares.get(GUILD, 1)
    assert view.match is not None
    assert view.moment is not None
    assert (view.moment.number, view.moment.seat, view.match.seats[0].won) == (8, 1, True)


async def test_a_review_without_a_moment_has_nothing_to_share(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await reviewed(crowd, match_id)
    with pytest.raises(Refusal, match="no moment to share"):
        await crowd.services.shares.share(ShareKind.REVIEW, sharing(crowd, ALICE), match_id)


async def test_only_ones_own_solved_puzzle_is_shared_and_once_per_place(crowd: Crowd) -> None:
    view = await crowd.services.puzzles.begin(ALICE.id, GAME)
    with pytest.raises(Refusal, match="nothing to share"):
        await crowd.services.shares.share(ShareKind.PUZZLE, sharing(crowd, ALICE), view.attempt.id)
    await solved(crowd, view)
    with pytest.raises(Refusal, match="somebody else"):
        await crowd.services.shares.share(ShareKind.PUZZLE, sharing(crowd, BOB), view.attempt.id)
    await crowd.services.shares.share(ShareKind.PUZZLE, sharing(crowd, ALICE), view.attempt.id)
    with pytest.raises(Refusal, match="already"):
        await crowd.services.shares.share(ShareKind.PUZZLE, sharing(crowd, ALICE), view.attempt.id)
    await crowd.services.shares.share(ShareKind.PUZZLE, sharing(crowd, ALICE, CHANNEL + 1), view.attempt.id)
    share = (await crowd.services.shares.get(GUILD, 1)).share
    theirs = await crowd.services.puzzles.begin_shared(BOB.id, share)
    assert theirs.puzzle == view.puzzle
    assert (await crowd.services.puzzles.begin_shared(BOB.id, share)).attempt == theirs.attempt


async def test_a_shared_puzzle_is_drawn_from_the_side_of_its_task(crowd: Crowd) -> None:
    puzzle = next(one for one in puzzles(GAMES["yonmoque"]) if one.seat == 1)
    async with crowd.database.write() as tx:
        puzzled = Share(0, ALICE.id, ALICE.name, ShareKind.PUZZLE, GUILD, CHANNEL, crowd.now)
        thing = f"puzzle:{puzzle.key}:{CHANNEL}"
        await shares.add(tx, replace(puzzled, thing=thing, game="yonmoque", puzzle=puzzle.key, found="🟩"))
    view, renderer = await crowd.services.shares.get(GUILD, 1), BoardRenderer(crowd.services)
    assert view.start is not None
    message = await share_message(renderer, view)
    sides = [await renderer.puzzle(puzzle, view.start, seat, PUBLIC) for seat in (0, 1)]
    assert sides[0] != sides[1]
    assert list(message.attached) == sides[1:]
    words = "\n".join(part.content for part in message.view.walk_children() if isinstance(part, TextDisplay))
    assert "\nWhite to move. " in words
    assert words.endswith(f"\n-# Difficulty {puzzle.difficulty} · 🟩")


async def test_nobody_shares_without_end_nor_where_they_are_barred_or_play_is_not_allowed(crowd: Crowd) -> None:
    ids = [await finished(crowd) for _ in range(7)]
    service, limit = crowd.services.shares, crowd.services.limits.shares
    assert limit == 10
    for match_id in ids[:5]:
        await reviewed(crowd, match_id, Judgement(5, 1, 0.9, 0.1, "c5", exact=False))
        await service.share(ShareKind.REVIEW, sharing(crowd, ALICE), match_id)
        await service.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    with pytest.raises(LimitReached, match="10 things today, which is the limit"):
        await service.share(ShareKind.REPLAY, sharing(crowd, ALICE), ids[5])
    crowd.later(days=1)
    await service.share(ShareKind.REPLAY, sharing(crowd, ALICE), ids[5])
    await crowd.services.bars.bar(GUILD, CAROL.id)
    with pytest.raises(Refusal, match="barred"):
        await service.share(ShareKind.REPLAY, sharing(crowd, CAROL), ids[6])
    await crowd.services.server_settings.change(GUILD, lambda _: GuildSettings((77,)))
    with pytest.raises(Refusal, match="games are played in"):
        await service.share(ShareKind.REPLAY, sharing(crowd, BOB), ids[6])
    await service.share(ShareKind.REPLAY, replace(sharing(crowd, BOB), parent_id=77), ids[6])


async def test_deletion_removes_the_name_and_export_has_what_was_shared(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    assert b'"thing": "replay:1:20"' in await crowd.services.privacy.export(ALICE.id)
    assert b"replay:1" not in await crowd.services.privacy.export(BOB.id)
    await crowd.services.privacy.erase(ALICE, 7)
    share = (await crowd.services.shares.get(GUILD, 1)).share
    assert (share.user_id, share.name) == (None, None)
    assert await posts(crowd) == [("share:1:posted", GUILD), ("share:1:erased:7", GUILD)]


async def test_what_could_not_be_posted_can_be_shared_again(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    await crowd.services.shares.drop(1)
    await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
    assert [share.id for share in await crowd.services.read(shares.of_person, ALICE.id)] == [2]


async def test_a_match_whose_game_is_gone_is_not_shared(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.matches).values(rules=99))
    with pytest.raises(OtherRules):
        await crowd.services.shares.share(ShareKind.REPLAY, sharing(crowd, ALICE), match_id)
