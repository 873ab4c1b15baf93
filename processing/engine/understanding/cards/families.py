"""Families of products: a code and a name, what all of the family have in common, then a priced row for each."""

import re
from collections.abc import Iterator, Sequence, Set

from catalogsku.core.box import Box, centre, contains_point, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import once
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.finishes import all_in
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_price, is_size, prices_in
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.signs import begins_with_code
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

_LEAST_ROWS = 2
_ALIGNED_PT = 5.0
# Words of a price: its currency may stand apart. Signs that the codes of one family have in common, in a row.
_PRICE_WORDS, _AKIN = 2, 3
_CAPITALS = re.compile(r"(?=.*\d)[A-Z\d][A-Z\d\-./]+")
# As in singles and captions: a way of reading that is right where it applies. What the head says is a little less sure.
_FOUND, _COMMON = 0.86, 0.9
_IN_COMMON = ("size", "material", "weight", "color", "packing", "brand")
# "Shipping Weight 85 Cubic Feet 18.00": a label of letters before each amount.
_LABELLED_AMOUNT = re.compile(r"([^\W\d][^\d:]*?)\s+(\d[\d.,]*)(?:\s+|$)")

Row = list[Line]


@once
def extract_families(view: PageView) -> Extraction:
    """A product for each priced row, where every price of the page stands in such a row of a family."""
    families = [family for family in _blocks(baselines(view.lines)) if _is_family(family)]
    drafts = [draft for family in families for draft in _products(view, family)]
    if len(drafts) < _LEAST_ROWS or len(drafts) < sum(prices_in(line.text) for line in view.lines):
        return Extraction(extractor="family")
    return Extraction(tuple(drafts), used=tuple(map(_box, families)), extractor="family")


def _blocks(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows from each head to the next."""
    heads = [n for n, row in enumerate(rows) if _is_head(row)]
    return [list(rows[n:end]) for n, end in zip(heads, [*heads[1:], len(rows)], strict=False)]


def _is_head(row: Row) -> bool:
    """The family's code and name side by side, and nothing else."""
    return len(row) == 2 and is_code(row[0].text) and begins_with_code(row[0].text) and _is_plain_name(row[1].text)


def _is_plain_name(text: str) -> bool:
    return is_name(text) and not (is_price(text) or is_code(text) or is_size(text))


def _is_priced(row: Row, family_code: str) -> bool:
    """A code and what tells it from its like on the left, one price beside it."""
    if len(row) != 2 or prices_in(row[1].text) != 1 or len(row[1].words) > _PRICE_WORDS:
        return False
    return begins_with_code(row[0].text) or _is_akin(trim(row[0].text).split(" ", 1)[0], family_code)


def _is_akin(word: str, code: str) -> bool:
    """Looks like a measure by itself ("693SLQ"), and has signs in a row with the family's code in common."""
    runs = (word[n : n + _AKIN] for n in range(len(word) - _AKIN + 1))
    return _CAPITALS.fullmatch(word) is not None and any(run in code for run in runs)


def _priced(family: Sequence[Row]) -> list[int]:
    return [n for n, row in enumerate(family) if n and _is_priced(row, family[0][0].text)]


def _is_family(family: Sequence[Row]) -> bool:
    """Specifications stand between the head and the priced rows, whose codes begin where the head's does."""
    priced = _priced(family)
    if not priced or _size(family[1 : priced[0]]) is None:
        return False
    left = family[0][0].box[0]
    middle = centre(family[priced[0]][1].box)[0]
    return all(
        abs(family[n][0].box[0] - left) <= _ALIGNED_PT and abs(centre(family[n][1].box)[0] - middle) <= _ALIGNED_PT
        for n in priced
    )


def _size(rows: Sequence[Row]) -> Line | None:
    lines = (line for row in rows for line in row)
    return next((line for line in lines if is_size(line.text) and ":" not in line.text), None)


def _box(family: Sequence[Row]) -> Box:
    """Of the family up to its last priced row."""
    return union(line.box for row in family[: _priced(family)[-1] + 1] for line in row)


def _products(view: PageView, family: Sequence[Row]) -> Iterator[Draft]:
    box = _box(family)
    rows = [(row, _own(row, view.page.number)) for row in (family[n] for n in _priced(family))]
    common, custom, contexts = _in_common(family, view.page.number, {key for _, own in rows for key in own})
    shown = [picture.box for picture in view.pictures if contains_point(box, *centre(picture.box))]
    for row, own in rows:
        add_currency(own)
        yield Draft(
            box=union(line.box for line in row),
            anchor=box,
            attributes={**common, **own},
            custom=custom,
            contexts=contexts,
            confidence=_FOUND,
            picture=shown[0] if len(shown) == 1 else None,
        )


def _own(row: Row, page_number: int) -> dict[str, Value]:
    """Code, price and what tells the product from others of its family."""
    label, price = row
    code, _, rest = trim(label.text).partition(" ")
    own = {
        "model": text_value(code, part_box(label, code), page_number, "caption", 0.95),
        "price": text_value(price.text, price.box, page_number, "caption", 0.95),
    }
    for part in filter(None, map(trim, rest.split("/"))):
        key = "material" if all_in(part, MATERIALS) else "description"
        own.setdefault(key, text_value(part, part_box(label, part), page_number, "caption", _COMMON))
    return own


def _in_common(
    family: Sequence[Row], page_number: int, own: Set[str]
) -> tuple[dict[str, Value], tuple[CustomValue, ...], dict[str, str]]:
    """What the head and the lines below it say of every product of the family, with the labels of the attributes.

    ``own``: attributes that the rows give themselves; under a label of the head they mean something else.
    """
    code, name = family[0]
    values = {
        "series": _inherited(code.text, code.box, page_number),
        "product_name": _inherited(name.text, name.box, page_number),
    }
    body = family[1 : _priced(family)[0]]
    size = _size(body)
    if size is not None:
        values["size"] = _inherited(size.text, size.box, page_number)
    custom: dict[str, CustomValue] = {}
    contexts: dict[str, str] = {}
    for label, value in (pair for row in body for line in row for pair in _labelled(line, page_number)):
        kind = label_kind(label)
        if kind in _IN_COMMON and kind not in values and kind not in own and not is_sentence(value.text):
            values[kind], contexts[kind] = value, label
        elif label not in custom:
            custom[label] = CustomValue(label, value.text, value.evidence)
    return values, tuple(custom.values()), contexts


def _labelled(line: Line, page_number: int) -> Iterator[tuple[str, Value]]:
    """Labels of one line with their values, whether colons part them or only what letters and amounts are."""
    for field in line_fields(line, page_number):
        if field.value is not None:
            yield field.label, Value(field.value.text, field.value.evidence, "page_inherited", _COMMON)
    text = trim(line.text)
    pairs = _LABELLED_AMOUNT.findall(text)
    whole = " ".join(f"{label} {amount}" for label, amount in pairs) == text
    if whole and not is_sentence(text) and any(label_kind(label) in BASE_KEYS for label, _ in pairs):
        for label, amount in pairs:
            yield label, _inherited(amount, part_box(line, amount), page_number)


def _inherited(text: str, box: Box, page_number: int) -> Value:
    value = text_value(text, box, page_number, "caption")
    return Value(value.text, value.evidence, "page_inherited", _COMMON)
