"""Personal data on a page as it was read: what stands on it, and the page with masks in its place (TA-PII). Pure.

A mask has the form of what it hides, so that the page is understood as before (``catalogsku.core.personal_data``).
"""

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from catalogsku.core.personal_data import Found, Masks, found_on_page
from processing.engine.page import Block, Cell, Hidden, Line, ParsedPage, Table, Word


def found_on(page: ParsedPage) -> list[Found]:
    """Blocks in reading order, so that a label may stand in the line or cell before its number; places are those of
    that text. What stands in a block and in a table is there twice, with one value."""
    return found_on_page(texts_of(page))


def texts_of(page: ParsedPage) -> str:
    """All that was read of the page."""
    cells = (cell.text for table in page.tables for cell in table.cells)
    return "\n".join([page.text, *cells, *(line.text for line in page.hidden)])


def masks_for(pages: Iterable[ParsedPage]) -> Masks:
    """That hide what stands on any of these."""
    return Masks(itertools.chain.from_iterable(found_on(page) for page in pages))


def masked_page(page: ParsedPage, masks: Masks) -> ParsedPage:
    """With every word where it was; of a number that runs over lines or cells each part by itself."""
    return msgspec.structs.replace(
        page,
        blocks=tuple(_block(block, masks) for block in page.blocks),
        tables=tuple(_table(table, masks) for table in page.tables),
        hidden=tuple(Hidden(masks.masked(line.text), line.box, line.reason) for line in page.hidden),
    )


def masked_values(value: Any, masks: Masks) -> Any:
    """The same for every text in what JSON is made of, names among them."""
    if isinstance(value, str):
        return masks.masked(value)
    if isinstance(value, Mapping):
        return {masks.masked(key): masked_values(entry, masks) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [masked_values(entry, masks) for entry in value]
    return value


def masked_result(result: dict[str, Any], masks: Masks) -> dict[str, Any]:
    """A PageResult as JSON values. What was read from a value that is masked, numbers of a size, is left out (None)."""
    shown: dict[str, Any] = masked_values(result, masks)
    for before, after in zip(result.get("skus", ()), shown.get("skus", ()), strict=True):
        for key in after.get("normalized", {}):
            if _text(before, key) != _text(after, key):
                after["normalized"][key] = None
    return shown


def _text(sku: dict[str, Any], key: str) -> Any:
    return sku["attributes"].get(key, {}).get("text")


def _block(block: Block, masks: Masks) -> Block:
    text = masks.masked(block.text)
    if text == block.text:
        return block
    lines, start = [], 0
    for line in block.lines:
        lines.append(_line(line, text[start : start + len(line.text)]))
        start += len(line.text) + 1
    return msgspec.structs.replace(block, lines=tuple(lines))


def _line(line: Line, text: str) -> Line:
    """Its words are found in it one after another; what is not is hidden whole where anything of the line is."""
    if text == line.text:
        return line
    words, end = [], 0
    for word in line.words:
        start = line.text.find(word.text, end)
        shown = "x" * len(word.text) if start < 0 else text[start : start + len(word.text)]
        words.append(Word(shown, word.box, word.size, word.bold))
        end = end if start < 0 else start + len(word.text)
    return msgspec.structs.replace(line, text=text, words=tuple(words))


def _table(table: Table, masks: Masks) -> Table:
    cells = tuple(Cell(c.row, c.col, masks.masked(c.text), c.box, c.rows, c.cols) for c in table.cells)
    return msgspec.structs.replace(table, cells=cells)
