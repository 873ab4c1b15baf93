"""Pages that lie on their side or on their head, as the rules look at them: above is above, left is left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from catalogsku.core.box import Box, rounded, turned, turned_back
from processing.engine.page import Block, Cell, Line, ParsedPage, Picture, Table, Word
from processing.engine.result import DocumentFacts, Evidence, PageResult, Sku, Value

_replace = msgspec.structs.replace


@dataclass(frozen=True)
class Upright:
    """A page, the pages before it and values of the document, all with the boxes of a reader who turns the pages.

    ``lying``: by their numbers, those that lie otherwise, as they are displayed.
    """

    page: ParsedPage
    earlier: Sequence[ParsedPage]
    facts: DocumentFacts
    lying: Mapping[int, ParsedPage]

    def box(self, box: Box) -> Box:
        """One of the page as it is displayed."""
        shown = self.lying.get(self.page.number)
        return _turned(box, shown) if shown else box

    def back(self, result: PageResult) -> PageResult:
        """What was found, with its boxes on the pages as they are displayed."""
        if not self.lying:
            return result
        shown = self.lying.get(self.page.number)
        alternatives = tuple(
            _replace(one, skus=tuple(self._sku(sku, shown) for sku in one.skus)) for one in result.alternatives
        )
        return _replace(result, skus=tuple(self._sku(sku, shown) for sku in result.skus), alternatives=alternatives)

    def _sku(self, sku: Sku, shown: ParsedPage | None) -> Sku:
        attributes, units = (
            {key: _replace(value, evidence=self._back(value.evidence)) for key, value in values.items()}
            for values in (sku.attributes, sku.units)
        )
        on_request = sku.on_request and _replace(sku.on_request, evidence=self._back(sku.on_request.evidence))
        custom = tuple(_replace(extra, evidence=self._back(extra.evidence)) for extra in sku.custom)
        box = _turned_back(sku.box, shown) if shown else sku.box
        return _replace(sku, box=box, attributes=attributes, custom=custom, units=units, on_request=on_request)

    def _back(self, evidence: Evidence) -> Evidence:
        shown = self.lying.get(evidence.page_number)
        return _replace(evidence, bbox=_turned_back(evidence.bbox, shown)) if shown else evidence


def upright(page: ParsedPage, earlier: Sequence[ParsedPage], facts: DocumentFacts) -> Upright:
    """Pages that stand upright are handed on as they are."""
    lying = {sheet.number: sheet for sheet in (page, *earlier) if sheet.turn}
    if not lying:
        return Upright(page, earlier, facts, {})
    inherited = {key: _turned_value(value, lying) for key, value in facts.inherited.items()}
    before = tuple(turned_page(sheet) for sheet in earlier)
    return Upright(turned_page(page), before, _replace(facts, inherited=inherited), lying)


def _turned_value(value: Value, lying: Mapping[int, ParsedPage]) -> Value:
    page, evidence = lying.get(value.evidence.page_number), value.evidence
    return _replace(value, evidence=_replace(evidence, bbox=_turned(evidence.bbox, page))) if page else value


def turned_page(page: ParsedPage) -> ParsedPage:
    if not page.turn:
        return page
    sideways = page.turn % 2 == 1
    return _replace(
        page,
        width_pt=page.height_pt if sideways else page.width_pt,
        height_pt=page.width_pt if sideways else page.height_pt,
        blocks=tuple(
            Block(block.id, _turned(block.box, page), tuple(_turned_line(line, page) for line in block.lines))
            for block in page.blocks
        ),
        tables=tuple(_turned_table(table, page) for table in page.tables),
        pictures=tuple(_turned_picture(picture, page) for picture in page.pictures),
        panels=tuple(_turned(panel, page) for panel in page.panels),
        turn=0,
    )


def _turned_line(line: Line, page: ParsedPage) -> Line:
    words = tuple(Word(word.text, _turned(word.box, page), word.size, word.bold) for word in line.words)
    vertical = line.vertical != (page.turn % 2 == 1)
    return Line(line.text, _turned(line.box, page), words, line.size, line.bold, vertical)


def _turned_table(table: Table, page: ParsedPage) -> Table:
    cells = tuple(Cell(c.row, c.col, c.text, _turned(c.box, page), c.rows, c.cols) for c in table.cells)
    return _replace(table, box=_turned(table.box, page), cells=cells)


def _turned_picture(picture: Picture, page: ParsedPage) -> Picture:
    return _replace(picture, box=_turned(picture.box, page))


def _turned(box: Box, page: ParsedPage) -> Box:
    return rounded(turned(box, page.turn, page.width_pt, page.height_pt))


def _turned_back(box: Box, page: ParsedPage) -> Box:
    return rounded(turned_back(box, page.turn, page.width_pt, page.height_pt))
