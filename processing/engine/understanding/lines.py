"""Printed lines as the analyst wants them: pieces that stand far apart on one baseline are lines of their own."""

import re
from itertools import groupby

import msgspec

from catalogsku.core.box import height, union
from catalogsku.core.text import fold
from processing.engine.page import Line, Word

# In print sizes; justified text stays below one.
_WIDE_GAP = 2.5
# A number or letter that counts a text stands at least so far before it.
_COUNTED = re.compile(r"\d{1,2}[.)]?|[A-Z][.)]?|[\u2460-\u2473]")
_COUNT_GAP = 0.8
# Words on badges; of the print beside one, how high its own is at most, and how far it stands off.
_BADGES = frozenset(("new", "hot", "sale", "best", "top", "新", "新品", "新款", "热卖", "热销", "爆款", "推荐", "特价"))
_BADGE_PRINT, _BADGE_GAP = 0.85, 0.6
# Dots that lead from a text to the one it belongs with: an ellipsis has three of them.
_DOTS, _LEAST_DOTS = ".·…‧・_", 4
_DOT = re.compile(f"[{_DOTS}]")
_LEADER = re.compile(rf"([{_DOTS}]{{{_LEAST_DOTS},}})")
# Of a letter's width.
_DOT_WIDTH = 0.5


def pieces(line: Line) -> list[Line]:
    """The line, cut where leader dots stand, behind a badge, and where the space between two words is far wider than a
    space.

    The dots are in none of the pieces.
    """
    if line.vertical:
        return [line]
    limit = _WIDE_GAP * max(line.size, height(line.box), 4.0)
    groups: list[list[Word]] = []
    for run in _between_leaders(line.words):
        for n, word in enumerate(run):
            apart = word.box[0] - groups[-1][-1].box[2] if n else limit
            cut = n == 1 and (_is_counted(run[0], apart, line.size) or _is_badge(run[0], word, apart))
            if n and apart <= limit and not cut:
                groups[-1].append(word)
            else:
                groups.append([word])
    if len(groups) < 2 and sum(map(len, groups)) == len(line.words):
        return [line]
    return [part_line(line, tuple(group)) for group in groups]


def _is_counted(word: Word, apart: float, size: float) -> bool:
    return apart >= _COUNT_GAP * size > 0 and _COUNTED.fullmatch(word.text) is not None


def _is_badge(first: Word, second: Word, apart: float) -> bool:
    """A word of praise in smaller print, off the name that it stands before: "NEW", "新品"."""
    small = height(first.box) <= _BADGE_PRINT * height(second.box) and apart >= _BADGE_GAP * height(second.box)
    return small and fold(first.text).strip("!！") in _BADGES


def part_line(line: Line, words: tuple[Word, ...]) -> Line:
    """A line of some of the words."""
    text = " ".join(word.text for word in words)
    return Line(text, union(word.box for word in words), words, line.size, line.bold)


def _between_leaders(words: tuple[Word, ...]) -> list[list[Word]]:
    if len(_DOT.findall("".join(word.text for word in words))) < _LEAST_DOTS:
        return [list(words)]
    runs: list[list[Word]] = [[]]
    parts = [part for word in words for part in _parts(word)]
    for dotted, group in groupby(parts, key=lambda word: not word.text.strip(_DOTS)):
        own = list(group)
        if dotted and sum(len(word.text) for word in own) >= _LEAST_DOTS:
            runs.append([])
        else:
            runs[-1] += own
    return runs


def _parts(word: Word) -> list[Word]:
    """A word that was read together with leader dots, taken apart; its width is shared by the letters."""
    texts = [text for text in _LEADER.split(word.text) if text]
    if len(texts) < 2:
        return [word]
    widths = [len(text) * (_DOT_WIDTH if _LEADER.fullmatch(text) else 1.0) for text in texts]
    x0, y0, x1, y1 = word.box
    words, at = [], x0
    for text, width in zip(texts, widths, strict=True):
        end = at + (x1 - x0) * width / sum(widths)
        words.append(msgspec.structs.replace(word, text=text, box=(at, y0, end, y1)))
        at = end
    return words
