"""Characters that a reader sees as one sign: a letter with its marks, or an emoji of several parts.

A close relative of the extended grapheme clusters of Unicode (UAX #29), for text in normalisation form C. In Chinese
and Japanese a line may be broken between any two of them, but not before a closing sign or after an opening one (JLREQ,
"Line-start prohibition rule" and "Line-end prohibition rule").
"""

from __future__ import annotations

from unicodedata import category, combining

JOINER, NON_JOINER = "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"
KEYCAP = "\N{COMBINING ENCLOSING KEYCAP}"
EMOJI_FORM = "\N{VARIATION SELECTOR-16}"
_VIRAMA = 9
"""Combining class of the marks that tie the next letter to theirs, in scripts of India."""
_BLOCK = 128
"""Code points of each of these scripts."""
_NOT_FIRST = frozenset(
    "、。，．・：；？！」』）〕］｝〉》】〟ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ…‥～〜,.;:?!)]}»›’”%"
)
_NOT_LAST = frozenset("「『（〔［｛〈《【〝([{«‹‘“#")
_BLOCKS = (
    ("\u2e80", "\u30ff"),
    ("\u31f0", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\uff00", "\uffef"),
    ("\U00020000", "\U0003ffff"),
)


def is_selector(character: str) -> bool:
    """Say whether a character chooses a form of the one before it."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def is_mark(character: str) -> bool:
    """Say whether a character is a mark that is drawn at the letter before it."""
    return category(character)[0] == "M" and not is_selector(character)


def is_tag(character: str) -> bool:
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
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _goes_on(cluster: str, character: str) -> bool:
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
    parts: list[str] = []
    for character in text:
        if parts and _goes_on(parts[-1], character):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def _breaks_freely(cluster: str) -> bool:
    """Say whether a line may be broken beside a sign because there are no spaces in its script. Korean has them."""
    return any(first <= cluster[0] <= last for first, last in _BLOCKS)


def breakable_parts(word: str) -> list[str]:
    """Return a word in the parts between which a line may be broken."""
    parts: list[str] = []
    for cluster in clusters(word):
        before = parts[-1][-1] if parts else ""
        if not parts or not (_breaks_freely(before) or _breaks_freely(cluster)):
            may_break = not parts
        else:
            may_break = cluster[0] not in _NOT_FIRST and before not in _NOT_LAST
        if may_break:
            parts.append(cluster)
        else:
            parts[-1] += cluster
    return parts
