"""Leaderboards in pages, and the profile of one person."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import StrEnum

import discord

from bot.games import GAMES, game_named
from bot.matches.model.rating import deviation, format_rating, points
from bot.matches.services.match_queries import Profile
from bot.messages import custom_ids
from bot.messages.cup import MEDALS
from bot.messages.layout import box, button, gallery, layout, row
from bot.messages.wording import line_number, listed, mention, results, score
from bot.requests.context import ChosenPerson
from bot.requests.request import Request
from bot.storage import cups, match_lists
from bot.storage.cups import Trophy
from bot.storage.leaderboards import Part, Placed
from bot.storage.puzzles import PuzzleRating
from bot.storage.ratings import OVERALL
from bot.views.answers import Reply
from bot.views.controls import in_place
from bot.views.game_menu import known_game
from bot.views.puzzles import rated_record
from renderers.charts.line_chart import MOST_SERIES, Chart, Series
from renderers.charts.profile import MOST_RESULTS, MOST_ROWS, ProfileRow
from renderers.charts.ranking import Row, spread_shares
from renderers.dates import long_day
from renderers.i18n import bracketed, capitalised, gettext_lazy, headed, number, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = 10
EVERY_GAME = "all"
"""Stands for all games together in options and controls."""
WHY_OVERALL = gettext_lazy(
    "“All games” is one rating for all matches together, not an average of the others, so it can "
    "lie above or below every one of them."
)


class By(StrEnum):
    """The orders of a leaderboard."""

    RATING = "rating"
    MONTH = "month"


@in_place(custom_ids.LEADERBOARD)
async def on_leaderboard(request: Request, ids: custom_ids.LeaderboardPage) -> Reply:
    """Turn to the page before or after."""
    return await leaderboard(request, ids.game, By(ids.by), ids.page)


async def leaderboard(request: Request, game: str, by: By, page: int = 0) -> Reply:
    """Return one page of a leaderboard, the first being 0, with the reader's own line. Raises ``Refusal``."""
    user_id = request.person.id
    if game != EVERY_GAME:
        game = known_game(game)
    part = Part(page, PAGE, user_id)
    queries = request.services.queries
    read = queries.winners if by is By.MONTH else queries.leaderboard
    board = await read(request.server, OVERALL if game == EVERY_GAME else game, part)
    if not board.listed:
        return Reply(_nobody(game, by))
    if game == EVERY_GAME:
        title = _("all games") if by is By.RATING else _("all games, won this month")
    else:
        name = translated(GAMES[game].name)
        title = name if by is By.RATING else _("{game}, won this month", game=name)
    shown = [*board.listed] if board.own is None else [*board.listed, board.own]
    lines = [_line(placed, user_id) for placed in shown]
    if board.own is not None:
        lines.insert(-1, "…")
    names = await request.services.read(match_lists.names, request.server, [placed.user_id for placed in shown])
    last = board.last
    turns = [row(*(_turn(game, by, board.page, to, last) for to in (board.page - 1, board.page + 1)))] if last else []
    head = _("### Leaderboard: {title}", title=title)
    foot = [f"-# {translated(WHY_OVERALL)}"] if game == EVERY_GAME and by is By.RATING else []
    if request.preferences.text_boards:
        return Reply(view=layout(box("\n".join([head, *lines, *foot])), *turns))
    rows = _rows(shown, names, user_id, board.high)
    picture = await request.context.renderer.ranks(rows, capitalised(title), request.preferences.theme)
    return Reply(view=layout(box(head, gallery(picture), *foot), *turns), attachments=(picture,))


def _rows(shown: Sequence[Placed], names: Mapping[int, str], reader: int, most: int) -> list[Row]:
    """Return the rows of the picture: ratings with how uncertain they are, or wins of at most ``most``."""
    scale = spread_shares(
        [placed.value for placed in shown], [deviation(placed.rating) if placed.rating else 0 for placed in shown]
    )
    rows = []
    for placed, (share, spread) in zip(shown, scale, strict=True):
        name, own, rating = names.get(placed.user_id, "?"), placed.user_id == reader, placed.rating
        if rating is None:
            rows.append(Row(placed.place, name, number(placed.value), placed.value / most, own))
        else:
            value = f"{format_rating(rating)} ±{deviation(rating)}"
            rows.append(Row(placed.place, name, value, share, own, results(rating), spread))
    return rows


def _nobody(game: str, by: By) -> str:
    name = "" if game == EVERY_GAME else GAMES[game].name
    if by is By.MONTH:
        empty = (
            _("Nobody has won a game of {game} here this month.", game=name)
            if name
            else _("Nobody has won a game here this month.")
        )
    else:
        empty = (
            _("Nobody has finished a rated game of {game} here lately.", game=name)
            if name
            else _("Nobody has finished a rated game here lately.")
        )
    invitation = _("`/challenge` somebody to be the first.")
    return prose([empty, invitation])


def _turn(game: str, by: By, page: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    back, target = to < page, min(max(to, 0), last)
    order: custom_ids.Order = "month" if by is By.MONTH else "rating"
    custom_id = custom_ids.LEADERBOARD(game, order, target, "back" if back else "next")
    return button(custom_id, _("← Back") if back else _("Next →"), disabled=target == page)


def _line(placed: Placed, reader: int) -> str:
    words = _n("**{n}** won", "**{n}** won", placed.value) if placed.rating is None else score(placed.rating)
    line = f"{line_number(placed.place)} {mention(placed.user_id)} · {words}"
    return _("{line} ← you", line=line) if placed.user_id == reader else line


async def profile(request: Request, chosen: ChosenPerson) -> Reply:
    """Return a person's ratings and results in this server. Raises ``Refusal``."""
    if chosen.bot:
        return Reply(_("Bots have no profile here."))
    user_id = chosen.person.id
    shown = await request.services.queries.profile(request.server, user_id, request.person.id)
    puzzles = await request.services.puzzles.rating_of(user_id)
    trophies = await request.services.read(cups.trophies, request.server, user_id, last_place=len(MEDALS))
    words = _profile_text(shown, user_id, puzzles, trophies)
    if not shown.records:
        own = user_id == request.person.id
        invitation = [_("Begin with `/play` against me, or `/challenge` somebody.")] if own else []
        return Reply(view=layout(box("\n".join([words, *invitation]))))
    if request.preferences.text_boards:
        return Reply(view=layout(box("\n".join([words, *_games_in_words(shown)]))))
    renderer, theme = request.context.renderer, request.preferences.theme
    picture = await renderer.profile(chosen.person.name, profile_rows(shown), profile_chart(shown), theme)
    return Reply(view=layout(box(gallery(picture), words)), attachments=(picture,))


def _profile_text(profile: Profile, user_id: int, puzzles: PuzzleRating | None, trophies: Sequence[Trophy]) -> str:
    lines = [f"### {mention(user_id)}"]
    finished = profile.total.games
    if not finished:
        lines.append(_("No matches finished here yet."))
    else:
        words = _(
            "{finished} finished, {running} running, rated or not",
            finished=number(finished),
            running=number(profile.running),
        )
        lines.append(words)
    beaten = [f"{translated(game_named(key).name)} {level}" for key, level in profile.levels_beaten.items()]
    if beaten:
        lines.append(_("Highest bot level beaten, in any server: {levels}", levels=listed(beaten)))
    if trophies:
        names = [bracketed(_("Cup {cup}", cup=trophy.cup_id), game_named(trophy.game).name) for trophy in trophies]
        won = [f"{MEDALS[trophy.place - 1]} {name}" for trophy, name in zip(trophies, names, strict=True)]
        lines.append(_("Cups: {trophies}", trophies=listed(won)))
    if profile.against.games:
        lines.append(_("Against you: {results}", results=results(profile.against)))
    if profile.streak > 1:
        lines.append(_n("{n} win in a row", "{n} wins in a row", profile.streak))
    elif profile.streak < -1:
        lines.append(_n("{n} loss in a row", "{n} losses in a row", -profile.streak))
    if puzzles is not None:
        lines.append(_("Puzzles, in every server: {results}", results=rated_record(puzzles)))
    if len(profile.records) > 1:
        lines.append(f"-# {translated(WHY_OVERALL)}")
    return "\n".join(lines)


def _games_in_words(profile: Profile) -> list[str]:
    """Return a line for each game, for those who read instead of the picture."""
    overall = [_("All games: {rating}", rating=_rating_words(profile, OVERALL))] if len(profile.records) > 1 else []
    return overall + [
        headed(game_named(key).name, f"{_rating_words(profile, key)} · {results(of)}")
        for key, of in profile.records.items()
    ]


def _rating_words(profile: Profile, key: str) -> str:
    rating = profile.ratings.get(key)
    return f"**{format_rating(rating)}**" if rating is not None and rating.games else _("not rated")


def profile_rows(profile: Profile) -> list[ProfileRow]:
    """Return the rows of the picture: all games together first if there are several, then the most played ones."""
    played = sorted(profile.records, key=lambda key: -profile.records[key].games)
    several = [OVERALL] if len(played) > 1 else []
    drawn = _drawn(profile)
    rows = []
    for key in [*several, *played][:MOST_ROWS]:
        ends = [won for game, won in profile.latest if key in (OVERALL, game)][-MOST_RESULTS:]
        counts = profile.total if key == OVERALL else profile.records[key]
        value, line = _rating_words(profile, key).strip("*"), drawn.index(key) if key in drawn else None
        rows.append(ProfileRow(_name(key), value, results(counts), tuple(ends), line))
    return rows


def _drawn(profile: Profile) -> list[str]:
    """Return the games in the rating graph: all together first, then each if there is more than one."""
    games = [key for key in profile.histories if key != OVERALL and profile.histories[key]]
    by_length = sorted(games, key=lambda key: -len(profile.histories[key]))
    return [OVERALL, *by_length][:MOST_SERIES] if len(games) > 1 else games


def profile_chart(profile: Profile) -> Chart | None:
    """Return the rating graph over the rated matches, counted from 1, or None without any.

    Each line begins with the rating before its first match.
    """
    drawn = _drawn(profile)
    if not drawn:
        return None
    every = profile.histories[drawn[0]]
    total = profile.ratings[drawn[0]].games
    # Of many matches the history holds every second, third and so on, from the last one back.
    step = -(-total // max(len(every), 1))
    order = [(each.at, each.match_id) for each in every]
    lines = []
    for key in drawn:
        changes = profile.histories[key]
        numbers = [total - step * (len(order) - bisect_right(order, (each.at, each.match_id))) for each in changes]
        begin = (float(numbers[0] - 1), float(points(changes[0].mu_before)))
        ends = ((float(at), float(points(each.mu_after))) for at, each in zip(numbers, changes, strict=True))
        lines.append(Series(_name(key), (begin, *ends)))
    first = long_day(min(profile.histories[key][0].at for key in drawn))
    return Chart(tuple(lines), unit=_("Rated matches since {day}", day=first))


def _name(key: str) -> str:
    return _("All games") if key == OVERALL else translated(game_named(key).name)
