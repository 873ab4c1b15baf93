"""The role of every picture on a page: product, detail, scene, size chart, logo or decoration."""

from catalogsku.core.box import area, gap, height, width
from catalogsku.core.text import fold
from processing.engine.page import Picture
from processing.engine.result import PictureRole, Sku
from processing.engine.understanding.view import PageView

_SIZE_CHART = ("尺寸图", "尺寸表", "size chart", "dimension drawing", "外形图", "安装尺寸", "line drawing")


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
    if _has_size_words(view, picture):
        return "SIZE_CHART", 0.7
    if candidate:
        return "PRODUCT_MAIN", 0.5
    in_margin = box[3] < 0.1 * view.page.height_pt or box[1] > 0.92 * view.page.height_pt
    if share < 0.01 or (share < 0.03 and in_margin):
        return ("LOGO", 0.55) if in_margin else ("DECORATION", 0.6)
    return "SCENE", 0.5


def _has_size_words(view: PageView, picture: Picture) -> bool:
    near = [line for line in view.lines if gap(line.box, picture.box) <= 20]
    return any(word in fold(line.text) for line in near for word in _SIZE_CHART)
