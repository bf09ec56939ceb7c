"""What a refusal of Discord's means, by its status and the code beside it. Pure.

A status alone tells little: 403 is the answer about a person who takes no direct messages, to a missing permission, and
to a bot that opens direct messages too fast. Only codes that are known say something for good; every other refusal is
for now. The codes are those of Discord's documentation, "Opcodes and Status Codes".
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType


class Meaning(Enum):
    """What follows from a refusal."""

    PERSON = auto()
    """The person takes no direct messages from the bot."""
    GONE = auto()
    """What the call is about does not exist, or not any more."""
    PLACE = auto()
    """The place refuses it until a permission is given, or the place changes."""
    CONTENT = auto()
    """What was sent is wrong or too large. Sending it again would not help."""
    FOR_NOW = auto()
    """It concerns the bot, or what is not known: it is tried again."""


NO_MEMBER = frozenset({10007, 10013})
"""Unknown member, unknown user: the person is not in the server, or has no account any more."""
ARCHIVED = 50083
TOKEN = frozenset({10008, 10015, 50027})
"""The message of an answer is gone, its interaction is unknown, or its token is no longer taken."""
PERSON = frozenset({50007, 50278})
"""The person takes no direct messages from the bot; they share no server with it."""
_GONE = frozenset({10003, 10004, 10008}) | NO_MEMBER
"""Unknown channel, server, message."""
_PLACE = frozenset(
    {
        *(50001, 50013, 60003),  # no access, a permission is missing, the server's owner has to confirm by a second way
        *(50003, 50005, 50008, 50009, 50021, 50024, 40058),  # not there, not that message, not in that kind of channel
        *(ARCHIVED, 160005, 160006, 160007),  # the thread is archived or locked; the server has too many threads
    }
)
FOR_NOW: Mapping[int, str] = MappingProxyType(
    {
        20016: "a channel is in slow mode",
        20022: "announcements are edited too fast",
        20026: "the application is quarantined: Discord asks its owner to appeal, in the developer portal",
        20028: "a channel is written to too fast",
        20029: "a server is written to too fast",
        30046: "messages older than an hour are edited too often",
        40002: "the owner of the application has to verify their account",
        40003: "direct messages are opened too fast",
        40004: "sending messages is switched off for a while",
        40006: "a feature is switched off for a while",
        40062: "a resource is limited",
        130000: "Discord is overloaded",
    }
)
"""The codes of refusals that pass, which come with any status, and what the operator is told of each."""


def meaning(status: int, code: int) -> Meaning | None:
    """Return what a refusal means; None for a status that is no refusal of a call that was understood."""
    if status not in (400, 403, 404, 413):
        return None
    if code in FOR_NOW:
        return Meaning.FOR_NOW
    if code in _PLACE:
        return Meaning.PLACE
    if status in (400, 413):
        return Meaning.CONTENT
    if status == 404 and code in _GONE:
        return Meaning.GONE
    return Meaning.PERSON if status == 403 and code in PERSON else Meaning.FOR_NOW
