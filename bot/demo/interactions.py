"""The interactions people send the bot, as Discord sends them: commands, suggestions, controls and forms.

The input comes from a page and is checked as Discord checks it: people can use only existing commands, controls and
choices. Knows nothing of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simcord.backend import serializers
from simcord.backend.access import channel_accessible, message_accessible
from simcord.backend.errors import BackendError, OptionError
from simcord.backend.models import Interaction, Message
from simcord.enums import AppCommandType, ComponentType, InteractionType, OptionType
from simcord.interactions import nest_options, validate_option_value, walk_to_subcommand

from bot.demo.discord_server import DiscordServer

_ENTITIES = {OptionType.USER: "users", OptionType.CHANNEL: "channels", OptionType.MENTIONABLE: "users"}
_SELECTS = {
    ComponentType.STRING_SELECT: "",
    ComponentType.USER_SELECT: "users",
    ComponentType.MENTIONABLE_SELECT: "users",
    ComponentType.CHANNEL_SELECT: "channels",
}
"""Menus and the kind of their choices; a string menu has its own choices."""


class NotPossible(Exception):
    """The input names something that does not exist, or not for this person. The message tells them so."""


def command(
    server: DiscordServer, person_id: int, place: int, path: Sequence[str], given: Mapping[str, Any]
) -> Interaction:
    """Send a slash command with the options given by name; people and channels are given by their ids as text.

    Raises ``NotPossible``.
    """
    root, leaf, nesting = _slash_command(server, person_id, place, path)
    missing = [
        option["name"] for option in leaf.get("options", ()) if option.get("required") and option["name"] not in given
    ]
    if missing:
        raise NotPossible(f"Please fill in {', '.join(missing)}.")
    resolved: dict[str, Any] = {}
    options = []
    for option in leaf.get("options", ()):
        if option["name"] in given:
            value = _option_value(server, root["name"], option, given[option["name"]], resolved)
            options.append({"name": option["name"], "type": option["type"], "value": value})
    data = _command_data(root, nest_options(root, nesting, options))
    record = _send(server, InteractionType.APPLICATION_COMMAND, person_id, place, data | {"resolved": resolved})
    record.command_name = " ".join(path)
    return record


def suggestions(
    server: DiscordServer, person_id: int, place: int, path: Sequence[str], given: Mapping[str, Any], focused: str
) -> Interaction:
    """Ask the bot for suggestions for the option ``focused`` of an unfinished command. Raises ``NotPossible``."""
    root, leaf, nesting = _slash_command(server, person_id, place, path)
    by_name = {option["name"]: option for option in leaf.get("options", ())}
    if not by_name.get(focused, {}).get("autocomplete"):
        raise NotPossible("There is nothing to suggest.")
    options = [
        {"name": name, "type": by_name[name]["type"], "value": value} | ({"focused": True} if name == focused else {})
        for name, value in ({focused: ""} | dict(given)).items()
        if name in by_name
    ]
    data = _command_data(root, nest_options(root, nesting, options))
    return _send(server, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, person_id, place, data | {"resolved": {}})


def about_person(server: DiscordServer, person_id: int, place: int, name: str, target: int) -> Interaction:
    """Send a command of the menu on a person. Raises ``NotPossible``."""
    for root in server.backend.visible_commands(user_id=person_id, channel_id=place, type=AppCommandType.USER):
        if root["name"] == name:
            resolved: dict[str, Any] = {}
            _resolve(server, "users", str(target), resolved)
            data = {"id": root["id"], "name": name, "type": root["type"], "target_id": str(target)}
            return _send(server, InteractionType.APPLICATION_COMMAND, person_id, place, data | {"resolved": resolved})
    raise NotPossible("There is no such command.")


def control(
    server: DiscordServer, person_id: int, place: int, message_id: int, custom_id: str, values: Sequence[str]
) -> Interaction:
    """Press a button or choose ``values`` from a menu of a message. Raises ``NotPossible``."""
    message = server.backend.messages.get(place, {}).get(message_id)
    if message is None or not message_accessible(server.backend, place, message, person_id):
        raise NotPossible("This message is gone.")
    component = next((part for part in walk(message.components) if part.get("custom_id") == custom_id), None)
    if component is None or component.get("disabled"):
        raise NotPossible("This has changed in the meantime.")
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": component["type"], "id": component.get("id")}
    if component["type"] in _SELECTS:
        data |= _selection(server, component, values)
    return _send(server, InteractionType.MESSAGE_COMPONENT, person_id, place, data, message)


def form(server: DiscordServer, person_id: int, opened_by: int, entered: Mapping[str, Any]) -> Interaction:
    """Submit the form that an interaction was answered with. Raises ``NotPossible``."""
    opener = server.backend.interactions.get(opened_by)
    if opener is None or opener.user_id != person_id or opener.modal is None or opener.modal_consumed:
        raise NotPossible("This form is no longer open.")
    resolved: dict[str, Any] = {}
    components = [_submitted_part(server, part, entered, resolved) for part in opener.modal["components"]]
    opener.modal_consumed = True
    message = server.backend.messages[opener.channel_id].get(opener.source_message_id or 0)
    data = {"custom_id": opener.modal["custom_id"], "components": components, "resolved": resolved}
    return _send(server, InteractionType.MODAL_SUBMIT, person_id, opener.channel_id, data, message)


def walk(components: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        for inner in (component.get("component"), component.get("accessory")):
            if inner:
                yield from walk([inner])


def _slash_command(
    server: DiscordServer, person_id: int, place: int, path: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    for root in server.backend.visible_commands(user_id=person_id, channel_id=place):
        if path and root["name"] == path[0]:
            try:
                leaf, nesting = walk_to_subcommand(root, list(path[1:]))
            except BackendError:
                break
            return root, leaf, nesting
    raise NotPossible("There is no such command.")


def _command_data(root: dict[str, Any], options: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": root["id"], "name": root["name"], "type": root["type"], "options": options}


def _option_value(
    server: DiscordServer, name: str, option: dict[str, Any], value: Any, resolved: dict[str, Any]
) -> Any:
    kind = _ENTITIES.get(option["type"])
    if kind is not None:
        _resolve(server, kind, value, resolved)
        return value
    choices = option.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise NotPossible(f"Please choose {option['name']} from the list.")
    try:
        return validate_option_value(name, option, value)
    except OptionError as error:
        raise NotPossible(f"{option['name']} does not fit: {error}.") from error


def _selection(server: DiscordServer, menu: dict[str, Any], values: Sequence[str]) -> dict[str, Any]:
    fewest, most = menu.get("min_values", 1), menu.get("max_values", 1)
    if not fewest <= len(values) <= most:
        raise NotPossible("You can't choose that many, or that few.")
    kind = _SELECTS[menu["type"]]
    resolved: dict[str, Any] = {}
    if kind:
        for value in values:
            _resolve(server, kind, value, resolved)
    elif not set(values) <= {option["value"] for option in menu["options"]}:
        raise NotPossible("This has changed in the meantime.")
    return {"values": list(values)} | ({"resolved": resolved} if kind else {})


def _submitted_part(
    server: DiscordServer, part: dict[str, Any], entered: Mapping[str, Any], resolved: dict[str, Any]
) -> dict[str, Any]:
    passed = {"type": part["type"], "id": part.get("id")}
    if part["type"] == ComponentType.LABEL:
        return passed | {"component": _submitted_part(server, part["component"], entered, resolved)}
    if part["type"] == ComponentType.ACTION_ROW:
        return passed | {
            "components": [_submitted_part(server, inner, entered, resolved) for inner in part["components"]]
        }
    if part["type"] == ComponentType.TEXT_INPUT:
        text = str(entered.get(part["custom_id"], ""))
        if len(text) > (part.get("max_length") or 4000) or (part.get("required", True) and not text.strip()):
            raise NotPossible("Please fill the form in.")
        return passed | {"custom_id": part["custom_id"], "value": text}
    if part["type"] in _SELECTS:
        chosen = _selection(server, part, entered.get(part["custom_id"], []))
        resolved |= chosen.get("resolved", {})
        return passed | {"custom_id": part["custom_id"], "values": chosen["values"]}
    return passed


def _resolve(server: DiscordServer, kind: str, value: Any, resolved: dict[str, Any]) -> None:
    """Add the person or channel of an id. Raises ``NotPossible`` for ids that are not in this server."""
    number = int(value) if isinstance(value, str) and value.isdecimal() else 0
    backend, guild = server.backend, server.guild
    if kind == "users" and number in guild.members:
        member = guild.members[number]
        resolved.setdefault("users", {})[value] = dict(serializers.user_payload(backend.users[number]))
        payload = dict(serializers.member_payload(backend, guild, member, with_user=False))
        payload["permissions"] = str(backend.compute_permissions(guild.id, number))
        resolved.setdefault("members", {})[value] = payload
    elif kind == "channels" and number in backend.channels:
        payload = dict(serializers.channel_payload(backend, backend.channels[number]))
        resolved.setdefault("channels", {})[value] = payload | {"permissions": "0"}
    else:
        raise NotPossible("Please choose from the list.")


def _send(
    server: DiscordServer,
    kind: InteractionType,
    person_id: int,
    place: int,
    data: dict[str, Any],
    message: Message | None = None,
) -> Interaction:
    if not channel_accessible(server.backend, place, person_id):
        raise NotPossible("You cannot use this here.")
    return server.interact(int(kind), person_id, place, data, message)
