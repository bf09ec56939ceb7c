"""The bot in somebody's open challenge: in place of the opponent nobody has found, or in free seats among others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import discord

from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, row
from bot.messages.wording import called, listed
from bot.opponents import LEVELS
from bot.storage.challenges import Challenge
from bot.views.against_computer import WHAT_LEVELS_ARE, check_level
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, person_of
from bot.views.controls import Control
from renderers.i18n import LazyText, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n


class ComputerSeatsButton(Control, of=custom_ids.COMPUTER_SEATS):
    """Asks the challenger at which level the bot is to play."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            service = context_of(interaction).services.computer_opponents
            return _menu(await service.own(guild_of(interaction), int(match["challenge"]), person_of(interaction)))

        await answer_privately(interaction, work)


class ComputerSeatButton(Control, of=custom_ids.COMPUTER_SEAT):
    """Has the bot play, gives it a seat, or takes one away."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            service = context_of(interaction).services.computer_opponents
            guild_id, person, challenge_id = guild_of(interaction), person_of(interaction), int(match["challenge"])
            level, seated = int(match["level"]), [int(digit) for digit in match["seated"]]
            check_level(level)
            if match["verb"] == "play":
                return _begun(await service.take_up(guild_id, challenge_id, person, level, interaction.id))
            change = service.seat if match["verb"] == "seat" else service.unseat
            changed = await change(guild_id, challenge_id, person, level, seated, interaction.id)
            return _menu(changed.challenge) if changed.match_id is None else _begun(changed.match_id)

        await answer_in_place(interaction, work)


def _menu(challenge: Challenge) -> Reply:
    """Return the levels at which the bot can play in a challenge, and those that can be taken out again."""
    if challenge.players == 2:
        words = _("Nobody has accepted yet. How well shall I play? {what_levels_are}", what_levels_are=WHAT_LEVELS_ARE)
        return Reply(view=layout(words, _levels(challenge, "play", gettext_lazy("Level {level}"), LEVELS)))
    free = challenge.players - len(challenge.seated)
    words = _n(
        "Seated: {people}. {n} seat is free, and with the last one taken the match starts. {what_levels_are} "
        "With me in it, it isn't rated.",
        "Seated: {people}. {n} seats are free, and with the last one taken the match starts. {what_levels_are} "
        "With me in it, it isn't rated.",
        free,
        people=listed(called(person) for person in challenge.seated),
        what_levels_are=WHAT_LEVELS_ARE,
    )
    parts: list[Part] = [words, _levels(challenge, "seat", gettext_lazy("Seat level {level}"), LEVELS)]
    if challenge.levels:
        parts.append(
            _levels(challenge, "unseat", gettext_lazy("Take out level {level}"), sorted(set(challenge.levels)))
        )
    return Reply(view=layout(*parts))


def _begun(match_id: int) -> Reply:
    return Reply(view=layout(_("Match {match_id} is on. The board is posted below.", match_id=match_id)))


def _levels(
    challenge: Challenge, verb: str, label: LazyText, levels: Sequence[int]
) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    seated = "".join(map(str, challenge.levels))
    return row(
        *(
            button(
                custom_ids.COMPUTER_SEAT(verb=verb, challenge=challenge.id, level=level, seated=seated),
                translated(label.filled(level=level)),
            )
            for level in levels
        )
    )
