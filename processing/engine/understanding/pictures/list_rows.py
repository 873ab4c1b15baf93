"""The rows of an open list, around which no cells are drawn, beside which a picture stands."""

from collections import Counter
from collections.abc import Collection, Sequence
from os.path import commonprefix

from catalogsku.core.box import Box, centre, contains_point, height
from catalogsku.core.text import squash
from processing.engine.page import Picture, Table
from processing.engine.result import Sku
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.view import PageView

# Share of a row's height beside a picture that shows the product of that row too.
_SPANNED = 0.6
# Signs in a row with which the codes of one product's variants begin, and how much of the shortest code they are.
_STEM, _STEM_SHARE = 3, 0.5
# Of a picture's height: rows nearer to each other have no picture each, for those would overlap (variants beside one
# photo 0.4 to 0.75).
_NARROW = 0.8


def beside_list(view: PageView, picture: Picture, skus: Sequence[Sku]) -> list[Sku]:
    """The variants between two rules of the page that it stands between alone, or of one name with which it alone is
    level. Else the one product whose middle is
    level with the picture, or in whose stretch of the page, from its own top to the next one's, most of the picture
    stands; several where the picture is higher than theirs. None where the page begins anew between."""
    level = [sku for sku in skus if picture.box[1] <= centre(sku.box)[1] <= picture.box[3]]
    if variants := _between_rules(view, picture, skus):
        return variants
    middles = [centre(sku.box)[1] for sku in level]
    alone = not any(p.box[1] <= y <= p.box[3] for p in view.pictures if p is not picture for y in middles)
    if alone and are_variants(level) and all("product_name" in sku.attributes for sku in level):
        return level
    nearest = level if len(level) == 1 else _in_stretch(picture, skus)
    return [sku for sku in nearest if not _begins_anew(view, picture, sku)]


def _in_stretch(picture: Picture, skus: Sequence[Sku]) -> list[Sku]:
    ordered = sorted(skus, key=lambda sku: sku.box[1])
    ends = [sku.box[1] for sku in ordered[1:]] + [max([picture.box[3], *(sku.box[3] for sku in ordered[-1:])])]
    stretches = [((0.0, sku.box[1], 0.0, end), sku) for sku, end in zip(ordered, ends, strict=bool(ordered))]
    for stretch, sku in stretches:
        if shared_height(picture.box, stretch) >= 0.5 * height(picture.box):
            return [sku]
    return [sku for stretch, sku in stretches if shared_height(picture.box, stretch) >= _SPANNED * height(stretch) > 0]


def _between_rules(view: PageView, picture: Picture, skus: Sequence[Sku]) -> list[Sku]:
    """The rows whose codes a reader found in one row of its grid, where they vary one product, the picture is the only
    one there, amid them, and they are nearer to each other than photos of their own would be."""
    for table in view.page.tables:
        cell = next((c for c in table.cells if contains_point(c.box, *centre(picture.box))), None)
        if cell is None or cell.rows > 1:
            continue
        row = (table.box[0], cell.box[1], table.box[2], cell.box[3])
        inside = [sku for sku in skus if contains_point(row, *centre(_code_box(sku)))]
        others = [p for p in view.pictures if p is not picture and contains_point(row, *centre(p.box))]
        middles = sorted(centre(_code_box(sku))[1] for sku in inside)
        if others or not are_variants(inside) or not middles[0] <= centre(picture.box)[1] <= middles[-1]:
            continue
        if middles[-1] - middles[0] < _NARROW * height(picture.box) * (len(inside) - 1):
            return inside
    return []


def _begins_anew(view: PageView, picture: Picture, sku: Sku) -> bool:
    """It stands under the product's code, on a panel that begins there, or with other text between: a banner under a
    list, or the title of the next one."""
    code = _code_box(sku)
    if picture.box[1] < code[3]:
        return False
    x, y = centre(picture.box)
    if any(panel[1] >= code[3] and contains_point(panel, x, y) for panel in view.page.panels):
        return True
    x0, x1 = min(picture.box[0], sku.box[0]), max(picture.box[2], sku.box[2])
    middles = [centre(piece.box) for line in view.page.lines for piece in pieces(line)]
    return any(x0 <= x <= x1 and sku.box[3] <= y <= picture.box[1] for x, y in middles)


def _code_box(sku: Sku) -> Box:
    named = sku.attributes.get("model") or sku.attributes.get("product_name")
    return named.evidence.bbox if named and named.evidence else sku.box


def are_variants(skus: Collection[Sku]) -> bool:
    """Their codes begin alike, and they have one name or none."""
    codes = [squash(sku.attributes["model"].text) for sku in skus if "model" in sku.attributes]
    stem = len(commonprefix(codes))
    names = {squash(sku.attributes["product_name"].text) for sku in skus if "product_name" in sku.attributes}
    return len(names) <= 1 and len(codes) == len(skus) > 1 and stem >= max(_STEM, _STEM_SHARE * min(map(len, codes)))


def shared_height(a: Box, b: Box) -> float:
    """Height that both have in common."""
    return min(a[3], b[3]) - max(a[1], b[1])


def columns_box(table: Table) -> Box:
    """The table's box; a note below an open list, alone in its row, may be wider than the list's columns."""
    texts = Counter(cell.row for cell in table.cells)
    columns = [cell.box for cell in table.cells if texts[cell.row] > 1]
    if table.ruled or not columns:
        return table.box
    return min(box[0] for box in columns), table.box[1], max(box[2] for box in columns), table.box[3]
