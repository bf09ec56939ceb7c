"""People who leave, are banned, come back or are called something else; many matches and many people at once."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from bot.matches.audit import audit
from bot.matches.record import read
from bot.storage.records import MatchState
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    cards,
    challenge_accepted,
    labels,
    play,
    text_of,
    told,
)
from tests.discord_flow.faults import cut_off
from tests.discord_flow.test_clocks import DAY, stored
from tests.discord_flow.test_lobby import three_playing

GONE = "the opponent left the server"
PATIENCE = 300.0
"""Seconds that a crowd may take, on any machine."""


def leave(town: Town, person: MemberActor) -> None:
    town.guild.remove_member(person)


def ban(town: Town, person: MemberActor) -> None:
    town.env.backend.apply_ban(town.guild.id, person.id, None)


def come_back(town: Town, person: MemberActor) -> None:
    town.env.backend.guilds[town.guild.id].bans.pop(person.id, None)
    town.guild.add_member(person.user)


async def claim(town: Town, person: MemberActor, place: int) -> str:
    return told(await person.slash(town.place(place), "match claim"))


@pytest.mark.parametrize("vanish", [leave, ban])
@pytest.mark.parametrize("pace", [0, 3 * DAY])
async def test_the_win_over_somebody_who_is_gone_can_be_claimed_at_once(town: Town, vanish: object, pace: int) -> None:
    thread = await challenge_accepted(town, pace=pace)
    await play(town, thread, "c3")
    assert callable(vanish)
    vanish(town, town.bob)
    assert "granted" in await claim(town, town.alice, thread)
    match = await stored(town)
    assert (match.state, match.reason, match.seats[0].won) == (MatchState.OVER, GONE, True)
    assert GONE in text_of(board_of(town, thread))
    assert await audit(town.bot.host.services.context.database) == []


async def test_somebody_who_is_gone_is_not_hurried_while_the_other_is_to_move(town: Town) -> None:
    thread = await challenge_accepted(town)
    leave(town, town.bob)
    assert "It is your own turn" in await claim(town, town.alice, thread)
    await play(town, thread, "c3")
    assert "granted" in await claim(town, town.alice, thread)


async def test_somebody_who_came_back_before_the_claim_plays_on(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3")
    ban(town, town.bob)
    come_back(town, town.bob)
    assert "still has time" in await claim(town, town.alice, thread)
    await play(town, thread, "c2", begin=1)
    assert (await stored(town)).ply == 2


async def test_not_knowing_whether_somebody_is_here_is_no_reason_to_lose(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3")
    town.env.inject_error("GET", f"/guilds/*/members/{town.bob.id}", status=500, times=None)
    assert "still has time" in await claim(town, town.alice, thread)
    town.env.backend.faults.clear()
    with cut_off(f"/guilds/*/members/{town.bob.id}"):
        assert "still has time" in await claim(town, town.alice, thread)
    assert (await stored(town)).state is MatchState.RUNNING


async def test_of_three_the_one_who_is_gone_drops_out_and_the_others_play_on(town: Town) -> None:
    thread = await three_playing(town)
    leave(town, town.alice)
    assert "granted" in await claim(town, town.carol, thread)
    match = await stored(town)
    assert [seat.dropped for seat in match.seats] == [True, False, False]
    assert [seat.person.id for seat in match.movers] == [town.bob.id]


async def test_a_move_cannot_be_taken_back_past_somebody_who_has_left_since(town: Town) -> None:
    thread = await three_playing(town)
    place = town.place(thread)
    await town.alice.slash(place, "move", move="a1-b2")
    question = answer(await town.bob.slash(place, "match resign"))
    await town.bob.click(question, label="Yes, resign")
    await town.alice.slash(place, "match takeback")
    request = board_of(town, thread)
    if "Accept" in labels(request):
        await town.carol.click(request, label="Accept")
        for _ in range(2):
            mover = (await stored(town)).movers[0]
            person = next(one for one in (town.alice, town.carol) if one.id == mover.person.id)
            moves = await person.autocomplete(place, "move", "move", "")
            await person.slash(place, "move", move=moves[0]["value"])
    match = await stored(town)
    assert not any(seat.dropped for seat in match.movers)
    assert await audit(town.bot.host.services.context.database) == []


async def test_who_is_renamed_is_called_by_the_new_name_from_the_next_move_on(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3", "c2")
    town.env.backend.edit_member(town.guild.id, town.alice.id, {"nick": "Ada"})
    assert "Alice played **c3**" in "\n".join(text_of(message) for message in town.messages(thread))
    await play(town, thread, "e5")
    board = board_of(town, thread)
    assert "Last move: Ada puts e5" in text_of(board)
    assert "Ada" in alternative_text(board)
    assert "Alice" not in alternative_text(board)
    listed = told(await town.bob.slash(town.place(thread), "board"))
    assert "Ada (Blue) – Bob (White)" in listed


def alternative_text(message: discord.Message) -> str:
    """Return what the pictures of a message show, in words."""
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    galleries = [item for item in view.walk_children() if isinstance(item, discord.ui.MediaGallery)]
    return "\n".join(picture.description or "" for gallery in galleries for picture in gallery.items)


TURNING = {"\N{RIGHT-TO-LEFT OVERRIDE}", "\N{LEFT-TO-RIGHT ISOLATE}"}
"""Two of the characters by which a name could turn the whole line it stands in round."""
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


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
async def test_whatever_somebody_is_called_a_whole_match_is_played_and_shown(town: Town, name: str) -> None:
    dora = town.guild.add_member(town.env.create_user("dora", global_name=name))
    await dora.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob, first="challenger")
    card = cards(town)[-1]
    await town.bob.click(card, label="Accept")
    place = town.place(card.id)
    assert len(place.name or "") <= 100
    for ply, move in enumerate(FINISHED):
        await (dora, town.bob)[ply % 2].slash(place, "move", move=move)
    assert len(boards(town, card.id)) == len(FINISHED) + 1
    for command in ("board", "match replay", "profile", "leaderboard"):
        answer(await dora.slash(place, command, **({"match": 1} if command[0] in "bm" else {})))
    shown = answer(await town.bob.slash(place, "board", match=1, text=True))
    said = "\n".join(text_of(message) for message in (*town.messages(place), shown.message) if message.components)
    assert not TURNING & set(said + str(place.name))
    assert said.count("\N{FIRST STRONG ISOLATE}") == said.count("\N{POP DIRECTIONAL ISOLATE}")
    assert ("\N{FIRST STRONG ISOLATE}" in said) == (name == NAMES["right-to-left"])
    exported = answer(await town.carol.slash(place, "match export", match=1)).attachments[0]
    record = read((await exported.read()).decode())
    assert [move.text for move in record.played] == list(FINISHED)
    assert record.people[0].name == " ".join("".join(letter for letter in name if letter not in TURNING).split())


async def test_fifty_matches_run_at_once_and_the_fifty_first_is_refused(town: Town) -> None:
    town.env.settle_timeout = PATIENCE
    for _ in range(5):
        await _ten_matches(town)
    refused = await town.alice.slash(town.channel, "challenge", game="yonmoque")
    assert "You have 50 matches running in this server, which is the limit" in told(refused)
    shown = told(await town.alice.slash(town.channel, "matches"))
    assert shown.count("your turn") >= 10
    more = [line for line in shown.splitlines() if line.startswith("…")]
    assert int(more[0].split()[2]) + shown.count("your turn") == 50
    for number in (1, 25, 50):
        match = await stored(town, number)
        await town.alice.slash(town.place(match.place_id), "move", move="c3")
        assert (await stored(town, number)).ply == 1
        assert len(boards(town, match.place_id)) == 2
    ambiguous = await town.alice.slash(town.channel, "move", move="c3")
    assert "Several matches could be meant" in told(ambiguous)
    suggested = await town.alice.autocomplete(town.channel, "move", "match", "")
    assert len(suggested) == 25


async def _ten_matches(town: Town) -> None:
    """Have Alice challenge anyone ten times, and Bob accept every time; she begins in all of them."""
    terms = {"game": "yonmoque", "first": "challenger"}
    await at_once(town, *(town.alice.slash(town.channel, "challenge", **terms) for _ in range(10)))
    await at_once(town, *(town.bob.click(card, label="Accept") for card in cards(town)[-10:]))
    await town.env.advance_time(60)


async def test_of_a_hundred_people_who_press_join_at_once_as_many_play_as_there_are_seats(town: Town) -> None:
    crowd = [town.guild.add_member(town.env.create_user(f"person{number}")) for number in range(100)]
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=6, variant="8x8", first="challenger")
    card = cards(town)[-1]
    clicks = await at_once(town, *(person.click(card, label="Join") for person in crowd))
    match = await stored(town)
    seated = {seat.person.id for seat in match.seats}
    assert len(match.seats) == len(seated) == 6
    assert seated <= {town.alice.id, *(person.id for person in crowd)}
    refusals = [told(click).strip() for click in clicks]
    assert refusals.count("") == 5
    assert refusals.count("This challenge was taken up already: the match is on.") == 95
    assert len(boards(town, card.id)) == 1
    assert "Accepted" in text_of(cards(town)[-1])


async def test_a_hundred_challenges_accepted_at_once_become_a_hundred_matches_in_a_hundred_threads(town: Town) -> None:
    town.env.settle_timeout = PATIENCE
    crowd = [town.guild.add_member(town.env.create_user(f"person{number}")) for number in range(200)]
    terms = {"game": "yonmoque", "first": "challenger"}
    await at_once(town, *(person.slash(town.channel, "challenge", **terms) for person in crowd[:100]))
    posted = cards(town)
    clicks = await at_once(
        town, *(person.click(card, label="Accept") for person, card in zip(crowd[100:], posted, strict=True))
    )
    assert [told(click) for click in clicks] == [""] * 100
    begun = [await stored(town, number) for number in range(1, 101)]
    assert {match.seats[1].person.id for match in begun} == {person.id for person in crowd[100:]}
    assert {match.thread_id for match in begun} == {card.id for card in posted}
    assert all(len(boards(town, card.id)) == 1 for card in posted)
