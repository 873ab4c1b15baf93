"""How a product is put for one target: names of its fields, form of its ids. Pure; the bytes follow from it alone."""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

# What stands beside the product itself; a target needs the first two to tell products and their order apart.
HEAD = ("sku_id", "generation", "merchant_id", "revision", "job_id", "content_hash", "deleted")
PRODUCT = (
    *("file_hash", "page_number", "category", "validity", "quality_warning", "attributes", "attribute_source"),
    *("normalized", "custom_attributes", "images"),
)
NESTED = ("attributes", "attribute_source", "normalized")
ID_PARTS = ("merchant", "hash8", "number", "page", "sequence")
_SKU_ID = re.compile(r"(?P<hash8>[0-9a-f]+)_p(?P<page>\d+)_(?P<sequence>\d+)")
_NAME = re.compile(r"[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*", re.ASCII)


@dataclass(frozen=True)
class Shape:
    """``fields``: the target's name of a field -> ours, both dotted; empty: all of it under our names.

    ``id_pattern``: like ``{number}{page}{sequence}``; empty: our ids.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    id_pattern: str = ""

    def external_id(self, merchant_id: int, sku_key: str) -> str:
        """The id at the target, the same for the same SKU; empty where it is ours."""
        if not self.id_pattern:
            return ""
        parts = _SKU_ID.fullmatch(sku_key)
        if parts is None:
            raise ValueError(f"{sku_key} is not built like a SKU id")
        hash8 = parts["hash8"]
        return self.id_pattern.format(
            merchant=merchant_id,
            hash8=hash8,
            number=f"{int(hash8, 16):010d}",
            page=f"{int(parts['page']):04d}",
            sequence=f"{int(parts['sequence']):04d}",
        )

    def name_of(self, ours: str) -> str:
        """How the target calls one of the fields of HEAD."""
        return next((name for name, source in self.fields.items() if source == ours), ours)

    def body(self, head: Mapping[str, Any], product: bytes | None) -> bytes:
        """``product``: canonical JSON; None where the product is taken away."""
        if not self.fields:
            return msgspec.json.encode({**head, "product": msgspec.Raw(product or b"null")})
        known = {**head, **(msgspec.json.decode(product) if product is not None else {})}
        built: dict[str, Any] = {}
        for name, source in self.fields.items():
            *folders, last = name.split(".")
            place = built
            for folder in folders:
                place = place.setdefault(folder, {})
            place[last] = value_at(known, source)
        return msgspec.json.encode(built)


def value_at(tree: Any, path: str) -> Any:
    """None where there is nothing."""
    for part in path.split("."):
        tree = tree.get(part) if isinstance(tree, Mapping) else None
    return tree


def with_value(body: bytes, path: str, value: int) -> bytes:
    """The same body with another value in one of its places. Raises KeyError where it has no such place."""
    tree = msgspec.json.decode(body)
    *folders, last = path.split(".")
    place = tree
    for folder in folders:
        place = place[folder]
    if last not in place:
        raise KeyError(path)
    place[last] = value
    return msgspec.json.encode(tree)


def id_fault(pattern: str) -> str:
    """Why a pattern is none: a code, or nothing. It must tell all SKUs of a merchant apart."""
    try:
        parts = list(string.Formatter().parse(pattern))
    except ValueError:
        return "id_pattern_unreadable"
    names = [name for _, name, _, _ in parts if name is not None]
    if any(spec or conversion for _, _, spec, conversion in parts) or not set(names) <= set(ID_PARTS):
        return "id_pattern_unknown_part"
    tells_apart = {"page", "sequence"} <= set(names) and bool({"hash8", "number"} & set(names))
    return "" if not pattern or tells_apart else "id_pattern_ambiguous"


def fields_fault(fields: object) -> str:
    """Why a mapping is none: a code, or nothing."""
    if not isinstance(fields, dict) or not all(isinstance(part, str) for pair in fields.items() for part in pair):
        return "fields_not_names"
    if not all(_NAME.fullmatch(name) for name in fields):
        return "fields_not_names"
    if any(other.startswith(f"{name}.") for name in fields for other in fields):
        return "fields_inside_each_other"
    for source in fields.values():
        first, _, rest = source.partition(".")
        if first not in (*HEAD, *PRODUCT) or (rest and first not in NESTED):
            return "fields_unknown_source"
    return "" if not fields or {"sku_id", "generation"} <= set(fields.values()) else "fields_lack_order"
