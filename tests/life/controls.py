"""Every control there is, in a situation in which it can be pressed: a table that a new control has to be entered in.

A control is a class and its verbs; ``custom_id`` is filled in with the numbers of the situation it is pressed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from bot.cogs.personal import PrivacyButton
from bot.storage import tables
from bot.views.challenge_card import ChallengeButton, RematchButton, RulesButton
from bot.views.controls import Choice, Control
from bot.views.match_board import ExportButton, LookButton, MoreButton, PlayButton, ReplayButton, ResignButton
from bot.views.move_builder import BuilderButton, BuilderChoice, BuilderPage
from bot.views.offers import AskButton, ClaimButton, OfferButton
from bot.views.rules_pages import RulesPageButton, RulesPageChoice
from bot.views.standings import LeaderboardButton
from tests.conftest import Town
from tests.discord_flow.acting import answer, board_of, cards, challenge, challenge_accepted, play
from tests.discord_flow.test_clocks import DAY, stored

Part = Callable[[Town], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Case:
    """A control somebody may press.

    ``before`` leads to the situation; ``of`` is what another server must not get at by it. Controls that change
    something have an ``overtaken``: what makes them come too late. ``anybody`` may press what is not for one person.
    """

    control: type[Control] | type[Choice]
    custom_id: str
    before: Part
    who: str = "alice"
    of: str | None = "match"
    overtaken: Part | None = None
    anybody: bool = False
    choice: str | None = None

    def __str__(self) -> str:
        return self.custom_id.split("{")[0].strip(":") + f" after {self.before.__name__.strip('_')}"


async def last_ids(town: Town) -> dict[str, int]:
    """Return the newest number of everything that has one."""
    numbered = {
        "challenge": tables.challenges,
        "match": tables.matches,
        "offer": tables.offers,
        "errand": tables.outbox,
    }
    async with town.bot.host.services.context.database.read() as tx:
        return {
            name: int((await tx.execute(select(func.coalesce(func.max(table.c.id), 0)))).scalar_one())
            for name, table in numbered.items()
        }


async def custom_id(town: Town, case: Case) -> str:
    """Return the id of a control in the situation the town is in now."""
    numbers: dict[str, Any] = await last_ids(town)
    numbers["ply"] = (await stored(town, numbers["match"])).ply if numbers["match"] else 0
    return case.custom_id.format(**numbers)


async def _thread(town: Town) -> int:
    return (await stored(town, (await last_ids(town))["match"])).place_id


async def _in_match(town: Town, who: str, command: str, **options: Any) -> None:
    match_id = (await last_ids(town))["match"]
    await getattr(town, who).slash(town.place(await _thread(town)), command, match=match_id, **options)


async def _nothing(_town: Town) -> None:
    pass


async def _accepted(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)


async def _first_move(town: Town) -> None:
    await _accepted(town)
    await _in_match(town, "alice", "move", move="a1")


async def _second_move(town: Town) -> None:
    await _in_match(town, "bob", "move", move="a5")


async def _other_move(town: Town) -> None:
    await _in_match(town, "alice", "move", move="e5")


async def _draw_offered(town: Town) -> None:
    await _accepted(town)
    await _in_match(town, "alice", "match draw")


async def _takeback_asked(town: Town) -> None:
    await _first_move(town)
    await _in_match(town, "alice", "match takeback")


async def _time_up(town: Town) -> None:
    await _accepted(town)
    await town.env.advance_time(DAY + 60)


async def _resigned(town: Town) -> None:
    match_id = (await last_ids(town))["match"]
    question = answer(await town.bob.slash(town.channel, "match resign", match=match_id))
    await town.bob.click(question, label="Yes, resign")


async def _over(town: Town) -> None:
    await _accepted(town)
    await _resigned(town)


async def _rematch_offered(town: Town) -> None:
    await _over(town)
    await town.alice.click(board_of(town, await _thread(town)), label="Rematch")


async def _rematch_begun(town: Town) -> None:
    await town.bob.click(cards(town)[-1], label="Accept")


async def _rematch_asked_and_begun(town: Town) -> None:
    await town.alice.click(board_of(town, await _thread(town)), label="Rematch")
    await _rematch_begun(town)


async def _challenged(town: Town) -> None:
    await challenge(town)


async def _lobby(town: Town) -> None:
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=3, first="challenger")


async def _bob_joined(town: Town) -> None:
    await _lobby(town)
    await town.bob.click(cards(town)[-1], label="Join")


async def _called_off(town: Town) -> None:
    await town.alice.click(cards(town)[-1], label="Cancel")


async def _taken_up(town: Town) -> None:
    await town.bob.click(cards(town)[-1], label="Accept")


async def _finished(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "a1", "a5")


AT = "{match}:{ply}"
CASES = (
    # What changes something.
    Case(AskButton, f"ask:draw:{AT}", _accepted, overtaken=_other_move),
    Case(AskButton, f"ask:takeback:{AT}", _first_move, overtaken=_second_move),
    Case(BuilderButton, f"b-play:{AT}:0:c3", _accepted, overtaken=_other_move),
    Case(ChallengeButton, "challenge:accept:{challenge}", _challenged, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:accept:{challenge}", _lobby, "bob", "challenge", _called_off, anybody=True),
    Case(ChallengeButton, "challenge:decline:{challenge}", _challenged, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:leave:{challenge}", _bob_joined, "bob", "challenge", _called_off),
    Case(ChallengeButton, "challenge:start:{challenge}", _bob_joined, "alice", "challenge", _called_off),
    Case(ChallengeButton, "challenge:cancel:{challenge}", _challenged, "alice", "challenge", _taken_up),
    Case(ClaimButton, f"claim:{AT}", _time_up, "bob", overtaken=_other_move),
    Case(OfferButton, "offer:accept:{offer}", _draw_offered, "bob", "offer", _other_move),
    Case(OfferButton, "offer:decline:{offer}", _draw_offered, "bob", "offer", _other_move),
    Case(OfferButton, "offer:withdraw:{offer}", _draw_offered, "alice", "offer", _other_move),
    Case(OfferButton, "offer:accept:{offer}", _takeback_asked, "bob", "offer", _second_move),
    Case(OfferButton, "offer:decline:{offer}", _takeback_asked, "bob", "offer", _second_move),
    Case(RematchButton, "rematch:{match}", _over, overtaken=_rematch_asked_and_begun),
    Case(RematchButton, "rematch:{match}", _rematch_offered, "bob", overtaken=_rematch_begun),
    Case(ResignButton, f"resign:yes:{AT}", _accepted, "bob", overtaken=_other_move),
    Case(PrivacyButton, "privacy:erase", _first_move, of=None, overtaken=_resigned, anybody=True),
    # What only shows something.
    Case(BuilderButton, f"b-back:{AT}:0:", _accepted),
    Case(BuilderButton, f"b-take0:{AT}:0:c3", _accepted),
    Case(BuilderButton, f"b-type:{AT}:0:", _accepted, of=None, anybody=True),
    Case(BuilderButton, f"b-cancel:{AT}:0:", _accepted, of=None, anybody=True),
    Case(BuilderChoice, f"b-choose:{AT}:0:", _accepted, choice="c3"),
    Case(BuilderPage, f"b-page:{AT}:0:", _accepted, choice="0"),
    Case(ExportButton, "export:{match}", _finished, anybody=True),
    Case(LeaderboardButton, "ranks:all:rating:0:next", _over, of=None, anybody=True),
    Case(LeaderboardButton, "ranks:yonmoque:month:0:back", _over, of=None, anybody=True),
    Case(LookButton, "look:{match}:1:picture", _finished, anybody=True),
    Case(LookButton, "look:{match}:0:text", _finished, anybody=True),
    Case(MoreButton, f"more:{AT}", _finished, anybody=True),
    Case(PlayButton, f"play:{AT}", _accepted),
    Case(PlayButton, f"play:{AT}:reminder", _accepted),
    Case(PrivacyButton, "privacy:keep", _first_move, of=None, anybody=True),
    Case(ReplayButton, "replay:{match}", _finished, anybody=True),
    Case(ResignButton, f"resign:ask:{AT}", _accepted, "bob"),
    Case(ResignButton, f"resign:no:{AT}", _accepted, "bob", of=None, anybody=True),
    Case(RulesButton, "rules-of:yonmoque", _nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:1:next", _nothing, of=None, anybody=True),
    Case(RulesPageButton, "rules:yonmoque:0:back", _nothing, of=None, anybody=True),
    Case(RulesPageChoice, "rules:yonmoque:contents:0", _nothing, of=None, anybody=True, choice="1"),
)
ACTING = tuple(case for case in CASES if case.overtaken is not None)
SHOWING = tuple(case for case in CASES if case.overtaken is None)
