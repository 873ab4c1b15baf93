"""Pages with tables: finds the product tables, with the heads of earlier pages where a table continues (TA-BR17)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import msgspec

from catalogsku.core.box import Box, area, centre, contains_point, intersect, overlap_ratio
from catalogsku.core.text import squash
from processing.engine.page import ParsedPage, Picture, Table
from processing.engine.result import RowTally, TableMerge, Value
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.tables.apart import identified, told_apart
from processing.engine.understanding.tables.columns import Column, resolve_columns
from processing.engine.understanding.tables.continuation import (
    HEAD_INHERITED,
    PRODUCTS_IN_COLUMNS,
    before_with_fewer_columns,
    heads_itself,
    is_letterhead,
    merge_of,
    repeated_head,
    same_columns,
    tables_before,
)
from processing.engine.understanding.tables.continued_list import begun_list, going_on
from processing.engine.understanding.tables.dittos import without_dittos
from processing.engine.understanding.tables.family_titles import family_title
from processing.engine.understanding.tables.fields import holds_fields, scatters_fields, stacks_fields
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, Label, find_header, repeats_header
from processing.engine.understanding.tables.judgement import Judgement, judge
from processing.engine.understanding.tables.named_heads import modelled_by_head
from processing.engine.understanding.tables.open_table import BANDED, open_tables
from processing.engine.understanding.tables.rows import read_rows
from processing.engine.understanding.tables.sections import named_by_sections, titles_in
from processing.engine.understanding.tables.shaded import SHADED, tables_of
from processing.engine.understanding.tables.suspects import goes_on_unread, lists_products_unread
from processing.engine.understanding.tables.titles import names_behind_codes, product_title
from processing.engine.understanding.tables.variants import family_prefix, variant_codes, variant_header

_COVERED = 0.5
# Certainty of values under a head that another page prints.
_INHERITED = 0.97
# A column of labels beside one column of values is the card of one product.
_LEAST_TURNED = 3
# One known word in the first row may be the label of that row; two are a head.
_OWN_HEAD = 2


@dataclass(frozen=True)
class Reading:
    """One table as understood. ``merge``: that it goes on with a table of an earlier page.

    ``suspect``: why a person must look at a table that no rule took, a code; empty for all others.
    """

    grid: Grid
    header: Header
    columns: tuple[Column, ...]
    judgement: Judgement
    merge: TableMerge | None = None
    suspect: str = ""


def read_tables(page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig) -> list[Reading]:
    """The tables of the page that list products, and those that seem to and were not understood, in page order."""
    ruled = [table for table in tables_of(page) if not holds_fields(table)]
    tables = [reading for table in ruled if (reading := read_table(table, page, earlier, config))]
    opened = [table for table in open_tables(page) if not (stacks_fields(table) or scatters_fields(table))]
    lists = [reading for table in opened if (reading := read_table(table, page, (), config))]
    lists = [reading for reading in lists if not _repeats_head_each_row(reading)]
    lists = [reading for reading in lists if reading.judgement.is_product and _says_more(reading, tables)]
    lists = lists or _gone_on(tables, page, earlier, config)
    bands = [_closed(reading) for reading in tables if _parts_rows(reading, lists, tables)]
    lists = [reading for reading in lists if not any(_meet(reading, band) for band in bands)]
    whole = {band.grid.table.id: band for band in bands}
    # A reader's own guess at an open list is often a piece of the whole.
    boxes = [reading.grid.table.box for reading in lists]
    readings = [whole.get(reading.grid.table.id, reading) for reading in tables]
    readings = [
        reading for reading in readings if reading.grid.table.ruled or not _is_covered(reading.grid.table, boxes)
    ]
    products = [reading.grid.table.id for reading in readings if reading.judgement.is_product]
    readings = [_doubted(reading, products) for reading in readings]
    return _agreed([reading for reading in readings if reading.judgement.is_product or reading.suspect] + lists)


def _agreed(readings: Sequence[Reading]) -> list[Reading]:
    """Tables of products under one head have one column for each role: that which the longest of them has."""
    longest: dict[tuple[object, ...], Reading] = {}
    for reading in sorted(readings, key=lambda reading: -reading.grid.n_rows):
        if reading.judgement.is_product and reading.header.rows:
            longest.setdefault(_head(reading), reading)
    return [_as_in(reading, longest.get(_head(reading), reading)) for reading in readings]


def _head(reading: Reading) -> tuple[object, ...]:
    return (reading.grid.turned, *((column.col, squash(column.label.text)) for column in reading.columns))


def _as_in(reading: Reading, other: Reading) -> Reading:
    if not reading.judgement.is_product or [a.role for a in reading.columns] == [b.role for b in other.columns]:
        return reading
    columns = (replace(own, role=first.role) for own, first in zip(reading.columns, other.columns, strict=True))
    return replace(reading, columns=tuple(columns))


def _gone_on(
    tables: Sequence[Reading], page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig
) -> list[Reading]:
    """The open list of an earlier page that goes on here without its head, on a page of nothing else."""
    if any(reading.grid.table.ruled or reading.judgement.is_product for reading in tables):
        return []
    begun = begun_list(page, earlier, config.look_back_pages)
    table = going_on(page, begun[1]) if begun else None
    if begun is None or table is None:
        return []
    other, before = begun
    source = Grid(before)
    header = find_header(source)
    if header is None or not (first := _reading(source, header, other, config)).judgement.is_product:
        return []
    merge = merge_of(table, before, other.number, HEAD_INHERITED)
    reading = _reading(Grid(table), Header(0, 0, header.labels), page, config, merge)
    # Words in a column of prices are other print at the same places.
    alike = all(a.role == b.role for a, b in zip(first.columns, reading.columns, strict=True) if b.values)
    return [reading] if alike and reading.judgement.is_product else []


def _doubted(reading: Reading, products: Collection[str]) -> Reading:
    unread = not (reading.judgement.is_product or reading.suspect) and goes_on_unread(reading.grid.table, products)
    return replace(reading, suspect="table_not_understood") if unread else reading


def _repeats_head_each_row(reading: Reading) -> bool:
    """Cards under each other, each with the same labels over its values, are no list."""
    grid, header = reading.grid, reading.header
    heads = [row for row in range(header.body, grid.n_rows) if repeats_header(grid, row, header.labels)]
    filled = [row for row in range(header.body, grid.n_rows) if len(grid.filled(row)) > 1 and row not in heads]
    ends = [*heads, grid.n_rows]
    starts = [header.body, *heads]
    between = [sum(start <= row < end for row in filled) for start, end in zip(starts, ends, strict=True)]
    return len(heads) >= 2 and max(between[:-1]) <= 1


def _says_more(opened: Reading, tables: Sequence[Reading]) -> bool:
    """An open list is kept where it names more products than the shaded tables at its place."""
    shaded = [other for other in tables if other.grid.table.method == SHADED and other.judgement.is_product]
    covered = [other for other in shaded if _meet(other, opened)]
    return not covered or _named(opened) > sum(map(_named, covered))


def _meet(reading: Reading, other: Reading) -> bool:
    return intersect(reading.grid.table.box, other.grid.table.box) is not None


def _parts_rows(reading: Reading, lists: Sequence[Reading], tables: Sequence[Reading]) -> bool:
    """A table between level rules that tells better than the open lists at its place where rows end: each row has a
    product or one text alone, a heading; as many columns as the lists have, with the other such tables at their place
    as many products, and no second head."""
    grid, header = reading.grid, reading.header
    body = range(header.body, grid.n_rows)
    if grid.table.method != BANDED or not reading.judgement.is_product:
        return False
    alone = sum(1 for row in body if len(grid.filled(row)) == 1)
    met = [opened for opened in lists if _meet(opened, reading)]
    along = [t for t in tables if t.grid.table.method == BANDED and t.judgement.is_product]
    products = sum(_named(other) for other in along if other is reading or any(_meet(other, opened) for opened in met))
    fits = all(opened.grid.n_cols <= grid.n_cols for opened in met) and sum(map(_named, met)) <= products
    return fits and _named(reading) + alone >= len(body)


def _closed(reading: Reading) -> Reading:
    """Read as a table with full rules: no text in it goes on with the row above."""
    table = msgspec.structs.replace(reading.grid.table, ruled=True)
    return replace(reading, grid=Grid(table, reading.grid.turned))


def _named(reading: Reading) -> int:
    """Rows with an identity and something beside it; a heading stands alone."""
    grid, header = reading.grid, reading.header
    identities = [column.col for column in reading.columns if column.role in ("model", "product_name")]
    rows = [row for row in range(header.body, grid.n_rows) if len(grid.filled(row)) >= 2]
    rows = [row for row in rows if not repeats_header(grid, row, header.labels)]
    return max((sum(1 for row in rows if grid.text(row, col)) for col in identities), default=0)


def _is_covered(table: Table, boxes: Sequence[Box]) -> bool:
    return any(overlap_ratio(table.box, box) > _COVERED for box in boxes)


def read_table(table: Table, page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig) -> Reading | None:
    """The table as it most likely lists products: as printed, continued from a page before, or turned."""
    if table.n_rows * table.n_cols < 2:
        return None
    grid = Grid(table)
    readings = []
    header = find_header(grid)
    plain, grid = grid, Grid(without_dittos(table, header.body if header is not None and header.known else 0))
    if header is not None and header.known:
        readings.append(_reading(grid, header, page, config))
    elif inherited := _inherited(grid, page, earlier, config):
        readings.append(inherited)
    else:
        readings.append(_reading(grid, header or _no_header(grid), page, config))
    if not readings[0].judgement.is_product and (turned := _turned(plain, page, config)):
        readings.append(turned)
    best = max(readings, key=lambda reading: (reading.judgement.is_product, reading.judgement.score))
    return _with_doubt(best, page, earlier, config)


def _with_doubt(reading: Reading, page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig) -> Reading:
    """A table that goes on with products of a page before, or seems to list some, is marked for a person."""
    codes = variant_codes(reading.grid, reading.header) if reading.grid.turned else ()
    if reading.judgement.is_product and not codes:
        return replace(reading, merge=reading.merge or repeated_head(reading.grid, reading.header, page, earlier))
    if (codes or reading.header.known < _OWN_HEAD) and (merge := _begun_before(reading, codes, page, earlier, config)):
        judgement = replace(reading.judgement, is_product=False)
        return replace(reading, judgement=judgement, merge=merge, suspect="continues_products_in_columns")
    if not reading.judgement.is_product and lists_products_unread(reading.grid, reading.columns):
        return replace(reading, suspect="table_not_understood")
    if not reading.judgement.is_product and not reading.header.known and _is_parted(reading, page, earlier, config):
        return replace(reading, suspect="table_not_understood")
    return reading


def _is_parted(reading: Reading, page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig) -> bool:
    """It goes on with a table of products, in more columns than that."""
    begun = before_with_fewer_columns(reading.grid.table, page, earlier)
    header = find_header(Grid(begun[1])) if begun else None
    return bool(begun and header and _reading(Grid(begun[1]), header, begun[0], config).judgement.is_product)


def extract_tables(page: ParsedPage, readings: Sequence[Reading], earlier: Sequence[ParsedPage]) -> Extraction:
    """Products of the product tables of the page, with the tally of every table's rows."""
    drafts: list[Draft] = []
    tallies: list[RowTally] = []
    titles = titles_in([(reading.grid, reading.header) for reading in readings], page.number)
    for reading in readings:
        inherited = reading.merge is not None and reading.merge.reason == HEAD_INHERITED
        certainty = reading.judgement.certainty * (_INHERITED if inherited else 1.0)
        rows = read_rows(reading.grid, reading.header, reading.columns, page.number, round(certainty, 4))
        own = titles.get(reading.grid.table.id) if rows.section is None else None
        drafts += _with_title(_with_family(rows.drafts, reading, page), reading, page, earlier, own)
        tallies.append(rows.tally())
    merges = merges_of(readings)
    boxes = tuple(reading.grid.table.box for reading in readings)
    return Extraction(tuple(drafts), tuple(tallies), (), boxes, merges, "table")


def merges_of(readings: Sequence[Reading]) -> tuple[TableMerge, ...]:
    return tuple(reading.merge for reading in readings if reading.merge is not None)


def _with_family(drafts: list[Draft], reading: Reading, page: ParsedPage) -> list[Draft]:
    """Variants that print only the end of their code get the family that the page prints, as their series."""
    if not reading.grid.turned or any("series" in draft.attributes for draft in drafts):
        return drafts
    family = family_prefix(variant_codes(reading.grid, reading.header), page)
    if family is None:
        return drafts
    return [msgspec.structs.replace(d, attributes={**d.attributes, "series": family}) for d in drafts]


def _with_title(
    drafts: list[Draft], reading: Reading, page: ParsedPage, earlier: Sequence[ParsedPage], own: Value | None
) -> list[Draft]:
    """Variants whose table names no product get the name behind their code, of their section row, at the headline of
    their family, over their picture or that of their ``own`` table."""
    if any("product_name" in draft.attributes for draft in drafts):
        return drafts
    models = [draft.attributes["model"].text if "model" in draft.attributes else "" for draft in drafts]
    names = names_behind_codes([model for model in models if model], page)
    drafts = drafts if names else named_by_sections(drafts, reading.grid.table, reading.merge is not None)
    family = {} if names or own else family_title(models, page)
    title = None
    if not names:
        title = own or family.pop("product_name", None) or product_title(reading.grid.table, page, earlier)
    named = [names.get(model, title) for model in models]
    inherited = [{**family, **({"product_name": name} if name else {})} for name in named]
    return [
        msgspec.structs.replace(d, attributes={**f, **d.attributes}) for d, f in zip(drafts, inherited, strict=True)
    ]


def other_tables(page: ParsedPage, taken: set[str], suspects: Sequence[Reading]) -> tuple[RowTally, ...]:
    """Tallies of tables without products here: all rows ignored for that reason, or unresolved where in doubt."""
    doubtful = {reading.grid.table.id for reading in suspects}
    return tuple(
        RowTally(table.id, table.n_rows, 0, 0, {}, table.n_rows)
        if table.id in doubtful
        else RowTally(table.id, table.n_rows, 0, 0, {"no_product_table": table.n_rows})
        for table in tables_of(page)
        if table.id not in taken
    )


def _reading(
    grid: Grid, header: Header, page: ParsedPage, config: AnalystConfig, merge: TableMerge | None = None
) -> Reading:
    columns = tuple(modelled_by_head(identified(resolve_columns(grid, header))))
    # A letter alone ("L", "W") names a measure only beside words that name the rest.
    labels = (*header.labels, *(column.label for column in columns))
    labelled = any(label.kind and len(label.text) > 1 for label in labels) or merge is not None
    pictures = sum(1 for picture in page.pictures if _inside(picture, grid.table))
    judgement = judge(
        columns, pictures, labelled, config.classification.product_score, told_apart(grid, header, columns)
    )
    return Reading(grid, header, columns, judgement, merge)


def _no_header(grid: Grid) -> Header:
    return Header(0, 0, tuple(Label(col, "", None) for col in range(grid.n_cols)))


def _inside(picture: Picture, table: Table) -> bool:
    """In the table; a picture of the table itself shows none of its products."""
    common = intersect(table.box, picture.box)
    shows_table = common is not None and area(common) > _COVERED * area(table.box)
    return picture.short_edge >= 32 and not shows_table and contains_point(table.box, *centre(picture.box))


def _inherited(grid: Grid, page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig) -> Reading | None:
    """The table read under the head of the nearest earlier table with the same columns."""
    for other, before in tables_before(grid.table, page, earlier, config.look_back_pages):
        source = Grid(before)
        header = find_header(source)
        if header is None or not header.known:
            continue
        if heads_itself(grid):
            return None
        if not _reading(source, header, other, config).judgement.is_product:
            return None
        if is_letterhead(grid.table, page, source, header, other):
            return None
        merge = merge_of(grid.table, before, other.number, HEAD_INHERITED)
        return _reading(grid, Header(0, 0, header.labels), page, config, merge)
    return None


def _turned(grid: Grid, page: ParsedPage, config: AnalystConfig) -> Reading | None:
    """Products as columns: the first column holds the labels, the first rows the codes or the model's label, or the
    name of one product whose variants have prices of their own."""
    turned = grid.turn()
    if turned.n_rows < _LEAST_TURNED:
        return None
    header = variant_header(turned)
    if header is None:
        header = find_header(turned)
        if header is None or header.first != 0 or header.rows != 1 or header.known < 2:
            return None
        kinds = [label.kind for label in header.labels]
        if "model" not in kinds[:3] and not ("product_name" in kinds[:3] and "price" in kinds):
            return None
        if _has_further_labels(turned, header):
            return None
    return _reading(turned, header, page, config)


def _has_further_labels(turned: Grid, header: Header) -> bool:
    """In the place of an identity stands a label: labels and values of one product in two pairs of columns."""
    identities = [label.col for label in header.labels if label.kind in ("model", "product_name")]
    texts = [turned.text(row, col) for col in identities for row in range(header.body, turned.n_rows)]
    return any(len(text) > 1 and label_kind(text) for text in texts)


def _begun_before(
    reading: Reading, codes: tuple[str, ...], page: ParsedPage, earlier: Sequence[ParsedPage], config: AnalystConfig
) -> TableMerge | None:
    """With the earlier table in which this one's products stand as columns; pages between may only go on with it.

    A page prints either no head of its own or the same codes again.
    """
    before = {other.number: other for other in earlier}
    table = reading.grid.table
    for number in range(page.number - 1, page.number - 1 - config.look_back_pages, -1):
        other = before.get(number)
        last = max(other.tables, key=lambda t: t.box[3], default=None) if other else None
        if other is None or last is None or not same_columns(table, page, last, other):
            return None
        source = Grid(last, turned=True)
        header = variant_header(source)
        if header is not None and _reading(source, header, other, config).judgement.is_product:
            repeated = 1 if codes else 0
            same = not codes or codes == variant_codes(source, header)
            return merge_of(table, last, number, PRODUCTS_IN_COLUMNS, repeated) if same else None
        own = find_header(Grid(last))
        if own is not None and own.known >= _OWN_HEAD:
            return None
    return None
