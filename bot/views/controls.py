"""The controls of posted messages and the forms they open: functions, each registered for a form of custom ids.

They work however long ago a message was posted, because the custom id says all they need. Discord sends the message of
a control along: only what its menu offers can be chosen.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, Self, TypeVar

import discord
from discord.ext import commands

import bot.views
from bot.messages.custom_id_form import CustomId
from bot.requests.request import Request
from bot.views.answers import (
    Reply,
    answer_in_place,
    answer_privately,
    answer_with_post,
    refuse_value,
    use_language_of,
)
from bot.views.outside import SUBJECT, is_outside

Ids = TypeVar("Ids")
Interaction = discord.Interaction[Any]
Item = discord.ui.Item[Any]
OnPress = Callable[[Request, Ids], Awaitable[Reply | None]]
OnChoice = Callable[[Request, Ids, str], Awaitable[Reply | None]]
OnChannel = Callable[[Request, Ids, int], Awaitable[Reply | None]]
OnInteraction = Callable[[Interaction, Ids], Awaitable[None]]

CONTROLS: dict[CustomId[..., Any], Callable[[Interaction, Any, Any], Awaitable[object]]] = {}
"""What each button and menu does: a function of the interaction, the values in the custom id, and the component."""
FORMS: dict[CustomId[..., Any], OnChoice[Any]] = {}
"""What each submitted form does, with the text of its field."""


def privately(of: CustomId[..., Ids]) -> Callable[[OnPress[Ids]], OnPress[Ids]]:
    """Register a function for the buttons of a form: it returns a new message for the one who presses."""

    def register(on_press: OnPress[Ids]) -> OnPress[Ids]:
        CONTROLS[of] = lambda interaction, ids, _button: answer_privately(interaction, on_press, ids)
        return on_press

    return register


def posting(of: CustomId[..., Ids]) -> Callable[[OnPress[Ids]], OnPress[Ids]]:
    """Register a function for the buttons of a form, by which something is posted (``answer_with_post``)."""

    def register(on_press: OnPress[Ids]) -> OnPress[Ids]:
        CONTROLS[of] = lambda interaction, ids, _button: answer_with_post(interaction, on_press, ids)
        return on_press

    return register


def accepting(of: CustomId[..., Ids]) -> Callable[[OnPress[Ids]], OnPress[Ids]]:
    """Register a function for the buttons of a form, of which ``accept`` posts something; the others answer in place.

    From outside, the answer to who accepts is what is posted.
    """

    def register(on_press: OnPress[Ids]) -> OnPress[Ids]:
        def answer(interaction: Interaction, ids: Any, _button: Item) -> Awaitable[object]:
            posts = ids.verb == "accept" and is_outside(interaction)
            return (answer_with_post if posts else answer_in_place)(interaction, on_press, ids)

        CONTROLS[of] = answer
        return on_press

    return register


def in_place(of: CustomId[..., Ids]) -> Callable[[OnPress[Ids]], OnPress[Ids]]:
    """Register a function for the buttons of a form: it returns what the message changes to."""

    def register(on_press: OnPress[Ids]) -> OnPress[Ids]:
        CONTROLS[of] = lambda interaction, ids, _button: answer_in_place(interaction, on_press, ids)
        return on_press

    return register


def control(of: CustomId[..., Ids]) -> Callable[[OnInteraction[Ids]], OnInteraction[Ids]]:
    """Register a function for the buttons of a form which decides itself how the interaction is answered."""

    def register(on_interaction: OnInteraction[Ids]) -> OnInteraction[Ids]:
        CONTROLS[of] = lambda interaction, ids, _button: on_interaction(interaction, ids)
        return on_interaction

    return register


def menu(of: CustomId[..., Ids]) -> Callable[[OnChoice[Ids]], OnChoice[Ids]]:
    """Register a function for the menus of a form, called with a value that is offered; it is answered in place."""

    def register(on_choice: OnChoice[Ids]) -> OnChoice[Ids]:
        async def choose(interaction: Interaction, ids: Ids, select: discord.ui.Select[Any]) -> None:
            if len(select.values) == 1 and select.values[0] in {option.value for option in select.options}:
                await answer_in_place(interaction, on_choice, ids, select.values[0])
            else:
                await refuse_value(interaction)

        CONTROLS[of] = choose
        return on_choice

    return register


def channel_menu(of: CustomId[..., Ids]) -> Callable[[OnChannel[Ids]], OnChannel[Ids]]:
    """Register a function for menus of channels, called with the id of one that is offered; it is answered in place."""

    def register(on_channel: OnChannel[Ids]) -> OnChannel[Ids]:
        async def choose(interaction: Interaction, ids: Ids, select: discord.ui.ChannelSelect[Any]) -> None:
            kinds = select.channel_types
            if len(select.values) == 1 and (not kinds or select.values[0].type in kinds):
                await answer_in_place(interaction, on_channel, ids, select.values[0].id)
            else:
                await refuse_value(interaction)

        CONTROLS[of] = choose
        return on_channel

    return register


def form(of: CustomId[..., Ids]) -> Callable[[OnChoice[Ids]], OnChoice[Ids]]:
    """Register a function for submitted forms with one field, called with its text; it is answered in place."""

    def register(on_text: OnChoice[Ids]) -> OnChoice[Ids]:
        FORMS[of] = on_text
        return on_text

    return register


class _Control(discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button or menu that a person uses now, of the form ``of``."""

    of: ClassVar[CustomId[..., Any]]

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: Item, match: re.Match[str], /) -> Self:
        return cls(item)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether this bot is to answer the interaction."""
        return bool(await interaction.client.answers(interaction))

    async def callback(self, interaction: Interaction) -> None:
        """Speak the person's language and do what is registered."""
        use_language_of(interaction)
        ids = interaction.extras[SUBJECT] = self.of.read(self.custom_id)
        await CONTROLS[self.of](interaction, ids, self.item)


def register(client: commands.AutoShardedBot) -> None:
    """Have a client call what is registered in this package, for as long as messages exist."""
    for module in iter_modules(bot.views.__path__, f"{bot.views.__name__}."):
        import_module(module.name)
    for of in CONTROLS:
        client.add_dynamic_items(type("Control", (_Control,), {"of": of}, template=of.pattern))
    client.add_listener(_submit, "on_interaction")


async def _submit(interaction: Interaction) -> None:
    """Take a submitted form; discord.py itself knows only those opened since the start."""
    if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
        return
    text = submitted_text(dict(interaction.data))
    use_language_of(interaction)
    for of, on_text in FORMS.items():
        ids = of.read(str(interaction.data.get("custom_id")))
        if ids is not None and await interaction.client.answers(interaction):
            interaction.extras[SUBJECT] = ids
            await answer_in_place(interaction, on_text, ids, text)


def submitted_text(form: dict[str, Any]) -> str:
    """Return the text of a submitted form, which has one field."""
    components, text = [form], ""
    while components:
        component = components.pop()
        text = str(component.get("value", text))
        components += component.get("components", [])
        components += [component["component"]] if "component" in component else []
    return text


def page_of(value: str) -> int:
    """Return the page that an option of a menu names, the first being 0; 0 for a value that is no page."""
    return int(value) if value.isdecimal() and len(value) <= 5 else 0
