"""Rows that print a measure and a price under the name of what costs so much: sizes, weights and packs of one product.

Whether a table holds them or dots lead to the prices is all one: each price has what stands before it on its line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalogsku.core.box import Box, centre, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, text_value
from processing.engine.understanding.records.pictured import with_pictures
from processing.engine.understanding.records.repeat import may_lead
from processing.engine.understanding.records.spans import Span, lines_of_print, spans_of
from processing.engine.understanding.rules.shapes import is_extent, is_number, is_size, price_spans
from processing.engine.understanding.view import PageView

_LEAST = 2
# Of the size: how far a name begins from its rows; of the records, how many are variants where this is worth a look.
_OUT, _VARIANTS = 3.0, 0.3
_LEADERS = " .·…_-–—:\t"
# "under 1.25 lbs", "over 2 kg": words before a measure.
_WORDS_BEFORE = 1


@dataclass(frozen=True)
class Row:
    """What stands before a price on its line, and the price."""

    before: tuple[Line, ...]
    price: Line

    @property
    def box(self) -> Box:
        return union(line.box for line in (*self.before, self.price))

    @property
    def text(self) -> str:
        return trim(" ".join(trim(line.text) for line in self.before))


def extract_variants(view: PageView) -> Iterator[Extraction]:
    """One reading at most: every priced row; those that tell a measure alone have the name over them."""
    spans = spans_of(view)
    rows = [row for line in lines_of_print(view.pieces) for row in _rows(line)]
    taken = {piece.box for row in rows for piece in (*row.before, row.price)}
    names = [span for span in spans if span.box not in taken and may_lead(span) and not span.text.endswith(".")]
    drafts, variants = [], 0
    for row in rows:
        measured = _is_measure(row.text)
        name = _over(row, names) if measured else None
        variants += name is not None
        if name is not None or (not measured and any(map(str.isalpha, row.text))):
            drafts.append(_draft(row, name, view.page.number))
    if variants >= max(_LEAST, _VARIANTS * len(drafts)):
        records = tuple(with_pictures(drafts, view))
        yield Extraction(records, used=tuple(draft.box for draft in records), extractor="repeat.variants")


def _rows(line: Sequence[Line]) -> Iterator[Row]:
    """Each price with what stands between the one before it and itself; further prices of the same are passed over."""
    before: list[Line] = []
    for piece in line:
        spans = price_spans(piece.text)
        if not spans:
            before.append(piece)
            continue
        start, end = spans[0]
        if lead := piece.text[:start].rstrip(_LEADERS):
            before.append(_part(piece, lead))
        if before:
            yield Row(tuple(before), _part(piece, piece.text[start:end]))
        before = []


def _part(line: Line, text: str) -> Line:
    return Line(trim(text), part_box(line, trim(text)), line.words, line.size, line.bold)


def _is_measure(text: str) -> bool:
    """A measure or a number of pieces, perhaps behind a word: "250 g", "under 1.25 lbs"."""
    words = text.split()
    return any(
        is_extent(rest) or is_size(rest) or is_number(rest)
        for n in range(min(_WORDS_BEFORE + 1, len(words)))
        if (rest := " ".join(words[n:])) and any(map(str.isdigit, rest))
    )


def _over(row: Row, names: Sequence[Span]) -> Span | None:
    """The nearest name above that begins about where the row does, or stands over it."""
    left, top, right, _ = row.box
    above = [
        name
        for name in names
        if name.box[3] <= top + name.size / 2
        and (abs(name.box[0] - left) <= _OUT * name.size or left <= centre(name.box)[0] <= right)
    ]
    return max(above, key=lambda name: name.box[3], default=None)


def _draft(row: Row, name: Span | None, page: int) -> Draft:
    own = union(line.box for line in row.before)
    attributes = {"price": text_value(row.price.text, row.price.box, page, "caption")}
    if name is None:
        attributes["product_name"] = text_value(row.text, own, page, "caption")
    else:
        attributes["product_name"] = text_value(trim(name.text), name.box, page, "caption")
        attributes["size"] = text_value(row.text, own, page, "caption")
    add_currency(attributes)
    return Draft(box=row.box, anchor=row.box, attributes=attributes, confidence=0.7)
