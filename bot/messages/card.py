"""The card of a challenge: the people, the game and its terms, and the answer."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.games import GAMES, game_named
from bot.matches.model.game_state import CLOSED, GameState, because, number_of_moves
from bot.messages import custom_ids
from bot.messages.board import step_through, weekly_rest
from bot.messages.challenge_words import invitation, terms_in_words
from bot.messages.layout import ACCENT, Outgoing, beside, box, button, layout, row
from bot.messages.pictures import BoardRenderer
from bot.messages.wording import NO_RESTS, Rests, game_name, listed, mention, mention_or_name, result
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.storage.records import ChallengeState, Entry, Match
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p
from renderers.i18n import prose, sentence, translated


async def card(
    renderer: BoardRenderer,
    challenge: Challenge,
    *,
    drawn: bool,
    invited: Sequence[int] = (),
    rests: Rests = NO_RESTS,
    public_url: str = "",
) -> Outgoing:
    """Return the card of a challenge, with its picture when ``drawn``; ``invited`` are those asked for a rematch.

    ``rests`` are the weekly rests of people that count in it, by their keys, and from when on. Its link begins with
    ``public_url``, if there is one.
    """
    picture = await renderer.thumbnail(GAMES[challenge.game]) if challenge.game in GAMES else None
    is_open = challenge.state is ChallengeState.OPEN
    text = _text(challenge, invited, rests if is_open else NO_RESTS, public_url)
    words = text if picture is None else beside(text, picture)
    view = layout(box(words, *(_buttons(challenge) if is_open else []), accent=ACCENT))
    asked = tuple(invited) if challenge.opponent_id is None else (challenge.opponent_id,)
    notified = asked if is_open else ()
    return Outgoing(view, marker(challenge), (picture,) if drawn and picture is not None else (), notified)


async def result_card(
    renderer: BoardRenderer, match: Match, game_state: GameState | None, played: Sequence[Entry]
) -> Outgoing:
    """Return the card of a challenge whose match is over: who won, with the final board and ways to look at it.

    Without a ``game_state`` it has no picture, as that of a voided match.
    """
    winners, people = [seat for seat in match.seats if seat.won], [mention_or_name(seat.person) for seat in match.seats]
    names = ""
    if match.voided or match.reason == CLOSED or len(people) > 2 or len(winners) != 1:
        told, names = [f"**{result(match)}**"], f"\n-# {' – '.join(people)}"
    else:
        winner = winners[0].seat
        # Translators: how a match ended: "Alice beat Bob by resignation."
        won = _("{winner} beat {loser}", winner=people[winner], loser=people[1 - winner])
        told = [f"**{sentence(translated(because(won, match.reason or '')))}**"]
    if match.voided:
        looks = [button(custom_ids.REPLAY(match=match.id), _("Replay"))]
    else:
        told.append(_n("{n} move.", "{n} moves.", number_of_moves(played)))
        looks = [step_through(match, 0)]
        if match.reason != CLOSED:
            looks.append(button(custom_ids.REVIEW(match=match.id), _("Review")))
    words = f"### {game_name(match.game, match.variant)}\n{prose(told)}{names}"
    picture = None if game_state is None else await renderer.board(match, game_state, match.front)
    shown = words if picture is None else beside(words, picture)
    return Outgoing(layout(box(shown, row(*looks), accent=ACCENT)), "", () if picture is None else (picture,))


def marker(challenge: Challenge) -> str:
    """Return the custom id by which the card of a challenge is recognised while it is open."""
    return custom_ids.CHALLENGE(verb="accept", challenge=challenge.id)


def lost_card(challenge: Challenge) -> str:
    """Return the direct message to a challenger whose challenge can be posted nowhere."""
    return _(
        "I couldn't post your challenge to a game of {game}, so I cancelled it. Try `/challenge` in "
        "another channel, or ask somebody who manages the server to let me post there.",
        game=game_named(challenge.game).name,
    )


def _buttons(challenge: Challenge) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    several = challenge.players > 2
    success, primary, danger = discord.ButtonStyle.success, discord.ButtonStyle.primary, discord.ButtonStyle.danger

    def custom_id(verb: custom_ids.ChallengeVerb) -> str:
        return custom_ids.CHALLENGE(verb=verb, challenge=challenge.id)

    items = [button(marker(challenge), _("Join") if several else _("Accept"), success)]
    if several:
        items += [button(custom_id("leave"), _("Leave")), button(custom_id("start"), _("Start"), primary)]
    elif challenge.opponent_id is not None:
        items.append(button(custom_id("decline"), _("Decline")))
    computer = button(
        custom_ids.COMPUTER_SEATS(challenge=challenge.id), _("Add the bot") if several else _("Play the bot")
    )
    if challenge.opponent_id is None and not several and not is_private(challenge.guild_id):
        items.append(computer)
    items.append(button(custom_ids.RULES(game=challenge.game, variant=challenge.variant), _("Rules")))
    items.append(button(custom_id("cancel"), _p("challenge", "Cancel"), danger))
    return [row(*items), row(computer)] if several else [row(*items)]


def _text(challenge: Challenge, invited: Sequence[int], rests: Rests, public_url: str) -> str:
    game = game_named(challenge.game)
    rules = prose(filter(None, (game.summary, game.variant(challenge.variant).description)))
    return "\n".join(
        [
            f"### {translated(game.name)}",
            invitation(challenge, mention(challenge.challenger_id), invited),
            rules,
            f"-# {terms_in_words(challenge)}",
            *(weekly_rest(mention(user_id), *rest, challenge.created_at) for user_id, rest in rests.items()),
            _state(challenge, public_url),
        ]
    )


def _state(challenge: Challenge, public_url: str) -> str:
    if challenge.state is ChallengeState.OPEN:
        taken = ""
        if challenge.players > 2:
            taken = _("Seated: {people}", people=listed(mention_or_name(person) for person in challenge.seated)) + "\n"
        day, distance = (discord.utils.format_dt(challenge.expires_at, style) for style in ("f", "R"))
        taken += _("-# Open until {day} ({distance})", day=day, distance=distance)
        if challenge.code is None or not public_url:
            return taken
        link = _("[link for others]({link})", link=f"{public_url}/challenge/{challenge.code}")
        return f"{taken} · {link}"
    accepted = (
        _("I'll play, at level {level}", level=challenge.levels[0])
        if challenge.players == 2 and challenge.levels
        else _("Accepted")
    )
    return {
        ChallengeState.STARTED: _("**{accepted}:** match {match} is on.", accepted=accepted, match=challenge.match_id),
        ChallengeState.DECLINED: _("**Declined.**"),
        ChallengeState.CANCELLED: _("**Cancelled.**"),
        ChallengeState.EXPIRED: _("**Expired** without an answer."),
    }[challenge.state]
