"""The sign of times between two measures, told from the letter x by where it stands: over the line, not on it."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from processing.engine.reading.ocr import PlacedChar, RecognisedLine
from processing.engine.reading.raster import ink, inked

# "By" between two measures.
_BY = re.compile(r"(?<=[\d\"”″'′a-z])(\s?)[x×](\s?)(?=\D{0,2}\d)", re.IGNORECASE)
# Of a digit's height, how far the foot of a sign of times lies over the digit's: 0.17 to 0.33 in 228 of 229 signs at
# 200 dpi, of 473 letters at most 0.13.
_RAISED = 0.15
# Of what differs most from the ground, as in `ink`.
_INK = 0.45


def other_signs(n: int, line: RecognisedLine, grey: NDArray[np.uint8]) -> Iterator[tuple[int, int, str]]:
    """(``n``, place among the line's characters, the sign that is printed) where that is not the one that was read.
    ``grey``: the pixels in which the line was read."""
    for found in _BY.finditer(line.text) if line.chars else ():
        at = len("".join(line.text[: found.start() + len(found.group(1))].split()))
        read = line.chars[at].text
        raised = _is_raised(line, at, grey) if read in "x×" else None
        if raised is not None and raised != (read == "×"):
            yield n, at, "×" if raised else "x"


def _is_raised(line: RecognisedLine, at: int, grey: NDArray[np.uint8]) -> bool | None:
    """None where the print does not tell."""
    before, sign, after = line.chars[at - 1], line.chars[at], line.chars[at + 1]
    digit = next((char for char in (before, after) if char.text.isdigit()), None)
    foot = _foot(line, before, sign, after, grey)
    if digit is None or foot is None:
        return None
    _, top, _, bottom = ink(grey, (digit.start, line.box[1], digit.end, line.box[3]))
    return bottom - foot >= _RAISED * (bottom - top)


def _foot(
    line: RecognisedLine, before: PlacedChar, sign: PlacedChar, after: PlacedChar, grey: NDArray[np.uint8]
) -> float | None:
    """Where the ink of the sign ends, which stands free between its neighbours."""
    x0, x1 = max(0, int((before.start + before.end) / 2)), int((after.start + after.end) / 2)
    y0 = max(0, int(line.box[1]))
    mask = inked(grey[y0 : max(y0, round(line.box[3])), x0 : max(x0, x1)], _INK)
    columns = np.concatenate(([False], mask.any(axis=0), [False]))
    edges = np.flatnonzero(np.diff(columns.astype(np.int8))).reshape(-1, 2)
    if not len(edges):
        return None
    start, end = edges[np.abs(edges.mean(axis=1) - ((sign.start + sign.end) / 2 - x0)).argmin()]
    return float(y0 + np.flatnonzero(mask[:, start:end].any(axis=1))[-1] + 1)
