"""Leaderboards in pages, and the profile of one person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from bot.games import GAMES, game_named
from bot.matches.model.rating import format_rating, points
from bot.matches.services.match_queries import Profile
from bot.messages import custom_ids
from bot.messages.cup import MEDALS
from bot.messages.layout import box, button, gallery, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import listed, mention, record, results
from bot.requests.context import ChosenPerson
from bot.requests.request import Request
from bot.storage.cups import Trophy
from bot.storage.puzzles import PuzzleRating
from bot.storage.ratings import OVERALL
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control
from bot.views.game_menu import known_game
from bot.views.puzzles import rated_record
from renderers.charts.line_chart import MOST_SERIES, Series
from renderers.charts.ranking import Row, bar_share
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


class LeaderboardButton(Control, of=custom_ids.LEADERBOARD):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, leaderboard, match["game"], By(match["verb"]), int(match["page"]))


async def leaderboard(request: Request, game: str, by: By, page: int = 0) -> Reply:
    """Return one page of a leaderboard, the first being 0, with the reader's own line. Raises ``Refusal``."""
    user_id = request.person.id
    if game != EVERY_GAME:
        game = known_game(game)
    ranked = await _ranked(request, OVERALL if game == EVERY_GAME else game, by)
    if not ranked:
        return Reply(_nobody(game, by))
    last = (len(ranked) - 1) // PAGE
    page = min(page, last)
    listed = ranked[page * PAGE : (page + 1) * PAGE]
    own = next((numbered for numbered in ranked if numbered[1].user_id == user_id), None)
    lines = [_line(rank, entry, user_id) for rank, entry in listed]
    if own is not None and own not in listed:
        listed.append(own)
        lines += ["…", _line(*own, user_id)]
    title = _title(game, by)
    names = await request.services.queries.names(request.server, [entry.user_id for _, entry in listed])
    picture = await _picture(request, listed, ranked, capitalised(title), by, names)
    foot = [_FOOT[by], WHY_OVERALL if game == EVERY_GAME and by is By.RATING else ""]
    words = "\n".join(
        [_("### Leaderboard: {title}", title=title), *lines, *(f"-# {translated(line)}" for line in foot if line)]
    )
    turns = [row(_turn(game, by, page, page - 1, last), _turn(game, by, page, page + 1, last))] if last else []
    return Reply(view=layout(box(gallery(picture), words), *turns), attachments=(picture,))


def _nobody(game: str, by: By) -> str:
    """Say that a leaderboard is empty."""
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


def _title(game: str, by: By) -> str:
    """Return the title of a leaderboard, to follow a colon."""
    if game != EVERY_GAME:
        name = translated(GAMES[game].name)
        return name if by is By.RATING else _("{game}, won this month", game=name)
    return _("all games") if by is By.RATING else _("all games, won this month")


_FOOT = {By.RATING: gettext_lazy("A rating with ? is still uncertain; it settles after some games."), By.MONTH: ""}


@dataclass(frozen=True, slots=True)
class _Entry:
    user_id: int
    words: str
    label: str
    """The label beside the bar in the picture."""
    value: float
    """The value that the length of the bar shows."""


Ranked = list[tuple[int, _Entry]]


async def _ranked(request: Request, game: str, by: By) -> Ranked:
    queries, guild_id = request.services.queries, request.server
    if by is By.MONTH:
        winners = await queries.winners(guild_id, game)
        entries = [
            _Entry(user_id, _n("**{n}** won", "**{n}** won", wins), number(wins), wins) for user_id, wins in winners
        ]
    else:
        rated = await queries.leaderboard(guild_id, game)
        entries = [_Entry(one.user_id, record(one), format_rating(one), points(one.mu)) for one in rated]
    return list(enumerate(entries, 1))


async def _picture(request: Request, page: Ranked, every: Ranked, title: str, by: By, names: dict[int, str]) -> Picture:
    """Draw a page. The longest bar is the best of all pages; bars of wins begin at zero."""
    values = [entry.value for _, entry in every]
    rows = [
        Row(
            rank,
            names.get(entry.user_id, "?"),
            entry.label,
            bar_share(entry.value, values, from_zero=by is By.MONTH),
            entry.user_id == request.person.id,
        )
        for rank, entry in page
    ]
    return await request.context.renderer.ranks(rows, title, request.preferences.theme)


def _turn(game: str, by: By, page: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Back")) if to < page else ("next", _("Next →"))
    wanted = min(max(to, 0), last)
    custom_id = custom_ids.LEADERBOARD(game=game, verb=by, page=wanted, side=side)
    return button(custom_id, label, disabled=wanted == page)


def _line(rank: int, entry: _Entry, reader: int) -> str:
    line = f"{rank}. {mention(entry.user_id)} · {entry.words}"
    return _("{line} ← you", line=line) if entry.user_id == reader else line


async def profile(request: Request, chosen: ChosenPerson) -> Reply:
    """Return a person's ratings and results in this server. Raises ``Refusal``."""
    if chosen.bot:
        return Reply(_("Bots have no profile here."))
    user_id = chosen.person.id
    found = await request.services.queries.profile(request.server, user_id, request.person.id)
    puzzles = await request.services.puzzles.record(user_id)
    trophies = await request.services.cup_queries.trophies(request.server, user_id)
    words, series = _profile_text(found, user_id, puzzles, trophies), _series(found)
    if not series:
        return Reply(view=layout(box(words)))
    title, theme = _("Ratings of {person}", person=chosen.person.name), request.preferences.theme
    graph = await request.context.renderer.ratings(series, title, theme)
    return Reply(view=layout(box(words, gallery(graph))), attachments=(graph,))


def _profile_text(profile: Profile, user_id: int, puzzles: PuzzleRating | None, trophies: Sequence[Trophy]) -> str:
    lines = [f"### {mention(user_id)}"]
    finished = sum(of.games for of in profile.records.values())
    if not finished:
        lines.append(_("No matches finished here yet."))
    if len(profile.records) > 1:
        lines.append(_("All games: {rating}", rating=_rated(profile, OVERALL)))
    lines += [
        headed(game_named(key).name, f"{_rated(profile, key)} · {results(of)}") for key, of in profile.records.items()
    ]
    beaten = [f"{translated(game_named(key).name)} {level}" for key, level in profile.levels_beaten.items()]
    if beaten:
        lines.append(_("Highest bot level beaten, in any server: {levels}", levels=listed(beaten)))
    if trophies:
        lines.append(_("Cups: {trophies}", trophies=listed(map(_trophy, trophies))))
    if profile.against.games:
        lines.append(_("Against you: {results}", results=results(profile.against)))
    if abs(profile.streak) > 1:
        lines.append(_streak(profile.streak))
    if puzzles is not None:
        lines.append(_("Puzzles, in every server: {results}", results=rated_record(puzzles)))
    if len(profile.records) > 1:
        lines.append(f"-# {translated(WHY_OVERALL)}")
    lines.append(
        _(
            "-# {finished} finished, {running} running, rated or not",
            finished=number(finished),
            running=number(profile.running),
        )
    )
    return "\n".join(lines)


def _trophy(trophy: Trophy) -> str:
    name = _("Cup {cup}", cup=trophy.cup_id)
    return f"{MEDALS[trophy.place - 1]} {bracketed(name, game_named(trophy.game).name)}"


def _streak(matches: int) -> str:
    if matches > 0:
        return _n("{n} win in a row", "{n} wins in a row", matches)
    return _n("{n} loss in a row", "{n} losses in a row", -matches)


def _rated(profile: Profile, key: str) -> str:
    rating = profile.ratings.get(key)
    return f"**{format_rating(rating)}**" if rating is not None and rating.games else _("not rated")


def _series(profile: Profile) -> list[Series]:
    """Return the lines of the rating graph: all games together first, then each game if there is more than one."""
    known = [key for key in profile.histories if key != OVERALL and profile.histories[key]]
    keys = [OVERALL, *sorted(known, key=lambda key: -len(profile.histories[key]))] if len(known) > 1 else known
    return [
        Series(
            _("All games") if key == OVERALL else translated(game_named(key).name),
            tuple((change.at, float(points(change.mu_after))) for change in profile.histories[key]),
        )
        for key in keys[:MOST_SERIES]
    ]
