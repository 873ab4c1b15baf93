"""Icons seen on a page that is one picture itself: rows of small signs for what holds of all that the page shows."""

from statistics import median

from catalogsku.core.box import area, centre, height, width
from processing.engine.page import ParsedPage, Picture

# Of the page: the largest icon; photos are so many times larger. Icons in a row, and how far their sides and middles
# vary, of their height.
_SMALL, _LARGER, _LEAST, _ALIKE = 0.006, 3.0, 3, 0.2
# Of the page's photos' usual sharpness (Picture.blur), that of drawn signs.
_SHARPER = 2.0


def icons(page: ParsedPage) -> frozenset[str]:
    """Pictures of one size in a row, each far smaller than the page's photos and drawn as sharply as print."""
    if page.ocr is None:
        return frozenset()
    seen = [picture for picture in page.pictures if picture.drawn]
    small = [p for p in seen if area(p.box) <= _SMALL * page.width_pt * page.height_pt]
    ids = set()
    for picture in small:
        row = [p for p in small if _are_alike(p, picture)]
        photos = [p.blur for p in seen if area(p.box) >= _LARGER * max(area(q.box) for q in row)]
        if len(row) >= _LEAST and photos and min(p.blur for p in row) >= _SHARPER * median(photos):
            ids |= {p.id for p in row}
    return frozenset(ids)


def _are_alike(picture: Picture, other: Picture) -> bool:
    slack = _ALIKE * max(height(picture.box), height(other.box))
    level = abs(centre(picture.box)[1] - centre(other.box)[1]) <= slack
    return level and all(abs(side(picture.box) - side(other.box)) <= slack for side in (width, height))
