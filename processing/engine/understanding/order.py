"""Reading order of SKUs, the same for every reader: rows first, then left to right (TA-ADR06)."""

from collections.abc import Sequence

from catalogsku.core.box import Box, height


def order_boxes(boxes: Sequence[Box]) -> list[int]:
    """Indices by (row, x). Boxes share a row when they overlap by half the height of the lower one."""
    by_middle = sorted(range(len(boxes)), key=lambda n: ((boxes[n][1] + boxes[n][3]) / 2, boxes[n][0]))
    rows: list[list[int]] = []
    for n in by_middle:
        if rows and _same_row(boxes[rows[-1][0]], boxes[n]):
            rows[-1].append(n)
        else:
            rows.append([n])
    return [n for row in rows for n in sorted(row, key=lambda m: (boxes[m][0], boxes[m][1]))]


def _same_row(a: Box, b: Box) -> bool:
    common = min(a[3], b[3]) - max(a[1], b[1])
    return common >= 0.5 * max(0.1, min(height(a), height(b)))
