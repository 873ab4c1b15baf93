"""Signs of products in a page's text, found whether or not an extractor can read them."""

import re
from collections import Counter
from dataclasses import dataclass

from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.rules.wording import is_figure_caption, is_sentence, is_total
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

_STRONG_LABELS = frozenset(("model", "price", "moq", "material", "color", "size", "packing"))

_LEAST_ROWS = 4
_AMOUNT = re.compile(r"(\d{1,3}(,\d{3})+|\d+)\.\d{2}")
_VERSION = re.compile(r"v(er)?\.?\s?\d+(\.\d+)*", re.IGNORECASE)


@dataclass(frozen=True)
class Signs:
    """Counts over the lines outside product tables, but for those of sums.

    ``label_kinds``: how many attributes the labels name. ``priced_rows``: baselines that begin with a code and hold an
    amount as prices are printed, without a currency; 0 below four.
    """

    prices: int = 0
    codes: int = 0
    labels: int = 0
    label_kinds: int = 0
    priced_rows: int = 0

    @property
    def weight(self) -> float:
        """About how many products' worth of text there is; codes alone prove little, nor does one label many times."""
        labels = self.labels if self.label_kinds > 1 else self.label_kinds
        return self.prices + 0.5 * min(labels, 8) + (0.25 * min(self.codes, 8) if self.prices or labels > 1 else 0)


def find_signs(view: PageView) -> Signs:
    summed = {line.box for row in baselines(view.lines) if any(is_total(line.text) for line in row) for line in row}
    signs = [(product_sign(line), line) for line in view.lines if line.box not in summed]
    counts = Counter(sign for sign, _ in signs)
    kinds = {kind for sign, line in signs if sign == "label" for kind in _kinds(line)}
    return Signs(counts["price"], counts["code"], counts["label"], len(kinds), _priced_rows(view))


def _kinds(line: Line) -> list[str | None]:
    return [label_kind(line.text)] if label_kind(line.text) else [field.kind for field in line_fields(line, 0)]


def _priced_rows(view: PageView) -> int:
    rows = [sorted(row, key=lambda line: line.box[0]) for row in baselines(view.lines)]
    priced = sum(
        1 for row in rows if begins_with_code(row[0].text) and any(_AMOUNT.fullmatch(trim(r.text)) for r in row[1:])
    )
    return priced if priced >= _LEAST_ROWS else 0


def begins_with_code(text: str) -> bool:
    """The first word is a code with letters, and no version."""
    head = trim(text).split(" ", 1)[0]
    return is_code(head) and any(char.isalpha() for char in head) and not _VERSION.fullmatch(head)


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
    return "code" if len(text) <= 60 and begins_with_code(text) else None
