"""The demo's front page: a message that tells a newcomer what this is and starts a match at one press.

Behind its buttons are the bot's own services. It names no game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar, cast
from uuid import uuid4

import discord
from simcord.backend.models import User

from bot.client import Tavoliere
from bot.contract import golden
from bot.contract.cases import Case
from bot.demo.discord_server import DiscordServer
from bot.games import GAMES
from bot.games.faults import of_each
from bot.games.game import KEY_PATTERN, Game
from bot.languages.speaking import language
from bot.matches.model.game_state import replay
from bot.matches.model.match_record import MatchRecord
from bot.matches.services.archive import Archive
from bot.matches.services.eligibility import Terms
from bot.messages import custom_ids
from bot.messages.board import record_buttons
from bot.messages.layout import beside, box, button, file, gallery, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import players, result, title
from bot.opponents import LEVELS
from bot.requests.request import Request
from bot.storage.records import Entry, EntryKind, First, Person, computer_player
from bot.views import against_computer
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.game_menu import game_menu, page_chosen
from renderers.i18n import gettext as _
from renderers.i18n import speaking, translated

FIRST = "yonmoque"
"""The game that the page begins with, if it is installed: its first move is one tap."""
CARDS = 5
"""Other games with a card of their own, at most: a message holds 40 components. Further ones are in a menu."""
PACE = timedelta(days=3)
SAMPLE = "sample.txt"
"""The golden game of a game's folder that the page shows as a finished match, if there is one."""
RUN = "python -m bot run"


Button = discord.ui.Button[discord.ui.LayoutView]
Menu = discord.ui.Select[discord.ui.LayoutView]
Item = TypeVar("Item", bound=discord.ui.Item[Any])


class PostedControl(discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A control of the page that a person uses now. ``match`` is what the pattern found in its custom id."""

    match: re.Match[str]

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        control = cls(cast(Item, item))
        control.match = match
        return control


class PlayButton(PostedControl[Button], template=rf"demo-play:(?P<game>{KEY_PATTERN})"):
    """Starts a match against the bot at its lowest level at once. The person who presses goes first."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Start the match."""
        await answer_privately(interaction, play, self.match["game"])


class PlayMenu(PostedControl[Menu], template="demo-alone"):
    """Starts a match against the bot in a game without a card."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Start the match."""
        page = page_chosen(self.item.values[0])
        if page is None:
            await answer_privately(interaction, play, self.item.values[0])
        else:
            await answer_privately(interaction, more_games, "demo-alone", page)


class TogetherMenu(PostedControl[Menu], template="demo-together"):
    """Starts a match between two people at once. The person who chooses goes first, the other accepts automatically."""

    others: ClassVar[Sequence[Person]] = ()
    """The people who can be the opponent."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Offer a challenge and accept it for the other person."""
        page = page_chosen(self.item.values[0])
        if page is None:
            await answer_in_place(interaction, self._start, self.item.values[0])
        else:
            await answer_privately(interaction, more_games, "demo-together", page)

    async def _start(self, request: Request, game: str) -> None:
        other = next(person for person in self.others if person.id != request.person.id)
        challenge, _levels = await _offer_challenge(request, game, other)
        # A request's id is stored once, and the offer has used this one.
        await request.services.challenges.accept(
            replace(request.actor, person=other, interaction_id=uuid4()), challenge
        )


class FinishedButton(PostedControl[Button], template=r"demo-finished:(?P<match>\d+)"):
    """Shows a finished match as a replay, and what can be done next."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the replay to the person who pressed."""
        await answer_privately(interaction, finished, int(self.match["match"]))


class AddButton(PostedControl[Button], template="demo-add"):
    """Tells how the bot comes into a server of one's own."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Tell the person who pressed."""
        await answer_privately(interaction, added)


async def more_games(_request: Request, custom_id: str, page: int) -> Reply:
    """Return the menu that a choice came from, with another page of its games."""
    games = _in_order()[1][CARDS:] if custom_id == "demo-alone" else GAMES.values()
    return Reply(view=layout(row(game_menu(custom_id, games, page))))


async def play(request: Request, key: str) -> Reply:
    """Start a match against the bot at its lowest level.

    In a game for more than two the bot has all other seats.
    """
    variant, level = GAMES[key].variants[0], LEVELS[0]
    if 2 in variant.players:
        terms = Terms(key, variant.key, 2, First.CHALLENGER, rated=False)
        match_id = await against_computer.start(request, terms, level)
    else:
        challenge, levels = await _offer_challenge(request, key, None)
        opponents = request.services.computer_opponents
        seated = await opponents.seat(replace(request.actor, interaction_id=uuid4()), challenge, level, levels)
        assert seated.match_id is not None
        match_id = seated.match_id
    return against_computer.begun(match_id, level)


async def _offer_challenge(request: Request, key: str, opponent: Person | None) -> tuple[int, list[int]]:
    """Offer a challenge for as few as can play, which starts with the next seat taken; return it and its levels.

    In a game for more than two the bot has the other seats, at its lowest level.
    """
    variant = GAMES[key].variants[0]
    players = max(2, variant.players[0])
    levels, pace = [LEVELS[0]] * (players - 2), None if opponent is None else int(PACE.total_seconds())
    terms = Terms(key, variant.key, players, First.CHALLENGER, pace=pace, language=await request.public_language())
    challenge = await request.services.challenges.offer(
        request.actor, opponent if players == 2 else None, terms, levels=levels
    )
    return challenge, levels


async def finished(request: Request, number: int) -> Reply:
    """Return how a finished match ended, with the ways on: its replay and review, and a match of the same game."""
    match, played = await request.services.queries.match_and_entries(request.server, number)
    renderer, preferences = request.context.renderer, replace(request.preferences, text_boards=False)
    _at, final = await renderer.replay_position(match, played, len(played), 0, preferences, letters=False)
    assert isinstance(final, Picture)
    review = button(custom_ids.REVIEW(match=number), _("Review"), discord.ButtonStyle.primary)
    buttons = row(*record_buttons(match), review, _play_button(GAMES[match.game]))
    words = f"**{title(match)}**\n{players(match)}\n{result(match)}"
    return Reply(view=layout(box(words, gallery(final)), buttons), attachments=(final,))


async def added(_request: Request) -> Reply:
    """Return how the bot comes into a server of one's own."""
    words = _(
        "### Add Tavoliere to your server\n"
        "There is no public bot: people run their own, and invite it with a link that `/help` shows.\n"
        "1. Create an application at <https://discord.com/developers/applications> and copy its token.\n"
        "2. Copy `.env.example` to `.env`, and put the token into it.\n"
        "3. Start the bot:",
    )
    rest = _("The chapter *Run your own* of the README has all of it.")
    return Reply(view=layout(f"{words}\n```\n{RUN}\n```\n{rest}"))


async def post(bot: Tavoliere, scenery: Scenery) -> FrontPage:
    people = [Person(user.id, user.global_name or user.name) for user in scenery.people]
    TogetherMenu.others = people
    bot.add_dynamic_items(PlayButton, PlayMenu, TogetherMenu, FinishedButton, AddButton)
    page = FrontPage(bot, people, await _store_sample(bot, scenery, people))
    await page.post(scenery.channel_id)
    return page


class FrontPage:
    """The posted front page: a message to play at once, and one with everything else."""

    def __init__(self, bot: Tavoliere, people: Sequence[Person], sample: int | None) -> None:
        self._bot = bot
        self._people = people
        self._sample = sample
        self._language = "en"
        self._posted: list[discord.Message] = []

    @property
    def messages(self) -> tuple[int, ...]:
        """The ids of its messages, from top to bottom."""
        return tuple(message.id for message in self._posted)

    async def post(self, channel_id: int) -> None:
        channel = self._bot.get_partial_messageable(channel_id)
        for view, pictures in await self._views():
            files = [file(picture) for picture in pictures]
            mentions = discord.AllowedMentions.none()
            self._posted.append(await channel.send(view=view, files=files, allowed_mentions=mentions))

    async def speak(self, tag: str) -> None:
        """Show the page in another language of the bot."""
        if tag == self._language:
            return
        self._language = tag
        for message, (view, pictures) in zip(self._posted, await self._views(), strict=True):
            await message.edit(view=view, attachments=[file(picture) for picture in pictures])

    async def _views(self) -> list[tuple[discord.ui.LayoutView, list[Picture]]]:
        first, others = _in_order()
        renderer = self._bot.context.renderer
        with speaking(language(self._language)):
            drawn = {game: shown for game in (first, *others[:CARDS]) if (shown := await renderer.thumbnail(game))}
            whole = await renderer.showpiece(next(iter(drawn)))
            large = [] if whole is None else [whole]
            first, *rest = drawn
            # What a newcomer reads first; its button stands above the picture, on the first screen.
            words = _(
                "## Play rare board games in Discord\n"
                "Against friends or the bot, by tapping: every position is a picture.\n"
                "-# The bot is the real one, in a simulated Discord. Nothing leaves this computer."
            )
            button_of_first = row(_play_button(first, alone=True))
            introduced = beside(_introduction(first), drawn[first])
            welcome = box(words, introduced, button_of_first, accent=discord.Colour.gold())
            cards = of_each(lambda game: (beside(_introduction(game), drawn[game]), row(_play_button(game))), rest)
            menu = [row(game_menu("demo-alone", others[CARDS:]))] if others[CARDS:] else []
            start = layout(welcome, box(*(part for card in cards for part in card), *menu), *map(gallery, large))
            looking = (
                [] if self._sample is None else [button(f"demo-finished:{self._sample}", _("See a finished match"))]
            )
            more = box(
                _(
                    "### Two people on one screen\n"
                    "You go first; then you play for your friend. The page tells you when."
                ),
                row(game_menu("demo-together", GAMES.values())),
                discord.ui.Separator(),
                row(*looking, button("demo-add", _("Add to your server"))),
                _(
                    "-# You are everybody here: {people}. The slash commands work, too: try `/challenge`, `/games` or "
                    "`/help`.",
                    people=", ".join(f"<@{person.id}>" for person in self._people),
                ),
            )
            return [(start, [*drawn.values(), *large]), (layout(more), [])]


def _introduction(game: Game) -> str:
    return f"**{translated(game.name)}**\n{translated(game.summary)}"


def _play_button(game: Game, *, alone: bool = False) -> Button:
    """Return the button that starts a game; ``alone`` is the one that a newcomer is meant to press."""
    label = _("Play {game} against the bot", game=game.name) if alone else _("Play {game}", game=game.name)
    style = discord.ButtonStyle.success if alone else discord.ButtonStyle.secondary
    return button(f"demo-play:{game.key}", label, style)


def _in_order() -> tuple[Game, list[Game]]:
    """Return the game that the page begins with, and the others."""
    every = list(GAMES.values())
    first = next((game for game in every if game.key == FIRST), every[0])
    return first, [game for game in every if game is not first]


def _sample() -> tuple[Case, list[str]] | None:
    """Return the first sample among the golden games, and its moves; None where no game brings one."""
    files = of_each(lambda game: golden.folder(game) / SAMPLE, GAMES.values())
    text = next((file.read_text(encoding="utf-8") for file in files if file.is_file()), None)
    if text is None:
        return None
    case, _title, moves = golden.game_in(text)
    return case, moves


async def _store_sample(bot: Tavoliere, scenery: Scenery, people: Sequence[Person]) -> int | None:
    """Store the sample as a match played last week, and return its number; None where there is none.

    Its players are the bot and the last of the people, so that the others begin as people who have never played.
    """
    sample, started = _sample(), discord.utils.utcnow() - timedelta(days=7)
    if sample is None:
        return None
    case, texts = sample
    position, played = case.start(), []
    for ply, text in enumerate(texts, 1):
        seat = position.to_move
        assert seat is not None
        move = position.parse(text)
        played.append(Entry(ply, seat, EntryKind.MOVE, str(move), started + ply * timedelta(hours=1)))
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
        (computer_player(LEVELS[0]), *people[::-1])[: case.players],
        tuple(played),
        replay(case.game, case.variant.key, case.players, played),
    )
    return await Archive(bot.context.services).store(record)


BOT_NAME = "Tavoliere"
SERVER_NAME = "The Games Table"


@dataclass(frozen=True, slots=True)
class Scenery:
    """The server of the demo, its channel for games, and its people. The page begins as the first of them."""

    server: DiscordServer
    channel_id: int
    people: tuple[User, ...]


def make_scenery() -> Scenery:
    """Make the server. Alice owns it, so she can also try the commands of managers."""
    server = DiscordServer(SERVER_NAME, owner="Alice")
    server.backend.bot_user.name = BOT_NAME
    alice = server.backend.users[server.guild.owner_id]
    people = (alice, *(server.add_person(name.lower(), name) for name in ("Bob", "Carol")))
    games = server.backend.create_channel(server.guild.id, "games")
    server.backend.create_channel(server.guild.id, "chat", topic="For everything else")
    server.pair(people[0], people[1], "Only you two are here. The bot answers your commands.")
    return Scenery(server, games.id, people)
