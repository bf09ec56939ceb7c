"""Offers between two players, reminders and claims: what is said in the match's place, and the buttons under it."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.delivery.courier import LaterError
from bot.delivery.discord_calls import Outgoing, RefusedError, expected_errors
from bot.matches.agreements import Answer
from bot.matches.announcing import Kind
from bot.matches.overview import Past, Table
from bot.storage.records import Match, Offer, OfferKind, OfferState
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control, row
from bot.views.host import guild_of, host_of, person_of
from bot.views.wording import last_move, listed, mention, plain, title


class OfferButton(Control, template=r"offer:(?P<verb>accept|decline|withdraw):(?P<offer>\d{1,18})"):
    """Accept, Decline or Withdraw."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            service, offer_id = host_of(interaction).services.agreements, int(match["offer"])
            person, given = person_of(interaction), Answer(match["verb"])
            await service.answer(guild_of(interaction), offer_id, person, interaction.id, given)
            return None

        await answer_in_place(interaction, work)


class ClaimButton(Control, template=r"claim:(?P<match>\d{1,18}):(?P<ply>\d{1,6})"):
    """Claims the win because the opponent's time is up or he is gone."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: claim(interaction, int(match["match"]), int(match["ply"])))


class AskButton(Control, template=r"ask:(?P<kind>draw|takeback):(?P<match>\d{1,18}):(?P<ply>\d{1,6})"):
    """Offers a draw, or asks to take the last move back."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        act = offer_draw if match["kind"] == OfferKind.DRAW else ask_takeback
        await answer_privately(interaction, lambda: act(interaction, int(match["match"]), int(match["ply"])))


async def offer_draw(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Offer a draw, or accept the one offered. Raises ``Refusal``."""
    offer = host_of(interaction).services.agreements.offer_draw
    drawn = await offer(guild_of(interaction), match_id, person_of(interaction), interaction.id, ply=ply)
    return Reply("The match is drawn." if drawn else "You have offered a draw.")


async def ask_takeback(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Ask to take one's own last move back. Raises ``Refusal``."""
    ask = host_of(interaction).services.agreements.ask_takeback
    move = await ask(guild_of(interaction), match_id, person_of(interaction), interaction.id, ply=ply)
    return Reply(f"You have asked to take **{move}** back.")


async def claim(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Claim the win. Raises ``Refusal`` while the opponent has time and is here."""
    services, guild_id = host_of(interaction).services, guild_of(interaction)
    table = await services.overview.table(guild_id, match_id)
    gone = await _gone(interaction.guild, table.match)
    await services.leaving.claim(guild_id, match_id, person_of(interaction), interaction.id, ply=ply, gone=gone)
    return Reply("Your claim is granted.")


async def _gone(guild: discord.Guild | None, match: Match) -> frozenset[int]:
    """Return who of those to move is no longer in the server, as far as Discord answers."""
    gone: set[int] = set()
    if guild is None:
        return frozenset()
    for seat in match.movers:
        try:
            async with expected_errors():
                await guild.fetch_member(seat.person.id)
        except LaterError:
            continue
        except RefusedError as error:
            if error.gone:
                gone.add(seat.person.id)
    return frozenset(gone)


def offer_message(table: Table, offer: Offer) -> Outgoing:
    """Return an offer, or what has become of it."""
    match = table.match
    asking = match.seats[offer.seat]
    asked = [seat for seat in match.seats if seat.seat != offer.seat and not seat.dropped]
    if offer.kind is OfferKind.TAKEBACK:
        asked = [seat for seat in asked if seat.to_move] or asked
    names, who = " and ".join(mention(seat.person.id) for seat in asked), mention(asking.person.id)
    if offer.kind is OfferKind.DRAW:
        words = f"{who} offers a draw to {names}."
    elif offer.state is OfferState.OPEN:
        words = f"{who} would like to take a move back. Do you agree, {names}?\n{last_move(table)}"
    else:
        words = f"{who} asked {names} to take a move back."
    view = discord.ui.LayoutView(timeout=None)
    box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(
        discord.ui.TextDisplay(f"{words}\n-# {title(match)}")
    )
    view.add_item(box)
    if offer.state is OfferState.OPEN:
        box.add_item(
            row(
                OfferButton.create(_accept_id(offer), "Accept", discord.ButtonStyle.success),
                OfferButton.create(f"offer:decline:{offer.id}", "Decline"),
                OfferButton.create(f"offer:withdraw:{offer.id}", "Withdraw"),
            )
        )
    else:
        box.add_item(discord.ui.TextDisplay(f"**{offer.state.capitalize()}.**"))
    return Outgoing(view, _accept_id(offer), (), tuple(seat.person.id for seat in asked))


def reminder_message(match: Match, play: Control) -> Outgoing:
    """Return the reminder that time is running out."""
    names = " and ".join(mention(seat.person.id) for seat in match.movers)
    until = "soon" if match.deadline_at is None else discord.utils.format_dt(match.deadline_at, "R")
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(f"{names}, your time in **{title(match)}** ends {until}."))
    view.add_item(row(play))
    return Outgoing(view, play.custom_id, (), tuple(seat.person.id for seat in match.movers))


def late_message(match: Match) -> Outgoing:
    """Return the notice that the time is up and the win may be claimed."""
    late = " and ".join(plain(seat.person.name) for seat in match.movers)
    others = [seat for seat in match.seats if not seat.to_move and not seat.dropped]
    names = " and ".join(mention(seat.person.id) for seat in others)
    custom_id = f"claim:{match.id}:{match.ply}"
    verb = "claim the win" if len(match.seats) == 2 else "claim that the seat is lost"
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(
        discord.ui.TextDisplay(f"The time of {late} in **{title(match)}** is up. {names} may {verb}, or wait.")
    )
    view.add_item(row(ClaimButton.create(custom_id, "Claim", discord.ButtonStyle.primary)))
    return Outgoing(view, custom_id, (), tuple(seat.person.id for seat in others))


def past_notice(past: Past, kind: str) -> discord.ui.LayoutView:
    """Return what a reminder or late notice becomes when the turn is over: a line without a button."""
    match = past.match
    names = listed(plain(match.seats[seat].person.name) for seat in sorted(past.standing.position.to_move))
    what = f"{names} had little time left here" if kind == Kind.REMINDER else f"the time of {names} was up here"
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(f"-# {title(match)} · {what}"))
    return view


def _accept_id(offer: Offer) -> str:
    return f"offer:accept:{offer.id}"
