"""Which words of a text layer nobody can read on the page, and why: they are kept apart and named (LA-GUARD)."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box, contains_point, rounded, union
from processing.engine.page import Hidden, Picture
from processing.engine.reading.layout import joined, text_rows
from processing.engine.reading.port import SLANTED, Glyphs, PageSize
from processing.engine.reading.seen import Seen
from processing.engine.reading.trust import has_contrast, has_contrast_inside, is_white

# Smaller than this on paper and on the screenshot: print ends at 4 pt.
_TINY_PT = 2.0
_TINY_PX = 3.5
# A letter alone that is no print: its size at most, and of the page's usual one.
_MARK_PT, _MARK = 2.5, 0.35
# A word over a picture changes at least this share of the pixels there by more than so many grey levels.
_INK_RATIO = 0.02
_INK_LEVELS = 24
_MOST_CHARS = 20_000


class Shown(NamedTuple):
    """What the page looks like, and its pictures, whose files are in ``out_dir``."""

    seen: Seen
    pictures: Sequence[Picture] = ()
    out_dir: Path = Path()


def reasons(words: Sequence[Glyphs], size: PageSize, shown: Shown) -> list[str]:
    """For each word why it cannot be read, as in ``Hidden``; empty for one that can."""
    page: Box = (0.0, 0.0, size.width_pt, size.height_pt)
    usual = median([word.size for word in words] or [0.0])
    by_word = [_reason(word, page, shown) or ("tiny" if _is_mark(word, usual) else "") for word in words]
    for n in _covered(words, [n for n, reason in enumerate(by_word) if not reason], shown):
        by_word[n] = "covered"
    return by_word


def _reason(word: Glyphs, page: Box, shown: Shown) -> str:
    if word.turn == SLANTED:
        return "slanted"
    if not contains_point(page, *_middle(word.box)):
        return "off_page"
    if word.invisible:
        return "invisible_mode"
    if word.size < _TINY_PT and word.size * shown.seen.px_per_pt < _TINY_PX:
        return "tiny"
    if is_white(word.rgb) and not _stands_out(word, shown.seen):
        return "white"
    return ""


def _stands_out(word: Glyphs, seen: Seen) -> bool:
    """Whether the page shows anything in its place. What is seen small is there; what is not may be too fine for it."""
    if seen.small is None or has_contrast_inside(seen.small, word.box, seen.small_px_per_pt):
        return True
    return seen.close is None or has_contrast(seen.close, word.box, seen.px_per_pt)


def _is_mark(word: Glyphs, usual: float) -> bool:
    """A letter alone, far smaller than any index: what a program set to find the place again."""
    return len(word.text) == 1 and word.text.isalpha() and word.size <= min(_MARK_PT, _MARK * usual)


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _covered(words: Sequence[Glyphs], among: Sequence[int], shown: Shown) -> list[int]:
    """Words in whose place the page shows a picture and nothing else. Fine detail of a picture can pass for ink: then
    a word counts as read, never the other way round."""
    covered = []
    for picture in shown.pictures:
        inside = [n for n in among if contains_point(picture.box, *_middle(words[n].box))]
        if inside and picture.file and not (picture.drawn or picture.fragmented):
            covered += _without_ink(words, inside, picture, shown)
    return covered


def _without_ink(words: Sequence[Glyphs], inside: Sequence[int], picture: Picture, shown: Shown) -> list[int]:
    grey, px_per_pt = shown.seen.close, shown.seen.px_per_pt
    if grey is None:
        return []
    x0, y0, x1, y1 = (round(v * px_per_pt) for v in picture.box)
    page = grey[y0:y1, x0:x1].astype(np.int16)
    if not page.size:
        return []
    alone = _alone(shown.out_dir / picture.file, page.shape[1], page.shape[0])
    # One pixel of play: the page's rendering and this one need not agree to the pixel.
    above, below = page - _around(alone, np.maximum), _around(alone, np.minimum) - page
    ink = np.maximum(above, below) > _INK_LEVELS
    covered = []
    for n in inside:
        a0, b0, a1, b1 = (round(v * px_per_pt) for v in words[n].box)
        part = ink[max(0, b0 - y0) : b1 - y0 + 1, max(0, a0 - x0) : a1 - x0 + 1]
        if part.size and part.mean() < _INK_RATIO:
            covered.append(n)
    return covered


def _alone(file: Path, width_px: int, height_px: int) -> NDArray[np.int16]:
    with Image.open(file) as image:
        image.draft("L", (width_px, height_px))
        return np.asarray(image.convert("L").resize((width_px, height_px), Image.Resampling.BOX), np.int16)


def _around(levels: NDArray[np.int16], most: np.ufunc) -> NDArray[np.int16]:
    """The most, or the least, of each pixel and the eight around it."""
    wide = np.pad(levels, 1, mode="edge")
    rows = most(most(wide[:-2], wide[1:-1]), wide[2:])
    extremes: NDArray[np.int16] = most(most(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
    return extremes


def hidden_lines(words: Sequence[tuple[Glyphs, str]]) -> tuple[Hidden, ...]:
    """Lines of the hidden words (with their reasons), at most 20 000 characters."""
    lines, chars = [], 0
    for reason in dict.fromkeys(why for _, why in words):
        for row in text_rows([word for word, why in words if why == reason]):
            row = sorted(row, key=lambda g: g.box[0])
            text = joined(row)[: _MOST_CHARS - chars]
            chars += len(text)
            if text:
                lines.append(Hidden(text, rounded(union(g.box for g in row)), reason))
    return tuple(lines)
