"""A board as the page shows it: where its squares lie, what is said of them, and the choices of a move, as data.

Runs in worker processes, so it imports no database. It knows the contract of a game and no one game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from bot.games import GAMES
from bot.games.game import Position, Step
from bot.matches.model.building import BuilderState, Choices, build
from bot.matches.model.game_state import GameState, effective_entries, game_states
from bot.messages.drawing import Perspective, move_line, scene_of
from bot.storage.records import Entry
from renderers import image, text
from renderers.i18n import capitalised, sentence, translated
from renderers.scene import Mark, Outcome, Scene
from renderers.squares import looks, placed

MOST_CHOICES = 1500
"""Choices that are sent along before they are asked for: some tens of kilobytes, compressed to a tenth."""

Data = dict[str, Any]


def shown(game_state: GameState, look: Perspective, *, letters: bool) -> Data:
    """Return the board of a game state: its squares, pieces and words, and with ``letters`` the board in letters."""
    scene = scene_of(game_state, look)
    return {**_of_scene(scene, look, letters=letters), "winning": _winning(scene, game_state.position)}


def opened(
    game_state: GameState, look: Perspective, letters: bool, chooses: bool, variant: str, first: Sequence[Entry]
) -> tuple[Data, Data | None, int]:
    """Return the board of a game state, with ``chooses`` the first choices of a move, and how many entries are set-ups.

    ``first`` are the first entries of the match, one for each seat: set-ups are among them.
    """
    board = shown(game_state, look, letters=letters)
    before = game_states(GAMES[look.game], variant, len(look.names), first)[: len(first)]
    set_ups = sum(state.position.ready_made() is not None for state in before)
    return board, choices(look.game, game_state.position, ()) if chooses else None, set_ups


def stepped(variant: str, played: Sequence[Entry], number: int, look: Perspective, *, letters: bool) -> Data:
    """Return the board of position ``number`` of a match, or of the last where it has fewer."""
    every, entries = game_states(GAMES[look.game], variant, len(look.names), played), [None, *effective_entries(played)]
    number = min(number, len(every) - 1)
    scene = replace(
        scene_of(every[number], look), status=move_line(look, number, len(every) - 1, every[number], entries[number])
    )
    return {
        **_of_scene(scene, look, letters=letters),
        "number": number,
        "last": len(every) - 1,
        "status": scene.translated().status,
    }


def step_picture(variant: str, played: Sequence[Entry], number: int, look: Perspective) -> bytes:
    """Draw position ``number`` of a match."""
    every = game_states(GAMES[look.game], variant, len(look.names), played)
    return image.png(scene_of(every[min(number, len(every) - 1)], look), look.theme, look.width)


def picture(game_state: GameState, look: Perspective) -> bytes:
    return image.png(scene_of(game_state, look), look.theme, look.width)


def _of_scene(scene: Scene, look: Perspective, *, letters: bool) -> Data:
    where = placed(scene, look.width)
    return {
        "width": where.width,
        "height": where.height,
        "rows": [[asdict(spot) for spot in row] for row in where.rows],
        "looks": looks(scene),
        "description": text.description(scene),
        "caption": scene.translated().caption,
        "letters": text.board(scene) if letters else None,
    }


def _winning(scene: Scene, position: Position) -> list[str]:
    """Return the squares of what won the game, in order; of a win without such pieces, where the last move ended."""
    if position.result is None:
        return []
    marked = {mark: [square for each, square in scene.marks if each is mark] for mark in (Mark.WINNING, Mark.ENTERED)}
    drawn = any(tray.outcome is Outcome.DRAWN for tray in scene.trays)
    return marked[Mark.WINNING] or ([] if drawn else marked[Mark.ENTERED])


def choices(game_key: str, position: Position, chosen: Choices, *, squares_only: bool = False) -> Data:
    """Return what follows some choices: further choices, and the move they make, if any, in words.

    What is offered in one click before the first choice is random. With ``squares_only`` the first choices are the
    squares among them, and nothing is offered in one click.
    """
    state = build(game_key, position, chosen, squares_only=squares_only)
    return move_data(position, replace(state, shortcuts=()) if squares_only else state)


def move_data(position: Position, now: BuilderState) -> Data:
    """Return a move under construction as data."""
    return {
        "keys": list(now.choices),
        "prompt": translated(now.prompt),
        "steps": _tree(position, now.choices, now.steps, [MOST_CHOICES]),
        "shortcuts": [{"key": step.key, "label": translated(step.label)} for step in now.shortcuts[:2]],
        "move": None if now.move is None else str(now.move),
        "question": None if now.question is None else translated(now.question),
        "problem": None if now.problem is None else translated(now.problem),
        "does": sentence(capitalised(translated(now.does))) if now.does else "",
        "asks": now.asks,
        "confirmation": translated(now.confirmation),
        "grave": now.grave,
    }


def move_in_words(key: str, position: Position, move: str) -> str:
    return translated(GAMES[key].move_in_words(position, position.parse(move)))


def best_in_words(variant: str, played: Sequence[Entry], number: int, look: Perspective, move: str) -> str:
    """Return what a legal move does in position ``number`` of a match."""
    position = game_states(GAMES[look.game], variant, len(look.names), played)[number].position
    return move_in_words(look.game, position, move)


def _tree(position: Position, chosen: Choices, steps: Sequence[Step], room: list[int]) -> list[Data]:
    """Return choices with those that follow them; ``next`` is None where these have to be asked for.

    ``complete`` says that they may be sent, not that a guess is legal.
    """
    room[0] -= len(steps)
    after = [(*chosen, step.key) for step in steps]
    every = []
    for step, reached in zip(steps, after, strict=True):
        following = position.steps(reached) if room[0] > 0 else None
        if following is not None and len(following) > room[0]:
            following = None
        said = None if following is None else _tree(position, reached, following, room)
        every.append(
            {
                "key": step.key,
                "label": translated(step.label),
                "short": translated(step.caption),
                "square": step.square,
                "complete": step.guess or step.move is not None,
                "guess": step.guess,
                "spent": step.spent,
                "next": said,
                "prompt": translated(position.prompt(reached)) if said else "",
            }
        )
    return every
