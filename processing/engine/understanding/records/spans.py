"""Print as records are made of: lines, or paragraphs of them, each with the style that it shares with others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from catalogsku.core.box import Box, centre, height, union
from processing.engine.page import Line
from processing.engine.understanding.view import PageView

# Sizes that differ by less are one: of recognised print more, for the boxes of its lines say how large it is.
_SAME_SIZE, _SAME_RECOGNISED = 1.07, 1.3
# Of its height: by how much a piece of a line is out of it.
_IN_LINE = 0.4
# Of the size: the hole between lines of one paragraph, and by how much they are out of line.
_LINE_HOLE, _OUT_OF_LINE = 0.55, 0.6


@dataclass(frozen=True)
class Span:
    """``style``: number of a size and weight of the page's print, from the smallest; ``size`` in points."""

    lines: tuple[Line, ...]
    style: int
    size: float
    bold: bool

    @cached_property
    def text(self) -> str:
        return " ".join(line.text.strip() for line in self.lines)

    @cached_property
    def box(self) -> Box:
        return union(line.box for line in self.lines)


def spans_of(view: PageView) -> list[Span]:
    """The page's lines, without those that run through the document, top to bottom."""
    lines = sorted(view.pieces, key=lambda line: (line.box[1], line.box[0]))
    sizes = _steps([_size(line) for line in lines], _SAME_RECOGNISED if view.page.ocr else _SAME_SIZE)
    styled = [(line, 2 * sizes[_size(line)] + int(line.bold and not view.page.ocr)) for line in lines]
    return [Span((line,), style, _size(line), line.bold) for line, style in styled]


def _size(line: Line) -> float:
    return round(line.size or height(line.box), 1)


def _steps(sizes: Sequence[float], ratio: float) -> dict[float, int]:
    """A number for each size; neighbours closer than ``ratio`` share one."""
    steps: dict[float, int] = {}
    last = 0.0
    for size in sorted(set(sizes)):
        step = steps[last] + 1 if steps and size > last * ratio else steps.get(last, 0)
        steps[size] = step
        last = size
    return steps


def paragraphs(spans: Sequence[Span]) -> list[Span]:
    """Lines of one style that stand closely under each other and in line, as one."""
    done: list[list[Span]] = []
    for span in spans:
        above = [paragraph for paragraph in done if _goes_on(paragraph[-1], span)]
        if above:
            max(above, key=lambda paragraph: paragraph[-1].box[1]).append(span)
        else:
            done.append([span])
    return [
        Span(
            tuple(line for span in paragraph for line in span.lines),
            paragraph[0].style,
            paragraph[0].size,
            paragraph[0].bold,
        )
        for paragraph in done
    ]


def _goes_on(above: Span, span: Span) -> bool:
    a, b, size = above.box, span.box, span.size
    hole = b[1] - a[3]
    if above.style != span.style or not -0.5 * size < hole <= _LINE_HOLE * size or b[1] <= a[1]:
        return False
    if a[2] <= b[0] or b[2] <= a[0]:
        return False
    out = _OUT_OF_LINE * size
    return abs(a[0] - b[0]) <= out or abs(centre(a)[0] - centre(b)[0]) <= out


def lines_of_print(pieces: Sequence[Line]) -> list[list[Line]]:
    """Top to bottom; of each line its pieces, left to right."""
    lines: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: centre(piece.box)[1]):
        last = lines[-1][-1] if lines else None
        if last and centre(piece.box)[1] - centre(last.box)[1] <= _IN_LINE * height(last.box):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=lambda piece: piece.box[0]) for line in lines]
