"""Any text as a line that can be drawn.

Names come from strangers. Whatever they hold, a line stays a line, and no name vanishes: a letter that no font has is
shown as a box.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from renderers.scripts.bidi import END, ISOLATE, isolated
from renderers.scripts.clusters import JOINER, NON_JOINER, clusters, is_mark, is_selector, is_tag
from renderers.scripts.typefaces import in_main_font, typeface_for

MISSING = "□"
"""Stands for a letter that no font has."""
_LONGEST = 300
"""Characters of a line that are looked at; no line of a picture holds more, unless it is wrapped."""
_MOST_MARKS = 3
"""Marks at one letter. No language needs more, and where there are more they are ornament and grow beyond the line."""
_MODIFIERS = frozenset({"Lm", "Sk"})
"""Categories of characters that change the one before them, such as the colour of an emoji."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols of which nothing is seen."""
_ISOLATED = re.compile(f"{ISOLATE}([^\u2066-\u2069]*){END}")
_AS_THEY_ARE = re.compile(
    "[\u203c\u2049\u2122\u2139\u24c2\u3297\u3299]\ufe0f"  # emoji
    "|[\U0001f200-\U0001f2ff]"  # emoji of one Japanese word
    "|[\u0e33\u0eb3]"  # vowels of Thai and Lao of two parts: between them a tone mark may have to be put
    "|[\u3131-\u318e\uffa1-\uffdc]"  # Korean letters that stand for themselves
    "|[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff60]"  # Japanese and Chinese punctuation
)
"""Characters that stay as they are: making ornamental letters plain would change them."""


@lru_cache(maxsize=2048)
def drawable(text: str, longest: int = _LONGEST) -> str:
    """Return ``text`` on one line in what the fonts have, at most ``longest`` characters; ornamental letters become
    plain ones.

    A letter or digit that no font has becomes a box. A symbol is left out unless there is nothing else, and so are
    marks that belong to no letter, or pile up on one. Signs of direction go, but for isolates that are needed.
    """
    return _shown(text, longest, "LN") or _shown(text, longest, "LNSP")


def _shown(text: str, longest: int, boxed: str) -> str:
    """Return what can be drawn of ``text``, with a box for any other character of these general categories."""
    shown = []
    for at, part in enumerate(_ISOLATED.split(text[:longest])):
        # Of the characters of control only those that part words or have to do with the form of others.
        kept = "".join(
            character
            for character in part
            if unicodedata.category(character) not in ("Cc", "Cf")
            or character.isspace()
            or is_tag(character)
            or character in (JOINER, NON_JOINER)
        )
        plain, end = [], 0
        for as_it_is in _AS_THEY_ARE.finditer(kept):
            plain += [unicodedata.normalize("NFKC", kept[end : as_it_is.start()]), as_it_is[0]]
            end = as_it_is.end()
        plain.append(unicodedata.normalize("NFKC", kept[end:]))
        joined = unicodedata.normalize("NFC", "".join(plain))
        letters = "".join(_shown_cluster(cluster, boxed) for cluster in clusters(joined[:longest]))
        # Every other part is what stood in an isolate.
        shown.append(isolated(letters) if at % 2 and not letters.isspace() else letters)
    return " ".join("".join(shown).split())


@lru_cache(maxsize=4096)
def _shown_cluster(cluster: str, boxed: str) -> str:
    if cluster[0].isspace() or cluster[0] in _BLANK:
        return " "
    tidy = "".join(
        letters
        for marks, letters in ((marks, "".join(same)) for marks, same in groupby(cluster, is_mark))
        if not marks or len(letters) <= _MOST_MARKS
    )
    typeface = typeface_for(tidy) if tidy else None
    if typeface is not None:
        return "".join(
            character
            for character in tidy
            if typeface.has(character) or character in (JOINER, NON_JOINER) or is_selector(character)
        )
    if in_main_font(cluster[0]):
        return cluster[0]
    category = unicodedata.category(cluster[0])
    unknown = category in ("Cn", "Co", "Cs") or category[0] in boxed
    return MISSING if unknown and category not in _MODIFIERS else ""
