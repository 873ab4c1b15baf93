"""Names of products in the section rows of a table, "复底汤锅（材质：304不锈钢）" over its codes, sizes and prices, and
in the first row of each of several tables, over its head."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from catalogsku.core.box import Box
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Table
from processing.engine.result import BASE_KEYS, Evidence, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import cell_value
from processing.engine.understanding.rules.dictionaries.measures import COLOURS, MATERIALS
from processing.engine.understanding.rules.finishes import all_in
from processing.engine.understanding.rules.headings import names_no_thing
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import has_value, is_measure, is_protection_class, is_size
from processing.engine.understanding.rules.wording import is_framed
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header
from processing.engine.understanding.tables.names import may_name

_AT_END = re.compile(r"\s*[(（\[【]([^()（）\[\]【】]*)[)）\]】]$")
_PAIR = re.compile(r"([^:：]{1,24})[:：]\s*(.+)")
_NEXT_PAIR = re.compile(r"\s*[,，;；、]\s*(?=[^:：,，;；、]{1,24}[:：])")
# What stands over the rest of a list names no product.
_REST = frozenset(("其他", "其它", "配件", "其他产品", "other", "others", "accessories", "miscellaneous", "spareparts"))
# A remark on the rows below it: it begins as no name does, or ends as a sentence.
_REMARK = re.compile(
    r"(with|without|for|from|in|on|incl|including|above|below|see|suitable|all|only|used)\b.*|(适用|用于|仅|以上|以下|配有|不含|包含).*|.*[.;。；]",
    re.IGNORECASE | re.DOTALL,
)
# Behind what parts one product's variants, a class of protection or a measure: "IP44 — for wet rooms".
_BEHIND = re.compile(r"\s+[-–—]\s+|\s*[:/,(]")
# How many cores or poles they have, and what these bear: "3 core, 450/750 V".
_CORES = re.compile(r"\d{1,3}[\s-]?((core|pole|phase|way|wire)s?|[芯极相])(\s*[,，].*\d.*)?", re.IGNORECASE | re.DOTALL)
# A section's letter, apart from its name or before Chinese words.
_LETTER = re.compile(r"([A-Z])(?:[.、)]\s*|\s+|(?=[\u3400-\u9fff]))")
# Titles of what a table tells, or of more than one product.
_SHEET = re.compile(
    r"规格|型号|技术|数据|性能|选型|系列|表$|\b(data|selection|models?|series|range|table|sheet)\b", re.IGNORECASE
)
# Signs that a section begins with: "◆ Lock nuts".
_MARK = re.compile(r"^[\s•·●○▪■□◆◇➢►▶★☆▲△※❖\uf000-\uf0ff]+(?=[^\s])")
# Points by which the text of a section may begin beside its table's left edge, where it is not as wide as the table.
_ALIGNED_PT = 5.0
# A name for all the rows below it is less sure than one in a row.
_CERTAINTY = 0.9
# A page's tables that a title each tells apart.
_LEAST_TITLES = 2
# Identities are each row's own.
_LABELLED = frozenset(BASE_KEYS) - {"model", "product_name"}


def named_by_sections(drafts: Sequence[Draft], table: Table, continued: bool) -> list[Draft]:
    """The products of a table without names, each with what the section row above it says: a name, and labelled
    values in brackets behind it. A value of the row itself is never replaced.

    Where products stand before the first such row it divides one product's variants, unless the table is
    ``continued`` from another page.
    """
    if not continued and (not drafts or drafts[0].section is None):
        return list(drafts)
    lettered = _are_lettered(dict.fromkeys(draft.section.text for draft in drafts if draft.section))
    return [_named(draft, draft.section, table.box, lettered) if draft.section else draft for draft in drafts]


def _are_lettered(sections: Iterable[str]) -> bool:
    """They begin with A, B and so on, as circles before their names are read: "A数显卡尺", "B压力表"."""
    matches = [_LETTER.match(trim(text)) for text in sections]
    letters = "".join(match.group(1) for match in matches if match)
    return len(matches) > 1 and letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(matches)]


def titles_in(tables: Sequence[tuple[Grid, Header]], page_number: int) -> dict[str, Value]:
    """By table what alone stands across it over its head, the first line of it, where several tables of a page are told
    apart so: one title may be the list's, or that of a chapter. Over variants in columns it is that of the product they
    are of."""
    over = {grid.table.id: title for grid, _ in tables if grid.turned and (title := _over_variants(grid.table))}
    variants = {table: cell_value([cell], page_number) for table, cell in over.items()}
    return _over_rows(tables, page_number) | {table: _part(value, value.text) for table, value in variants.items()}


def _over_variants(table: Table) -> Cell | None:
    first = [cell for cell in table.cells if cell.row == 0 and trim(cell.text)]
    title = trim(first[0].text) if first else ""
    across = len(first) == 1 and first[0].cols == table.n_cols and first[0].rows == 1
    named = across and _names_product(title) and not (names_no_thing(title) or _SHEET.search(title))
    return first[0] if named else None


def _over_rows(tables: Sequence[tuple[Grid, Header]], page_number: int) -> dict[str, Value]:
    rows = [(grid, grid.filled(0)) for grid, header in tables if header.rows and _only_title(grid, header.first)]
    cells = {
        grid.table.id: filled[0][1]
        for grid, filled in rows
        if len(filled) == 1 and not grid.turned and grid.span(0, filled[0][0]) == grid.n_cols
    }
    names = {table: _MARK.sub("", trim(cell.text.split("\n")[0])) for table, cell in cells.items()}
    products = {squash(name) for name in names.values() if _names_product(name)}
    if len(products) < max(_LEAST_TITLES, len(cells)):
        return {}
    return {table: _part(cell_value([cell], page_number), names[table]) for table, cell in cells.items()}


def _only_title(grid: Grid, first: int) -> bool:
    """Over the head stands a row of words and nothing more, but figures of what is drawn between both: "86"."""
    cells = [[cell for _, cell in grid.row_cells(row)] for row in range(1, first)]
    return first > 0 and all(len(row) == 1 and not any(map(str.isalpha, row[0].text)) for row in cells)


def _named(draft: Draft, section: Value, table: Box, lettered: bool) -> Draft:
    name, labelled = _parted(_LETTER.sub("", trim(section.text)) if lettered else section.text)
    if not _is_heading(section.evidence.bbox, table) or not _names_product(name):
        return draft
    titles = {"product_name": name, **labelled}
    inherited = {key: _part(section, text) for key, text in titles.items() if key not in draft.attributes}
    return msgspec.structs.replace(draft, attributes={**draft.attributes, **inherited})


def _parted(text: str) -> tuple[str, dict[str, str]]:
    """The words, and what a bracket at their end says under labels that are known; other brackets stay with them."""
    plain = _MARK.sub("", trim(text))
    end = _AT_END.search(plain)
    pairs = [_PAIR.fullmatch(part.strip()) for part in _NEXT_PAIR.split(end.group(1))] if end else []
    pairs_by_label = {label_kind(pair.group(1)): trim(pair.group(2)) for pair in pairs if pair}
    labelled = {key: value for key, value in pairs_by_label.items() if key in _LABELLED and has_value(key, value)}
    return (plain[: end.start()], labelled) if end and pairs_by_label else (plain, {})


def _names_product(text: str) -> bool:
    if not may_name(text) or label_kind(text) is not None or squash(text) in _REST or ":" in text or "：" in text:
        return False
    first = _BEHIND.split(text)[0]
    if _REMARK.fullmatch(text) or _CORES.fullmatch(text) or is_protection_class(first) or is_measure(first):
        return False
    return not (is_framed(text) or is_size(text) or all_in(text.lstrip("0123456789 "), COLOURS + MATERIALS))


def _is_heading(box: Box, table: Box) -> bool:
    """As wide as most of the table, or at its left edge: words alone in another column are the rest of a cell."""
    return 2 * (box[2] - box[0]) > table[2] - table[0] or box[0] - table[0] <= _ALIGNED_PT


def _part(section: Value, text: str) -> Value:
    place = section.evidence
    evidence = Evidence(text, place.page_number, place.bbox, 1.0, "section")
    return Value(text, evidence, "section_inherited", _CERTAINTY)
