"""The messages of a cup: its card while it is open, its table while it runs, and the final table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord

from bot.games import GAMES, game_named
from bot.matches.model.cups import CupTable, Standing
from bot.matches.model.pace import Pace, is_live, pace_in_words
from bot.matches.model.typed import DAY
from bot.matches.services.cup_queries import CupView
from bot.messages import custom_ids
from bot.messages.layout import ACCENT, Outgoing, Part, beside, box, button, gallery, layout, row
from bot.messages.pictures import DESCRIPTION_LIMIT, PUBLIC, BoardRenderer, Picture
from bot.messages.wording import (
    ENDS,
    escaped,
    game_name,
    line_number,
    listed,
    mention,
    mention_or_name,
    one_line,
    place_in_words,
)
from bot.storage.contest_states import CupStart, CupState, PairingState, Withdrawal
from bot.storage.cups import Cup, CupPlayer, Pairing
from bot.storage.records import Person
from renderers.charts.crosstable import ResultMark, TableRow, Winner
from renderers.i18n import (
    capitalised,
    enumerated,
    gettext_lazy,
    headed,
    number,
    pgettext_lazy,
    prose,
    sentence,
    translated,
)
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

_MARKS = {
    PairingState.PLANNED: (ResultMark.TO_PLAY, ResultMark.TO_PLAY),
    PairingState.RUNNING: (ResultMark.PLAYING, ResultMark.PLAYING),
    PairingState.FIRST_WON: (ResultMark.WON, ResultMark.LOST),
    PairingState.SECOND_WON: (ResultMark.LOST, ResultMark.WON),
    PairingState.DRAWN: (ResultMark.DRAWN, ResultMark.DRAWN),
    PairingState.FIRST_BY_FORFEIT: (ResultMark.AWARDED, ResultMark.FORFEITED),
    PairingState.SECOND_BY_FORFEIT: (ResultMark.FORFEITED, ResultMark.AWARDED),
    PairingState.VOIDED: (ResultMark.VOIDED, ResultMark.VOIDED),
}
"""The marks of a pairing in the lines of its first and its second player."""
_ENDED = {
    CupState.TOO_FEW: gettext_lazy("**Closed:** fewer than three had joined when it was due to begin."),
    CupState.CANCELLED: pgettext_lazy("cup", "**Cancelled.**"),
    CupState.CLOSED: gettext_lazy("**Closed** without results by people who manage this server. Its matches go on."),
    CupState.DESERTED: gettext_lazy("**Closed:** too many people withdrew, so no result counts."),
}
_OUT = {
    Withdrawal.OWN: gettext_lazy("withdrew"),
    Withdrawal.LATE: gettext_lazy("out after two losses on time"),
    Withdrawal.GONE: gettext_lazy("left the server"),
    Withdrawal.BARRED: gettext_lazy("barred"),
    Withdrawal.REMOVED: gettext_lazy("removed"),
    Withdrawal.DELETED: gettext_lazy("withdrew"),
}
MEDALS = ("🥇", "🥈", "🥉")


def cup_title(cup: Cup) -> str:
    """Return a cup's name for people: number, game and variant."""
    return _("Cup {cup} · {game}", cup=cup.id, game=game_name(cup.game, cup.variant))


def marker(cup: Cup) -> str:
    """Return the custom id by which the message of a cup is recognised: that of its rules button."""
    return custom_ids.CUP(verb="rules", cup=cup.id)


def result_marker(cup: Cup) -> str:
    """Return the custom id by which the final table of a cup is recognised."""
    return custom_ids.CUP(verb="again", cup=cup.id)


async def message(renderer: BoardRenderer, view: CupView) -> Outgoing:
    """Return the one message of a cup, as it stands: its card, its table, or how it ended."""
    cup = view.cup
    rules = button(marker(cup), _("Rules"))
    if cup.state is CupState.OPEN:
        picture = await renderer.thumbnail(GAMES[cup.game]) if cup.game in GAMES else None
        words = _card(view)

        def custom_id(verb: custom_ids.CupVerb) -> str:
            return custom_ids.CUP(verb=verb, cup=cup.id)

        full = len(cup.players) >= cup.places
        begin = button(custom_id("begin"), _("Begin"), discord.ButtonStyle.primary)
        shown = box(
            words if picture is None else beside(words, picture),
            row(
                button(custom_id("join"), _("Join"), discord.ButtonStyle.success, disabled=full),
                button(custom_id("leave"), _("Leave")),
                *([] if cup.start is CupStart.TIME else [begin]),
                rules,
                button(custom_id("cancel"), _p("cup", "Cancel"), discord.ButtonStyle.danger),
            ),
            accent=ACCENT,
        )
        return Outgoing(layout(shown), marker(cup), () if picture is None else (picture,), view.invited)
    if view.table is None or cup.state in _ENDED:
        return Outgoing(layout(box(f"### {cup_title(cup)}\n{translated(_ENDED[cup.state])}", row(rules))), marker(cup))
    picture = await table_picture(renderer, view)
    matches = button(custom_ids.CUP(verb="matches", cup=cup.id), _("Matches"))
    latest = []
    if view.latest:
        results = enumerated(pairing_words(view.table, pairing) for pairing in view.latest)
        latest.append("-# " + _("Latest results: {results}", results=results))
    # While a cup runs the picture is its table, whose description says it in words; it has no room for who left why.
    table = table_words(view, gone=cup.state is CupState.RUNNING)
    parts: list[Part] = [f"### {cup_title(cup)}", gallery(picture), *latest, table, row(matches, rules)]
    return Outgoing(layout(box(*parts, accent=ACCENT)), marker(cup), (picture,))


async def result(renderer: BoardRenderer, view: CupView) -> Outgoing:
    """Return the final table of a cup that is over, with a line for the winner."""
    cup, table = view.cup, view.table
    assert table is not None
    picture = await table_picture(renderer, view)
    words = f"## {winners(table)}\n{table_words(view)}"
    again = button(result_marker(cup), _("Another cup"), discord.ButtonStyle.success)
    buttons = row(again, button(custom_ids.CUP(verb="matches", cup=cup.id), _("Matches")))
    first = (table.players[player].person for player in table.winners())
    notified = tuple(person.id for person in first if person.mentionable)
    view_ = layout(box(f"### {cup_title(cup)}", gallery(picture), words, buttons, accent=ACCENT))
    return Outgoing(view_, result_marker(cup), (picture,), notified, silent=True)


def lost_card(cup: Cup) -> str:
    """Return the direct message to a person whose cup can be posted nowhere."""
    return _(
        "I couldn't post your {game} cup, so I cancelled it. Try `/cup` in another channel, or ask somebody "
        "who manages the server to let me post there.",
        game=game_named(cup.game).name,
    )


def out(cup: Cup, why: Withdrawal) -> str:
    """Return the direct message to a player who is out of a cup without an act of theirs."""
    cause = (
        _("You have lost two matches of {cup} on time, so you are out of it.", cup=cup_title(cup))
        if why is Withdrawal.LATE
        else _("A person who manages the server has removed you from {cup}.", cup=cup_title(cup))
    )
    return prose([cause, _("Matches that are running go on, but don't count for the cup.")])


def winners(table: CupTable, named: Callable[[Person], str] = mention_or_name) -> str:
    """Return who has won a cup, as a sentence; ``named`` writes the names."""
    first = [named(table.players[player].person) for player in table.winners()]
    if not first:
        return _("Nobody wins this cup.")
    return _n("{winners} wins the cup!", "{winners} share the cup!", len(first), winners=listed(first))


async def table_picture(renderer: BoardRenderer, view: CupView, theme: str = PUBLIC.theme) -> Picture:
    table = view.table
    assert table is not None
    standings = table.standings()
    order = [line.player for line in standings]
    lines = [
        TableRow(
            translated(table.players[line.player].person.name),
            "" if line.place is None else number(line.points),
            tuple(_cell(table, line.player, other) for other in order),
            line.place,
            table.players[line.player].withdrawal is not None,
        )
        for line in standings
    ]
    won = [line for line in standings if line.player in table.winners()] if view.cup.state is CupState.OVER else []
    head = sentence(cup_title(view.cup))
    first = [winners(table, lambda person: translated(person.name))] if won else []
    words = prose([head, *first, *(sentence(_line_in_words(table, line, order)) for line in standings)])
    if len(words) > DESCRIPTION_LIMIT:
        words = prose([head, *first, *(sentence(_line_in_words(table, line, [])) for line in standings)])
    shown = {mark for line in lines for cell in line.cells for mark in cell}
    explained = (
        ((ResultMark.WON,), ENDS[True], True),
        ((ResultMark.DRAWN,), ENDS[None], True),
        ((ResultMark.LOST,), ENDS[False], True),
        ((ResultMark.PLAYING,), _("being played"), ResultMark.PLAYING in shown),
        ((ResultMark.TO_PLAY,), _("to come"), ResultMark.TO_PLAY in shown),
        ((ResultMark.AWARDED, ResultMark.FORFEITED), _("by forfeit"), ResultMark.AWARDED in shown),
        ((ResultMark.VOIDED,), _("voided"), ResultMark.VOIDED in shown),
    )
    legend = [(marks, translated(meaning)) for marks, meaning, needed in explained if needed]
    names = listed(translated(table.players[line.player].person.name) for line in won)
    banner = Winner(names, _standing(table.players[won[0].player], won[0])) if won else None
    return await renderer.crosstable(lines, _("Points"), legend, banner, words, theme)


def table_words(view: CupView, *, gone: bool = False) -> str:
    """Return the table of a cup as a list, or only of those who are ``gone``, with its terms below."""
    return "\n".join([*table_lines(view, gone=gone), f"-# {terms(view.cup)}"])


def table_lines(view: CupView, *, marked: bool = True, gone: bool = False) -> list[str]:
    """Return the lines of a cup's table: for a message, or without mentions and marks for a text file.

    With ``gone`` they are those of players who are out.
    """
    table = view.table
    assert table is not None
    lines = []
    for line in table.standings():
        player = table.players[line.player]
        if gone and not player.withdrawal:
            continue
        name = mention_or_name(player.person) if marked else one_line(player.person.name)
        place = line_number(line.place) if marked and line.place is not None else place_in_words(line.place)
        lines.append(f"{place} {name} · {_standing(player, line, bold=marked)}")
    return lines


def state_in_words(cup: Cup) -> str:
    """Return how a cup stands, in a few words: who has won it, or how many have joined."""
    match cup.state:
        case CupState.OPEN:
            return _("open: {count} of {places} have joined", count=len(cup.players), places=cup.places)
        case CupState.RUNNING:
            return _n("running: {n} player", "running: {n} players", len(cup.players))
        case CupState.OVER:
            first = [
                mention_or_name(player.person) for player in cup.players if player.place == 1 and not player.withdrawal
            ]
            return _("won by {winners}", winners=listed(first)) if first else _p("cup", "over")
        case CupState.CANCELLED:
            return _p("cup", "cancelled")
        case CupState.TOO_FEW | CupState.CLOSED | CupState.DESERTED:
            return _p("cup", "closed without results")


def terms(cup: Cup) -> str:
    """Return the terms of a cup: ``Everyone plays everyone · 3 days a move · rated``."""
    rated = _("rated") if cup.rated else _("not rated")
    pace = translated(pace_in_words(Pace.of(cup.pace, cup.increment)))
    spared = [_("one of your days away is used before a loss on time")] if cup.grace and cup.pace >= DAY else []
    rest = [] if cup.rest_counts or is_live(cup.pace) else [_("clocks run through weekly rest")]
    return capitalised(" · ".join([_("everyone plays everyone"), pace, *spared, *rest, rated]))


def pairing_words(
    table: CupTable, pairing: Pairing, named: Callable[[str], str] = escaped, link: str | None = None
) -> str:
    """Return a pairing and what became of it; ``named`` writes the names, ``link`` is the address of its board."""
    names = " – ".join(named(table.players[player].person.name) for player in (pairing.first, pairing.second))
    if not table.counts(pairing) and pairing.state is not PairingState.VOIDED:
        said = _p("cup", "doesn't count")
    else:
        said = translated(_SAID[pairing.state])
    if pairing.match_id is None:
        return f"{names} · {said}"
    number = f"#{pairing.match_id}" if link is None else f"[#{pairing.match_id}]({link})"
    return f"{names} · {said} · {number}"


_SAID = {
    PairingState.PLANNED: gettext_lazy("to come"),
    PairingState.RUNNING: gettext_lazy("being played"),
    PairingState.FIRST_WON: "2–0",
    PairingState.SECOND_WON: "0–2",
    PairingState.DRAWN: "1–1",
    PairingState.FIRST_BY_FORFEIT: gettext_lazy("2–0 by forfeit"),
    PairingState.SECOND_BY_FORFEIT: gettext_lazy("0–2 by forfeit"),
    PairingState.VOIDED: gettext_lazy("voided"),
}


def _card(view: CupView) -> str:
    cup = view.cup
    lines = [f"### {cup_title(cup)}"]
    if cup.again_of is not None and view.invited:
        guests = listed(map(mention, view.invited))
        lines.append(
            _(
                "{starter} starts another cup like Cup {cup}. Invited: {people}",
                starter=mention(cup.starter_id),
                cup=cup.again_of,
                people=guests,
            )
        )
    else:
        lines.append(_("{starter} starts a cup. Join in: everyone plays everyone.", starter=mention(cup.starter_id)))
    people = listed(mention_or_name(player.person) for player in cup.players) or _("nobody yet")
    lines += [
        _("Joined ({count} of {places}): {people}", count=len(cup.players), places=cup.places, people=people),
        f"-# {terms(cup)}",
        f"-# {_begins(cup)}",
    ]
    return "\n".join(lines)


def _begins(cup: Cup) -> str:
    """Return when an open cup begins, and what happens if too few have joined by its time."""
    day, distance = (discord.utils.format_dt(cup.starts_at, style) for style in ("f", "R"))
    match cup.start:
        case CupStart.FULL:
            return _(
                "Begins when it's full, or at the latest {day} ({distance}) if at least three have joined.",
                day=day,
                distance=distance,
            )
        case CupStart.TIME:
            return _("Begins {day} ({distance}) if at least three have joined.", day=day, distance=distance)
        case CupStart.BUTTON:
            return _(
                "Begins when {starter} presses Begin, or at the latest {day} ({distance}) if at least three have "
                "joined.",
                starter=mention(cup.starter_id),
                day=day,
                distance=distance,
            )


def _cell(table: CupTable, player: int, other: int) -> tuple[ResultMark, ...]:
    """Return the marks of a player against another one; none where no result counts."""
    between = (pairing for pairing in table.pairings if {pairing.first, pairing.second} == {player, other})
    return tuple(
        _MARKS[pairing.state][pairing.second == player]
        for pairing in between
        if table.counts(pairing)
        or (
            pairing.state is PairingState.VOIDED
            and not any(table.players[seat].annulled for seat in (pairing.first, pairing.second))
        )
    )


def _line_in_words(table: CupTable, line: Standing, order: Sequence[int]) -> str:
    """Return a player's line for alternative text: their place, name and points, and their
    results against some others."""
    player = table.players[line.player]
    met = [
        headed(translated(table.players[other].person.name), mark.value)
        for other in order
        for mark in _cell(table, line.player, other)
        if mark not in (ResultMark.TO_PLAY, ResultMark.PLAYING)
    ]
    name, standing = translated(player.person.name), _standing(player, line)
    said = f"{place_in_words(line.place)} {name} · {standing}"
    return f"{said} ({enumerated(met)})" if met else said


def _standing(player: CupPlayer, line: Standing, *, bold: bool = False) -> str:
    """Return the points of a player, and how many of their matches are decided; or that they are out."""
    out = [] if player.withdrawal is None else [translated(_OUT[player.withdrawal])]
    if line.place is None:
        return " · ".join([*out, _("results annulled")])
    decided = _("{decided} of {matches} played", decided=line.decided, matches=line.pairings)
    points = f"**{number(line.points)}**" if bold else number(line.points)
    berger = _("tie-break {number}", number=number(line.berger / 2, line.berger % 2))
    return " · ".join([_n("{points} point", "{points} points", line.points, points=points), decided, berger, *out])
