"""Names that a table itself does not print: once over the picture and table of a product's variants, or behind codes
elsewhere on the page."""

import re
from collections.abc import Iterator, Sequence
from statistics import median

from catalogsku.core.box import Box, centre, contains_point, rounded
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, ParsedPage, Table
from processing.engine.result import Evidence, Value
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.likely_names import is_spaced
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.tables.blocks import is_photo, is_under, photo_beside
from processing.engine.understanding.tables.names import may_name

# Of the page's usual print; a running title or a section's is no larger than this.
_LARGER = 1.15
# Points by which a title may begin beside its table's left edge.
_ALIGNED = 8.0
# Points by which recognised print may reach into the table under it.
_TOUCHING = 2.0
_CONTINUED = re.compile(r"\s*[(（\[]\s*(续上?|接上页|continued|cont\.?|cont'd)\s*[)）\]]\s*$", re.IGNORECASE)
# A name for all the rows below it is less sure than one in a row.
_CERTAINTY = 0.9
_LEAST_NAMED = 2


def product_title(table: Table, page: ParsedPage, earlier: Sequence[ParsedPage]) -> Value | None:
    """The title of a table of one product's variants: their picture stands between both, over the title or beside
    them, or did on the page before.

    Over a table without a picture of its own a title names a section, not a product.
    """
    if beside := _title_of_block(table, page):
        return _value(beside, trim(beside.text), page)
    title = max(_titles(table, page), key=lambda line: line.box[3], default=None)
    if title is None or _is_outdone(title, table, page):
        return None
    name = _CONTINUED.sub("", trim(title.text))
    begun = name != trim(title.text) and any(
        _prints(other, name) for other in earlier if other.number == page.number - 1
    )
    if not begun and not _picture_between(title, table, page):
        return None
    return _value(title, name, page)


def _value(title: Line, name: str, page: ParsedPage) -> Value:
    place = Evidence(name, page.number, rounded(part_box(title, name)), 1.0, "title")
    return Value(name, place, "page_inherited", _CERTAINTY)


def _title_of_block(table: Table, page: ParsedPage) -> Line | None:
    """The title that stands beside the photo of a table's variants over the table, else the one under that photo."""
    photo = photo_beside(table.box, [picture.box for picture in page.pictures])
    if photo is None:
        return None
    lines = [piece for whole in page.lines for piece in pieces(whole)]
    left, top, right, _ = table.box
    over = [
        line
        for line in lines
        if photo[1] - line.size / 2 <= centre(line.box)[1]
        and line.box[3] <= top + _TOUCHING
        and left - _ALIGNED <= line.box[0]
        and line.box[2] <= right + _ALIGNED
    ]
    boxes = [line.box for line in lines]
    under = [line for line in lines if is_under(line.box, photo, boxes)]
    own = any(_is_of_card(line.text) for line in under)
    return _standing_out(over, page) or (None if own else _standing_out(under, page))


def _is_of_card(text: str) -> bool:
    """A code or a price under a photo: it shows a product of its own, not those of the table beside it."""
    label = re.split(r"[:：]", text)[0]
    return is_price(text) or is_code(text) or (label != text and label_kind(label) in ("model", "price"))


def _standing_out(lines: Sequence[Line], page: ParsedPage) -> Line | None:
    """The name in larger print than the page's usual, or at the head of the lines in bolder print."""
    usual = median(line.size for line in page.lines)
    larger = [line for line in lines if line.size >= _LARGER * usual and may_name(line.text)]
    if larger:
        return max(larger, key=lambda line: line.size)
    first = min(lines, key=lambda line: line.box[1], default=None)
    bold = first is not None and first.bold and first.size >= usual and may_name(first.text)
    return first if bold and 2 * sum(line.bold for line in page.lines) < len(page.lines) else None


def names_behind_codes(models: Sequence[str], page: ParsedPage) -> dict[str, Value]:
    """Names by model, where the page prints "code name" once for most of several models outside of tables, as under
    their pictures."""
    names_of: dict[str, dict[str, Value]] = {}
    beside = [line for line in page.lines if not any(contains_point(t.box, *centre(line.box)) for t in page.tables)]
    for line in (piece for whole in beside for piece in pieces(whole)):
        code, _, name = trim(line.text).partition(" ")
        if code in models and may_name(name):
            place = Evidence(trim(name), page.number, rounded(part_box(line, trim(name))), 1.0, "caption")
            names_of.setdefault(code, {})[squash(name)] = Value(trim(name), place, "direct", _CERTAINTY)
    once = {model: next(iter(names.values())) for model, names in names_of.items() if len(names) == 1}
    return once if len(once) >= max(_LEAST_NAMED, len(models) / 2) else {}


def _titles(table: Table, page: ParsedPage) -> Iterator[Line]:
    """Large lines over the table at its left edge, below whatever table stands over it."""
    left, top, right, _ = table.box
    # Of an open list the box reaches as far to the left as a footnote that was taken for a row of it.
    lefts = (left, min((cell.box[0] for cell in table.cells if cell.row == 0), default=left))
    over = [t.box[3] for t in page.tables if t.box[3] <= top and _across(t.box, table.box)]
    floor = max(over, default=0.0)
    usual = median(line.size for line in page.lines) if page.lines else 0.0
    for line in (piece for whole in page.lines for piece in pieces(whole)):
        inside = floor <= line.box[1] and line.box[3] <= top and line.box[2] <= right + _ALIGNED
        begins = any(abs(line.box[0] - x) <= _ALIGNED for x in lefts)
        if inside and begins and line.size >= _LARGER * usual and may_name(line.text) and not is_spaced(line.text):
            yield line


def _is_outdone(title: Line, table: Table, page: ParsedPage) -> bool:
    """Larger print stands between it and the table: it is of the page's head."""
    return any(
        line.size >= _LARGER * title.size
        and title.box[3] <= line.box[1]
        and line.box[3] <= table.box[1]
        and _across(line.box, table.box)
        for line in page.lines
    )


def _across(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2]


def _picture_between(title: Line, table: Table, page: ParsedPage) -> bool:
    left, top, right, _ = table.box
    return any(
        left <= centre(picture.box)[0] <= right
        and (title.box[1] <= centre(picture.box)[1] <= top or -2.0 <= title.box[1] - picture.box[3] <= title.size)
        for picture in page.pictures
        if is_photo(picture.box)
    )


def _prints(page: ParsedPage, text: str) -> bool:
    return any(squash(line.text) == squash(text) for line in page.lines)
