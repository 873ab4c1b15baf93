"""Roles of columns by what stands in them, in any language; heads help where a dictionary knows them.

A code is what behaves like one: one a row, all different, alike in shape. A name is words; a price is an amount of
money, or the amounts of a column that says so. How much is in a package is its size where nothing has dimensions.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalogsku.core.text import squash
from processing.engine.understanding.rules.dictionaries.measures import ALL_CURRENCIES
from processing.engine.understanding.rules.finishes import is_colours, is_material
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import (
    BARCODE,
    CODE_OR_NUMBER,
    FOREIGN,
    NAME_OR_TEXT,
    PICTURE,
    QUANTITY,
    ROW_NUMBER,
    SIZE_OR_TEXT,
    SIZE_PART,
    names_currency,
)
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import (
    is_code,
    is_content,
    is_count,
    is_count_of_things,
    is_date,
    is_extent,
    is_letter_sizes,
    is_measure,
    is_no_value,
    is_number,
    is_on_request,
    is_packing,
    is_price,
    is_size,
    names_before_size,
)
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.columns import CUSTOM, IGNORED, PRICE_TIER, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import (
    Header,
    Label,
    repeats_header,
)

# Texts of cells whose looks are kept: the same ones are asked for under each way of reading a page.
_CELLS = 16384
# Of bare numbers that are codes: the share that differs, and the digits that each has at least.
_DIFFERENT, _LEAST_CODE = 0.95, 4
# Of a column of brands, values that are told apart by them: they are names.
_LEAST_NAMES, _NAMES_DIFFER = 5, 0.9
# Of a column of contents, the share that has a unit of volume or weight, and the share that tells any.
_POURED, _FILLED = 0.25, 0.5
_LONGEST_SIZE = 40
_CENTS = re.compile(r"\d[\d.,' ]*[.,]\d{2}")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ .,'’]\d{3})+")
# A maker's or series' word with its type: "SMA SB 1300TL-10".
_DESIGNATION = re.compile(r"[^\W\d_]{2,} \w")
_RANGE = re.compile(r"[\d.,]+ [-–~] [\d.,]+")
_EAN = re.compile(r"[\d ]{8,17}")
_DIGITS = re.compile(r"\d+")
_AMOUNT = re.compile(r"\d[\d.,'’ ]*(?:,[-–—]+|/[-=])?")
_CURRENCY = re.compile("|".join(map(re.escape, sorted(ALL_CURRENCIES, key=len, reverse=True))), re.IGNORECASE)


@dataclass(frozen=True)
class Typing:
    """A column with what its values look like together; shares are of the values."""

    label: Label
    values: tuple[str, ...]

    def share(self, *tests: Callable[[str], object]) -> float:
        if not self.values:
            return 0.0
        return sum(any(test(value) for test in tests) for value in self.values) / len(self.values)

    @cached_property
    def distinct(self) -> float:
        return len({squash(value) for value in self.values}) / max(1, len(self.values))

    @cached_property
    def shapes(self) -> float:
        """The share of the most frequent shape of letters, figures and signs, whatever their lengths."""
        shapes = Counter(_shape(value) for value in self.values)
        return shapes.most_common(1)[0][1] / len(self.values) if shapes else 0.0

    @cached_property
    def counts(self) -> bool:
        """Numbers that go up by one."""
        numbers = [int(bare) for value in self.values if (bare := value.rstrip(" .")).isdigit()]
        if len(numbers) < max(2, 0.8 * len(self.values)):
            return False
        return sum(b - a in (1, 1 - a) for a, b in itertools.pairwise(numbers)) >= 0.8 * (len(numbers) - 1)

    @cached_property
    def numbers_codes(self) -> bool:
        """Bare numbers that are codes: all different, as long as each other, few of them round. How strong or how dear
        things are, and of which year, is not."""
        bare = [value for value in self.values if value.isdigit()]
        if not bare or self.distinct < _DIFFERENT:
            return False
        (length, most), *_ = Counter(map(len, bare)).most_common(1)
        round_ones = sum(value.endswith("0") for value in bare)
        years = sum(length == 4 and value[:2] in ("19", "20") for value in bare)
        return length >= _LEAST_CODE and most >= 0.8 * len(bare) and max(round_ones, years) <= 0.5 * len(bare)

    @cached_property
    def contents(self) -> float:
        """The share that says how much of it is in a package: of what is poured or weighed out, beside it of what is
        counted. Nothing where all is counted: of what, only a head could tell."""
        poured = self.share(is_content)
        return self.share(is_content, is_count_of_things) if poured >= _POURED else 0.0

    @cached_property
    def letters(self) -> float:
        return sum(sum(map(str.isalpha, value)) for value in self.values) / max(1, len(self.values))


def _shape(text: str) -> str:
    signs = ["9" if c.isdigit() else "a" if c.isalpha() else c for c in text if not c.isspace()]
    return "".join(a for a, b in zip(signs, ["", *signs], strict=False) if a != b)


@kept(_CELLS)
def _is_word(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return (
        letters >= 3
        and not is_price(text)
        and not is_extent(text)
        and not is_packing(text)
        and (2 * letters >= len(text) or _DESIGNATION.match(text) is not None)
    )


@kept(_CELLS)
def _is_codelike(text: str) -> bool:
    """One token or few, with figures or in capitals; what no measure, price, date or word in small letters is."""
    if (
        is_price(text)
        or is_date(text)
        or _RANGE.fullmatch(text)
        or is_size(text)
        or is_measure(text.rstrip("."))
        or is_sentence(text)
        or len(text) > 30
    ):
        return False
    if is_code(text):
        return True
    tokens = text.split()
    figures = sum(map(str.isdigit, text))
    small = sum(1 for token in tokens if token.isalpha() and not token.isupper() and len(token) > 3)
    if _CENTS.fullmatch(text) or is_count(text) or (is_number(text) and not text.isdigit()):
        return False
    if figures and len(tokens) <= 4 and not small:
        return True
    return len(tokens) == 1 and text.isupper() and len(text) >= 3


@kept(_CELLS)
def _is_size(text: str) -> bool:
    return len(text) <= _LONGEST_SIZE and (is_extent(text) or (is_size(text) and not names_before_size(text)))


@kept(_CELLS)
def _is_dimensioned(text: str) -> bool:
    """A size under whatever head; a range or an amount of anything is one only where the head says so."""
    return _is_size(text) and (is_size(text) or is_letter_sizes(text))


def _is_ean(text: str) -> bool:
    return _EAN.fullmatch(text) is not None and sum(map(str.isdigit, text)) in (8, 12, 13, 14)


@kept(_CELLS)
def is_amount_of_money(text: str) -> bool:
    """With a currency, or with two decimals and nothing else."""
    return is_price(text) or _CENTS.fullmatch(text.strip()) is not None


def _is_amount(text: str) -> bool:
    """Figures with what parts them, and perhaps a currency; no unit and no words."""
    bare = _CURRENCY.sub(" ", text).strip(" .*")
    return _AMOUNT.fullmatch(bare) is not None and not (is_date(text) or (bare.isdigit() and len(bare) > 7))


_is_material = kept(_CELLS)(is_material)


@kept(_CELLS)
def _is_colours(text: str) -> bool:
    """No mere sign before a line."""
    return any(map(str.isalpha, text)) and is_colours(text)


_MODEL_HEADS = ("model", CODE_OR_NUMBER)


def _score(key: str, t: Typing, n: int) -> float:
    """How well a column does for a role; nothing for none."""
    kind = t.label.kind
    if not t.values or kind in (PICTURE, FOREIGN):
        return 0.0
    if key == "model":
        if t.counts and kind != "model":
            return 0.0
        codes = t.share(_is_codelike)
        headed = 1.0 if kind == "model" else 0.5 if kind == CODE_OR_NUMBER else -0.4 if kind in _OTHER_HEADS else 0.0
        money = t.share(_CENTS.fullmatch)
        coded = 1.0 if kind != "model" and t.share(_is_ean) > 0.6 else 0.0
        own = (
            -coded
            + 1.2 * codes * t.distinct
            + 0.5 * t.shapes * codes
            + headed
            - money
            - 0.03 * n
            - (0.3 if t.counts else 0)
        )
        bare = t.share(str.isdigit)
        return own - (0.8 if bare > 0.8 and headed <= 0 and not t.numbers_codes else 0.0)
    if key == "product_name":
        words = t.share(_is_word)
        branded = kind == "brand" and len(t.values) >= _LEAST_NAMES and t.distinct >= _NAMES_DIFFER
        if branded or kind == NAME_OR_TEXT:
            headed = 0.5
        else:
            headed = 1.0 if kind == "product_name" else -0.8 if kind in _OTHER_HEADS else 0.0
        plain = t.share(_is_material, _is_colours)
        return (
            1.0 * words
            + headed
            + 0.6 * t.distinct
            + min(0.4, 0.02 * t.letters)
            - 0.6 * plain
            - 0.5 * t.share(is_sentence)
            - 0.03 * n
        )
    if key == "price":
        marked, cents = (
            t.share(is_price),
            t.share(lambda v: (_CENTS.fullmatch(v) or _THOUSANDS.fullmatch(v)) is not None),
        )
        # How many costs so much where a currency says so; else it is how many ("TOTAL QTY", 239.00).
        if kind in _OTHER_HEADS and kind != "price" and not (kind == QUANTITY and marked):
            return 0.0
        amounts = t.share(is_valid_price, is_on_request, _is_amount)
        headed = 1.2 if kind == "price" else 0.5 if names_currency(t.label.context) else 0.0
        return (headed + 0.8) * amounts + 0.8 * marked + 0.5 * cents - (0.55 if not headed else 0.2) - 0.01 * n
    if key == "barcode":
        long = t.share(_is_ean)
        return 1.5 * long * t.distinct + (0.8 if kind == BARCODE else -0.2 if kind in _MODEL_HEADS else 0.0)
    shape = {
        "size": t.share(_is_size if kind in ("size", SIZE_OR_TEXT) or not t.label.text else _is_dimensioned),
        "material": t.share(_is_material),
        "color": t.share(_is_colours),
        "packing": t.share(is_packing),
    }.get(key, 0.0)
    headed = 1.2 if kind == key else 0.5 if key == "size" and kind == SIZE_OR_TEXT and shape else 0.0
    allowed = key == "size" or not t.label.text  # what a head calls otherwise is otherwise: the colour of a light
    if kind not in (None, key, SIZE_OR_TEXT, "description") or not allowed:
        return headed
    # Behind what has a dimension: what a case of them weighs is printed beside how large each is.
    filled = 0.6 + 0.05 * t.contents if key == "size" and t.contents >= _FILLED else 0.0
    return headed + max(0.7 * shape, filled)


_OTHER_HEADS = frozenset(
    ("price", "size", "material", "color", "weight", "packing", "moq", "description", "brand", "series", "currency",
     QUANTITY, ROW_NUMBER, SIZE_PART, BARCODE, PICTURE)
)  # fmt: skip
# The score from which on a column has the role.
LEAST = {"model": 1.05, "product_name": 0.9, "price": 0.65, "barcode": 1.2, "size": 0.6, "material": 0.6,
         "color": 0.6, "packing": 0.6}  # fmt: skip


def typed(tables: Sequence[tuple[Grid, Header]]) -> list[tuple[Column, ...]]:
    """The columns of tables that share their heads: each role is given to the column that does best for it over all of
    them, those of identity and money first."""
    labels, values = tables[0][1].labels, [_values(grid, header) for grid, header in tables]
    pooled = [Typing(label, tuple(v for own in values for v in own[n])) for n, label in enumerate(labels)]
    claims = sorted(
        (
            (score - LEAST[key], key, n)
            for key in LEAST
            for n, t in enumerate(pooled)
            if (score := _score(key, t, n)) >= LEAST[key]
        ),
        key=lambda claim: -claim[0],
    )
    roles: dict[int, str] = {}
    prices = {n for _, key, n in claims if key == "price"}
    for _, key, n in claims:
        if n not in roles and key not in roles.values():
            roles[n] = key
    for n, t in enumerate(pooled):
        if n not in roles:
            roles[n] = _other(t, set(roles.values()), n in prices)
    return [
        tuple(Column(label.col, label, roles[n], own[n]) for n, label in enumerate(header.labels))
        for (_, header), own in zip(tables, values, strict=True)
    ]


def _other(t: Typing, taken: set[str], is_price_too: bool) -> str:
    kind = t.label.kind
    if is_price_too:
        return PRICE_TIER
    if kind == PICTURE:
        return "picture"
    if kind == ROW_NUMBER or (t.counts and t.share(str.isdigit) > 0.8) or not t.share(_says_something):
        return IGNORED
    if kind in ("weight", "moq", "brand", "series", "description", "currency") and kind not in taken:
        return kind
    if kind == SIZE_PART and t.share(lambda v: bool(_DIGITS.search(v))) >= 0.5:
        return "size_part"
    return CUSTOM


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text))


def _body(grid: Grid, header: Header) -> list[int]:
    rows = [row for row in range(header.body, grid.n_rows) if len(grid.filled(row)) >= 2]
    return [row for row in rows if not (header.labels and repeats_header(grid, row, header.labels))]


def _values(grid: Grid, header: Header) -> list[tuple[str, ...]]:
    """Column by column what stands under the head, merged cells once."""
    body = _body(grid, header)
    return [
        tuple(
            text for row in body if grid.starts(row, label.col) and not is_no_value(text := grid.text(row, label.col))
        )
        for label in header.labels
    ]
