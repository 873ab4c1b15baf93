"""The role of every picture on a page: product, detail, scene, size chart, logo or decoration."""

from catalogsku.core.box import Box, area, height, overlap_ratio, width
from catalogsku.core.text import fold
from processing.engine.page import Line, Picture
from processing.engine.result import PictureRole, Sku
from processing.engine.understanding.rules.dictionaries.measures import COLOURS, MATERIALS
from processing.engine.understanding.rules.finishes import all_in
from processing.engine.understanding.rules.headings import is_document
from processing.engine.understanding.view import PageView

_SIZE_CHART = (
    "尺寸图", "尺寸表", "尺寸单位", "外形图", "安装尺寸", "size chart", "dimension drawing", "dimensions in ",
    "all dimensions", "line drawing",
)  # fmt: skip
_NEAR_PT = 20.0
# Of the area of the product's largest picture: below it a badge or an ornament; a swatch may be larger, for colours
# are also named at pictures of the product, which are about as large as the first.
MINOR, SWATCH = 0.15, 0.5
_SAME_PT = 2.0
# Cells with text under a picture that stamps a table, the share of each that it covers, and its own within the table.
_STAMPED, _PARTLY, _WHOLLY = 3, 0.25, 0.95


def picture_roles(view: PageView, skus: tuple[Sku, ...], page_type: str) -> tuple[PictureRole, ...]:
    """One role a picture; a bound picture's role is the one it is bound with."""
    bound = {binding.picture: binding for sku in skus for binding in sku.bindings}
    candidates = {candidate.picture for sku in skus for candidate in sku.candidates}
    roles = []
    for picture in view.page.pictures:
        if picture.id in bound:
            roles.append(PictureRole(picture.id, bound[picture.id].role, bound[picture.id].confidence))
        else:
            role, confidence = _unbound(view, picture, picture.id in candidates, page_type)
            roles.append(PictureRole(picture.id, role, confidence))
    return tuple(roles)


def _unbound(view: PageView, picture: Picture, candidate: bool, page_type: str) -> tuple[str, float]:
    box, share = picture.box, area(picture.box) / view.page_area
    short, long = min(width(box), height(box)), max(width(box), height(box))
    if view.is_repeated(picture):
        return ("LOGO", 0.8) if share < 0.05 else ("DECORATION", 0.85)
    if short < 12 or picture.short_edge < 16 or long > 10 * short:
        return "DECORATION", 0.9
    if share > 0.6:
        return ("SCENE", 0.6) if page_type != "D" else ("DECORATION", 0.6)
    if has_size_words(view, picture):
        return "SIZE_CHART", 0.7
    if candidate:
        return "PRODUCT_MAIN", 0.5
    in_margin = box[3] < 0.1 * view.page.height_pt or box[1] > 0.92 * view.page.height_pt
    if share < 0.01 or (share < 0.03 and in_margin):
        return ("LOGO", 0.55) if in_margin else ("DECORATION", 0.6)
    return "SCENE", 0.5


def shows_something_else(view: PageView, picture: Picture) -> bool:
    """By what is printed at it a drawing of sizes, or a certificate."""
    return has_size_words(view, picture) or any(is_document(line.text) for line in _lines_at(view, picture))


def is_stamp(view: PageView, picture: Picture) -> bool:
    """Lies over cells of a ruled table and beyond its edge, as watermarks and stamps do: no photo is placed so."""
    return any(
        sum(1 for cell in table.cells if cell.text.strip() and overlap_ratio(cell.box, picture.box) >= _PARTLY)
        >= _STAMPED
        and overlap_ratio(picture.box, table.box) < _WHOLLY
        for table in view.page.tables
        if table.ruled
    )


def is_swatch(view: PageView, picture: Picture) -> bool:
    """A colour's or a material's name is printed at it, or at an equally large picture in its row."""
    return any(
        all_in(line.text, COLOURS) or all_in(line.text, MATERIALS)
        for other in view.page.pictures
        if _is_alike(picture.box, other.box)
        for line in _lines_at(view, other)
    )


def _is_alike(a: Box, b: Box) -> bool:
    return all(abs(x - y) <= _SAME_PT for x, y in ((a[1], b[1]), (a[3], b[3]), (width(a), width(b))))


def has_size_words(view: PageView, picture: Picture) -> bool:
    return any(word in fold(line.text) for line in _lines_at(view, picture) for word in _SIZE_CHART)


def _lines_at(view: PageView, picture: Picture) -> list[Line]:
    """Lines on the picture, or close above or below it and no wider."""
    x0, y0, x1, y1 = picture.box
    return [
        line
        for line in view.lines
        if line.box[0] >= x0 - _NEAR_PT
        and line.box[2] <= x1 + _NEAR_PT
        and y0 <= line.box[3] + _NEAR_PT
        and line.box[1] <= y1 + _NEAR_PT
    ]
