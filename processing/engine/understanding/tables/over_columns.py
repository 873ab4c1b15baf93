"""Products as columns, each with its picture over it: names stand between the pictures and the table."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, rounded
from catalogsku.core.text import trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import Evidence, Value
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.tables.blocks import is_photo
from processing.engine.understanding.tables.names import may_name

_LEAST_PRODUCTS = 2
# Points by which recognised print may reach into the picture over it and the table under it.
_TOUCHING_PT = 2.0
# By its place over a column a name is less sure than in a cell.
_CERTAINTY = 0.9


def names_over_columns(columns: Sequence[Box], page: ParsedPage) -> list[Value | None] | None:
    """For each product's column its name, where one line is printed there; None where the columns have not each a
    picture of their own, which may stand in the table too."""
    photos = [_over(column, [p.box for p in page.pictures if is_photo(p.box)]) for column in columns]
    own = {photo for photo in photos if photo is not None}
    if len(columns) < _LEAST_PRODUCTS or len(own) < len(columns):
        return None
    lines = [piece for whole in page.lines for piece in pieces(whole) if not is_price(piece.text)]
    found = [_between(column, photo, lines) for column, photo in zip(columns, photos, strict=True) if photo]
    names = sum(line is not None and may_name(line.text) for line in found)
    # One of several names may look like a code ("Pro 18").
    named = 2 * names >= len(found)
    return [_value(line, page.number) if line and named else None for line in found]


def _over(column: Box, photos: Sequence[Box]) -> Box | None:
    """The lowest picture that stands on the middle of the column and does not reach below it."""
    at = [box for box in photos if column[0] <= centre(box)[0] <= column[2] and box[3] <= column[3] + _TOUCHING_PT]
    return max(at, key=lambda box: box[3], default=None)


def _between(column: Box, photo: Box, lines: Sequence[Line]) -> Line | None:
    """The only line between picture and column, or the only one in the largest print there."""
    low, high = photo[3] - _TOUCHING_PT, column[1] + _TOUCHING_PT
    between = [line for line in lines if low <= line.box[1] and line.box[3] <= high]
    between = [line for line in between if column[0] <= centre(line.box)[0] <= column[2]]
    largest = max((line.size for line in between), default=0.0)
    found = [line for line in between if line.size == largest]
    return found[0] if len(found) == 1 and any(map(str.isalpha, found[0].text)) else None


def _value(line: Line, page_number: int) -> Value:
    text = trim(line.text)
    place = Evidence(text, page_number, rounded(part_box(line, text)), 1.0, "caption")
    return Value(text, place, "direct", _CERTAINTY)
