"""What a name that people confirmed again and again would be as an attribute of a schema. Pure."""

import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

KEY_MOST_CHARS = 40
_HAN = re.compile(r"[㐀-鿿]")
_MEASURE = re.compile(r"^\s*[-+]?\d[\d.,]*\s*(?P<unit>[^\d\s.,/×*x-][^\d\s]{0,7})?\s*$")
_MOST = 0.8  # of the values have to agree on what they are


def key_for(name: str, taken: Collection[str]) -> str:
    """Small letters, digits and underscores; of a name without Latin letters a number that is always the same."""
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:KEY_MOST_CHARS]
    if not slug or not slug[0].isalpha() or _HAN.search(name):
        slug = f"attr_{zlib.crc32(name.encode()):08x}"
    return next(key for key in (slug, *(f"{slug}_{n}" for n in range(2, len(taken) + 3))) if key not in taken)


def kind_of(values: Sequence[str]) -> tuple[str, str]:
    """Type of the attribute, and its unit: number where nearly all are bare figures, measure where they share one."""
    matches = [match for value in values if (match := _MEASURE.match(value))]
    if not values or len(matches) < _MOST * len(values):
        return "text", ""
    units = [match["unit"] for match in matches if match["unit"]]
    if not units:
        return "number", ""
    common = max(units, key=units.count)
    return ("measure", common) if units.count(common) >= _MOST * len(matches) else ("text", "")


def entry_of(key: str, kind: str, unit: str, names: Mapping[str, int]) -> dict[str, Any]:
    """As a category schema writes it: the most frequent name of each language is the label, the rest are synonyms."""
    by_count = sorted(names, key=lambda name: (-names[name], name))
    labels = {
        "label_zh": next((name for name in by_count if _HAN.search(name)), ""),
        "label_en": next((name for name in by_count if not _HAN.search(name)), ""),
    }
    further = [name for name in by_count if name not in labels.values()]
    entry = {"key": key, **labels, "synonyms": further, "type": kind, "unit": unit}
    return {name: value for name, value in entry.items() if value and (name, value) != ("type", "text")}
