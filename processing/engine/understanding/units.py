"""The unit of each measure and the currency of each price, with the place where it is printed (GR-EVID, X-NORM).

A value's own is what stands beside it. Where nothing does, the narrowest scope around it that says one holds: its
column or label, its section, its page, its document. One whose place cannot be shown is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from catalogsku.core.box import Box, holds_centre, rounded
from catalogsku.core.text import squash
from processing.engine.page import Line, ParsedPage
from processing.engine.result import Evidence, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.units import MEASURED, head_mark, note_marks, prints_unit, section_mark
from processing.engine.understanding.view import PageView

# Under what the document's facts name them: a currency is an attribute of products, units are not.
FACTS = {"price": "currency", "size": "size_unit", "weight": "weight_unit"}


def with_units(view: PageView, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """The drafts with the currency of prices, also of those on request, as an attribute and with ``units`` of sizes and
    weights, where the values print none themselves."""
    scopes = _Scopes(view, drafts)
    return tuple(_with_units(draft, scopes) for draft in drafts)


def _with_units(draft: Draft, scopes: "_Scopes") -> Draft:
    units = {}
    for key in MEASURED:
        value = draft.attributes.get(key) or (draft.on_request if key == "price" else None)
        if value is None or not value.evidence.match or prints_unit(key, value.text):
            continue
        if unit := scopes.unit_of(draft, key, value):
            units[key] = unit
    currency = {"currency": units.pop("price")} if "price" in units else {}
    return msgspec.structs.replace(draft, attributes={**currency, **draft.attributes}, units=units)


def unit_notes(page: ParsedPage, lines: Sequence[Line], method: str = "text_line") -> dict[str, list[Value]]:
    """What these lines of the page say that values are given in, by attribute, from top to bottom."""
    notes: dict[str, list[Value]] = {}
    for line in sorted(lines, key=lambda line: line.box[1]):
        for key, mark in note_marks(line.text).items():
            notes.setdefault(key, []).append(_value(_evidence(mark, page, part_box(line, mark), method), ""))
    return notes


def agreed(notes: Sequence[Value]) -> Value | None:
    """The first of notes that all say the same."""
    return notes[0] if len({squash(note.text) for note in notes}) == 1 else None


@dataclass
class _Scopes:
    """Everything around the values of a page that may say what they are measured in."""

    view: PageView
    drafts: Sequence[Draft]
    _labels: dict[tuple[str, str], list[Evidence]] = field(default_factory=dict)

    def unit_of(self, draft: Draft, key: str, value: Value) -> Value | None:
        """Of the narrowest scope that says one."""
        return (
            self._of_column(draft.contexts.get(key, ""), key, value)
            or self._of_section(draft, key)
            or _inherited(agreed(self._notes.get(key, [])), "page_inherited")
            or self._of_document(key)
        )

    def _of_column(self, label: str, key: str, value: Value) -> Value | None:
        mark = head_mark(key, label)
        if mark is None:
            return None
        if (label, mark) not in self._labels:
            self._labels[label, mark] = self._printed(label, mark)
        place = _nearest(self._labels[label, mark], value.evidence)
        return _value(place, "column_inherited") if place else None

    def _printed(self, label: str, mark: str) -> list[Evidence]:
        """Where the label, or the part of it that has the mark, is printed: on the page, else on the nearest before."""
        wanted, sign = squash(label), squash(mark)

        def tells(text: str) -> bool:
            said = squash(text)
            return sign in said and (said in wanted or wanted in said)

        for page in (self.view.page, *sorted(self.view.earlier, key=lambda other: -other.number)):
            lines = (piece for line in page.lines if sign in squash(line.text) for piece in pieces(line))
            boxes = [part_box(line, mark) for line in lines if tells(line.text)]
            boxes = boxes or [cell.box for table in page.tables for cell in table.cells if tells(cell.text)]
            if boxes:
                return [_evidence(mark, page, box, "header") for box in boxes]
        return []

    def _of_section(self, draft: Draft, key: str) -> Value | None:
        """The section row's of the product's table; else the note's above it where the page has several."""
        row, notes = draft.section, self._notes.get(key, [])
        if row is not None and (mark := section_mark(key, row.text)):
            place = msgspec.structs.replace(row.evidence, quote=mark, method="section")
            return _value(place, "section_inherited")
        above = [] if agreed(notes) else [note for note in notes if note.evidence.bbox[3] <= draft.anchor[1] + 1]
        return _inherited(above[-1] if above else None, "section_inherited")

    def _of_document(self, key: str) -> Value | None:
        """A running line's, else that of a page without products."""
        value = agreed(self._running.get(key, [])) or self.view.facts.inherited.get(FACTS[key])
        return _inherited(value, "document_inherited")

    @cached_property
    def _notes(self) -> dict[str, list[Value]]:
        """Of the page's own lines, outside its products."""
        own, view = [draft.box for draft in self.drafts], self.view
        lines = [line for line in view.page.lines if not view.is_running(line)]
        lines = [line for line in lines if not holds_centre(own, line.box)]
        return unit_notes(view.page, lines)

    @cached_property
    def _running(self) -> dict[str, list[Value]]:
        return unit_notes(self.view.page, [ln for ln in self.view.page.lines if self.view.is_running(ln)], "header")


def _evidence(mark: str, page: ParsedPage, box: Box, method: str) -> Evidence:
    return Evidence(mark, page.number, rounded(box), 1.0, method)


def _value(place: Evidence, source: str) -> Value:
    return Value(place.quote, place, source)


def _inherited(value: Value | None, source: str) -> Value | None:
    return msgspec.structs.replace(value, source=source) if value else None


def _nearest(places: Sequence[Evidence], own: Evidence) -> Evidence | None:
    """The closest in the value's column or on its row; on an earlier page the lowest."""
    if not places or places[0].page_number != own.page_number:
        return max(places, key=lambda place: place.bbox[3], default=None)

    def away(place: Evidence) -> tuple[bool, float]:
        across, along = _gap(own.bbox, place.bbox, 0), _gap(own.bbox, place.bbox, 1)
        return min(across, along) > 0, across + along

    return min(places, key=away)


def _gap(a: Box, b: Box, axis: int) -> float:
    return max(0.0, a[axis] - b[axis + 2], b[axis] - a[axis + 2])
