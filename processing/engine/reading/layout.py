"""Words -> lines -> blocks in reading order, alike for every reader: which one it was does not shape the result."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from catalogsku.core.box import Box, turned, turned_back, union
from catalogsku.core.text import has_han
from processing.engine.page import Block, Line, Word
from processing.engine.reading.port import DOWN, UP, Glyphs

# In em: a wider gap inside one baseline separates columns or label and value; a smaller one is a word space.
_SEGMENT_GAP = 1.35
# In line heights: a larger step between lines starts a new block.
_BLOCK_GAP = 0.75
# In em: the least white gutter that may separate columns.
_GUTTER = 0.8
# In line heights: the step allowed between lines that begin at the same place.
_ALIGNED_GAP = 1.15
# Fewer lines a block than this on average look like table cells or captions, which are read row by row.
_SHORT_BLOCKS = 2.0
# A rule that spans this share of the text parts it.
_BAR_RATIO = 0.7


class _Run(NamedTuple):
    """A line under construction in the frame in which its text runs left to right."""

    box: Box
    words: tuple[Glyphs, ...]
    size: float


def lay_out(
    glyphs: Sequence[Glyphs],
    tables: Sequence[Sequence[Sequence[Glyphs]]],
    rules: Sequence[Box],
    width_pt: float,
    height_pt: float,
) -> tuple[Block, ...]:
    """Blocks numbered T1, T2 ... in reading order; a table's text (given cell by cell) is one block. Long ``rules``
    across the text part it."""
    groups = [group for cells in tables if (group := _table_group(cells, width_pt, height_pt))]
    turns = sorted({g.turn for g in glyphs})
    for turn in turns:
        frame = [
            g._replace(box=turned(g.box, turn, width_pt, height_pt)) if turn else g for g in glyphs if g.turn == turn
        ]
        groups += [(union(r.box for r in runs), runs, turn) for runs in _blocks(_runs(frame))]
    main = main_turn([*glyphs, *(g for cells in tables for cell in cells for g in cell)])
    boxes = []
    for box, _, turn in groups:
        displayed = turned_back(box, turn, width_pt, height_pt)
        boxes.append(turned(displayed, main, width_pt, height_pt))
    bars = [turned(rule, main, width_pt, height_pt) for rule in rules]
    counts = [len(runs) for _, runs, _ in groups]
    order = reading_order(boxes, counts, bars, _typical([r.size for _, runs, _ in groups for r in runs]))
    return tuple(
        _block(f"T{place}", groups[index][1], groups[index][2], width_pt, height_pt)
        for place, index in enumerate(order, 1)
    )


def _table_group(
    cells: Sequence[Sequence[Glyphs]], width_pt: float, height_pt: float
) -> tuple[Box, list[_Run], int] | None:
    turn = main_turn([g for cell in cells for g in cell])
    runs = [
        _run(words)
        for cell in cells
        for words in cell_lines([g._replace(box=turned(g.box, turn, width_pt, height_pt)) for g in cell])
    ]
    return (union(r.box for r in runs), runs, turn) if runs else None


def main_turn(glyphs: Sequence[Glyphs]) -> int:
    """The writing direction of most characters."""
    counts = [0, 0, 0, 0]
    for glyph in glyphs:
        counts[glyph.turn] += len(glyph.text)
    return counts.index(max(counts))


def page_turn(glyphs: Sequence[Glyphs]) -> int:
    """By how many quarter turns the page lies otherwise than it is read; Han signs under each other are an upright page
    written downwards."""
    turn = main_turn(glyphs)
    return 0 if turn == DOWN and has_han("".join(g.text for g in glyphs if g.turn == turn)) else turn


def cell_lines(words: Sequence[Glyphs]) -> list[list[Glyphs]]:
    """The lines of a table cell, top to bottom, whatever the gaps inside them."""
    return [sorted(row, key=lambda g: g.box[0]) for row in text_rows(list(words))]


def _block(name: str, runs: list[_Run], turn: int, width_pt: float, height_pt: float) -> Block:
    lines = []
    for run in runs:
        words = tuple(
            Word(g.text, _rounded(turned_back(g.box, turn, width_pt, height_pt)), round(g.size, 2), g.bold)
            for g in run.words
        )
        box = _rounded(turned_back(run.box, turn, width_pt, height_pt))
        bold = 2 * sum(len(w.text) for w in words if w.bold) > sum(len(w.text) for w in words)
        lines.append(Line(joined(run.words), box, words, round(run.size, 2), bold, turn in (DOWN, UP)))
    return Block(name, union(line.box for line in lines), tuple(lines))


def _rounded(box: Box) -> Box:
    return round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)


def joined(words: Iterable[Glyphs]) -> str:
    """The text of words on one line: a space where the print has one."""
    return " ".join(g.text for g in words)


def _typical(sizes: list[float]) -> float:
    return sorted(sizes)[len(sizes) // 2] if sizes else 10.0


def _runs(glyphs: list[Glyphs]) -> list[_Run]:
    """Lines of words on one baseline, cut where a gap is wider than a word space."""
    return [run for row in text_rows(glyphs) for run in _cut(row)]


def typical_size(glyphs: Sequence[Glyphs]) -> float:
    """The median type size, points; 10 where there is none."""
    return _typical([g.size for g in glyphs])


def text_rows(glyphs: Sequence[Glyphs]) -> list[list[Glyphs]]:
    """Words grouped by baseline, whatever the gaps between them."""
    rows: list[list[Glyphs]] = []
    spans: list[tuple[float, float]] = []
    for glyph in sorted(glyphs, key=lambda g: ((g.box[1] + g.box[3]) / 2, g.box[0])):
        _, top, _, bottom = glyph.box
        for index in range(len(rows) - 1, max(-1, len(rows) - 9), -1):
            y0, y1 = spans[index]
            shared = min(bottom, y1) - max(top, y0)
            if shared > 0.6 * min(bottom - top, y1 - y0) and bottom - top < 2.5 * (y1 - y0):
                rows[index].append(glyph)
                break
        else:
            rows.append([glyph])
            spans.append((top, bottom))
    return rows


def _cut(row: list[Glyphs]) -> list[_Run]:
    row.sort(key=lambda g: g.box[0])
    runs, current, edge = [], [row[0]], row[0].box[2]
    for glyph in row[1:]:
        em = max(4.0, min(glyph.size or 10.0, current[-1].size or 10.0))
        if glyph.box[0] - edge > _SEGMENT_GAP * em:
            runs.append(_run(current))
            current = []
        current.append(glyph)
        edge = max(edge, glyph.box[2]) if len(current) > 1 else glyph.box[2]
    runs.append(_run(current))
    return runs


def _run(words: list[Glyphs]) -> _Run:
    size = max(words, key=lambda g: len(g.text)).size
    return _Run(union(g.box for g in words), tuple(words), size)


def _blocks(runs: list[_Run]) -> list[list[_Run]]:
    """Runs under one another with little space between and of about one size."""
    blocks: list[list[_Run]] = []
    for run in sorted(runs, key=lambda r: (r.box[1], r.box[0])):
        best, best_gap = None, 0.0
        for index in range(len(blocks) - 1, max(-1, len(blocks) - 60), -1):
            last = blocks[index][-1]
            gap = run.box[1] - last.box[3]
            if _continues(last, run, gap) and (best is None or gap < best_gap):
                best, best_gap = index, gap
        if best is None:
            blocks.append([run])
        else:
            blocks[best].append(run)
    return blocks


def _continues(last: _Run, run: _Run, gap: float) -> bool:
    height = max(1.0, min(last.box[3] - last.box[1], run.box[3] - run.box[1]))
    aligned = abs(last.box[0] - run.box[0]) < 0.5 * height
    if not -0.5 * height <= gap <= (_ALIGNED_GAP if aligned else _BLOCK_GAP) * height:
        return False
    if not 0.75 <= (run.size or 1.0) / (last.size or 1.0) <= 1.34:
        return False
    shared = min(last.box[2], run.box[2]) - max(last.box[0], run.box[0])
    return shared > 0.3 * min(last.box[2] - last.box[0], run.box[2] - run.box[0])


def reading_order(boxes: Sequence[Box], lines: Sequence[int], bars: Sequence[Box], em: float) -> list[int]:
    """Indices of ``boxes`` (with that many lines each) in reading order, by recursive cuts: first at rules across the
    whole part, then along white gutters and gaps, columns before rows unless the part is like a table."""
    levels = [bar for bar in bars if bar[3] - bar[1] < 3.0 <= bar[2] - bar[0]]
    order: list[int] = []
    stack = [list(range(len(boxes)))]
    while stack:
        part = stack.pop()
        halves = _split(boxes, lines, levels, part, em) if len(part) > 1 else None
        if halves and halves[0] and halves[1]:
            stack += [halves[1], halves[0]]
        else:
            order += sorted(part, key=lambda i: (round(boxes[i][1] / em), boxes[i][0]))
    return order


def _split(
    boxes: Sequence[Box], lines: Sequence[int], bars: Sequence[Box], part: list[int], em: float
) -> tuple[list[int], list[int]] | None:
    if (at := _barred(boxes, bars, part)) is not None:
        return _divided(boxes, part, 1, at)
    column = _widest(boxes, part, 0)
    row = _widest(boxes, part, 1)
    short = sum(lines[i] for i in part) < _SHORT_BLOCKS * len(part)
    if column and column[0] >= _GUTTER * em and (not row or (not short and column[0] >= 0.7 * row[0])):
        return _divided(boxes, part, 0, column[1])
    if not row:
        return _divided(boxes, part, 0, column[1]) if column else None
    at = row[1]
    if not column:
        at = _freeing(boxes, part, em) or at
    return _divided(boxes, part, 1, at)


def _barred(boxes: Sequence[Box], bars: Sequence[Box], part: list[int]) -> float | None:
    """Where a rule as wide as most of the part crosses none of its blocks and has some on either side."""
    around = union(boxes[i] for i in part)
    least = _BAR_RATIO * (around[2] - around[0])
    for x0, y0, x1, y1 in bars:
        at = (y0 + y1) / 2
        if not around[1] < at < around[3] or min(x1, around[2]) - max(x0, around[0]) < least:
            continue
        if all(boxes[i][3] <= at + 2.0 or boxes[i][1] >= at - 2.0 for i in part):
            return at
    return None


def _freeing(boxes: Sequence[Box], part: list[int], em: float) -> float | None:
    """The row gap that leaves the tallest set of blocks with a gutter: what crosses the columns goes first."""
    best, best_extent = None, 0.0
    for _, at in _gaps(boxes, part, 1):
        for half in _divided(boxes, part, 1, at):
            gutter = _widest(boxes, half, 0)
            if gutter and gutter[0] >= _GUTTER * em:
                extent = max(boxes[i][3] for i in half) - min(boxes[i][1] for i in half)
                if extent > best_extent:
                    best, best_extent = at, extent
    return best


def _divided(boxes: Sequence[Box], part: list[int], axis: int, at: float) -> tuple[list[int], list[int]]:
    before = [i for i in part if (boxes[i][axis] + boxes[i][axis + 2]) / 2 < at]
    after = [i for i in part if (boxes[i][axis] + boxes[i][axis + 2]) / 2 >= at]
    return before, after


def _gaps(boxes: Sequence[Box], part: list[int], axis: int) -> list[tuple[float, float]]:
    """(width, middle) of each stretch along the axis that no block covers."""
    spans = sorted((boxes[i][axis], boxes[i][axis + 2]) for i in part)
    gaps, edge = [], spans[0][1]
    for start, end in spans[1:]:
        if start > edge:
            gaps.append((start - edge, (start + edge) / 2))
        edge = max(edge, end)
    return gaps


def _widest(boxes: Sequence[Box], part: list[int], axis: int) -> tuple[float, float] | None:
    return max(_gaps(boxes, part, axis), default=None)
