"""What each column of a table holds, from its label and the values below it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from catalogsku.core.text import trim
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules import labels as kinds
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.finishes import is_material
from processing.engine.understanding.rules.folding import fold, squash
from processing.engine.understanding.rules.in_force import units_of
from processing.engine.understanding.rules.labels import (
    label_currency_or_unit,
    label_forms,
    label_kind,
    names_currency,
)
from processing.engine.understanding.rules.normalise import is_quantity, is_valid_price
from processing.engine.understanding.rules.shapes import (
    has_value,
    is_code,
    is_measure,
    is_number,
    is_on_request,
    is_price,
    is_size,
)
from processing.engine.understanding.rules.wording import is_sentence, is_total
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, Label, repeats_header
from processing.engine.understanding.tables.labelled_cells import LEAD, REST, labels_in, part_of

# Of these, those that head the names of products too ("Ref." beside "Article").
_ARTICLES = frozenset(("article", "art"))
CUSTOM, IGNORED, PRICE_TIER = "custom", "ignored", "price_tier"
# Labels that name a product only where the values below are codes.
_WEAK_MODELS = frozenset(
    map(squash, ("device", "part", "ref", "art", "article", "type no", "图号", "order no", "order number"))
)
# Labels of codes, however short these are; other labels of codes also head the numbers of rows.
_OF_CODES = frozenset(map(fold, ("code", "codes", "编码", "代码", "código", "códigos", "codice", "cód", "cod", "kod",
                                 "kód", "kode", "код", "コード", "mã")))  # fmt: skip
_COUNT_UNITS = frozenset(map(squash, measures.COUNT_UNITS))
# What products are packed in, and the shape of electronic parts.
_PACKAGES = frozenset(("package", "packages", "package type"))
# Words under these tell the variants of a model apart ("全盖", "30mm款"); they name a product only where no code does.
_VARIANTS = frozenset(("style", "type", "design", "pattern", "款式"))
_VARIANT = "variant"
# The only words of a list without heads, beside codes and prices, are names.
_WORDS = "words"

# "孔距128", "内径20", "长 300".
_NAMED_LENGTH = r"|[\u3400-\u9fff]{0,2}[距径长宽高深厚]度?\s?[0-9][0-9.]*(\s?[a-z]{1,2})?"
# Sizes of threads, pipes and drives, which look like codes ("M6", "DN50", "G1/2", "PH2×100"), and sizes by name.
_NOMINAL = re.compile(
    r"(M|DN|G|Rc?|NPT|PH|PZ|SL|T)\s?\d+([./]\d+)*\"?(\s?[x×*-]\s?\d.*)?|[特加]?[大中小]号?|均码|X{0,3}[SL]|M|\dXL"
    r"|(extra )?(small|large)|medium" + _NAMED_LENGTH,
    re.IGNORECASE,
)
_CENTS = re.compile(r"[0-9][0-9,]*\.[0-9]{2}")
# Small things cost less: below a quantity an amount may have more decimals.
_DECIMALS = re.compile(r"[0-9][0-9,]*\.[0-9]{2,4}")


@dataclass(frozen=True)
class Column:
    """``role``: an attribute key, ``size_part``, ``price_tier``, ``picture``, ``custom`` or ``ignored``.

    ``part``: what it holds of cells that say several things under labels; empty for whole cells.
    """

    col: int
    label: Label
    role: str
    values: tuple[str, ...]
    part: str = ""

    def said(self, text: str) -> str:
        """Its own part of a cell's text."""
        return part_of(text, self.part) if self.part else text

    def share(self, test: Callable[[str], bool]) -> float:
        return sum(1 for value in self.values if test(value)) / len(self.values) if self.values else 0.0


def resolve_columns(grid: Grid, header: Header) -> tuple[Column, ...]:
    """The columns with their final roles: each attribute key is given to one column only."""
    columns = [_settled(column) for label in header.labels for column in _parted(grid, header, label)]
    # Under a head of names there may be pictures alone.
    columns = [c for c in columns if c.role != "product_name" or _is_printed(grid, header, c.col)]
    columns = _one_of_each(columns)
    columns = _identity_from_weaker(columns, grid.turned)
    return tuple(columns)


def _is_printed(grid: Grid, header: Header, col: int) -> bool:
    return any(grid.text(row, col) for row in range(header.body, grid.n_rows))


def _parted(grid: Grid, header: Header, label: Label) -> list[Column]:
    """The column; where its cells say several things under labels of their own, one for each of these behind it."""
    texts = _values(grid, header, label)
    labels = labels_in(label.kind, texts) if any(":" in text or "：" in text for text in texts) else []
    column = Column(label.col, label, label.kind or "", texts)
    if not labels:
        return [replace(column, values=tuple(map(trim, texts)))]
    parts = [(LEAD, label), *((own, Label(label.col, own, label_kind(own), (own,))) for own in labels)]
    parts.append((REST, Label(label.col, label.text, "description", label.parts)))
    return [Column(head.col, head, head.kind or "", _said(texts, part), part) for part, head in parts]


def _said(texts: tuple[str, ...], part: str) -> tuple[str, ...]:
    return tuple(said for text in texts if (said := part_of(text, part)))


def _values(grid: Grid, header: Header, label: Label) -> tuple[str, ...]:
    """The texts below a head as printed, in lines."""
    values, col, kind = [], label.col, label.kind
    lead = _leading_column(grid, header)
    for row in range(header.body, grid.n_rows):
        if lead is not None and not grid.text(row, lead):
            continue
        if not grid.turned and repeats_header(grid, row, header.labels):
            continue
        text = grid.text(row, col)
        whole_row = grid.span(row, col) * 2 > grid.n_cols > 2
        cell = grid.cell(row, col)
        if cell and has_value(kind, text) and grid.starts(row, col) and not whole_row and not is_total(text):
            values.append(cell.text)
    return tuple(values)


def _leading_column(grid: Grid, header: Header) -> int | None:
    """In an open list only the lines that begin a product hold column values; the others go on with its text."""
    if grid.table.ruled:
        return None
    leads = ("model", kinds.CODE_OR_NUMBER, "price")
    return next((label.col for kind in leads for label in header.labels if label.kind == kind), None)


def _settled(column: Column) -> Column:
    """The role that the label and the values agree on."""
    labelled = column.label.text or column.label.kind
    role = _ROLES.get(column.role, _as_labelled)(column) if labelled else _unlabelled(column)
    return replace(column, role=role)


def _unlabelled(column: Column) -> str:
    """A column without a head is only taken for what its values cannot but be."""
    if column.share(is_price) >= 0.6:
        return "price"
    if len(column.values) < 2:
        return CUSTOM
    lettered = column.share(lambda value: is_code(value) and any(char.isalpha() for char in value))
    if lettered >= 0.8:
        return "spec_code"
    several = 3 * len({squash(value) for value in column.values}) >= 2 * len(column.values)
    words = column.share(lambda value: _is_words(value) and not is_material(value))
    return _WORDS if several and words >= 0.8 else CUSTOM


def _as_labelled(column: Column) -> str:
    if not column.role and names_currency(column.label.context) and column.share(is_valid_price) >= 0.8:
        return "money"
    if not column.role and column.values and column.share(lambda value: squash(value) in _COUNT_UNITS) == 1:
        return "unit"
    if _is_step(column.label) and column.share(_is_small_amount) >= 0.6:
        return "price"
    quantity = is_quantity(column.label.text)
    if not column.role and column.share(_is_small_amount if quantity else _is_amount) >= 0.6:
        return "price" if quantity else "money" if column.share(is_price) >= 0.8 else CUSTOM
    return column.role if column.role in BASE_KEYS else CUSTOM


def _is_step(label: Label) -> bool:
    """One of the quantities under a head that says so: "Order quantity" over "500", "1000", "3000"."""
    parts = label.parts
    return len(parts) > 1 and is_quantity(parts[-1]) and label_kind(parts[-2]) == kinds.QUANTITY


def _is_amount(value: str) -> bool:
    """Printed as money is: with a currency mark, or with cents; or in words that a price is given on request."""
    return is_price(value) or is_on_request(value) or _CENTS.fullmatch(value.strip()) is not None


def _is_small_amount(value: str) -> bool:
    return _is_amount(value) or _DECIMALS.fullmatch(value.strip()) is not None


def _series(column: Column) -> str:
    """ "Range" and "Family" also head measured values."""
    return "series" if column.share(lambda v: is_number(v) or is_measure(v)) < 0.5 else CUSTOM


def _model(column: Column) -> str:
    bare = {squash(form) for form in label_forms(column.label.text) if form in kinds.KINDS}
    if bare and bare <= _WEAK_MODELS and column.share(is_code) < 0.5:
        return "name_or_text" if bare & _ARTICLES and column.share(_is_words) >= 0.7 else CUSTOM
    return "model" if column.share(is_sentence) < 0.5 else CUSTOM


def _name(column: Column) -> str:
    if column.share(is_number) > 0.5:
        return CUSTOM
    return "model" if column.share(is_code) > 0.8 else "product_name"


def _code_or_number(column: Column) -> str:
    if column.values and all(is_number(value) and len(value) <= 4 for value in column.values):
        distinct = len(set(column.values)) == len(column.values)
        return (
            "model"
            if distinct and not _counts(column.values) and _OF_CODES.intersection(label_forms(column.label.text))
            else IGNORED
        )
    if column.share(is_code) >= 0.5:
        return "model"
    if column.share(_is_words) < 0.7:
        return CUSTOM
    return _VARIANT if _VARIANTS.intersection(label_forms(column.label.text)) else "product_name"


def _counts(values: Sequence[str]) -> bool:
    """The numbers of rows, from the first on."""
    return list(values) == [str(n) for n in range(1, len(values) + 1)]


def _name_or_text(column: Column) -> str:
    return "name_or_text" if column.share(_is_words) >= 0.6 else CUSTOM


def _size_or_text(column: Column) -> str:
    measured = column.share(lambda value: is_measure(value) or is_size(value) or _NOMINAL.fullmatch(value) is not None)
    if _in_lengths(column) or column.share(is_size) >= 0.4 or measured >= 0.6:
        return "size"
    return "spec_code" if column.share(is_code) >= 0.6 else CUSTOM


def _in_lengths(column: Column) -> bool:
    """Its head, or the row of units below, gives a unit of length."""
    return any(part in units_of("size") for part in label_currency_or_unit(column.label.context).split())


def _price(column: Column) -> str:
    return "price" if column.share(lambda v: is_valid_price(v) or is_on_request(v)) >= 0.5 else CUSTOM


def _packing(column: Column) -> str:
    """Electronic parts come in packages of their own names: "QFN48 (5*5)", "SOT-23-5"."""
    packages = column.share(lambda value: value[:1].isalpha() and is_code(re.split(r"[\s(（]", value)[0]))
    return CUSTOM if packages >= 0.5 and _PACKAGES.intersection(label_forms(column.label.text)) else "packing"


def _row_number(column: Column) -> str:
    return (
        "spec_code"
        if column.share(is_code) >= 0.7 and column.share(lambda v: any(c.isalpha() for c in v)) >= 0.7
        else IGNORED
    )


def _is_words(value: str) -> bool:
    return any(char.isalpha() for char in value) and not is_price(value) and not is_measure(value) and len(value) <= 90


_ROLES: dict[str, Callable[[Column], str]] = {
    "model": _model,
    "product_name": _name,
    "price": _price,
    "series": _series,
    "packing": _packing,
    "description": lambda column: "size" if _in_lengths(column) and column.share(is_size) >= 0.6 else "description",
    kinds.CODE_OR_NUMBER: _code_or_number,
    kinds.NAME_OR_TEXT: _name_or_text,
    kinds.SIZE_OR_TEXT: _size_or_text,
    kinds.SIZE_PART: lambda column: (
        "size_part" if column.share(lambda v: any(c.isdigit() for c in v)) >= 0.5 else CUSTOM
    ),
    kinds.ROW_NUMBER: _row_number,
    kinds.PICTURE: lambda column: "picture",
    kinds.BARCODE: lambda column: "barcode",
    IGNORED: lambda column: IGNORED,
}


def _one_of_each(columns: list[Column]) -> list[Column]:
    """Where several columns claim one key the best stays; the others become custom values under their own label."""
    keep: dict[str, Column] = {}
    for column in columns:
        if column.role in BASE_KEYS and (column.role not in keep or _rank(column) > _rank(keep[column.role])):
            keep[column.role] = column
    return [column if keep.get(column.role, column) is column else _demoted(column) for column in columns]


def _demoted(column: Column) -> Column:
    """A second price column is a price for another quantity or term; any other second column a custom value."""
    return replace(column, role=PRICE_TIER if column.role == "price" else CUSTOM)


def _rank(column: Column) -> tuple[float, ...]:
    filled = float(bool(column.values))
    by_label = float(column.label.kind == column.role) - 0.5 * bool(column.part)
    if column.role == "model":
        distinct = len(set(column.values)) / max(1, len(column.values))
        return (filled, round(column.share(is_code)), round(distinct), by_label, -column.col)
    return (filled, by_label, -column.col)


def _identity_from_weaker(columns: list[Column], turned: bool) -> list[Column]:
    """Generic text, specification, money and barcode columns take a role that no better column has."""
    has = {column.role for column in columns}
    named = _words_that_name(columns, turned)
    final = []
    for column in columns:
        role = column.role
        if role == "name_or_text":
            role = (
                "product_name" if "product_name" not in has else "description" if "description" not in has else CUSTOM
            )
        elif role == _VARIANT:
            role = CUSTOM if has & {"model", "product_name", "name_or_text", "spec_code"} else "product_name"
        elif role == _WORDS:
            role = "product_name" if column is named else CUSTOM
        elif role == "spec_code":
            role = "model" if "model" not in has else CUSTOM
        elif role == "money":
            role = "price" if "price" not in has else CUSTOM
        elif role == "barcode":
            role = "model" if not has & {"model", "product_name", "name_or_text", "spec_code"} else CUSTOM
        has.add(role)
        final.append(replace(column, role=role))
    return final


def _words_that_name(columns: list[Column], turned: bool) -> Column | None:
    """The only column of words without a head that names products: of a list without any heads, with codes and prices.
    Where products stand in columns, what is printed right over their codes."""
    words = [column for column in columns if column.role == _WORDS]
    by_role = {column.role: column for column in columns}
    coded = by_role.get("model") or by_role.get("spec_code")
    if len(words) != 1 or coded is None or by_role.keys() & {"product_name", "name_or_text"}:
        return None
    bare = not any(column.label.text for column in columns) and "price" in by_role
    over = turned and coded.role == "model" and words[0].col == coded.col - 1
    return words[0] if bare or over else None
