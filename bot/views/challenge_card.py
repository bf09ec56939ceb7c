"""The buttons of a challenge's card and of the offer of a rematch."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.clocks import pace_in_words
from bot.storage.records import Challenge, ChallengeState, First
from bot.views import rules_pages
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control, row
from bot.views.host import guild_of, host_of, person_of
from bot.views.wording import listed, mention


class ChallengeButton(
    Control, template=r"challenge:(?P<verb>accept|decline|leave|start|cancel):(?P<challenge>\d{1,18})"
):
    """Accept or Join, Decline, Leave, Start, Cancel."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            service = host_of(interaction).services.challenges
            act = getattr(service, match["verb"])
            await act(guild_of(interaction), int(match["challenge"]), person_of(interaction), interaction.id)
            return None

        await answer_in_place(interaction, work)


class RematchButton(Control, template=r"rematch:(?P<match>\d{1,18})"):
    """Offers a rematch, or accepts the one offered."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            service = host_of(interaction).services.challenges
            match_id = int(match["match"])
            started = await service.rematch(guild_of(interaction), match_id, person_of(interaction), interaction.id)
            if started is not None:
                return Reply(f"The rematch is on: match {started}.")
            return Reply("You have asked for a rematch. It starts as soon as it is accepted.")

        await answer_privately(interaction, work)


class RulesButton(Control, template=r"rules-of:(?P<game>[a-z]{1,20})"):
    """Shows the rules of a game to whoever asks."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: rules_pages.page(interaction, match["game"], 0))


def accept_id(challenge: Challenge) -> str:
    """Return the ``custom_id`` by which a card is recognised."""
    return f"challenge:accept:{challenge.id}"


def buttons(challenge: Challenge) -> discord.ui.ActionRow[discord.ui.LayoutView] | None:
    """Return the controls of an open challenge, None for one that is over."""
    if challenge.state is not ChallengeState.OPEN:
        return None
    several = challenge.players > 2
    success, danger = discord.ButtonStyle.success, discord.ButtonStyle.danger
    items: list[Control] = [ChallengeButton.create(accept_id(challenge), "Join" if several else "Accept", success)]
    if several:
        items.append(ChallengeButton.create(f"challenge:leave:{challenge.id}", "Leave"))
        items.append(ChallengeButton.create(f"challenge:start:{challenge.id}", "Start", discord.ButtonStyle.primary))
    elif challenge.opponent_id is not None:
        items.append(ChallengeButton.create(f"challenge:decline:{challenge.id}", "Decline"))
    items.append(RulesButton.create(f"rules-of:{challenge.game}", "Rules"))
    items.append(ChallengeButton.create(f"challenge:cancel:{challenge.id}", "Cancel", danger))
    return row(*items)


def text(challenge: Challenge) -> str:
    """Return the words of a card."""
    game = GAMES[challenge.game]
    return "\n".join(
        [f"### {game.name}", _invitation(challenge), game.sentence, f"-# {_terms(challenge)}", _state(challenge)]
    )


def _invitation(challenge: Challenge) -> str:
    challenger = mention(challenge.challenger_id)
    kind = "asks for a rematch" if challenge.rematch_of is not None else "challenges"
    if challenge.opponent_id is not None:
        opponent = mention(challenge.opponent_id)
        return f"{challenger} {kind} with {opponent}." if challenge.rematch_of else f"{challenger} {kind} {opponent}."
    if challenge.rematch_of is not None:
        return f"{challenger} {kind}."
    return f"{challenger} {kind} anyone who likes to play."


def _terms(challenge: Challenge) -> str:
    game = GAMES[challenge.game]
    words = [f"{game.variant(challenge.variant).name}"] if len(game.variants) > 1 else []
    if challenge.players > 2:
        words.append(f"up to {challenge.players} players")
    if challenge.rematch_of is not None:
        words.append("seats swapped")
    else:
        words.append(
            {
                First.RANDOM: "who begins is drawn by lot",
                First.CHALLENGER: "the challenger begins",
                First.OPPONENT: "the opponent begins",
            }[challenge.first]
        )
    words += [pace_in_words(challenge.pace), "rated" if challenge.rated else "not rated"]
    terms = " · ".join(words)
    return terms[:1].upper() + terms[1:]


def _state(challenge: Challenge) -> str:
    if challenge.state is ChallengeState.OPEN:
        taken = (
            f"Seated: {listed(mention(person.id) for person in challenge.joined)}\n" if challenge.players > 2 else ""
        )
        day, distance = (discord.utils.format_dt(challenge.expires_at, style) for style in ("f", "R"))
        return f"{taken}-# Open until {day} ({distance})"
    return {
        ChallengeState.STARTED: f"**Accepted:** match {challenge.match_id} is on.",
        ChallengeState.DECLINED: "**Declined.**",
        ChallengeState.CANCELLED: "**Called off.**",
        ChallengeState.EXPIRED: "**Expired** without an answer.",
    }[challenge.state]
