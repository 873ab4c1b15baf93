"""A page's text as it goes with its screenshot to a model: tables, text and pictures in zones that nothing printed on
the page can close (TA-T33, LA-GUARD). Boxes on the models' scale of 0 to 1000.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from catalogsku.core.box import Box, area, union
from processing.engine.page import Block, Cell, ParsedPage, Table
from processing.engine.understanding.anchoring import to_scale

MOST_BLOCKS = 50  # TA-T33
# Characters of each zone; the densest page of a price list has about 15 000.
MOST_CHARS = 40_000
# Of a page that is shown with up to 15 others.
EXCERPT_CHARS = 600
_FENCE = re.compile(r"[0-9a-z]{8,64}")
# What XML 1.0 cannot hold, escaped or not; the carriage return, which a parser changes; and signs without a shape of
# their own, in which a text can be carried that nobody sees (zero width, direction marks, tags, selectors).
_UNPRINTED = re.compile(
    "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True)
class Anchor:
    """One block of the text zone: ``id`` is its first page block's, ``blocks`` are all that were merged into it."""

    id: str
    box: Box
    text: str
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Zones:
    """Three zones as text for a prompt, in the order in which they belong there; one without content is empty.

    ``left_out`` names blocks (T9) and table rows (G2:40) that found no room; any asks for a person (LA-ANCHOR).
    """

    tables: str
    text: str
    pictures: str
    anchors: tuple[Anchor, ...]
    left_out: tuple[str, ...]


def fence_for(page: ParsedPage) -> str:
    """16 hex digits that the page's text does not contain, the same for the same text (they are part of a request's
    key). To print them on a page, one would have to find a text that contains its own SHA-256."""
    return fence_in("\0".join([*(b.text for b in page.blocks), *(c.text for t in page.tables for c in t.cells)]))


def fence_in(said: str) -> str:
    """As ``fence_for``, of any text."""
    fence = said
    while fence in said:
        fence = hashlib.sha256((fence + said).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return fence


def page_zones(page: ParsedPage, fence: str) -> Zones:
    """``fence``: 8 to 64 small letters and digits, part of each zone's tag; ValueError otherwise."""
    if not _FENCE.fullmatch(fence):
        raise ValueError(f"not a fence: {fence!r}")
    anchors, no_block = _within(anchors_of(page))
    rows, no_row = _tables(page)
    pictures = (
        f"<picture id={quoteattr(p.id)} box={_place(p.box, page)} px={quoteattr(f'{p.width_px}x{p.height_px}')}/>"
        for p in page.pictures
    )
    return Zones(
        tables=_zone("tables", fence, rows),
        text=_zone("text", fence, [_block(anchor, page) for anchor in anchors]),
        pictures=_zone("pictures", fence, list(pictures)),
        anchors=tuple(anchors),
        left_out=(*no_block, *no_row),
    )


def summary_zone(page: ParsedPage, facts: Mapping[str, object], fence: str) -> str:
    """One page among several that are shown together: its number and facts, and how its text begins."""
    said = printable(page.text).strip()
    attributes = " ".join(f"{name}={quoteattr(str(value))}" for name, value in facts.items())
    lines = [escape(said[:EXCERPT_CHARS])] if said else []
    return "\n".join(
        filter(None, [f'<page number="{page.number}" {attributes}>', _zone("text", fence, lines), "</page>"])
    )


def printable(text: str) -> str:
    """Without control characters and signs nobody sees; what a model can have read."""
    return _UNPRINTED.sub("", text)


def anchors_of(page: ParsedPage) -> list[Anchor]:
    """Blocks in reading order; above 50, neighbours in it are joined, those first whose common box is small and holds
    little else: what stands on one line, then what stands in one region."""
    anchors = [Anchor(b.id, b.box, text, (b.id,)) for b, text in _said(page.blocks)]
    costs = [_cost(a, b) for a, b in itertools.pairwise(anchors)]
    while len(anchors) > MOST_BLOCKS:
        at = costs.index(min(costs))
        anchors[at : at + 2] = [_joined(anchors[at], anchors[at + 1])]
        around = range(max(0, at - 1), min(at + 1, len(anchors) - 1))
        costs[max(0, at - 1) : at + 2] = [_cost(anchors[n], anchors[n + 1]) for n in around]
    return anchors


def _said(blocks: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    for block in blocks:
        if (text := printable(block.text)).strip():
            yield block, text


def _cost(a: Anchor, b: Anchor) -> float:
    """Square points of the common box, and once more of what is in neither."""
    return 2 * area(union((a.box, b.box))) - area(a.box) - area(b.box)


def _joined(a: Anchor, b: Anchor) -> Anchor:
    return Anchor(a.id, union((a.box, b.box)), f"{a.text}\n{b.text}", a.blocks + b.blocks)


def _within(anchors: Sequence[Anchor]) -> tuple[list[Anchor], list[str]]:
    """Those that fit into the zone, in order, and the ids of the blocks that do not."""
    fitting, left_out, chars = [], list[str](), 0
    for anchor in anchors:
        chars += len(anchor.text)
        if chars <= MOST_CHARS:
            fitting.append(anchor)
        else:
            left_out += anchor.blocks
    return fitting, left_out


def _block(anchor: Anchor, page: ParsedPage) -> str:
    merged = f" blocks={quoteattr(' '.join(anchor.blocks))}" if len(anchor.blocks) > 1 else ""
    return f"<block id={quoteattr(anchor.id)} box={_place(anchor.box, page)}{merged}>{escape(anchor.text)}</block>"


def _tables(page: ParsedPage) -> tuple[list[str], list[str]]:
    """Tables row by row until the zone is full, and the names of the rows that no longer fit."""
    written, left_out, chars = list[str](), list[str](), 0
    for table in page.tables:
        rows = []
        for n, cells in _rows(table):
            chars += sum(len(cell.text) for cell in cells)
            if chars <= MOST_CHARS:
                rows.append(f"<row n={quoteattr(str(n))}>{''.join(_cell(table, cell) for cell in cells)}</row>")
            else:
                left_out.append(f"{table.id}:{n}")
        if rows:
            size = f"rows={quoteattr(str(table.n_rows))} cols={quoteattr(str(table.n_cols))}"
            written += [f"<table id={quoteattr(table.id)} box={_place(table.box, page)} {size}>", *rows, "</table>"]
    return written, left_out


def _rows(table: Table) -> list[tuple[int, list[Cell]]]:
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.col)):
        rows.setdefault(cell.row, []).append(cell)
    return list(rows.items())


def _cell(table: Table, cell: Cell) -> str:
    span = f" rows={quoteattr(str(cell.rows))}" if cell.rows > 1 else ""
    span += f" cols={quoteattr(str(cell.cols))}" if cell.cols > 1 else ""
    name = f"{table.id}:{cell.row}:{cell.col}"
    return f"<cell id={quoteattr(name)} col={quoteattr(str(cell.col))}{span}>{escape(printable(cell.text))}</cell>"


def _place(box: Box, page: ParsedPage) -> str:
    return quoteattr(" ".join(map(str, to_scale(box, page))))


def _zone(name: str, fence: str, lines: Sequence[str]) -> str:
    return "\n".join([f"<{name}-{fence}>", *lines, f"</{name}-{fence}>"]) if lines else ""
