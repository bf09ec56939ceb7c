"""Matches between people where the bot has no access: in a group, or in a server without it. Each message is an answer.

The channel is closed to the bot, so whatever it posts there by its own token is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

import discord
import pytest
from simcord.actors import MemberActor

from bot.games.game import split_text
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import CLOSED
from bot.storage.records import MatchState, News
from bot.views import builder_ids, match_lists
from tests.discord_flow.test_news import preferred
from tests.support.acting import answer, labels, pressed, text_of, told
from tests.support.installed import FOREIGN, GROUP, asking_from
from tests.support.simulated_discord import SimulatedDiscord, deny
from tests.support.stored import DAY, with_number

pytestmark = pytest.mark.own_bot


@pytest.fixture(params=[GROUP, FOREIGN])
def outside(sim: SimulatedDiscord, request: pytest.FixtureRequest) -> Iterator[SimulatedDiscord]:
    """Give a place that the bot has no access to, where Alice has it installed."""
    deny(sim, sim.channel.id, view_channel=True)
    with asking_from(sim, request.param):
        yield sim


def newest(sim: SimulatedDiscord) -> discord.Message:
    return [message for message in sim.messages() if message.author.bot][-1]


async def begun(sim: SimulatedDiscord) -> discord.Message:
    """Have Alice challenge anybody there, and Bob accept; return the first board."""
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", first="challenger")
    await sim.bob.click(newest(sim), label="Accept")
    return newest(sim)


async def play(sim: SimulatedDiscord, person: MemberActor, *squares: str) -> None:
    """Have a person choose squares in the builder of the newest board, and play."""
    board = [message for message in sim.messages() if "Play" in labels(message)][-1]
    built = answer(await person.click(board, label="Play"))
    for square in squares:
        built = answer(await person.click(built, label=square))
    (plays,) = [label for label in labels(built.message) if label.startswith("Play ")]
    await person.click(built, label=plays)


async def asked(sim: SimulatedDiscord, action: str, label: str) -> None:
    """Have Alice move in a new match, and ask Bob for a draw or a take-back, by the command and its button."""
    await begun(sim)
    await play(sim, sim.alice, "a1")
    typed = answer(await sim.alice.slash(sim.channel, "match", action=action))
    await sim.alice.click(typed, label=label)


async def test_friends_play_a_match_by_answers_alone(outside: SimulatedDiscord) -> None:
    sim = outside
    board = await begun(sim)
    assert f"<@{sim.alice.id}> (Blue) to move." in text_of(board)
    assert len(sim.messages()) == 2
    await play(sim, sim.alice, "a1")
    assert f"<@{sim.bob.id}> (White) to move." in text_of(newest(sim))
    assert labels(sim.messages()[-2]) == []
    await play(sim, sim.bob, "a5")
    match = await with_number(sim, 1)
    assert (match.ply, match.guild_id, match.rated, match.pace) == (2, -sim.channel.id, False, None)
    assert match.board_message_id == newest(sim).id
    assert len(sim.messages()) == 4
    # Direct messages are opened only with those who play the bot in them.
    opened = [request for request in sim.env.backend.http_requests if request.path == "/users/@me/channels"]
    assert opened == []


async def test_a_challenge_is_for_one_other_person_and_ends_on_its_card(
    outside: SimulatedDiscord,
) -> None:
    sim = outside
    alice, bob = sim.alice, sim.bob
    await alice.slash(sim.channel, "challenge", game="redo", opponent=bob)
    card = newest(sim)
    assert labels(card) == ["Accept", "Decline", "Rules", "Cancel"]
    assert "This challenge is for somebody else." in told(await sim.carol.click(card, label="Accept"))
    assert "This is your own challenge" in told(await alice.click(card, label="Accept"))
    await bob.click(card, label="Decline")
    assert "Declined" in text_of(newest(sim))
    assert (len(sim.messages()), labels(newest(sim))) == (1, [])
    said = told(await alice.slash(sim.channel, "challenge", game="rectangles", players=3))
    assert "a match is for two people" in said
    assert len(sim.messages()) == 1


async def test_an_earlier_board_leads_to_the_newest(outside: SimulatedDiscord) -> None:
    sim = outside
    first = await begun(sim)
    await sim.env.advance_time(16 * 60)
    await play(sim, sim.alice, "a1")
    # Its token is no longer taken, so the first board keeps its controls.
    assert "Play" in labels(sim.messages()[-2])
    stale = answer(await sim.alice.click(first, label="Play"))
    assert labels(stale.message) == ["Post the board"]
    await sim.alice.click(stale, label="Post the board")
    assert "(White) to move." in text_of(newest(sim))
    assert labels(sim.messages()[-2]) == []


async def test_a_typed_move_is_shown_before_it_is_posted_and_posted_once(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    built = answer(await sim.alice.slash(sim.channel, "move", move="a1"))
    assert len(sim.messages()) == 2
    (plays,) = [label for label in labels(built.message) if label.startswith("Play ")]
    await sim.alice.click(built, label=plays)
    assert "(White) to move." in text_of(newest(sim))
    assert "That's done already." in told(await sim.alice.click(built, label=plays))
    assert len(sim.messages()) == 3


async def test_a_match_ends_and_goes_on_as_a_rematch(outside: SimulatedDiscord) -> None:
    sim = outside
    board = await begun(sim)
    more = answer(await sim.bob.click(board, label="More"))
    question = answer(await sim.bob.click(more, label="Resign"))
    await sim.bob.click(question, label="Yes, resign")
    result = newest(sim)
    assert "wins by resignation" in text_of(result)
    assert "Share" not in labels(answer(await sim.bob.click(result, label="Replay")).message)
    await sim.bob.click(result, label="Rematch")
    assert "asks for a rematch" in text_of(newest(sim))
    await sim.alice.click(newest(sim), label="Accept")
    assert (await with_number(sim, 2)).board_message_id == newest(sim).id
    said = told(await sim.bob.click(result, label="Rematch"))
    assert "There has already been a rematch" in said


async def test_a_draw_is_offered_and_agreed_by_answers(outside: SimulatedDiscord) -> None:
    sim = outside
    await asked(sim, "draw", "Offer a draw")
    assert "offers a draw" in text_of(newest(sim))
    await sim.bob.click(newest(sim), label="Decline")
    assert labels(newest(sim)) == []
    await play(sim, sim.bob, "a5")
    await sim.bob.click(answer(await sim.bob.click(newest(sim), label="More")), label="Offer a draw")
    await sim.alice.click(newest(sim), label="Accept")
    assert "A draw by agreement" in text_of(newest(sim))
    assert (await with_number(sim, 1)).state is MatchState.OVER


async def test_what_is_typed_there_is_suggested_for_the_match_there(outside: SimulatedDiscord) -> None:
    sim = outside
    await sim.alice.user.slash("play", game="redo", level=1)
    await begun(sim)
    moves = await sim.alice.autocomplete(sim.channel, "move", "move", "a")
    assert {"a1", "a5"} <= {choice["value"] for choice in moves}
    matches = await sim.alice.autocomplete(sim.channel, "match", "match", "")
    assert ["Yonmoque" in choice["name"] for choice in matches] == [True]


async def test_a_reply_is_planned_there_and_played(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    await play(sim, sim.alice, "a1")
    built = answer(await sim.alice.slash(sim.channel, "match", action="plan"))
    for square in ("a5", "e1"):
        built = answer(await sim.alice.click(built, label=square))
    assert "If **a5**, then **e1**" in text_of(built.message)
    await play(sim, sim.bob, "a5")
    assert (await with_number(sim, 1)).ply == 3


async def test_who_takes_no_direct_messages_is_not_told_of_turns_there_by_them(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    settings = sim.bot.context.services.personal_settings
    await settings.prefer(sim.bob.id, lambda before: replace(before, news=News.DIRECT))
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    await play(sim, sim.alice, "a1")
    assert await preferred(sim, sim.bob) is News.CHANNEL


async def test_a_set_up_that_is_changed_leads_to_its_board(outside: SimulatedDiscord) -> None:
    sim = outside
    await sim.alice.slash(sim.channel, "challenge", game="gyges", first="challenger")
    await sim.bob.click(newest(sim), label="Accept")
    built = answer(await sim.alice.click(newest(sim), label="Play"))
    changed = answer(await sim.alice.click(built, label="Change my set-up"))
    assert "on the new board" in text_of(changed.message)
    await sim.alice.click(changed, label="Post the board")
    built = answer(await sim.alice.click(newest(sim), label="Play"))
    assert labels(built.message)[:2] == ["Ready-made set-up", "Random set-up"]


async def test_a_puzzle_is_ones_own_whatever_match_has_its_number(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    shown = answer(await sim.alice.slash(sim.channel, "puzzle"))
    view = await sim.bot.context.services.puzzles.view(sim.alice.id, 1)
    for ply, move in list(enumerate(view.puzzle.solution))[::2]:
        custom_id = builder_ids.PUZZLE_BUILDER("play", view.attempt.id, ply, 0, split_text(move))
        solved = answer(await pressed(sim, sim.alice, shown, custom_id))
    assert any("puzzle" in label for label in labels(solved.message))
    assert "Share" not in labels(solved.message)


async def test_a_move_is_taken_back_by_answers(outside: SimulatedDiscord) -> None:
    sim = outside
    await asked(sim, "takeback", "Ask to take back")
    await sim.bob.click(newest(sim), label="Accept")
    assert f"<@{sim.alice.id}> (Blue) to move." in text_of(newest(sim))
    assert "has no clock" in told(await sim.bob.slash(sim.channel, "match", pace="86400"))


async def test_a_match_is_listed_elsewhere_and_closes_when_nobody_moves_for_long(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    assert "in a group, a chat or a server without me" in told(await sim.alice.user.slash("matches"))
    here = told(await sim.alice.slash(sim.channel, "matches"))
    assert "match 1 against" in here
    assert "in a group" not in here
    await sim.env.advance_time(84 * DAY)
    assert "if nobody moves" in told(await sim.alice.slash(sim.channel, "matches"))
    await sim.env.advance_time(6 * DAY)
    match = await with_number(sim, 1)
    assert (match.state, match.reason) == (MatchState.OVER, CLOSED)
    assert len(sim.messages()) == 2
    assert "no move for 90 days" in told(await sim.alice.slash(sim.channel, "board", match=1))
    assert "match 1** against" in told(await sim.alice.slash(sim.channel, "matches", finished=True))


async def test_the_next_page_of_finished_matches_is_of_the_same_place(
    outside: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = outside
    monkeypatch.setattr(match_lists, "PAGE", 1)
    for number in (1, 2):
        await begun(sim)
        await sim.bot.context.services.forfeits.give_up(number, 0)
        await sim.env.settle()
    listed = answer(await sim.alice.slash(sim.channel, "matches", finished=True))
    assert "match 2** against" in text_of(listed.message)
    await sim.alice.click(listed, label="Older →")
    assert "match 1** against" in text_of(listed.message)


async def test_help_says_how_a_friend_is_challenged_there(outside: SimulatedDiscord) -> None:
    said = told(await outside.alice.slash(outside.channel, "help"))
    assert "`/challenge` a friend here" in said
    assert "1. `/play` a game against me." in said
    assert "a friend here" not in told(await outside.alice.user.slash("help"))


async def test_where_answers_are_private_nothing_is_stored(
    outside: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = outside
    is_ephemeral = discord.InteractionCallbackResponse.is_ephemeral
    monkeypatch.setattr(discord.InteractionCallbackResponse, "is_ephemeral", lambda _response: True)
    said = told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert "Discord shows my answers to you alone" in said
    assert sim.messages() == []
    monkeypatch.setattr(discord.InteractionCallbackResponse, "is_ephemeral", is_ephemeral)
    await begun(sim)
    card = newest(sim)
    built = answer(await sim.alice.click(answer(await sim.alice.click(card, label="Play")), label="a1"))
    monkeypatch.setattr(discord.InteractionCallbackResponse, "is_ephemeral", lambda _response: True)
    said = told(await sim.alice.click(built, label=next(one for one in labels(built.message) if "Play " in one)))
    assert "Nothing was done" in said
    assert (await with_number(sim, 1)).ply == 0


async def test_a_card_that_could_not_lose_its_controls_says_what_has_become_of_it(outside: SimulatedDiscord) -> None:
    sim = outside
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque")
    card = newest(sim)
    await sim.env.advance_time(16 * 60)
    await sim.bob.click(card, label="Accept")
    assert "Accept" in labels(sim.messages()[0])
    assert "already been accepted" in told(await sim.carol.click(card, label="Accept"))
    assert len(sim.messages()) == 2


async def test_a_move_on_the_page_waits_until_its_board_is_asked_for(outside: SimulatedDiscord) -> None:
    sim = outside
    await begun(sim)
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    match = await with_number(sim, 1)
    actor = Actor(match.guild_id, match.seats[0].person, UUID(int=1), sim.env.now(), match.channel_id)
    await sim.bot.context.services.turns.play(actor, 1, 0, "a1")
    await sim.env.settle()
    assert len(sim.messages()) == 2
    (told_directly,) = sim.messages(sim.bob.user.dm_channel.id)
    assert "to move" in text_of(told_directly)
    board = answer(await sim.bob.slash(sim.channel, "board"))
    await sim.bob.click(board, label="Post the board")
    assert "(White) to move." in text_of(newest(sim))
    assert labels(sim.messages()[-2]) == []
