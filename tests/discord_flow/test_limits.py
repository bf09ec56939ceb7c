"""Everything the bot shows stays within Discord's limits, in every game there is."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from bot.contract.cases import CASES, Case, pick, samples
from bot.games import GAMES
from bot.games.game import Position
from bot.games.guides import guide
from bot.matches.model.game_state import GameState
from bot.matches.services.match_queries import MatchView
from bot.messages import board, drawing, pictures
from bot.operation.checks import command_problems
from bot.storage.records import Person
from tests.matches.policies.facts import MATCH, seated
from tests.support.acting import answer, board_of, boards, build, cards, text_of, told
from tests.support.message_bodies import TEXT
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord


async def test_the_commands_are_within_discords_limits(sim: SimulatedDiscord) -> None:
    payloads = [command.to_dict(sim.bot.tree) for command in sim.bot.tree.get_commands()]
    assert list(command_problems(payloads)) == []
    assert {payload["name"] for payload in payloads} >= {"challenge", "move", "board", "matches", "match", "games"}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "Bad Name"}, "Bad Name: bad name"),
        ({"name": "x" * 33}, f"{'x' * 33}: bad name"),
        ({"description": ""}, "fine: description of 0 characters"),
        ({"description": "x" * 101}, "fine: description of 101 characters"),
        ({"options": [{"name": "o", "description": "x" * 101}]}, "fine o: description of 101 characters"),
        ({"options": [{"name": f"o{at}", "description": "d"} for at in range(26)]}, "fine: more than 25 options"),
        ({"choices": [{"name": "c", "value": "c"}] * 26}, "fine: more than 25 choices"),
        ({"choices": [{"name": "c" * 101, "value": "c"}]}, f"fine: choice {'c' * 101!r} is too long"),
    ],
)
def test_a_command_beyond_a_limit_is_named(changes: dict[str, Any], problem: str) -> None:
    assert list(command_problems([{"name": "fine", "description": "fine"} | changes])) == [problem]


def match_view(case: Case, position: Position) -> MatchView:
    """Return a match with high numbers and long names at a position."""
    match = replace(
        MATCH,
        id=99_999_999,
        game=case.game.key,
        variant=case.variant.key,
        ply=9999,
        to_move=position.to_move or 0,
        seats=seated(*(Person(10**18 + seat, "_" * 32) for seat in range(case.players))),
    )
    return MatchView(match, GameState(9999, case.players, position), {})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_text_boards_and_alternative_texts_are_within_discords_limits_in_every_game(case: Case) -> None:
    for ply in samples(case):
        shown = match_view(case, ply.position)
        look = pictures.perspective(shown.match, 0)
        assert len(drawing.letters(shown.game_state, look)) + len(board.text(shown)) <= TEXT - 200
        described = pictures._picture((b"", drawing.description(shown.game_state, look)))
        assert 1 <= len(described.description) <= pictures.DESCRIPTION_LIMIT


@pytest.mark.own_bot
async def test_the_pages_of_every_guide_are_within_discords_limits(sim: SimulatedDiscord) -> None:
    for key, game in GAMES.items():
        await sim.env.advance_time(60)
        rules = answer(await sim.alice.slash(sim.channel, "games", game=key))
        for page, following in zip_longest(guide(game), guide(game)[1:]):
            assert page.title in text_of(rules.message)
            if following is not None:
                await sim.alice.click(rules, label=following.title if following.aside else "Next →")


@pytest.mark.parametrize("key", sampled(GAMES, every=6))
async def test_a_match_of_every_game_is_played_by_builder_within_discords_limits(
    sim: SimulatedDiscord, key: str
) -> None:
    random = Random(5)
    await sim.alice.slash(sim.channel, "challenge", game=key, opponent=sim.bob, first="challenger", players=2)
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Accept")
    position = GAMES[key].start(2, **GAMES[key].variants[0].options)
    while (ready := position.ready_made()) is not None:
        position = position.play(ready)
    for ply in range(5):
        move = pick(position, random)
        mover = sim.alice if position.to_move == 0 else sim.bob
        builder = answer(await mover.click(board_of(sim, card.id), label="Play"))
        await build(mover, builder, str(move))
        said = text_of(builder.message).strip().split("\n")[0]
        assert said in (f"You played **{move}**.", "Your move is played."), ply
        position = position.play(move)
    assert len(boards(sim, card.id)) == 6
    as_text = told(await sim.alice.slash(sim.place(card.id), "board", text=True))
    assert 10 < len(as_text) <= TEXT
