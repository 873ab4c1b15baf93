"""An example made from a page that a person has corrected: the part of it that shows the products, and the right answer
in the prompt's own shape (TA-T36). Pure. Only what is printed is taught: a value without a place is left out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from catalogsku.core.box import Box, centre, contains_point
from processing.engine.page import ParsedPage, Table
from processing.engine.understanding.quotes import Printed
from processing.llm.zones import fence_for, page_zones

MOST_PRODUCTS = 3
_SURE = 0.95


@dataclass(frozen=True)
class Corrected:
    """A product as a person left it: texts by attribute, and the box in which each is said to stand, where known."""

    values: Mapping[str, str]
    boxes: Mapping[str, Box]


@dataclass(frozen=True)
class Taught:
    """``proved``: share of the values that are printed on the page and so stand in the answer."""

    shown: str
    answer: str
    proved: float


class _Place(NamedTuple):
    id: str
    text: str
    box: Box
    row: tuple[str, int]


def products_taught(page: ParsedPage, page_type: str, products: Sequence[Corrected]) -> Taught | None:
    """None where none of them has a value in place."""
    places = list(_places(page))
    placed = [_placed(product, places) for product in products[:MOST_PRODUCTS]]
    placed_values = [values for values in placed if values]
    if not placed_values:
        return None
    values_asked = sum(len(product.values) for product in products[:MOST_PRODUCTS])
    kind = {"page_type": page_type, "confidence": _SURE, "count": len(placed_values)}
    answer = {**kind, "products": [_answer(number, values) for number, values in enumerate(placed_values, 1)]}
    used = {place for values in placed_values for place in values.values()}
    zones = page_zones(part := _part(page, used), fence_for(part))
    shown = "\n".join(filter(None, (zones.tables, zones.text)))
    return Taught(shown, json.dumps(answer, ensure_ascii=False), round(sum(map(len, placed_values)) / values_asked, 3))


def _answer(number: int, values: Mapping[tuple[str, str], _Place]) -> dict[str, Any]:
    attributes = {key: {"value": text, "at": place.id} for (key, text), place in values.items()}
    return {"number": number, "attributes": attributes, "confidence": _SURE}


def _places(page: ParsedPage) -> Iterable[_Place]:
    for table in page.tables:
        for cell in table.cells:
            yield _Place(f"{table.id}:{cell.row}:{cell.col}", cell.text, cell.box, (table.id, cell.row))
    for block in page.blocks:
        if not any(contains_point(table.box, *centre(block.box)) for table in page.tables):
            yield _Place(block.id, block.text, block.box, (block.id, 0))


def _placed(product: Corrected, places: Sequence[_Place]) -> dict[tuple[str, str], _Place]:
    """(key, text) of each value that is printed: where it was said to stand, in the row of the others, or in the one
    place that there is."""
    holding = {
        (key, text): [place for place in places if Printed((place.text,)).match(text).kind == "exact"]
        for key, text in product.values.items()
    }
    placed: dict[tuple[str, str], _Place] = {}
    for (key, text), known in holding.items():
        box = product.boxes.get(key)
        there = next((place for place in known if box and contains_point(place.box, *centre(box))), None)
        if there is not None or len(known) == 1:
            placed[key, text] = there or known[0]
    rows = {place.row for place in placed.values()}
    for said, known in holding.items():
        beside = [place for place in known if place.row in rows]
        if said not in placed and len(beside) == 1:
            placed[said] = beside[0]
    return {said: placed[said] for said in holding if said in placed}


def _part(page: ParsedPage, used: set[_Place]) -> ParsedPage:
    """The rows and blocks that hold the values, with the first row of the tables, which is their head."""
    rows: dict[str, set[int]] = {}
    for place in used:
        rows.setdefault(place.row[0], set()).add(place.row[1])
    tables = tuple(_rows_of(table, rows[table.id]) for table in page.tables if table.id in rows)
    blocks = tuple(block for block in page.blocks if block.id in rows)
    return msgspec.structs.replace(page, tables=tables, blocks=blocks, pictures=())


def _rows_of(table: Table, rows: set[int]) -> Table:
    cells = tuple(cell for cell in table.cells if cell.row in rows or cell.row == 0)
    return msgspec.structs.replace(table, cells=cells)
