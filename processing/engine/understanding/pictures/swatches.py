"""Samples of colours and stuffs for a product: small pictures in a row, each with the name of one under it."""

from catalogsku.core.box import Box, area, centre, width
from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.finishes import all_in, is_colours, names_colour
from processing.engine.understanding.rules.shapes import is_price

# Of the page's largest picture: a sample is smaller. Points by which those of a row differ, and as they are seen on a
# scan, in blocks of 3.
_SMALL, _SAME_PT, _SEEN_PT = 0.15, 2.0, 4.0
# Of the sample's width: how far under it its name stands, and how much of it the name stands out at a side.
_UNDER, _OUT = 0.5, 0.3
# Of a row's names: so many are known ones; makers have fanciful ones too.
_KNOWN = 0.5


def swatches(page: ParsedPage) -> frozenset[str]:
    """Ids of the pictures that are samples."""
    largest = max((area(picture.box) for picture in page.pictures), default=0.0)
    small = [picture for picture in page.pictures if area(picture.box) < _SMALL * largest]
    names = {p.id: next((line.text for line in page.lines if _is_under(line, p.box)), "") for p in small}
    within = _SAME_PT if page.ocr is None else _SEEN_PT
    ids: set[str] = set()
    for picture in small:
        row = [other for other in small if _are_alike(picture, other, within) and names[other.id]]
        known = sum(_names_sample(names[other.id]) for other in row)
        sold = all(any(_is_priced(line, other.box) for line in page.lines) for other in row)
        if names[picture.id] and len(row) > 1 and known >= _KNOWN * len(row) and not sold:
            ids.add(picture.id)
    return frozenset(ids)


def _names_sample(text: str) -> bool:
    return names_colour(text) or is_colours(text) or all_in(text, MATERIALS)


def _is_priced(line: Line, box: Box) -> bool:
    """One of its words under the picture is a price: what is sold so is no sample. Lines may run on to the next one."""
    return any(is_price(word.text) and _is_under(Line(word.text, word.box, ()), box) for word in line.words)


def _is_under(line: Line, box: Box) -> bool:
    out, middle = _OUT * width(box), centre(line.box)[0]
    inside = box[0] - out <= line.box[0] and line.box[2] <= box[2] + out and box[0] < middle < box[2]
    return inside and box[3] - _SAME_PT <= line.box[1] <= box[3] + _UNDER * width(box)


def _are_alike(picture: Picture, other: Picture, within: float) -> bool:
    (a, b), (c, d) = (picture.box[1], picture.box[3]), (other.box[1], other.box[3])
    return abs(a - c) <= within and abs(b - d) <= within and abs(width(picture.box) - width(other.box)) <= within
