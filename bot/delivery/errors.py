"""The ways in which a call to Discord can fail."""

from __future__ import annotations


class UnavailableError(Exception):
    """Discord cannot do it now (429, 5xx, unreachable). It asks for no calls for ``after`` seconds.

    ``unanswered`` means that no answer came at all, so Discord may have done it.
    """

    def __init__(self, message: str, after: float = 0.0, *, unanswered: bool = False) -> None:
        super().__init__(message)
        self.after = after
        self.unanswered = unanswered


class RefusedError(Exception):
    """Discord refuses for good (403, 404, a closed place): message or place is gone, or a permission is missing."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.code = code
        self.gone = status == 404


class RejectedError(Exception):
    """Discord rejects the content of the message (400, 413). Sending it again would not help."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.answer = f"{status} {code}"


class UndeliverableError(Exception):
    """Discord refuses a message in every place where it could stand."""
