"""The events of Discord's gateway that change what the bot keeps, or that it answers, with all documented fields.

``damaged`` yields an event with each of its fields missing, null, and of values that Discord has not documented.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

GUILD, CHANNEL, VOICE, STAGE, THREAD, ROLE, PERSON = (str(10**18 + number) for number in range(7))
THEN = "2026-01-01T00:00:00+00:00"
UNDOCUMENTED: tuple[Any, ...] = (None, "odd", 9999, -1.5, True, [], ["odd"], {}, {"odd": [1]})
"""Values put in place of a field, among them numbers and names that no enumeration has."""

PERSON_DATA = {
    "id": PERSON,
    "username": "dora",
    "discriminator": "0",
    "global_name": "Dora",
    "avatar": None,
    "bot": False,
}
MEMBER = {
    "user": PERSON_DATA,
    "nick": None,
    "avatar": None,
    "roles": [ROLE],
    "joined_at": THEN,
    "premium_since": None,
    "communication_disabled_until": None,
    "deaf": False,
    "mute": False,
    "flags": 0,
    "pending": False,
}
ROLE_DATA = {
    "id": ROLE,
    "name": "Friends",
    "color": 0,
    "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
    "hoist": False,
    "icon": None,
    "unicode_emoji": None,
    "position": 1,
    "permissions": "2048",
    "managed": False,
    "mentionable": False,
    "tags": {"bot_id": PERSON},
    "flags": 0,
}
OVERWRITE = {"id": ROLE, "type": 0, "allow": "1024", "deny": "0"}
CHANNEL_DATA = {
    "id": CHANNEL,
    "type": 0,
    "guild_id": GUILD,
    "position": 0,
    "permission_overwrites": [OVERWRITE],
    "name": "games",
    "topic": None,
    "nsfw": False,
    "last_message_id": None,
    "rate_limit_per_user": 0,
    "parent_id": None,
    "last_pin_timestamp": THEN,
    "default_auto_archive_duration": 60,
    "flags": 0,
}
VOICE_DATA = CHANNEL_DATA | {"id": VOICE, "type": 2, "bitrate": 64000, "user_limit": 0, "rtc_region": None}
STAGE_DATA = VOICE_DATA | {"id": STAGE, "type": 13, "video_quality_mode": 1}
THREAD_MEMBER = {
    "id": THREAD,
    "user_id": PERSON,
    "join_timestamp": THEN,
    "flags": 0,
    "member": MEMBER,
    "presence": None,
}
THREAD_DATA = {
    "id": THREAD,
    "type": 11,
    "guild_id": GUILD,
    "parent_id": CHANNEL,
    "owner_id": PERSON,
    "name": "a match",
    "last_message_id": None,
    "message_count": 1,
    "member_count": 1,
    "total_message_sent": 1,
    "rate_limit_per_user": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": THEN,
        "locked": False,
        "invitable": True,
        "create_timestamp": THEN,
    },
    "member": THREAD_MEMBER,
    "applied_tags": [],
    "newly_created": True,
    "flags": 0,
}
STAGE_INSTANCE = {
    "id": "5",
    "guild_id": GUILD,
    "channel_id": STAGE,
    "topic": "talk",
    "privacy_level": 2,
    "discoverable_disabled": False,
    "guild_scheduled_event_id": None,
}
GUILD_DATA = {
    "id": GUILD,
    "name": "Friends",
    "icon": None,
    "splash": None,
    "discovery_splash": None,
    "owner_id": PERSON,
    "afk_channel_id": VOICE,
    "afk_timeout": 60,
    "widget_enabled": False,
    "widget_channel_id": None,
    "verification_level": 0,
    "default_message_notifications": 0,
    "explicit_content_filter": 0,
    "roles": [ROLE_DATA | {"id": GUILD, "name": "@everyone"}, ROLE_DATA],
    "emojis": [{"id": "7", "name": "smile", "roles": [ROLE], "user": PERSON_DATA, "animated": False}],
    "features": ["COMMUNITY"],
    "mfa_level": 0,
    "system_channel_id": CHANNEL,
    "system_channel_flags": 0,
    "rules_channel_id": None,
    "max_presences": None,
    "max_members": 500000,
    "vanity_url_code": None,
    "description": None,
    "banner": None,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "preferred_locale": "en-US",
    "public_updates_channel_id": None,
    "nsfw_level": 0,
    "stickers": [{"id": "8", "name": "wave", "description": "", "tags": "wave", "type": 2, "format_type": 1}],
    "premium_progress_bar_enabled": False,
    "incidents_data": {"invites_disabled_until": THEN},
}
JOINED = {
    "joined_at": THEN,
    "large": False,
    "unavailable": False,
    "member_count": 3,
    "voice_states": [{"channel_id": VOICE, "user_id": PERSON, "session_id": "s", "deaf": False, "mute": False}],
    "members": [MEMBER],
    "channels": [CHANNEL_DATA, VOICE_DATA, STAGE_DATA],
    "threads": [THREAD_DATA],
    "presences": [{"user": {"id": PERSON}, "status": "online", "activities": [], "client_status": {"web": "online"}}],
    "stage_instances": [STAGE_INSTANCE],
    "guild_scheduled_events": [
        {
            "id": "9",
            "guild_id": GUILD,
            "channel_id": VOICE,
            "creator_id": PERSON,
            "name": "cup",
            "scheduled_start_time": THEN,
            "scheduled_end_time": None,
            "privacy_level": 2,
            "status": 1,
            "entity_type": 2,
            "entity_id": None,
            "entity_metadata": None,
        }
    ],
    "soundboard_sounds": [
        {"sound_id": "11", "name": "gong", "volume": 1.0, "emoji_id": None, "emoji_name": "🔔", "available": True}
    ],
}
INTERACTION = {
    "id": "12",
    "application_id": "13",
    "type": 2,
    "data": {"id": "14", "name": "help", "type": 1, "options": [{"name": "topic", "type": 3, "value": "x"}]},
    "guild": {"id": GUILD, "locale": "en-US", "features": []},
    "guild_id": GUILD,
    "channel": CHANNEL_DATA,
    "channel_id": CHANNEL,
    "member": MEMBER | {"permissions": "2048"},
    "token": "a-secret",
    "version": 1,
    "app_permissions": "2048",
    "locale": "en-US",
    "guild_locale": "en-US",
    "entitlements": [],
    "authorizing_integration_owners": {"0": GUILD},
    "context": 0,
    "attachment_size_limit": 1,
}
MESSAGE: dict[str, Any] = {
    "id": "15",
    "channel_id": CHANNEL,
    "author": PERSON_DATA,
    "content": "",
    "timestamp": THEN,
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [],
    "mention_roles": [],
    "attachments": [],
    "embeds": [],
    "pinned": False,
    "type": 0,
}
PRESSED = INTERACTION | {"type": 3, "data": {"custom_id": "none", "component_type": 2}, "message": MESSAGE}
TYPED_ROW = {"type": 1, "components": [{"type": 4, "custom_id": "text", "value": "x"}]}
TYPED = INTERACTION | {"type": 5, "data": {"custom_id": "none", "components": [TYPED_ROW]}}
EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("GUILD_CREATE", GUILD_DATA | JOINED),
    ("GUILD_UPDATE", GUILD_DATA),
    ("GUILD_DELETE", {"id": GUILD, "unavailable": True}),
    ("GUILD_DELETE", {"id": GUILD}),
    ("GUILD_ROLE_CREATE", {"guild_id": GUILD, "role": ROLE_DATA}),
    ("GUILD_ROLE_UPDATE", {"guild_id": GUILD, "role": ROLE_DATA}),
    ("GUILD_ROLE_DELETE", {"guild_id": GUILD, "role_id": ROLE}),
    ("CHANNEL_CREATE", CHANNEL_DATA),
    ("CHANNEL_UPDATE", CHANNEL_DATA),
    ("CHANNEL_UPDATE", VOICE_DATA),
    ("CHANNEL_DELETE", CHANNEL_DATA),
    ("CHANNEL_DELETE", STAGE_DATA),
    ("CHANNEL_PINS_UPDATE", {"guild_id": GUILD, "channel_id": CHANNEL, "last_pin_timestamp": THEN}),
    ("THREAD_CREATE", THREAD_DATA),
    ("THREAD_UPDATE", THREAD_DATA),
    ("THREAD_DELETE", {"id": THREAD, "guild_id": GUILD, "parent_id": CHANNEL, "type": 11}),
    (
        "THREAD_LIST_SYNC",
        {"guild_id": GUILD, "channel_ids": [CHANNEL], "threads": [THREAD_DATA], "members": [THREAD_MEMBER]},
    ),
    ("THREAD_MEMBER_UPDATE", THREAD_MEMBER | {"guild_id": GUILD}),
    (
        "THREAD_MEMBERS_UPDATE",
        {
            "id": THREAD,
            "guild_id": GUILD,
            "member_count": 2,
            "added_members": [THREAD_MEMBER],
            "removed_member_ids": [PERSON],
        },
    ),
    # What needs no intent is sent to every bot.
    ("INTERACTION_CREATE", INTERACTION),
    ("INTERACTION_CREATE", INTERACTION | {"type": 4}),
    ("INTERACTION_CREATE", PRESSED),
    ("INTERACTION_CREATE", TYPED),
    ("GUILD_MEMBER_UPDATE", MEMBER | {"guild_id": GUILD}),
    ("USER_UPDATE", PERSON_DATA),
)

READY = {
    "v": 10,
    "user": PERSON_DATA | {"bot": True},
    "guilds": [{"id": GUILD, "unavailable": True}],
    "session_id": "a-session",
    "resume_gateway_url": "ws://127.0.0.1",
    "shard": [0, 1],
    "application": {"id": "13", "flags": 0},
}


def damaged(payload: Any) -> Iterator[Any]:
    """Yield undocumented values, and a payload with each field of every depth missing or of an undocumented value."""
    yield from UNDOCUMENTED
    for path in _paths(payload):
        for value in (..., *UNDOCUMENTED):
            yield _changed(payload, path, value)


def _changed(payload: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(payload)
    at = changed
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


def _paths(payload: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every field, and to the first entry of every list."""
    steps: Any = (
        payload if isinstance(payload, dict) else range(min(1, len(payload))) if isinstance(payload, list) else ()
    )
    for step in steps:
        yield (step,)
        yield from ((step, *path) for path in _paths(payload[step]))
