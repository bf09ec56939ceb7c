"""Puzzles as one person sees them: the buttons that lead to one, the builder for a try, and the solution."""

from __future__ import annotations

from datetime import date
from typing import Final

import discord

from bot.matches.model.building import Choices, Consent
from bot.matches.model.puzzles import as_rating, states
from bot.matches.model.rating import format_rating
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services.daily_puzzles import is_for_a_day
from bot.matches.services.puzzles import PuzzleView
from bot.messages import custom_ids
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Picture, at_puzzle
from bot.messages.puzzle_words import found_words, game_of, task, tried_words, verdict, why
from bot.messages.wording import line_number, refusal_words, who_moves, with_text
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.requests.surfaces import of_puzzle, puzzle_line
from bot.storage.people import Preferences
from bot.storage.puzzles import PuzzleRating
from bot.storage.records import AttemptState, ShareKind
from bot.views import builder_ids
from bot.views.against_computer import ask_level
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.builder import Builder, BuilderControls, builds
from bot.views.controls import Interaction, control, privately
from bot.views.game_menu import known_game
from bot.views.notes import shared_text
from bot.views.open_board import open_puzzle
from bot.views.sharing import preview
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import number, prose

_LETTERS: Final = 2_900
"""Characters of the boards of a solution, so that they fit a message of 4,000 with the words about each move.

Where they are longer, only the boards after odd plies are shown."""


@privately(custom_ids.DAILY)
async def on_daily(request: Request, ids: custom_ids.OfDay) -> Reply:
    try:
        day = date.fromisoformat(ids.day)
    except ValueError as error:
        raise Refusal(_("There is no such day.")) from error
    return await _begun_reply(
        request, await request.services.puzzles.begin_daily(request.person.id, request.server, day)
    )


@privately(custom_ids.NEXT_PUZZLE)
async def on_next_puzzle(request: Request, ids: custom_ids.OfGame) -> Reply:
    """Give another puzzle of the same game."""
    return await given(request, ids.game)


@control(custom_ids.PUZZLE)
async def on_puzzle(interaction: Interaction, ids: custom_ids.Puzzle) -> None:
    """Show the solution, go back to trying, share the puzzle, or open it: a shared one, or on the board page."""
    if ids.verb in ("show", "resume"):
        await answer_in_place(interaction, follow, ids)
    else:
        await answer_privately(interaction, follow, ids)


async def follow(request: Request, ids: custom_ids.Puzzle) -> Reply:
    """Do what a button of a puzzle is for. Raises ``Refusal``."""
    puzzles, person = request.services.puzzles, request.person.id
    match ids.verb:
        case "same":
            return await _begun_reply(request, await puzzles.begin_same(person, ids.attempt))
        case "share":
            return await preview(request, ShareKind.PUZZLE, ids.attempt)
        case "open":
            return await open_puzzle(request, ids.attempt)
        case "show":
            return await _progress_reply(request, await puzzles.show(person, ids.attempt, request.id))
        case "resume":
            return await _progress_reply(request, await puzzles.view(person, ids.attempt))


@privately(custom_ids.SHARED)
async def on_shared(request: Request, ids: custom_ids.Shared) -> Reply:
    """Open a shared puzzle, give shared notes, or begin a match of a shared game against the bot."""
    view = await request.services.shares.get(request.server, ids.share)
    if ids.verb == "try":
        return await _begun_reply(request, await request.services.puzzles.begin_shared(request.person.id, view.share))
    if ids.verb == "notes":
        return shared_text(view)
    return await ask_level(request, view.share.game, "" if view.match is None else view.match.variant)


async def given(request: Request, game: str | None) -> Reply:
    """Return the puzzle the person is at, or a new one for them. Raises ``Refusal``."""
    key = None if game is None else known_game(game)
    return await _progress_reply(request, await request.services.puzzles.begin(request.person.id, key))


async def _begun_reply(request: Request, view: PuzzleView) -> Reply:
    """Return a puzzle of a day or one that was shared; one whose answer is posted says that it does not count."""
    return await _progress_reply(request, view, _("The answer is posted, so this puzzle doesn't count.") * view.late)


async def _progress_reply(request: Request, view: PuzzleView, words: str = "") -> Reply:
    """Return a puzzle as far as the person has come: the builder, or the solution once they are done.

    ``words`` say what has just happened.
    """
    if view.attempt.state is not AttemptState.OPEN:
        return await _solution_reply(request, view)
    return await _builder_reply(request, view.attempt.id, view.attempt.ply, (), words=words)


def rated_record(rating: PuzzleRating) -> str:
    """Return a person's rating and results: ``1540? · 12 of 15 at the first try · 3 days in a row``."""
    count = rating.first_try + rating.failed
    parts = [
        f"**{format_rating(as_rating(rating))}**",
        _("{solved} of {count} at the first try", solved=number(rating.first_try), count=number(count)),
    ]
    if rating.longest_streak:
        parts.append(_n("{n} day in a row", "{n} days in a row", rating.streak))
    if rating.longest_streak > rating.streak:
        parts[-1] = prose([parts[-1], _("(longest: {number})", number=number(rating.longest_streak))])
    return " · ".join(parts)


async def ask_to_show(_request: Request, attempt_id: int) -> Reply:
    show, resume = custom_ids.PUZZLE("show", attempt_id), custom_ids.PUZZLE("resume", attempt_id)
    buttons = row(button(show, _("Show the solution"), discord.ButtonStyle.danger), button(resume, _("Keep trying")))
    return Reply(view=layout(_("Do you want to see the solution? The puzzle then counts as not solved."), buttons))


async def _try_reply(request: Request, attempt_id: int, ply: int, text: str) -> Reply:
    service, user_id = request.services.puzzles, request.person.id
    try:
        result = await service.try_move(user_id, attempt_id, ply, text, request.id)
    except Stale as stale:
        # A person who presses twice has found the move: the answer says so again, not that they are too late.
        view = await service.view(user_id, attempt_id)
        right = ply < view.attempt.ply and text == view.puzzle.solution[ply]
        return await _progress_reply(request, view, found_words(view, text) if right else refusal_words(stale))
    view, words = result.view, tried_words(result.view, result.tried)
    return await read_or(_progress_reply(request, view, words), Reply(words))


async def _builder_reply(
    request: Request,
    attempt_id: int,
    ply: int,
    choices: Choices,
    consent: Consent = Consent.NONE,
    page: int = 0,
    *,
    words: str = "",
) -> Reply:
    """Return the builder after some choices; or try the move if the person has agreed to it."""
    if consent in (Consent.CONFIRMED, Consent.TEXT):
        return await _try_reply(request, attempt_id, ply, "".join(choices))
    view = await request.services.puzzles.view(request.person.id, attempt_id)
    if view.attempt.state is not AttemptState.OPEN or view.attempt.ply != ply:
        return await _progress_reply(request, view)
    puzzle, line = view.puzzle, await puzzle_line(request, view)
    surface = of_puzzle(view, line[-1][0])
    state = await surface.build(request, choices)
    if (text := surface.agreed(request, state, choices, consent)) is not None:
        return await _try_reply(request, attempt_id, ply, text)
    page_button = button(custom_ids.PUZZLE("open", attempt_id), _("Open board"))
    controls = BuilderControls(
        builder_ids.OF_PUZZLE,
        (attempt_id, ply),
        button(builder_ids.PUZZLE_BUILDER("cancel", attempt_id, ply, 0, ()), _("Give up")),
        [page_button] if request.context.settings.page_url else [],
    )
    heading = "\n".join(
        [
            _("**Puzzle · {game}**", game=game_of(puzzle)),
            _("-# Difficulty {difficulty}", difficulty=puzzle.difficulty),
        ]
    )
    news = "\n".join(line for line in (words, task(puzzle)) if line)
    return await Builder(surface, heading, controls).reply(request, state, page, news=news)


async def _solution_reply(request: Request, view: PuzzleView) -> Reply:
    """Return the solution with a board for each of its moves, and the person's record after it."""
    context, puzzle, attempt = request.context, view.puzzle, view.attempt
    every = await context.services.compute(states, puzzle)
    seat, preferences = puzzle.seat, request.preferences
    parts: list[Part] = ["\n".join((_("**Puzzle · {game}**", game=game_of(puzzle)), task(puzzle)))]
    pictures = []
    after = [game_state for game_state, _does in every[1:]]
    letters: dict[int, str] = {}
    if preferences.text_boards:
        look = at_puzzle(puzzle, seat, Preferences())
        letters = {state.ply: await context.renderer.letters(state, look) for state in after}
        if sum(map(len, letters.values())) > _LETTERS:
            letters = {ply: board for ply, board in letters.items() if ply % 2}
    for game_state, does in every[1:]:
        assert game_state.last_seat is not None
        name = puzzle.game.seat_names[game_state.last_seat]
        made = who_moves(name, with_text(does, str(game_state.last)))
        parts.append(f"{line_number(game_state.ply)} {made}")
        if game_state.ply in letters:
            parts.append(f"```\n{letters[game_state.ply]}\n```")
        elif not preferences.text_boards:
            drawn = await context.renderer.puzzle(puzzle, game_state, seat, preferences)
            pictures.append(Picture(drawn.data, drawn.description, f"solution{game_state.ply}.png"))
            parts.append(gallery(pictures[-1]))
    rating = await context.services.puzzles.rating_of(attempt.user_id)
    end = [
        verdict(view),
        why(view, every[-1][0]),
        *([_("-# Your puzzles: {results}", results=rated_record(rating))] if rating else []),
    ]
    parts.append("\n".join(line for line in end if line))
    share = button(custom_ids.PUZZLE("share", attempt.id), _("Share"))
    following = button(
        custom_ids.NEXT_PUZZLE(attempt.game),
        _("Another puzzle") if is_for_a_day(puzzle) else _("Next puzzle"),
        discord.ButtonStyle.primary,
    )
    buttons = row(*([share] if attempt.state is AttemptState.SOLVED and not request.place.direct else []), following)
    return Reply(view=layout(box(*parts), buttons), attachments=tuple(pictures))


builds(builder_ids.OF_PUZZLE, _builder_reply, {"cancel": lambda request, ids: ask_to_show(request, ids.attempt)})
