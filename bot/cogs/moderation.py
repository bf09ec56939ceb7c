"""``/manage``: voiding a match and barring somebody, for those who manage a server."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, match_label
from bot.matches.model.refusals import Refusal
from bot.messages.wording import listed, mention
from bot.views import voiding
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import SUGGESTION, check_manages, context_of, guild_of, place_of
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy
from renderers.i18n import ngettext as _n


class ModerationCommands(commands.Cog):
    """What those who manage a server can do about matches and players."""

    manage = app_commands.Group(
        name="manage",
        description=gettext_lazy("Void a match or bar somebody from playing (needs Manage Server)"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @manage.command(
        description=gettext_lazy("Void a match: it counts for nobody, and ratings are as if it had not been played")
    )
    @app_commands.describe(
        match=gettext_lazy("Which match: its number is on its board; in its thread you can leave it out")
    )
    async def void(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask whether a match is to be voided."""

        async def work() -> Reply:
            check_manages(interaction)
            return await voiding.question(interaction, await _meant(interaction) if match is None else match)

        await answer_privately(interaction, work)

    @void.autocomplete("match")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest the newest matches of the place, whoever plays them."""
        try:
            context = context_of(interaction)
            context.check_rate_limit(interaction, SUGGESTION)
            here = await context.services.queries.in_place(guild_of(interaction), place_of(interaction))
        except Refusal:
            return []
        labels = {match.id: match_label(match, interaction.user.id) for match in here if not match.voided}
        found = [number for number, label in labels.items() if typed.casefold() in label.casefold()]
        return [app_commands.Choice(name=labels[number], value=number) for number in found[:CHOICES]]

    @manage.command(description=gettext_lazy("Bar somebody from playing in this server; matches they are in go on"))
    @app_commands.describe(person=gettext_lazy("Who may no longer play here"))
    async def bar(self, interaction: discord.Interaction[Any], person: discord.User) -> None:
        """Bar somebody."""

        async def work() -> Reply:
            check_manages(interaction)
            if person.bot:
                raise Refusal(_("Bots don't play here; there is nobody to bar."))
            if person.id == interaction.user.id:
                raise Refusal(_("You can't bar yourself."))
            services, guild_id = context_of(interaction).services, guild_of(interaction)
            await services.bars.bar(guild_id, person.id, interaction.id)
            running = len(await services.queries.running(guild_id, person.id))
            return Reply(
                _(
                    "{person} can no longer challenge anyone, accept, join a game or ask for a rematch in this "
                    "server, and is told so. {go_on} `/manage unbar` lifts the bar.",
                    person=mention(person.id),
                    go_on=_go_on(running),
                )
            )

        await answer_privately(interaction, work)

    @manage.command(description=gettext_lazy("Let somebody play in this server again"))
    @app_commands.describe(person=gettext_lazy("Who may play here again"))
    async def unbar(self, interaction: discord.Interaction[Any], person: discord.User) -> None:
        """Lift a bar."""

        async def work() -> Reply:
            check_manages(interaction)
            await context_of(interaction).services.bars.unbar(guild_of(interaction), person.id)
            return Reply(_("{person} can play in this server again.", person=mention(person.id)))

        await answer_privately(interaction, work)

    @manage.command(description=gettext_lazy("Who is barred from playing in this server"))
    async def barred(self, interaction: discord.Interaction[Any]) -> None:
        """List who is barred."""

        async def work() -> Reply:
            check_manages(interaction)
            found = await context_of(interaction).services.bars.of_server(guild_of(interaction))
            if not found:
                return Reply(_("Nobody is barred from playing in this server."))
            since = (
                _("{person} (since {time})", person=mention(bar.user_id), time=discord.utils.format_dt(bar.at, "d"))
                for bar in found
            )
            return Reply(_("Barred from playing in this server: {people}.", people=listed(since)))

        await answer_privately(interaction, work)


async def _meant(interaction: discord.Interaction[Any]) -> int:
    """Return the match of the thread a command was used in. Raises ``Refusal`` elsewhere."""
    here = await context_of(interaction).services.queries.in_place(guild_of(interaction), place_of(interaction))
    found = next((match.id for match in here if match.thread_id == place_of(interaction)), None)
    if found is None:
        raise Refusal(_("Choose which match with `match`; its number is on its board."))
    return found


def _go_on(running: int) -> str:
    if not running:
        return _("They aren't in any match here.")
    return _n(
        "The match they are in goes on; `/manage void` ends one without a result.",
        "The {n} matches they are in go on; `/manage void` ends one without a result.",
        running,
    )
