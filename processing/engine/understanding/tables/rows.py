"""The body rows of a product table: which are products, which are headings, totals and notes (GR-SUM)."""

from dataclasses import dataclass, field

import msgspec

from catalogsku.core.box import Box, union
from catalogsku.core.text import joined_measures, trim
from processing.engine.page import Cell
from processing.engine.result import BASE_KEYS, CustomValue, RowTally, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, cell_evidence, cell_value, take_on_request
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import is_quantity, is_valid_price
from processing.engine.understanding.rules.shapes import has_value, is_code, is_no_value, is_number, is_on_request
from processing.engine.understanding.rules.wording import is_note, is_sentence, is_total
from processing.engine.understanding.tables.additions import extended, first_of_two_prices, split_code_and_name
from processing.engine.understanding.tables.columns import CUSTOM, PRICE_TIER, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, repeats_header
from processing.engine.understanding.tables.ladders import find_ladder
from processing.engine.understanding.tables.several_codes import one_each
from processing.engine.understanding.tables.wrapped import wrapped_texts

# In an open list a line that begins no product is text of the one above, unless a hole parts them.
_TEXT_REASONS = (None, "section", "note")
_MAX_HOLE = 3.0
_SPECS = ("price", "size", "material", "color")


@dataclass
class Rows:
    """Drafts and the tally of one table while its rows are read."""

    table: str
    drafts: list[Draft] = field(default_factory=list)
    merged: int = 0
    ignored: dict[str, int] = field(default_factory=dict)
    unresolved: int = 0
    unresolved_boxes: list[Box] = field(default_factory=list)
    section: Value | None = None

    def ignore(self, reason: str) -> None:
        self.ignored[reason] = self.ignored.get(reason, 0) + 1

    def tally(self) -> RowTally:
        total = len(self.drafts) + self.merged + sum(self.ignored.values()) + self.unresolved
        return RowTally(self.table, total, len(self.drafts), self.merged, self.ignored, self.unresolved)


def read_rows(grid: Grid, header: Header, columns: tuple[Column, ...], page_number: int, certainty: float) -> Rows:
    """Every body row ends as a product, merged, ignored with a reason, or unresolved."""
    rows = Rows(grid.table.id)
    reasons = {row: _no_product(grid, row, header, columns) for row in range(header.body, grid.n_rows)}
    leads = [] if grid.table.ruled else [n for n, why in reasons.items() if why is None and _leads(grid, n, columns)]
    texts = wrapped_texts(grid, header, columns, leads)
    goes_on = {id(cell) for wrapped in texts.values() for cells in wrapped.values() for cell in cells}
    ladder = find_ladder(grid, columns)
    for row in range(header.body, grid.n_rows):
        if goes_on and row not in texts and _is_rest(grid, row, goes_on):
            rows.merged += 1
            continue
        if ladder and row in ladder.rows and rows.drafts:
            rows.drafts[-1] = ladder.extended(rows.drafts[-1], grid, row, page_number)
            rows.merged += 1
            continue
        reason = reasons[row]
        if not grid.table.ruled and reason in _TEXT_REASONS and not _leads(grid, row, columns):
            reason = "merged" if rows.drafts and _follows(rows.drafts[-1], grid.row_box(row)) else reason or "text"
        if reason == "merged":
            rows.merged += 1
            if not grid.table.ruled:
                rows.drafts[-1] = extended(rows.drafts[-1], grid, row, page_number)
        elif reason:
            rows.ignore(reason)
            if reason == "section":
                rows.section = cell_value([grid.filled(row)[0][1]], page_number)
        else:
            _read_row(rows, grid, row, columns, page_number, certainty, texts.get(row, {}))
    return rows


def _is_rest(grid: Grid, row: int, goes_on: set[int]) -> bool:
    """Every text of the row is a further line of a text that begins above or below."""
    filled = grid.filled(row)
    return bool(filled) and all(id(cell) in goes_on for _, cell in filled)


def _follows(draft: Draft, box: Box) -> bool:
    """The line stands closely under the product's last one."""
    return box[1] - draft.box[3] <= _MAX_HOLE * max(1.0, box[3] - box[1])


def _leads(grid: Grid, row: int, columns: tuple[Column, ...]) -> bool:
    """In an open list a product begins with its code, or with a price where no code is printed; with its name and
    something beside it where there is neither.

    Words in brackets ("(side view)") are a remark on the product above.
    """
    lead = next((c for role in ("model", "price", "product_name") for c in columns if c.role == role), None)
    if lead is None or is_no_value(text := grid.text(row, lead.col)):
        return False
    if lead.role == "product_name" and len(grid.filled(row)) < 2:
        return False
    return not (text.startswith("(") and text.endswith(")"))


def _no_product(grid: Grid, row: int, header: Header, columns: tuple[Column, ...]) -> str | None:
    """Why a row is no product; ``merged`` where it only continues cells from above; None for a product row."""
    filled = grid.filled(row)
    texts = [trim(cell.text) for _, cell in filled]
    if not texts:
        lower_part = any(not grid.starts(row, col) for col, _ in grid.row_cells(row))
        return "merged" if lower_part else "empty"
    if any(is_total(text) for text in texts[:2]):
        return "total"
    if is_note(texts[0]) or (is_sentence(texts[0]) and len(texts) == 1):
        return "note"
    if header.labels and repeats_header(grid, row, header.labels):
        return "header"
    if len(filled) == 1 and _is_section(grid, row, filled[0], columns):
        return "section"
    if all(is_no_value(text) for text in texts):
        return "empty"
    return None


def _is_section(grid: Grid, row: int, entry: tuple[int, Cell], columns: tuple[Column, ...]) -> bool:
    """A single filled cell: a heading unless it stands in an identity column and looks like a code."""
    col, cell = entry
    if any(not grid.starts(row, other) for other, c in grid.row_cells(row) if trim(c.text)):
        return False
    wide = grid.span(row, col) * 2 > grid.n_cols
    role = next((column.role for column in columns if column.col == col), CUSTOM)
    return wide or role != "model" or not is_code(cell.text)


def _read_row(
    rows: Rows,
    grid: Grid,
    row: int,
    columns: tuple[Column, ...],
    page_number: int,
    certainty: float,
    wrapped: dict[str, list[Cell]],
) -> None:
    attributes, contexts, unclear = _attributes(grid, row, columns, page_number)
    attributes |= {key: cell_value(cells, page_number) for key, cells in wrapped.items()}
    custom = _custom_values(grid, row, columns, page_number)
    own = [value for key, value in attributes.items() if value.source == "direct"]
    if not attributes or not own:
        if own or custom:
            rows.unresolved += 1
            rows.unresolved_boxes.append(grid.row_box(row))
        else:
            rows.ignore("empty")
        return
    split_code_and_name(attributes)
    identity = "model" in attributes or "product_name" in attributes
    if not identity and not any(key in attributes and attributes[key].source == "direct" for key in _SPECS):
        _continue_or_leave(rows, grid, row)
        return
    box = union([grid.row_box(row), *(cell.box for cells in wrapped.values() for cell in cells)])
    on_request = take_on_request(attributes)
    draft = Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=certainty,
        table=grid.table.id,
        row=row,
        price_unclear=unclear,
        tiers=_tiers(grid, row, columns),
        on_request=on_request,
        section=rows.section,
    )
    rows.drafts += one_each(draft, grid, row, columns)


def _continue_or_leave(rows: Rows, grid: Grid, row: int) -> None:
    """A row with only words in one column is the rest of the text above; anything else stays unresolved."""
    texts = [trim(cell.text) for _, cell in grid.filled(row)]
    if len(texts) == 1 and not is_number(texts[0]) and rows.drafts:
        rows.merged += 1
        return
    rows.unresolved += 1
    rows.unresolved_boxes.append(grid.row_box(row))


def _attributes(
    grid: Grid, row: int, columns: tuple[Column, ...], page_number: int
) -> tuple[dict[str, Value], dict[str, str], bool]:
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    unclear = False
    for column in columns:
        if column.role not in BASE_KEYS:
            continue
        value = _value_at(grid, row, column, page_number)
        if value is None:
            continue
        if column.role == "price" and not _is_one_price(grid, row, column):
            unclear = True
        attributes[column.role] = value
        contexts[column.role] = column.label.context
    _add_size_parts(attributes, contexts, grid, row, columns, page_number)
    if not grid.table.ruled:
        first_of_two_prices(attributes)
    add_currency(attributes)
    return attributes, contexts, unclear


def _is_one_price(grid: Grid, row: int, column: Column) -> bool:
    """A valid price; numbers under each other ("350", "480") are two and not one with a space in it."""
    cell = grid.cell(row, column.col)
    lines = cell.text.split("\n") if cell is not None else []
    return is_valid_price(grid.text(row, column.col)) and sum(map(is_number, lines)) < 2


def _value_at(grid: Grid, row: int, column: Column, page_number: int) -> Value | None:
    cell = _said(grid, row, column)
    if cell is None or not has_value(column.role, cell.text):
        return None
    if column.role in ("model", "product_name") and (is_total(cell.text) or label_kind(cell.text) == column.role):
        return None
    filled = not grid.starts(row, column.col)
    return cell_value([cell], page_number, filled)


def _said(grid: Grid, row: int, column: Column) -> Cell | None:
    """The cell with the column's own part of its text."""
    cell = grid.cell(row, column.col)
    return msgspec.structs.replace(cell, text=column.said(cell.text)) if cell is not None and column.part else cell


def _add_size_parts(
    attributes: dict[str, Value], contexts: dict[str, str], grid: Grid, row: int, columns: tuple[Column, ...], page: int
) -> None:
    """Neighbouring length, width and height columns read together as the printed size."""
    parts = [column for column in columns if column.role == "size_part"]
    if "size" in attributes or len(parts) < 2 or parts[-1].col - parts[0].col != len(parts) - 1:
        return
    cells = [cell for column in parts if (cell := grid.cell(row, column.col)) and not is_no_value(cell.text)]
    if len(cells) == len(parts):
        value = cell_value(cells, page)
        size = joined_measures([trim(cell.text) for cell in cells])
        attributes["size"] = msgspec.structs.replace(value, text=size)
        contexts["size"] = " ".join(column.label.context for column in parts)


def _tiers(grid: Grid, row: int, columns: tuple[Column, ...]) -> tuple[tuple[str, str], ...]:
    """Label and printed amount of every price column, where there are several; of those headed by quantities alone,
    where there are several of them."""
    prices = [column for column in columns if column.role in ("price", PRICE_TIER)]
    by_quantity = [column for column in prices if is_quantity((column.label.parts or ("",))[-1])]
    prices = by_quantity if len(by_quantity) > 1 else prices
    if len(prices) < 2:
        return ()
    cells = [(column.label.text, cell) for column in prices if (cell := _said(grid, row, column))]
    return tuple((label, trim(cell.text)) for label, cell in cells if not is_no_value(cell.text))


def _custom_values(grid: Grid, row: int, columns: tuple[Column, ...], page_number: int) -> tuple[CustomValue, ...]:
    values = []
    for column in columns:
        if column.role not in (CUSTOM, PRICE_TIER, "size_part", "barcode"):
            continue
        cell = _said(grid, row, column)
        if cell is None or is_no_value(cell.text) or (column.role == PRICE_TIER and is_on_request(cell.text)):
            continue
        evidence = cell_evidence([cell], page_number, not grid.starts(row, column.col))
        label = column.label.text if column.role == PRICE_TIER else column.label.name
        values.append(CustomValue(label or f"#{column.col + 1}", evidence.quote, evidence))
    return tuple(values)
