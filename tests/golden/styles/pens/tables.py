"""Product tables: columns with keys, merged cells, rows between, ruled or open, each row noted as a product."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tests.golden.styles.pens.folio import Folio
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import Box, Rgb, Sheet, wrap


@dataclass(frozen=True)
class Column:
    """``merge``: equal neighbours below each other are one cell.

    ``key``: an attribute, ``picture``, ``=Label`` (a printed label that no base key has), ``#QTY`` (the price from that
    quantity on) or ``~name`` (no value of a product).
    """

    key: str
    head: str
    width: float
    align: str = "left"
    merge: bool = False


@dataclass(frozen=True)
class Item:
    """A product of a table. ``motif``: picture and paint; items of one ``group`` share merged cells; ``images``: ids of
    its pictures that stand outside the table."""

    cells: Mapping[str, str]
    motif: tuple[str, str] = ("", "")
    group: str = ""
    optional: Mapping[str, str] = field(default_factory=dict)
    accept: Mapping[str, Sequence[str]] = field(default_factory=dict)
    images: Sequence[str] = ()


@dataclass(frozen=True)
class Between:
    """A row over the whole width that is no product: heading, note, total. It stands before item ``at``.

    ``series``: what the items below may be given as their series.
    """

    at: int
    text: str
    fill: Rgb | None = None
    face: str = ""
    colour: Rgb | None = None
    align: str = "left"
    height: float = 18.0
    cells: Sequence[str] = ()
    series: str = ""


@dataclass(frozen=True)
class Rules:
    """Of an open table: which lines it has. ``head_line`` 0: none."""

    head_line: float = 0.9
    row_line: float = 0.0
    foot_line: float = 0.9
    colour: Rgb = (0.2, 0.2, 0.2)


def product_table(
    folio: Folio,
    x: float,
    y: float,
    columns: Sequence[Column],
    items: Sequence[Item],
    look: Look,
    *,
    head: Sequence[Row] | None = None,
    head_height: float = 24,
    row_height: float = 20,
    between: Sequence[Between] = (),
    rules: Rules | None = None,
    noted: bool = True,
    also: Mapping[str, str] | None = None,
) -> float:
    """Draw the table and note its products; returns its lower edge. ``head``: () for none, None for the columns' own.

    With ``rules`` the table has no cell borders. ``noted`` False where the items are no products (again).
    ``also``: optional values of every item, such as a currency in the header.
    """
    named = [Entry(column.head, align=column.align if rules else "") for column in columns]
    heads: list[Row] = [named] if head is None else list(head)
    rows, heights = [*heads], [head_height] * len(heads)
    at: list[int] = []
    for k in range(len(items) + 1):
        for one in (one for one in between if one.at == k):
            rows.append(_whole_row(one, len(columns)))
            heights.append(one.height)
        if k < len(items):
            at.append(len(rows))
            rows.append(_cells(columns, items, k, between))
            heights.append(max(row_height, _needed(folio, columns, items[k], look)))
    widths = [column.width for column in columns]
    draw = _open_table if rules else draw_table
    extra = (rules,) if rules else ()
    boxes: dict[tuple[int, int], Box] = draw(folio.leaf, x, y, widths, heights, rows, look, len(heads), *extra)
    if noted:
        series = [next((b.series for b in reversed(between) if b.at <= k and b.series), "") for k in range(len(items))]
        optional = [{**(also or {}), **({"series": one} if one else {})} for one in series]
        _note(folio, columns, items, at, boxes, optional)
    return y + sum(heights)


def _cells(columns: Sequence[Column], items: Sequence[Item], k: int, between: Sequence[Between]) -> Row:
    row: list[Entry | str | None] = []
    for column in columns:
        run = _run(column, items, k, between)
        if run is None:
            row.append(None)
        else:
            text = "" if column.key == "picture" else items[k].cells.get(column.key, "")
            row.append(Entry(text, rows=run, align=column.align))
    return row


def _run(column: Column, items: Sequence[Item], k: int, between: Sequence[Between]) -> int | None:
    """Rows that the cell of item ``k`` covers; None where a cell above covers it."""
    if not column.merge:
        return 1
    cuts = {one.at for one in between}

    def same(a: int, b: int) -> bool:
        alike = items[a].cells.get(column.key) == items[b].cells.get(column.key) and items[a].motif == items[b].motif
        return alike and items[a].group == items[b].group != "" and b not in cuts

    if k and same(k - 1, k):
        return None
    end = k + 1
    while end < len(items) and same(end - 1, end):
        end += 1
    return end - k


def _whole_row(one: Between, columns: int) -> Row:
    if one.cells:
        return [Entry(text, fill=one.fill, face=one.face, colour=one.colour) for text in one.cells]
    title = Entry(one.text, cols=columns, fill=one.fill, face=one.face, colour=one.colour, align=one.align)
    return [title, *[None] * (columns - 1)]


def _needed(folio: Folio, columns: Sequence[Column], item: Item, look: Look) -> float:
    """Height of the tallest cell that covers one row only."""
    lines = [
        len(wrap(folio.seen[look.face], item.cells[column.key], look.size, column.width - 2 * look.pad))
        for column in columns
        if not column.merge and item.cells.get(column.key)
    ]
    return max(lines, default=1) * look.size * look.leading + 2 * look.pad


def _note(
    folio: Folio,
    columns: Sequence[Column],
    items: Sequence[Item],
    at: Sequence[int],
    boxes: Mapping[tuple[int, int], Box],
    also: Sequence[Mapping[str, str]],
) -> None:
    ids: dict[Box, str] = {}
    for k, item in enumerate(items):
        mine = [_covering(boxes, at, k, col) for col in range(len(columns))]
        shown = list(item.images)
        for column, box in zip(columns, mine, strict=True):
            if column.key == "picture" and item.motif[0]:
                if box not in ids:
                    ids[box] = folio.shows(item.motif[0], _inset(box), item.motif[1])
                shown.append(ids[box])
        tiers = [(c.key[1:], item.cells.get(c.key, "")) for c in columns if c.key[0] == "#"]
        values = {c.key: item.cells.get(c.key, "") for c in columns if c.key[0] not in "=~#" and c.key != "picture"}
        if tiers:
            values["price"] = tiers[0][1]
        folio.sku(
            mine,
            values,
            images=shown,
            optional={**also[k], **item.optional},
            accept=item.accept,
            tiers=tiers,
            custom={c.key[1:]: item.cells.get(c.key, "") for c in columns if c.key[0] == "="},
        )


def _covering(boxes: Mapping[tuple[int, int], Box], at: Sequence[int], k: int, col: int) -> Box:
    row = at[k]
    while (row, col) not in boxes:
        row -= 1
    return boxes[row, col]


def _inset(box: Box) -> Box:
    """A square-ish picture in the middle of its cell, as a spreadsheet's user would put it."""
    wide, high = box[2] - box[0] - 6, box[3] - box[1] - 6
    edge = min(wide, high * 1.25)
    tall = min(high, edge)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x - edge / 2, y - tall / 2, x + edge / 2, y + tall / 2


def _open_table(
    sheet: Sheet,
    x: float,
    y: float,
    widths: Sequence[float],
    heights: Sequence[float],
    rows: Sequence[Row],
    look: Look,
    header_rows: int,
    rules: Rules,
) -> dict[tuple[int, int], Box]:
    """Text in columns with few lines or none; text stands at the top of its row, as in a typeset price list."""
    lefts, tops = list(accumulate(widths, initial=x)), list(accumulate(heights, initial=y))
    boxes: dict[tuple[int, int], Box] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell is None:
                continue
            entry = cell if isinstance(cell, Entry) else Entry(cell)
            boxes[r, c] = box = (lefts[c], tops[r], lefts[c + entry.cols], tops[r + entry.rows])
            banded = look.band if r >= header_rows and (r - header_rows) % 2 else None
            sheet.rect(box, fill=entry.fill or (look.header_fill if r < header_rows else banded))
            align = entry.align or (look.aligns[c] if look.aligns else "left")
            _open_text(sheet, box, entry, look, align, header=r < header_rows)
        if rules.row_line and header_rows <= r < len(rows) - 1:
            sheet.rule(x, tops[r + 1], lefts[-1], tops[r + 1], colour=rules.colour, thick=rules.row_line)
    if rules.head_line and header_rows:
        for edge in (tops[0], tops[header_rows]):
            sheet.rule(x, edge, lefts[-1], edge, colour=rules.colour, thick=rules.head_line)
    if rules.foot_line:
        sheet.rule(x, tops[-1], lefts[-1], tops[-1], colour=rules.colour, thick=rules.foot_line)
    return boxes


def _open_text(sheet: Sheet, box: Box, entry: Entry, look: Look, align: str, *, header: bool) -> None:
    if not entry.text:
        return
    face = entry.face or (look.header_face if header else look.face)
    colour = entry.colour or (look.header_colour if header else look.colour)
    at = {"left": box[0] + look.pad, "center": (box[0] + box[2]) / 2, "right": box[2] - look.pad}[align]
    lines = wrap(sheet.faces[face], entry.text, look.size, box[2] - box[0] - 2 * look.pad)
    step = look.size * look.leading
    baseline = box[3] - look.pad - step * (len(lines) - 1) - 1 if header else box[1] + look.pad + look.size * 0.9
    for line in lines:
        sheet.text(at, baseline, line, face=face, size=look.size, colour=colour, align=align)
        baseline += step
