"""What the lines below a product's first line add to it, and codes that stand inside a name."""

import re

import msgspec

from catalogsku.core.box import rounded, union
from catalogsku.core.text import trim
from processing.engine.result import BASE_KEYS, CustomValue, Evidence, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_no_value, is_price, prices_in
from processing.engine.understanding.tables.grid import Grid

_PAIR = re.compile(r"^\s*([^:：]{1,32}?)\s*[:：]\s*(.+)$")
# Before each further label: "Shipping Weight: 143 Cubic Feet: 40.13".
_SEGMENTS = re.compile(r"\s{2,}|(?<=\d)\s(?=[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*){0,2}:\s)")
_BRACKETED = re.compile(r"^[\[(【*\"]\s*([A-Za-z0-9][A-Za-z0-9_\-./]{2,24})\s*[\])】*\"]\s+(\S.*)$")
_GLUED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9\-_./]{2,24})\s*([\u3400-\u9fff]\S.*)$")


def extended(draft: Draft, grid: Grid, row: int, page_number: int) -> Draft:
    """The draft with the labelled values of a further line of its text; its box grows to hold the line."""
    attributes, custom, contexts = dict(draft.attributes), list(draft.custom), dict(draft.contexts)
    for _, cell in grid.filled(row):
        for segment in _SEGMENTS.split(cell.text):
            pair = _PAIR.match(segment)
            if pair is None or is_no_value(pair.group(2)):
                continue
            label, text = trim(pair.group(1)), trim(pair.group(2))
            evidence = Evidence(text, page_number, rounded(cell.box), 1.0, "label")
            kind = label_kind(label)
            if kind in BASE_KEYS and kind not in attributes:
                attributes[kind] = Value(text, evidence)
                contexts[kind] = label
            else:
                custom.append(CustomValue(label, text, evidence))
    box = union([draft.box, grid.row_box(row)])
    return msgspec.structs.replace(draft, box=box, attributes=attributes, custom=tuple(custom), contexts=contexts)


def split_code_and_name(attributes: dict[str, Value]) -> None:
    """One cell that prints both: "[FURN_7777] Office Chair" under a name's head, "LM-R210黄麻编织毯" under a code's."""
    model, name = attributes.get("model"), attributes.get("product_name")
    if model is None and name is not None:
        match, place = _BRACKETED.match(name.text), name
    elif model is not None and name is None:
        match, place = _GLUED.match(model.text), model
    else:
        return
    if match is None or not (is_code(match.group(1)) or ("_" in match.group(1) and match.group(1).isupper())):
        return
    for key, text in (("model", match.group(1)), ("product_name", trim(match.group(2)))):
        attributes[key] = msgspec.structs.replace(place, text=text, evidence=quoting(place.evidence, text))


def first_of_two_prices(attributes: dict[str, Value]) -> None:
    """Two columns printed so near that they were read as one ("$1,565 $1,111", "$235 N/A"): the first is the price."""
    price = attributes.get("price")
    first, gap, rest = price.text.partition(" ") if price is not None else ("", "", "")
    if (
        price is not None
        and gap
        and is_price(first)
        and ((is_price(rest) and prices_in(rest) == 1) or is_no_value(rest))
    ):
        attributes["price"] = msgspec.structs.replace(price, text=first, evidence=quoting(price.evidence, first))


def quoting(evidence: Evidence, text: str) -> Evidence:
    """The same place, for a part of what stands there."""
    return msgspec.structs.replace(evidence, quote=text)
