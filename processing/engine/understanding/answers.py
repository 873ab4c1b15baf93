"""What a model said of a page becomes drafts: each value with the place on the page that proves it (LX-QUOTE).

Nothing of an answer is believed: a value that is not printed where it was said to be is looked for on the whole page,
and one that is nowhere keeps an empty quote, by which it is locked later. What the rule analyst finds by itself
confirms a product, or leaves it to the model's own confidence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from catalogsku.core.box import Box, gap, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Line, Table
from processing.engine.result import BASE_KEYS, Blocker, CustomValue, Evidence, RowTally, Value
from processing.engine.understanding.classify import PageType
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, cell_value, part_box, take_on_request, text_value
from processing.engine.understanding.rules.shapes import has_value
from processing.engine.understanding.view import PageView

# A product that the rules do not confirm is never surer than this.
_ALONE = 0.9
# Models and rules that differ on the type of a page are both less believed.
_TYPE_DIFFERS = 0.8
_PART = re.compile(r"(G\d+)\D+(\d+)\D+(\d+)|([TG]\d+)")
# Roles of text that a product's value cannot be in: it is accounted for.
_OTHER_TEXT = ("title", "label", "running", "note")


class AnsweredValue(msgspec.Struct, frozen=True):
    """``text`` as printed; ``source``: ids of the blocks (T3) or cells (G1.2.4: table, row, column) where it stands."""

    text: str
    source: str = ""


class AnsweredCustom(msgspec.Struct, frozen=True):
    """A value under a printed label that the schema does not know."""

    label: str
    value: AnsweredValue


class AnsweredSku(msgspec.Struct, frozen=True):
    """``pictures``: ids of those that show it, the main one first; ``confidence``: the model's own, 0 to 1."""

    attributes: dict[str, AnsweredValue] = {}
    custom: tuple[AnsweredCustom, ...] = ()
    pictures: tuple[str, ...] = ()
    confidence: float = 0.8


class ModelAnswers(msgspec.Struct, frozen=True):
    """All that models said of one page. An empty ``page_type`` and ``skus`` of None: they were not asked.

    ``roles`` by picture id, ``texts`` role by block id; ``chosen``: pictures by index of the SKU whose binding was
    ambiguous. ``blockers``: why a person is needed, as the calls went. ``method``: two_stage or single_stage.
    ``second``: what another model said of the same page, as an opinion only (GR-2ND).
    """

    analyst: str
    page_type: str = ""
    type_confidence: float = 0.0
    layout_type: str = ""
    roles: dict[str, str] = {}
    texts: dict[str, str] = {}
    skus: tuple[AnsweredSku, ...] | None = None
    chosen: dict[int, tuple[str, ...]] = {}
    blockers: tuple[Blocker, ...] = ()
    method: str = "two_stage"
    second: "ModelAnswers | None" = None


def answered_type(said: ModelAnswers, rules: PageType) -> PageType:
    """The page's type as the model has it; where the rules have another, neither is sure."""
    if not said.page_type:
        return rules
    same = said.page_type == rules.page_type
    confidence = max(said.type_confidence, rules.confidence) if same else said.type_confidence * _TYPE_DIFFERS
    detail = {**rules.detail, "rules_type": rules.page_type, "rules_reason": rules.reason, "model": said.analyst}
    return PageType(said.page_type, round(confidence, 4), said.layout_type or rules.layout, "model", detail)


def answered_drafts(said: ModelAnswers, view: PageView, rules: Extraction) -> Extraction:
    """The model's products as drafts, in its order. ``rules``: what the rule analyst found on the same page."""
    keys = {*BASE_KEYS, *(attribute.key for attribute in view.config.attributes)}
    drafts = tuple(draft for sku in said.skus or () if (draft := _draft(sku, view, keys, rules.drafts)) is not None)
    return Extraction(
        drafts=drafts,
        tallies=_tallies(drafts, view.page.tables, rules.tallies),
        blockers=rules.blockers if not drafts else (),
        used=tuple(_accounted(said, view, drafts)),
        merges=rules.merges,
        extractor=f"model.{said.method}",
    )


def _draft(sku: AnsweredSku, view: PageView, keys: set[str], rules: Sequence[Draft]) -> Draft | None:
    """None where no value is left."""
    places = _Places(view)
    attributes: dict[str, Value] = {}
    custom: list[CustomValue] = []
    contexts: dict[str, str] = {}
    for key, said in sku.attributes.items():
        if not has_value(key, said.text):
            continue
        value, context = places.value(said)
        if key in keys:
            attributes[key] = value
            contexts[key] = context or key
        else:
            custom.append(CustomValue(context or key, value.text, value.evidence))
    for one in sku.custom:
        if has_value(None, one.value.text):
            value, _ = places.value(one.value)
            custom.append(CustomValue(trim(one.label), value.text, value.evidence))
    on_request = take_on_request(attributes)
    add_currency(attributes)
    if not attributes and not custom:
        return None
    box = places.box
    table, row = places.row()
    draft = Draft(
        box=box, anchor=box, attributes=attributes, custom=tuple(custom), contexts=contexts, table=table, row=row,
        picture=_picture(sku, view), on_request=on_request,
    )  # fmt: skip
    alone = min(_ALONE, max(0.0, sku.confidence))
    sure = max((other.confidence for other in rules if _confirms(other, draft)), default=alone)
    return msgspec.structs.replace(draft, confidence=sure)


def _picture(sku: AnsweredSku, view: PageView) -> Box | None:
    boxes = {picture.id: picture.box for picture in view.pictures}
    return next((boxes[name] for name in sku.pictures if name in boxes), None)


def _confirms(rule: Draft, draft: Draft) -> bool:
    """The same product with the same values, as far as both name them."""
    ours, theirs = ({key: squash(v.text) for key, v in d.attributes.items()} for d in (rule, draft))
    identities = [key for key in ("model", "product_name") if key in ours and key in theirs]
    return bool(identities) and all(ours[key] == theirs[key] for key in ours.keys() & theirs.keys())


class _Places:
    """Where the values of one product stand on the page; what was found so far tells the nearest of several places."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._tables = {table.id: table for table in view.page.tables}
        self._blocks = {block.id: block for block in view.page.blocks}
        self._found: list[Box] = []
        self._cells: list[tuple[str, Cell]] = []

    @property
    def box(self) -> Box:
        page = self._view.page
        return union(self._found) if self._found else (0.0, 0.0, page.width_pt, page.height_pt)

    def value(self, said: AnsweredValue) -> tuple[Value, str]:
        """The value with its evidence, and what is printed as its label; without a place its quote is empty."""
        text = trim(said.text)
        page = self._view.page
        wanted = squash(text)
        cells, lines = self._named(said.source)
        for table, cell in cells or self._all_cells():
            if wanted and wanted in squash(cell.text):
                self._cells.append((table.id, cell))
                self._found.append(cell.box)
                return msgspec.structs.replace(cell_value([cell], page.number), text=text), _head(table, cell)
        near = self._nearest(line for line in (lines or page.lines) if wanted and wanted in squash(line.text))
        near = near or self._nearest(line for line in page.lines if wanted and wanted in squash(line.text))
        if near is not None:
            self._found.append(near.box)
            before = near.text[: near.text.find(text)] if text in near.text else ""
            return text_value(text, part_box(near, text), page.number, "text_line"), trim(before)
        if over := [line for line in lines if squash(line.text) and squash(line.text) in wanted]:
            box = union(line.box for line in over)
            self._found.append(box)
            return text_value(text, box, page.number, "text_line"), ""
        return Value(text, Evidence("", page.number, self.box, 0.0, "model")), ""

    def row(self) -> tuple[str, int]:
        """Table and row (column where products stand side by side) that most of the cells share; ("", -1) for none."""
        rows = Counter((table, cell.row) for table, cell in self._cells)
        cols = Counter((table, cell.col) for table, cell in self._cells)
        if not rows:
            return "", -1
        (by_row, most), (by_col, across) = rows.most_common(1)[0], cols.most_common(1)[0]
        return by_row if most >= across else by_col

    def _named(self, source: str) -> tuple[list[tuple[Table, Cell]], list[Line]]:
        cells: list[tuple[Table, Cell]] = []
        lines: list[Line] = []
        for name, row, col, part in _PART.findall(source):
            if name in self._tables:
                table = self._tables[name]
                cells += [(table, c) for c in table.cells if _is_at(c, int(row), int(col))]
            elif part in self._blocks:
                lines += self._blocks[part].lines
            elif part in self._tables:
                cells += [(self._tables[part], c) for c in self._tables[part].cells]
        return cells, lines

    def _all_cells(self) -> list[tuple[Table, Cell]]:
        """Of the row that the product's other values stand in; elsewhere the same text may be another product's."""
        table, row = self.row()
        return [(t, c) for t in self._view.page.tables for c in t.cells if t.id == table and _is_at(c, row, c.col)]

    def _nearest(self, lines: Iterable[Line]) -> Line | None:
        found = list(lines)
        if not self._found:
            return found[0] if found else None
        own = self.box
        return min(found, key=lambda line: gap(own, line.box), default=None)


def _is_at(cell: Cell, row: int, col: int) -> bool:
    return cell.row <= row < cell.row + cell.rows and cell.col <= col < cell.col + cell.cols


def _head(table: Table, cell: Cell) -> str:
    """The uppermost text of the cell's column."""
    above = (c for c in table.cells if c.row < cell.row and c.col <= cell.col < c.col + c.cols and trim(c.text))
    return trim(min(above, key=lambda c: c.row).text) if cell.row else ""


def _tallies(drafts: Sequence[Draft], tables: Sequence[Table], rules: Sequence[RowTally]) -> tuple[RowTally, ...]:
    """Every table's rows accounted for: rows without a product are ignored where the rules know why, else open."""
    known = {tally.table: tally for tally in rules}
    found = []
    for table in tables:
        skus = sum(draft.table == table.id for draft in drafts)
        rule = known.get(table.id)
        if not skus:
            found += [rule] if rule is not None else []
            continue
        head = min(draft.row for draft in drafts if draft.table == table.id)
        ignored = dict(rule.ignored) if rule is not None else {}
        merged = rule.merged if rule is not None else 0
        rows = rule.rows if rule is not None else table.n_rows - head
        left = max(0, rows - skus - merged - sum(ignored.values()))
        found.append(RowTally(table.id, skus + merged + sum(ignored.values()) + left, skus, merged, ignored, left))
    return tuple(found)


def _accounted(said: ModelAnswers, view: PageView, drafts: Sequence[Draft]) -> Iterable[Box]:
    for block in view.page.blocks:
        if said.texts.get(block.id) in _OTHER_TEXT:
            yield block.box
    for draft in drafts:
        for value in draft.attributes.values():
            yield value.evidence.bbox
        for custom in draft.custom:
            yield custom.evidence.bbox
    cited = {draft.table for draft in drafts if draft.table}
    for table in view.page.tables:
        if table.id in cited:
            yield table.box
