"""Which of the words a reader found are to be seen on the page, and whether its text can be believed."""

import re
from collections import Counter
from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box
from catalogsku.core.text import mixed_letters
from processing.engine.reading.port import Glyphs

# Colour parts at least this bright are white; grey levels that close are one colour.
_WHITE = 0xF4
_CONTRAST = 24
# In em: the same word again, this near, is drawn twice to look bold.
_OVERPRINT = 0.25
# Why a page is recognised whose text layer says nothing.
GARBAGE = "garbage"
_CID = re.compile(r"\(cid:(\d+)\)")
# Share of the signs that two readers have in common where they read one text.
_SAME_TEXT = 0.9
_NO_SIGN = re.compile(r"[\x00-\x20\x7f-\xa0]")
_GARBAGE = re.compile("[\x00-\x1f\x80-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")


def is_white(rgb: int) -> bool:
    return min(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255) >= _WHITE


def has_contrast(page: NDArray[np.uint8], box: Box, px_per_pt: float) -> bool:
    """Whether anything can be seen in the box; ``page`` in grey."""
    x0, y0, x1, y1 = (round(v * px_per_pt) for v in box)
    part = page[max(0, y0) : max(0, y1) + 1, max(0, x0) : max(0, x1) + 1]
    return part.size > 0 and int(part.max()) - int(part.min()) >= _CONTRAST


def has_contrast_inside(page: NDArray[np.uint8], box: Box, px_per_pt: float) -> bool:
    """As ``has_contrast``, by the pixels alone that lie wholly in the box: what shows in a smaller drawing, where each
    is the mean of several, shows in a larger one too."""
    x0, y0, x1, y1 = (max(0.0, v * px_per_pt) for v in box)
    part = page[ceil(y0) : floor(y1), ceil(x0) : floor(x1)]
    return part.size > 0 and int(part.max()) - int(part.min()) >= _CONTRAST


def once(words: Sequence[Glyphs]) -> list[Glyphs]:
    """Words drawn several times in one place kept once, as bold."""
    distinct: list[Glyphs] = []
    places: dict[str, list[int]] = {}
    for word in words:
        for index in places.get(word.text, ()):
            other = distinct[index]
            near = _OVERPRINT * max(word.size, other.size, 1.0)
            if abs(word.box[0] - other.box[0]) <= near and abs(word.box[1] - other.box[1]) <= near:
                if not other.bold:
                    distinct[index] = other._replace(bold=True)
                break
        else:
            places.setdefault(word.text, []).append(len(distinct))
            distinct.append(word)
    return distinct


def count(words: Sequence[Glyphs]) -> int:
    return sum(len(w.text) for w in words)


def garbage_ratio(words: Sequence[Glyphs]) -> float:
    """Share of characters that fonts without a mapping leave behind: replacement, private use, control, (cid:12), and
    letters of many scripts, which are the font's own numbers."""
    text = _signs(words)
    return (len(_GARBAGE.findall(text)) + mixed_letters(text)) / len(text) if text else 0.0


def gives_glyph_numbers(words: Sequence[Glyphs], unmapped: Sequence[Glyphs]) -> bool:
    """Whether a reader gave for characters the numbers of glyphs, which another one says are without a mapping: "L" is
    the 47th glyph of nearly all TrueType fonts, and 47 is a slash."""
    numbers = "".join(map(chr, map(int, _CID.findall("".join(w.text for w in unmapped)))))
    drawn, mapped = (Counter(_NO_SIGN.sub("", text)) for text in (numbers, "".join(w.text for w in words)))
    return drawn.total() > 0 and (drawn & mapped).total() >= _SAME_TEXT * mapped.total()


def drawn_signs(words: Sequence[Glyphs]) -> int:
    """How many signs are drawn, whether or not it is known which."""
    return len(_signs(words))


def _signs(words: Sequence[Glyphs]) -> str:
    return _CID.sub("\ufffd", "".join(w.text for w in words))


def rare_han_ratio(words: Sequence[Glyphs]) -> float:
    """Share of Han characters outside the everyday sets (GB 2312 level 1, Big5 level 1, JIS X 0208 level 1): print
    has about 1 %, a failed recognition 20 % and more. 0 where there are fewer than 20 Han characters."""
    han = [c for w in words for c in w.text if "\u4e00" <= c <= "\u9fff"]
    if len(han) < 20:
        return 0.0
    return min(_outside(han, *limits) for limits in _EVERYDAY) / len(han)


_EVERYDAY = (("gb2312", 0xB0A1, 0xD7F9), ("big5", 0xA440, 0xC67E), ("euc_jp", 0xB0A1, 0xCFD3))


def _outside(han: Sequence[str], encoding: str, low: int, high: int) -> int:
    count = 0
    for char in han:
        code = int.from_bytes(char.encode(encoding, "ignore"), "big")
        count += not low <= code <= high
    return count


def junk_ratio(words: Sequence[Glyphs]) -> float:
    """Share of words that are a lone letter or sign: a failed recognition of pictures and ornaments leaves many."""
    junk = sum(1 for w in words if not any(c.isdigit() for c in w.text) and sum(c.isalnum() for c in w.text) < 2)
    return junk / len(words) if words else 0.0
