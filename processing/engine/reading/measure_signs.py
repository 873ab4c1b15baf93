"""Signs of measures that are taken for others: the letter x for a sign of times, and that of a diameter for a zero."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from processing.engine.reading.ocr_port import RecognisedLine
from processing.engine.reading.raster import ink, inked

# "By" between two measures.
_SIGN = re.compile(r"(?<=[\d\"”″'′a-z\s])×(?=\s?\D{0,2}\d)", re.IGNORECASE)
# Of the height of the digits beside it, how far over their foot a letter begins at most, and where it ends. Of 2438
# signs and 1251 letters at 200 dpi, in four kinds of type, they take one letter for a sign: signs begin at 0.16 to 0.33
# or, being small, end at 0.48 to 0.61. In a fifth kind they are large and end at 0.88 to 0.93.
_FOOT, _HEAD = 0.12, (0.62, 0.85)
# A zero in front of a number is no digit of it. Of the middle of its box, the ink of a stroke through it.
_ZERO = re.compile(r"(?<![\w.,])(?<!\d\s)0(?=[1-9][0-9]{1,3}\s?(?:[x×*]\s?[0-9]|[mc]m))")
_STRUCK = 0.2
# Space on one side of a sign between two values.
_UNEVEN = re.compile(
    r"(?:(?<=[\d\"”″'′])|(?<=[mc]m))(?: [x×](?=\S)|[x×] )(?=\D?\d)"
    r"|(?<=\w)(?: [–—](?=\w)|[–—] (?=\w))"
    r"|(?<=[^\s/\d])(?: /(?=[^\s/])|/ (?=[^\s/]))",
    re.IGNORECASE,
)
# A fraction of an inch with space on one side of its stroke has none: "1 /4-20".
_FRACTION = re.compile(r"(?<![\d.,])(\d{1,2})(?: /|/ )(2|4|8|16|32|64)(?![\d.,])")
# Of what differs most from the ground, as in `ink`.
_INK = 0.45
# Characters from the sign to the digits it is measured by: "L20 x W30".
_REACH = 4


def other_signs(n: int, line: RecognisedLine, grey: NDArray[np.uint8]) -> Iterator[tuple[int, int, str]]:
    """(``n``, place among the line's characters, the sign that is printed) where another was read. ``grey``: the pixels
    in which the line was read."""
    for pattern, is_other, sign in ((_SIGN, _is_letter, "x"), (_ZERO, _is_struck, "Ø")):
        for match in pattern.finditer(line.text) if line.chars else ():
            at = len("".join(line.text[: match.start()].split()))
            if is_other(line, at, grey):
                yield n, at, sign


def evenly_spaced(text: str) -> str:
    """With space on both sides of a sign of times, a dash or a slash that has it on one: "20x 30 cm" was printed
    "20 x 30"; and with none in a fraction."""
    return _UNEVEN.sub(lambda match: f" {match.group().strip()} ", _FRACTION.sub(r"\1/\2", text))


def _is_letter(line: RecognisedLine, at: int, grey: NDArray[np.uint8]) -> bool:
    ends = _ends(line, at, grey)
    around = line.chars[max(0, at - _REACH) : at][::-1], line.chars[at + 1 : at + 1 + _REACH]
    digits = [digit for side in around if (digit := next((char for char in side if char.text.isdigit()), None))]
    if ends is None or not digits:
        return False
    boxes = [ink(grey, (digit.start, line.box[1], digit.end, line.box[3])) for digit in digits]
    top, bottom = (sum(box[edge] for box in boxes) / len(boxes) for edge in (1, 3))
    head, foot = ends
    high = bottom - top
    return bottom - foot < _FOOT * high and _HEAD[0] * high <= bottom - head <= _HEAD[1] * high


def _is_struck(line: RecognisedLine, at: int, grey: NDArray[np.uint8]) -> bool:
    zero = line.chars[at]
    x0, y0, x1, y1 = map(round, ink(grey, (zero.start, line.box[1], zero.end, line.box[3])))
    left, top = max(0, 2 * x0 - x1), max(0, 2 * y0 - y1)  # with ground around, which is most of it
    mask = inked(grey[top : 2 * y1 - y0, left : 2 * x1 - x0], _INK)
    third, high = (x1 - x0) // 3, (y1 - y0) // 3
    middle = mask[y0 - top + high : y1 - top - high, x0 - left + third : x1 - left - third]
    return bool(middle.size and middle.mean() >= _STRUCK)


def _ends(line: RecognisedLine, at: int, grey: NDArray[np.uint8]) -> tuple[float, float] | None:
    """Where the ink of the sign begins and ends, which stands free between its neighbours."""
    if not 0 < at < len(line.chars) - 1:
        return None
    before, sign, after = line.chars[at - 1 : at + 2]
    x0, x1 = max(0, int((before.start + before.end) / 2)), int((after.start + after.end) / 2)
    y0 = max(0, int(line.box[1]))
    mask = inked(grey[y0 : max(y0, round(line.box[3])), x0 : max(x0, x1)], _INK)
    columns = np.concatenate(([False], mask.any(axis=0), [False]))
    edges = np.flatnonzero(np.diff(columns.astype(np.int8))).reshape(-1, 2)
    if not len(edges):
        return None
    start, end = edges[np.abs(edges.mean(axis=1) - ((sign.start + sign.end) / 2 - x0)).argmin()]
    rows = np.flatnonzero(mask[:, start:end].any(axis=1))
    return float(y0 + rows[0]), float(y0 + rows[-1] + 1)
