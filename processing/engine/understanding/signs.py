"""Signs of products in a page's text, found whether or not an extractor can read them."""

from collections import Counter
from dataclasses import dataclass

from catalogsku.core.box import centre, contains_point
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.cards import line_fields
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_figure_caption, is_price, is_sentence
from processing.engine.understanding.view import PageView

_STRONG_LABELS = frozenset(("model", "price", "moq", "material", "color", "size", "packing"))

_LEAST_CODES = 4


@dataclass(frozen=True)
class Signs:
    """Counts over the lines outside product tables."""

    prices: int = 0
    codes: int = 0
    labels: int = 0
    code_column: int = 0

    @property
    def weight(self) -> float:
        """About how many products' worth of text there is; codes alone prove little."""
        return (
            self.prices
            + 0.5 * min(self.labels, 8)
            + (0.25 * min(self.codes, 8) if self.prices or self.labels > 1 else 0)
        )


def find_signs(view: PageView) -> Signs:
    kinds = Counter(product_sign(line) for line in view.lines)
    return Signs(kinds["price"], kinds["code"], kinds["label"], _code_column(view))


def _code_column(view: PageView) -> int:
    """The most codes of one family ("DLX-100", "DLX-101") that stand under each other outside tables; 0 below four."""
    places: Counter[tuple[int, str]] = Counter()
    tables = [table.box for table in view.page.tables]
    for line in view.lines:
        head = trim(line.text).split(" ", 1)[0]
        if product_sign(line) == "code" and not any(contains_point(box, *centre(line.box)) for box in tables):
            places[round(line.box[0] / 4), head[:2]] += 1
    most = max(places.values(), default=0)
    return most if most >= _LEAST_CODES else 0


def product_sign(line: Line) -> str | None:
    """``price``, ``label`` or ``code`` where the line looks like part of a product's data."""
    text = trim(line.text)
    if is_figure_caption(text) or is_sentence(text):
        return None
    if is_price(text):
        return "price"
    if label_kind(text) in _STRONG_LABELS or any(
        field.kind in BASE_KEYS and field.value for field in line_fields(line, 0)
    ):
        return "label"
    head = text.split(" ", 1)[0]
    if len(text) <= 60 and is_code(head) and any(char.isalpha() for char in head):
        return "code"
    return None
