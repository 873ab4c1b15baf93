"""When two printed texts or two boxes count as the same: the only places where the figures forgive something."""

import re

from rapidfuzz.distance import Levenshtein

from catalogsku.core.box import Box, area, intersect, overlap_ratio
from catalogsku.core.text import squash, trim

NAMES_ALIKE = 0.85
_CJK = "[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BETWEEN_CJK = re.compile(f"(?<={_CJK}) (?={_CJK})")
_LABEL_END = re.compile(r"[\s:：*]+$")
# Share of the smaller box that must lie inside the larger one, and how much smaller it may be: a picture of the whole
# page contains every product picture and is none of them.
_CONTAINED = 0.9
_LEAST_PART = 0.25
_LEAST_IOU = 0.5


def loose(text: str) -> str:
    """Runs of white space to one space, none between CJK signs; every other sign as printed."""
    return _BETWEEN_CJK.sub("", trim(text))


def same_label(a: str, b: str) -> bool:
    """Printed labels, whatever their case, spaces and colon."""
    return _label(a) == _label(b)


def _label(text: str) -> str:
    return squash(_LABEL_END.sub("", text))


def names_alike(a: str, b: str) -> float:
    """1 - edit distance / length of the longer, over the squashed texts: 0 to 1; 0 for two empty ones."""
    first, other = squash(a), squash(b)
    return Levenshtein.normalized_similarity(first, other) if first or other else 0.0


def same_picture(a: Box, b: Box) -> bool:
    """IoU of at least 0.5; or one inside the other, as a crop without its white margin is, and at least a quarter."""
    common = intersect(a, b)
    if common is None:
        return False
    shared = area(common)
    if shared / (area(a) + area(b) - shared) >= _LEAST_IOU:
        return True
    return overlap_ratio(a, b) >= _CONTAINED and min(area(a), area(b)) >= _LEAST_PART * max(area(a), area(b))
