"""What a SKU's row says beside its values: units printed elsewhere, the words in the place of a price, numbers."""

from collections.abc import Collection, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from processing.engine.result import Evidence
from processing.engine.result import Sku as FoundSku
from processing.engine.understanding.rules.normalise import normalised
from processing.engine.understanding.rules.shapes import is_on_request
from processing.engine.understanding.rules.units import MEASURED, prints_unit

# The names of units in ``evidence`` and ``attribute_source``, by attribute; a price's is the attribute ``currency``.
UNITS = {"size": "size_unit", "weight": "weight_unit"}
# What spreadsheets keep of a number.
_MOST_DIGITS = 15


def places_of(sku: FoundSku) -> dict[str, Evidence]:
    """Where each value of a product stands, each unit printed elsewhere, and the words in the place of a price."""
    places = {key: value.evidence for key, value in sku.attributes.items()}
    places |= {UNITS[key]: unit.evidence for key, unit in sku.units.items()}
    return places | ({"price": sku.on_request.evidence} if sku.on_request is not None else {})


def sources_of(sku: FoundSku) -> dict[str, str]:
    """How values and units came to the product, but for those printed beside it."""
    values = {**sku.attributes, **{UNITS[key]: unit for key, unit in sku.units.items()}}
    return {key: value.source for key, value in values.items() if value.source != "direct"}


def still_told(stored: Mapping[str, Any], values: Collection[str], touched: Collection[str] = ()) -> dict[str, Any]:
    """Of what is kept by key, that of the ``values`` a product has now, of their units, and of its price on request
    unless the price is among the ``touched``."""
    units = {unit for key, unit in UNITS.items() if key in values}
    on_request = {"price"} - set(touched)
    return {key: entry for key, entry in stored.items() if key in values or key in units or key in on_request}


def renormalised(values: Mapping[str, str], evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The normalised forms of what a product has after a person changed it."""
    words = _quote(evidence["price"]) if "price" in evidence else ""
    on_request = {"price": words} if "price" not in values and is_on_request(words) else {}
    return normalised(
        {**on_request, **values}, {key: _quote(evidence[unit]) for key, unit in UNITS.items() if unit in evidence}
    )


def printed(attributes: Mapping[str, str | None], normalized: Mapping[str, Any], key: str) -> str | None:
    """What people and files are shown of an attribute: its text, or the words in the place of a price."""
    return attributes.get(key) or (normalized.get("price", {}).get("text") if key == "price" else None)


def unit_elsewhere(
    text: str | None, key: str, attributes: Mapping[str, str | None], evidence: Mapping[str, Any]
) -> str:
    """The unit or currency of a value of size, weight or price that does not print it itself; empty where none is."""
    if not text or key not in MEASURED or prints_unit(key, text):
        return ""
    unit = attributes.get("currency") if key == "price" else _quote(evidence.get(UNITS[key], {}))
    return unit or ""


def unit_code(normalized: Mapping[str, Any], key: str) -> str | None:
    """The name of the unit in which ``key`` is normalised, wherever it is printed."""
    unit = normalized.get(key, {}).get("unit")
    return str(unit) if unit else None


def number_of(normalized: Mapping[str, Any], key: str) -> Decimal | None:
    """The one number that is printed; None of ranges, of tiers in one text, of several measures and of words."""
    forms = normalized.get(key, {})
    several = "min" in forms or any("label" not in tier for tier in forms.get("tiers", ()))
    values = forms.get("values", [forms.get("value")])
    if several or len(values) != 1:
        return None
    try:
        number = Decimal(str(values[0]))
    except InvalidOperation:
        return None
    return number if number.is_finite() and len(number.as_tuple().digits) <= _MOST_DIGITS else None


def _quote(place: Evidence | Mapping[str, Any]) -> str:
    return str(place.quote if isinstance(place, Evidence) else place.get("quote") or "")
