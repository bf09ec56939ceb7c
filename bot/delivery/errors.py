"""What can come of a call to Discord other than success."""

from __future__ import annotations


class UnavailableError(Exception):
    """Discord cannot do it now (429, 5xx, unreachable). ``after`` is how long it asks to be left alone, in seconds.

    ``unanswered`` means that no answer came at all, so that it may have been done.
    """

    def __init__(self, message: str, after: float = 0.0, *, unanswered: bool = False) -> None:
        super().__init__(message)
        self.after = after
        self.unanswered = unanswered


class RefusedError(Exception):
    """Discord refuses for good (403, 404, a closed place): the place or the message is gone, or the bot may not."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.gone = status == 404


class RejectedError(Exception):
    """Discord rejects what the message consists of (400, 413). Sending it again would not help."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.answer = f"{status} {code}"


class UndeliverableError(Exception):
    """Discord refuses a message everywhere it could stand."""
