"""The numbers of a page that router and classifier use (TA-FEAT)."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, union
from catalogsku.core.text import han_ratio
from processing.engine.page import Block, Features, Picture, Table
from processing.engine.reading.port import PageSize

# A text column has at least this many lines and this share of the page's text.
_COLUMN_LINES = 4
_COLUMN_SHARE = 0.12


def covered_ratio(boxes: Sequence[Box], size: PageSize) -> float:
    """Share of the page that the boxes cover together, counted on a 64 x 64 raster so that overlaps count once."""
    if not boxes:
        return 0.0
    cells = bytearray(64 * 64)
    for box in boxes:
        x0, x1 = (_cell(v, size.width_pt) for v in (box[0], box[2]))
        y0, y1 = (_cell(v, size.height_pt) for v in (box[1], box[3]))
        for y in range(y0, y1):
            cells[64 * y + x0 : 64 * y + x1] = b"\1" * max(0, x1 - x0)
    return cells.count(1) / len(cells)


def _cell(value: float, length: float) -> int:
    return min(64, max(0, round(64 * value / max(length, 1.0))))


def features(
    blocks: Sequence[Block],
    tables: Sequence[Table],
    pictures: Sequence[Picture],
    drawings: int,
    size: PageSize,
    ocr_ratio: float,
) -> Features:
    """``ocr_ratio`` is the share of characters that were recognised from pixels."""
    text = "".join(block.text for block in blocks)
    page_area = max(1.0, size.width_pt * size.height_pt)
    return Features(
        chars=sum(1 for c in text if not c.isspace()),
        blocks=len(blocks),
        columns=columns(blocks, tables),
        tables=len(tables),
        table_ratio=round(covered_ratio([t.box for t in tables], size), 4),
        pictures=len(pictures),
        picture_ratio=round(covered_ratio([p.box for p in pictures], size), 4),
        text_density=round(min(1.0, sum(area(line.box) for b in blocks for line in b.lines) / page_area), 4),
        drawings=drawings,
        ocr_ratio=round(ocr_ratio, 4),
        fragmented_pictures=sum(p.fragmented for p in pictures),
        han_ratio=round(han_ratio(text), 4),
        body_size_pt=body_size(blocks),
    )


def body_size(blocks: Sequence[Block]) -> float:
    """The type size of most characters, points; 0 on a page without text."""
    sizes: dict[float, int] = {}
    for block in blocks:
        for line in block.lines:
            size = round(line.size, 1)
            sizes[size] = sizes.get(size, 0) + len(line.text)
    return max(sizes, key=lambda s: sizes[s]) if sizes else 0.0


def columns(blocks: Sequence[Block], tables: Sequence[Table]) -> int:
    """How many columns of running text stand side by side, tables left out; at least 1."""
    inside = [t.box for t in tables]
    lines = [
        line.box
        for block in blocks
        if not any(b[0] <= block.box[0] and b[1] <= block.box[1] + 1 and block.box[2] <= b[2] + 1 for b in inside)
        for line in block.lines
    ]
    if len(lines) < 2 * _COLUMN_LINES:
        return 1
    around = union(lines)
    # Lines that run across most of the text are headings above the columns.
    narrow = sorted((b for b in lines if b[2] - b[0] < 0.6 * (around[2] - around[0])), key=lambda b: b[0])
    groups: list[list[Box]] = []
    edge = float("-inf")
    for box in narrow:
        if box[0] > edge:
            groups.append([])
        groups[-1].append(box)
        edge = max(edge, box[2])
    share = _COLUMN_SHARE * len(lines)
    return max(1, sum(1 for g in groups if len(g) >= max(_COLUMN_LINES, share)))
