"""Which picture shows which SKU: by table cell, else by the gap between picture and text; in doubt none (TA-T84)."""

from dataclasses import dataclass

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, intersect
from processing.engine.page import Picture, Table
from processing.engine.result import Binding, Candidate, Sku
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.tables.extractor import Reading
from processing.engine.understanding.view import PageView

_ROW_CONFIDENCE = 0.95
# A picture that stands nearer to another SKU is hardly this one's.
_NEARER_TO_OTHER = 0.45
# One that stands below a caption where the page's captions stand below their pictures is likely the next product's.
_OTHER_SIDE = 0.6
# Share of a table that a picture may cover and still stand in it.
_COVERED = 0.95


@dataclass(frozen=True)
class Bound:
    """What is decided for one SKU."""

    bindings: tuple[Binding, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    ambiguous: bool = False


def bind(view: PageView, skus: tuple[Sku, ...], drafts: tuple[Draft, ...], layout: str) -> list[Bound]:
    """Decisions in the order of ``skus``; gaps are measured from the texts of the ``drafts`` that they come from."""
    tables = {reading.grid.table.id: reading for reading in view.tables}
    in_rows = {name: _pictures_by_row(view, reading, skus) for name, reading in tables.items()}
    free = [n for n, sku in enumerate(skus) if not sku.table]
    pictures = [picture for picture in view.pictures if not view.in_product_table(picture.box)]
    limit = view.config.binding.gap_pt.get(layout, 100.0) * view.scale
    scores = {n: [_score(drafts[n].anchor, picture, limit) for picture in pictures] for n in free}
    decided = []
    for n, sku in enumerate(skus):
        if sku.table:
            decided.append(_row_bound(in_rows[sku.table].get(sku.row, [])))
        else:
            decided.append(_decide(drafts[n], n, scores, pictures, view))
    return decided


def _pictures_by_row(view: PageView, reading: Reading, skus: tuple[Sku, ...]) -> dict[int, list[Picture]]:
    """Pictures of a table by row; one in a merged cell belongs to every row that the cell spans.

    Where no cell is drawn around a picture it belongs to the product beside which it stands.
    """
    rows: dict[int, list[Picture]] = {}
    grid = reading.grid
    for picture in view.page.pictures:
        x, y = centre(picture.box)
        if view.is_repeated(picture) or picture.short_edge < 16 or not _stands_in(picture, grid.table):
            continue
        cell = next((c for c in grid.table.cells if contains_point(c.box, x, y)), None)
        if cell is None:
            if (beside := _beside(picture, [sku for sku in skus if sku.table == grid.table.id])) is not None:
                rows.setdefault(beside.row, []).append(picture)
            continue
        first, count = (cell.col, cell.cols) if grid.turned else (cell.row, cell.rows)
        for row in range(first, first + count):
            rows.setdefault(row, []).append(picture)
    return rows


def _stands_in(picture: Picture, table: Table) -> bool:
    """In the table's box; beside the last product of an open list also further down than its text. What the table is
    printed on, a ground or the scan of the page, is no picture in it."""
    if (common := intersect(table.box, picture.box)) and area(common) > _COVERED * area(table.box):
        return False
    x, y = centre(picture.box)
    if table.ruled:
        return contains_point(table.box, x, y)
    x0, y0, x1, y1 = table.box
    return x0 <= x <= x1 and y0 <= y and picture.box[1] < y1


def _beside(picture: Picture, skus: list[Sku]) -> Sku | None:
    """The product in whose stretch of the page most of the picture stands: from its own top to the next one's."""
    ordered = sorted(skus, key=lambda sku: sku.box[1])
    best, most = None, 0.0
    for n, sku in enumerate(ordered):
        end = ordered[n + 1].box[1] if n + 1 < len(ordered) else max(sku.box[3], picture.box[3])
        common = min(picture.box[3], end) - max(picture.box[1], sku.box[1])
        if common > most:
            best, most = sku, common
    return best if most >= 0.5 * height(picture.box) else None


def _row_bound(pictures: list[Picture]) -> Bound:
    """Every picture of the row: the largest is the main one."""
    ordered = sorted(pictures, key=lambda p: (-p.width_px * p.height_px, p.id))
    return Bound(
        tuple(
            Binding(p.id, "PRODUCT_MAIN" if n == 0 else "DETAIL", "table_cell", _ROW_CONFIDENCE)
            for n, p in enumerate(ordered)
        )
    )


def _score(anchor: Box, picture: Picture, limit: float) -> float:
    distance = gap(anchor, picture.box)
    return 0.0 if distance > limit else 1.0 - distance / limit


def _decide(draft: Draft, n: int, scores: dict[int, list[float]], pictures: list[Picture], view: PageView) -> Bound:
    candidates = []
    for k, picture in enumerate(pictures):
        confidence, reason = scores[n][k], "within_distance"
        if confidence <= 0.0:
            continue
        if any(scores[m][k] > confidence for m in scores if m != n):
            confidence, reason = confidence * _NEARER_TO_OTHER, "nearer_to_other_sku"
        elif draft.picture and _direction(draft.anchor, picture.box) != _direction(draft.anchor, draft.picture):
            confidence, reason = confidence * _OTHER_SIDE, "not_on_the_caption_side"
        method = _method(draft.anchor, picture.box, len(scores))
        candidates.append(Candidate(picture.id, round(confidence, 4), method, reason))
    candidates.sort(key=lambda c: (-c.confidence, c.picture))
    best = candidates[: view.config.binding.max_candidates]
    if not best or best[0].reason == "nearer_to_other_sku":
        return Bound((), tuple(best), False)
    if len(best) > 1 and best[0].confidence - best[1].confidence < view.config.binding.ambiguous_below:
        return Bound((), tuple(best), True)
    first = best[0]
    return Bound((Binding(first.picture, "PRODUCT_MAIN", first.method, first.confidence),), tuple(best[1:]), False)


def _direction(anchor: Box, picture: Box) -> str:
    """On which side of the text the picture lies, by the larger of the two gaps."""
    (x, y), (px, py) = centre(anchor), centre(picture)
    across = max(anchor[0] - picture[2], picture[0] - anchor[2])
    along = max(anchor[1] - picture[3], picture[1] - anchor[3])
    if along >= across:
        return "above" if py < y else "below"
    return "left" if px < x else "right"


def _method(anchor: Box, picture: Box, products: int) -> str:
    """How the pair stands: one above the other, in a grid of such pairs, or merely near."""
    overlap = min(anchor[2], picture[2]) - max(anchor[0], picture[0])
    stacked = overlap >= 0.5 * min(anchor[2] - anchor[0], picture[2] - picture[0])
    if stacked:
        return "grid_alignment" if products >= 4 else "vertical_stack"
    return "spatial_proximity"
