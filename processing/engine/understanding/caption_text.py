"""What the lines of a caption say: labelled fields, then what price, code, size and name look like."""

import re
from collections.abc import Callable

from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.result import CustomValue, Value
from processing.engine.understanding.cards import is_name
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.fields import line_fields
from processing.engine.understanding.rules.dictionaries.measures import COLOURS
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT, SIZE_OR_TEXT, label_kind
from processing.engine.understanding.rules.shapes import (
    all_in,
    has_value,
    is_code,
    is_count,
    is_extent,
    is_material,
    is_no_value,
    is_on_request,
    is_price,
    is_sentence,
    prices_in,
)

_WIDE_SPACE = re.compile(r"\u3000+|\s{2,}")


def read_caption(
    lines: tuple[Line, ...], page_number: int
) -> tuple[dict[str, Value], dict[str, str], tuple[CustomValue, ...]]:
    """Attributes of a caption: labelled fields, then what price, code, size and name look like."""
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for line in (part for whole in lines for part in _parts(whole)):
        fields = line_fields(line, page_number)
        for field in fields:
            if field.value is None:
                continue
            if field.kind in _CAPTION_KEYS and field.kind not in attributes:
                attributes[field.kind] = field.value
                contexts[field.kind] = field.label
            else:
                custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
        if not fields:
            _read_plain(line, attributes, page_number)
    for kind, key, fits in _GENERAL:
        named = next((c for c in custom if label_kind(c.name) == kind and fits(c.value)), None)
        if named is not None and key not in attributes:
            attributes[key], contexts[key] = Value(named.value, named.evidence), named.name
            custom.remove(named)
    return attributes, contexts, tuple(custom)


# Labels that say little, and what they stand for where the value looks so and nothing else does.
_GENERAL: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    (CODE_OR_NUMBER, "model", is_code),
    (NAME_OR_TEXT, "product_name", is_name),
    (SIZE_OR_TEXT, "size", lambda text: True),
)
_CAPTION_KEYS = frozenset(
    (
        "model",
        "product_name",
        "brand",
        "series",
        "size",
        "material",
        "color",
        "price",
        "unit",
        "moq",
        "weight",
        "packing",
    )
)


def _parts(line: Line) -> list[Line]:
    """What wide spaces part is of its own: "YL-107　22厘米"."""
    parts = [part for part in _WIDE_SPACE.split(line.text) if part.strip()]
    if len(parts) < 2:
        return [line]
    return [Line(part, part_box(line, part), (), line.size, line.bold) for part in parts]


def _read_plain(line: Line, attributes: dict[str, Value], page_number: int) -> None:
    text = trim(line.text)
    head, _, rest = text.partition(" ")
    lettered = is_code(head) and any(c.isalpha() for c in head)
    plain = prices_in(rest) == 1 or is_no_value(rest) or is_on_request(rest) or is_extent(rest)
    if lettered and "model" not in attributes and plain:
        attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
        key = "size" if is_extent(rest) else "price"
        if has_value(key, rest) and key not in attributes:
            attributes[key] = text_value(rest, part_box(line, rest), page_number, "caption", 0.95)
        return
    for key, test in (("price", is_price), ("price", is_on_request), ("model", is_code), ("size", is_extent)):
        if test(text) and key not in attributes and (key == "model" or not is_sentence(text)):
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.95)
            return
    for key, told in (("material", is_material(text)), ("color", all_in(text, COLOURS))):
        if told and key not in attributes and "product_name" in attributes:
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.9)
            return
    if "model" not in attributes and lettered and is_name(rest):
        attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
        if "product_name" not in attributes:
            attributes["product_name"] = text_value(rest, part_box(line, rest), page_number, "caption", 0.95)
    elif "product_name" not in attributes and is_name(text) and not is_count(text):
        attributes["product_name"] = text_value(text, line.box, page_number, "caption", 0.9)
    elif "description" not in attributes and squash(text):
        attributes["description"] = text_value(text, line.box, page_number, "caption", 0.8)
