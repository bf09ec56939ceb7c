"""Links by which anybody watches a match: which matches have one, what ends them, and what is told of who plays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.matches.model.pace import Pace
from bot.matches.model.refusals import Refusal
from bot.matches.services.match_queries import MatchView
from bot.matches.services.watching import NotWatched, Watched, as_watched
from bot.messages.wording import last_move, players, result
from bot.storage import matches
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.matches.test_direct_matches import alone


async def allow(crowd: Crowd, *, watching: bool = True) -> None:
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, watching=watching))


async def show_names(crowd: Crowd, *people: int, shown: bool = True) -> None:
    for user_id in people:
        await crowd.services.personal_settings.prefer(user_id, lambda before: replace(before, shows_name=shown))


async def begun(crowd: Crowd) -> tuple[int, str]:
    """Begin a match that may be watched; return its number, and its link."""
    await allow(crowd)
    match_id = await crowd.begin()
    return match_id, (await crowd.services.watching.link(match_id))[0]


async def seen(crowd: Crowd, link: str) -> tuple[Watched, MatchView]:
    watched = await crowd.services.watching.watched(link)
    view = await crowd.services.queries.match_view(watched.guild_id, watched.match_id)
    return watched, as_watched(view, named=watched.named)


async def test_a_match_has_one_link_once_its_server_allows_it(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert not await crowd.services.watching.may_be_watched(match_id)
    with pytest.raises(NotWatched):
        await crowd.services.watching.link(match_id)
    await allow(crowd)
    assert await crowd.services.watching.may_be_watched(match_id)
    token, named = await crowd.services.watching.link(match_id)
    assert (await crowd.services.watching.link(match_id), named) == ((token, False), False)
    assert (await crowd.services.watching.watched(token)).match_id == match_id
    assert len(token) >= 20
    other = await crowd.begin(by=CAROL)
    assert (await crowd.services.watching.link(other))[0] != token
    for guess in (str(match_id), token[:-1], ""):
        with pytest.raises(NotWatched):
            await crowd.services.watching.watched(guess)


async def test_a_player_withdraws_the_link_and_the_next_one_is_another(crowd: Crowd) -> None:
    match_id, link = await begun(crowd)
    (before,) = (await crowd.services.watching.versions([match_id])).values()
    with pytest.raises(Refusal, match="not playing"):
        await crowd.services.watching.withdraw(match_id, CAROL.id)
    await crowd.services.watching.withdraw(match_id, BOB.id)
    with pytest.raises(NotWatched):
        await crowd.services.watching.watched(link)
    assert await crowd.services.watching.versions([match_id]) == {}
    assert (await crowd.services.watching.link(match_id))[0] != link
    # Pages that are open by the earlier link ask again, and find that it leads nowhere.
    assert (await crowd.services.watching.versions([match_id]))[match_id] != before


async def _private(crowd: Crowd, match_id: int) -> None:
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, private=True)


async def _voided(crowd: Crowd, match_id: int) -> None:
    await crowd.void(match_id)


async def _forbidden(crowd: Crowd, _match_id: int) -> None:
    await allow(crowd, watching=False)


async def _bot_removed(crowd: Crowd, _match_id: int) -> None:
    await crowd.services.departures.bot_left(GUILD)


@pytest.mark.parametrize("end", [_private, _voided, _forbidden, _bot_removed])
async def test_a_match_is_watched_no_more_once_it_may_not_be(
    crowd: Crowd, end: Callable[[Crowd, int], Awaitable[None]]
) -> None:
    match_id, link = await begun(crowd)
    assert list(await crowd.services.watching.versions([match_id])) == [match_id]
    await end(crowd, match_id)
    with pytest.raises(NotWatched):
        await crowd.services.watching.watched(link)
    with pytest.raises(NotWatched):
        await crowd.services.watching.link(match_id)
    assert await crowd.services.watching.versions([match_id]) == {}


async def test_a_link_stays_dead_when_its_server_allows_watching_again(crowd: Crowd) -> None:
    match_id, link = await begun(crowd)
    for watching in (False, True):
        await allow(crowd, watching=watching)
    with pytest.raises(NotWatched):
        await crowd.services.watching.watched(link)
    assert (await crowd.services.watching.link(match_id))[0] != link


async def test_names_are_seen_while_everybody_who_plays_allows_it(crowd: Crowd) -> None:
    match_id, link = await begun(crowd)
    await crowd.play(match_id, "c3")
    versions, told = list[str](), list[str]()
    for allowing, shown in (([], True), ([ALICE.id], True), ([BOB.id], True), ([BOB.id], False)):
        await show_names(crowd, *allowing, shown=shown)
        watched, view = await seen(crowd, link)
        assert watched.version == (await crowd.services.watching.versions([match_id]))[match_id]
        versions.append(watched.version)
        told.append(f"{players(view.match)}: {last_move(view)}")
    colours = "Blue (Blue) – White (White): Last move: Blue places a piece on c3."
    assert told == [colours, colours, "Alice (Blue) – Bob (White): Last move: Alice places a piece on c3.", colours]
    assert versions[0] == versions[1] == versions[3] != versions[2]


async def test_a_deletion_takes_the_names_of_both_at_once(crowd: Crowd) -> None:
    match_id, link = await begun(crowd)
    await show_names(crowd, ALICE.id, BOB.id)
    await crowd.move_twice(match_id)
    assert "Alice" in players((await seen(crowd, link))[1].match)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    watched, view = await seen(crowd, link)
    assert not watched.named
    assert players(view.match) == "Blue (Blue) – White (White)"
    assert result(view.match) == "<@2> wins by resignation."
    assert [seat.person.name for seat in view.match.seats] == ["Blue", "White"]


async def test_no_number_of_a_person_nor_when_they_are_away_is_told(crowd: Crowd) -> None:
    alice, bob = replace(ALICE, id=10**17 + 1), replace(BOB, id=10**17 + 2)
    await allow(crowd)
    match_id = await crowd.begin(by=alice, to=bob, terms=YONMOQUE.at(Pace(86400)))
    link = (await crowd.services.watching.link(match_id))[0]
    await show_names(crowd, alice.id, bob.id)
    await crowd.services.absences.leave_until(bob.id, crowd.now.replace(day=5))
    await crowd.play(match_id, "c3", players=(alice, bob))
    before, view = (await crowd.services.queries.match_view(GUILD, match_id)), (await seen(crowd, link))[1]
    assert (list(before.away), view.away) == ([1], {})
    assert [seat.person.id for seat in view.match.seats] == [1, 2]
    assert before.match.time_ends_at is not None
    assert view.match.time_ends_at is None


async def test_the_clocks_of_a_live_match_are_seen(crowd: Crowd) -> None:
    await allow(crowd)
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(600, 5)))
    link = (await crowd.services.watching.link(match_id))[0]
    view = (await seen(crowd, link))[1]
    assert view.match.time_ends_at is not None
    assert view.match.pace == 600


async def test_the_bot_has_its_name_and_a_link_goes_with_its_match(crowd: Crowd) -> None:
    await allow(crowd)
    match_id = await crowd.services.computer_opponents.play(crowd.actor(ALICE), 1, YONMOQUE)
    view = (await seen(crowd, (await crowd.services.watching.link(match_id))[0]))[1]
    assert [seat.person.name for seat in view.match.seats] == ["Blue", "Tavoliere (level 1)"]
    await show_names(crowd, ALICE.id)
    assert (await crowd.services.watching.link(match_id))[1]


async def test_a_match_in_direct_messages_has_no_link(crowd: Crowd) -> None:
    match_id = await alone(crowd)
    assert not await crowd.services.watching.may_be_watched(match_id)
    with pytest.raises(NotWatched):
        await crowd.services.watching.link(match_id)
