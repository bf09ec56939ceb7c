"""The first message of the demo: an introduction, all games, and buttons that start one or show a finished match.

The buttons exist in the demo only. They call the bot's own services.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Self
from uuid import uuid4

import discord

from bot.client import Tavoliere
from bot.contract import golden
from bot.contract.cases import Case
from bot.demo.scenery import Scenery
from bot.games import GAMES
from bot.games.game import KEY_PATTERN
from bot.matches.model.game_state import replay
from bot.matches.model.match_record import MatchRecord
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.messages.layout import box, button, file, gallery, layout, row, select
from bot.requests.request import Request
from bot.storage.records import First, MoveKind, Person, PlayedMove
from bot.views import against_computer, match_board
from bot.views.answers import answer_in_place, answer_privately

WELCOME = """\
## Board games that are rarely found elsewhere
Tavoliere is a Discord bot for them: challenge a friend, play at your own pace, see every position as a picture. \
**This page is a simulated Discord**: the bot is the real one, nothing leaves this computer, and all is forgotten when \
the demo ends.
"""
START = "### Pick a game\nThe match starts at once, with somebody waiting on the other side of the board."
MORE = """\
-# You are everybody here: {people}. Choose who to be at the top of each side. The slash commands work, too: try \
`/challenge`, `/rules` or `/help`.
"""

IN_A_ROW = 5
"""Discord's limit for buttons in a row."""
PACE = timedelta(days=3)
SAMPLE = "sample.txt"
"""The golden game of a game's folder that the page shows as a finished match, if there is one."""


Button = discord.ui.Button[discord.ui.LayoutView]
Menu = discord.ui.Select[discord.ui.LayoutView]


class StartButton(discord.ui.DynamicItem[Button], template=rf"demo-start:(?P<game>{KEY_PATTERN})"):
    """Starts a match of a game at once. The person who presses goes first; another person accepts automatically."""

    others: Sequence[Person] = ()
    """The people who can be the opponent."""
    game = ""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the pressed button."""
        assert isinstance(item, discord.ui.Button)
        pressed = cls(item)
        pressed.game = match["game"]
        return pressed

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Offer a challenge and accept it for the other side."""
        await answer_in_place(interaction, self._start)

    async def _start(self, request: Request) -> None:
        challenges, guild, me = request.services.challenges, request.server, request.person
        other = next(person for person in self.others if person.id != me.id)
        variant = GAMES[self.game].variants[0]
        pace, language = int(PACE.total_seconds()), await request.public_language()
        terms = Terms(self.game, variant.key, 2, First.CHALLENGER, pace=pace, language=language)
        challenge = await challenges.offer(guild, request.channel, me, other, terms, request.id)
        # A request's id is stored once, and the offer has used this one.
        await challenges.accept(guild, challenge, other, uuid4())


class AloneMenu(discord.ui.DynamicItem[Menu], template="demo-alone"):
    """Starts a match against the bot at once. The person who chooses the game goes first."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the used menu."""
        assert isinstance(item, discord.ui.Select)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Start the match."""
        (game,) = self.item.values
        terms = Terms(game, GAMES[game].variants[0].key, 2, First.CHALLENGER, rated=False)
        await answer_privately(interaction, against_computer.begin, terms)


class FinishedButton(discord.ui.DynamicItem[Button], template=r"demo-finished:(?P<match>\d+)"):
    """Shows a finished match as a replay."""

    number = 0

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the pressed button."""
        assert isinstance(item, discord.ui.Button)
        pressed = cls(item)
        pressed.number = int(match["match"])
        return pressed

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the replay to the person who pressed."""
        await answer_privately(interaction, match_board.replay, self.number)


async def post(bot: Tavoliere, scenery: Scenery) -> None:
    """Post the front page in the bot's name."""
    people = [Person(user.id, user.global_name or user.name) for user in scenery.people]
    StartButton.others = people
    bot.add_dynamic_items(StartButton, AloneMenu, FinishedButton)
    finished = await _store_sample(bot, scenery, people)
    pictures = [await bot.context.renderer.showpiece(game) for game in GAMES.values()]
    starts = [button(f"demo-start:{key}", game.name, discord.ButtonStyle.success) for key, game in GAMES.items()]
    options = [discord.SelectOption(label=game.name, value=key) for key, game in GAMES.items()]
    looking = [] if finished is None else [_finished(finished)]
    view = layout(
        box(
            WELCOME,
            gallery(*pictures),
            START,
            *(row(*starts[first : first + IN_A_ROW]) for first in range(0, len(starts), IN_A_ROW)),
            row(select("demo-alone", "Or play against the bot", options)),
            *looking,
            discord.ui.Separator(),
            MORE.format(people=", ".join(f"<@{person.id}>" for person in people)),
            accent=discord.Colour.gold(),
        )
    )
    channel = bot.get_partial_messageable(scenery.channel_id)
    await channel.send(
        view=view, files=[file(picture) for picture in pictures], allowed_mentions=discord.AllowedMentions.none()
    )


def _finished(number: int) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    return row(button(f"demo-finished:{number}", "See a finished match", discord.ButtonStyle.primary))


def _sample() -> tuple[Case, list[str]] | None:
    """Return the first sample among the golden games, and its moves; None where no game brings one."""
    for game in GAMES.values():
        file = golden.folder(game) / SAMPLE
        if file.is_file():
            case, _, moves = golden.game_in(file.read_text(encoding="utf-8"))
            return case, moves
    return None


async def _store_sample(bot: Tavoliere, scenery: Scenery, people: Sequence[Person]) -> int | None:
    """Store the sample as a match played last week, and return its number; None where there is none."""
    sample, started = _sample(), discord.utils.utcnow() - timedelta(days=7)
    if sample is None:
        return None
    case, texts = sample
    position, played = case.start(), []
    for ply, text in enumerate(texts, 1):
        seat = min(position.to_move)
        move = position.parse(text)
        played.append(PlayedMove(ply, seat, MoveKind.MOVE, str(move), started + ply * timedelta(hours=1)))
        position = position.play(move)
    record = MatchRecord(
        case.game.key,
        case.variant.key,
        0,
        scenery.server.guild.id,
        scenery.channel_id,
        False,
        started,
        played[-1].at,
        tuple(people[: case.players]),
        tuple(played),
        replay(case.game, case.variant.key, case.players, played),
    )
    return await Archive(bot.context.services.context).store(record)
