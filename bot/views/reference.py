"""Reference pages: the games, the rules of a game with diagrams, and those of cups."""

from __future__ import annotations

import discord

from bot.games import GAMES
from bot.games.faults import of_each
from bot.games.game import Game, Variant
from bot.games.guides import Page, differs_by_variant
from bot.matches.model.cups import BOARDS, FEWEST, LATE, MOST
from bot.matches.model.refusals import Refusal, check_installed
from bot.messages import custom_ids
from bot.messages.guides import guide_pages
from bot.messages.layout import OPTION_LIMIT, Part, beside, box, button, gallery, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import shorten
from bot.requests.request import Request
from bot.views.against_computer import play_button
from bot.views.answers import Reply
from bot.views.controls import in_place, menu, page_of, privately
from bot.views.game_menu import known_game
from renderers.i18n import bracketed, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = 5
"""Games on a page: each takes seven of the forty components that Discord allows in a message."""
_Row = discord.ui.ActionRow[discord.ui.LayoutView]


@in_place(custom_ids.GAMES_PAGE)
async def on_games_page(request: Request, ids: custom_ids.GamesPage) -> Reply:
    """Turn to the page before or after."""
    return await games(request, ids.page)


@privately(custom_ids.RULES)
async def on_rules(request: Request, ids: custom_ids.OfVariant) -> Reply:
    """Show the rules of a game in one variant."""
    return await _rules(request, ids.game, ids.variant)


@in_place(custom_ids.RULES_PAGE)
async def on_rules_page(request: Request, ids: custom_ids.RulesPage) -> Reply:
    """Turn to the page before or after, or to the aside at the end."""
    return await _rules(request, ids.game, ids.variant, ids.page)


@menu(custom_ids.RULES_CONTENTS)
async def on_rules_contents(request: Request, ids: custom_ids.RulesContents, page: str) -> Reply:
    return await _rules(request, ids.game, ids.variant, page_of(page))


@menu(custom_ids.RULES_VARIANT)
async def on_rules_variant(request: Request, ids: custom_ids.OfGame, variant: str) -> Reply:
    """Begin the rules of another variant."""
    return await _rules(request, ids.game, variant)


async def games(request: Request, number: int = 0) -> Reply:
    """Return one page of the games, the first being 0, or the last page where there are fewer."""
    renderer, theme = request.context.renderer, request.preferences.theme
    every = list(GAMES.values())
    last = (len(every) - 1) // PAGE
    number = min(number, last)
    shown = every[number * PAGE : (number + 1) * PAGE]
    drawn = {game: picture for game in shown if (picture := await renderer.thumbnail(game, theme))}
    boxes = of_each(lambda game: _entry(game, drawn[game]), drawn)
    turns = [row(_turn(number, number - 1, last), _turn(number, number + 1, last))] if last else []
    return Reply(view=layout(*boxes, *turns), attachments=tuple(drawn.values()))


def _entry(game: Game, picture: Picture) -> discord.ui.Container[discord.ui.LayoutView]:
    designer = _("Designer unknown") if game.designer == "unknown" else _("By {designer}", designer=game.designer)
    players = game.players
    if len(players) == 1:
        count = _n("{n} player", "{n} players", players.start)
    else:
        count = _("{fewest} to {most} players", fewest=players.start, most=players.stop - 1)
    words = beside(f"### {translated(game.name)}\n{translated(game.summary)}\n-# {designer} · {count}", picture)
    rules = button(custom_ids.RULES(game=game.key, variant=""), _("Rules of {game}", game=game.name))
    return box(words, row(rules, *play_button(game)))


def _turn(number: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    back, target = to < number, min(max(to, 0), last)
    custom_id = custom_ids.GAMES_PAGE(page=target, side="back" if back else "next")
    return button(custom_id, _("← Back") if back else _("Next →"), disabled=target == number)


async def rules(request: Request, key: str, variant: str = "", number: int = 0) -> Reply:
    """Return one page of a game's rules, the first being 0, with diagrams as the person likes them.

    ``variant`` is its key, or empty for the first variant. A number beyond the end is
    the last page: the guide may have had more pages when the button was posted. Raises ``Refusal`` for an unknown game
    or variant.
    """
    game = GAMES[known_game(key)]
    try:
        meant = game.variant(variant) if variant else game.variants[0]
    except KeyError as error:
        raise Refusal(
            _("{game} doesn't have that variant any more. `/games` shows the ones it has.", game=game.name)
        ) from error
    pages = guide_pages(game, meant)
    shown = pages[min(number, len(pages) - 1)]
    renderer, theme = request.context.renderer, request.preferences.theme
    title = translated(game.name)
    if differs_by_variant(game):
        title = bracketed(title, meant.name)
    parts: list[Part] = [f"### {headed(title, shown.title)}\n{shown.text}"]
    pictures = []
    for index, diagram in enumerate(shown.diagrams):
        drawn = await renderer.diagram(diagram, theme)
        pictures.append(Picture(drawn.data, drawn.description, f"diagram{index}.png"))
        parts += [discord.ui.Separator(visible=False)] if index else []
        parts.append(gallery(pictures[-1]))
        parts += [f"-# {diagram.caption}"] if diagram.caption else []
    view = layout(box(*parts), *_rules_controls(game, meant, pages, shown))
    return Reply(view=view, attachments=tuple(pictures))


async def _rules(request: Request, key: str, variant: str, number: int = 0) -> Reply:
    """Return one page of the rules of a game that a control names: it was installed when the control was posted."""
    check_installed(key)
    return await rules(request, key, variant, number)


def _rules_controls(game: Game, variant: Variant, pages: tuple[Page, ...], shown: Page) -> list[_Row]:
    """Return the controls of a page: back, next, the aside on the last page, contents, and variants on the first."""
    number, numbered = pages.index(shown), [(at, each) for at, each in enumerate(pages) if not each.aside]
    last = numbered[-1][0]

    def turn(to: int, side: custom_ids.Side) -> str:
        return custom_ids.RULES_PAGE(game=game.key, variant=variant.key, page=to, side=side)

    turning = [
        button(turn(max(number - 1, 0), "back"), _("← Back"), disabled=number == 0),
        button(turn(min(number + 1, last), "next"), _("Next →"), disabled=number >= last),
    ]
    if number == last:
        turning += [button(turn(at, "next"), each.title) for at, each in enumerate(pages) if each.aside]
    turning += play_button(game, variant)
    contents = [
        discord.SelectOption(
            label=shorten(f"{at + 1}. {each.title}", OPTION_LIMIT), value=str(at), default=at == number
        )
        for at, each in numbered
    ]
    contents_id = custom_ids.RULES_CONTENTS(game=game.key, variant=variant.key, page=number)
    rows = [row(*turning), row(select(contents_id, _("Go to a page"), contents))]
    if number == 0 and differs_by_variant(game):
        others = [
            discord.SelectOption(
                label=shorten(_("Rules: {variant}", variant=each.name), OPTION_LIMIT),
                value=each.key,
                description=shorten(each.description, OPTION_LIMIT) or None,
                default=each == variant,
            )
            for each in game.variants
        ]
        rows.append(row(select(custom_ids.RULES_VARIANT(game=game.key), _("Rules of another variant"), others)))
    return rows


def rules_of_cups() -> str:
    """Return the rules of cups. ``docs/cups.md`` tells the same."""
    paragraphs = [
        _("### Rules of cups"),
        _(
            "**Who** {fewest} to {most} people. Everyone plays everyone once. With three or four people they play "
            "twice, once on each side. The order is drawn by lot, and everybody goes first about equally often.",
            fewest=FEWEST,
            most=MOST,
        ),
        _(
            "**Play** You have at most {boards} matches of a cup at once; when one ends, the next begins by itself. "
            "You lose a match as soon as your time for a move is up; where the cup's card says so, up to two of your "
            "days away are used first.",
            boards=BOARDS,
        ),
        _("**Live** In a cup with less than an hour for each, everyone plays everyone once, one match at a time."),
        _(
            "**Points** 2 for a win, 1 for a draw. Ties are decided by the points among the tied, then by "
            "Sonneborn-Berger (the points of those you beat, and half those of those you drew with), then by wins. "
            "After that, they are equal."
        ),
        _(
            "**Withdrawing** **Leave** in `/cup`, {late} losses on time, leaving the server, a bar, removal by a "
            "manager, or deleting your data take you out of the cup. With less than half of your matches played, all "
            "your results are annulled; otherwise you forfeit the rest. Matches that are running go on, but no longer"
            " count for the cup. If you leave the server I may notice only later, at the latest when your time in a "
            "match is up. Players who are out stand below all others, and win nothing.",
            late=LATE,
        ),
        _(
            "**Trouble** A voided match counts for nobody and is not played again; after the end of a cup its table "
            "stays. If the bot is removed from the server, clocks stand still until it is back. If the channel is "
            "deleted, `/cup` takes the cup to another one, and `/board` its matches. If a game isn't available, "
            "its matches wait. If all but one are annulled, or a manager closes the cup, there are no results."
        ),
    ]
    return "\n".join(paragraphs)
