"""Computer players in the seats of challenges: instead of an opponent, and in a lobby with people."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest

from bot.matches.audit import audit
from bot.matches.model import match_record
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services.eligibility import Terms
from bot.messages import notices, wording
from bot.messages.pictures import BoardRenderer
from bot.storage.records import ChallengeState, First, Match, MatchState
from tests.matches.against_computer import DAY, against, nothing_due, replied, running
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.support.without_grace import without_grace  # noqa: F401

LOBBY = Terms("rectangles", "6x6", 4, First.CHALLENGER)


async def seat(crowd: Crowd, challenge_id: int, *levels: int) -> int | None:
    """Seat computer players of some levels one after the other; if that starts the match, return its id."""
    match_id = None
    for level in levels:
        seated = (await crowd.challenge(challenge_id)).levels
        service = crowd.services.computer_opponents
        changed = await service.seat(crowd.actor(ALICE), challenge_id, level, seated)
        match_id = changed.match_id
    return match_id


def seats(match: Match) -> list[object]:
    """Return the names of people and the levels of computer players in the order of seats."""
    return [one.person.level or one.person.name for one in match.seats]


async def lobby_started(crowd: Crowd, *levels: int, people: int = 2, terms: Terms = LOBBY) -> int:
    """Begin a match of Alice, and Bob if ``people`` is 2, with computer players of some levels."""
    challenge_id = await crowd.offer(terms=terms)
    if people == 2:
        await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)
    if (match_id := await seat(crowd, challenge_id, *levels)) is not None:
        return match_id
    return await crowd.services.challenges.start(crowd.actor(ALICE), challenge_id)


async def first_move(crowd: Crowd, match_id: int) -> str:
    """Return a legal move of a match."""
    view = await crowd.services.queries.match_view(GUILD, match_id)
    return str(next(iter(view.game_state.position.legal_moves())))


# In place of an opponent


async def test_an_open_challenge_without_an_opponent_becomes_a_match_against_the_bot(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(terms=replace(YONMOQUE, pace=86400))
    play = crowd.services.computer_opponents.take_up
    with pytest.raises(Refusal, match="Only the challenger"):
        await play(crowd.actor(BOB), challenge_id, 2)
    match = await crowd.match(await play(crowd.actor(ALICE), challenge_id, 2))
    assert (seats(match), match.rated, match.pace) == (["Alice", 2], False, None)
    taken = await crowd.challenge(challenge_id)
    assert (taken.state, taken.match_id, taken.rated) == (ChallengeState.STARTED, match.id, False)
    with pytest.raises(Stale, match="the match is on"):
        await play(crowd.actor(ALICE), challenge_id, 2)
    with pytest.raises(Stale, match="the match is on"):
        await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)


async def test_of_an_opponent_and_the_bot_one_takes_an_open_challenge(crowd: Crowd) -> None:
    challenge_id = await crowd.offer()
    took = await asyncio.gather(
        crowd.services.computer_opponents.take_up(crowd.actor(ALICE), challenge_id, 1),
        crowd.services.challenges.accept(crowd.actor(BOB), challenge_id),
        return_exceptions=True,
    )
    assert [type(one) for one in took if not isinstance(one, int)] == [Stale]
    assert (await crowd.challenge(challenge_id)).match_id in took


async def test_a_challenge_to_a_person_waits_for_their_answer(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(to=BOB)
    with pytest.raises(Refusal, match="Wait for their answer"):
        await crowd.services.computer_opponents.take_up(crowd.actor(ALICE), challenge_id, 1)
    with pytest.raises(Refusal, match="no such challenge"):
        await crowd.services.computer_opponents.own(crowd.actor(ALICE, guild_id=GUILD + 1), challenge_id)


# In a lobby


async def test_several_computer_players_are_seated_and_taken_out_again_by_the_challenger(crowd: Crowd) -> None:
    challenge_id, service = await crowd.offer(terms=LOBBY), crowd.services.computer_opponents
    await seat(crowd, challenge_id, 2, 2)
    with pytest.raises(Stale, match="have changed"):
        await service.seat(crowd.actor(ALICE), challenge_id, 2, (2,))
    with pytest.raises(Refusal, match="Only the challenger"):
        await service.seat(crowd.actor(BOB), challenge_id, 2, (2, 2))
    with pytest.raises(Refusal, match="not in this challenge at level 5"):
        await service.unseat(crowd.actor(ALICE), challenge_id, 5, (2, 2))
    await service.unseat(crowd.actor(ALICE), challenge_id, 2, (2, 2))
    assert (await crowd.challenge(challenge_id)).levels == (2,)
    crowd.open()
    await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)
    await crowd.services.challenges.leave(crowd.actor(BOB), challenge_id)
    await crowd.services.challenges.cancel(crowd.actor(ALICE), challenge_id)
    with pytest.raises(Stale, match="cancelled"):
        await crowd.services.computer_opponents.seat(crowd.actor(ALICE), challenge_id, 1, (2,))


async def test_the_last_seat_taken_starts_the_match_which_is_not_rated(crowd: Crowd) -> None:
    filled_by_bot, filled_by_carol = await crowd.offer(terms=LOBBY), await crowd.offer(terms=LOBBY)
    assert await seat(crowd, filled_by_bot, 1, 4, 4) is not None
    await seat(crowd, filled_by_carol, 3)
    accept = crowd.services.challenges.accept
    assert await accept(crowd.actor(BOB), filled_by_carol) is None
    last = await accept(crowd.actor(CAROL), filled_by_carol)
    assert last is not None
    matches = [
        await crowd.match((await crowd.challenge(one)).match_id or 0) for one in (filled_by_bot, filled_by_carol)
    ]
    assert [seats(match) for match in matches] == [["Alice", 1, 4, 4], ["Alice", "Bob", "Carol", 3]]
    assert [match.rated for match in matches] == [False, False]


@pytest.mark.parametrize(("people", "pace"), [(1, None), (2, 86400)])
async def test_only_where_people_wait_for_each_other_a_lobby_keeps_its_time_limit(
    crowd: Crowd, people: int, pace: int | None
) -> None:
    match = await crowd.match(await lobby_started(crowd, 1, 1, people=people, terms=replace(LOBBY, pace=86400)))
    assert (match.pace, match.time_ends_at is None) == (pace, pace is None)


async def test_people_and_computer_players_play_to_the_end_in_turn(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1, 1)
    async with running(crowd) as runner:
        while (match := await crowd.match(match_id)).state is MatchState.RUNNING:
            mover = match.mover.person
            if not mover.computer:
                await crowd.services.turns.play(*crowd.request(match_id, mover), await first_move(crowd, match_id))
            await nothing_due(crowd, runner)
    played = await crowd.moves(match_id)
    assert [move.seat for move in played[:5]] == [0, 1, 2, 3, 0]
    assert await audit(crowd.database) == []
    record = match_record.read(match_record.write(match, played))
    assert [person.level for person in record.people] == [None, None, 1, 1]


async def test_the_board_names_what_was_replied_by_all_computer_players(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1, 2, people=1)
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), await first_move(crowd, match_id))
    for _ in range(2):
        await replied(crowd)
    said = wording.last_move(await crowd.services.queries.match_view(GUILD, match_id)).splitlines()
    assert said[0].startswith("Last move: Alice ")
    assert r"Tavoliere \(level 1\)" in said[1]
    assert r"Tavoliere \(level 2\)" in said[2]


async def test_a_board_of_many_tells_computer_players_apart_where_names_have_little_room(crowd: Crowd) -> None:
    async def described(match_id: int) -> str:
        view = await crowd.services.queries.match_view(GUILD, match_id)
        return await BoardRenderer(crowd.services).describe(view.match, view.game_state, 0)

    many = await described(await lobby_started(crowd, 2, 5, people=1))
    assert ("Level 2" in many, "Level 5" in many, "Tavoliere" in many) == (True, True, False)
    assert "Tavoliere (level 3)" in await described(await against(crowd, level=3))


async def test_where_several_people_play_they_are_asked_for_take_backs_and_claim_by_themselves(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1, terms=replace(LOBBY, pace=86400))
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), await first_move(crowd, match_id))
    assert await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE)) is not None
    crowd.later(days=2)
    await crowd.services.forfeits.notice_late()
    assert (await crowd.match(match_id)).state is MatchState.RUNNING
    await crowd.services.forfeits.claim_win(*crowd.request(match_id, ALICE))
    assert [one.dropped for one in (await crowd.match(match_id)).seats] == [False, True, False]


async def test_a_computer_player_whose_turn_it_is_agrees_to_a_take_back_among_several_people(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1)
    for person in (ALICE, BOB):
        await crowd.services.turns.play(*crowd.request(match_id, person), await first_move(crowd, match_id))
    with pytest.raises(Refusal, match="Only your own last move"):
        await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    assert await crowd.services.agreements.ask_takeback(*crowd.request(match_id, BOB)) is None
    assert (await crowd.match(match_id)).mover.person == BOB
    assert await crowd.services.computer_players.take(1) == []


async def test_the_last_person_takes_back_without_bringing_others_back(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1)
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), await first_move(crowd, match_id))
    await crowd.resign(match_id, BOB)
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    view = await crowd.services.queries.match_view(GUILD, match_id)
    assert view.match.mover.person == ALICE
    assert await audit(crowd.database) == []
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), await first_move(crowd, match_id))
    assert (await crowd.match(match_id)).mover.person.level == 1


async def test_when_all_people_have_left_the_computer_players_play_to_the_end(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 1, 1, people=1)
    assert await crowd.services.privacy.erase(ALICE, crowd.interaction()) == 1
    async with running(crowd) as runner:
        await nothing_due(crowd, runner)
    match = await crowd.match(match_id)
    assert (match.state, match.seats[0].won, match.seats[0].person.deleted) == (MatchState.OVER, False, True)
    assert await audit(crowd.database) == []


async def test_a_rematch_seats_all_players_again_and_asks_people_only(crowd: Crowd) -> None:
    match_id = await lobby_started(crowd, 2, 3)
    for person in (ALICE, BOB):
        await crowd.resign(match_id, person)
    async with running(crowd) as runner:
        await nothing_due(crowd, runner)
    ask = crowd.services.rematches.ask
    assert await ask(crowd.actor(ALICE), match_id) is None
    again = await ask(crowd.actor(BOB), match_id)
    assert again is not None
    assert seats(await crowd.match(again)) == ["Bob", 2, 3, "Alice"]
    alone = await lobby_started(crowd, 2, 2, people=1)
    await crowd.resign(alone, ALICE)
    async with running(crowd) as runner:
        await nothing_due(crowd, runner)
    second = await ask(crowd.actor(ALICE), alone)
    assert second is not None
    assert seats(await crowd.match(second)) == [2, 2, "Alice"]


async def test_no_notice_says_that_a_computer_player_could_claim_the_win(crowd: Crowd) -> None:
    match = await crowd.match(await lobby_started(crowd, 3, terms=replace(LOBBY, pace=DAY)))
    shown = notices.late(match).view.walk_children()
    said = "".join(one.content for one in shown if isinstance(one, discord.ui.TextDisplay))
    assert f"Alice is out of time in **{wording.title(match)}**. <@{BOB.id}> can drop Alice from the game" in said
