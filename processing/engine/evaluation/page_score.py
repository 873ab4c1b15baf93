"""One page scored on six dimensions, from what was read and what the rule analyst made of it (TA-DIMS)."""

import itertools
import math
import unicodedata

from catalogsku.core.box import area, height, intersect
from processing.engine.evaluation.scores import PageScore
from processing.engine.page import ParsedPage, Picture
from processing.engine.result import PageResult, Sku

_VALIDITY = {"full": 1.0, "partial": 0.8, "invalid": 0.2}
_FULL_EDGE_PX = 640
_FEW_CHARS = 10


def score_page(page: ParsedPage, result: PageResult) -> PageScore:
    """Each dimension 0 to 1, None where the page has nothing to judge it by; a page of type D has no density."""
    no_product = result.page_type == "D" and not result.blockers
    dimensions: dict[str, float | None] = {
        "text_readability": text_readability(page),
        "layout_quality": layout_quality(page),
        "table_structure": table_structure(result),
        "image_quality": None if no_product else image_quality(page, result),
        "image_text_relation": None if no_product else image_text_relation(page, result),
        "product_density": None if no_product else product_density(result),
    }
    rounded = {name: None if value is None else round(value, 4) for name, value in dimensions.items()}
    return PageScore(page.number, rounded, result.page_type, expected_confidence(rounded, result))


def overall(dimensions: dict[str, float | None], weights: dict[str, float]) -> float:
    """Weighted mean of the dimensions that could be judged; 0.0 where none could."""
    judged = {name: value for name, value in dimensions.items() if value is not None}
    total = sum(weights[name] for name in judged)
    return sum(weights[name] * value for name, value in judged.items()) / total if total else 0.0


def expected_confidence(dimensions: dict[str, float | None], result: PageResult) -> float:
    """How sure the page's result will be: never above its readability or the analyst's own confidence."""
    readable = dimensions["text_readability"]
    return round(min(result.confidence, 1.0 if readable is None else readable), 4)


def text_readability(page: ParsedPage) -> float | None:
    """Share of real characters, times the recognition's score; None where a page has neither text nor pictures."""
    chars = [char for char in page.text if not char.isspace()]
    if len(chars) < _FEW_CHARS:
        return 0.2 if page.pictures else None
    sound = 1.0 - sum(1 for char in chars if _is_garbage(char)) / len(chars)
    if page.ocr is not None:
        sound *= max(0.0, min(1.0, page.ocr.mean_score))
    return max(0.0, 1.0 - 2.5 * (1.0 - sound))


def _is_garbage(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn", "Cc")


def layout_quality(page: ParsedPage) -> float:
    """1.0 for a clean layout; less for overprinted lines, tiles, tiny print and turned or recognised text."""
    lines = page.lines
    score = 1.0
    if lines:
        score -= min(0.4, 1.5 * _overprinted(page))
        tiny = sum(len(line.text) for line in lines if 0 < line.size < 4.5) / max(
            1, sum(len(line.text) for line in lines)
        )
        score -= 0.3 * tiny
        score -= 0.2 * sum(1 for line in lines if line.vertical) / len(lines)
    if any(picture.fragmented for picture in page.pictures) or page.features.fragmented_pictures > 8:
        score -= 0.25
    if page.ocr is not None:
        score -= 0.1 + (0.1 if page.ocr.rotation else 0.0)
    return max(0.0, score)


def _overprinted(page: ParsedPage) -> float:
    """Share of lines that lie on the line before them."""
    lines = sorted(page.lines, key=lambda line: (line.box[1], line.box[0]))
    hits = 0
    for first, second in itertools.pairwise(lines):
        common = intersect(first.box, second.box)
        small = min(area(first.box), area(second.box))
        deep = common is not None and height(common) > 0.6 * min(height(first.box), height(second.box))
        hits += bool(common and deep and small and area(common) > 0.5 * small)
    return hits / max(1, len(lines))


def table_structure(result: PageResult) -> float | None:
    """How completely the rows of product tables were understood; None without such a table."""
    tables = [tally for tally in result.tallies if tally.skus or tally.unresolved]
    rows = sum(tally.rows for tally in tables)
    if not rows:
        return None
    understood = 1.0 - sum(tally.unresolved for tally in tables) / rows
    return understood * min(1.0, 0.15 + result.type_confidence)


def image_quality(page: ParsedPage, result: PageResult) -> float | None:
    """Mean over the pictures that matter: 1.0 from 640 px short edge on, falling with it; tiles count half."""
    roles = {role.picture: role.role for role in result.roles}
    pictures = [p for p in page.pictures if roles.get(p.id) in ("PRODUCT_MAIN", "DETAIL")]
    return sum(_picture_quality(picture) for picture in pictures) / len(pictures) if pictures else None


def _picture_quality(picture: Picture) -> float:
    return min(1.0, 0.4 + 0.6 * picture.short_edge / _FULL_EDGE_PX) * (0.5 if picture.fragmented else 1.0)


def image_text_relation(page: ParsedPage, result: PageResult) -> float | None:
    """Share of SKUs whose picture is decided, where the page shows product pictures at all."""
    if not result.skus or not any(sku.bindings or sku.candidates for sku in result.skus):
        return None
    return sum(_decided(sku) for sku in result.skus) / len(result.skus)


def _decided(sku: Sku) -> float:
    if sku.bindings:
        return math.sqrt(max(binding.confidence for binding in sku.bindings))
    return 0.3 if sku.ambiguous else 0.5


def product_density(result: PageResult) -> float:
    """How complete the products are; low where product words were seen and no product could be made of them."""
    if not result.skus:
        return 0.2
    return result.coverage * sum(_VALIDITY[sku.validity] for sku in result.skus) / len(result.skus)
