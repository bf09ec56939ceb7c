"""Random requests, doubled, replayed, stale and crossed, from windows and Discord at once: each ply is stored once."""

from __future__ import annotations

import asyncio
from random import Random
from uuid import uuid4

import pytest

from bot.matches.model.refusals import Refusal
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB
from tests.support.sampled import sampled
from tests.web.served import Served, served

__all__ = ["served"]
ROUND = 100
"""Requests of one case; a hundred cases make ten thousand."""


@pytest.mark.parametrize("seed", sampled(range(100), every=100))
async def test_no_ply_is_lost_and_none_is_doubled(served: Served, seed: int) -> None:
    random, crowd = Random(seed), served.crowd
    match, sent = await crowd.begin(), list[tuple[Person, int, str, str]]()
    windows = {who.id: [await served.browser().sign_in(who, match) for _ in range(2)] for who in (ALICE, BOB)}
    done = 0
    while done < ROUND:
        stored = await crowd.match(match)
        if not stored.movers:
            match, sent = await crowd.begin(), []
            continue
        served.seconds += 1000
        mover = next(seat.person for seat in stored.movers)
        state = (await crowd.services.queries.match_view(10, match)).game_state
        assert state.position is not None
        text, second = random.sample([str(move) for move in state.position.legal_moves() if "-" not in str(move)], 2)
        fresh = (mover, stored.ply, text, str(uuid4()))
        crossed = (mover, stored.ply, second, str(uuid4()))
        other = (BOB if mover == ALICE else ALICE, stored.ply, text, str(uuid4()))
        wanted = [fresh, fresh, crossed, other, *random.sample(sent, min(2, len(sent)))]
        random.shuffle(wanted)
        sent.append(fresh)

        async def page(who: Person, ply: int, move: str, request: str, match: int = match) -> bool:
            window = random.choice(windows[who.id])
            answer = await window.move(move, ply=ply, match=match, request=request, confirmed=True)
            return answer["came"] == "done" and "played" in answer

        async def discord(who: Person, ply: int, move: str, match: int = match) -> bool:
            try:
                await crowd.services.turns.play(crowd.request(match, who, ply), move)
            except Refusal:
                return False
            return True

        came = await asyncio.gather(*(page(*one) for one in wanted), discord(mover, stored.ply, second))
        done += len(came)
        after = await crowd.match(match)
        entries = await crowd.moves(match)
        assert len(entries) == after.ply == stored.ply + 1
        texts = [*(move for _who, _ply, move, _request in wanted), second]
        plies = [*(ply for _who, ply, _move, _request in wanted), stored.ply]
        told = {move for move, ply, yes in zip(texts, plies, came, strict=True) if yes and ply == stored.ply}
        assert told == {entries[-1].text}
        if after.ply >= 10:
            match, sent = await crowd.begin(), []
