"""People who leave, are banned, come back or change their names; many matches and many people at once."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from bot.matches.audit import audit
from bot.matches.model.match_record import read
from bot.storage.records import MatchState
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    cards,
    challenge_accepted,
    play,
    slash,
    text_of,
    three_playing,
    told,
)
from tests.support.faults import cut_off
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, stored

GONE = "the opponent left the server"


def leave(sim: SimulatedDiscord, person: MemberActor) -> None:
    sim.guild.remove_member(person)


def ban(sim: SimulatedDiscord, person: MemberActor) -> None:
    sim.env.backend.apply_ban(sim.guild.id, person.id, None)


def come_back(sim: SimulatedDiscord, person: MemberActor) -> None:
    sim.env.backend.guilds[sim.guild.id].bans.pop(person.id, None)
    sim.guild.add_member(person.user)


async def claim(sim: SimulatedDiscord, person: MemberActor, place: int) -> str:
    return told(await person.slash(sim.place(place), "match", action="claim"))


@pytest.mark.parametrize("vanish", [leave, ban])
@pytest.mark.parametrize("pace", sampled([3 * DAY, 0], every=2))
async def test_the_win_over_somebody_who_is_gone_can_be_claimed_at_once(
    sim: SimulatedDiscord, vanish: object, pace: int
) -> None:
    thread = await challenge_accepted(sim, pace=pace)
    assert callable(vanish)
    vanish(sim, sim.bob)
    assert "It's your own turn" in await claim(sim, sim.alice, thread), "nobody is hurried"
    await play(sim, thread, "c3")
    assert "You won." in await claim(sim, sim.alice, thread)
    match = await stored(sim)
    assert (match.state, match.reason, match.seats[0].won) == (MatchState.OVER, GONE, True)
    assert GONE in text_of(board_of(sim, thread))
    assert await audit(sim.bot.context.services.database) == []


async def test_somebody_who_came_back_before_the_claim_plays_on(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    ban(sim, sim.bob)
    come_back(sim, sim.bob)
    assert "still has time" in await claim(sim, sim.alice, thread)
    await play(sim, thread, "c2", begin=1)
    assert (await stored(sim)).ply == 2


async def test_not_knowing_whether_somebody_is_here_is_no_reason_to_lose(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    sim.env.inject_error("GET", f"/guilds/*/members/{sim.bob.id}", status=500, times=None)
    assert "still has time" in await claim(sim, sim.alice, thread)
    sim.env.backend.faults.clear()
    with cut_off(f"/guilds/*/members/{sim.bob.id}"):
        assert "still has time" in await claim(sim, sim.alice, thread)
    assert (await stored(sim)).state is MatchState.RUNNING


async def test_of_three_the_one_who_is_gone_drops_out_and_the_others_play_on(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    leave(sim, sim.alice)
    assert "out of the game" in await claim(sim, sim.carol, thread)
    match = await stored(sim)
    assert [seat.dropped for seat in match.seats] == [True, False, False]
    assert match.mover.person.id == sim.bob.id


async def test_who_is_renamed_is_called_by_the_new_name_from_the_next_move_on(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3", "c2")
    sim.env.backend.edit_member(sim.guild.id, sim.alice.id, {"nick": "Ada"})
    assert "Alice played **c3**" in "\n".join(text_of(message) for message in sim.messages(thread))
    await play(sim, thread, "e5")
    board = board_of(sim, thread)
    assert "Last move: Ada places a piece on e5" in text_of(board)
    assert "Ada" in alternative_text(board)
    assert "Alice" not in alternative_text(board)
    listed = told(await sim.bob.slash(sim.place(thread), "board"))
    assert "Ada (Blue) – Bob (White)" in listed


def alternative_text(message: discord.Message) -> str:
    """Return what the pictures of a message show, in words."""
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    galleries = [item for item in view.walk_children() if isinstance(item, discord.ui.MediaGallery)]
    return "\n".join(picture.description or "" for gallery in galleries for picture in gallery.items)


TURNING = {"\N{RIGHT-TO-LEFT OVERRIDE}", "\N{LEFT-TO-RIGHT ISOLATE}"}
"""Two of the characters by which a name could reverse the whole line it stands in."""
NAMES = {
    "right-to-left": "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} \N{ARABIC LETTER ALEF}\N{ARABIC LETTER BEH}",
    "turned round": "\N{RIGHT-TO-LEFT OVERRIDE}dab ma I\N{LEFT-TO-RIGHT ISOLATE}",
    "emoji": "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}\U0001f1ee\U0001f1f9",
    "32 characters": "W" * 32,
    "32 marks": "*_~`|>[]()<@#!&:-\"'.,;{}\\/^%$=+?",
    "mention": "@everyone @here <@&5> <#6>",
    "accents": "e" + "\N{COMBINING ACUTE ACCENT}" * 31,
    "not drawn": "\N{TIBETAN MARK INTERSYLLABIC TSHEG}\N{OLD ITALIC LETTER A}\N{ZERO WIDTH SPACE}",
    "record": '"] [Result "1"] {x}',
}


@pytest.mark.own_bot
@pytest.mark.parametrize("name", sampled(NAMES.values(), every=12, ids=NAMES))
async def test_whatever_somebody_is_called_a_whole_match_is_played_and_shown(sim: SimulatedDiscord, name: str) -> None:
    dora = sim.guild.add_member(sim.env.create_user("dora", global_name=name))
    await dora.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")
    card = cards(sim)[-1]
    await sim.bob.click(card, label="Accept")
    place = sim.place(card.id)
    assert len(place.name or "") <= 100
    for ply, move in enumerate(FINISHED):
        await (dora, sim.bob)[ply % 2].slash(place, "move", move=move)
    assert len(boards(sim, card.id)) == len(FINISHED) + 1
    for command in ("board", "match replay", "profile", "leaderboard"):
        answer(await slash(dora, place, command, **({"match": 1} if command[0] in "bm" else {})))
    shown = answer(await sim.bob.slash(place, "board", match=1, text=True))
    said = "\n".join(text_of(message) for message in (*sim.messages(place), shown.message) if message.components)
    assert not TURNING & set(said + str(place.name))
    assert said.count("\N{FIRST STRONG ISOLATE}") == said.count("\N{POP DIRECTIONAL ISOLATE}")
    assert ("\N{FIRST STRONG ISOLATE}" in said) == (name == NAMES["right-to-left"])
    exported = answer(await sim.carol.slash(place, "match", action="export", match=1)).attachments[0]
    record = read((await exported.read()).decode())
    assert [move.text for move in record.played] == list(FINISHED)
    assert record.people[0].name == " ".join("".join(letter for letter in name if letter not in TURNING).split())
