"""Lines that were read unsurely, read again by a second engine: what it says makes them surer or more doubtful."""

import unicodedata
from collections.abc import Sequence

from processing.engine.reading.line_cut import cut
from processing.engine.reading.ocr_port import LineText, OcrEngine, Pixels, RecognisedLine

# An engine with a lower score has no opinion.
_SAYS = 0.5
# Scores of 0 and 1 are none that another one could change.
_SUREST = 0.999


def weighed(
    lines: Sequence[RecognisedLine], pixels: Pixels, second: OcrEngine, below: float, script: str = ""
) -> list[RecognisedLine]:
    """The lines of ``pixels``; the text of each stays the first engine's, and those with a score of ``below`` or more
    are not asked about."""
    return [
        _weighed(line, second.line(cut(pixels, line.corners), script)) if line.corners and line.score < below else line
        for line in lines
    ]


def _weighed(line: RecognisedLine, other: LineText) -> RecognisedLine:
    """With the score that two witnesses give who err independently: the odds of both multiplied where they say the
    same, divided where they differ. Spaces and widths of signs are no difference."""
    if other.score < _SAYS or not other.text:
        return line
    mine, its = _plain(line.text), _plain(other.text)
    odds, others = _odds(line.score), _odds(other.score)
    if mine == its:
        return line._replace(score=_share(odds * others))
    score = _share(odds / others)
    unlike = [a != b for a, b in zip(mine, its, strict=True)] if len(mine) == len(its) == len(line.chars) else []
    chars = tuple(
        char._replace(score=min(char.score, score)) if differs else char
        for char, differs in zip(line.chars, unlike or [True] * len(line.chars), strict=True)
    )
    return line._replace(score=score, chars=chars)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _odds(score: float) -> float:
    sure = min(max(score, 1 - _SUREST), _SUREST)
    return sure / (1 - sure)


def _share(odds: float) -> float:
    return odds / (1 + odds)
