"""Line breaks in Chinese and Japanese: between any two signs, but not before a closing sign or after an opening one
(JLREQ, "Line-start prohibition rule" and "Line-end prohibition rule").
"""

from __future__ import annotations

from renderers.scripts.clusters import clusters

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


def _breaks_freely(cluster: str) -> bool:
    """Say whether a line may be broken beside a sign because there are no spaces in its script. Korean has them."""
    return any(first <= cluster[0] <= last for first, last in _BLOCKS)


def pieces(word: str) -> list[str]:
    """Return a word in the parts between which a line may be broken."""
    found: list[str] = []
    for cluster in clusters(word):
        before = found[-1][-1] if found else ""
        if not found or not (_breaks_freely(before) or _breaks_freely(cluster)):
            may_break = not found
        else:
            may_break = cluster[0] not in _NOT_FIRST and before not in _NOT_LAST
        if may_break:
            found.append(cluster)
        else:
            found[-1] += cluster
    return found
