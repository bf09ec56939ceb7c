"""Characters that a reader sees as one sign: a letter with its marks, or an emoji of several parts.

A close relative of the extended grapheme clusters of Unicode (UAX #29), for text in normalisation form C.
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, combining

JOINER, NON_JOINER = "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"
KEYCAP = "\N{COMBINING ENCLOSING KEYCAP}"
EMOJI_FORM = "\N{VARIATION SELECTOR-16}"
_VIRAMA = 9
"""Combining class of the marks that tie the next letter to theirs, in scripts of India."""
_BLOCK = 128
"""Code points of each of these scripts."""


def is_selector(character: str) -> bool:
    """Say whether a character chooses a form of the one before it."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def is_mark(character: str) -> bool:
    """Say whether a character is a mark that is drawn at the letter before it."""
    return category(character)[0] == "M" and not is_selector(character)


def is_tag(character: str) -> bool:
    """Say whether a character is one of those that say which flag an emoji is."""
    return "\U000e0020" <= character <= "\U000e007f"


def extends(character: str) -> bool:
    """Say whether a character belongs to the one before it, whatever that is."""
    return (
        category(character)[0] == "M"
        or character in (JOINER, NON_JOINER)
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # colours of skin
        or is_tag(character)
    )


def _is_indicator(character: str) -> bool:
    """Say whether a character is half of a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _goes_on(cluster: str, character: str) -> bool:
    """Say whether a cluster goes on with a character."""
    if extends(character):
        return True
    if _is_indicator(character):
        return len(cluster) == 1 and _is_indicator(cluster)
    before = cluster.rstrip(JOINER)[-1:]
    if cluster[-1] == JOINER and category(character) == "So":
        return True
    same_script = ord(before or " ") // _BLOCK == ord(character) // _BLOCK
    return same_script and category(character) == "Lo" and combining(before) == _VIRAMA


def clusters(text: str) -> list[str]:
    """Return a text cut into clusters, all of it."""
    return list(_clusters(text))


def _clusters(text: str) -> Iterator[str]:
    cluster = ""
    for character in text:
        if cluster and _goes_on(cluster, character):
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster = character
    if cluster:
        yield cluster
