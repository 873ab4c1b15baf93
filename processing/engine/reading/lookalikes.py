"""Recognised characters that another one looks like, put right where the print around them proves which it is."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from processing.engine.reading.measure_signs import evenly_spaced, other_signs
from processing.engine.reading.ocr_port import RecognisedLine

# Letters and digits of one look, either way.
_PAIRS = ("I1", "l1", "O0", "S5", "B8", "Z2")
_DOUBLES: dict[str, str] = {pair[1]: pair[0] for pair in reversed(_PAIRS)} | {pair[0]: pair[1] for pair in _PAIRS}
# Score under which a character may be its double: sure ones have 0.99 and more, confused ones 0.55 to 0.85.
_UNSURE = 0.9
# Sure characters in the same place of other codes that prove what kind stands there.
_PROOF = 3
# Codes stand in one column whose edges are no further apart, in line heights.
_ALIGNED = 0.5
_SHORTEST = 4
# A capital I and a small L, of one look in most type without serifs: there is no unit "Im", and no word has one small L
# between two capitals and its last letter, as "PCIe" has its I.
_SMALL_L = re.compile(r"(?<=[0-9])\s?(I)m(?![a-z0-9])")
_CAPITAL_I = re.compile(r"(?<![A-Za-z])[A-Z]{2}(l)[a-z](?![a-z])")
# Behind the sign of a currency a capital O between or behind figures is a zero, however sure it was read.
_AMOUNT = re.compile(r"[$€£¥￥]\s?\d[\d.,]*O[\d.,O]*(?![^\W\d])")


class _Code(NamedTuple):
    """A word of letters and digits: of line ``line``, its characters there from ``start`` on, and its kinds of
    character."""

    line: int
    start: int
    text: str
    kinds: str
    left: float
    right: float


def mended(lines: Sequence[RecognisedLine], grey: NDArray[np.uint8]) -> tuple[list[RecognisedLine], int]:
    """The lines, and how many characters of them are others than the engine said. ``grey``: the pixels in which they
    were read."""
    changed = list(lines)
    signs = [change for n, line in enumerate(changed) for change in other_signs(n, line, grey)]
    rules = (_by_their_column, _by_their_word, _by_their_use, _by_their_price)
    changes = dict.fromkeys([*(change for by in rules for change in by(changed)), *signs])
    for line, place, char in changes:
        changed[line] = _with(changed[line], place, char)
    return [line._replace(text=evenly_spaced(line.text)) for line in changed], len(changes)


def _by_their_column(lines: Sequence[RecognisedLine]) -> Iterator[tuple[int, int, str]]:
    """Doubtful characters of codes where all sure ones in this place of the column's codes are of their double's
    kind."""
    codes = [code for n, line in enumerate(lines) for code in _codes(n, line)]
    for code in codes:
        doubtful = [i for i in range(len(code.text)) if _is_doubtful(lines, code, i)]
        if not doubtful:
            continue
        family = [other for other in codes if other is not code and _is_kin(code, other, doubtful, lines)]
        for i in doubtful:
            double = _DOUBLES[code.text[i]]
            sure = {_kind(other.text[i]) for other in family if _score(lines, other, i) >= _UNSURE}
            count = sum(_score(lines, other, i) >= _UNSURE for other in family)
            if sure == {_kind(double)} and count >= _PROOF:
                yield code.line, code.start + i, double


def _by_their_word(lines: Sequence[RecognisedLine]) -> Iterator[tuple[int, int, str]]:
    """A doubtful 0 between letters, or O between digits, is of their kind: codes change between letters and digits, but
    hardly for one place."""
    for n, line in enumerate(lines):
        for before, i, after in zip(line.chars, range(1, len(line.chars)), line.chars[2:], strict=False):
            char = line.chars[i]
            if char.text not in "0O" or char.score >= _UNSURE or before.text + char.text + after.text not in line.text:
                continue
            if _kind(before.text) == _kind(after.text) == _kind(_DOUBLES[char.text]):
                yield n, i, _DOUBLES[char.text]


def _by_their_use(lines: Sequence[RecognisedLine]) -> Iterator[tuple[int, int, str]]:
    for n, line in enumerate(lines):
        for pattern, char in ((_SMALL_L, "l"), (_CAPITAL_I, "I")):
            for match in pattern.finditer(line.text) if line.chars else ():
                yield n, _place(line, match.start(1)), char


def _by_their_price(lines: Sequence[RecognisedLine]) -> Iterator[tuple[int, int, str]]:
    for n, line in enumerate(lines):
        for match in _AMOUNT.finditer(line.text) if line.chars else ():
            for at in range(*match.span()):
                if line.text[at] == "O":
                    yield n, _place(line, at), "0"


def _place(line: RecognisedLine, at: int) -> int:
    """Of the line's characters, the one there in its text, which has spaces too."""
    return len("".join(line.text[:at].split()))


def _codes(n: int, line: RecognisedLine) -> Iterator[_Code]:
    at = 0
    for word in line.text.split() if line.chars else ():
        kinds = "".join(map(_kind, word))
        if len(word) >= _SHORTEST and word.isascii() and "0" in kinds:
            yield _Code(n, at, word, kinds, line.chars[at].start, line.chars[at + len(word) - 1].end)
        at += len(word)


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "A" if char.isalpha() else char


def _score(lines: Sequence[RecognisedLine], code: _Code, i: int) -> float:
    return lines[code.line].chars[code.start + i].score


def _is_doubtful(lines: Sequence[RecognisedLine], code: _Code, i: int) -> bool:
    return code.text[i] in _DOUBLES and _score(lines, code, i) < _UNSURE


def _is_kin(code: _Code, other: _Code, doubtful: Sequence[int], lines: Sequence[RecognisedLine]) -> bool:
    """Stands in the same column and is built alike but for the places in doubt."""
    high = lines[code.line].box[3] - lines[code.line].box[1]
    aligned = min(abs(code.left - other.left), abs(code.right - other.right)) <= _ALIGNED * high
    if not aligned or len(code.text) != len(other.text):
        return False
    return all(a == b for i, (a, b) in enumerate(zip(code.kinds, other.kinds, strict=True)) if i not in doubtful)


def _with(line: RecognisedLine, place: int, char: str) -> RecognisedLine:
    chars = tuple(c._replace(text=char) if n == place else c for n, c in enumerate(line.chars))
    written = iter(chars)
    text = "".join(c if c.isspace() else next(written).text for c in line.text)
    return line._replace(text=text, chars=chars)
