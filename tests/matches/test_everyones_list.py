"""The list of everyone's matches, asked of the database, holds what the policy of who may see a match says."""

from __future__ import annotations

from itertools import product

from bot.matches.model.policies.visibility import Viewer, Way, may_see
from bot.storage import blocks, match_lists, matches
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, YONMOQUE, Crowd

THREAD, ELSEWHERE = 4_001, 4_002


async def test_it_holds_what_the_policy_says(crowd: Crowd) -> None:
    match_id = await crowd.begin(by=ALICE, to=BOB, terms=YONMOQUE)
    for plays, sees_place, private, blocked in product((False, True), repeat=4):
        viewer = BOB if plays else CAROL
        async with crowd.database.write() as tx:
            await matches.change(tx, match_id, thread_id=THREAD, private=private)
            await blocks.put(tx, viewer.id, ALICE.id, blocked=blocked)
        async with crowd.database.read() as tx:
            listed = await match_lists.running_in(
                tx,
                GUILD,
                # Who cannot open a private thread may well see its channel.
                [CHANNEL] if sees_place or private else [ELSEWHERE],
                viewer.id,
                place_id=THREAD if sees_place else ELSEWHERE,
                limit=2,
            )
        facts = Viewer(plays=plays, sees_place=sees_place, private=private, blocks=blocked)
        assert [one.id for one in listed] == ([match_id] if may_see(Way.LIST, facts) else []), facts
