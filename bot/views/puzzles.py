"""Puzzles as one person sees them: the buttons that lead to one, the builder for a try, and the solution."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Final

import discord

from bot.games.puzzles import Kind, Puzzle
from bot.matches.model.building import Keys
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import as_rating, states
from bot.matches.model.rating import format_rating
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services.daily_puzzles import is_for_a_day
from bot.matches.services.puzzles import PuzzleView
from bot.messages import custom_ids
from bot.messages.drawing import PendingMove
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Picture
from bot.messages.puzzle_words import found_words, game_of, task, tried_words, verdict, why
from bot.messages.wording import refused, who_moves, with_text
from bot.requests.context import BotContext
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.storage.puzzles import PuzzleRating
from bot.storage.records import AttemptState
from bot.storage.shares import Share
from bot.views.answers import Reply, answer_in_place, answer_privately, answer_with_modal
from bot.views.builder_preview import keys_of
from bot.views.builder_session import BuilderIds, BuilderSession, Button, typed_move
from bot.views.controls import Choice, Control, page_of
from bot.views.game_menu import known_game
from bot.views.open_board import open_puzzle
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, number, prose
from renderers.i18n import ngettext as _n

_LETTERS: Final = 2_900
"""Characters of the boards of a solution, so that they fit a message of 4,000 with the words about each move."""


class DailyButton(Control, of=custom_ids.DAILY):
    """Opens the puzzle of a day."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _daily, match["day"])


class NextPuzzleButton(Control, of=custom_ids.NEXT_PUZZLE):
    """Gives another puzzle of the same game."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, given, match["game"])


class PuzzleButton(Control, of=custom_ids.PUZZLE):
    """Shows the solution, goes back to trying, shares the puzzle, or opens it: a shared one, or on the board page."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        attempt_id = int(match["attempt"])
        match match["verb"]:
            case "same":
                await answer_privately(interaction, _same, attempt_id)
            case "share":
                await answer_privately(interaction, _share, attempt_id)
            case "open":
                await answer_privately(interaction, open_puzzle, attempt_id)
            case "show":
                await answer_in_place(interaction, _show, attempt_id)
            case _:
                await answer_in_place(interaction, _resume, attempt_id)


class PuzzleBuilderButton(Control, of=custom_ids.PUZZLE_BUILDER):
    """A choice, Play, Back, Type, and the way to the solution."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        attempt_id, ply, keys = int(match["attempt"]), int(match["ply"]), keys_of(match["prefix"])
        match match["verb"]:
            case "type":
                await answer_with_modal(interaction, TypedTry(attempt_id, ply, match["prefix"]))
            case "file":
                await answer_in_place(interaction, _built, attempt_id, ply, keys, page=int(match["menu"]))
            case "play":
                await answer_in_place(interaction, _tried, attempt_id, ply, "".join(keys))
            case "cancel":
                await answer_in_place(interaction, _asked_to_show, attempt_id)
            case verb:
                await answer_in_place(interaction, _built, attempt_id, ply, keys, chosen=verb == "pick")


class PuzzleBuilderChoice(Choice, of=custom_ids.PUZZLE_CHOICE):
    """Takes the next choice of a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = (*keys_of(match["prefix"]), value)
        await answer_in_place(interaction, _built, int(match["attempt"]), int(match["ply"]), keys, chosen=True)


class PuzzleBuilderPage(Choice, of=custom_ids.PUZZLE_PAGE):
    """Turns to another part of a long list of choices."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = keys_of(match["prefix"])
        await answer_in_place(interaction, _built, int(match["attempt"]), int(match["ply"]), keys, page=page_of(value))


class TypedTry(discord.ui.Modal):
    """Takes a try as text. ``typed`` handles what is submitted, so that the form survives a restart."""

    def __init__(self, attempt_id: int, ply: int, example: str) -> None:
        custom_id = custom_ids.TYPED_TRY(attempt=attempt_id, ply=ply)
        super().__init__(title=_("Type your move"), custom_id=custom_id, timeout=900)
        self.add_item(typed_move(example))


TYPED = re.compile(custom_ids.TYPED_TRY.pattern)


async def typed(interaction: discord.Interaction[Any], match: re.Match[str], text: str) -> None:
    """Try the move submitted in a ``TypedTry``."""
    await answer_in_place(interaction, _tried, int(match["attempt"]), int(match["ply"]), text)


async def given(request: Request, game: str | None) -> Reply:
    """Return the puzzle the person is at, or a new one for them. Raises ``Refusal``."""
    key = None if game is None else known_game(game)
    return await _shown(request, await request.services.puzzles.begin(request.person.id, key))


async def _daily(request: Request, day: str) -> Reply:
    try:
        meant = date.fromisoformat(day)
    except ValueError as error:
        raise Refusal(_("There is no such day.")) from error
    return await _shown(request, await request.services.puzzles.begin_daily(request.person.id, request.server, meant))


async def begin_shared(request: Request, share: Share) -> Reply:
    """Return a puzzle that was shared. Raises ``Refusal``."""
    return await _shown(request, await request.services.puzzles.begin_shared(request.person.id, share))


async def _same(request: Request, attempt_id: int) -> Reply:
    return await _shown(request, await request.services.puzzles.begin_same(request.person.id, attempt_id))


async def _share(request: Request, attempt_id: int) -> Reply:
    await request.services.shares.puzzle(request.sharing(), attempt_id)
    return Reply(_("Shared in this channel."))


async def _show(request: Request, attempt_id: int) -> Reply:
    return await _shown(request, await request.services.puzzles.show(request.person.id, attempt_id, request.id))


async def _resume(request: Request, attempt_id: int) -> Reply:
    return await _shown(request, await request.services.puzzles.view(request.person.id, attempt_id))


async def _shown(request: Request, view: PuzzleView, words: str = "") -> Reply:
    """Return a puzzle as far as the person has come: the builder, or the solution once they are done.

    ``words`` say what has just happened.
    """
    if view.attempt.state is not AttemptState.OPEN:
        return await _explained(request, view)
    return await _built(request, view.attempt.id, view.attempt.ply, (), words=words)


def rated_record(record: PuzzleRating) -> str:
    """Return a person's rating and results: ``1540? · 12 of 15 at the first try · 3 days in a row``."""
    count = record.first_try + record.failed
    parts = [
        f"**{format_rating(as_rating(record))}**",
        _("{solved} of {count} at the first try", solved=number(record.first_try), count=number(count)),
    ]
    if record.longest_streak:
        parts.append(_n("{n} day in a row", "{n} days in a row", record.streak))
    if record.longest_streak > record.streak:
        parts[-1] = prose([parts[-1], _("(longest: {number})", number=number(record.longest_streak))])
    return " · ".join(parts)


async def _asked_to_show(_request: Request, attempt_id: int) -> Reply:
    show, resume = (custom_ids.PUZZLE(verb=verb, attempt=attempt_id) for verb in ("show", "resume"))
    buttons = row(button(show, _("Show the solution"), discord.ButtonStyle.danger), button(resume, _("Keep trying")))
    return Reply(view=layout(_("Do you want to see the solution? The puzzle then counts as not solved."), buttons))


async def _tried(request: Request, attempt_id: int, ply: int, text: str) -> Reply:
    service, user_id = request.services.puzzles, request.person.id
    try:
        result = await service.try_move(user_id, attempt_id, ply, text, request.id)
    except Stale as stale:
        # A person who presses twice has found the move: the answer says so again, not that they are too late.
        view = await service.view(user_id, attempt_id)
        found = ply < view.attempt.ply and text == view.puzzle.solution[ply]
        return await _shown(request, view, found_words(view, text) if found else refused(stale))
    view, words = result.view, tried_words(result.view, result.tried)
    return await if_readable(_shown(request, view, words), Reply(words))


async def _built(
    request: Request,
    attempt_id: int,
    ply: int,
    keys: Keys,
    *,
    page: int = 0,
    chosen: bool = False,
    words: str = "",
) -> Reply:
    """Return the builder after some choices; try the move just ``chosen`` unless the person is asked to confirm."""
    view = await request.services.puzzles.view(request.person.id, attempt_id)
    if view.attempt.state is not AttemptState.OPEN or view.attempt.ply != ply:
        return await _shown(request, view)
    every = await request.services.context.compute(states, view.puzzle, ply)
    session = _session(view, every[-1][0])
    found = await session.preview(request, keys, page)
    now = found.state
    complete = now.move is not None and not now.steps and not (request.preferences.confirm or found.asks)
    guessed = now.problem is not None and view.puzzle.task.kind is Kind.FIND
    if chosen and (complete or guessed):
        return await _tried(request, attempt_id, ply, str(now.move) if complete else "".join(keys))
    seat = min(every[-1][0].position.to_move)
    news = "\n".join(line for line in (words, task(view.puzzle, seat)) if line)
    return await session.reply(request, found, found.file or page, news=news)


@dataclass(frozen=True, slots=True)
class _PuzzleSession(BuilderSession):
    """A move to find."""

    puzzle: Puzzle
    game_state: GameState

    leave: ClassVar[str] = gettext_lazy("Give up")

    @property
    def squares_only(self) -> bool:
        return self.puzzle.task.kind is Kind.FIND

    @property
    def secret(self) -> str:
        return self.puzzle.solution[self.game_state.ply]

    def beside(self, request: Request) -> Sequence[Button]:
        if not request.context.settings.page_url:
            return ()
        return (button(custom_ids.PUZZLE(verb="open", attempt=self.ids.fields["attempt"]), _("Open board")),)

    async def picture(self, request: Request, pending: PendingMove) -> Picture:
        renderer, wanted = request.context.renderer, request.preferences
        return await renderer.puzzle(self.puzzle, self.game_state, self.seat, wanted, pending)

    async def letters(self, request: Request, pending: PendingMove) -> str:
        return await request.context.renderer.puzzle_text(self.puzzle, self.game_state, self.seat, pending)


def _session(view: PuzzleView, game_state: GameState) -> BuilderSession:
    puzzle, attempt = view.puzzle, view.attempt
    position, ids = game_state.position, _ids(attempt.id, attempt.ply)
    head = [
        _("**Puzzle · {game}**", game=game_of(puzzle)),
        _("-# Difficulty {difficulty}", difficulty=puzzle.difficulty),
    ]
    key = ("puzzle", puzzle.key, attempt.ply)
    seat = min(position.to_move)
    return _PuzzleSession("\n".join(head), puzzle.game.key, position, seat, ids, key, puzzle, game_state)


def _ids(attempt_id: int, ply: int) -> BuilderIds:
    fields = {"attempt": attempt_id, "ply": ply}
    return BuilderIds(custom_ids.PUZZLE_BUILDER, custom_ids.PUZZLE_CHOICE, custom_ids.PUZZLE_PAGE, fields)


async def _explained(request: Request, view: PuzzleView) -> Reply:
    """Return the solution with a board for each of its moves, and the person's record after it."""
    context, puzzle, attempt = request.context, view.puzzle, view.attempt
    every = await context.services.context.compute(states, puzzle)
    seat, wanted = min(every[0][0].position.to_move), request.preferences
    parts: list[Part] = ["\n".join((_("**Puzzle · {game}**", game=game_of(puzzle)), task(puzzle, seat)))]
    pictures = []
    after = [game_state for game_state, _does in every[1:]]
    letters = await _in_letters(context, puzzle, after, seat) if wanted.text_boards else {}
    for game_state, does in every[1:]:
        assert game_state.last_seat is not None
        name = puzzle.game.seat_names[game_state.last_seat]
        made = who_moves(name, with_text(does, str(game_state.last)))
        parts.append(f"{game_state.ply}. {made}")
        if game_state.ply in letters:
            parts.append(f"```\n{letters[game_state.ply]}\n```")
        elif not wanted.text_boards:
            drawn = await context.renderer.puzzle(puzzle, game_state, seat, wanted)
            pictures.append(Picture(drawn.data, drawn.description, f"solution{game_state.ply}.png"))
            parts.append(gallery(pictures[-1]))
    record = await context.services.puzzles.record(attempt.user_id)
    end = [
        verdict(view),
        why(view, every[-1][0]),
        *([_("-# Your puzzles: {results}", results=rated_record(record))] if record else []),
    ]
    parts.append("\n".join(line for line in end if line))
    return Reply(view=layout(box(*parts), row(*_after(view))), attachments=tuple(pictures))


async def _in_letters(context: BotContext, puzzle: Puzzle, after: Sequence[GameState], seat: int) -> dict[int, str]:
    """Return the boards of a solution in letters, by ply; where they are too long, only those after odd plies."""
    boards = {one.ply: await context.renderer.puzzle_text(puzzle, one, seat) for one in after}
    if sum(map(len, boards.values())) <= _LETTERS:
        return boards
    return {ply: board for ply, board in boards.items() if ply % 2}


def _after(view: PuzzleView) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    attempt = view.attempt
    share = custom_ids.PUZZLE(verb="share", attempt=attempt.id)
    found = [button(share, _("Share"))] if attempt.state is AttemptState.SOLVED else []
    label = _("Another puzzle") if is_for_a_day(view.puzzle) else _("Next puzzle")
    following = custom_ids.NEXT_PUZZLE(game=attempt.game)
    return [*found, button(following, label, discord.ButtonStyle.primary)]
