"""Situations in which a control can be pressed: functions that lead a simulated Discord there, as people would."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simcord.actors import MemberActor
from sqlalchemy import func, select

from bot.matches.model.actor import Actor
from bot.storage import tables
from bot.storage.contest_states import CupState, PairingState
from bot.storage.guilds import GuildSettings
from bot.storage.records import Person
from tests.support.acting import (
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    itself,
    play,
    pressed,
    resign,
    share,
)
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import DAY, with_number

LEVEL_CHOSEN = "computer-level:1:yonmoque:{outbox_message}"


async def alice_blocked(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "block", person=sim.alice)


async def alice_barred(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.bars.bar(sim.guild.id, sim.alice.id)


async def last_ids(sim: SimulatedDiscord) -> dict[str, int]:
    """Return the newest number of everything that has one."""
    numbered = {
        "challenge": tables.challenges,
        "match": tables.matches,
        "offer": tables.offers,
        "outbox_message": tables.outbox,
        "attempt": tables.puzzle_attempts,
        "cup": tables.cups,
        "share": tables.shares,
    }
    async with sim.bot.context.services.database.read() as tx:
        return {
            name: int((await tx.execute(select(func.coalesce(func.max(table.c.id), 0)))).scalar_one())
            for name, table in numbered.items()
        }


async def _thread(sim: SimulatedDiscord) -> int:
    return (await with_number(sim, (await last_ids(sim))["match"])).place_id


async def _in_match(sim: SimulatedDiscord, who: str, command: str, **options: Any) -> None:
    match_id = (await last_ids(sim))["match"]
    await getattr(sim, who).slash(sim.place(await _thread(sim)), command, match=match_id, **options)


async def nothing(_town: SimulatedDiscord) -> None:
    pass


async def accepted(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim, pace=DAY)


async def idle(sim: SimulatedDiscord) -> None:
    """Let a match without a pace lie for so long that each player may close it."""
    await challenge_accepted(sim, pace=0)
    await sim.env.advance_time(61 * DAY)


async def planned(sim: SimulatedDiscord) -> None:
    """Let Alice plan a reply after the move that she is about to make."""
    await accepted(sim)
    await _in_match(sim, "alice", "match", plan="c3, d4, e5")


async def set_up(sim: SimulatedDiscord) -> None:
    """Begin a match in which ready-made set-ups are taken without asking, as always against a low level."""
    await sim.alice.slash(sim.channel, "challenge", game="gyges", opponent=itself(sim), level=1, first="challenger")


async def moved_after_set_up(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "alice", "move", move="a1-b3")


async def managed(sim: SimulatedDiscord) -> None:
    """Let Alice manage a server in which others play."""
    await sim.bob.slash(
        sim.channel, "challenge", game="yonmoque", opponent=sim.carol, first="challenger", pace=str(DAY)
    )
    await sim.carol.click(cards(sim)[-1], label="Accept")
    give_management(sim, sim.alice)


async def cup_open(sim: SimulatedDiscord, **options: Any) -> None:
    """Let Alice start a cup for three that she does not manage."""
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda _: GuildSettings(cups=True))
    await sim.alice.slash(sim.channel, "cup", **({"game": "yonmoque", "players": 3} | options))


async def cup_joined(sim: SimulatedDiscord) -> None:
    await cup_open(sim)
    await _join_cup(sim, sim.bob)


async def cup_with_enough(sim: SimulatedDiscord) -> None:
    await cup_open(sim, begins="button")
    await _join_cup(sim, sim.bob)
    await _join_cup(sim, _dave(sim))


async def cup_running(sim: SimulatedDiscord) -> None:
    await cup_joined(sim)
    await _join_cup(sim, _dave(sim))


async def cup_managed(sim: SimulatedDiscord) -> None:
    await cup_running(sim)
    give_management(sim, sim.alice)


async def cup_over(sim: SimulatedDiscord) -> None:
    await cup_running(sim)
    services, cup_id = sim.bot.context.services, (await last_ids(sim))["cup"]
    while (view := await services.cup_queries.view(sim.guild.id, cup_id)).cup.state is CupState.RUNNING:
        assert view.table is not None
        for pairing in view.table.pairings:
            if pairing.state is PairingState.RUNNING and pairing.match_id is not None:
                # Else the board of a match may be posted before it ends, or not at all.
                await sim.env.settle()
                await services.forfeits.give_up(pairing.match_id, 0)
    await sim.env.settle()


async def cup_closed(sim: SimulatedDiscord) -> None:
    cup_id = (await last_ids(sim))["cup"]
    await sim.bot.context.services.cups.close(_manager(sim, cup_id), cup_id)
    await sim.env.settle()


async def bob_left_cup(sim: SimulatedDiscord) -> None:
    cup_id = (await last_ids(sim))["cup"]
    await sim.bot.context.services.cups.remove(_manager(sim, cup_id), cup_id, sim.bob.id)
    await sim.env.settle()


async def cup_again(sim: SimulatedDiscord) -> None:
    cup_id = (await last_ids(sim))["cup"]
    await sim.bot.context.services.cups.again(_manager(sim, cup_id), cup_id)
    await sim.env.settle()


def _manager(sim: SimulatedDiscord, cup_id: int) -> Actor:
    """Return Bob, as one who manages the server, in an interaction that no other situation uses."""
    return Actor(
        sim.guild.id, Person(sim.bob.id, "Bob"), 10**12 + cup_id, sim.env.now(), sim.channel.id, can_manage_server=True
    )


async def _join_cup(sim: SimulatedDiscord, member: MemberActor) -> None:
    person, cup_id = Person(member.id, member.name.title()), (await last_ids(sim))["cup"]
    await sim.bot.context.services.cups.join(
        Actor(sim.guild.id, person, 10**6 * cup_id + member.id % 10**6, sim.env.now(), sim.channel.id), cup_id
    )
    await sim.env.settle()


def _dave(sim: SimulatedDiscord) -> MemberActor:
    """Return a fourth person."""
    if not sim.more:
        sim.more = (sim.guild.add_member(sim.env.create_user("dave", global_name="Dave")),)
    return sim.more[0]


async def voided(sim: SimulatedDiscord) -> None:
    await accepted(sim)
    await void(sim)


async def void(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.voiding.void(None, (await last_ids(sim))["match"])


async def first_move(sim: SimulatedDiscord) -> None:
    await accepted(sim)
    await _in_match(sim, "alice", "move", move="a1")


async def second_move(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "bob", "move", move="a5")


async def other_move(sim: SimulatedDiscord) -> None:
    await _in_match(sim, "alice", "move", move="e5")


async def two_moves(sim: SimulatedDiscord) -> None:
    """Have the opponent move, too: an offer stands until they do."""
    await other_move(sim)
    await _in_match(sim, "bob", "move", move="a1")


async def draw_offered(sim: SimulatedDiscord) -> None:
    await accepted(sim)
    await _in_match(sim, "alice", "match", action="draw")


async def takeback_asked(sim: SimulatedDiscord) -> None:
    await first_move(sim)
    await _in_match(sim, "alice", "match", action="takeback")


async def time_up(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.server_settings.change(sim.guild.id, lambda before: replace(before, grace=False))
    await accepted(sim)
    await sim.env.advance_time(DAY + 60)


async def resigned(sim: SimulatedDiscord) -> None:
    match_id = (await last_ids(sim))["match"]
    await resign(sim.bob, sim.channel, match=match_id)


async def over(sim: SimulatedDiscord) -> None:
    await accepted(sim)
    await resigned(sim)


async def replay_shared(sim: SimulatedDiscord) -> None:
    await over(sim)
    replay = answer(await sim.alice.slash(sim.channel, "match", action="replay", match=(await last_ids(sim))["match"]))
    await share(sim.alice, replay)


async def noted(sim: SimulatedDiscord) -> None:
    await over(sim)
    await sim.alice.slash(sim.channel, "match", note="!?", match=(await last_ids(sim))["match"])


async def notes_shared(sim: SimulatedDiscord) -> None:
    await noted(sim)
    match_id = (await last_ids(sim))["match"]
    listed = answer(await sim.alice.slash(sim.channel, "match", action="notes", match=match_id))
    await pressed(sim, sim.alice, listed, f"share-post:notes:{match_id}")


async def puzzle_shared(sim: SimulatedDiscord) -> None:
    await puzzle(sim)
    await solved(sim, (await last_ids(sim))["attempt"])
    shown = answer(await sim.alice.slash(sim.channel, "help"))
    await pressed(sim, sim.alice, shown, "puzzle:share:{attempt}".format(**await last_ids(sim)))


async def ladder_joined(sim: SimulatedDiscord) -> None:
    await sim.alice.click(answer(await sim.alice.slash(sim.channel, "ladder")), label="Join the ladder")


async def rematch_offered(sim: SimulatedDiscord) -> None:
    await over(sim)
    await sim.alice.click(board_of(sim, await _thread(sim)), label="Rematch")


async def rematch_begun(sim: SimulatedDiscord) -> None:
    await sim.bob.click(cards(sim)[-1], label="Accept")


async def rematch_asked_and_begun(sim: SimulatedDiscord) -> None:
    await sim.alice.click(board_of(sim, await _thread(sim)), label="Rematch")
    await rematch_begun(sim)


async def challenged(sim: SimulatedDiscord) -> None:
    await challenge(sim)


async def lobby(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", players=3, first="challenger")


async def bob_joined(sim: SimulatedDiscord) -> None:
    await lobby(sim)
    await sim.bob.click(cards(sim)[-1], label="Join")


async def called_off(sim: SimulatedDiscord) -> None:
    await sim.alice.click(cards(sim)[-1], label="Cancel")


async def taken_up(sim: SimulatedDiscord) -> None:
    await sim.bob.click(cards(sim)[-1], label="Accept")


async def finished(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5")


async def open_challenge(sim: SimulatedDiscord) -> None:
    await challenge(sim, opponent=None)


async def computer_seated(sim: SimulatedDiscord) -> None:
    await lobby(sim)
    menu = answer(await sim.alice.click(cards(sim)[-1], label="Add the bot"))
    await sim.alice.click(menu, label="Add level 1")


async def level_chosen(sim: SimulatedDiscord) -> None:
    message = answer(await sim.alice.slash(sim.channel, "help"))
    await pressed(sim, sim.alice, message, LEVEL_CHOSEN.format(**await last_ids(sim)))


async def against_computer(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="challenger")


async def puzzle(sim: SimulatedDiscord) -> None:
    attempts = tables.puzzle_attempts
    async with sim.bot.context.services.database.read() as tx:
        tried = await tx.execute(select(attempts.c.id).where(attempts.c.user_id == sim.alice.id))
    if tried.first() is not None:
        await given_up(sim)
    await sim.alice.slash(sim.channel, "puzzle", game="rectangles")


async def solved(sim: SimulatedDiscord, attempt_id: int) -> None:
    """Solve a puzzle for Alice."""
    puzzles = sim.bot.context.services.puzzles
    solution = (await puzzles.view(sim.alice.id, attempt_id)).puzzle.solution
    for ply, move in list(enumerate(solution))[::2]:
        await puzzles.try_move(sim.alice.id, attempt_id, ply, move, attempt_id * 100 + ply)


async def given_up(sim: SimulatedDiscord) -> None:
    attempt_id = (await last_ids(sim))["attempt"]
    await sim.bot.context.services.puzzles.show(sim.alice.id, attempt_id, attempt_id)
