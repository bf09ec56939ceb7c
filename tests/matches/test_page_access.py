"""Links to the board page and the sessions that they open, without a browser: which server they are of, and when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.matches.model.page_links import Purpose
from bot.matches.model.refusals import NoSuchMatch, Refusal
from bot.matches.services.page_access import KEY_SIGNS, LINK_VALID, SESSION_VALID, Opened, token_hash
from bot.storage import guilds, page_access
from tests.matches.conftest import ALICE, CAROL, GUILD, Crowd


async def stays(_guild_id: int, _user_id: int) -> bool:
    """Return that nobody has left a server."""
    return False


async def opened(crowd: Crowd, match_id: int, guild_id: int = GUILD) -> Opened:
    access = crowd.services.page_access
    return await access.redeem(await access.link(ALICE, "en-US", guild_id, Purpose.MATCH, match_id), stays)


async def test_a_link_opens_only_a_match_of_its_server_and_of_its_person(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    with pytest.raises(NoSuchMatch):
        await opened(crowd, match_id, GUILD + 1)
    access = crowd.services.page_access
    with pytest.raises(NoSuchMatch):
        await access.redeem(await access.link(CAROL, "en-US", GUILD, Purpose.MATCH, match_id), stays)
    assert (await opened(crowd, match_id)).session.guild_id == GUILD


async def test_a_link_opens_nothing_once_the_bot_has_left_its_server_or_its_person_is_barred(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    access = crowd.services.page_access
    first, second = [await access.link(ALICE, "en-US", GUILD, Purpose.MATCH, match_id) for _ in range(2)]
    await crowd.services.bars.bar(GUILD, ALICE.id, crowd.interaction())
    with pytest.raises(Refusal):
        await access.redeem(first, stays)
    await crowd.services.bars.unbar(GUILD, ALICE.id)
    async with crowd.database.write() as tx:
        await guilds.depart(tx, GUILD, crowd.now)
    with pytest.raises(Refusal, match="no longer in the server"):
        await access.redeem(second, stays)


async def test_a_key_signs_for_a_day_and_what_it_signed_last_is_still_good(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await opened(crowd, match_id)
    crowd.now += KEY_SIGNS - timedelta(seconds=1)
    access = crowd.services.page_access
    link = await access.link(ALICE, "en-US", GUILD, Purpose.MATCH, match_id)
    crowd.later(seconds=1)
    await opened(crowd, match_id)
    assert len(await crowd.services.read(page_access.keys)) == 2
    await access.redeem(link, stays)
    late = await access.link(ALICE, "en-US", GUILD, Purpose.MATCH, match_id)
    crowd.now += LINK_VALID
    with pytest.raises(Refusal, match="expired"):
        await access.redeem(late, stays)


async def test_a_match_is_looked_at_in_the_session_of_its_server(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    tokens = {GUILD: (await opened(crowd, match_id)).token, GUILD + 1: "other"}
    async with crowd.database.write() as tx:
        of_other = token_hash("other"), ALICE.id, GUILD + 1, "Alice", "en", crowd.now, crowd.now + KEY_SIGNS
        await page_access.begin(tx, *of_other)
    access = crowd.services.page_access
    assert {session.guild_id for session in await access.sessions_of_tokens(tokens)} == {GUILD, GUILD + 1}
    assert [session.guild_id for session in await access.sessions_of_tokens(tokens, match_id)] == [GUILD]


async def test_who_leaves_one_server_keeps_the_sessions_of_another(crowd: Crowd) -> None:
    await opened(crowd, await crowd.begin())
    async with crowd.database.write() as tx:
        await page_access.begin(tx, "other", ALICE.id, GUILD + 1, "Alice", "en", crowd.now, crowd.now + KEY_SIGNS * 9)
    crowd.later(days=2)

    async def has_left(guild_id: int, _user_id: int) -> bool:
        return guild_id == GUILD

    await crowd.services.page_access.check_members(has_left)
    assert [session.guild_id for session in await crowd.services.page_access.sessions(ALICE.id)] == [GUILD + 1]


async def test_a_session_opens_nothing_after_thirty_days(crowd: Crowd) -> None:
    tokens = {GUILD: (await opened(crowd, await crowd.begin())).token}
    crowd.now += SESSION_VALID - timedelta(seconds=1)
    assert len(await crowd.services.page_access.sessions_of_tokens(tokens)) == 1
    crowd.later(seconds=1)
    assert await crowd.services.page_access.sessions_of_tokens(tokens) == []
